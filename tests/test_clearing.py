"""Locals are cleared where they die: once, and not at each rest after that."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rulesdsl.compile import compile_rules
from rulesdsl.machine.passes.clearing import cleared
from rulesdsl.machine.passes.facts import Facts
from rulesdsl.machine.passes.merge import merged
from rulesdsl.machine.passes.stores import without_dead_stores
from rulesdsl.machine.program import POINTS, Machine
from rulesdsl.play.game import Game
from rulesdsl.text.source import Source
from tests.passes import RULES, blocks, lower_model, lowered, play_the_same, random_machines
from tests.test_meaning import FILES, load


def alone(machine: Machine) -> Machine:
    """A machine with dead locals, none of which shares a cell."""
    return without_dead_stores(merged(machine), Facts())


BEFORE = """\
block 1   body
  [p] = [i]
  note round p([p])
  r1 = [p]
  [p] = r1
  note rule buy()
  note begin buy([p])
  [who] = [p]
  rest at stop 1

block 2   done
  note leave p()
"""

AFTER = """\
block 1   body
  [p] = [i]
  note round p([p])
  r1 = [p]
  [p] = r1
  note rule buy()
  note begin buy([p])
  [who] = [p]
  [p] = 0
  rest at stop 1

block 2   done
  [i] = 0
  [p] = 0
  note leave p()
"""

PAID = """\
block 3   pay
  [who] = 0
  note rule pay()
  r3 = [p]
"""


def test_before_and_after() -> None:
    """The `p` of the flow dies when it has been named, `who` with the choice; `i` and the `p` of
    `buy` with the loop, since each round sets them anew."""
    machine = alone(lowered(RULES))
    assert BEFORE in blocks(machine)
    text = blocks(cleared(machine, Facts()))
    assert AFTER in text
    assert PAID in text
    assert text.count("[who] = 0") == text.count("[i] = 0\n  [p] = 0") == 1


@pytest.mark.xdist_group("random files")
def test_random_rules_play_the_same() -> None:
    machines = [alone(machine) for machine in random_machines()]
    pairs = [(machine, cleared(machine, Facts())) for machine in machines]
    assert sum(play_the_same(*both, 5, 20) for both in pairs) > 60


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_is_left_when_a_game_is_over(path: Path) -> None:
    """All locals and all program points are 0."""
    machine, random = cleared(alone(lower_model(load(path))), Facts()), Random(3)
    state = Game(machine).start(5)
    while not state.is_over:
        seat = random.choice(state.to_act)
        state.apply(random.choice(state.legal_moves(seat)), seat)
    slots = [slot for slot in machine.layout.slots if slot.what is None]
    places = [range(slot.base, slot.base + slot.width * slot.copies) for slot in slots]
    places.append(range(POINTS, POINTS + machine.seats))
    assert not any(state.record[cell] for place in places for cell in place)


ROLL = """\
rules: 1
game: tiny
players: 1..2
state:
  each player:
    die: 1..6
    total: 0..90
flow:
  - for round in 1..2:
      - together p in players:
          - let told = 10 * round
          - roll p.die
          - p.total += told + round
  - seat 1 wins
"""
"""`told` is a seat's own and `round` shared; both are read behind the roll, and only there."""


@pytest.mark.parametrize("seats", [1, 2])
def test_what_lives_over_a_roll_of_ones_own_is_kept(seats: int) -> None:
    state = Game(compile_rules(Source("tiny.yaml", ROLL), seats)).start()
    while not state.is_over:
        state.apply_chance(state.chance_outcomes()[0][2])
    layout = state.rules.machine.layout
    totals = next(slot for slot in layout.slots if slot.name == "total")
    assert state.record[totals.base : totals.base + seats] == (33,) * seats
