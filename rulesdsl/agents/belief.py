"""States that a player holds for possible, kept from one of his decisions to the next."""

from __future__ import annotations

from attrs import define, evolve, field

from rulesdsl.engines.chance import Stream
from rulesdsl.play.events import Event
from rulesdsl.play.resampling.among import TimeUp
from rulesdsl.play.resampling.resample import NoFit, Resampler, Sample
from rulesdsl.play.rules import Rules
from rulesdsl.play.state import State

EVENTS = 1_000
"""How many events are played again for new samples at one decision; one sample is always made."""


@define(eq=False)
class Belief:
    """Up to `most` samples that fit the log of a seat.

    Each goes on with what has happened since. Where it does not fit any more it goes on from
    where it was some decisions ago, the more the oftener that fails. As long as there are too few,
    new ones are made from the start of the game: `least` or more, fewer the longer it has been.
    """

    rules: Rules
    seat: int
    stream: Stream
    most: int = 8
    least: int = 2
    lines: list[list[Sample]] = field(factory=list, init=False)
    """Each sample with those that it has gone on from, at earlier decisions."""
    log: tuple[Event, ...] = field(default=(), init=False)
    _resampler: Resampler = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._resampler = Resampler(self.rules, self.seat)

    def update(self, log: tuple[Event, ...], until: float | None = None) -> list[Sample]:
        """The samples that fit a log; none if none could be found (`until` a time).

        One for which there was no time stays as it was, and may go on at a later decision.
        """
        if log[: len(self.log)] != self.log:
            self.lines = []
        self.log = log
        kept: list[list[Sample]] = []
        behind = list(self.lines)
        try:
            while behind:
                kept += self._gone_on(behind[0], until)
                del behind[0]
            room = self.most - len(kept)
            fresh = max(1, self.least - len(kept), EVENTS // (len(log) + 1))
            for _ in range(min(room, fresh)):
                kept += self._tried([], 4, until)
        except TimeUp:
            pass
        self.lines = kept + behind
        return [line[-1] for line in kept]

    def _gone_on(self, line: list[Sample], until: float | None) -> list[list[Sample]]:
        """A line that has gone on, from its end or from before; none if it cannot."""
        back = 0
        while back < len(line):
            found = self._tried(line[: len(line) - back], 1, until)
            if found:
                return found
            back = 2 * back + 1
        return []

    def _tried(self, line: list[Sample], attempts: int, until: float | None) -> list[list[Sample]]:
        """A line gone on to the end of the log; without a line, from the start of the game."""
        last, extend = line[-1] if line else None, self._resampler.extend
        try:
            sample = extend(last, self.log, self.stream, attempts, until=until)
        except NoFit:
            return []
        return [[*line, *sample.passed, evolve(sample, passed=())]]


@define(eq=False)
class Beliefs:
    """What a searching player holds for possible, in each seat that it plays."""

    purpose: int
    """Of the streams of its guesses."""
    seed: int
    game: int
    most: int
    least: int
    _of: dict[int, Belief] = field(factory=dict, init=False)

    def of(
        self, state: State, player: int, until: float | None = None
    ) -> tuple[list[State], Stream]:
        """States that fit what a player has seen, and the stream of its guesses.

        After `until` (of `time.monotonic`) none is looked for.
        """
        belief = self._of.get(player)
        if belief is None:
            stream = Stream.of(self.seed, self.purpose + player, self.game)
            belief = Belief(state.rules, player, stream, self.most, self.least)
            self._of[player] = belief
        samples = belief.update(state.log(player), until)
        return [sample.state for sample in samples], belief.stream
