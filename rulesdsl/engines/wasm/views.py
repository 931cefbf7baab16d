"""What a seat sees of a record, as numbers: a program of rows that `view` carries out.

Each row puts numbers behind those that are there, or makes some of them unseen. The numbers
are the same fields in the same order for every seat, so that a host knows where each one is.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from attrs import astuple, define, field, frozen

from rulesdsl.check.datatypes import NONE, BoolType, KindType, MaybeType, PlayerType, Type
from rulesdsl.check.model import PlaceNote, Scalar, Shape, Sight, Zone
from rulesdsl.check.owners import owner_seat
from rulesdsl.check.paths import members_of, paths_of
from rulesdsl.check.sights import alike, sight_of_size
from rulesdsl.engines.wasm.values import CELL, Tables
from rulesdsl.machine import program as p
from rulesdsl.machine.layout import numbers_at

UNSEEN = -(2**31)
"""Stands for a number that the seat does not see, and where nothing lies."""


class Do(IntEnum):
    """What a row does with `count` cells or numbers."""

    COPY = 0
    """The cells."""
    SUM = 1
    """One number: the sum of the cells."""
    ANY = 2
    """One number: 1 if the cell is not 0."""
    SLOT = 3
    """One number: the member in a slot, its cell less 1."""
    TOLD = 4
    """For each cell whether it is one of `first` numbers from `second` on."""
    SPOTS = 5
    """The cells as far as something lies there; how many lie there is in the cell `first`, as
    others see it in `second`."""
    TOP = 6
    """One number: what lies on top of a pile or deck."""
    KNOWN = 7
    """Nothing new: the cells, as far as something lies there, are counted among the `first`
    numbers before."""
    LIKE = 8
    """The same once more as the `count` numbers before, which are counts: those of members that
    are alike, by the table at `first`, with the first of them."""
    LIKE_MEMBERS = 9
    """The same of numbers that are members."""
    HIDE = 10
    """Nothing new: `count` of the numbers before, from `first` bytes before the end on, are unseen
    by those who do not have the sight `second`."""


@frozen
class Row:
    """`real` and `shown`: the bytes from the beginning of a record to the first cell, as it is and
    as others see it while a region is open; `owner`: the seat whose it is, or -1."""

    do: Do
    real: int = 0
    shown: int = 0
    count: int = 0
    owner: int = -1
    first: int = 0
    second: int = 0


_SIGHTS = {Sight.NOBODY: 1, Sight.OWNER: 2, Sight.OTHERS: 3}


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
            self._row(Do.HIDE, (0, 0), count, what, key, CELL * (count + after), _SIGHTS[sight])

    # ---------------------------------------------------------------- the function

    def functions(self) -> list[str]:
        """The function `view` and what it calls."""
        numbers = [number for row in self.rows for number in astuple(row)]
        rows = self.tables.place(tuple(map(int, numbers)))
        stops = self.machine.stops
        where = [
            self.places.index(stop.where) if isinstance(stop, p.Choose) else UNSEEN
            for stop in stops
        ]
        names = {
            "rows": rows,
            "end": rows + CELL * len(numbers),
            "row": CELL * len(Row.__attrs_attrs__),
            "phase": p.PHASE * CELL,
            "seats": self.machine.seats,
            "where": self.tables.place(tuple(where)),
            "unseen": UNSEEN,
            "owner": _SIGHTS[Sight.OWNER],
            "others": _SIGHTS[Sight.OTHERS],
        }
        return [_VIEW.format(**names)]

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


_VIEW = """\
;; what a seat sees, as numbers from an address on; returns the address behind them
(func $view (export "view") (param $s i32) (param $seat i32) (param $out i32) (result i32)
  (local $row i32) (local $from i32) (local $open i32)
  (local.set $open (call $in_region (local.get $s)))
  (local.set $out (call $view_now (local.get $s) (local.get $seat) (local.get $out)))
  (local.set $row (i32.const {rows}))
  (block $done (loop $each
    (br_if $done (i32.eq (local.get $row) (i32.const {end})))
    (local.set $from (i32.add (local.get $s) (select
      (i32.load offset=8 (local.get $row)) (i32.load offset=4 (local.get $row))
      (i32.and (local.get $open)
        (i32.ne (i32.load offset=16 (local.get $row)) (local.get $seat))))))
    (local.set $out (call $view_row (local.get $row) (local.get $from) (local.get $s)
      (local.get $seat) (local.get $open) (local.get $out)))
    (local.set $row (i32.add (local.get $row) (i32.const {row})))
    (br $each)))
  (local.get $out))

;; the phase, where somebody chooses, and for each seat whether it is asked
(func $view_now (param $s i32) (param $seat i32) (param $out i32) (result i32)
  (local $other i32)
  (i32.store (local.get $out) (i32.load offset={phase} (local.get $s)))
  (i32.store offset=4 (local.get $out) (i32.load offset={where}
    (i32.shl (call $stop_of (local.get $s)) (i32.const 2))))
  (local.set $out (i32.add (local.get $out) (i32.const 8)))
  (loop $each
    (i32.store (local.get $out) (i32.and
      (i32.ge_s (call $asked (local.get $s) (local.get $other)) (i32.const 0))
      (i32.or (i32.eq (local.get $other) (local.get $seat))
        (i32.eqz (call $in_region (local.get $s))))))
    (local.set $out (i32.add (local.get $out) (i32.const 4)))
    (br_if $each (i32.lt_u
      (local.tee $other (i32.add (local.get $other) (i32.const 1))) (i32.const {seats}))))
  (local.get $out))

;; carries out a row; returns the address behind all numbers
(func $view_row (param $row i32) (param $from i32) (param $s i32) (param $seat i32)
    (param $open i32) (param $out i32) (result i32)
  (local $count i32) (local $first i32) (local $second i32) (local $end i32) (local $sum i32)
  (local $place i32)
  (local.set $count (i32.load offset=12 (local.get $row)))
  (local.set $first (i32.load offset=20 (local.get $row)))
  (local.set $second (i32.load offset=24 (local.get $row)))
  (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
  (block $hide (block $like_members (block $like (block $known (block $top (block $spots
  (block $told (block $slot (block $any (block $sum_of (block $copy
    (br_table $copy $sum_of $any $slot $told $spots $top $known $like $like_members $hide
      (i32.load (local.get $row))))
    (memory.copy (local.get $out) (local.get $from) (i32.shl (local.get $count) (i32.const 2)))
    (return (local.get $end)))
    (loop $each
      (local.set $sum (i32.add (local.get $sum) (i32.load (local.get $from))))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (br_if $each (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
    (i32.store (local.get $out) (local.get $sum))
    (return (i32.add (local.get $out) (i32.const 4))))
    (i32.store (local.get $out) (i32.ne (i32.load (local.get $from)) (i32.const 0)))
    (return (local.get $end)))
    (i32.store (local.get $out) (select
      (i32.sub (i32.load (local.get $from)) (i32.const 1)) (i32.const {unseen})
      (i32.load (local.get $from))))
    (return (local.get $end)))
    (loop $each
      (i32.store (local.get $out) (i32.lt_u
        (i32.sub (i32.load (local.get $from)) (local.get $second)) (local.get $first)))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (br_if $each (i32.lt_u
        (local.tee $out (i32.add (local.get $out) (i32.const 4))) (local.get $end))))
    (return (local.get $end)))
    (local.set $count (i32.load (i32.add (local.get $s) (select
      (local.get $second) (local.get $first)
      (i32.and (local.get $open)
        (i32.ne (i32.load offset=16 (local.get $row)) (local.get $seat)))))))
    (loop $each
      (i32.store (local.get $out) (if (result i32) (i32.gt_s (local.get $count) (i32.const 0))
        (then (i32.load (local.get $from))) (else (i32.const {unseen}))))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (br_if $each (i32.lt_u
        (local.tee $out (i32.add (local.get $out) (i32.const 4))) (local.get $end))))
    (return (local.get $end)))
    (local.set $count (i32.load (i32.sub (local.get $from) (i32.const 4))))
    (local.set $sum (if (result i32) (local.get $count)
      (then (i32.load (i32.add (local.get $from)
        (i32.shl (i32.sub (local.get $count) (i32.const 1)) (i32.const 2)))))
      (else (i32.const -1))))
    (i32.store (local.get $out) (select (i32.const {unseen}) (local.get $sum)
      (i32.lt_s (local.get $sum) (i32.const 0))))
    (return (local.get $end)))
    (local.set $count (i32.load (i32.sub (local.get $from) (i32.const 4))))
    (local.set $end (i32.sub (local.get $out) (i32.shl (local.get $first) (i32.const 2))))
    (block $none (loop $each
      (br_if $none (i32.eqz (local.get $count)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (local.set $sum (i32.load (local.get $from)))
      (if (i32.ge_s (local.get $sum) (i32.const 0))
        (then
          (local.set $place
            (i32.add (local.get $end) (i32.shl (local.get $sum) (i32.const 2))))
          (i32.store (local.get $place)
            (i32.add (i32.load (local.get $place)) (i32.const 1)))))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (br $each)))
    (return (local.get $out)))
    (local.set $from (i32.sub (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (memory.fill (local.get $out) (i32.const 0) (i32.shl (local.get $count) (i32.const 2)))
    (loop $each
      (local.set $place (i32.add (local.get $out)
        (i32.shl (i32.load (local.get $first)) (i32.const 2))))
      (i32.store (local.get $place)
        (i32.add (i32.load (local.get $place)) (i32.load (local.get $from))))
      (local.set $first (i32.add (local.get $first) (i32.const 4)))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (br_if $each (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
    (return (local.get $end)))
    (local.set $from (i32.sub (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (loop $each
      (local.set $sum (i32.load (local.get $from)))
      (i32.store (local.get $out) (if (result i32) (i32.lt_s (local.get $sum) (i32.const 0))
        (then (i32.const {unseen}))
        (else (i32.load
          (i32.add (local.get $first) (i32.shl (local.get $sum) (i32.const 2)))))))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (br_if $each (i32.lt_u
        (local.tee $out (i32.add (local.get $out) (i32.const 4))) (local.get $end))))
    (return (local.get $end)))
  (local.set $place (i32.eq (i32.load offset=16 (local.get $row)) (local.get $seat)))
  (if (i32.eq (local.get $second) (i32.const {owner}))
    (then (if (local.get $place) (then (return (local.get $out))))))
  (if (i32.eq (local.get $second) (i32.const {others}))
    (then (if (i32.eqz (local.get $place)) (then (return (local.get $out))))))
  (local.set $from (i32.sub (local.get $out) (local.get $first)))
  (loop $each
    (i32.store (local.get $from) (i32.const {unseen}))
    (local.set $from (i32.add (local.get $from) (i32.const 4)))
    (br_if $each (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
  (local.get $out))
"""
