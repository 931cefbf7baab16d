"""Kinds that join others, as constant rows: what is between two, neighbors, ends."""

from __future__ import annotations

from collections.abc import Callable

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import NONE
from rulesdsl.machine.fold import add, either, op
from rulesdsl.machine.places import Registers, held
from rulesdsl.machine.program import Checked, K, Value
from rulesdsl.machine.rows import listed, row
from rulesdsl.text.source import Span

Two = tuple[Value, Value]


def between(kind: m.Kind, ends: Two, registers: Registers, span: Span) -> Value:
    """The member that joins two; a fault if there is none."""

    def checked(member: Value) -> Value:
        return Checked(op("ge", member, K(0)), member, "row", span)

    return held(registers, _member_between(kind, *ends), checked)


def are_joined(kind: m.Kind, ends: Two) -> Value:
    """Whether a member joins two."""
    return op("ge", _member_between(kind, *ends), K(0))


def is_end(kind: m.Kind, member: Value, end: Value, registers: Registers) -> Value:
    """Whether a member of a kind joins this member of another."""
    firsts, seconds = zip(*_joins(kind).ends, strict=True)

    def of(one: Value) -> Callable[[Value], Value]:
        return lambda other: either(
            op("eq", row(kind.name, firsts, one), other),
            op("eq", row(kind.name, seconds, one), other),
        )

    return held(registers, member, lambda one: held(registers, end, of(one)))


def neighbors(kind: m.Kind, of: Value) -> tuple[Value, Value, Callable[[Value], Value]]:
    """Where the neighbors of a member begin and end in the list of all, and one at a place."""
    joins = _joins(kind)
    return listed(kind.name, [joins.neighbors(member) for member in range(len(joins.kind))], of)


def _joins(kind: m.Kind) -> m.Joins:
    assert kind.joins is not None
    return kind.joins


def _member_between(kind: m.Kind, left: Value, right: Value) -> Value:
    """The member that joins two, or none."""
    joins = _joins(kind)
    size = len(joins.kind)
    data = [NONE] * (size * size)
    for member, (a, b) in enumerate(joins.ends):
        data[a * size + b] = data[b * size + a] = member
    return row(kind.name, tuple(data), add(op("mul", left, K(size)), right))
