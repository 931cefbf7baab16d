"""States that fit what a player knows: the game played once more, by his log alone.

What the log tells is done as it was; what the player did not see is left to chance among what
agrees with all that he saw later. Where that fails the last thing left to chance is done
otherwise, and after too many failures all is begun anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from attrs import define, field, frozen

from rulesdsl.engines.chance import Stream
from rulesdsl.engines.faults import RuleFault
from rulesdsl.play.events import Event
from rulesdsl.play.faults import MoveError
from rulesdsl.play.history import Run
from rulesdsl.play.logs import news
from rulesdsl.play.moves import Move
from rulesdsl.play.resampling.among import Clash
from rulesdsl.play.resampling.foresight import CLASHES, CLASHES_LATER, Reading
from rulesdsl.play.resampling.guesses import Guesses
from rulesdsl.play.resampling.spots import Spots
from rulesdsl.play.rules import Rules
from rulesdsl.play.state import State

ATTEMPTS = 12
"""How often all is begun anew."""
DEAD_ENDS = 60
"""In how many dead ends an attempt may run without coming further."""


class NoFit(Exception):
    """No state was found that fits a log, within the bounds set for the search."""


@frozen
class Sample:
    """A state that fits a log, of which `read` events are in it.

    `exact`: it was drawn with the probability that chance gives to it. Else players chose among
    things unseen, and each of their choices that fits was taken as likely. `passed` are the states
    on the way at which the seat was to act.
    """

    state: State
    read: int
    exact: bool
    passed: tuple[Sample, ...] = ()


@define(eq=False, slots=False)
class Resampler:
    """Makes states that fit the logs of a seat. It is given logs, never a state of the game."""

    rules: Rules
    seat: int
    moves: dict[tuple[int, int, str], Move] = field(factory=dict, init=False)
    """Moves made aloud, by stop, player and text."""

    @cached_property
    def spots(self) -> Spots:
        return Spots(self.rules, self.seat)

    @cached_property
    def start(self) -> Sample:
        """Where every game begins."""
        machine = self.rules.machine
        record = list(machine.start)
        state = State(self.rules, record, Run.first(record))
        state.begin(machine.entry)
        return Sample(state, 0, True)

    def sample(self, log: tuple[Event, ...], stream: Stream, broken_off: bool = False) -> Sample:
        """A state with this log. Raises NoFit.

        The seat is to act or the game is over, unless the log was `broken_off` before that.
        """
        return self.extend(None, log, stream, broken_off=broken_off)

    def extend(
        self,
        sample: Sample | None,
        log: tuple[Event, ...],
        stream: Stream,
        attempts: int = ATTEMPTS,
        broken_off: bool = False,
        until: float | None = None,
    ) -> Sample:
        """Go on from a state that fits the beginning of a log until it fits all of it.

        Raises NoFit, and TimeUp after `until` (of `time.monotonic`).
        """
        begin, at = self._begin(sample, log)
        reading = Reading.of(self.spots, log, at, self._record(sample))
        exact = sample is None or sample.exact
        most = CLASHES if sample is None else CLASHES_LATER
        for attempt in range(attempts):
            try:
                foresight = reading.foresee(stream, most, until)
                guesses = Guesses(self.spots, log, foresight, stream, until)
                if not guesses.fits(begin, at):
                    continue
                found = Following(self, guesses, broken_off).follow(begin, at)
            except (NoFit, Clash):
                continue
            is_exact = exact and found.exact and attempt == 0
            passed = tuple(Sample(state, read, is_exact) for state, read in found.passed)
            return Sample(found.state, len(log), is_exact, passed)
        seat = self.rules.words.seats[self.seat]
        raise NoFit(f"no state was found that fits the {len(log)} events {seat} has seen")

    def _begin(self, sample: Sample | None, log: tuple[Event, ...]) -> tuple[State, int]:
        if sample is not None:
            return sample.state, sample.read
        first = news(self.start.state.last_run, None, self.seat, self.rules)
        paths = {str(path) for event in log for name, path in event.data if name in ("from", "to")}
        if tuple(first) != log[: len(first)] or not paths <= self.spots.by_path.keys():
            raise NoFit("this is no log of a game that begins as the rules say")
        return self.start.state, len(first)

    def _record(self, sample: Sample | None) -> list[int]:
        return list((self.start if sample is None else sample).state.record)


def resample(rules: Rules, seat: int, log: tuple[Event, ...], stream: Stream) -> Sample:
    """A state that fits the log of a seat which is to act. Raises NoFit."""
    return Resampler(rules, seat).sample(log, stream)


# ------------------------------------------------------------------ following a log


@frozen
class Found:
    state: State
    exact: bool
    passed: list[tuple[State, int]]


@frozen
class Fork:
    """Something left to chance, with what else it can be; `owner` is the player whose it is."""

    others: Iterator[tuple[State, int]]
    owner: int | None


@define(eq=False)
class Following:
    """One attempt to play a game so that a seat sees what a log tells."""

    resampler: Resampler
    guesses: Guesses
    broken_off: bool
    dead_ends: int = 0
    furthest: int = 0
    """How much of the log has been told, and in how many dead ends it ran since."""
    since: int = 0

    def follow(self, begin: State, at: int) -> Found:
        """Up to the end of the log, and (if not broken off) to where the seat is to act."""
        forks: list[Fork] = []
        passed: list[tuple[State, int]] = []
        state = begin
        length, seat, guesses = len(self.guesses.log), self.resampler.seat, self.guesses
        while True:
            if at == length and (self.broken_off or seat in state.asking() or state.is_over):
                return Found(state, guesses.exact and not self.dead_ends, passed)
            if seat in state.asking() and state is not begin:
                passed.append((state, at))
            guesses.blame = None
            owner, options = self._options(state, at)
            step = next(options, None)
            if step is None:
                step = self._back(forks)
                while passed and passed[-1][0].moves_made >= step[0].moves_made:
                    passed.pop()
            elif owner is not None:
                forks.append(Fork(options, owner if owner >= 0 else None))
            state, at = step
            if at > self.furthest:
                self.furthest, self.since = at, 0

    def _options(self, state: State, at: int) -> tuple[int | None, Iterator[tuple[State, int]]]:
        """How the game can go on; who chooses: None where the log tells, -1 for chance."""
        drawn = state.draw()
        if drawn is not None:
            return self.guesses.draws(state, at, *drawn)
        asking = state.asking()
        if not asking:
            return None, iter(())
        if self.resampler.seat in asking:
            return None, self._told(state, at, self.resampler.seat)
        player = min(asking)
        stop = asking[player].stop
        if stop.secretly or stop.region is not None:
            return player, self.guesses.secret(state, at, player)
        return None, self._told(state, at, player)

    def _told(self, state: State, at: int, player: int) -> Iterator[tuple[State, int]]:
        """The move that the log tells."""
        log = self.guesses.log
        if at == len(log) or log[at].kind != "chose":
            return
        data = dict(log[at].data)
        if data["player"] != self.resampler.rules.words.seats[player]:
            return
        text = str(data["move"])
        moves = self.resampler.moves
        key = (state.asking()[player].stop.number, player, text)
        child = state.unseeded()
        try:
            if key not in moves:
                moves[key] = state.move(text, player)
            child.apply(moves[key], player)
        except (MoveError, RuleFault):
            return
        reached = self.guesses.told(state, child, at)
        if reached is not None:
            yield child, reached

    def _back(self, forks: list[Fork]) -> tuple[State, int]:
        """Back to something left to chance that can be otherwise."""
        self.dead_ends += 1
        self.since += 1
        if self.since > DEAD_ENDS:
            raise NoFit
        blame = self.guesses.blame
        if blame is not None:
            last = [index for index, fork in enumerate(forks) if fork.owner == blame]
            if last:
                del forks[last[-1] + 1 :]
        while forks:
            step = next(forks[-1].others, None)
            if step is not None:
                return step
            forks.pop()
        raise NoFit
