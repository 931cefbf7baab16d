"""Blocks merged: how a machine reads before and after, and that it plays the same."""

from __future__ import annotations

import pytest

from rulesdsl.machine.passes.merge import merged
from rulesdsl.machine.program import Choose
from tests.passes import blocks, lowered, play_the_same, random_machines

RULES = """\
rules: 1
game: tiny
players: 2
state:
  shared:
    total: 0..90
flow:
  - for i in 1..3:
      - seat 1 chooses:
          add(n in 1..3): total += n
          pass: nothing
  - seat 1 wins
"""

BEFORE = """\
block 0   start
  [i] = 1
  jump 3

block 1   over
  rest at stop 0

block 2   end phase
  jump 1

block 3   loop
  branch ([i] < 4): 4 else 6

block 4   body
  [i] = [i]
  note round i([i])
  rest at stop 1

block 5   next
  [i] = ([i] + 1)
  jump 3

block 6   done
  note leave i()
  [winner] = 2
  jump 1

block 7   chosen
  jump 5

block 8   add
  note rule add()
  r2 = ([total] + r1)
  note set total(-1, [total], r2)
  [total] = r2   in 0..90
  jump 7

block 9   pass
  note rule pass()
  jump 7
"""

AFTER = """\
block 0   start
  [i] = 1
  branch ([i] < 4): 1 else 3

block 1   body
  [i] = [i]
  note round i([i])
  rest at stop 1

block 2   next
  [i] = ([i] + 1)
  branch ([i] < 4): 1 else 3

block 3   done
  note leave i()
  [winner] = 2
  rest at stop 0

block 4   add
  note rule add()
  r2 = ([total] + r1)
  note set total(-1, [total], r2)
  [total] = r2   in 0..90
  jump 2

block 5   pass
  note rule pass()
  jump 2
"""


def test_before_and_after() -> None:
    """No jump leads to a jump or to a branch, and nothing to `end phase`."""
    machine = lowered(RULES)
    assert blocks(machine) == BEFORE
    assert blocks(merged(machine)) == AFTER


AHEAD = """\
rules: 1
game: tiny
players: 1
state:
  shared:
    total: 0..9
flow:
  - repeat 3, as many as possible:
      - seat 1 chooses:
          add(n in 1..2 where total + n <= 3): total += n
          out where total > 1: end loop
  - if total == 3:
      - seat 1 chooses:
          less: total -= 1
          stay: nothing
  - seat 1 wins
"""


def test_where_a_search_ends_there_is_still_a_block() -> None:
    """A search ahead is over where it comes to `done`: what leads there still leads there."""
    machine = merged(lowered(AHEAD))
    chooses = [stop for stop in machine.stops if isinstance(stop, Choose)]
    (end,) = {stop.otherwise for stop in chooses if stop.ahead is not None}
    assert "block 2   done\n  branch ([total] == 3): " in blocks(machine)
    assert f"note rule out()\n  jump {end}\n" in blocks(machine)
    assert end == 2
    assert play_the_same(lowered(AHEAD), machine, 3) > 2


@pytest.mark.xdist_group("random files")
def test_random_rules_play_the_same() -> None:
    machines = random_machines()
    fewer = sum(len(machine.blocks) - len(merged(machine).blocks) for machine in machines)
    stops = sum(play_the_same(machine, merged(machine), 5, 20) for machine in machines)
    assert stops > 60
    assert fewer > 2 * len(machines)
