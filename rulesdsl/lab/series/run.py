"""Series played to their ends, here or by others, with what is done kept on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TypeAlias

from attrs import define, field, frozen

from rulesdsl.lab.series.batches import Batches
from rulesdsl.lab.series.interrupts import Interrupts
from rulesdsl.lab.series.play import tell_faults
from rulesdsl.lab.series.series import Series
from rulesdsl.lab.series.table import Table, empty_table
from rulesdsl.lab.series.work import Bench, Work, Workers

ALONE = 4.0
"""Seconds: what takes longer is shared with others, who need some time to begin."""
WARM = 10.0
"""Seconds after which others help even if it is not known yet how long it will take."""
AHEAD = 2
"""Parts that each worker has before it."""
WAIT = 0.2
"""Seconds after which Ctrl-C is noticed while others work."""

Tell: TypeAlias = Callable[[int], None]
"""Told of games that are done."""


@frozen
class Played:
    """A series and what is known of those of its games that were played."""

    series: Series
    table: Table


@frozen
class Run:
    """What came of some series: all of them in their order, however far they came."""

    played: tuple[Played, ...]
    seconds: float
    stopped: bool
    """Whether Ctrl-C has ended it."""
    failed: str
    """Why it ended early, if it was not Ctrl-C."""

    @property
    def games(self) -> int:
        return sum(one.table.played for one in self.played)


def run(
    series: Sequence[Series],
    bench: Bench,
    tell: Tell = lambda games: None,
    others: Callable[[], Workers] | None = None,
    at_once: bool = False,
) -> Run:
    """Play series. What would take long is given to `others`; `at_once`: all of it is."""
    runner = _Runner(series, bench, tell)
    begun = perf_counter()
    with runner.interrupts:
        if not at_once or others is None:
            runner.alone(None if others is None else ALONE)
        if others is not None and not runner.over:
            workers = others()
            try:
                runner.share(workers)
            finally:
                workers.close()
        return runner.result(perf_counter() - begun)


@define(eq=False)
class _Runner:
    series: Sequence[Series]
    bench: Bench
    tell: Tell
    interrupts: Interrupts = field(factory=Interrupts)
    failed: str = ""
    _batches: Batches = field(init=False)
    _done: list[list[tuple[int, Table]]] = field(init=False)
    """For each series the first number of each part, and its table."""

    def __attrs_post_init__(self) -> None:
        self._batches = Batches(self.series)
        self._done = [[] for _ in self.series]

    @property
    def over(self) -> bool:
        return bool(self.interrupts.asked or self.failed or not self._batches.left)

    def alone(self, most: float | None) -> None:
        """Play here, unless it would take more seconds than that."""
        begun = perf_counter()
        while not self.over:
            left = self._batches.seconds_left()
            if most is not None and left is None and perf_counter() - begun > WARM:
                return
            if most is not None and left is not None and left > most:
                return
            found = self._batches.next()
            assert found is not None
            work: Work | None = None
            with self.interrupts.may_break():
                work = self.bench.play(found[1])
            if work is not None:
                self._take(found[0], work)

    def share(self, workers: Workers) -> None:
        """Let others play what is left."""
        self._batches.workers = workers.count
        open: dict[Series, int] = {}
        while not self.interrupts.asked and not self.failed:
            while len(open) < workers.count * AHEAD and (found := self._batches.next()):
                open[found[1]] = found[0]
                workers.submit(found[1])
            if not open:
                return
            for work in workers.finished(WAIT):
                self._take(open.pop(work.part), work)

    def _take(self, index: int, work: Work) -> None:
        if work.table is None:
            self.failed = work.failed
            return
        self._done[index].append((work.part.first, work.table))
        self._batches.took(index, work.part.games, work.seconds)
        self.tell(work.part.games)

    def result(self, seconds: float) -> Run:
        """All that was played, in the order of the numbers."""
        played = []
        for series, parts in zip(self.series, self._done, strict=True):
            table = empty_table(self.bench.ready(series).game)
            for _, part in sorted(parts, key=lambda one: one[0]):
                table.add(part)
            tell_faults(self.bench.ready(series), series, table)
            played.append(Played(series, table))
        stopped = self.interrupts.asked and bool(self._batches.left or self._lacking())
        return Run(tuple(played), seconds, stopped, self.failed)

    def _lacking(self) -> bool:
        wanted = sum(one.games for one in self.series)
        return wanted > sum(table.played for parts in self._done for _, table in parts)
