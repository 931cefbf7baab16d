"""Expressions: every name bound, every type known, every number in an interval.

Each method gives the checked expression, or None when it is wrong (then the problem is told,
and nothing that depends on it is told again).
"""

from __future__ import annotations

from typing import assert_never

from attrs import define, evolve

from rulesdsl.check import model as m
from rulesdsl.check.aggregates import Aggregates
from rulesdsl.check.context import BOOL, PLAYER, Context, in_words, replaced
from rulesdsl.check.datatypes import (
    IntType,
    KindType,
    MaybeType,
    NoneType,
    Type,
)
from rulesdsl.check.including import never_same, widened
from rulesdsl.check.intervals import arithmetic, comparable, in_int32, join, quotient
from rulesdsl.check.narrowing import narrow
from rulesdsl.check.scopes import Scope
from rulesdsl.syntax import tree as t

_COMPARE = ("==", "!=", "<", "<=", ">", ">=")
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@define(eq=False, slots=False)
class Expressions(Aggregates):
    """Checks expressions against a context."""

    c: Context

    def expr(self, node: t.Expr, scope: Scope, expected: Type | None = None) -> m.Expr | None:
        """An expression; `expected` tells which kind a bare member belongs to."""
        match node:
            case t.Int():
                return m.Const(node.span, IntType(node.value, node.value), node.value)
            case t.Name():
                return self.name(node, scope, expected)
            case t.Dot():
                return self.dot(node, scope)
            case t.Index():
                return self.index(node, scope)
            case t.Call():
                return self.call(node, scope, expected)
            case t.Seat():
                return self._seat(node)
            case t.Unary():
                return self._unary(node, scope)
            case t.Binary():
                return self._binary(node, scope)
            case t.Divide():
                return self._divide(node, scope)
            case t.If():
                return self._if(node, scope, expected)
            case t.Fold():
                return self.fold(node, scope)
            case t.Pick():
                return self.pick(node, scope)
            case t.Between():
                return self.between(node, scope)
            case t.IsA():
                return self.is_a(node, scope)
            case _:
                assert_never(node)

    def value(self, node: t.Expr, scope: Scope, wanted: Type) -> tuple[m.Expr, bool] | None:
        """An expression of a type, and whether it is proved to lie in its range."""
        checked = self.expr(node, scope, wanted)
        if checked is None:
            return None
        return self.c.fit(checked, wanted)

    def condition(self, node: t.Expr, scope: Scope) -> m.Expr | None:
        return self._typed(node, scope, BOOL)

    def player(self, node: t.Expr, scope: Scope) -> m.Expr | None:
        return self._typed(node, scope, PLAYER)

    def _typed(self, node: t.Expr, scope: Scope, wanted: Type) -> m.Expr | None:
        found = self.value(node, scope, wanted)
        return None if found is None else found[0]

    def number(self, node: t.Expr, scope: Scope) -> m.Expr | None:
        return self.as_number(self.expr(node, scope))

    def _seat(self, node: t.Seat) -> m.Expr | None:
        least, most = self.c.model.players
        if not 1 <= node.number <= least:
            note = f"there are seats 1 to {most}"
            if 1 <= node.number <= most:
                note = f"with {least} players there is no seat {node.number}"
            self.c.add("out-of-range", node.span, note)
            return None
        return m.Const(node.span, PLAYER, node.number - 1)

    # ---------------------------------------------------------------- operations

    def _unary(self, node: t.Unary, scope: Scope) -> m.Expr | None:
        if node.op == "not":
            operand = self.condition(node.operand, scope)
            return None if operand is None else m.Not(node.span, BOOL, operand)
        number = self.number(node.operand, scope)
        if number is None:
            return None
        assert isinstance(number.type, IntType)
        if isinstance(number, m.Const):
            value = -number.value
            return m.Const(node.span, IntType(value, value), value)
        return m.Negative(node.span, IntType(-number.type.high, -number.type.low), number)

    def _binary(self, node: t.Binary, scope: Scope) -> m.Expr | None:
        if node.op in ("and", "or"):
            return self._logic(node, scope)
        if node.op in _COMPARE:
            return self._compare(node, scope)
        left, right = self.number(node.left, scope), self.number(node.right, scope)
        if left is None or right is None:
            return None
        assert isinstance(left.type, IntType)
        assert isinstance(right.type, IntType)
        type_ = arithmetic(node.op, left.type, right.type)
        if not in_int32(type_):
            self.c.add(
                "too-large-number",
                node.span,
                f"this can be {type_.low:,} to {type_.high:,}, "
                "more than the machine's numbers hold",
                help="give the parts of it a smaller range",
            )
            return None
        return m.Arithmetic(node.span, type_, node.op, left, right)

    def _logic(self, node: t.Binary, scope: Scope) -> m.Expr | None:
        left = self.condition(node.left, scope)
        inner = scope if left is None else narrow(left, scope, holds=node.op == "and")
        right = self.condition(node.right, inner)
        if left is None or right is None:
            return None
        return m.Logic(node.span, BOOL, node.op, left, right)

    def _compare(self, node: t.Binary, scope: Scope) -> m.Expr | None:
        if node.op not in ("==", "!="):
            left, right = self._ordered(node.left, scope), self._ordered(node.right, scope)
        else:
            left, right = self._both_sides(node, scope)
        if left is None or right is None:
            return None
        if isinstance(left.type, NoneType):
            left, right = right, left
        if isinstance(right.type, NoneType) and isinstance(left, m.TopOf):
            left = self._maybe_empty(left)
        if not comparable(left.type, right.type) or never_same(left, right):
            self.c.add(
                "wrong-type",
                right.span,
                f"{in_words(left.type)} is never the same as {in_words(right.type)}",
            )
            return None
        if isinstance(right.type, NoneType) and not isinstance(left.type, MaybeType):
            help_ = ""
            if isinstance(left, m.TopOf):
                sign = "==" if node.op == "==" else ">"
                help_ = replaced(node.span, f"size of {left.place.span.text} {sign} 0")
            self.c.add("never-none", left.span, "this is never none", help=help_)
            return None
        type_ = join(left.type, right.type)
        if type_ is not None:
            left, right = widened(left, type_), widened(right, type_)
        return m.Compare(node.span, BOOL, node.op, left, right)

    def _maybe_empty(self, slot: m.TopOf) -> m.TopOf:
        """A slot compared with none: none where it is empty."""
        if slot.place.zone.shape is m.Shape.SLOT and isinstance(slot.type, KindType):
            return evolve(slot, maybe=True, type=MaybeType(slot.type))
        return slot

    def _ordered(self, node: t.Expr, scope: Scope) -> m.Expr | None:
        """A side of `<` and its kin."""
        checked = self.expr(node, scope)
        if checked is not None and isinstance(checked.type, KindType):
            columns = [
                name
                for name, column in checked.type.kind.columns.items()
                if isinstance(column.type, IntType)
            ]
            note = f"{in_words(checked.type)} is not less or greater than another"
            help_ = replaced(node.span, f"{node.span.text}.{columns[0]}") if columns else ""
            self.c.add("wrong-type", node.span, note, help=help_)
            return None
        return self.as_number(checked)

    def as_number(self, checked: m.Expr | None) -> m.Expr | None:
        """An expression if it is a number; what else it is is told."""
        if checked is None or isinstance(checked.type, IntType):
            return checked
        if isinstance(checked.type, MaybeType) and isinstance(checked.type.inner, IntType):
            self.c.may_be_none(checked)
        else:
            self.c.wrong_type(checked.span, checked.type, "a number")
        return None

    def _both_sides(self, node: t.Binary, scope: Scope) -> tuple[m.Expr | None, m.Expr | None]:
        """The side whose type is plain is checked first, so that a bare member finds its kind."""
        if self.is_bare_member(node.left, scope):
            right = self.expr(node.right, scope)
            left = self.expr(node.left, scope, right.type if right is not None else None)
            return left, right
        left = self.expr(node.left, scope)
        if left is None and self.is_bare_member(node.right, scope):
            return None, None
        return left, self.expr(node.right, scope, left.type if left is not None else None)

    def _divide(self, node: t.Divide, scope: Scope) -> m.Expr | None:
        left, right = self.number(node.left, scope), self.number(node.right, scope)
        if left is None or right is None:
            return None
        assert isinstance(left.type, IntType)
        assert isinstance(right.type, IntType)
        if right.type.low < 1:
            self.c.add(
                "division-by-zero",
                right.span,
                f"this can be {right.type.low}; what one divides by must be at least 1",
                help=f"max(1, {right.span.text})",
            )
            return None
        type_ = quotient(left.type, right.type, node.up)
        return m.Quotient(node.span, type_, left, right, node.up)

    def _if(self, node: t.If, scope: Scope, expected: Type | None) -> m.Expr | None:
        condition = self.condition(node.condition, scope)
        inner = scope if condition is None else narrow(condition, scope)
        then = self.expr(node.then, inner, expected)
        outer = scope if condition is None else narrow(condition, scope, holds=False)
        other = self.expr(node.otherwise, outer, expected or (then.type if then else None))
        if condition is None or then is None or other is None:
            return None
        if expected is not None:
            then, other = widened(then, expected), widened(other, expected)
        type_ = join(then.type, other.type)
        if type_ is None:
            self.c.add(
                "wrong-type",
                other.span,
                f"this is {in_words(other.type)}, but behind `then` stands {in_words(then.type)}",
            )
            return None
        then, other = widened(then, type_), widened(other, type_)
        return m.Conditional(node.span, type_, condition, then, other)
