"""States that a player holds for possible, kept from one of his decisions to the next."""

from __future__ import annotations

from attrs import define, field

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

    One that still fits goes on with what has happened since. As long as there are too few, new
    ones are made from the start of the game: `least` or more, fewer the longer it has been.
    """

    rules: Rules
    seat: int
    stream: Stream
    most: int = 8
    least: int = 2
    samples: list[Sample] = field(factory=list, init=False)
    log: tuple[Event, ...] = field(default=(), init=False)
    _resampler: Resampler = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._resampler = Resampler(self.rules, self.seat)

    def update(self, log: tuple[Event, ...], until: float | None = None) -> list[Sample]:
        """The samples that fit a log; none if none could be found (`until` a time).

        One for which there was no time stays as it was, and may go on at a later decision.
        """
        if log[: len(self.log)] != self.log:
            self.samples = []
        self.log = log
        kept: list[Sample] = []
        behind = list(self.samples)
        try:
            while behind:
                kept += self._tried(behind[0], 1, until)
                del behind[0]
            room = self.most - len(kept)
            fresh = max(1, self.least - len(kept), EVENTS // (len(log) + 1))
            for _ in range(min(room, fresh)):
                kept += self._tried(None, 4, until)
        except TimeUp:
            pass
        self.samples = kept + behind
        return kept

    def _tried(self, sample: Sample | None, attempts: int, until: float | None) -> list[Sample]:
        extend = self._resampler.extend
        try:
            return [extend(sample, self.log, self.stream, attempts, until=until)]
        except NoFit:
            return []


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
