"""Straight code as WebAssembly."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import assert_never

from attrs import define

from rulesdsl.engines.code import span_of
from rulesdsl.engines.wasm.bags import moved, put_moved
from rulesdsl.engines.wasm.cells import STORE, WIDE, pieces
from rulesdsl.engines.wasm.kept import Keeping
from rulesdsl.engines.wasm.knowing import fixed_rounds
from rulesdsl.engines.wasm.values import Values
from rulesdsl.engines.wasm.writing import Body
from rulesdsl.machine import program as p


@define(eq=False)
class Codes:
    """Writes straight code into functions. `counters` are the addresses at which is counted how
    often a rule was at work, by id() of the rule."""

    values: Values
    counters: Mapping[int, int]
    layout: p.Layout
    kept: Keeping

    def sequence(self, f: Body, code: tuple[p.Code, ...]) -> None:
        """Some code, piece after piece; constants that are put into cells stand together."""
        for constants, group in groupby(code, _is_constant):
            if constants:
                self._constants(f, list(group))
            else:
                for piece in group:
                    self._piece(f, piece)

    def _piece(self, f: Body, c: p.Code) -> None:
        match c:
            case p.Set():
                self._set(f, c)
            case p.Reg():
                self.kept.read(f, c.value)
                self.values.value(f, c.value)
                f.set_register(c.register)
            case p.Check():
                self.kept.read(f, c.condition)
                with f.checking(c.fault, c.span):
                    self.values.value(f, c.condition)
            case p.Cond():
                self._cond(f, c)
            case p.Loop():
                self._loop(f, c)
            case p.While():
                self._while(f, c)
            case p.Clear():
                self._clear(f, c)
            case p.Note():
                self._note(f, c)
            case _:
                assert_never(c)

    # ---------------------------------------------------------------- cells

    def _constants(self, f: Body, code: list[p.Code]) -> None:
        """Notes, and cells that become constants: those that lie side by side at once."""
        octets: dict[int, bytes] = {}
        for c in code:
            match c:
                case p.Set(p.Cell(base, ()) as cell, p.K(number)):
                    octets[self.values.cells.address(base)] = self._octets(base, (number,))
                    self.kept.write_constant(f, cell, number)
                case p.Note():
                    self._note(f, c)
        begin, content = 0, b""
        for address, more in sorted(octets.items()):
            if address != begin + len(content):
                store_constants(f, begin, content)
                begin, content = address, b""
            content += more
        store_constants(f, begin, content)

    def _octets(self, base: int, numbers: tuple[int, ...]) -> bytes:
        """Numbers as they lie in cells from one on."""
        width = self.values.cells.width(base)
        return b"".join(number.to_bytes(width, "little", signed=True) for number in numbers)

    def _set(self, f: Body, c: p.Set) -> None:
        self.kept.read(f, *(index for index, _ in c.cell.terms), c.value)
        offset = self.kept.write(f, c.cell, c.value)
        if c.low is not None or c.high is not None:
            low = -(2**31) if c.low is None else c.low
            high = 2**31 - 1 if c.high is None else c.high
            new = f.new("new")
            f.put(f"local.set {new}")

            def said(number: int) -> str:
                return f"it would become {number}, outside {low}..{high}"

            with f.checking("range", c.span, said, (low, high), new):
                f.put(f"local.get {new}", f"i32.const {low}", "i32.sub")
                f.put(f"i32.const {high - low}", "i32.le_u")
            f.put(f"local.get {new}")
        f.put(f"{STORE[self.values.cells.width(c.cell.base)]} offset={offset}")

    def _clear(self, f: Body, c: p.Clear) -> None:
        where = f.new("where")
        offset = self.values.address(f, c.cell)
        self.kept.forget_slot(f, c.cell)
        f.put(f"local.set {where}")
        store_constants(f, offset, self._octets(c.cell.base, (0,) * c.count), where)

    # ---------------------------------------------------------------- ways that part

    def _cond(self, f: Body, c: p.Cond) -> None:
        quiet = self.values.knowing.quiet(c.then, c.otherwise)
        self.kept.read(f, c.condition)
        self.values.value(f, c.condition)
        before = dict(f.held)
        after = list[dict[p.Cell, str]]()

        def way(code: tuple[p.Code, ...]) -> None:
            f.held = dict(before)
            self.sequence(f, code)
            after.append(f.held)

        f.ways(quiet, lambda: way(c.then), lambda: way(c.otherwise))
        one, other = after
        f.held = {cell: local for cell, local in one.items() if other.get(cell) == local}

    def _loop(self, f: Body, c: p.Loop) -> None:
        self.kept.forget(f, (c,))
        span = span_of(c.body)
        if self._is_copy(c):
            rounds = fixed_rounds(c, f.known)
            assert rounds is not None
            f.owe(max(len(rounds), 1), span)
            self._copy(f, c, rounds)
            return
        whole = moved(c, self.layout)
        if whole is not None and self._is_wide(whole.source, whole.target):
            f.owe(whole.count, span)
            ends = []
            for first in (whole.source, whole.target):
                place = f.new("place")
                offset = self.values.address(f, first)
                f.put(f"local.set {place}")
                ends.append((place, offset))
            put_moved(f, ends[0], ends[1], whole.count)
            return
        with f.holding():
            self.values.rounds(f, c, span, None, c.body, lambda: self.sequence(f, c.body))

    def _is_wide(self, *cells: p.Cell) -> bool:
        return all(self.values.cells.width(cell.base) == WIDE for cell in cells)

    def _is_copy(self, c: p.Loop) -> bool:
        """Whether a loop copies cells in a row to others, not overlapping, that lie in a row."""
        own, width = p.R(c.register), self.values.cells.width
        rounds = fixed_rounds(c, {})
        match c.body:
            case (p.Set(p.Cell(into, ((a, 1),)), p.Cell(source, ((b, 1),)), None, None),):
                alike = a == own == b and width(into) == width(source)
                return alike and rounds is not None and abs(into - source) >= len(rounds)
            case _:
                return False

    def _copy(self, f: Body, c: p.Loop, rounds: range) -> None:
        """Cells in a row become those of another row: as many as possible at once."""
        cells = self.values.cells
        match c.body:
            case (p.Set(p.Cell(into, _), p.Cell(source, _)),):
                here, there = (cells.address(base + rounds.start) for base in (source, into))
                for one in pieces(len(rounds) * cells.width(into)):
                    f.put("local.get $s", "local.get $s")
                    f.put(f"{one.load} offset={here + one.at} align=2")
                    f.put(f"{one.store} offset={there + one.at} align=2")

    def _while(self, f: Body, c: p.While) -> None:
        self.kept.forget(f, (c,))
        rounds, over, again = f.new("rounds"), f.label("over"), f.label("again")
        self.values.value(f, c.bound)
        f.pay()
        f.put(f"local.set {rounds}", f"block {over}")
        done = f.label("done")
        f.put(f"block {done}", f"loop {again}")
        f.put(f"local.get {rounds}", "i32.const 0", "i32.le_s", f"br_if {done}")
        f.owe(1, c.span)
        self.values.value(f, c.condition)
        f.pay()
        f.put("i32.eqz", f"br_if {over}")
        with f.holding():
            self.sequence(f, c.body)
        f.pay()
        f.put(f"local.get {rounds}", "i32.const 1", "i32.sub", f"local.set {rounds}")
        f.put(f"br {again}", "end", "end")
        if c.strict:
            with f.checking("bound", c.span):
                self.values.value(f, c.condition)
                f.put("i32.eqz")
        f.put("end")

    def _note(self, f: Body, c: p.Note) -> None:
        counter = self.counters.get(id(c.subject))
        if counter is not None:
            count(f, counter)


def count(f: Body, address: int, by: str = "i32.const 1") -> None:
    """Add to a number at a fixed address."""
    f.put("i32.const 0", "i32.const 0", f"i32.load offset={address}")
    f.put(by, "i32.add", f"i32.store offset={address}")


def store_constants(f: Body, offset: int, octets: bytes, where: str = "$s") -> None:
    """Put constants into cells that lie side by side."""
    for one in pieces(len(octets)):
        f.put(f"local.get {where}", one.constant(octets))
        f.put(f"{one.store} offset={offset + one.at} align=2")


def _is_constant(c: p.Code) -> bool:
    """Whether it does no more than put a constant into a cell, or is a note."""
    match c:
        case p.Set(p.Cell(_, ()), p.K(), None, None) | p.Note():
            return True
        case _:
            return False
