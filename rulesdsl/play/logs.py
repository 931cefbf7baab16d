"""Logs: what each seat has seen happen, told from the notes of the machine."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field

from rulesdsl.check.model import Kind, Scalar, Shape, Zone
from rulesdsl.check.owners import owner_seat
from rulesdsl.check.sights import sees, sees_size
from rulesdsl.engines.reference import Engine
from rulesdsl.machine.program import ME, Note
from rulesdsl.play.events import Event, Told
from rulesdsl.play.history import Run
from rulesdsl.play.moves import Move
from rulesdsl.play.rules import Rules
from rulesdsl.play.views import Views
from rulesdsl.play.words import in_order


def log(run: Run, seat: int, engine: Engine, views: Views) -> tuple[Event, ...]:
    """All a seat has learned up to and with a run."""
    tell(run, engine, views)
    told = (each.told for each in run.path() if each.told is not None)
    return tuple(event for each in told if each.events for event in each.events[seat])


def news(run: Run, since: Run | None, seat: int, rules: Rules) -> list[Event]:
    """What a seat has learned since another run (or from the start)."""
    tell(run, rules.engine, rules.views)
    parts: list[tuple[Event, ...]] = []
    at: Run | None = run
    while at is not None and at is not since:
        if at.told is not None and at.told.events:
            parts.append(at.told.events[seat])
        at = at.before
    return [event for part in reversed(parts) for event in part]


def tell(run: Run, engine: Engine, views: Views) -> Told:
    """What a run has told, working out what comes before it first."""
    for each in run.path(untold=True):
        if each.before is None or each.before.told is None:
            raise AssertionError("the first run of a game is told by the game")
        each.told = Teller(engine, views, each.before.told).tell(each)
    assert run.told is not None
    return run.told


@define(eq=False)
class Teller:
    """Carries a run out again and writes down what everybody learns from it."""

    engine: Engine
    views: Views
    before: Told
    record: list[int] = field(init=False)
    opened: list[int] | None = field(init=False)
    later: list[tuple[int, int, Event]] = field(init=False)
    compared: list[int] = field(init=False)
    """The record up to which tops and notes have been told."""
    noted: dict[str, object] = field(factory=dict, init=False)
    """What is said about the component that moves next."""
    events: list[list[Event]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.record = self.before.record.copy()
        self.opened = self.before.opened
        self.later = list(self.before.later)
        self.compared = self.before.record
        self.events = [[] for _ in self.seats]

    @property
    def seats(self) -> range:
        return range(self.views.machine.seats)

    def tell(self, run: Run) -> Told:
        if isinstance(run.cause, Move):
            self._chose(run.cause, run.secret)
        if run.block is not None:
            run.follow(self.engine, self.record, self._note)
            if self.opened is None:
                self._lying()
        events = tuple(tuple(seen) for seen in self.events)
        return Told(self.record, events, self.opened, tuple(self.later))

    def _chose(self, move: Move, secret: bool) -> None:
        data = {"player": self.views.words.seats[move.player], "move": move.text}
        self._add((move.player,) if secret else self.seats, Event.of("chose", data))

    # ---------------------------------------------------------------- who learns it

    def _add(self, seats: Iterable[int], event: Event) -> None:
        for seat in seats:
            told = self.events[seat]
            # components not seen are one number, or their number of kinds would be told
            if told and event.kind == "moved" and _same_way(told[-1], event):
                told.append(_together(told.pop(), event))
            else:
                told.append(event)

    def _tell(self, seats: Iterable[int], event: Event) -> None:
        """Tell some seats; inside a region only the one that runs (its effects come at the end)."""
        if self.opened is None:
            self._add(seats, event)
        else:
            self._add((s for s in seats if s == self.record[ME]), event)

    def _announce(self, seats: Iterable[int], event: Event) -> None:
        """Tell some seats what leaves no trace in the state: a region's is told when it ends."""
        seats = tuple(seats)
        self._tell(seats, event)
        if self.opened is not None:
            me = self.record[ME]
            for seat in seats:
                if seat != me:
                    self.later.append((me, seat, event))

    # ---------------------------------------------------------------- notes

    def _note(self, note: Note, values: tuple[int, ...]) -> None:
        match note.kind:
            case "set":
                self._set(note.subject, values)
            case "noted":
                assert isinstance(note.subject, Zone)
                value, notes = self.views.words.value, note.subject.notes
                said = zip(notes, values, strict=True)
                self.noted = {one.name: value(one.type, number) for one, number in said}
            case "move":
                self._moved(note.subject, values)
            case "seen":
                data = {"condition": note.span.text, "value": values[0]}
                self._announce(self.seats, Event.of("seen", data))
            case "show":
                self._shown(note.subject, values)
            case "look":
                self._looked(note.subject, values)
            case "shuffle":
                assert isinstance(note.subject, Zone)
                place = self.views.words.path(note.subject, values[0])
                self._announce(self.seats, Event.of("shuffled", {"place": place}))
            case "begin" | "end":
                if note.subject in self.views.machine.phases:
                    kind = "began" if note.kind == "begin" else "ended"
                    self._tell(self.seats, Event.of(kind, {"phase": note.subject}))
            case "region":
                self._region(bool(values[0]))
            case _:
                pass

    def _set(self, scalar: object, values: tuple[int, ...]) -> None:
        assert isinstance(scalar, Scalar)
        key, old, new = values
        mine = owner_seat(scalar, key) == self.record[ME]
        if old == new or (self.opened is not None and not mine):
            # what others add to at the same time has a value that is told when all are done
            return
        words = self.views.words
        data = {"place": words.path(scalar, key), "value": words.value(scalar.type, new)}
        self._tell((s for s in self.seats if sees(scalar, key, s)), Event.of("set", data))

    def _moved(self, subject: object, values: tuple[int, ...]) -> None:
        assert isinstance(subject, tuple)
        kind, origin, target = subject
        assert isinstance(kind, Kind)
        member, count, origin_key, target_key = values
        if count == 0:
            return
        words = self.views.words
        data: dict[str, object] = {
            "from": words.path(origin, origin_key),
            "to": words.path(target, target_key),
            "count": count,
        }
        if self.noted:
            data["noted"], self.noted = self.noted, {}
        unknown = Event.of("moved", data)
        what = words.members((kind,))[member] if member >= 0 else None
        known = unknown if what is None else Event.of("moved", {**data, "what": what})
        columns = tuple(dict.fromkeys((*origin.columns_seen, *target.columns_seen)))
        if columns and what is not None:
            seen = words.columns(columns, [member] * count)
            unknown = Event.of("moved", {**data, "seen": seen})
        ends = ((origin, origin_key), (target, target_key))
        for seat in self.seats:
            if any(sees(zone, key, seat) for zone, key in ends):
                self._tell((seat,), known)
            elif any(sees_size(zone, key, seat) for zone, key in ends):
                self._tell((seat,), unknown)

    def _shown(self, subject: object, values: tuple[int, ...]) -> None:
        viewer, what = values
        words = self.views.words
        if isinstance(subject, Zone):
            content = words.content(subject, self.views.cells(self.record)(subject, what))
            data = {"place": words.path(subject, what), "value": content}
        else:
            data = {"value": words.value(subject, what)}  # type: ignore[arg-type]
        self._announce(self._viewers(viewer), Event.of("shown", data))

    def _looked(self, deck: object, values: tuple[int, ...]) -> None:
        assert isinstance(deck, Zone)
        viewer, count, key = values
        names = self.views.words.members(deck.kinds)
        order = self.views.words.order(deck, self.views.cells(self.record)(deck, key))
        top = [names[member] for member in order[len(order) - count :]][::-1]
        data = {"place": self.views.words.path(deck, key), "value": top}
        self._announce(self._viewers(viewer), Event.of("looked", data))

    def _viewers(self, viewer: int) -> Iterable[int]:
        return self.seats if viewer < 0 else (viewer,)

    # ---------------------------------------------------------------- regions

    def _region(self, opens: bool) -> None:
        if opens:
            self._lying()
            self.opened = self.record.copy()
            return
        opened, self.opened = self.opened, None
        assert opened is not None
        old, new = self.views.cells(opened), self.views.cells(self.record)
        changed = self.views.changed(old, new)
        for seat in self.seats:
            # his own things he has seen as they came
            others = [piece for piece in changed if owner_seat(piece[0], piece[1]) != seat]
            known = self.views.seen(seat, old, others)
            now = self.views.seen(seat, new, others)
            for path, value in now.items():
                if known.get(path) != value:
                    self._add((seat,), Event.of("changed", {"place": path, "value": value}))
        # by seats, so that nobody learns who was the first to be ready
        for _, seat, event in sorted(self.later, key=lambda one: one[0]):
            self._add((seat,), event)
        self.later = []
        self.compared = self.record.copy()

    def _lying(self) -> None:
        """What came to lie on top, or in another order, where some see only that much; notes."""
        old, new = self.views.cells(self.compared), self.views.cells(self.record)
        words = self.views.words
        self.compared = self.record.copy()
        for what, key, path in self.views.told_when_lying:
            blind = [seat for seat in self.seats if not sees(what, key, seat)]
            top = words.top(what, new(what, key)) if what.top_seen else None
            if what.top_seen and top != words.top(what, old(what, key)):
                self._add(blind, Event.of("top", {"place": path, "value": top}))
            if what.columns_seen and what.shape is Shape.PILE and blind:
                value = self.views.outside(what, key, blind[0], new)
                if value != self.views.outside(what, key, blind[0], old):
                    self._add(blind, Event.of("changed", {"place": path, "value": value}))
            known = dict(self.views.notes(what, key, path, old))
            for place, said in self.views.notes(what, key, path, new):
                if said != known[place]:
                    self._add(self.seats, Event.of("changed", {"place": place, "value": said}))


def _same_way(last: Event, event: Event) -> bool:
    """Whether both are unseen components that moved from the same place to the same place."""
    parts = [name for name, _ in last.data]
    unseen = parts == [name for name, _ in event.data] and "what" not in parts
    return last.kind == "moved" and unseen and last.data[:2] == event.data[:2]


def _together(last: Event, event: Event) -> Event:
    """Two moves of unseen components as one, from which no order of them can be read."""
    data: dict[str, object] = {**dict(event.data)}
    data["count"] = int(str(last["count"])) + int(str(event["count"]))
    if "seen" in data:
        first, second = last["seen"], event["seen"]
        assert isinstance(first, dict)
        assert isinstance(second, dict)
        data["seen"] = in_order(first, second)
    return Event.of("moved", data)
