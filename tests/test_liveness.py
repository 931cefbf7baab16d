"""Locals are cleared where they die: once, and not at each rest after that."""

from __future__ import annotations

import pytest

from rulesdsl.compile import compile_rules
from rulesdsl.machine.listing import listing
from rulesdsl.play.game import Game
from rulesdsl.text.source import Source

RULES = """\
rules: 1
game: tiny
players: 2
state:
  shared:
    total: 0..90
flow:
  - for p in players:
      - p chooses:
          add(n in 1..3): total += n
  - for i in 1..2:
      - seat 1 chooses:
          add(n in 1..3): total += n
  - seat 2 wins
"""

BLOCKS = """\
block 2   body
  [p / i] = [i]
  note round p([p / i])
  [who] = [p / i]
  [p / i] = 0
  rest at stop 1

block 3   done
  [i] = 0
  note leave p()
  [i] = 1
  jump 5

block 4   add
  [who] = 0
  note rule add()
  r2 = ([total] + r1)
  note set total(-1, [total], r2)
  [total] = r2   in 0..90
  [i] = ([i] + 1)
  jump 1
"""
"""`p` dies when it has been named, the first loop's `i` with the loop, `who` with the choice."""

REST = """\
block 6   body
  [p / i] = [i]
  note round i([p / i])
  [p / i] = 0
  rest at stop 2
"""
"""The `i` that the body sees has the cell of `p`, which is dead here. No rest clears `who` and
the `i` of the first loop once more."""


def test_where_locals_are_cleared() -> None:
    text = listing(compile_rules(Source("tiny.yaml", RULES)))
    assert BLOCKS in text
    assert REST in text


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
