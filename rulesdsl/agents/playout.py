"""Playing a game on in mind: from a state to its end, by the players and chance of a seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Protocol, TypeAlias

from attrs import define, field, frozen

from rulesdsl.agents.random import Agent, any_move
from rulesdsl.agents.script import Script
from rulesdsl.agents.scripted import ScriptedAgent
from rulesdsl.engines import many, wasm
from rulesdsl.engines.chance import Stream
from rulesdsl.engines.choices import Bundle
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.finished import Finished
from rulesdsl.machine.policy import Policy
from rulesdsl.play.asking import Asked
from rulesdsl.play.history import Run
from rulesdsl.play.moves import Move
from rulesdsl.play.state import State

PlayOn: TypeAlias = Callable[[Sequence[int], Sequence[Policy | None], int, range], Finished]

DECISIONS = 2_000
"""So many are made at most, since random moves may lead in circles."""
_PURPOSE = 4_000
"""Of the streams of players who choose an option at random."""


class RolloutPolicy(Protocol):
    """How all seats play on in mind."""

    def agent(self, seed: int) -> Agent:
        """A player that can play every seat."""
        ...

    def to_end(self, state: State, seed: int) -> State:
        """A state that has gone on to the end; where the rules fail, the last one before."""
        ...


def played_on(state: State, move: Move, policy: RolloutPolicy, seed: int) -> State:
    """A state after a move and all that follows, each seat played as the policy of a seed does."""
    with suppress(RuleFault):
        state.carry_out(move)
        return policy.to_end(state, seed)
    return state


@frozen
class ByAgents:
    """By players of any kind, move by move; the state settles its own chance."""

    make: Callable[[int], Agent]

    def agent(self, seed: int) -> Agent:
        return self.make(seed)

    def to_end(self, state: State, seed: int) -> State:
        with suppress(RuleFault):
            play_on(state, self.make(seed))
        return state


@define(eq=False, slots=False)
class ByScript:
    """By a bot, on the fastest engine that is installed; each gives the same end."""

    script: Script

    def agent(self, seed: int) -> Agent:
        return ScriptedAgent(self.script, seed)

    def to_end(self, state: State, seed: int) -> State:
        rules = self.script.rules
        cast = [self.script.policy] * rules.machine.seats
        end = self._play(state.record, cast, seed, range(1)).records[0]
        return State(rules, end, Run.first(end))

    @cached_property
    def _play(self) -> PlayOn:
        rules = self.script.rules
        if not wasm.is_installed():
            return partial(many.play_on, rules.engine)
        from rulesdsl.engines.wasm.engine import WasmEngine

        return WasmEngine.of(rules.machine, [self.script.policy]).play_on


def play_on(state: State, agent: Agent) -> None:
    """Let one agent play all seats to the end. Raises RuleFault."""
    for _ in range(DECISIONS):
        actors = state.to_act
        if not actors:
            return
        state.carry_out(agent.choose(state, actors[0]))


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
