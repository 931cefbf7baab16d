"""Playing a game on in mind: from a state to its end, by the policies and chance of a seed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

from attrs import define, field

from rulesdsl.agents.random import Agent, any_move
from rulesdsl.engines.chance import Stream
from rulesdsl.engines.choices import Bundle
from rulesdsl.engines.faults import RuleFault
from rulesdsl.play.asking import Asked
from rulesdsl.play.moves import Move
from rulesdsl.play.state import State

Policy: TypeAlias = Callable[[int], Agent]
"""Makes a player from a seed; it can play every seat."""

DECISIONS = 2_000
"""So many are made at most, since random moves may lead in circles."""
_PURPOSE = 4_000
"""Of the streams of players who choose an option at random."""


def played_on(state: State, move: Move, policy: Policy, seed: int) -> State:
    """A state after a move and all that follows, each seat played as the policy of a seed does.

    The state settles its own chance. Where the rules fail, it is the last one before.
    """
    with suppress(RuleFault):
        state.carry_out(move)
        play_on(state, policy(seed))
    return state


def play_on(state: State, agent: Agent) -> None:
    """Let one agent play all seats to the end. Raises RuleFault."""
    for _ in range(DECISIONS):
        actors = state.actors()
        if not actors:
            return
        state.carry_out(agent.choose(state, min(actors)))


@define
class OptionsAgent:
    """Chooses an option at random, then its arguments; else bids would crowd out passing."""

    seed: int = 0
    _stream: Stream = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._stream = Stream.of(self.seed, _PURPOSE)

    def choose(self, state: State, player: int) -> Move:
        asked = state.asked(player)
        if asked is None:
            raise ValueError(f"player {player} is not to act")
        return any_option(asked, asked.bundles(), self._stream)


def any_option(asked: Asked, bundles: list[Bundle], stream: Stream) -> Move:
    """A move at random: each option is as likely, then each of its moves."""
    options = list({id(bundle.option): bundle.option for bundle in bundles}.values())
    option = options[stream.below(len(options))]
    return any_move(asked, [one for one in bundles if one.option is option], stream)
