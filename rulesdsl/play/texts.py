"""What the texts of a rule file say at a moment of a game, to the referee or to one seat."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import TypeAlias, assert_never

from attrs import Factory, define, evolve, field, frozen

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import (
    BoolType,
    IntType,
    KindType,
    MaybeType,
    PlayerType,
    SubbagType,
    Type,
)
from rulesdsl.check.sights import sees, sees_size
from rulesdsl.check.walk import nodes
from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.places import Registers
from rulesdsl.machine.program import R
from rulesdsl.machine.values import Values
from rulesdsl.play.page import COLUMN, FIRM
from rulesdsl.play.ready import Ready, bound_inside
from rulesdsl.play.rules import Rules
from rulesdsl.play.seen_columns import SeenColumns, gone_through, veiled
from rulesdsl.play.sheltered import Sheltered, Unseen
from rulesdsl.play.views import Cells
from rulesdsl.text.limits import STEPS_PER_MOVE

LONGEST_ITEM = 36
"""Longer items of a row may be broken over lines."""

Bound: TypeAlias = "int | tuple[int, ...]"
"""What a name stands for: a number, or how many of each member were chosen."""


class Found(Enum):
    """What came of a slot."""

    SOMETHING = 1
    NOTHING = 2
    UNSEEN = 3


Said: TypeAlias = tuple[str, Found]


@frozen
class Moment:
    """A record with the seat that runs, if several act at the same time."""

    record: list[int]
    inside: int | None = None


@frozen
class Scene:
    """What a text is about: names, the moment now and that of the beginning, what was said.

    Of what a `veiled` name stands for the viewer sees only the columns that all see.
    """

    names: Mapping[m.Local, Bound]
    now: Moment
    then: Moment
    moves: tuple[str, ...] = ()
    veiled: frozenset[m.Local] = frozenset()


@define(eq=False)
class Wording:
    """Says names, values and texts of a game; `viewer` None is the referee, who sees all."""

    rules: Rules
    viewer: int | None = None
    _values: Values = field(init=False)
    _parts: dict[str, tuple[str, tuple[str, ...]]] = field(init=False)
    """The members that join others or are made of them: of which, and what stands between."""
    _made: dict[int, Ready] = Factory(dict)
    _sheltered: dict[object, tuple[Moment, Sheltered]] = Factory(dict)
    _columns: SeenColumns = field(init=False)

    def __attrs_post_init__(self) -> None:
        machine = self.rules.machine
        self._columns = SeenColumns(machine.model)
        self._parts = {
            member: kind.parts_of(index)
            for kind in machine.model.kinds.values()
            if kind.has_parts
            for index, member in enumerate(kind.members)
        }
        # register 0 stays free: it is the player in values of the result
        self._values = Values(
            machine.model, machine.seats, machine.options, machine.layout, Registers(used=1)
        )

    # ---------------------------------------------------------------- names and values

    def name(self, word: str, number: int = 1) -> str:
        """A word of the rules as people write it, for one or for several."""
        said = self.rules.machine.model.texts.names.get(word)
        if said is None:
            between, parts = self._parts.get(word, ("", ()))
            return between.join(map(self.name, parts)) if parts else word.replace("_", " ")
        one, _, many = said.partition("/")
        return one if number == 1 else many or one

    def title(self, word: str) -> str:
        """A word at the beginning of a line."""
        said = self.name(word)
        return said[:1].upper() + said[1:]

    def number(self, type_: Type, number: int) -> Said:
        """A single value in words."""
        found = Found.SOMETHING if number else Found.NOTHING
        match type_:
            case KindType():
                return self.name(type_.kind.members[number]), Found.SOMETHING
            case PlayerType():
                return self.name(self.rules.words.seats[number]), Found.SOMETHING
            case BoolType():
                return "yes" if number else "no", found
            case MaybeType():
                if number < 0:
                    return "none", Found.NOTHING
                return self.number(type_.inner, number)
            case IntType():
                return str(number), found
            case _:
                return str(number), found

    def components(self, kinds: tuple[m.Kind, ...], counts: tuple[int, ...]) -> Said:
        """Components with how many there are of each: `2 wine, textiles`."""
        names = [member for kind in kinds for member in kind.members]
        parts = [
            self.name(name) if count == 1 else f"{count} {self.name(name, count)}"
            for name, count in zip(names, counts, strict=True)
            if count
        ]
        return ", ".join(parts) or "nothing", Found.SOMETHING if parts else Found.NOTHING

    def columns(self, zone: m.Zone, counts: tuple[int, ...]) -> Said:
        """Components by the columns that all see: `2 silk, wine`, or each by several: `silk 3`."""
        column, *more = zone.columns_seen
        if isinstance(column.type, KindType) and not more:
            totals = [0] * len(column.type.kind)
            for member, count in enumerate(counts):
                totals[column.values[member]] += count
            return self.components((column.type.kind,), tuple(totals))
        rows = [
            [self.number(one.type, one.values[member])[0] for one in zone.columns_seen]
            for member, count in enumerate(counts)
            for _ in range(count)
        ]
        return ", ".join(map(" ".join, rows)) or "nothing", _found(bool(rows))

    def unseen(self, zone: m.Zone, number: int) -> str:
        """Components of which only the number is seen: `2 cards`."""
        if not number:
            return "nothing"
        kind = zone.kinds[0].name
        if kind in self.rules.machine.model.texts.names:
            return f"{number} {self.name(kind, number)}"
        return f"{number} {kind.lower()}{'' if number == 1 else 's'}"

    # ---------------------------------------------------------------- texts

    def say(self, text: m.Text, scene: Scene) -> str:
        """A whole text; `loan(s)` behind a number is one or several."""
        return _PLURAL.sub(_plural, self._pieces(text.pieces, scene)[0])

    def _pieces(self, pieces: tuple[m.TextPiece, ...], scene: Scene) -> Said:
        said: list[str] = []
        found: list[Found] = []
        last = Found.SOMETHING
        for piece in pieces:
            match piece:
                case str():
                    said.append(piece)
                case m.TextSlot() | m.TextMoves() | m.TextEach():
                    words, what = self._filled(piece, scene)
                    said.append(words)
                    found.append(what)
                case m.TextPart():
                    words, last = self._pieces(piece.pieces, scene)
                    said.append(words if last is Found.SOMETHING else "")
                case m.TextIf():
                    last = self._holds(piece, scene)
                    if last is Found.SOMETHING:
                        said.append(self._pieces(piece.pieces, scene)[0])
                case m.TextElse():
                    if last is Found.NOTHING:
                        said.append(self._pieces(piece.pieces, scene)[0])
                case _:
                    assert_never(piece)
        worst = max(found, key=lambda what: what.value, default=Found.SOMETHING)
        return "".join(said), worst

    def _filled(self, piece: m.TextSlot | m.TextMoves | m.TextEach, scene: Scene) -> Said:
        try:
            match piece:
                case m.TextMoves():
                    return joined(scene.moves), _found(bool(scene.moves))
                case m.TextEach():
                    items = [item for item in self._each(piece, scene) if item]
                    return piece.separator.join(map(firm, items)), _found(bool(items))
                case m.TextSlot():
                    return self._slot(piece, scene)
                case _:
                    assert_never(piece)
        except Unseen:
            return "?", Found.UNSEEN
        except RuleFault:
            return "nothing", Found.NOTHING

    def _slot(self, slot: m.TextSlot, scene: Scene) -> Said:
        form = slot.form.lstrip("+")
        moment = scene.then if form == "was" else scene.now
        match slot.value:
            case m.Place():
                return self._place(slot.value, form, moment, scene)
            case m.Bag(column=column, of=of):
                there = column.counts[self._value(of, moment, scene)]
                return self.components((column.kind,), there)
            case m.Local():
                counts = self._bound(slot.value, scene)
                assert isinstance(counts, tuple)
                return self.components(m.subbag_of(slot.value).kinds, counts)
            case expr:
                number = self._value(expr, moment, scene)
        if form == "change":
            number -= self._value(expr, scene.then, scene)
        if slot.form.startswith("+"):
            return f"{number:+}", _found(number != 0)
        return self.number(expr.type, number)

    def _place(self, place: m.Place, form: str, moment: Moment, scene: Scene) -> Said:
        key = 0 if place.key is None else self._value(place.key, moment, scene)
        zone, words = place.zone, self.rules.words
        cells = self._cells(moment)(zone, key)
        whole = self.viewer is None or sees(zone, key, self.viewer)
        if whole or zone.columns_seen:
            held = self._held(zone, cells, whole)
            if form == "change":
                before = self._held(zone, self._cells(scene.then)(zone, key), whole)
                held = [max(0, now - then) for now, then in zip(held, before, strict=True)]
            if whole:
                return self.components(zone.kinds, tuple(held))
            return self.columns(zone, tuple(held))
        if form == "change" or self.viewer is None or not sees_size(zone, key, self.viewer):
            raise Unseen
        size = words.size(zone, cells)
        return self.unseen(zone, size), _found(size > 0)

    def _held(self, zone: m.Zone, cells: list[int], whole: bool) -> list[int]:
        """How many of each member lie in a place; perhaps of others with the same columns."""
        words = self.rules.words
        return words.held(zone, cells if whole else veiled(words, zone, cells))

    def _cells(self, moment: Moment) -> Cells:
        views = self.rules.views
        if self.viewer is None or moment.inside is None:
            return views.cells(moment.record)
        return views.shown_cells(moment.record, self.viewer)

    def _holds(self, part: m.TextIf, scene: Scene) -> Found:
        moment = scene.then if part.was else scene.now
        try:
            return _found(bool(self._value(part.condition, moment, scene)))
        except Unseen:
            return Found.UNSEEN
        except RuleFault:
            return Found.NOTHING

    def _each(self, each: m.TextEach, scene: Scene) -> Iterator[str]:
        moment = scene.then if each.was else scene.now
        if gone_through(each) is not None and not self._sees_members(each, moment, scene):
            scene = evolve(scene, veiled=scene.veiled | {each.members.binder})
        members: list[tuple[int, Scene]] = []
        for member in self._members(each.members, moment, scene):
            inner = evolve(scene, names={**scene.names, each.members.binder: member})
            try:
                key = 0 if each.by is None else self._value(each.by, moment, inner)
            except Unseen:
                continue
            members.append((-key, inner))
        for _, inner in sorted(members, key=lambda pair: pair[0]):
            yield self._pieces(each.pieces, inner)[0]

    def _sees_members(self, each: m.TextEach, moment: Moment, scene: Scene) -> bool:
        """Whether the viewer sees which components a list goes through."""
        domain = each.members.domain
        assert isinstance(domain, m.ComponentsOf)
        key = 0 if domain.place.key is None else self._value(domain.place.key, moment, scene)
        return self.viewer is None or sees(domain.place.zone, key, self.viewer)

    # ---------------------------------------------------------------- values at a moment

    def value(self, expr: m.Expr, scene: Scene) -> int:
        """A value now; raises Unseen where the viewer does not see what it is made of."""
        return self._value(expr, scene.now, scene)

    def _value(self, expr: m.Expr, moment: Moment, scene: Scene) -> int:
        made = self._make(expr)
        registers = self._registers(made, moment, scene)
        return made.value(self._record(moment, made.columns), registers)

    def _members(self, fold: m.Fold, moment: Moment, scene: Scene) -> list[int]:
        """The members of a domain that the viewer can tell to belong to it."""
        # the members themselves are not told by it
        made = self._make(fold, evolve(fold, body=None))
        registers = self._registers(made, moment, scene)
        record = self._record(moment, made.columns)
        found: list[int] = []
        for x in made.range(record, registers):
            registers[made.register] = x
            try:
                if made.where(record, registers):
                    found.append(made.image(record, registers))
            except Unseen:
                continue
        return found

    def _record(self, moment: Moment, columns: frozenset[m.Zone]) -> list[int]:
        if self.viewer is None:
            return moment.record
        kept = self._sheltered.get((id(moment), columns))
        if kept is None:
            together = moment.inside is not None
            made = Sheltered(self.rules.views, moment.record, self.viewer, together, columns)
            # only the moments of one text are wanted again
            self._sheltered = dict([*self._sheltered.items()][-3:])
            kept = self._sheltered[id(moment), columns] = (moment, made)
        return kept[1]

    def _bound(self, local: m.Local, scene: Scene) -> Bound:
        private = local in self.rules.machine.model.texts.private
        if private and self.viewer not in (None, scene.now.inside):
            raise Unseen
        if local not in scene.names:
            raise Unseen
        return scene.names[local]

    def _registers(self, made: Ready, moment: Moment, scene: Scene) -> dict[int, int]:
        if not made.read_whole.isdisjoint(scene.veiled):
            raise Unseen
        registers = {-1: STEPS_PER_MOVE}
        for local, places in made.names.items():
            bound = self._bound(local, scene)
            numbers = bound if isinstance(bound, tuple) else (bound,)
            for place, number in zip(places, numbers, strict=True):
                registers[place] = number
        return registers

    # ---------------------------------------------------------------- expressions made ready

    def _make(self, expr: m.Expr, read: m.Expr | None = None) -> Ready:
        """An expression as a function, its names in registers of their own.

        `read` is what of it tells something, if not all does.
        """
        found = self._made.get(id(expr))
        if found is None:
            bound = {id(local) for local in bound_inside(expr)}
            names = {
                node.local: self._own(node.local)
                for node in nodes(expr)
                if isinstance(node, (m.LocalRead, m.SubbagSize, m.SubbagCount))
                if id(node.local) not in bound
            }
            made, reads = Ready.of(expr, self._values, names), self._columns.reads(read or expr)
            found = evolve(made, columns=reads[0], read_whole=reads[1])
            self._made[id(expr)] = found
            for local in bound_inside(expr):
                # texts inside a list name its members once more
                self._values.locals.pop(id(local), None)
        return found

    def _own(self, local: m.Local) -> tuple[int, ...]:
        values = self._values
        if isinstance(local.type, SubbagType):
            if id(local) not in values.bags:
                width = sum(len(kind) for kind in local.type.kinds)
                values.bags[id(local)] = tuple(R(values.registers.new()) for _ in range(width))
            return tuple(r.number for r in values.bags[id(local)] if isinstance(r, R))
        if id(local) not in values.locals:
            values.bind(local, R(values.registers.new()))
        register = values.locals[id(local)]
        assert isinstance(register, R)
        return (register.number,)


def _found(something: bool) -> Found:
    return Found.SOMETHING if something else Found.NOTHING


_PLURAL = re.compile(r"(\d+)((?:\s|\u00a0)+[^\d()\s]+)\(s\)")


def _plural(match: re.Match[str]) -> str:
    return f"{match[1]}{match[2]}{'' if match[1] == '1' else 's'}"


def firm(said: str) -> str:
    """A short item of a row, in which no line is broken."""
    return said.replace(" ", FIRM) if len(said) <= LONGEST_ITEM and COLUMN not in said else said


def joined(sentences: tuple[str, ...]) -> str:
    """Sentences in a row; one that begins a new column is not parted by a comma."""
    said = ""
    for sentence in sentences:
        column = sentence.startswith("|")
        parts = [firm(part) for part in sentence.lstrip("| ").split(", ")]
        said += (" | " if column else ", " if said else "") + ", ".join(parts)
    return said.removeprefix(" ")
