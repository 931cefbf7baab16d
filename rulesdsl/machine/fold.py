"""Building values with constants worked out, so that options and seat counts leave no trace."""

from __future__ import annotations

from collections.abc import Callable

from rulesdsl.check.datatypes import NONE
from rulesdsl.machine.program import And, Cell, Choice, K, Not, Op, Or, R, Value
from rulesdsl.machine.traverse import is_quiet

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
_REFLEXIVE = {"eq": 1, "le": 1, "ge": 1, "ne": 0, "lt": 0, "gt": 0, "sub": 0}
"""What an operation is of a register and itself."""
TRUE, FALSE = K(1), K(0)


def worked_out(name: str, left: int, right: int) -> int | None:
    """An operation of numbers; None for a division by 0, which nothing may ask for."""
    if right == 0 and name in ("floordiv", "ceildiv", "mod"):
        return None
    return _CONSTANT[name](left, right)


def op(name: str, left: Value, right: Value) -> Value:
    """An operation, worked out where both sides are constants, or as far as they are."""
    match left, right:
        case K(a), K(b):
            number = worked_out(name, a, b)
            return Op(name, left, right) if number is None else K(number)
        case R(a), R(b) if a == b and name in _REFLEXIVE:
            return K(_REFLEXIVE[name])
        case (K(0), other) | (other, K(0)) if name == "add":
            return other
        case other, K(0) if name == "sub":
            return other
        case (K(1), other) | (other, K(1)) if name == "mul":
            return other
        case Op("add" | "sub" as inner, other, K(a)), K(b) if name in ("add", "sub"):
            more = (a if inner == "add" else -a) + (b if name == "add" else -b)
            return op("add", other, K(more)) if more >= 0 else Op("sub", other, K(-more))
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
        case (_, K(0)) if is_quiet(left):
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
        case (_, K()) if is_quiet(left):
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
    """The cell at base plus index times stride for each term, constants added up and sums apart."""
    moving: list[tuple[Value, int]] = []
    for index, stride in terms:
        if isinstance(index, K):
            base += index.value * stride
        else:
            moving += _apart(index, stride)
    return Cell(base, tuple(moving))


def _apart(index: Value, stride: int) -> list[tuple[Value, int]]:
    """The terms of an index; a constant stays where it is added, for base tells the slot."""
    match index:
        case Op("mul", factor, K(by)) | Op("mul", K(by), factor):
            return _apart(factor, stride * by)
        case Op("add", left, right) if not isinstance(left, K) and not isinstance(right, K):
            return [*_apart(left, stride), *_apart(right, stride)]
        case _:
            return [(index, stride)]
