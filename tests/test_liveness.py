"""Locals are cleared where they die: once, and not at each rest after that."""

from __future__ import annotations

from rulesdsl.compile import compile_rules
from rulesdsl.machine.listing import listing
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
  [p] = [i]
  note round p([p])
  [who] = [p]
  [p] = 0
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
  [i] = [i]
  note round i([i])
  [i] = 0
  rest at stop 2
"""
"""Before, this rest cleared `who` and the `i` of the first loop in each round once more."""


def test_where_locals_are_cleared() -> None:
    text = listing(compile_rules(Source("tiny.yaml", RULES)))
    assert BLOCKS in text
    assert REST in text
