"""A record of which only what one seat sees can be read."""

from __future__ import annotations

from typing import SupportsIndex, overload

from rulesdsl.check.model import Scalar, Shape, Zone
from rulesdsl.play.seen_columns import veiled
from rulesdsl.play.views import Views, sees, sees_size


class Unseen(Exception):
    """Something was read that the seat does not see."""


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
        for what, key, _ in views.state():
            slot = views.machine.layout.slot(what)
            start = slot.base + key * slot.width
            end = start + slot.width
            self[start:end] = find(what, key)
            if sees(what, key, seat):
                continue
            if what in columns:
                assert isinstance(what, Zone)
                self[start:end] = veiled(views.words, what, self[start:end])
            else:
                self._hide(what, key, seat, range(start, end))

    def _hide(self, what: Scalar | Zone, key: int, seat: int, cells: range) -> None:
        self._hidden.update(cells)
        if isinstance(what, Zone) and sees_size(what, key, seat):
            if what.shape is Shape.BAG:
                self._sums.add((cells.start, cells.stop))
            elif what.shape is not Shape.SLOT:
                self._hidden.discard(cells.start)
                if what.top_seen:
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
