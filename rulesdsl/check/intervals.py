"""Intervals of whole numbers, and which values fit where."""

from __future__ import annotations

from itertools import product

from rulesdsl.check.datatypes import (
    INT32_HIGH,
    INT32_LOW,
    IntType,
    KindType,
    MaybeType,
    NoneType,
    PlayerType,
    Type,
)


def arithmetic(op: str, a: IntType, b: IntType) -> IntType:
    """The interval of `a op b` for `+ - * min max`."""
    if op == "+":
        return IntType(a.low + b.low, a.high + b.high)
    if op == "-":
        return IntType(a.low - b.high, a.high - b.low)
    if op == "min":
        return IntType(min(a.low, b.low), min(a.high, b.high))
    if op == "max":
        return IntType(max(a.low, b.low), max(a.high, b.high))
    corners = [x * y for x, y in product((a.low, a.high), (b.low, b.high))]
    return IntType(min(corners), max(corners))


def quotient(a: IntType, b: IntType, up: bool) -> IntType:
    """The interval of a division by something that is at least 1."""
    low, high = max(1, b.low), max(1, b.high)
    corners = [-(-x // y) if up else x // y for x, y in product((a.low, a.high), (low, high))]
    return IntType(min(corners), max(corners))


def in_int32(type_: IntType) -> bool:
    return type_.low >= INT32_LOW and type_.high <= INT32_HIGH


def join(a: Type, b: Type) -> Type | None:
    """The type of a value that is of one or the other; None where they have nothing in common."""
    match a, b:
        case IntType(), IntType():
            return IntType(min(a.low, b.low), max(a.high, b.high))
        case (NoneType(), NoneType()):
            return a
        case (NoneType(), (IntType() | KindType() | PlayerType()) as inner) | (
            (IntType() | KindType() | PlayerType()) as inner,
            NoneType(),
        ):
            return MaybeType(inner)
        case (MaybeType() as maybe, NoneType()) | (NoneType(), MaybeType() as maybe):
            return maybe
        case (MaybeType(inner), other) | (other, MaybeType(inner)):
            other = other.inner if isinstance(other, MaybeType) else other
            joined = join(inner, other)
            match joined:
                case IntType() | KindType() | PlayerType():
                    return MaybeType(joined)
            return None
        case KindType(), KindType():
            return a if a.kind.holds(b.kind) else b if b.kind.holds(a.kind) else None
        case _:
            return a if a == b else None


def fits(value: Type, wanted: Type) -> bool | None:
    """True: always; None: it depends on the number (checked in play); False: never."""
    match value, wanted:
        case IntType(), IntType():
            if wanted.low <= value.low and value.high <= wanted.high:
                return True
            return None if value.low <= wanted.high and wanted.low <= value.high else False
        case NoneType(), MaybeType():
            return True
        case MaybeType(), MaybeType():
            return fits(value.inner, wanted.inner)
        case _, MaybeType():
            return fits(value, wanted.inner)
        case KindType(), KindType():
            return wanted.kind.holds(value.kind)
        case _:
            return value == wanted


def comparable(a: Type, b: Type) -> bool:
    """Whether == makes sense between two types."""
    return join(a, b) is not None


def size_of(type_: Type, seats: int) -> int:
    """How many values a type has, with so many players."""
    match type_:
        case IntType():
            return type_.high - type_.low + 1
        case KindType():
            return len(type_.kind)
        case PlayerType():
            return seats
        case MaybeType():
            return size_of(type_.inner, seats) + 1
        case _:
            return 2
