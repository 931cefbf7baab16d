"""Aggregates over a domain: sums, counts, the greatest, the first, the best."""

from __future__ import annotations

from abc import abstractmethod

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.context import BOOL, Context, in_words, replaced
from rulesdsl.check.datatypes import (
    IntType,
    KindType,
    LineType,
    MaybeType,
    NoneType,
    RunType,
    SubbagType,
    Type,
)
from rulesdsl.check.domains import Domains, Found
from rulesdsl.check.functions import Functions
from rulesdsl.check.including import widened
from rulesdsl.check.intervals import in_int32, join
from rulesdsl.check.narrowing import narrow
from rulesdsl.check.scopes import Scope
from rulesdsl.syntax import tree as t
from rulesdsl.text.source import Span


@define(eq=False, slots=False)
class Aggregates(Functions, Domains):
    """The part of the checker that knows aggregates."""

    c: Context

    @abstractmethod
    def condition(self, node: t.Expr, scope: Scope) -> m.Expr | None: ...

    def fold(self, node: t.Fold, scope: Scope) -> m.Expr | None:
        """`sum(e for x in d where c)`, `count(x in d)`, `max(e for x in d else e)`."""
        op = node.op.text
        known = len(self.c.problems)
        found, where, inner = self._members(node, scope)
        body: m.Expr | None = None
        if node.body is not None:
            wanted = self.condition if op in ("any", "all") else self.number
            body = wanted(node.body, inner)
        otherwise = None if node.otherwise is None else self.number(node.otherwise, scope)
        self._says_else(node, op, found)
        wrong = len(self.c.problems) > known or (node.body is not None and body is None)
        if found is None or wrong:
            return None
        domain, local, size = found
        type_ = self._fold_type(node, body, otherwise, size)
        if type_ is None:
            return None
        return m.Fold(node.span, type_, op, local, domain, where, body, otherwise)

    def _members(
        self, node: t.Fold | t.Pick, scope: Scope
    ) -> tuple[Found | None, m.Expr | None, Scope]:
        """The domain, the condition, and the scope of what is worked out for each member."""
        inner = scope.child()
        found = self.domain(node.domain, node.binder, inner)
        if found is None:
            self.c.bind_unknown(node.binder, inner)
        elif isinstance(found[1].type, SubbagType):
            note = "choices of components are for the parameters of an option"
            self.c.add("not-a-domain", node.domain.span, note)
        where = None if node.where is None else self.condition(node.where, inner)
        return found, where, inner if where is None else narrow(where, inner)

    def _says_else(self, node: t.Fold | t.Pick, op: str, found: Found | None) -> None:
        """What may have no members says what it is then."""
        if op not in ("max", "min", "first", "best") or found is None:
            return
        maybe_empty = node.where is not None or found[2][0] == 0
        if maybe_empty and node.otherwise is None:
            fold = isinstance(node, t.Fold)
            end = Span(node.span.source, node.span.end - fold, node.span.end - fold)
            value = "0" if fold else "none"
            note = f"there may be nothing to take the {_CALLED[op]} of"
            self.c.add("needs-else", node.span, note, help=replaced(end, f" else {value}"))
        elif not maybe_empty and node.otherwise is not None:
            note = "there is always something to take, so this is never used"
            self.c.add("never-reached", node.otherwise.span, note)

    def _fold_type(
        self, node: t.Fold, body: m.Expr | None, otherwise: m.Expr | None, size: tuple[int, int]
    ) -> Type | None:
        op = node.op.text
        least, most = size if node.where is None else (0, size[1])
        if op in ("any", "all"):
            return BOOL
        if op == "count":
            return IntType(least, most)
        assert body is not None
        assert isinstance(body.type, IntType)
        if op != "sum":
            return body.type if otherwise is None else join(body.type, otherwise.type)
        low, high = body.type.low, body.type.high
        type_ = IntType(low * (most if low < 0 else least), high * (most if high > 0 else least))
        if in_int32(type_):
            return type_
        self.c.add(
            "too-large-number",
            node.span,
            f"this can be {type_.low:,} to {type_.high:,}, more than the machine's numbers hold",
            help="give the parts of it a smaller range",
        )
        return None

    def pick(self, node: t.Pick, scope: Scope) -> m.Expr | None:
        """`first x in d where c else e`, `best x in d by e then first`."""
        known = len(self.c.problems)
        found, where, inner = self._members(node, scope)
        keys = [self.number(key, inner) for key in node.keys]
        expected = None if found is None else found[1].type
        otherwise = None
        if node.otherwise is not None:
            otherwise = self.expr(node.otherwise, scope, expected)
        self._says_else(node, node.op, found)
        wrong = None in keys or (node.otherwise is not None and otherwise is None)
        if found is None or wrong or len(self.c.problems) > known:
            return None
        domain, local, _ = found
        if isinstance(local.type, (RunType, LineType, NoneType)):
            self.c.wrong_type(node.binder.span, local.type, "a domain of values")
            return None
        type_ = local.type if otherwise is None else join(local.type, otherwise.type)
        if type_ is None or not _same_kind(type_, local.type):
            assert otherwise is not None
            self.c.wrong_type(otherwise.span, otherwise.type, in_words(local.type))
            return None
        otherwise = None if otherwise is None else widened(otherwise, type_)
        checked = tuple(key for key in keys if key is not None)
        return m.Pick(node.span, type_, node.op, local, domain, where, checked, otherwise)


def _same_kind(a: Type, b: Type) -> bool:
    """Whether two types are of one kind, or of none."""
    a = a.inner if isinstance(a, MaybeType) else a
    b = b.inner if isinstance(b, MaybeType) else b
    return not isinstance(a, KindType) or a == b


_CALLED = {"max": "greatest", "min": "least", "first": "first", "best": "best"}
