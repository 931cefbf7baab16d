"""Building values with constants worked out, so that options and seat counts leave no trace."""

from __future__ import annotations

from collections.abc import Callable

from rulesdsl.check.datatypes import NONE
from rulesdsl.machine.program import And, Cell, Choice, K, Not, Op, Or, Value

_CONSTANT: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "min": min,
    "max": max,
    "floordiv": lambda a, b: a // b,
    "ceildiv": lambda a, b: -(-a // b),
    "mod": lambda a, b: a % b,
    "eq": lambda a, b: int(a == b),
    "ne": lambda a, b: int(a != b),
    "lt": lambda a, b: int(a < b),
    "le": lambda a, b: int(a <= b),
    "gt": lambda a, b: int(a > b),
    "ge": lambda a, b: int(a >= b),
}
TRUE, FALSE = K(1), K(0)


def op(name: str, left: Value, right: Value) -> Value:
    """An operation, worked out where both sides are constants."""
    match left, right:
        case K(a), K(b):
            return K(_CONSTANT[name](a, b))
        case (K(0), other) | (other, K(0)) if name == "add":
            return other
        case other, K(0) if name == "sub":
            return other
        case (K(1), other) | (other, K(1)) if name == "mul":
            return other
        case _:
            return Op(name, left, right)


def add(left: Value, right: Value) -> Value:
    return op("add", left, right)


def both(left: Value | None, right: Value | None) -> Value:
    """`and`; None is true."""
    match left, right:
        case (None, None):
            return TRUE
        case (None | K(1), other) | (other, None | K(1)):
            return other if other is not None else TRUE
        case (K(0), _):
            return FALSE
        case _:
            assert left is not None
            assert right is not None
            return And(left, right)


def either(left: Value, right: Value) -> Value:
    match left, right:
        case (K(0), other) | (other, K(0)):
            return other
        case (K(), _):
            return TRUE
        case _:
            return Or(left, right)


def negate(value: Value) -> Value:
    return K(int(not value.value)) if isinstance(value, K) else Not(value)


def with_none(low: Value, high: Value) -> tuple[Value, Value, Callable[[Value], Value]]:
    """Numbers with `none` before them: the indexes (high excluded), and what one stands for."""
    before = op("sub", low, K(1))
    end = add(op("max", high, before), K(1))

    def at(index: Value) -> Value:
        return index if low == K(0) else choose(op("lt", index, low), K(NONE), index)

    return before, end, at


def choose(condition: Value, then: Value, otherwise: Value) -> Value:
    if isinstance(condition, K):
        return then if condition.value else otherwise
    return Choice(condition, then, otherwise)


def cell(base: int, *terms: tuple[Value, int]) -> Cell:
    """The cell at base plus index times stride for each term, constants added up."""
    moving: list[tuple[Value, int]] = []
    for index, stride in terms:
        if isinstance(index, K):
            base += index.value * stride
        else:
            moving.append((index, stride))
    return Cell(base, tuple(moving))
