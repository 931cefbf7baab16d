"""Series cut into parts that take about as long as somebody likes to wait."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from attrs import define, field

from rulesdsl.lab.series.series import Series

SECONDS = 0.5
"""A part is to take so long: so often progress is told, and not more can be lost."""
MOST = 50_000
"""Games of a part, however fast they are."""


@define(eq=False)
class Batches:
    """Hands out parts of all series in turn, so that all are equally far at any time."""

    series: Sequence[Series]
    workers: int = 1
    _handed: list[int] = field(init=False)
    _rates: list[float] = field(init=False)
    """Games a second, by the last part of each."""
    _parts: list[int] = field(init=False)
    """How many parts of each have been timed; in the first much is made ready."""

    def __attrs_post_init__(self) -> None:
        self._handed = [0] * len(self.series)
        self._rates = [0.0] * len(self.series)
        self._parts = [0] * len(self.series)

    @property
    def left(self) -> int:
        """How many games are not handed out yet."""
        return sum(one.games for one in self.series) - sum(self._handed)

    def next(self) -> tuple[int, Series] | None:
        """The next part, with the index of its series."""
        open = [i for i, one in enumerate(self.series) if self._handed[i] < one.games]
        if not open:
            return None
        index = min(open, key=lambda i: self._handed[i] / self.series[i].games)
        whole, handed = self.series[index], self._handed[index]
        # near the end parts become smaller, so that all workers end at the same time
        size = max(1, min(int(self._rates[index] * SECONDS), ceil(self.left / self.workers), MOST))
        size = min(size, whole.games - handed)
        self._handed[index] += size
        return index, whole.part(whole.first + handed, size)

    def took(self, index: int, games: int, seconds: float) -> None:
        """Learn how long a part took."""
        self._rates[index] = games / max(seconds, 1e-6)
        self._parts[index] += 1

    def seconds_left(self) -> float | None:
        """How long one worker would take for what is not handed out; None: not known yet."""
        total = 0.0
        for index, one in enumerate(self.series):
            left = one.games - self._handed[index]
            if left and self._parts[index] < 2:
                return None
            total += left / self._rates[index] if left else 0.0
        return total
