"""All engines play the bundled games alike, with options and numbers of players that cover all.

Of the covering choices (`lab/covering.py`, held to its word by test_trial) every two values come
together in one. With each of them the beginning of a game is played step by step in all engines,
and a whole one in those that write code for it; random players and the bots of the game sit at one
table. That the reference plays whole games as states do is asked in test_many.
"""

from __future__ import annotations

from functools import cache

import pytest
from attrs import define, evolve, field

from rulesdsl.agents.random import Agent, RandomAgent
from rulesdsl.agents.roster import Roster
from rulesdsl.agents.script import Script
from rulesdsl.agents.scripted import ScriptedAgent
from rulesdsl.check.bots import Bot
from rulesdsl.check.model import Model
from rulesdsl.engines.finished import Finished
from rulesdsl.engines.many import play_many
from rulesdsl.engines.python.engine import GeneratedEngine
from rulesdsl.engines.reference import Engine
from rulesdsl.engines.wasm.engine import WasmEngine
from rulesdsl.lab.covering import Choice, covering
from rulesdsl.machine.program import Choose, Draw, K, Machine
from rulesdsl.machine.verify import verify
from rulesdsl.play.game import Game
from rulesdsl.resources import bundled_games
from tests.bundled import GAMES, read
from tests.by_states import same_games
from tests.engines import InStates, SideBySide, Stepped
from tests.machines import high_card, nim
from tests.wasm_steps import Host

PARTS = 4
"""The choices of a game are tried in so many parts."""
SHORT, LONG = 25, 100
"""So many stops of a game are played step by step, of every fifth choice more."""
SEED = 11


@cache
def rules(name: str) -> tuple[Model, list[Choice], list[Bot]]:
    """A bundled game, its covering choices, its bots that fit."""
    path = bundled_games()[name]
    model = read(path).model
    roster = Roster.of(model)
    return model, covering(model), [roster.bot(bot, model) for bot in sorted(roster.files)]


@define(eq=False)
class Table:
    """A game with a choice of options: who plays it, and in what."""

    game: Game
    cast: list[Script | None]
    """For each seat; None plays at random. The first seat has another player each time."""
    wasm: WasmEngine = field(init=False)

    def __attrs_post_init__(self) -> None:
        played = {id(script): script.policy for script in self.cast if script is not None}
        self.wasm = WasmEngine.of(self.game.machine, [*played.values()])

    @classmethod
    def of(cls, name: str, number: int) -> Table:
        model, choices, bots = rules(name)
        game = choices[number % len(choices)].game(model)
        assert verify(game.machine) is game.machine
        fit = [Script.fitting(bot, game.rules) for bot in bots]
        players = [*(script for script in fit if script is not None), None]
        seats = range(game.players)
        return cls(game, [players[(seat + number) % len(players)] for seat in seats])

    def by_steps(self, seed: int, most: int) -> SideBySide:
        """A game in all engines, so many stops at most."""
        machine = self.game.machine
        agents: list[Agent] = [
            RandomAgent(seed) if script is None else ScriptedAgent(script, seed)
            for script in self.cast
        ]
        engines = (
            InStates(machine, Engine(machine)),
            InStates(machine, GeneratedEngine(machine, patience=0)),
            Host(self.wasm),
        )
        return SideBySide(engines, seed, agents).play(most)

    def whole(self, numbers: range, engine: Engine) -> Finished:
        """Whole games in an engine, seats rotating, after they were found equal in wasm."""
        policies = [None if script is None else script.policy for script in self.cast]
        found = play_many(engine, policies, SEED, numbers, rotate=True)
        same_games(self.wasm.play_many(policies, SEED, numbers, rotate=True), found)
        assert found.faults == [None] * len(numbers)
        return found


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", sorted(bundled_games()))
def test_all_engines_play_the_same(name: str, part: int) -> None:
    for number in rows(name)[part::PARTS]:
        table = Table.of(name, number)
        most = LONG if number % 5 == 0 else SHORT
        both = table.by_steps(number, most)
        assert both.fault is None
        assert both.stops == most or both.state.is_over
        table.whole(range(number, number + 1), GeneratedEngine(table.game.machine))


def rows(name: str) -> range:
    """The choices that are tried in every run: all of a game, of a variant some."""
    return range(0, len(rules(name)[1]), 1 if name in GAMES else 6)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", sorted(bundled_games()))
def test_all_engines_play_the_same_at_length(name: str, part: int, seed: int) -> None:
    for number in range(part, len(rules(name)[1]), PARTS):
        table = Table.of(name, number + seed)
        assert table.by_steps(number + 100 * seed, most=10_000).state.is_over
        for engine in (Engine(table.game.machine), GeneratedEngine(table.game.machine)):
            table.whole(range(10 * seed, 10 * seed + 10), engine)


def fewer_moves(machine: Machine) -> Machine:
    """Nim in which nobody takes three."""
    choose, *stops = machine.stops
    assert isinstance(choose, Choose)
    take, *options = choose.options
    less = evolve(take, parameters=(evolve(take.parameters[0], high=K(2)),))
    return evolve(machine, stops=(evolve(choose, options=(less, *options)), *stops))


def other_weights(machine: Machine) -> Machine:
    """The high card, with cards that are all as likely."""
    draw, *stops = machine.stops
    assert isinstance(draw, Draw)
    return evolve(machine, stops=(evolve(draw, weight=K(1)), *stops))


@pytest.mark.parametrize(
    ("machine", "other", "what"),
    [
        (nim(heap=7), nim(heap=8), "record"),
        (nim(heap=7), fewer_moves(nim(heap=7)), "legal moves"),
        (high_card(), other_weights(high_card()), "chance"),
    ],
)
def test_what_is_otherwise_is_noticed(machine: Machine, other: Machine, what: str) -> None:
    python: Stepped = InStates(other, GeneratedEngine(other, patience=0))
    for engine in (python, Host(WasmEngine.of(other))):
        with pytest.raises(AssertionError, match=what):
            SideBySide([InStates(machine, Engine(machine)), engine], seed=1).play()
