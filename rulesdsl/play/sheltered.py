"""A record of which only what one seat sees can be read."""

from __future__ import annotations

from typing import Self, SupportsIndex, overload

from attrs import Factory, define

from rulesdsl.check.model import Shape, Zone
from rulesdsl.check.sights import sees, sees_size
from rulesdsl.machine.layout import numbers_at, numbers_told, own_cells, told_in
from rulesdsl.machine.program import Layout
from rulesdsl.play.seen_columns import spread, veiled
from rulesdsl.play.views import Views


class Unseen(Exception):
    """Something was read that the seat does not see."""


class Whereabouts(int):
    """Where a component lies as far as a seat sees it.

    It is equal to the number of each place in which the seat sees it: while a region is open this
    may be none or two. Whether it lies in a place not seen cannot be asked.
    """

    numbers: set[int]
    unseen: set[int]

    def __new__(cls, numbers: set[int], unseen: set[int]) -> Self:
        made = super().__new__(cls, 0)
        made.numbers, made.unseen = numbers, unseen
        return made

    def __eq__(self, other: object) -> bool:
        if other in self.unseen:
            raise Unseen
        return other in self.numbers

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = int.__hash__


class Sheltered(list[int]):
    """Reading a cell that is not seen raises Unseen.

    The cells of a bag of which only the size is seen can be read together, for their sum. In
    the places of `columns` lie other components with the same columns, which can be read.
    """

    __slots__ = ("_hidden", "_sums")

    def __init__(
        self,
        views: Views,
        record: list[int],
        seat: int,
        together: bool,
        columns: frozenset[Zone] = frozenset(),
    ) -> None:
        """`together`: a region is open, so that others' things are seen as they were."""
        super().__init__(record)
        self._hidden: set[int] = set()
        self._sums: set[tuple[int, int]] = set()
        find = views.shown_cells(record, seat) if together else views.cells(record)
        layout = views.machine.layout
        telling = _Telling(layout)
        for what, key, _ in views.state():
            cells, seen = find(what, key), sees(what, key, seat)
            if isinstance(what, Zone):
                if not seen and what in columns:
                    cells = spread(views.words, what, veiled(views.words, what, cells))
                    seen = True
                if layout.is_by_place(what):
                    telling.add(what, key, cells, seen)
                cells = own_cells(layout, what, cells)
            start = layout.slot(what).base + key * len(cells)
            own = range(start, start + len(cells))
            self[own.start : own.stop] = cells
            if not seen:
                self._hidden.update(own)
                if isinstance(what, Zone) and sees_size(what, key, seat):
                    self._show_size(what, own, layout.is_by_place(what))
        for cell, numbers in telling.seen.items():
            self[cell] = Whereabouts(numbers, telling.unseen)

    def _show_size(self, zone: Zone, cells: range, by_place: bool) -> None:
        if zone.shape is Shape.BAG and not by_place:
            self._sums.add((cells.start, cells.stop))
        elif zone.shape is not Shape.SLOT:
            self._hidden.discard(cells.start)
            if zone.top_seen:
                self._hidden.discard(cells.start + super().__getitem__(cells.start))

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> list[int]: ...
    def __getitem__(self, at: SupportsIndex | slice, /) -> int | list[int]:
        if isinstance(at, slice):
            start, stop = at.start, at.stop
            if (start, stop) not in self._sums and not self._hidden.isdisjoint(range(start, stop)):
                raise Unseen
        elif at in self._hidden:
            raise Unseen
        return super().__getitem__(at)


@define
class _Telling:
    """What components tell of their places to a seat, while it is gathered."""

    layout: Layout
    seen: dict[int, set[int]] = Factory(dict)
    """The numbers of the places in which a component is seen, by its cell."""
    unseen: set[int] = Factory(set)
    """The numbers of the places that are not seen."""
    _cells: dict[int, tuple[int, ...]] = Factory(dict)
    """By id() of a zone, of which there may be many copies."""

    def add(self, zone: Zone, key: int, cells: list[int], seen: bool) -> None:
        if not seen:
            self.unseen.update(numbers_at(self.layout, zone, key))
        here = self._cells.get(id(zone))
        if here is None:
            here = self._cells[id(zone)] = told_in(self.layout, zone)
            for cell in here:
                self.seen.setdefault(cell, set())
        for member, number in numbers_told(self.layout, zone, key, cells).items():
            self.seen[here[member]].add(number)
