"""Whose something is that is named: of a player, of a member, of a player for a member."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeAlias

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.context import PLAYER, Context, replaced
from rulesdsl.check.datatypes import IntType, KindType, Type
from rulesdsl.check.owners import kind_of_pair
from rulesdsl.check.scopes import Scope
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Second
from rulesdsl.text.source import Span

OfMember: TypeAlias = "tuple[m.Scalar | m.Zone, m.MemberOf | None]"
"""What a player has for each member of a kind, and which of it; None after a problem."""


@define(eq=False, slots=False)
class Owned(ABC):
    """The part of the checker that knows owners."""

    c: Context

    @abstractmethod
    def expr(self, node: t.Expr, scope: Scope, expected: Type | None = None) -> m.Expr | None: ...

    @abstractmethod
    def value(self, node: t.Expr, scope: Scope, wanted: Type) -> tuple[m.Expr, bool] | None: ...

    def of_member(self, node: t.Index, scope: Scope) -> OfMember | None:
        """`p.stock[r]`, `p.sea[s]`; None for anything else."""
        if not isinstance(node.base, t.Dot):
            return None
        what, kind = self._of_pair(node.base.name.text)
        if what is None or kind is None:
            return None
        if isinstance(node.base.base, t.Name) and node.base.base.text in self.c.model.kinds:
            return None
        player = self.expr(node.base.base, scope)
        if player is None or player.type != PLAYER:
            return None
        self.c.use(what)
        if len(node.arguments) != 1:
            note = f"one member of {kind.name} is wanted in the brackets"
            self.c.add("wrong-number", node.span, note)
            return what, None
        member = self.value(node.arguments[0], scope, KindType(kind))
        if member is None:
            return what, None
        last = self.c.model.players[1] * len(kind) - 1
        return what, m.MemberOf(node.span, IntType(0, last), kind, player, member[0])

    def _of_pair(self, name: str) -> tuple[m.Scalar | m.Zone | None, m.Kind | None]:
        model, key = self.c.model, ("player", name)
        what = model.scalars.get(key) or model.zones.get(key)
        return what, None if what is None else kind_of_pair(what)

    def say_which(self, span: Span, what: m.Scalar | m.Zone, kind: m.Kind) -> None:
        """Tell of something that a player has for each member, of which no member is named."""
        self.c.add(
            "field-without-owner",
            span,
            f"each player has a {what.name} for each {kind.name}: say which",
            second=Second(what.span, "declared here"),
            help=replaced(span, f"{span.text}[{kind.members[0]}]"),
        )

    def whose(self, node: t.Name, section: str, thing: m.Scalar | m.Zone, scope: Scope) -> None:
        """Tell of something of each player, or each member of a kind, of which nobody is named."""
        kinds = self.c.model.kinds
        kind = kinds.get(section) or kind_of_pair(thing)
        player = _of_type(PLAYER, scope) if section == "player" else ""
        member = "" if kind is None else _of_type(KindType(kind), scope)
        help_ = ""
        if section == "player" and player and (member or kind is None):
            help_ = replaced(node.span, f"{player}.{node.text}" + (f"[{member}]" if member else ""))
        elif section != "player" and member:
            help_ = replaced(node.span, f"{node.text}[{member}]")
        self.c.add(
            "field-without-owner",
            node.span,
            f"each {section} has a {node.text}: say whose",
            second=Second(thing.span, "declared here"),
            help=help_,
        )


def _of_type(wanted: Type, scope: Scope) -> str:
    """The innermost name in reach for a value of a type."""
    return next((x.name for x in scope.locals() if scope.type_of(x) == wanted), "")
