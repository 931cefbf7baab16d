"""Grids as constant rows: steps in a direction, what lies beside a member, lines."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from attrs import frozen

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import NONE
from rulesdsl.check.geometry import Grid
from rulesdsl.machine.fold import add, op
from rulesdsl.machine.program import K, Value
from rulesdsl.machine.rows import ends_of, listed, row
from rulesdsl.text.problems import InternalError


@frozen
class Line:
    """The line at a place in a list of lines, whose members stand one after another in `data`."""

    name: str
    data: tuple[int, ...]
    length: int
    place: Value

    def member(self, index: Value) -> Value:
        """Its member 0, 1, ..."""
        return row(self.name, self.data, add(op("mul", self.place, K(self.length)), index))


def toward(expr: m.Toward, of: Value) -> Value:
    """The next member in a direction, or none."""
    grid = _grid(expr.kind)
    steps = (grid.toward(member, expr.direction) for member in range(len(expr.kind)))
    data = tuple(NONE if step is None else step for step in steps)
    return row(f"{expr.kind.name} {expr.direction}", data, of)


def _lists(domain: m.Beside) -> list[list[int]]:
    beside, sides, corners = _grid(domain.kind).beside, domain.sides, domain.corners
    return [beside(x, sides=sides, corners=corners) for x in range(len(domain.kind))]


def beside(domain: m.Beside, of: Value) -> tuple[Value, Value, Callable[[Value], Value]]:
    """Where those beside a member begin and end in the list of all, and one at a place."""
    return listed(domain.kind.name, _lists(domain), of)


def are_beside(domain: m.Beside, of: Value, other: Value) -> Value:
    """Whether one of two members lies beside the other."""
    size = len(domain.kind)
    data = tuple(int(x in near) for near in _lists(domain) for x in range(size))
    return row(domain.kind.name, data, add(op("mul", of, K(size)), other))


def lines(
    domain: m.LinesOf, length: Value, through: Value | None
) -> tuple[Value, Value, Callable[[Value], Line]]:
    """Where the lines begin and end in a list of lines, and the one at a place there."""
    if not isinstance(length, K):
        raise InternalError("how long a line is depends on the state")
    grid = _grid(domain.kind)
    groups = [grid.lines(length.value)]
    if through is not None:
        groups = grid.lines_through(length.value)
    name = f"{domain.kind.name} lines"
    data = tuple(chain.from_iterable(chain.from_iterable(groups)))
    first, end = ends_of(name, groups, K(0) if through is None else through)
    return first, end, lambda place: Line(name, data, length.value, place)


def _grid(kind: m.Kind) -> Grid:
    assert kind.grid is not None
    return kind.grid
