"""Triggers: what they watch, the names they bind, and that they do not run in circles."""

from __future__ import annotations

from collections.abc import Collection

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.context import PLAYER, Context
from rulesdsl.check.datatypes import KindType, Type
from rulesdsl.check.expressions import Expressions
from rulesdsl.check.scopes import Scope
from rulesdsl.check.steps import Steps
from rulesdsl.syntax import tree as t


@define(eq=False)
class Triggers:
    """The part of the checker that knows triggers."""

    c: Context
    e: Expressions
    steps: Steps

    def triggers(self, decls: tuple[t.TriggerDecl, ...]) -> None:
        for decl in decls:
            scope = Scope()
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
                    self._unknown(node.phase, list(self.c.model.phases), "phase")
                    return None
                return m.AfterPhase(phase)
            case t.WhenEmpty():
                found = self._zone(node.place, scope)
                return None if found is None else m.WhenEmpty(*found)

    def _after_move(self, node: t.AfterMove, scope: Scope) -> m.Event | None:
        kind = self.c.model.kinds.get(node.kind.text)
        if kind is None:
            self._unknown(node.kind, list(self.c.model.kinds), "kind")
            return None
        if node.binder is not None:
            binder = self.c.new_local(node.binder, KindType(kind), scope)
        else:
            binder = m.Local("what moves", KindType(kind), node.kind.span)
        origin: tuple[m.Zone, m.Local | None] | None = None
        to: tuple[m.Zone, m.Local | None] | None = None
        if node.origin is not None:
            origin = self._zone(node.origin, scope)
            if origin is None:
                return None
        if node.to is not None:
            to = self._zone(node.to, scope)
            if to is None:
                return None
        where = None
        if node.where is not None:
            where = self.e.condition(node.where, scope)
            if where is None:
                return None
        first = origin or (None, None)
        last = to or (None, None)
        return m.AfterMove(binder, kind, first[0], first[1], last[0], last[1], where)

    def _after_change(self, node: t.AfterChange, scope: Scope) -> m.Event | None:
        name = node.place.field
        section = "shared"
        owner: m.Local | None = None
        if node.place.owner is not None:
            section, type_ = self._section(name.text, self.c.model.scalars)
            owner = self.c.new_local(node.place.owner, type_, scope)
        scalar = self.c.scalar(section, name.text)
        if scalar is None:
            known = [n for _, n in self.c.model.scalars]
            self._unknown(name, known, "number")
            return None
        where = None
        if node.where is not None:
            where = self.e.condition(node.where, scope)
            if where is None:
                return None
        return m.AfterChange(scalar, owner, where)

    def _section(self, name: str, things: Collection[tuple[str, str]]) -> tuple[str, Type]:
        for section, other in things:
            if other == name and section in self.c.model.kinds:
                return section, KindType(self.c.model.kinds[section])
        return "player", PLAYER

    def _zone(self, pattern: t.ZonePattern, scope: Scope) -> tuple[m.Zone, m.Local | None] | None:
        """A zone of a pattern; `p.hand` binds p, or means the p that is bound already."""
        section: str = "shared"
        owner: m.Local | None = None
        if pattern.owner is not None:
            section, type_ = self._section(pattern.field.text, self.c.model.zones)
            owner = self.c.new_local(pattern.owner, type_, scope)
        zone = self.c.zone(section, pattern.field.text)
        if zone is None:
            self._unknown(pattern.field, [n for _, n in self.c.model.zones], "place")
            return None
        return zone, owner

    def _unknown(self, word: t.Word, known: list[str], what: str) -> None:
        self.c.missing(
            word.span, word.text, known, f"there is no {what} of the name {word.text} here"
        )
