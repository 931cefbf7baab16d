"""What a seat sees of a record, as numbers: a program of rows that `view` carries out.

Each row puts numbers behind those that are there, or makes some of them unseen. The numbers
are the same fields in the same order for every seat, so that a host knows where each one is.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import astuple, define, field

from rulesdsl.check.datatypes import NONE, BoolType, KindType, MaybeType, PlayerType, Type
from rulesdsl.check.model import PlaceNote, Scalar, Shape, Sight, Zone
from rulesdsl.check.owners import owner_seat
from rulesdsl.check.paths import members_of, paths_of
from rulesdsl.check.sights import alike, sight_of_size
from rulesdsl.engines.wasm.values import CELL, Tables
from rulesdsl.engines.wasm.view_rows import SIGHTS, UNSEEN, Do, Row, view_functions
from rulesdsl.machine import program as p
from rulesdsl.machine.layout import numbers_at


@define(eq=False)
class Sights:
    """Writes the program of a machine, and tells what each of the numbers is."""

    machine: p.Machine
    tables: Tables
    rows: list[Row] = field(factory=list, init=False)
    fields: list[dict[str, object]] = field(factory=list, init=False)
    places: list[str] = field(factory=list, init=False)
    """Where players choose: procedures and phases by their names."""
    size: int = field(init=False)
    """How many numbers there are."""

    def __attrs_post_init__(self) -> None:
        model, stops = self.machine.model, self.machine.stops
        chosen = [stop.where for stop in stops if isinstance(stop, p.Choose)]
        self.places = list(dict.fromkeys(chosen))
        self.size = 2 + self.machine.seats
        for scalar in model.scalars.values():
            for key, path in enumerate(paths_of(scalar, self.machine.seat_names)):
                self._scalar(scalar, key, path)
        for zone in model.zones.values():
            for key, path in enumerate(paths_of(zone, self.machine.seat_names)):
                self._zone(zone, key, path)

    # ---------------------------------------------------------------- pieces of state

    def _scalar(self, scalar: Scalar, key: int, path: str) -> None:
        self._tell(path, "value", 1, self._values(scalar.type), self._seen(scalar, key))
        self._put(Do.COPY, scalar, key, 1)
        self._hide(scalar.sight, scalar, key, 1)

    def _zone(self, zone: Zone, key: int, path: str) -> None:
        sight, names = sight_of_size(zone), {"names": list(members_of(zone.kinds))}
        self._tell(path, "size", 1, self._seen(zone, key, sight))
        self._size(zone, key)
        self._hide(sight, zone, key, 1)
        if zone.top_seen and zone.shape in (Shape.PILE, Shape.DECK):
            self._tell(path, "top", 1, names)
            self._put(Do.TOP, zone, key, 1, 1)
        counted = zone.shape in (Shape.BAG, Shape.DECK)
        tells, shape = "counts" if counted else "members", {"shape": zone.shape.value}
        count = zone.width if counted else zone.capacity if zone.shape is Shape.PILE else 1
        self._tell(path, tells, count, shape, names, self._seen(zone, key))
        self._content(zone, key)
        if zone.columns_seen:
            columns = {
                c.name: {**self._values(c.type), "values": c.values} for c in zone.columns_seen
            }
            self._tell(path, f"{tells} alike", count, shape, {"columns": columns})
            do, table = Do.LIKE if counted else Do.LIKE_MEMBERS, self.tables.place(alike(zone))
            self._row(do, (0, 0), count, zone, key, table)
        self._hide(zone.sight, zone, key, count, after=count if zone.columns_seen else 0)
        for note in zone.notes:
            self._tell(f"{path}.{note.name}", "said", zone.capacity, self._values(note.type))
            self._put(Do.SPOTS, note, key, zone.capacity, 0, *self._cells(zone, key))

    def _size(self, zone: Zone, key: int) -> None:
        match zone.shape:
            case Shape.BAG if not self.machine.layout.is_by_place(zone):
                self._put(Do.SUM, zone, key, zone.width)
            case Shape.SLOT:
                self._put(Do.ANY, zone, key, 1)
            case Shape.BAG | Shape.PILE | Shape.DECK:
                self._put(Do.COPY, zone, key, 1)

    def _content(self, zone: Zone, key: int) -> None:
        layout = self.machine.layout
        match zone.shape:
            case Shape.PILE:
                self._put(Do.SPOTS, zone, key, zone.capacity, 1, *self._cells(zone, key))
            case Shape.SLOT:
                self._put(Do.SLOT, zone, key, 1)
            case Shape.BAG | Shape.DECK if layout.is_by_place(zone):
                numbers = numbers_at(layout, zone, key)
                for kind in zone.kinds:
                    real, shown = layout.state[id(kind)], layout.shown.get(id(kind))
                    bases = real.base, real.base if shown is None else shown.base
                    self._row(Do.TOLD, bases, len(kind), zone, key, len(numbers), numbers[0])
            case Shape.BAG:
                self._put(Do.COPY, zone, key, zone.width)
            case Shape.DECK:
                self._put(Do.COPY, zone, key, zone.width, 1 + zone.capacity)
                self._put(Do.KNOWN, zone, key, zone.capacity, 1, zone.width)

    # ---------------------------------------------------------------- rows

    def _tell(self, path: str, tells: str, count: int, *more: Mapping[str, object]) -> None:
        told: dict[str, object] = {"path": path, "tells": tells, "first": self.size, "count": count}
        for each in more:
            told.update(each)
        self.fields.append(told)
        self.size += count

    def _seen(self, what: Scalar | Zone, key: int, sight: Sight | None = None) -> dict[str, object]:
        """By whom, where not by all."""
        sight = what.sight if sight is None else sight
        match sight:
            case Sight.ALL:
                return {}
            case Sight.NOBODY:
                return {"seen by": []}
            case Sight.OWNER | Sight.OTHERS:
                owner, seats = owner_seat(what, key), range(self.machine.seats)
                return {"seen by": [s for s in seats if (s == owner) == (sight is Sight.OWNER)]}

    def _values(self, type_: Type) -> dict[str, object]:
        """How to read a number: by names, as a truth, as nothing; else it is itself."""
        match type_:
            case KindType(kind=kind):
                return {"names": list(kind.members)}
            case PlayerType():
                return {"names": list(self.machine.seat_names)}
            case BoolType():
                return {"truth": True}
            case MaybeType(inner=inner):
                return {**self._values(inner), "none": NONE}
            case _:
                return {}

    def _cells(self, what: Scalar | Zone | PlaceNote, key: int) -> tuple[int, int]:
        """The first cell of a copy as it is, and as others see it."""
        layout = self.machine.layout
        real = layout.slot(what)
        shown = layout.shown.get(id(what), real)
        return real.base + key * real.width, shown.base + key * shown.width

    def _put(
        self,
        do: Do,
        what: Scalar | Zone | PlaceNote,
        key: int,
        count: int,
        skip: int = 0,
        *more: int,
    ) -> None:
        """A row that reads the cells of a copy, from one of them on."""
        real, shown = self._cells(what, key)
        self._row(do, (real + skip, shown + skip), count, what, key, *more)

    def _row(
        self,
        do: Do,
        cells: tuple[int, int],
        count: int,
        what: Scalar | Zone | PlaceNote,
        key: int,
        *more: int,
    ) -> None:
        if not count:
            return
        owner = owner_seat(what, key)
        if do is Do.SPOTS:
            more = tuple(CELL * cell for cell in more)
        real, shown = (CELL * cell for cell in cells)
        self.rows.append(Row(do, real, shown, count, -1 if owner is None else owner, *more))

    def _hide(
        self, sight: Sight, what: Scalar | Zone, key: int, count: int, after: int = 0
    ) -> None:
        """Only who has the sight sees so many of the numbers before, behind which others are."""
        if sight is not Sight.ALL:
            self._row(Do.HIDE, (0, 0), count, what, key, CELL * (count + after), SIGHTS[sight])

    # ---------------------------------------------------------------- the function

    def functions(self, cells: int) -> list[str]:
        """The function `view` and what it calls; at an address there is room for the cells of a
        record as numbers."""
        numbers = [number for row in self.rows for number in astuple(row)]
        rows = self.tables.place(tuple(map(int, numbers)))
        stops = self.machine.stops
        where = [
            self.places.index(stop.where) if isinstance(stop, p.Choose) else UNSEEN
            for stop in stops
        ]
        place = self.tables.place(tuple(where))
        return view_functions(self.machine, rows, rows + CELL * len(numbers), place, cells)

    def describe(self) -> dict[str, object]:
        """What each number of a view is, for JSON."""
        phases = list(self.machine.phases)
        return {
            "numbers": self.size,
            "unseen": UNSEEN,
            "phases": phases,
            "places": self.places,
            "fields": self.fields,
        }
