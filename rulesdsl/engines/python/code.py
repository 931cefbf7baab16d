"""Straight code as Python statements."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import PurePath
from typing import assert_never

from attrs import Factory, define

from rulesdsl.engines.python.measure import row_of_cells, size
from rulesdsl.engines.python.values import Values
from rulesdsl.machine.program import (
    Cell,
    Check,
    Clear,
    Code,
    Cond,
    Fold,
    K,
    Loop,
    Note,
    Reg,
    Rule,
    Set,
    While,
)
from rulesdsl.text.source import NOWHERE, Span

SHORT_CLEAR = 8
"""So many cells in a row are quicker cleared one by one."""
SIZE_UNROLLED = 60


def place(span: Span) -> str:
    """Where a line of the rules stands: `ostia.yaml:120`."""
    if span is NOWHERE or not span.source.text:
        return ""
    return f"{PurePath(span.source.name).name}:{span.line}"


@define
class Statements(Values):
    """Writes straight code; `rules` gives the index of a rule, by its id()."""

    rules: dict[int, int] = Factory(dict)
    counter: str = "fired[{}]"
    """Where it is counted how often the rule of an index was at work."""

    def code(self, code: Sequence[Code]) -> None:
        for constant, group in groupby(code, _is_zero):
            pieces = list(group)
            if constant:
                self._zeros([c.cell.base for c in pieces if isinstance(c, Set)])
            else:
                for piece in pieces:
                    self.piece(piece)

    def piece(self, c: Code) -> None:
        """One statement of the machine."""
        match c:
            case Set():
                self._set(c)
            case Reg():
                self.bound.pop(c.register, None)
                self.writer.put(f"r{c.register} = {self.number(c.value)}")
            case Check():
                condition = self.truth(c.condition, opposite=True)
                if condition != 0:
                    with self.writer.inside(f"if {condition}:"):
                        self.writer.put("raise Stuck", place(c.span))
            case Cond():
                self._cond(c)
            case Loop():
                self._loop_over(c)
            case While():
                self._while(c)
            case Clear():
                self._clear(self.address(c.cell), c.count)
            case Note():
                if isinstance(c.subject, Rule):
                    index = self.rules[id(c.subject)]
                    name = self.counter.format(index)
                    self.writer.put(f"{name} += 1", f"{c.subject.name}, {place(c.span)}")
            case _:
                assert_never(c)

    def _set(self, c: Set) -> None:
        value = self.number(c.value)
        where = self.address(c.cell)
        low, high = c.low, c.high
        if isinstance(value, int):
            if (low is not None and value < low) or (high is not None and value > high):
                self.writer.put("raise Stuck", place(c.span))
                return
        elif low is not None or high is not None:
            value = self.simple(value)
            tests = [f"{value} < {low}"] if low is not None else []
            tests += [f"{value} > {high}"] if high is not None else []
            with self.writer.inside(f"if {' or '.join(tests)}:"):
                self.writer.put("raise Stuck", place(c.span))
        self.writer.put(f"{self.cell(where)} = {value}", place(c.span))

    def _zeros(self, cells: list[int]) -> None:
        """Cells that become 0, those in a row at one stroke."""
        rows: list[list[int]] = []
        for cell in sorted(set(cells)):
            if rows and rows[-1][-1] == cell - 1 and cell not in self.variables:
                rows[-1].append(cell)
            else:
                rows.append([cell])
        single = [row for row in rows if len(row) < SHORT_CLEAR]
        if single:
            targets = [self.cell(cell) for row in single for cell in row]
            self.writer.put(f"{' = '.join(targets)} = 0")
        for row in rows:
            if len(row) >= SHORT_CLEAR:
                self._clear(row[0], len(row))

    def _clear(self, where: int | str, count: int) -> None:
        if isinstance(where, int) and count == 1:
            self.writer.put(f"{self.cell(where)} = 0")
        elif isinstance(where, int):
            zeros = self.constants.name("ZEROS", (0,) * count, ("zeros", count))
            self.writer.put(f"s[{where}:{where + count}] = {zeros}")
        elif count == 1:
            self.writer.put(f"s[{where}] = 0")
        else:
            zeros = self.constants.name("ZEROS", (0,) * count, ("zeros", count))
            start = self.simple(where)
            self.writer.put(f"s[{start}:{start} + {count}] = {zeros}")

    def _cond(self, c: Cond) -> None:
        condition = self.truth(c.condition)
        if isinstance(condition, int):
            self.code(c.then if condition else c.otherwise)
            return
        then = c.then
        if all(isinstance(piece, Note) and not isinstance(piece.subject, Rule) for piece in then):
            if c.otherwise:
                with self.arm(f"if not {condition}:"):
                    self.code(c.otherwise)
            return
        with self.arm(f"if {condition}:"):
            self.code(then)
        if c.otherwise:
            with self.arm("else:"):
                self.code(c.otherwise)

    def _loop_over(self, c: Loop) -> None:
        span = self.span(c.register, c.low, c.high)
        members = span.known
        if members is not None:
            if not members or self._copied(c, members.start, members.stop):
                return
            if len(members) * _length(c.body) <= SIZE_UNROLLED:
                for member in members:
                    self.bound[c.register] = member
                    self.code(c.body)
                self.bound.pop(c.register)
                return
        with self.through(span):
            self.code(c.body)

    def _copied(self, c: Loop, low: int, high: int) -> bool:
        """Whether it is written as a copy of cells in a row, because it is nothing else."""
        match c.body:
            case (Set(cell, Cell() as source, None, None),):
                target = _cells_by(c.register, cell)
                origin = _cells_by(c.register, source)
            case _:
                return False
        if target is None or origin is None or target.terms or origin.terms:
            return False
        there, here = target.base + low, origin.base + low
        if here < there < here + high - low:
            return False
        self.writer.put(f"s[{there}:{there + high - low}] = s[{here}:{here + high - low}]")
        return True

    def _while(self, c: While) -> None:
        bound = self.number(c.bound)
        variable = self.temporary()
        with self.arm(f"for {variable} in range({bound}):"):
            self.pay(1)
            self.flush()
            self.check_left()
            condition = self.truth(c.condition, opposite=True)
            self.flush()
            with self.writer.inside(f"if {condition}:"):
                self.writer.put("break")
            self.code(c.body)
        if c.strict:
            with self.arm("else:"):
                condition = self.truth(c.condition)
                with self.writer.inside(f"if {condition}:"):
                    self.writer.put("raise Stuck", place(c.span))


def _cells_by(register: int, cell: Cell) -> Cell | None:
    """Of cells in a row, one for each value of a register, the one for 0."""
    return row_of_cells(Fold("sum", register, K(0), K(0), None, cell, None, (), None, NOWHERE))


def _is_zero(c: Code) -> bool:
    match c:
        case Set(Cell(_, ()), K(0), low, high):
            return (low is None or low <= 0) and (high is None or high >= 0)
        case _:
            return False


def _length(code: Sequence[Code]) -> int:
    """About how much there is to carry out."""
    total = 0
    for c in code:
        match c:
            case Set():
                total += 1 + size(c.cell) + size(c.value)
            case Reg():
                total += 1 + size(c.value)
            case Check():
                total += 1 + size(c.condition)
            case Cond():
                total += size(c.condition) + _length(c.then) + _length(c.otherwise)
            case Loop() | While():
                total += 100
            case Clear():
                total += 2
            case Note():
                pass
            case _:
                assert_never(c)
    return total
