"""The state: numbers and places, who sees them, what lies where at the start."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.constants import is_static
from rulesdsl.check.context import UNCOUNTED, Context, replaced, spelled
from rulesdsl.check.datatypes import IntType, KindType, PlayerType, Type
from rulesdsl.check.owners import kind_of_pair, section_of
from rulesdsl.check.rooms import notes_on, room_of, starts_fit
from rulesdsl.check.scopes import Scope
from rulesdsl.check.seen_columns import columns_seen, wrong_column_seen, wrong_size_seen
from rulesdsl.check.tables import Tables
from rulesdsl.check.types import Types
from rulesdsl.check.written import of_owner
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Second
from rulesdsl.text.source import Span

_SIGHTS = {
    "secret": m.Sight.OWNER,
    "hidden": m.Sight.NOBODY,
    "unseen by its owner": m.Sight.OTHERS,
}


@define(eq=False, slots=False)
class State(Tables):
    """Declares what stands under `state:`."""

    c: Context
    types: Types

    @abstractmethod
    def new_name(self, word: t.Word, what: str) -> bool: ...

    # ---------------------------------------------------------------- state

    def state(self, decls: tuple[t.StateDecl, ...]) -> None:
        """Scalars and places; starts and refills once all are known."""
        declared: list[tuple[t.StateDecl, m.Scalar | m.Zone]] = []
        for decl in decls:
            if not self._has_owner(decl) or not self._free(decl):
                continue
            made = self._declare(decl)
            if made is None:
                self.c.broken.add(decl.name.text)
            else:
                declared.append((decl, made))
        for decl, what in declared:
            if isinstance(what, m.Zone):
                self._zone_starts(decl, what)
        self._capacities()
        for decl, what in declared:
            if isinstance(what, m.Scalar):
                self._scalar_start(decl, what)

    def _has_owner(self, decl: t.StateDecl) -> bool:
        """Whether that is known of which there is one for each."""
        kinds, words = (
            self.c.model.kinds,
            [decl.owner.per] if decl.owner.each is None else [decl.owner.each],
        )
        if decl.owner.each is not None and decl.owner.per.text != "player":
            kind = decl.owner.per.text if decl.owner.each.text == "player" else decl.owner.each.text
            span = decl.owner.per.span.to(decl.owner.each.span)
            note = "what there is for each of two is for each player first, then for each member"
            help_ = replaced(span, f"player, each {kind}")
            self.c.add("word-order", span, note, help=help_)
            return False
        for word in words:
            alone = ("shared", "player") if word is decl.owner.per else ()
            if word.text not in (*alone, *kinds):
                self.c.missing(word.span, word.text, kinds, f"there is no kind {word.text}")
                return False
        return True

    def _free(self, decl: t.StateDecl) -> bool:
        """A name of the state: once in its section; of shared ones, once in the file."""
        key = (decl.owner.per.text, decl.name.text)
        if decl.owner.per.text == "shared":
            return self.new_name(decl.name, "piece of state")
        first = self.c.model.scalars.get(key) or self.c.model.zones.get(key)
        if first is not None:
            self.c.add(
                "duplicate-name",
                decl.name.span,
                f"{decl.name.text} is declared twice",
                second=Second(first.span, "here already"),
            )
            return False
        owner = self.c.model.kinds.get(decl.owner.per.text)
        if owner is not None and decl.name.text in (*owner.columns, *owner.bags):
            note = f"{owner.name} has a column of the name {decl.name.text}"
            second = Second(self.c.fields[decl.name.text], "the column")
            self.c.add("duplicate-name", decl.name.span, note, second=second)
            return False
        self.c.fields.setdefault(decl.name.text, decl.name.span)
        return True

    def _declare(self, decl: t.StateDecl) -> m.Scalar | m.Zone | None:
        kinds = self.c.model.kinds
        per: m.Per = kinds.get(decl.owner.per.text, decl.owner.per.text)
        if decl.owner.each is not None:
            per = m.PlayerAnd(kinds[decl.owner.each.text])
        self.c.use(per.kind if isinstance(per, m.PlayerAnd) else per)
        self.c.within("state", decl.name.text, decl.cites)
        key = (decl.owner.per.text, decl.name.text)
        if isinstance(decl.type.type, t.PlaceType):
            zone = self._zone(decl, decl.type.type, per)
            if zone is not None:
                self.c.model.zones[key] = zone
            return zone
        type_ = self.types.type(decl.type.type)
        if type_ is None:
            return None
        self._check_clauses(decl, type_)
        if decl.notes:
            note = "notes are about the components in a place, which this is not"
            self.c.add("wrong-clause", decl.notes[0][0].span, note)
        capped = "capped" in said(decl)
        sight = self._sight(decl)
        spoken = "spoken" in said(decl)
        scalar = m.Scalar(
            decl.name.text, per, type_, decl.name.span, sight, capped, spoken, cites=decl.cites
        )
        self.c.model.scalars[key] = scalar
        return scalar

    def _zone(self, decl: t.StateDecl, type_: t.PlaceType, per: m.Per) -> m.Zone | None:
        kinds = [self._kind(word) for word in type_.kinds]
        found = tuple(kind for kind in kinds if kind is not None)
        if len(found) != len(kinds):
            return None
        self._check_clauses(decl, None)
        words, columns = said(decl), tuple(columns_seen(self.c, decl, found))
        zone = m.Zone(
            decl.name.text,
            per,
            m.Shape(type_.place),
            found,
            decl.name.span,
            self._sight(decl),
            size_seen="size seen" in words or bool(columns),
            top_seen="top seen" in words,
            columns_seen=columns,
            cites=decl.cites,
        )
        zone.notes = notes_on(self.c, self.types, decl, zone)
        return zone

    def _check_clauses(self, decl: t.StateDecl, type_: Type | None) -> None:
        """What is said of an entry goes with its type (None: a place), and is said once."""
        seen: dict[str, t.Clause] = {}
        for clause in decl.type.clauses:
            name = _called(clause)
            note = self._wrong_clause(decl, clause, type_)
            if name in seen:
                second = Second(seen[name].span, "here already")
                self.c.add("wrong-clause", clause.span, "this is said twice", second=second)
            elif note:
                self.c.add("wrong-clause", clause.span, note)
            seen[name] = clause

    def _wrong_clause(self, decl: t.StateDecl, clause: t.Clause, type_: Type | None) -> str:
        """Why a clause does not go with a type; empty where it does."""
        words = said(decl)
        place = decl.type.type.place if isinstance(decl.type.type, t.PlaceType) else ""
        match clause:
            case t.StartsAt() if place:
                return "a place starts with components, not at a value: `starts with all`"
            case t.StartsWith() | t.Refilled() | t.AtMost() | t.GoesTo() if not place:
                return "this is for places, which this is not"
            case t.AtMost() if place == "slot":
                return "a slot holds one"
            case t.GoesTo() if place not in ("bag", "deck"):
                return "nothing comes up by chance here: this is for a bag or a deck"
            case t.Refilled() if place not in ("bag", "deck"):
                return "only a bag or a deck is refilled"
            case t.Modifier(name="capped") if not isinstance(type_, IntType):
                return "only a number is capped"
            case t.Modifier(name="spoken") if place:
                return "a place holds components; what is spoken is a value"
            case t.Modifier(name="spoken") if words & {*_SIGHTS, "capped"}:
                return "what is spoken is heard by all, as it is said"
            case t.Modifier(name="size seen" | "top seen") if not place:
                return f"`{clause.name}` is for places, which this is not"
            case t.Modifier(name="top seen") if place != "pile":
                return "only a pile has a top that can be seen"
            case t.Modifier() if note := wrong_size_seen(decl, clause, self.c.model.kinds):
                return note
            case t.ColumnSeen():
                return wrong_column_seen(decl, clause, bool(words & {*_SIGHTS}))
            case t.Modifier(name="size seen" | "top seen") if not words & {*_SIGHTS}:
                return "all see it anyway"
            case t.Modifier(name="size seen") if "hidden" in words or place == "deck":
                return "all see the size of hidden places and of decks anyway"
            case _:
                return ""

    def _sight(self, decl: t.StateDecl) -> m.Sight:
        sight, first = m.Sight.ALL, None
        for clause in decl.type.clauses:
            if not isinstance(clause, t.Modifier) or clause.name not in _SIGHTS:
                continue
            if decl.owner.per.text != "player" and clause.name != "hidden":
                note = "this belongs to no player, so nobody is its owner"
                self.c.add("no-owner", clause.span, note, help=replaced(clause.span, "hidden"))
            elif first is not None and first.name != clause.name:
                second = Second(first.span, "this says it differently")
                self.c.add(
                    "wrong-clause", clause.span, "this says twice who sees it", second=second
                )
            else:
                sight, first = _SIGHTS[clause.name], clause
        return sight

    def _kind(self, word: t.Word) -> m.Kind | None:
        kind = self.c.model.kinds.get(word.text)
        if word.text in self.c.ranges:
            note = f"{word.text} is a range of numbers; components are members of a kind with rows"
            second = Second(self.c.spans[word.text], "declared here")
            self.c.add("wrong-type", word.span, note, second=second)
            return None
        if kind is None:
            self.c.missing(
                word.span, word.text, self.c.model.kinds, f"there is no kind {word.text}"
            )
            return None
        self.c.use(kind)
        return kind

    # ---------------------------------------------------------------- starts

    def _zone_starts(self, decl: t.StateDecl, zone: m.Zone) -> None:
        self.c.within("state", decl.name.text, decl.cites)
        counts = {id(kind): [0] * len(kind) for kind in zone.kinds}
        known = len(self.c.problems)
        for clause in decl.type.clauses:
            match clause:
                case t.StartsWith():
                    for components in clause.components:
                        self._add_start(components, zone, counts)
                case t.Refilled():
                    zone.refills = tuple(self._refills(clause, zone))
                case t.AtMost():
                    zone.at_most = room_of(self.c, self.types, clause)
                case t.GoesTo():
                    zone.asides += self._aside(clause, zone)
                case t.StartsAt() | t.Modifier() | t.ColumnSeen():
                    pass
        if any(to in zone.refills for _, to in zone.asides):
            note = f"{zone.name} is refilled from where this goes: it would come up again and again"
            self.c.add("wrong-clause", decl.name.span, note)
        if len(self.c.problems) > known:
            self.c.broken.add(decl.name.text)
        zone.start = tuple(tuple(counts[id(kind)]) for kind in zone.kinds)
        if zone.shape is m.Shape.SLOT and sum(sum(part) for part in zone.start) > 1:
            self.c.add("slot-full", decl.name.span, "a slot holds one component")
        starts_fit(self.c, decl, zone)

    def _add_start(
        self, components: t.Components, zone: m.Zone, counts: dict[int, list[int]]
    ) -> None:
        word, count = components.name, 1
        if components.count is not None:
            found = self.constant(components.count, IntType(0, 10_000))
            if found is None:
                return
            count = found
        if word.text == "all":
            for kind in zone.kinds:
                counts[id(kind)] = [n + 1 for n in counts[id(kind)]]
            return
        for kind in zone.kinds:
            if word.text in kind.members:
                counts[id(kind)][kind.members.index(word.text)] += count
                return
            column = kind.columns.get(word.text)
            if column is not None and isinstance(column.type, IntType):
                self.c.use(column)
                mine = counts[id(kind)]
                counts[id(kind)] = [n + value for n, value in zip(mine, column.values, strict=True)]
                return
        known = ["all", *(member for kind in zone.kinds for member in kind.members)]
        known += [column for kind in zone.kinds for column in kind.columns]
        self.c.missing(
            word.span, word.text, known, f"{word.text} is no member and no column of what lies here"
        )

    def _aside(self, clause: t.GoesTo, zone: m.Zone) -> tuple[tuple[m.Kind, m.Zone], ...]:
        """A kind of a place and where it goes when it comes up; empty where that is wrong."""
        kind = self._kind(clause.kind)
        section = section_of(zone)
        to = self.c.zone(section, clause.place.text) or self.c.zone("shared", clause.place.text)
        if to is None:
            self._no_place(clause.place, section, "wrong-clause")
        if kind is None or to is None:
            return ()
        rest = [one for one in zone.kinds if one is not kind and not _is_aside(zone, one)]
        if kind not in zone.kinds:
            self.c.add("wrong-kind", clause.kind.span, f"{zone.name} holds no {kind.name}")
        elif not rest:
            note = f"then nothing is left in {zone.name} that can be dealt"
            self.c.add("wrong-clause", clause.span, note)
        elif not self._is_known(to, zone, clause.place.span, "wrong-clause"):
            pass
        elif to is zone:
            self.c.add("wrong-clause", clause.place.span, "it comes from there")
        elif kind not in to.kinds:
            names = " or ".join(one.name for one in to.kinds)
            note = f"{to.name} holds {names}, not {kind.name}"
            second = Second(to.span, "declared here")
            self.c.add("wrong-kind", clause.place.span, note, second=second)
        else:
            return ((kind, to),)
        return ()

    def _is_known(self, other: m.Zone, zone: m.Zone, span: Span, code: str) -> bool:
        """Whether it is known which one of a place goes with another one."""
        kind = kind_of_pair(other)
        known = kind is None or other.per == zone.per
        if kind is not None and not known:
            note = f"each player has a {other.name} for each {kind.name}"
            self.c.add(code, span, note, second=Second(other.span, "declared here"))
        return known

    def _refills(self, clause: t.Refilled, zone: m.Zone) -> Iterator[m.Zone]:
        section = section_of(zone)
        for word in clause.places:
            other = self.c.zone(section, word.text) or self.c.zone("shared", word.text)
            if other is None:
                self._no_place(word, section, "wrong-refill")
            elif not self._is_known(other, zone, word.span, "wrong-refill"):
                pass
            elif other is zone:
                self.c.add("wrong-refill", word.span, "a place is not refilled from itself")
            elif any(kind not in zone.kinds for kind in other.kinds):
                note = f"{other.name} holds other components"
                second = Second(other.span, "declared here")
                self.c.add("wrong-refill", word.span, note, second=second)
            else:
                yield other

    def _no_place(self, word: t.Word, section: str, code: str) -> None:
        """A place that is none, or belongs to each of several."""
        owners = [owner for owner, name in self.c.model.zones if name == word.text]
        if owners:
            note = f"each {owners[0]} has a {word.text}; say which is not possible here"
            self.c.add(code, word.span, note)
            return
        names = [name for owner, name in self.c.model.zones if owner in (section, "shared")]
        note = f"there is no place of the name {word.text}"
        self.c.missing(word.span, word.text, names, note)

    def _capacities(self) -> None:
        """Nothing is made or lost: no place can hold more than there is."""
        lacking: list[m.Kind] = []
        for zone in self.c.model.zones.values():
            there = sum(sum(self.c.components(kind)) for kind in zone.kinds)
            if not self.c.is_counted:
                there = UNCOUNTED
            zone.capacity = min(1, there) if zone.shape is m.Shape.SLOT else there
            if zone.at_most is not None and isinstance(zone.at_most.type, IntType):
                zone.capacity = min(there, zone.at_most.type.high)
            for kind in zone.kinds:
                if kind not in lacking and not any(self.c.components(kind)):
                    lacking.append(kind)
                    if self.c.is_counted:
                        self.c.within("state", zone.name, ())
                        self._no_components(kind, zone)

    def _no_components(self, kind: m.Kind, zone: m.Zone) -> None:
        many = any(isinstance(column.type, IntType) for column in kind.columns.values())
        self.c.add(
            "no-components",
            zone.span,
            f"no {kind.name} is anywhere at the start, so none can ever lie here",
            second=Second(kind.span, "its members are only names until components lie somewhere"),
            help=f"{zone.name}: {zone.shape.value} of {kind.name}, starts with all"
            + (" (or the name of a column with numbers)" if many else ""),
        )

    def _scalar_start(self, decl: t.StateDecl, scalar: m.Scalar) -> None:
        self.c.within("state", decl.name.text, decl.cites)
        for clause in decl.type.clauses:
            if isinstance(clause, t.StartsAt):
                self._start_value(clause, scalar)

    def _start_value(self, clause: t.StartsAt, scalar: m.Scalar) -> None:
        scope = Scope()
        node = clause.value
        kind = scalar.per if isinstance(scalar.per, m.Kind) else kind_of_pair(scalar)
        if kind is not None:
            scalar.owner = m.Local("its member", KindType(kind), clause.span)
            scope.names["its member"] = scalar.owner
            node = of_owner(node, kind, set(self.c.spans))
        elif scalar.per == "player":
            scalar.owner = m.Local("its owner", PlayerType(), clause.span)
        found = self.types.expressions.value(node, scope, scalar.type)
        if found is None:
            return
        start, proved = found
        if not is_static(start):
            note = "a start is known before the game: from numbers, options, columns and tables"
            self.c.add("start-unknown", clause.value.span, note)
        elif not proved:
            note = f"this can be {spelled(start.type)}, outside {spelled(scalar.type)}"
            self.c.add("out-of-range", clause.value.span, note)
        else:
            scalar.start = start


def _is_aside(zone: m.Zone, kind: m.Kind) -> bool:
    return any(kind is one for one, _ in zone.asides)


def said(decl: t.StateDecl) -> set[str]:
    """The modifiers of an entry."""
    return {clause.name for clause in decl.type.clauses if isinstance(clause, t.Modifier)}


def _called(clause: t.Clause) -> str:
    """What may be said once of an entry."""
    match clause:
        case t.Modifier():
            return clause.name
        case t.ColumnSeen():
            return f"{clause.column.text} seen"
        case t.GoesTo():
            return f"{clause.kind.text} goes to"
        case _:
            return type(clause).__name__
