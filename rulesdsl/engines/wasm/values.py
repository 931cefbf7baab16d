"""Values as WebAssembly: each leaves one number on the stack."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from attrs import define, field

from rulesdsl.engines.wasm.cells import LOAD, Cells
from rulesdsl.engines.wasm.folds import FREE, Folds
from rulesdsl.engines.wasm.held import Names, always_read, is_free, to_hold
from rulesdsl.engines.wasm.knowing import constant, is_truth
from rulesdsl.engines.wasm.writing import Body
from rulesdsl.machine import program as p

CELL = 4
"""Bytes of a number, of those of tables and of what hosts are given."""


@define(eq=False)
class Tables:
    """Rows of tables in memory from an address on; equal ones lie there once."""

    start: int
    numbers: list[int] = field(factory=list, init=False)
    _places: dict[tuple[int, ...], int] = field(factory=dict, init=False)

    def place(self, data: tuple[int, ...]) -> int:
        """The address of some numbers."""
        found = self._places.get(data)
        if found is None:
            found = self._places[data] = self.start + CELL * len(self.numbers)
            self.numbers += data
        return found


@define(eq=False)
class Values(Folds):
    """Writes values into functions."""

    tables: Tables
    cells: Cells

    def value(self, f: Body, v: p.Value) -> None:
        """The value, on the stack."""
        match v:
            case p.K():
                f.const(v.value)
            case p.R():
                known = f.known.get(v.number)
                f.put(f"local.get {f.register(v.number)}") if known is None else f.const(known)
            case p.Cell():
                self._cell(f, v)
            case p.Row():
                self._row(f, v)
            case p.Op():
                self._op(f, v)
            case p.And():
                self._both(f, v.left, v.right, "i32.and", 0)
            case p.Or():
                self._both(f, v.left, v.right, "i32.or", 1)
            case p.Not():
                self.value(f, v.operand)
                f.put("i32.eqz")
            case p.Choice():
                self._choice(f, v)
            case p.With():
                self._with(f, v)
            case p.Fold():
                self.fold(f, v)
            case p.Checked():
                with f.checking(v.fault, v.span):
                    self.value(f, v.condition)
                self.value(f, v.value)
            case _:
                assert_never(v)

    def truth(self, f: Body, v: p.Value) -> None:
        """1 if the value is not 0."""
        self.value(f, v)
        if not is_truth(v):
            f.put("i32.const 0", "i32.ne")

    def _cell(self, f: Body, c: p.Cell) -> None:
        found = Names(f.known, f.same).cell(c) if f.held else None
        if found in f.held:
            f.put(f"local.get {f.held[found]}")
        else:
            offset = self.address(f, c)
            f.put(f"{LOAD[self.cells.width(c.base)]} offset={offset}")

    def _with(self, f: Body, v: p.With) -> None:
        found = Names(f.known, f.same).resolved(v.value) if f.held else None
        self.value(f, v.value)
        f.set_register(v.register)
        if found is not None:
            f.same[v.register] = found
        self.value(f, v.body)

    def hold(self, f: Body, now: Iterable[p.Value], later: Iterable[object]) -> None:
        """Read cells once that are read often, where nothing changes them any more."""
        for cell in to_hold(now, later, f.held, Names(f.known, f.same)):
            self.hold_cell(f, cell)

    def hold_cell(self, f: Body, cell: p.Cell) -> None:
        """Read a cell, and hold what is in it."""
        local = f.new("cell")
        self.value(f, cell)
        f.put(f"local.set {local}")
        f.held[cell] = local

    def address(self, f: Body, c: p.Cell) -> int:
        """The address of a cell on the stack, and the offset that has to be added."""
        offset, width = self.cells.address(c.base), self.cells.width(c.base)
        f.put("local.get $s")
        for index, stride in c.terms:
            known = constant(index, f.known)
            if known is not None:
                offset += known * stride * width
                continue
            self.value(f, index)
            f.put(f"i32.const {stride * width}", "i32.mul", "i32.add")
        if offset < 0:
            f.put(f"i32.const {offset}", "i32.add")
            offset = 0
        return offset

    def _row(self, f: Body, v: p.Row) -> None:
        found = constant(v, f.known)
        if found is not None:
            f.const(found)
            return
        place = self.tables.place(v.data)
        if not v.checked:
            self.value(f, v.index)
        else:
            index = f.new("row")
            self.value(f, v.index)
            f.put(f"local.set {index}")
            with f.checking("row", v.span, lambda _: v.name, v.name):
                f.put(f"local.get {index}", f"i32.const {len(v.data)}", "i32.lt_u")
            f.put(f"local.get {index}")
        f.put("i32.const 2", "i32.shl", f"i32.load offset={place}")

    # ---------------------------------------------------------------- only if needed

    def _both(self, f: Body, left: p.Value, right: p.Value, joined: str, decided: int) -> None:
        """And, Or: the right side only where the left one has not decided."""
        self.truth(f, left)
        if self._is_free(f, left, right):
            self.truth(f, right)
            f.put(joined)
            return
        if joined == "i32.or":
            f.put("i32.eqz")
        quiet = self.knowing.quiet(right)
        f.ways(quiet, lambda: self.truth(f, right), lambda: f.const(decided), " (result i32)")

    def _is_free(self, f: Body, first: p.Value, *parts: p.Value) -> bool:
        """Whether parts may be worked out although what comes first may tell that they are not
        needed: a branch that the processor cannot foresee takes longer."""
        if all(map(self.knowing.is_cheap, parts)):
            return True
        if not self.knowing.quiet(*parts) or self.knowing.of(parts).size > FREE:
            return False
        names = Names(f.known, f.same)
        read = [*f.held, *always_read(first, names)]
        return all(is_free(part, names, read) for part in parts)

    def _choice(self, f: Body, v: p.Choice) -> None:
        found = constant(v.condition, f.known)
        if found is not None:
            self.value(f, v.then if found else v.otherwise)
        elif self._is_free(f, v.condition, v.then, v.otherwise):
            self.value(f, v.then)
            self.value(f, v.otherwise)
            self.value(f, v.condition)
            f.put("select")
        else:
            self.value(f, v.condition)
            then, otherwise = v.then, v.otherwise
            quiet = self.knowing.quiet(then, otherwise)
            each = (lambda: self.value(f, then), lambda: self.value(f, otherwise))
            f.ways(quiet, *each, " (result i32)")

    # ---------------------------------------------------------------- arithmetic

    def _op(self, f: Body, v: p.Op) -> None:
        found = constant(v, f.known)
        if found is not None:
            f.const(found)
            return
        self.value(f, v.left)
        self.value(f, v.right)
        if v.op in _SIMPLE:
            f.put(_SIMPLE[v.op])
            return
        divisor = constant(v.right, f.known)
        left, right = f.new("left"), f.new("right")
        f.put(f"local.set {right}", f"local.set {left}")
        if v.op in ("min", "max"):
            less = "i32.lt_s" if v.op == "min" else "i32.gt_s"
            pair = (f"local.get {left}", f"local.get {right}")
            f.put(*pair, *pair, less, "select")
        else:
            _divide(f, v.op, left, right, positive=divisor is not None and divisor > 0)


_SIMPLE = {
    "add": "i32.add",
    "sub": "i32.sub",
    "mul": "i32.mul",
    "eq": "i32.eq",
    "ne": "i32.ne",
    "lt": "i32.lt_s",
    "le": "i32.le_s",
    "gt": "i32.gt_s",
    "ge": "i32.ge_s",
}


def _divide(f: Body, op: str, left: str, right: str, positive: bool) -> None:
    """Division rounded down or up, or its rest with the sign of the divisor.

    WebAssembly rounds towards 0: where the rest is not 0 and has the other sign than the
    divisor, the quotient rounded down is less by one.
    """
    pair, rest = (f"local.get {left}", f"local.get {right}"), f.new("rest")
    f.put(*pair, "i32.rem_s", f"local.set {rest}")
    other_sign = [f"local.get {rest}", "i32.const 0", "i32.lt_s"]
    same_sign = [f"local.get {rest}", "i32.const 0", "i32.gt_s"]
    if not positive:
        signs = (f"local.get {rest}", f"local.get {right}", "i32.xor", "i32.const 0")
        some = (f"local.get {rest}", "i32.const 0", "i32.ne", "i32.and")
        other_sign = [*signs, "i32.lt_s", *some]
        same_sign = [*signs, "i32.ge_s", *some]
    match op:
        case "floordiv":
            f.put(*pair, "i32.div_s", *other_sign, "i32.sub")
        case "ceildiv":
            f.put(*pair, "i32.div_s", *same_sign, "i32.add")
        case "mod":
            f.put(f"local.get {rest}", f"local.get {right}", "i32.const 0", *other_sign)
            f.put("select", "i32.add")
        case _:
            raise ValueError(op)
