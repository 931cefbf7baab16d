"""Expressions: every name bound, every type known, every number in an interval.

Each method gives the checked expression, or None when it is wrong (then the problem is told,
and nothing that depends on it is told again).
"""

from __future__ import annotations

from typing import assert_never

from attrs import define, evolve

from rulesdsl.check import model as m
from rulesdsl.check.context import BOOL, PLAYER, Context, in_words, replaced
from rulesdsl.check.datatypes import (
    IntType,
    KindType,
    MaybeType,
    NoneType,
    RunType,
    SubbagType,
    Type,
)
from rulesdsl.check.domains import Domains
from rulesdsl.check.functions import Functions
from rulesdsl.check.intervals import arithmetic, comparable, in_int32, join, quotient
from rulesdsl.check.scopes import Scope
from rulesdsl.syntax import tree as t

_COMPARE = ("==", "!=", "<", "<=", ">", ">=")
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@define(eq=False, slots=False)
class Expressions(Functions, Domains):
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
                return self._fold(node, scope)
            case t.Pick():
                return self._pick(node, scope)
            case _:
                assert_never(node)

    def value(self, node: t.Expr, scope: Scope, wanted: Type) -> tuple[m.Expr, bool] | None:
        """An expression of a type, and whether it is proved to lie in its range."""
        checked = self.expr(node, scope, wanted)
        if checked is None:
            return None
        fits = self.c.must_fit(checked, wanted)
        return None if fits is False else (checked, fits is True)

    def condition(self, node: t.Expr, scope: Scope) -> m.Expr | None:
        return self._typed(node, scope, BOOL)

    def player(self, node: t.Expr, scope: Scope) -> m.Expr | None:
        return self._typed(node, scope, PLAYER)

    def _typed(self, node: t.Expr, scope: Scope, wanted: Type) -> m.Expr | None:
        found = self.value(node, scope, wanted)
        return None if found is None else found[0]

    def number(self, node: t.Expr, scope: Scope) -> m.Expr | None:
        checked = self.expr(node, scope)
        if checked is None:
            return None
        if not isinstance(checked.type, IntType):
            self.c.wrong_type(checked.span, checked.type, "a number")
            return None
        return checked

    def _seat(self, node: t.Seat) -> m.Expr | None:
        most = self.c.model.players[1]
        if not 1 <= node.number <= most:
            self.c.add("out-of-range", node.span, f"there are seats 1 to {most}")
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
                "this can become larger than the machine's numbers",
                help="give the parts of it a range",
            )
            return None
        return m.Arithmetic(node.span, type_, node.op, left, right)

    def _logic(self, node: t.Binary, scope: Scope) -> m.Expr | None:
        left = self.condition(node.left, scope)
        inner = scope
        if left is not None and node.op == "and":
            inner = self.narrow(left, scope)
        right = self.condition(node.right, inner)
        if left is None or right is None:
            return None
        return m.Logic(node.span, BOOL, node.op, left, right)

    def _compare(self, node: t.Binary, scope: Scope) -> m.Expr | None:
        if node.op not in ("==", "!="):
            left, right = self.number(node.left, scope), self.number(node.right, scope)
        else:
            left, right = self._both_sides(node, scope)
        if left is None or right is None:
            return None
        if isinstance(left.type, NoneType):
            left, right = right, left
        none = isinstance(right.type, NoneType)
        if none and isinstance(left, m.TopOf) and isinstance(left.type, KindType):
            left = evolve(left, maybe=True, type=MaybeType(left.type))
        if not comparable(left.type, right.type):
            self.c.add(
                "wrong-type",
                right.span,
                f"{in_words(left.type)} is never the same as {in_words(right.type)}",
            )
            return None
        if isinstance(right.type, NoneType) and not isinstance(left.type, MaybeType):
            self.c.add("never-none", left.span, "this is never none")
            return None
        return m.Compare(node.span, BOOL, node.op, left, right)

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
        inner = scope if condition is None else self.narrow(condition, scope)
        then = self.expr(node.then, inner, expected)
        other = self.expr(node.otherwise, scope, expected or (then.type if then else None))
        if condition is None or then is None or other is None:
            return None
        type_ = join(then.type, other.type)
        if type_ is None:
            self.c.add(
                "wrong-type",
                other.span,
                f"this is {in_words(other.type)}, but behind `then` stands {in_words(then.type)}",
            )
            return None
        return m.Conditional(node.span, type_, condition, then, other)

    # ---------------------------------------------------------------- aggregates

    def _fold(self, node: t.Fold, scope: Scope) -> m.Expr | None:
        op = node.op.text
        if op not in ("sum", "count", "any", "all", "max", "min"):
            self.c.add(
                "unknown-name",
                node.op.span,
                "this is not one of sum, count, any, all, max, min",
            )
            return None
        inner = scope.child()
        found = self.domain(node.domain, node.binder, inner)
        where, ok = self._where(node.where, inner)
        if found is None or not ok:
            return None
        domain, local, size = found
        body_scope = inner if where is None else self.narrow(where, inner)
        body: m.Expr | None = None
        if node.body is not None:
            wanted = self.condition if op in ("any", "all") else self.number
            body = wanted(node.body, body_scope)
            if body is None:
                return None
        otherwise = None
        if node.otherwise is not None:
            otherwise = self.number(node.otherwise, scope)
            if otherwise is None:
                return None
        type_ = self._fold_type(node, op, body, otherwise, size)
        maybe_empty = where is not None or size[0] == 0
        if op in ("max", "min") and maybe_empty and otherwise is None:
            self._needs_else(node, op)
            return None
        if type_ is None:
            return None
        return m.Fold(node.span, type_, op, local, domain, where, body, otherwise)

    def _where(self, node: t.Expr | None, scope: Scope) -> tuple[m.Expr | None, bool]:
        if node is None:
            return None, True
        where = self.condition(node, scope)
        return where, where is not None

    def _fold_type(
        self,
        node: t.Fold,
        op: str,
        body: m.Expr | None,
        otherwise: m.Expr | None,
        size: tuple[int, int],
    ) -> Type | None:
        if op in ("any", "all"):
            return BOOL
        if op == "count":
            return IntType(0, size[1])
        assert body is not None
        assert isinstance(body.type, IntType)
        if op == "sum":
            least = size[0] if node.where is None else 0
            low = body.type.low * (size[1] if body.type.low < 0 else least)
            high = body.type.high * (size[1] if body.type.high > 0 else least)
            type_ = IntType(low, high)
            if not in_int32(type_):
                self.c.add(
                    "too-large-number",
                    node.span,
                    "this can become larger than the machine's numbers",
                )
                return None
            return type_
        return body.type if otherwise is None else join(body.type, otherwise.type)

    def _needs_else(self, node: t.Fold | t.Pick, op: str) -> None:
        text = node.span.text
        with_else = text[:-1] + " else 0)" if isinstance(node, t.Fold) else text + " else ..."
        help_ = replaced(node.span, with_else) if "\n" not in text else ""
        self.c.add(
            "needs-else", node.span, f"there may be nothing to take the {op} of", help=help_
        )

    def _pick(self, node: t.Pick, scope: Scope) -> m.Expr | None:
        inner = scope.child()
        found = self.domain(node.domain, node.binder, inner)
        where, ok = self._where(node.where, inner)
        if found is None or not ok:
            return None
        domain, local, size = found
        if isinstance(local.type, (RunType, SubbagType)):
            self.c.wrong_type(node.binder.span, local.type, "a domain of values")
            return None
        keys: list[m.Expr] = []
        for key in node.keys:
            checked = self.number(key, inner if where is None else self.narrow(where, inner))
            if checked is None:
                return None
            keys.append(checked)
        if not self._says_ties(node):
            return None
        otherwise = None
        if node.otherwise is not None:
            otherwise = self.expr(node.otherwise, scope, local.type)
            if otherwise is None:
                return None
        elif where is not None or size[0] == 0:
            self._needs_else(node, node.op)
            return None
        type_ = local.type if otherwise is None else join(local.type, otherwise.type)
        if type_ is None:
            assert otherwise is not None
            self.c.wrong_type(otherwise.span, otherwise.type, in_words(local.type))
            return None
        return m.Pick(node.span, type_, node.op, local, domain, where, tuple(keys), otherwise)

    def _says_ties(self, node: t.Pick) -> bool:
        """`best` must say what a tie means; `first` has no keys."""
        if node.op == "first" and node.keys:
            self.c.add(
                "first-by", node.span, "`first` takes the first one; with `by` it is `best`"
            )
            return False
        if node.op == "best" and not node.keys:
            self.c.add("best-by", node.span, "`best` must say by what: `by ...`")
            return False
        if node.op == "best" and len(node.keys) == 1 and not node.then_first:
            self.c.add(
                "tie-unsaid",
                node.span,
                "this does not say which one it is when several are equal",
                help=replaced(node.span, node.span.text + " then first"),
            )
            return False
        return True

    # ---------------------------------------------------------------- narrowing

    def narrow(self, condition: m.Expr, scope: Scope) -> Scope:
        """A scope in which the condition is known to hold of names that never change."""
        inner = scope.child()
        parts = [condition]
        while parts:
            part = parts.pop()
            if isinstance(part, m.Logic) and part.op == "and":
                parts += [part.left, part.right]
            elif isinstance(part, m.Compare):
                self._narrow_one(part.left, part.op, part.right, inner)
                self._narrow_one(part.right, _FLIPPED[part.op], part.left, inner)
        return inner

    def _narrow_one(self, side: m.Expr, op: str, other: m.Expr, scope: Scope) -> None:
        if not isinstance(side, m.LocalRead):
            return
        known = scope.type_of(side.local)
        if isinstance(known, MaybeType) and isinstance(other.type, NoneType) and op == "!=":
            scope.narrowed[id(side.local)] = known.inner
        if isinstance(known, IntType) and isinstance(other.type, IntType):
            low, high = known.low, known.high
            if op in ("==", ">=", ">"):
                low = max(low, other.type.low + (op == ">"))
            if op in ("==", "<=", "<"):
                high = min(high, other.type.high - (op == "<"))
            if low <= high:
                scope.narrowed[id(side.local)] = IntType(low, high)
