"""Kinds derived from others, and bags in columns, as arithmetic and constant rows."""

from __future__ import annotations

from collections.abc import Callable

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import NONE, IntType, KindType, MaybeType
from rulesdsl.machine.fold import add, both, choose, op
from rulesdsl.machine.places import Registers, held
from rulesdsl.machine.program import Checked, K, Value
from rulesdsl.machine.rows import listed, row


def made(expr: m.Made, arguments: list[Value], registers: Registers) -> Value:
    """The member that is made of these; a fault if one of them lies outside."""

    def use(known: list[Value]) -> Value:
        if expr.checked and len(known) < len(arguments):
            return held(registers, arguments[len(known)], lambda value: use([*known, value]))
        member: Value = K(0)
        inside: Value = K(1)
        for value, column in zip(known, expr.kind.made, strict=True):
            low, high = _ends(column)
            member = add(op("mul", member, K(high - low + 1)), op("sub", value, K(low)))
            inside = both(inside, both(op("ge", value, K(low)), op("le", value, K(high))))
        return Checked(inside, member, "row", expr.span) if expr.checked else member

    return use([] if expr.checked else arguments)


def _ends(column: m.Column) -> tuple[int, int]:
    match column.type:
        case IntType(low, high):
            return low, high
        case KindType(kind):
            return 0, len(kind) - 1
        case _:
            raise AssertionError("a part is a number or a member")


def turned(expr: m.Turned, of: Value) -> Value:
    """The next member of a ring, or the one before."""
    return op("mod", add(of, K(expr.step)), K(len(expr.kind)))


def converted(expr: m.Converted, of: Value, registers: Registers) -> Value:
    """A member as one of another kind; none remains none."""
    if not isinstance(expr.of.type, MaybeType):
        member = add(of, K(expr.shift))
        # a constant of which it is known that it is none of these is never used as one
        return member if not isinstance(member, K) or _is_in(expr, member.value) else K(0)
    return held(
        registers,
        of,
        lambda value: choose(op("lt", value, K(0)), K(NONE), add(value, K(expr.shift))),
    )


def _is_in(expr: m.Converted, member: int) -> bool:
    return isinstance(expr.type, KindType) and 0 <= member < len(expr.type.kind)


def is_a(expr: m.IsA, of: Value, registers: Registers) -> Value:
    """Whether a member is one of an included kind."""
    return held(
        registers,
        of,
        lambda value: both(op("ge", value, K(expr.low)), op("le", value, K(expr.high))),
    )


def bag_count(column: m.BagColumn, of: Value, member: Value) -> Value:
    """How many of a member are in the bag of another."""
    data = tuple(count for counts in column.counts for count in counts)
    return row(column.name, data, add(op("mul", of, K(len(column.kind))), member))


def bag_size(column: m.BagColumn, of: Value) -> Value:
    """How many are in the bag of a member."""
    return row(column.name, column.sizes, of)


def in_bag(domain: m.InBag, of: Value) -> tuple[Value, Value, Callable[[Value], Value]]:
    """Where the bag of a member begins and ends in the list of all, and what is at a place."""
    column = domain.bag.column
    lists = [
        [
            x
            for x, count in enumerate(counts)
            for _ in range(min(count, 1 if domain.distinct else count))
        ]
        for counts in column.counts
    ]
    return listed(column.name, lists, of)
