"""Who sees what of a record: everything by names, and what one seat sees of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TypeAlias

from attrs import define

from rulesdsl.check.model import PlaceNote, Scalar, Shape, Zone
from rulesdsl.check.owners import owner_seat
from rulesdsl.check.sights import sees, sees_size
from rulesdsl.machine.layout import cells_of
from rulesdsl.machine.program import (
    PHASE,
    POINTS,
    WAITING,
    Choose,
    Draw,
    Machine,
    Region,
    Stop,
)
from rulesdsl.play.words import Columns, Plain, Words, in_order

Cells: TypeAlias = Callable[["Scalar | Zone | PlaceNote", int], "list[int]"]
"""Finds the cells of a copy (by its key) of a piece of state."""
Piece: TypeAlias = "tuple[Scalar | Zone, int, str]"
"""A copy of a piece of state, with its key and path."""


def where_waiting(machine: Machine, record: list[int], stop: Stop) -> list[tuple[Stop, int | None]]:
    """What the game waits for: the stop; in a region one for each seat that waits there."""
    if not isinstance(stop, Region):
        return [(stop, None)]
    points = record[POINTS : POINTS + machine.seats]
    return [
        (machine.stops[point - WAITING], seat)
        for seat, point in enumerate(points)
        if point >= WAITING
    ]


@define(eq=False, slots=False)
class Views:
    """Reads records of a machine for the referee and for each seat."""

    words: Words

    @property
    def machine(self) -> Machine:
        return self.words.machine

    # ---------------------------------------------------------------- cells

    def cells(self, record: list[int]) -> Cells:
        """The state as it is."""

        def find(what: Scalar | Zone | PlaceNote, key: int) -> list[int]:
            return cells_of(self.machine.layout, record, what, max(key, 0))

        return find

    def shown_cells(self, record: list[int], seat: int) -> Cells:
        """The state for a seat while a region is open: its own things, copies of all others."""
        real, shown = self.cells(record), self.machine.layout.shown

        def find(what: Scalar | Zone | PlaceNote, key: int) -> list[int]:
            if id(what) not in shown or owner_seat(what, key) == seat:
                return real(what, key)
            return cells_of(self.machine.layout, record, what, max(key, 0), shown=True)

        return find

    def state(self) -> tuple[Piece, ...]:
        """Every copy of every piece of state, with its key and path."""
        return self._pieces

    @cached_property
    def _pieces(self) -> tuple[Piece, ...]:
        model = self.machine.model
        declared: list[Scalar | Zone] = [*model.scalars.values(), *model.zones.values()]
        return tuple(
            (what, key, path) for what in declared for key, path in self.words.owners(what)
        )

    def changed(self, old: Cells, new: Cells) -> tuple[Piece, ...]:
        """The pieces of state that are not the same, or of whose components other things are said.

        To each seat all others look as they did.
        """
        found: list[Piece] = []
        for piece in self.state():
            what, key, _ = piece
            notes = what.notes if isinstance(what, Zone) else ()
            if any(old(one, key) != new(one, key) for one in (what, *notes)):
                found.append(piece)
        return tuple(found)

    @cached_property
    def told_when_lying(self) -> tuple[tuple[Zone, int, str], ...]:
        """The places of which tops, the order of columns, or notes are told when they change."""
        return tuple(
            (what, key, path)
            for what, key, path in self.state()
            if isinstance(what, Zone)
            if what.top_seen or what.notes or (what.columns_seen and what.shape is Shape.PILE)
        )

    # ---------------------------------------------------------------- the referee

    def named(self, record: list[int], stop: Stop) -> dict[str, object]:
        """Everything: the state by its paths, and where the game is."""
        find = self.cells(record)
        state: dict[str, object] = {}
        for what, key, path in self.state():
            state[path] = self._whole(what, find(what, key))
            state.update(self.notes(what, key, path, find))
        now: dict[str, object] = {"phase": self.machine.phases[record[PHASE]]}
        now["waits"] = [
            self._wait(waiting, seat) for waiting, seat in where_waiting(self.machine, record, stop)
        ]
        return {"state": state, "now": now}

    def _whole(self, what: Scalar | Zone, cells: list[int]) -> object:
        if isinstance(what, Scalar):
            return self.words.value(what.type, cells[0])
        if what.shape is not Shape.DECK:
            return self.words.content(what, cells)
        names = self.words.members(what.kinds)
        order = [names[i] if i >= 0 else None for i in self.words.order(what, cells)]
        return {"components": self.words.bag(what, cells), "order": order}

    def _wait(self, stop: Stop, seat: int | None) -> dict[str, object]:
        if isinstance(stop, Choose):
            options = [option.name for option in stop.options]
            found: dict[str, object] = {"in": stop.where, "options": options}
        elif isinstance(stop, Draw):
            found = {"draw": stop.subject.name}
        else:
            found = {"stop": type(stop).__name__.lower()}
        return found if seat is None else {"seat": self.words.seats[seat], **found}

    # ---------------------------------------------------------------- a seat

    def seen(
        self, seat: int | None, find: Cells, pieces: Iterable[Piece] | None = None
    ) -> dict[str, Plain]:
        """What a seat sees of the state by its paths; what it does not see at all is left out.

        Without a seat: everything. With `pieces` only of these.
        """
        found: dict[str, Plain] = {}
        for what, key, path in self.state() if pieces is None else pieces:
            if isinstance(what, Scalar):
                if seat is None or sees(what, key, seat):
                    found[path] = self.words.value(what.type, find(what, key)[0])
            elif seat is None or sees(what, key, seat):
                found[path] = self.words.content(what, find(what, key))
            else:
                outside = self.outside(what, key, seat, find)
                if outside is not None:
                    found[path] = outside
            found.update(self.notes(what, key, path, find))
        return found

    def notes(
        self, what: Scalar | Zone, key: int, path: str, find: Cells
    ) -> Iterator[tuple[str, Plain]]:
        """What is said about the components of a pile, in their order; all hear it."""
        for note in what.notes if isinstance(what, Zone) else ():
            length = self.words.size(note.zone, find(note.zone, key))
            said = find(note, key)[:length]
            yield f"{path}.{note.name}", [self.words.value(note.type, one) for one in said]

    def outside(self, zone: Zone, key: int, seat: int, find: Cells) -> Plain:
        """A place whose components are not seen: its top, and how many (more) lie there.

        Of these the columns that all see; those in a bag in an order that tells nothing.
        """
        cells, words = find(zone, key), self.words
        top = words.top(zone, cells) if zone.top_seen else None
        seen: dict[str, int | Columns] = {} if top is None else {top: 1}
        if not sees_size(zone, key, seat):
            return seen if zone.top_seen else None
        unseen = words.size(zone, cells) - len(seen)
        if zone.columns_seen:
            members = words.laid(zone, cells)[:unseen]
            columns = words.columns(zone.columns_seen, members)
            if zone.shape is Shape.BAG:
                columns = in_order(columns)
            return {**seen, "unseen": unseen, "seen": columns}
        return {**seen, "unseen": unseen}

    def view(
        self, record: list[int], stop: Stop, seat: int, acting: tuple[int, ...]
    ) -> dict[str, object]:
        """The state a seat sees, and where the game is: in a region only whether it is asked."""
        now: dict[str, object] = {"phase": self.machine.phases[record[PHASE]]}
        if isinstance(stop, Region):
            find = self.shown_cells(record, seat)
            acting = (seat,) if seat in acting else ()
        else:
            find = self.cells(record)
            if isinstance(stop, Choose):
                now["in"] = stop.where
        now["to_act"] = [self.words.seats[actor] for actor in acting]
        return {"state": self.seen(seat, find), "now": now}
