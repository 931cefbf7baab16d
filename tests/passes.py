"""A machine before and after a pass: how it reads, and whether it plays the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from random import Random

from rulesdsl.check.model import Model
from rulesdsl.compile import check_source
from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.from_model import lower
from rulesdsl.machine.listing import listing
from rulesdsl.machine.program import Machine
from rulesdsl.machine.settings import settle_options
from rulesdsl.machine.verify import verify
from rulesdsl.play.game import Game
from rulesdsl.play.state import State
from rulesdsl.text.source import Source
from tests.lockstep import named
from tests.random_rules import random_model

RULES = """\
rules: 1
game: tiny
players: 2
kinds:
  Good: {rows: [silk, iron]}
state:
  shared:
    chest: bag of Good, starts with all
    pool: bag of Good
  each player:
    money: 0..90
procedures:
  buy(p in players):
    - p chooses:
        pay(n in 1..3): p.money += n
flow:
  - for p in players:
      - buy(p)
  - move all from chest to pool
  - seat 1 wins
"""
"""Two players pay in turn; then all goods change their place."""


def lowered(rules: str) -> Machine:
    """The machine of a text before all passes."""
    return lower_model(check_source(Source("tiny.yaml", rules)))


def lower_model(model: Model) -> Machine:
    return lower(model, *settle_options(model, None, {}))


def blocks(machine: Machine) -> str:
    """The blocks as they are listed."""
    text = listing(machine)
    return text[text.index("block 0") :]


def play_the_same(one: Machine, other: Machine, seed: int, most: int = 60) -> int:
    """Play both at random in step; how many stops were compared."""
    random, games = Random(seed), [Game(verify(machine)) for machine in (one, other)]
    states: list[State] = []
    if _fault([partial(_start, game, states) for game in games]):
        return 0
    stops = 0
    while stops < most:
        first, second = states
        assert _seen(first) == _seen(second)
        stops += 1
        if first.is_over or _fault(_step(random, states)):
            break
    for seat in range(one.seats):
        assert states[0].log(seat) == states[1].log(seat)
    return stops


def _start(game: Game, states: list[State]) -> None:
    states.append(game.start())


def _step(random: Random, states: list[State]) -> list[Callable[[], None]]:
    """A random move or outcome of chance in each."""
    first = states[0]
    if first.is_chance:
        outcome = random.choice(first.chance_outcomes())[2]
        return [partial(state.apply_chance, outcome) for state in states]
    seat = random.choice(first.to_act)
    text = random.choice(first.legal_moves(seat)).text
    return [partial(state.apply, text, seat) for state in states]


def _fault(steps: list[Callable[[], None]]) -> bool:
    """Whether it is a fault, of one kind at one place in both."""
    faults = []
    for step in steps:
        try:
            step()
        except RuleFault as fault:
            faults.append((fault.kind, fault.span))
    assert len(faults) in (0, 2)
    assert not faults or faults[0] == faults[1]
    return bool(faults)


def _seen(state: State) -> tuple[object, ...]:
    """All that is seen of a state: who acts, what may come, and what is."""
    return (
        state.to_act,
        [[move.text for move in state.legal_moves(seat)] for seat in state.to_act],
        state.chance_outcomes() if state.is_chance else None,
        named(state.rules.machine, state.record),
        str(state.outcome),
    )


@cache
def random_machines() -> tuple[Machine, ...]:
    """Machines of random rule files, before all passes; those with problems are left out."""
    models = [random_model(seed) for seed in range(16)]
    return tuple(lower_model(model) for model in models if model is not None)
