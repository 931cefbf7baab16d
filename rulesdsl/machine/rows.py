"""Constant rows: a value for each index, a list for each index, the cells of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate

from rulesdsl.check import model as m
from rulesdsl.machine import fold
from rulesdsl.machine.fold import add, both, op
from rulesdsl.machine.places import Registers, held
from rulesdsl.machine.program import Checked, K, Row, Value
from rulesdsl.text.source import NOWHERE


def row(name: str, data: tuple[int, ...], index: Value) -> Value:
    """The value of an index that is known to be inside."""
    if isinstance(index, K):
        return K(data[index.value])
    return Row(name, data, index, False, NOWHERE)


def ends_of(name: str, lists: Sequence[Sequence[object]], of: Value) -> tuple[Value, Value]:
    """Where the list of an index begins and ends (excluded) in all of them one after another."""
    starts = tuple(accumulate(map(len, lists), initial=0))
    return row(name, starts, of), row(name, starts, add(of, K(1)))


def listed(
    name: str, lists: Sequence[Sequence[int]], of: Value
) -> tuple[Value, Value, Callable[[Value], Value]]:
    """Where the list of an index begins and ends in all of them, and what is at a place there."""
    every = tuple(member for one in lists for member in one)
    return *ends_of(name, lists, of), lambda place: row(name, every, place)


def table_row(
    expr: m.TableRead,
    arguments: list[Value],
    bounds: list[tuple[int, int]],
    registers: Registers,
) -> Value:
    """The cell of these arguments; where it is not proved, each is held against its bounds."""
    table = expr.table
    if table.open_from is not None:
        bounds = [(bounds[0][0], table.open_from), *bounds[1:]]
        arguments = [op("min", arguments[0], K(table.open_from)), *arguments[1:]]
    data = table_data(table, bounds)

    def use(known: list[Value]) -> Value:
        if len(known) < len(arguments):
            return held(registers, arguments[len(known)], lambda v: use([*known, v]))
        index: Value = K(0)
        inside: Value = fold.TRUE
        for argument, (low, high) in zip(known, bounds, strict=True):
            index = add(op("mul", index, K(high - low + 1)), op("sub", argument, K(low)))
            inside = both(inside, both(op("ge", argument, K(low)), op("le", argument, K(high))))
        if inside == fold.FALSE:
            return Checked(inside, K(0), "row", expr.span)
        cell: Value = Row(table.name, data, index, False, expr.span)
        if isinstance(index, K):
            cell = K(data[index.value])
        return Checked(inside, cell, "row", expr.span) if expr.checked else cell

    return use([] if expr.checked else arguments)


def table_data(table: m.Table, bounds: list[tuple[int, int]]) -> tuple[int, ...]:
    """The cells of a table in a row, the last argument fastest."""
    keys: list[tuple[int, ...]] = [()]
    for low, high in bounds:
        keys = [(*key, i) for key in keys for i in range(low, high + 1)]
    return tuple(table.cells[key] for key in keys)
