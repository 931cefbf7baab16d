"""Triggers: what they watch, the names they bind, and that they do not run in circles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias, cast

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.context import BOOL, PLAYER, Context, replaced
from rulesdsl.check.datatypes import KindType, NoneType, Type
from rulesdsl.check.expressions import Expressions
from rulesdsl.check.owners import kind_of_pair
from rulesdsl.check.scopes import Scope
from rulesdsl.check.steps import Steps
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Second

Found: TypeAlias = tuple[m.Zone | None, m.Owner | None]
"""A place of a pattern and the names of its owner."""
Things: TypeAlias = "Mapping[tuple[str, str], m.Scalar] | Mapping[tuple[str, str], m.Zone]"
"""The state by section and name."""


@define(eq=False)
class Triggers:
    """The part of the checker that knows triggers."""

    c: Context
    e: Expressions
    steps: Steps

    def triggers(self, decls: tuple[t.TriggerDecl, ...]) -> None:
        for decl in decls:
            scope = Scope()
            self.c.within(decl.event.span.text, "", decl.cites)
            event = self._event(decl.event, scope)
            body = self.steps.body(decl.body, scope)
            if event is not None:
                span = decl.event.span
                self.c.model.triggers.append(m.Trigger(span, event, body, decl.about, decl.cites))

    def _event(self, node: t.Event, scope: Scope) -> m.Event | None:
        match node:
            case t.AfterMove():
                return self._after_move(node, scope)
            case t.AfterChange():
                return self._after_change(node, scope)
            case t.AfterPhase():
                phase = self.c.model.phases.get(node.phase.text)
                if node.phase.text == "setup":
                    phase = self.c.model.setup
                if phase is None:
                    self._unknown(node.phase, self.c.model.phases, "phase")
                    return None
                return m.AfterPhase(phase)
            case t.WhenEmpty():
                found = self._zone(node.place, scope, None)
                if found is None or found[0] is None:
                    return None
                return m.WhenEmpty(found[0], found[1])

    def _after_move(self, node: t.AfterMove, scope: Scope) -> m.Event | None:
        kind = self.c.model.kinds.get(node.kind.text)
        if kind is None:
            self._unknown(node.kind, self.c.model.kinds, "kind")
            if node.binder is not None:
                self.c.bind_unknown(node.binder, scope)
        else:
            self.c.use(kind)
        binder = m.Local("what moves", NoneType(), node.kind.span)
        if kind is not None:
            binder = m.Local("what moves", KindType(kind), node.kind.span)
            if node.binder is not None:
                binder = self.c.new_local(node.binder, KindType(kind), scope)
        origin = self._zone(node.origin, scope, kind)
        to = self._zone(node.to, scope, kind)
        where = None if node.where is None else self.e.condition(node.where, scope)
        if kind is None or origin is None or to is None:
            return None
        if node.where is not None and where is None:
            return None
        return m.AfterMove(binder, kind, *origin, *to, self._same_owner(node, origin, to, where))

    def _same_owner(
        self, node: t.AfterMove, origin: Found, to: Found, where: m.Expr | None
    ) -> m.Expr | None:
        """One name for both owners, or both members: it is the same one."""
        if origin[1] is None or to[1] is None or node.to is None:
            return where
        span = node.to.span
        for first in (origin[1].member, origin[1].local):
            for second in (to[1].member, to[1].local):
                if first is None or second is None or first.name != second.name:
                    continue
                left = m.LocalRead(span, first.type, first)
                right = m.LocalRead(span, second.type, second)
                same = m.Compare(span, BOOL, "==", left, right)
                where = same if where is None else m.Logic(span, BOOL, "and", same, where)
        return where

    def _after_change(self, node: t.AfterChange, scope: Scope) -> m.Event | None:
        name = node.place.field
        scalars = self.c.model.scalars
        section, owner = self._owner(node.place, scalars, scope)
        scalar = self.c.scalar(section, name.text)
        where = None if node.where is None else self.e.condition(node.where, scope)
        if scalar is None:
            if self._is_owned(node.place, scalars):
                return None
            known = [n for s, n in scalars if (s == "shared") == (node.place.owner is None)]
            self._unknown(name, known, "number")
            return None
        if node.where is not None and where is None:
            return None
        return m.AfterChange(scalar, owner, where)

    def _zone(
        self, pattern: t.ZonePattern | None, scope: Scope, kind: m.Kind | None
    ) -> Found | None:
        """The place of a pattern with its owner: nothing where there is no pattern."""
        if pattern is None:
            return None, None
        zones = self.c.model.zones
        section, owner = self._owner(pattern, zones, scope)
        zone = self.c.zone(section, pattern.field.text)
        if zone is None:
            if not self._is_owned(pattern, zones):
                known = [n for s, n in zones if (s == "shared") == (pattern.owner is None)]
                self._unknown(pattern.field, known, "place")
            return None
        if kind is not None and kind not in zone.kinds:
            names = " or ".join(other.name for other in zone.kinds)
            second = Second(zone.span, "declared here")
            note = f"{zone.name} holds {names}, not {kind.name}"
            self.c.add("wrong-kind", pattern.span, note, second=second)
            return None
        return zone, owner

    def _owner(
        self, pattern: t.ZonePattern, things: Things, scope: Scope
    ) -> tuple[str, m.Owner | None]:
        """The section of what a pattern means, and the names that it binds to whose it is."""
        if pattern.owner is None:
            return "shared", None
        section, type_ = "player", cast("Type", PLAYER)
        for name, other in things:
            if other == pattern.field.text and name in self.c.model.kinds:
                section, type_ = name, KindType(self.c.model.kinds[name])
        owner = self._bound(pattern.owner, type_, scope)
        thing = things.get((section, pattern.field.text))
        kind = None if thing is None else kind_of_pair(thing)
        if pattern.member is None or thing is None:
            return section, m.Owner(owner, None)
        if kind is None:
            note = f"each {section} has one {thing.name} only"
            second = Second(thing.span, "declared here")
            help_ = replaced(pattern.span, f"{pattern.owner.text}.{pattern.field.text}")
            self.c.add("wrong-type", pattern.member.span, note, second=second, help=help_)
            return section, m.Owner(owner, None)
        return section, m.Owner(owner, self._bound(pattern.member, KindType(kind), scope))

    def _bound(self, word: t.Word, type_: Type, scope: Scope) -> m.Local:
        """The name for an owner or member; one name may stand for those of both places."""
        known = scope.names.get(word.text)
        if known is not None and known.type == type_:
            return m.Local(word.text, type_, word.span)
        return self.c.new_local(word, type_, scope)

    def _is_owned(self, pattern: t.ZonePattern, things: Things) -> bool:
        """Tell of something that each player has, named without an owner, or the other way."""
        name = pattern.field.text
        sections = [section for section, other in things if other == name]
        if not sections:
            return False
        note = f"each {sections[0]} has a {name}: say whose"
        help_ = replaced(pattern.span, f"p.{name}")
        if pattern.owner is not None:
            note, help_ = f"{name} belongs to nobody", replaced(pattern.span, name)
        self.c.add("field-without-owner", pattern.span, note, help=help_)
        return True

    def _unknown(self, word: t.Word, known: Iterable[str], what: str) -> None:
        note = f"there is no {what} of the name {word.text}"
        self.c.missing(word.span, word.text, known, note)
