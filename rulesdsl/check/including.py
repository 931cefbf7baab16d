"""Kinds that include others: a member of one as a member of the other."""

from __future__ import annotations

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import NONE, KindType, MaybeType, Type


def widened(expr: m.Expr, wanted: Type) -> m.Expr:
    """A value as one of the wanted kind, where this includes its own."""
    kind, other = _kind(expr.type), _kind(wanted)
    start = None if kind is None or other is None else other.start_of(kind)
    if start is None or other is None:
        return expr
    type_: Type = KindType(other)
    if isinstance(expr, m.Const):
        return m.Const(expr.span, type_, expr.value if expr.value == NONE else expr.value + start)
    if isinstance(expr.type, MaybeType):
        type_ = MaybeType(KindType(other))
    return m.Converted(expr.span, type_, expr, start)


def never_same(a: m.Expr, b: m.Expr) -> bool:
    """Whether a member of a kind is compared with one that only a kind has which includes it."""
    for one, other in ((a, b), (b, a)):
        kind, wide = _kind(one.type), _kind(other.type)
        if kind is not None and wide is not None and isinstance(other, m.Const):
            start = wide.start_of(kind)
            if start is not None and not start <= other.value < start + len(kind):
                return True
    return False


def as_one_of(expr: m.Expr, kinds: tuple[m.Kind, ...]) -> tuple[m.Expr, m.Kind] | None:
    """A member as one of these kinds: its own, or one that includes it."""
    own = expr.type.kind if isinstance(expr.type, KindType) else None
    if own is None:
        return None
    holding = [kind for kind in kinds if kind is own] or [kind for kind in kinds if kind.holds(own)]
    return (widened(expr, KindType(holding[0])), holding[0]) if holding else None


def _kind(type_: Type) -> m.Kind | None:
    inner = type_.inner if isinstance(type_, MaybeType) else type_
    return inner.kind if isinstance(inner, KindType) else None
