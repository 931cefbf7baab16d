"""Texts: what each is about, and that its slots mean something there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.context import Context
from rulesdsl.check.datatypes import KindType, SubbagType
from rulesdsl.check.expressions import Expressions
from rulesdsl.check.narrowing import narrow
from rulesdsl.check.scopes import Scope
from rulesdsl.check.text_places import Spot, Spots, private_names
from rulesdsl.syntax import tree as t

MOVES = "moves"


def check_texts(c: Context, e: Expressions, entries: tuple[t.TextEntry, ...]) -> None:
    """Put the texts of a file into its model. Texts come last: everything else is known."""
    if not entries:
        return
    spots = Spots.of(c.model)
    checker = _Texts(c, e, whole=not len(c.problems))
    for entry in entries:
        checker.entry(entry, spots)
    if not len(c.problems):
        c.model.texts.private = private_names(c.model)


@define
class _Texts:
    """Checks entries and their templates.

    Where rules could not be read whole, what a text is about may be missing for that reason.
    """

    c: Context
    e: Expressions
    whole: bool

    def entry(self, entry: t.TextEntry, spots: Spots) -> None:
        texts = self.c.model.texts
        self.c.within("texts", entry.section, ())
        match entry.section:
            case "head":
                texts.head = self.template(entry.template, {})
            case "names":
                self._name(entry)
            case "moves":
                for spot in self._spots(entry.path, spots.moves, "choice"):
                    text = self.template(entry.template, spot.names)
                    texts.moves[spot.span, spot.name] = text
            case "prompts":
                for spot in self._spots(entry.path, spots.choices, "choice"):
                    texts.prompts[spot.span] = self.template(entry.template, spot.names)
            case "lines":
                self._line(entry, spots)
            case _:
                raise AssertionError(entry.section)

    def _name(self, entry: t.TextEntry) -> None:
        model, word = self.c.model, entry.path[-1]
        spots = Spots.of(model)
        steps = [spot.name for spot in (*spots.lines, *spots.moves)]
        known = [*self.c.declared(), *model.seat_names, *steps, *model.measures]
        known += [member for kind in self._option_kinds() for member in kind.members]
        if word.text not in known:
            note = f"there is nothing of the name {word.text} to be shown"
            self.c.missing(word.span, word.text, known, note)
        words = [piece for piece in entry.template.pieces if isinstance(piece, str)]
        model.texts.names[word.text] = "".join(words)

    def _option_kinds(self) -> Iterable[m.Kind]:
        for option in self.c.model.options.values():
            if isinstance(option.type, KindType):
                yield option.type.kind

    def _line(self, entry: t.TextEntry, spots: Spots) -> None:
        texts, path = self.c.model.texts, entry.path
        into = texts.after
        if len(path) > 1 and path[-1].text in ("before", "after"):
            into = texts.before if path[-1].text == "before" else texts.after
            path = path[:-1]
        for spot in self._spots(path, spots.lines, "phase, procedure, step or round"):
            into[spot.span] = self.template(entry.template, spot.names)

    def _spots(self, path: tuple[t.Word, ...], spots: list[Spot], what: str) -> list[Spot]:
        """Those a path means: `bid`, or `sell_lot / bid`."""
        *owners, name = path
        if owners:
            owner = owners[-1].text
            inside = [spot for spot in spots if spot.owner == owner]
            if not inside and self.whole:
                note = f"there is no {what} in anything of the name {owner}"
                self.c.missing(owners[-1].span, owner, [spot.owner for spot in spots], note)
            if not inside:
                return []
            spots = inside
        found = [spot for spot in spots if spot.name == name.text]
        if not found and self.whole:
            where = f" in {owners[-1].text}" if owners else ""
            note = f"there is no {what} of the name {name.text}{where}"
            places = {spot.name: spot.span for spot in spots}
            self.c.missing(name.span, name.text, places, note, places=places)
        return found

    # ---------------------------------------------------------------- templates

    def template(self, node: t.Template, names: dict[str, m.Local]) -> m.Text:
        """A text whose slots may use these names and the state."""
        scope = Scope(names=dict(names))
        return m.Text(node.span, self._pieces(node.pieces, scope))

    def _pieces(self, pieces: tuple[t.TextPiece, ...], scope: Scope) -> tuple[m.TextPiece, ...]:
        found = (self._piece(piece, scope) for piece in pieces)
        return tuple(piece for piece in found if piece is not None)

    def _piece(self, node: t.TextPiece, scope: Scope) -> m.TextPiece | None:
        match node:
            case str():
                return node
            case t.Slot():
                return self._slot(node, scope)
            case t.Part():
                return m.TextPart(node.span, self._pieces(node.pieces, scope))
            case t.PartElse():
                return m.TextElse(node.span, self._pieces(node.pieces, scope))
            case t.PartIf():
                condition = self.e.condition(node.condition, scope)
                if condition is None:
                    return None
                inner = scope if node.was else narrow(condition, scope)
                return m.TextIf(node.span, node.was, condition, self._pieces(node.pieces, inner))
            case t.PartEach():
                return self._each(node, scope)
            case _:
                assert_never(node)

    def _slot(self, node: t.Slot, scope: Scope) -> m.TextSlot | m.TextMoves | None:
        value, form = node.value, node.form
        if not form.startswith("+"):
            if isinstance(value, t.Name) and value.text == MOVES and scope.find(MOVES) is None:
                return m.TextMoves(node.span)
            bound = scope.find(value.text) if isinstance(value, t.Name) else None
            if isinstance(bound, m.Local) and isinstance(bound.type, SubbagType):
                return m.TextSlot(node.span, node.form, bound)
            place = self.e.find_place(value, scope)
            if place is not None:
                return m.TextSlot(node.span, node.form, place)
            bag = self.e.find_bag(value, scope) if form != "change" else None
            if bag is not None:
                return m.TextSlot(node.span, node.form, bag)
        signed = form.startswith("+") or form == "change"
        checked = self.e.number(value, scope) if signed else self.e.expr(value, scope)
        return None if checked is None else m.TextSlot(node.span, node.form, checked)

    def _each(self, node: t.PartEach, scope: Scope) -> m.TextEach | None:
        inner = scope.child()
        found = self.e.domain(node.domain, node.binder, inner)
        if found is None:
            return None
        domain, local, _ = found
        if isinstance(domain, (m.RunsOf, m.LinesOf, m.SubbagDomain)):
            note = "a text goes through players, members, numbers and the kinds of a place"
            self.c.add("not-a-domain", node.domain.span, note)
            return None
        where = None if node.where is None else self.e.condition(node.where, inner)
        by = None if node.by is None else self.e.number(node.by, inner)
        body = m.LocalRead(node.binder.span, local.type, local)
        members = m.Fold(node.span, local.type, "sum", local, domain, where, body, None)
        pieces = self._pieces(node.pieces, inner)
        return m.TextEach(node.span, members, node.was, by, node.separator, pieces)
