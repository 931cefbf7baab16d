"""Many games by one function that plays a game whole (see python/bulk.py).

Games are played in batches, whose random numbers are made at once. What players choose is
written into logs, and counted after a batch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from operator import length_hint, sub

from attrs import Factory, define, field

from rulesdsl.engines.chance import below
from rulesdsl.engines.choices import Bundle
from rulesdsl.engines.finished import Finished
from rulesdsl.engines.lanes import first_numbers
from rulesdsl.engines.preferring import Preferring
from rulesdsl.engines.python.bulk import Codes
from rulesdsl.engines.python.engine import FAILURES
from rulesdsl.engines.reference import Engine, WholeGame
from rulesdsl.engines.values import Numbers
from rulesdsl.machine.program import Choose
from rulesdsl.text.limits import STEPS_PER_MOVE

LARGEST_BATCH = 128
"""Batches begin with one game and double up to so many."""
NUMBERS_AT_FIRST = 32


@define(eq=False)
class Log:
    """What a bot of the cast has done, one entry after the other."""

    policy: Preferring | None
    """None: a random player."""
    asked: list[int] = Factory(list)
    """The codes of what was taken where there were several moves."""
    forced: list[int] = Factory(list)
    """The same where there was one."""
    guessed: list[int] = Factory(list)
    """The stops at which the policy had no preference."""


@define(eq=False)
class Seating:
    """The players of a game, by seat."""

    bots: list[Log]
    policies: list[Preferring | None] = field(init=False)
    asked: list[list[int]] = field(init=False)
    forced: list[list[int]] = field(init=False)
    logs: list[list[int]] = field(init=False)
    """All of them: those of what was asked, of guesses, and of what was forced."""

    def __attrs_post_init__(self) -> None:
        self.policies = [bot.policy for bot in self.bots]
        self.asked = [bot.asked for bot in self.bots]
        self.forced = [bot.forced for bot in self.bots]
        self.logs = [*self.asked, *(bot.guessed for bot in self.bots), *self.forced]

    def cut(self, lengths: Sequence[int]) -> None:
        """Forget what came after so many entries of each log."""
        for log, length in zip(self.logs, lengths, strict=True):
            del log[length:]


@define(eq=False)
class Whole:
    """Plays games with a cast, with random numbers under a seed."""

    engine: Engine
    function: WholeGame
    cast: list[Log]
    seed: int
    finished: Finished
    codes: Codes = field(init=False)
    seating: Seating = field(init=False)
    """Of the present game."""
    draws: Sequence[Iterator[int]] = field(default=(), init=False)
    """The random numbers of its seats."""
    _counts: list[int] = field(init=False)
    """How many random numbers are made for a game: of chance, and of each seat."""
    _over: tuple[list[int], list[int], list[int]] = field(factory=lambda: ([], [], []), init=False)
    """Numbers, rows and runs of games that are over."""

    def __attrs_post_init__(self) -> None:
        self.codes, self.seating = Codes(self.engine.machine), Seating(self.cast)
        self._counts = [NUMBERS_AT_FIRST] * (len(self.cast) + 1)

    def play(self, games: range, rotate: bool, by_stops: Callable[[int], None]) -> None:
        """Play the games of these numbers, `by_stops` those in which the function gets stuck."""
        turns = len(self.cast) if rotate else 1
        seatings = [Seating([*self.cast[i:], *self.cast[:i]]) for i in range(turns)]
        size = 1
        while games:
            batch, games = games[:size], games[size:]
            counts = self._counts
            streams = self._streams(batch, counts)
            for number, *numbers in zip(batch, *streams, strict=True):
                self.seating = seatings[number % turns]
                if not self._play(number, numbers):
                    self._keep()
                    by_stops(number)
            self._keep()
            self._count()
            if self._counts is counts:
                least = [min(map(length_hint, those)) for those in streams]
                self._counts = list(map(_enough, counts, least))
            size = min(2 * size, LARGEST_BATCH)

    def _streams(self, games: range, counts: list[int]) -> list[list[Iterator[int]]]:
        """Random numbers by purpose and game."""
        made = [first_numbers(self.seed, purpose, games, n) for purpose, n in enumerate(counts)]
        return [[iter(found[i :: len(games)]) for i in range(len(games))] for found in made]

    def _play(self, number: int, streams: Sequence[Iterator[int]]) -> bool:
        """One game; False if it got stuck, and nothing of it was kept."""
        seating = self.seating
        before = list(map(len, seating.logs))
        while True:
            record, (chance, *self.draws) = list(self.engine.machine.start), streams
            try:
                runs = self.function(
                    record,
                    chance,
                    self.draws,
                    seating.asked,
                    seating.forced,
                    seating.policies,
                    self.choose,
                )
            except StopIteration:
                # it needs more random numbers
                self._counts = [2 * count for count in self._counts]
                found = self._streams(range(number, number + 1), self._counts)
                streams = [stream for (stream,) in found]
                seating.cut(before)
            except FAILURES:
                seating.cut(before)
                return False
            else:
                numbers, rows, all_runs = self._over
                numbers.append(number)
                rows += map(sub, map(len, seating.logs[: 2 * len(streams) - 2]), before)
                rows += record
                all_runs.append(runs)
                return True

    def choose(self, number: int, record: Numbers, seat: int) -> tuple[int, tuple[int, ...]]:
        """The option a player takes, with its parameters; -1 if there is none."""
        stop, bot = self.engine.machine.stops[number], self.seating.bots[seat]
        assert isinstance(stop, Choose)
        bundles = self.engine.choices(stop).bundles(record, {-1: STEPS_PER_MOVE})
        if not bundles:
            return -1, ()
        log = bot.forced
        if len(bundles) > 1 or len(bundles[0]) > 1:
            log = bot.asked
            if bot.policy is not None:
                preferred = bot.policy.preferred(number, record, seat, bundles)
                if not preferred:
                    bot.guessed.append(number)
                bundles = preferred or bundles
        bundle, values = any_of(bundles, self.draws[seat].__next__)
        option = next(i for i, one in enumerate(stop.options) if one is bundle.option)
        log.append(self.codes.first[number] + option)
        return option, values

    def _keep(self) -> None:
        """Hand over the games that are over."""
        self.finished.extend(*self._over)
        for those in self._over:
            those.clear()

    def _count(self) -> None:
        """Count what the logs say, and clear them."""
        finished, of = self.finished, self.codes.of
        for bot, log in enumerate(self.cast):
            for code, times in Counter(log.asked).items():
                finished.asked[bot, of[code][0]] += times
                finished.taken[bot, *of[code]] += times
            for code, times in Counter(log.forced).items():
                finished.taken[bot, *of[code]] += times
            for stop, times in Counter(log.guessed).items():
                finished.guessed[bot, stop] += times
            for entries in (log.asked, log.forced, log.guessed):
                entries.clear()


def _enough(count: int, left: int) -> int:
    """How many random numbers to make, if of so many so many were left at the least."""
    used = count - left
    return used + used // 2 + 1


def any_of(bundles: list[Bundle], draw: Callable[[], int]) -> tuple[Bundle, tuple[int, ...]]:
    """One of the moves, each as likely: its bundle and its parameters."""
    index = below(draw, sum(map(len, bundles)))
    for bundle in bundles:
        if index < len(bundle):
            return bundle, bundle.values(index)
        index -= len(bundle)
    raise AssertionError("there is a move")
