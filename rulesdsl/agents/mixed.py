"""A player who makes a random move now and then: it comes to places where no plan leads."""

from __future__ import annotations

from attrs import define, field

from rulesdsl.agents.random import Agent, RandomAgent
from rulesdsl.engines.chance import Stream
from rulesdsl.play.moves import Move
from rulesdsl.play.state import State

_SLIPS = 3_000
"""The purpose of the stream that says which moves are random."""


@define
class MixedAgent:
    """One move in `one_in` is random, the others are those of an agent."""

    agent: Agent
    seed: int = 0
    one_in: int = 10
    _random: RandomAgent = field(init=False)
    _slips: Stream = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._random = RandomAgent(self.seed)
        self._slips = Stream.of(self.seed, _SLIPS)

    def choose(self, state: State, player: int) -> Move:
        slips = not self._slips.below(self.one_in)
        return (self._random if slips else self.agent).choose(state, player)
