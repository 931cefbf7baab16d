"""Engines play the same game step by step, and are compared at every stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol, TypeAlias

from attrs import define, field

from rulesdsl.agents.random import Agent, RandomAgent
from rulesdsl.engines.chance import Stream
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.reference import Engine
from rulesdsl.machine.program import Choose, Machine, Option
from rulesdsl.play.game import Game
from rulesdsl.play.moves import Move
from rulesdsl.play.state import State
from rulesdsl.text.limits import STEPS_PER_MOVE

Legal: TypeAlias = tuple[int, ...]
"""A move of a choice: the number of the option, its parameters (0 if it has none)."""


class Stepped(Protocol):
    """A game in one engine. What the rules do wrong is raised, and leaves it as it was."""

    def start(self) -> object: ...

    def numbers(self) -> tuple[int, ...]:
        """The record."""
        ...

    def asked(self) -> dict[int, int]:
        """The choices of those who may act, by seat."""
        ...

    def view(self, seat: int) -> dict[str, object]:
        """What a seat sees."""
        ...

    def legal(self, seat: int) -> list[Legal]:
        """The legal moves of one who may act, in their order."""
        ...

    def chance(self) -> tuple[int, list[int]] | None:
        """The draw that is next, with its weights."""
        ...

    def apply(self, seat: int, option: int, values: tuple[int, ...]) -> object:
        """A legal move: the number of its option at the choice, and its parameters."""
        ...

    def draw(self, outcome: int) -> object: ...

    def more(self) -> object:
        """What states tell besides; None in other engines."""
        ...


@define(eq=False)
class InStates:
    """A game in states of an engine."""

    machine: Machine
    engine: Engine
    _state: State | None = field(default=None, init=False)
    _left: int = field(default=0, init=False)
    """The steps that looking for legal moves has left."""

    @property
    def state(self) -> State:
        assert self._state is not None, "the game has begun"
        return self._state

    def start(self) -> None:
        game = Game(self.machine)
        game.rules.engine = self.engine
        self._state = game.start()

    def numbers(self) -> tuple[int, ...]:
        assert all(type(number) is int for number in self.state.record)
        return self.state.record

    def asked(self) -> dict[int, int]:
        stops = {seat: self.state.choice(seat) for seat in self.state.to_act}
        return {seat: stop.number for seat, stop in stops.items() if stop is not None}

    def view(self, seat: int) -> dict[str, object]:
        return self.state.view(seat)

    def legal(self, seat: int) -> list[Legal]:
        asked, registers = self.state.asked(seat), {-1: STEPS_PER_MOVE}
        assert asked is not None
        found = self.engine.choices(asked.stop).bundles(asked.scene, registers)
        self._left = registers[-1]
        return [
            (place(bundle.option, asked.stop), *bundle.prefix, last)
            for bundle in found
            for last in bundle.lasts
        ]

    def chance(self) -> tuple[int, list[int]] | None:
        drawn = self.state.draw()
        return None if drawn is None else (drawn[0].number, self.state.weights(*drawn))

    def apply(self, seat: int, option: int, values: tuple[int, ...]) -> None:
        asked = self.state.asked(seat)
        assert asked is not None
        form = self.state.rules.form(asked.stop.options[option])
        self.state.apply(Move.of(seat, form, values, None))

    def draw(self, outcome: int) -> None:
        self.state.apply_chance(outcome)

    def more(self) -> object:
        """How often each rule was at work, the steps left, and how the game has ended."""
        if self._state is None:
            return self.engine.fired
        return self.engine.fired, self._left, self._state._left, str(self._state.outcome)


def place(option: Option, stop: Choose) -> int:
    """The number of an option at a choice."""
    return next(number for number, one in enumerate(stop.options) if one is option)


@define(eq=False)
class SideBySide:
    """One game in several engines, the first one in states. `stops` counts the stops compared.

    Who acts and what chance brings is random; seat s has agent s, in turn where there are fewer.
    """

    engines: Sequence[Stepped]
    seed: int
    agents: Sequence[Agent] = ()
    stops: int = 0
    fault: RuleFault | None = None
    random: Random = field(init=False)
    chance: Stream = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.random, self.chance = Random(self.seed), Stream.of(self.seed)
        self.agents = self.agents or [RandomAgent(self.seed)]

    @classmethod
    def of(cls, machine: Machine, engines: Sequence[Engine], seed: int) -> SideBySide:
        return cls([InStates(machine, engine) for engine in engines], seed)

    @property
    def state(self) -> State:
        assert isinstance(self.engines[0], InStates)
        return self.engines[0].state

    def play(self, most: int = 10_000) -> SideBySide:
        """Compare from the start to the end, a fault in all, or the number of stops."""
        going = self.agree("start", lambda one: one.start())
        while going and self.stops < most:
            self.stops += 1
            self.agree("record", lambda one: one.numbers())
            self._see(self.stops % len(self.state.rules.words.seats))
            going = self._step()
        return self

    def _step(self) -> bool:
        """One move or outcome of chance in all; whether there was one, without a fault."""
        if not self.agree("chance", lambda one: one.chance()):
            return False
        self.agree("choices", lambda one: one.asked())
        drawn, actors = self.state.draw(), self.state.to_act
        if drawn is not None:
            outcome = self.chance.pick(self.state.weights(*drawn))
            return self.agree("draw", lambda one: one.draw(outcome))
        if not all(self._look(seat) for seat in actors) or not actors:
            return False
        seat = self.random.choice(actors)
        stop = self.state.choice(seat)
        move = self.agents[seat % len(self.agents)].choose(self.state, seat)
        assert stop is not None
        assert move.choice is not None
        option, values = place(move.choice[0], stop), move.choice[1]
        return self.agree("move", lambda one: one.apply(seat, option, values))

    def _see(self, seat: int) -> None:
        self.agree("view", lambda one: one.view(seat))

    def _look(self, seat: int) -> bool:
        return self.agree("legal moves", lambda one: one.legal(seat))

    def agree(self, what: str, ask: Callable[[Stepped], object]) -> bool:
        """Ask all the same, or do it; whether they all do without a fault, or all have the same."""
        found: list[object] = []
        words: list[object] = []
        for engine in self.engines:
            try:
                found.append(ask(engine))
            except RuleFault as fault:
                self.fault = fault
                found.append((fault.kind, fault.span, fault.detail))
                if isinstance(engine, InStates):
                    words.append(str(fault))
        more = [told for engine in self.engines if (told := engine.more()) is not None]
        for told in (found, more, words):
            assert all(one == told[0] for one in told), f"{what} at stop {self.stops}: {told}"
        return self.fault is None
