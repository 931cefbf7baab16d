"""Expressions of texts made ready to be asked at any moment."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesdsl.check import model as m
from rulesdsl.check.walk import nodes
from rulesdsl.engines.values import Fn, Registers, value
from rulesdsl.machine.program import Fold, With
from rulesdsl.machine.values import Values


@frozen
class Ready:
    """An expression ready to be asked; of a fold over a domain also its parts.

    `columns` are the places of which it reads only columns that all see, `read_whole` the names
    of components in such places of which it reads more.
    """

    names: dict[m.Local, tuple[int, ...]]
    expr: m.Expr
    value: Fn
    lets: tuple[tuple[int, Fn], ...]
    low: Fn
    high: Fn
    register: int
    where: Fn
    image: Fn
    columns: frozenset[m.Zone] = frozenset()
    read_whole: frozenset[m.Local] = frozenset()

    @classmethod
    def of(cls, expr: m.Expr, values: Values, names: dict[m.Local, tuple[int, ...]]) -> Ready:
        lowered = values.value(expr)
        whole, lets = value(lowered), []
        while isinstance(lowered, With):
            lets.append((lowered.register, value(lowered.value)))
            lowered = lowered.body
        if not isinstance(lowered, Fold):
            return cls(names, expr, whole, (), whole, whole, 0, whole, whole)
        where = _always if lowered.where is None else value(lowered.where)
        low, high, image = value(lowered.low), value(lowered.high), value(lowered.body)
        return cls(names, expr, whole, tuple(lets), low, high, lowered.register, where, image)

    def range(self, record: list[int], registers: Registers) -> range:
        """The numbers that stand for the members of the domain."""
        for register, bound in self.lets:
            registers[register] = bound(record, registers)
        return range(self.low(record, registers), self.high(record, registers))


def _always(record: list[int], registers: Registers) -> int:
    return 1


def bound_inside(expr: m.Expr) -> Iterator[m.Local]:
    """The names that an expression binds itself."""
    for node in nodes(expr):
        if isinstance(node, (m.Fold, m.Pick)):
            yield node.binder
