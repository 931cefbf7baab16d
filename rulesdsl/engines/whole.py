"""Many games by one function that plays a game whole (see python/bulk.py).

Games are played in batches, whose random numbers are made at once. What players choose is
written into logs, and counted after a batch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import length_hint, sub

from attrs import Factory, define, field

from rulesdsl.engines.chance import DRAWS, Stream
from rulesdsl.engines.choices import Bundle
from rulesdsl.engines.finished import Finished
from rulesdsl.engines.lanes import HEAD, REST, heads
from rulesdsl.engines.preferring import Preferring
from rulesdsl.engines.python.bulk import Codes
from rulesdsl.engines.python.engine import FAILURES
from rulesdsl.engines.reference import Engine, WholeGame
from rulesdsl.engines.values import Numbers
from rulesdsl.machine.program import Choose, Draw
from rulesdsl.text.limits import MOVES_PER_GAME, STEPS_PER_MOVE

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
    played: list[list[int]] = field(init=False)
    """The logs of what was asked, then those of guesses."""
    logs: list[list[int]] = field(init=False)
    """The same, then those of what was forced."""

    def __attrs_post_init__(self) -> None:
        self.policies = [bot.policy for bot in self.bots]
        self.asked = [bot.asked for bot in self.bots]
        self.forced = [bot.forced for bot in self.bots]
        self.played = [*self.asked, *(bot.guessed for bot in self.bots)]
        self.logs = [*self.played, *self.forced]

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
    number: int = field(default=0, init=False)
    """Of the present game."""
    seating: Seating = field(init=False)
    draws: list[Iterator[int]] = field(factory=list, init=False)
    """The heads of its random numbers: of each seat, and of chance."""
    _counts: list[int] = field(init=False)
    """How many of them are made for a game, by purpose."""
    _made: list[int] = field(factory=list, init=False)
    """The same for the present game, which may have begun again with more."""
    _over: tuple[list[int], list[int], list[int]] = field(factory=lambda: ([], [], []), init=False)
    """Numbers, rows and runs of games that are over."""

    def __attrs_post_init__(self) -> None:
        stops = self.engine.machine.stops
        self.codes, self.seating = Codes(self.engine.machine), Seating(self.cast)
        self._counts = [NUMBERS_AT_FIRST] * (len(self.cast) + 1)
        if not any(isinstance(stop, Draw) for stop in stops):
            self._counts[DRAWS] = 0

    def play(self, games: range, rotate: bool, by_stops: Callable[[int], None]) -> None:
        """Play the games of these numbers, `by_stops` those in which the function gets stuck."""
        turns = len(self.cast) if rotate else 1
        seatings = [Seating([*self.cast[i:], *self.cast[:i]]) for i in range(turns)]
        size = 1
        while games:
            batch, games = games[:size], games[size:]
            counts = self._counts
            streams = self._streams(batch, counts)
            for self.number, *self.draws in zip(batch, *streams, strict=True):
                self.seating, self._made = seatings[self.number % turns], counts
                if not self._play():
                    self._keep()
                    by_stops(self.number)
            self._keep()
            self._count()
            if self._counts is counts:
                *seats, chance = [min(map(length_hint, those)) for those in streams]
                self._counts = list(map(_enough, counts, [chance, *seats]))
            size = min(2 * size, LARGEST_BATCH)

    def _streams(self, games: range, counts: list[int]) -> list[list[Iterator[int]]]:
        """Random numbers by whose they are and game."""
        chance, *seats = [list(map(iter, those)) for those in heads(self.seed, games, counts)]
        return [*seats, chance]

    def _play(self) -> bool:
        """The present game; False if it got stuck, and nothing of it was kept."""
        seating = self.seating
        before = list(map(len, seating.logs))
        while True:
            record = list(self.engine.machine.start)
            try:
                runs = self.function(
                    record,
                    self.draws,
                    self.exactly,
                    seating.asked,
                    seating.forced,
                    seating.policies,
                    self.choose,
                )
            except StopIteration:
                # it needs more random numbers
                if not self._make_more():
                    seating.cut(before)
                    return False
                self._counts = list(map(max, self._counts, self._made))
                found = self._streams(range(self.number, self.number + 1), self._made)
                self.draws = [stream for (stream,) in found]
                seating.cut(before)
            except FAILURES:
                seating.cut(before)
                return False
            else:
                numbers, rows, all_runs = self._over
                numbers.append(self.number)
                rows += map(sub, map(len, seating.played), before)
                rows += record
                all_runs.append(runs)
                return True

    def _make_more(self) -> bool:
        """Twice as many random numbers are to be made for the present game; False if it has used
        up as many as no game may."""
        *seats, chance = map(length_hint, self.draws)
        used = [count for count, left in zip(self._made, [chance, *seats], strict=True) if not left]
        self._made = [2 * count for count in self._made]
        return max(used) <= MOVES_PER_GAME

    def exactly(self, who: int, n: int) -> int:
        """The number that is drawn below n, where the head that was taken last from the random
        numbers of somebody does not tell."""
        purpose, draws = (who + 1) % len(self.draws), self.draws[who]
        stream = Stream.of(self.seed, purpose, self.number)
        taken = self._made[purpose] - length_hint(draws)
        stream.position = taken - 1
        found = stream.below(n)
        for _ in range(stream.position - taken):
            next(draws)
        return found

    def _below(self, who: int, n: int) -> int:
        """A number from 0 to n - 1 for a seat, each equally likely."""
        product = next(self.draws[who]) * n
        return product >> HEAD if product & REST > n else self.exactly(who, n)

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
        bundle, values = any_of(bundles, partial(self._below, seat))
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
    return max(used + used // 8 + 1, count - count // 4) if count else 0


def any_of(bundles: list[Bundle], below: Callable[[int], int]) -> tuple[Bundle, tuple[int, ...]]:
    """One of the moves, each as likely, given what draws below a number: its bundle and its
    parameters."""
    index = below(sum(map(len, bundles)))
    for bundle in bundles:
        if index < len(bundle):
            return bundle, bundle.values(index)
        index -= len(bundle)
    raise AssertionError("there is a move")
