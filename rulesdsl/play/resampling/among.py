"""Which components came with a move of which a seat saw only how many."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping

from attrs import define, field

from rulesdsl.engines.chance import Stream
from rulesdsl.play.resampling.known import MANY, Known
from rulesdsl.play.resampling.spots import Row, Spot, Spots, Step


class TimeUp(Exception):
    """The time that was given for a search is over."""


def in_time(until: float | None) -> None:
    """Raises TimeUp after a time (of `time.monotonic`), if there is one."""
    if until is not None and time.monotonic() > until:
        raise TimeUp


class Clash(Exception):
    """What was left to chance does not agree with what is known."""


@define(eq=False)
class Among:
    """Which needed components of a place came with a move of which only the number was seen."""

    spots: Spots
    total: Mapping[str, int]
    stream: Stream
    step: Step
    origin: Spot
    target: Spot
    known: Known
    needed: Counter[str]
    leaving: Counter[str]
    """What is needed in the origin after the move."""
    guessed: bool = field(default=False, init=False)
    chosen: Counter[str] = field(factory=Counter, init=False)
    rows: Counter[Row] = field(init=False)
    """The columns seen that are not accounted for."""
    row_of: dict[str, Row] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.rows = Counter(self.step.rows)
        if self.step.rows:
            self.row_of = self.spots.rows_of(self.origin.path, self.target.path)

    def choose(self) -> Counter[str]:
        """A choice at random within what is known. Raises Clash."""
        if not self.needed:
            return self.chosen
        most = self._bounds()
        open_ = [n for n in self.needed for _ in range(most[n] - self.chosen[n])]
        self._make_room(open_)
        slots = self.step.count - self.chosen.total()
        if open_ and self.step.rows:
            self._with_rows(open_)
        elif open_ and self.known.sizes[1] < MANY:
            places = self.known.sizes[1] + self.step.count
            self._at_random(open_, slots, places - self.chosen.total())
        if self.chosen.total() > self.step.count or self.origin_needs() > self.known.sizes[0]:
            raise Clash
        return self.chosen

    def origin_needs(self) -> int:
        return ((self.leaving + self.chosen) | Counter(self.known.origin)).total()

    def _bounds(self) -> Counter[str]:
        """What must have come with the move goes into `chosen`; at most how many can have."""
        most: Counter[str] = Counter()
        total, known = self.total, self.known
        for name, number in self.needed.items():
            here = known.most_in_target(total, name)
            there = known.most_in_origin(total, name) - self.leaving[name]
            least = max(0, number - here)
            most[name] = min(number, self.step.count, there)
            if least > most[name]:
                raise Clash
            for _ in range(least):
                self._take(name)
        return most

    def _at_random(self, open_: list[str], slots: int, places: int) -> None:
        """Each component that lay in the place afterwards is as likely to have come."""
        stream = self.stream
        for name in list(open_):
            if slots <= 0:
                return
            if places <= slots or stream.below(places) < slots:
                self._take(name)
                open_.remove(name)
                slots -= 1
            if places > slots:
                self.guessed = True
            places -= 1

    def _with_rows(self, open_: list[str]) -> None:
        """Likewise, each among those with the same columns."""
        rows, row_of = self.spots.rows, self.row_of
        after = Counter(self.known.rows[1]) + Counter(self.step.rows) | rows(self.needed)
        stream = self.stream
        for name in list(open_):
            places, slots = after[row_of[name]], self.rows[row_of[name]]
            if slots and stream.below(max(places, slots)) < slots:
                self._take(name)
                open_.remove(name)
            after[row_of[name]] -= 1
            self.guessed = True

    def _make_room(self, open_: list[str]) -> None:
        """What does not fit into the place before must have come too."""
        while True:
            before = self.needed - self.chosen
            too_many = self._crowding(before, open_)
            if too_many is None:
                return
            names = sorted({name for name in too_many if self._has_row(name)})
            if not names or self.chosen.total() >= self.step.count:
                raise Clash
            name = names[self.stream.below(len(names))]
            self._take(name)
            open_.remove(name)

    def _crowding(self, before: Counter[str], open_: list[str]) -> list[str] | None:
        """Those of which one has to go if what was needed before is too much; None if not."""
        size, known = self.known.sizes[1], self.known
        if (before | Counter(known.target)).total() > size:
            return [name for name in open_ if before[name] > known.target.get(name, 0)]
        rows, row_of = self.spots.rows(before), self.spots.row_of
        if (rows | Counter(known.rows[1])).total() > size:
            return [
                name
                for name in open_
                if name in row_of and rows[row_of[name]] > known.rows[1].get(row_of[name], 0)
            ]
        return None

    def _has_row(self, name: str) -> bool:
        """Whether its columns are among those that were seen."""
        return not self.step.rows or self.rows[self.row_of[name]] > 0

    def _take(self, name: str) -> None:
        if self.step.rows:
            if not self._has_row(name):
                raise Clash
            self.rows[self.row_of[name]] -= 1
        self.chosen[name] += 1
