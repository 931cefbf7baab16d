"""What a condition tells about names that never change."""

from __future__ import annotations

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import IntType, KindType, MaybeType, NoneType
from rulesdsl.check.scopes import Scope

FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def narrow(condition: m.Expr, scope: Scope, holds: bool = True) -> Scope:
    """A scope in which the condition is known to hold, or not to hold."""
    inner = scope.child()
    _narrow(condition, inner, holds)
    return inner


def _narrow(condition: m.Expr, scope: Scope, holds: bool) -> None:
    match condition:
        case m.Logic() if (condition.op == "and") == holds:
            _narrow(condition.left, scope, holds)
            _narrow(condition.right, scope, holds)
        case m.Not():
            _narrow(condition.operand, scope, not holds)
        case m.IsA() if holds:
            local = m.name_read(condition.of)
            if local is not None:
                scope.narrowed[id(local)] = KindType(condition.kind)
        case m.Compare():
            op = condition.op if holds else OPPOSITE[condition.op]
            _narrow_one(condition.left, op, condition.right, scope)
            _narrow_one(condition.right, FLIPPED[op], condition.left, scope)
        case _:
            pass


def _narrow_one(side: m.Expr, op: str, other: m.Expr, scope: Scope) -> None:
    if not isinstance(side, m.LocalRead):
        return
    known = scope.type_of(side.local)
    if isinstance(known, MaybeType) and isinstance(other.type, NoneType) and op == "!=":
        scope.narrowed[id(side.local)] = known.inner
    if isinstance(known, IntType) and isinstance(other.type, IntType):
        narrowed = cut(known, op, other.type)
        if narrowed is not None:
            scope.narrowed[id(side.local)] = narrowed


def cut(known: IntType, op: str, other: IntType) -> IntType | None:
    """The numbers of an interval for which a comparison can hold; None if there are none."""
    low, high = known.low, known.high
    if op in ("==", ">=", ">"):
        low = max(low, other.low + (op == ">"))
    if op in ("==", "<=", "<"):
        high = min(high, other.high - (op == "<"))
    if op == "!=" and other.low == other.high:
        low += low == other.low
        high -= high == other.high
    return IntType(low, high) if low <= high else None
