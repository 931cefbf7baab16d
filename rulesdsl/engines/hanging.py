"""On which cells the moves of an option hang: filled the same way, they lead to the same moves."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, cast

from attrs import define, field

from rulesdsl.machine.program import Cell, Fold, K, Op, Option, Parameter, R, Value, With
from rulesdsl.machine.traverse import children, mapped
from rulesdsl.machine.verify import free_registers


class _TooMuch(Exception):
    """The moves hang on what cannot be told, or on too many cells."""


@define
class Row:
    """Cells in a row; all such rows, one after the other, are a small record of their own."""

    first: Cell
    count: int
    at: int = 0
    """Where they begin in it."""


@define
class Hanging:
    """Finds the cells on which the parameters of an option hang."""

    most: int
    """An option whose moves hang on more cells seldom comes to the same ones again."""
    apart: Collection[int] = ()
    """Cells that are not next to each other, since they do not lie in the record."""
    rows: list[Row] = field(factory=list, init=False)
    _domains: dict[int, range | None] = field(factory=dict, init=False)
    """By register the values it may have, where that is known."""
    _known: dict[int, Value] = field(factory=dict, init=False)
    """By register what it stands for."""

    def parameters(self, option: Option) -> tuple[Parameter, ...] | None:
        """The parameters, asked of the small record; None if that cannot be."""
        for p in option.parameters:
            self._domains[p.register] = _domain(p.low, p.high, 1)
        try:
            said = mapped(option.parameters, self._inlined)
            self._collect(said)
            self._lay()
            return cast("tuple[Parameter, ...]", mapped(said, self._moved))
        except _TooMuch:
            return None

    def _inlined(self, node: Any) -> Any:
        """The node without names for what does not hang on the parameters."""
        match node:
            case R(number) if number in self._known:
                return self._known[number]
            case With(register, value, body):
                value = self._inlined(value)
                if not free_registers(value):
                    self._known[register] = value
                    return self._inlined(body)
                self._domains[register] = None
                return With(register, value, self._inlined(body))
            case Fold():
                self._domains[node.register] = _domain(node.low, node.high, 0)
        return mapped(node, self._inlined)

    def _collect(self, node: Any) -> None:
        """Add the rows of all cells below a node."""
        if isinstance(node, Cell):
            self._add(node)
        else:
            for child in children(node):
                self._collect(child)

    def _add(self, cell: Cell) -> None:
        first, count = self._row(cell)
        same = [
            row
            for row in self.rows
            if row.first.terms == first.terms
            and row.first.base <= first.base + count
            and first.base <= row.first.base + row.count
        ]
        if not first.terms and first.base in self.apart:
            same = [row for row in same if row.first == first]
        else:
            same = [row for row in same if row.first.terms or row.first.base not in self.apart]
        ends = [row.first.base + row.count for row in same]
        low = min([first.base, *(row.first.base for row in same)])
        end = max([first.base + count, *ends])
        self.rows = [row for row in self.rows if row not in same]
        self.rows.append(Row(Cell(low, first.terms), end - low))

    def _row(self, cell: Cell) -> tuple[Cell, int]:
        """The first of the cells that it can be, and how many there are."""
        closed, base, count = [], cell.base, 1
        for index, stride in cell.terms:
            if not free_registers(index):
                closed.append((index, stride))
                continue
            domain = self._range(index)
            if not domain or stride < 1:
                raise _TooMuch
            base += domain[0] * stride
            count += (len(domain) - 1) * stride
        return Cell(base, tuple(closed)), count

    def _range(self, index: Value) -> range | None:
        """The values that an index may have, where that is known."""
        match index:
            case R(number):
                return self._domains.get(number)
            case Op("add", K(more), R(number)) | Op("add", R(number), K(more)):
                domain = self._domains.get(number)
                return domain and range(domain.start + more, domain.stop + more)
            case _:
                return None

    def _lay(self) -> None:
        at = 0
        for row in self.rows:
            row.at = at
            at += row.count
        if at > self.most:
            raise _TooMuch

    def _moved(self, node: Any) -> Any:
        """The node with its cells in the small record."""
        if not isinstance(node, Cell):
            return mapped(node, self._moved)
        first, _ = self._row(node)
        row = next(
            row
            for row in self.rows
            if row.first.terms == first.terms and 0 <= first.base - row.first.base < row.count
        )
        left = tuple(term for term in node.terms if free_registers(term[0]))
        return Cell(node.base - row.first.base + row.at, left)


def _domain(low: Value, high: Value, more: int) -> range | None:
    if isinstance(low, K) and isinstance(high, K):
        return range(low.value, high.value + more)
    return None
