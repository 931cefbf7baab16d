"""Numbers that last from block to block: what is said to be known is so wherever a game comes."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rulesdsl.check.datatypes import IntType
from rulesdsl.check.model import Scalar
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.reference import Engine
from rulesdsl.machine import program as p
from rulesdsl.machine.fold import both, cell, either, op
from rulesdsl.machine.passes.facts import Facts
from rulesdsl.machine.passes.forward import forwarded
from rulesdsl.machine.passes.lasting import Lasting
from rulesdsl.machine.passes.merge import merged
from rulesdsl.machine.passes.stores import without_dead_stores
from rulesdsl.machine.traverse import varying
from rulesdsl.play.game import Game
from rulesdsl.text.source import NOWHERE
from tests.machines import machine_of, model_of
from tests.passes import blocks, lower_model, lowered, random_machines
from tests.test_meaning import FILES, load

TURNS = """\
rules: 1
game: tiny
players: 2
state:
  each player:
    money: 0..9
flow:
  - for p in turns:
      - p chooses:
          pay(n in 1..3): p.money += n
      - if p.money > 5: p wins
"""

BEFORE = """\
block 0   start
  [coming] = 0
  [left] = -1
  [skipped] = 0
  branch (([left] == 0) or ([skipped] == 2)): 3 else 4
"""

AFTER = """\
block 0   start
  [coming] = 0
  jump 1

block 1   go on
  r4 = [coming]
  [p] = r4
  [coming] = (([coming] + 1) mod 2)
  note round p(r4)
  [who] = r4
  rest at stop 1
"""


def test_before_and_after() -> None:
    """Turns go on without end: it is not asked how many are left, nor whether all were skipped."""
    machine = merged(lowered(TURNS))
    assert BEFORE in blocks(machine)
    facts = Facts()
    assert AFTER in blocks(without_dead_stores(merged(forwarded(machine, facts)), facts))


# ------------------------------------------------------------------ what is known

A, B = p.Cell(p.POINTS + 2), p.Cell(p.POINTS + 3)
"""Two locals; behind them is declared state."""
GIVEN = p.Cell(p.POINTS + 4)
K0, K1 = p.K(0), p.K(1)


def put(cell: p.Cell, value: p.Value) -> p.Set:
    return p.Set(cell, value, None, None, NOWHERE)


def known(*pieces: tuple[tuple[p.Code, ...], p.End], stops: int = 1) -> list[dict[int, int] | None]:
    """What is known of A and B by block; the last of the stops is the end, others are pauses."""
    layout = p.Layout(2, cells=GIVEN.base + 1)
    layout.slots += [p.Slot("a", A.base, 1, 1, None), p.Slot("b", B.base, 1, 1, None)]
    layout.slots.append(
        p.Slot("given", GIVEN.base, 1, 1, Scalar("given", "shared", IntType(0, 9), NOWHERE))
    )
    several = [p.Block(number, "code", *piece) for number, piece in enumerate(pieces)]
    pauses: list[p.Stop] = [p.Pause(number, len(pieces) - 1) for number in range(stops - 1)]
    machine = machine_of(
        model_of("small"),
        2,
        layout,
        [0] * layout.cells,
        several,
        [*pauses, p.Over(stops - 1)],
        [],
        9,
    )
    found = Lasting(machine, varying(machine)).blocks
    return [
        None if numbers is None else {cell: n for cell, n in numbers.items() if cell != p.PHASE}
        for numbers in found
    ]


OVER = p.Halt(0)


def test_nothing_is_known_before_the_first_store() -> None:
    assert known(((put(A, K1),), p.Jump(1)), ((), OVER)) == [{}, {A.base: 1}]


def test_two_ways_that_agree_and_two_that_do_not() -> None:
    branch = p.Branch(GIVEN, 1, 2)
    one = (put(A, K1), put(B, K0)), p.Jump(3)
    other = (put(A, K1), put(B, K1)), p.Jump(3)
    assert known(((), branch), one, other, ((), OVER))[3] == {A.base: 1}


def test_a_circle_keeps_what_it_does_not_change() -> None:
    more = put(B, p.Op("add", B, K1)), put(A, p.Op("sub", A, p.Op("gt", A, K0)))
    start = (put(A, p.K(-1)), put(B, K0)), p.Jump(1)
    found = known(start, (more, p.Branch(GIVEN, 1, 2)), ((), OVER))
    assert found[1:] == [{A.base: -1}, {A.base: -1}]


def test_a_way_that_is_never_taken() -> None:
    start = (put(A, K1),), p.Branch(p.Op("eq", A, K1), 1, 2)
    assert known(start, ((), OVER), ((put(A, K0),), p.Jump(1))) == [{}, {A.base: 1}, None]


def test_a_switch_leads_on_by_what_is_known() -> None:
    start = (put(A, p.K(2)),), p.Switch(A, ((1, 1), (2, 2)))
    assert known(start, ((), OVER), ((), OVER)) == [{}, None, {A.base: 2}]


def test_what_a_body_stores_is_not_followed() -> None:
    loop = p.Loop(0, K0, GIVEN, (put(A, K0),))
    assert known(((put(A, K0), loop), p.Jump(1)), ((), OVER)) == [{}, {}]


def test_declared_state_may_be_set_from_outside() -> None:
    start = (put(GIVEN, K1), put(A, GIVEN), put(B, K1)), p.Halt(0)
    assert known(start, ((), p.Halt(1)), stops=2) == [{}, {B.base: 1}]


def test_a_register_is_as_old_as_it_is() -> None:
    code = put(A, K1), p.Reg(0, A), put(A, K0), put(B, p.R(0))
    assert known((code, p.Jump(1)), ((), OVER))[1] == {A.base: 0, B.base: 1}


# ------------------------------------------------------------------ it is so


def follow(machine: p.Machine, games: int, most: int) -> int:
    """Play at random; how many numbers were found to be as they are known, block by block."""
    lasting, held = Lasting(machine, varying(machine)), 0

    class Watched(Engine):
        def _block(self, record: list[int], number: int, *rest: object) -> int:
            nonlocal held
            numbers = lasting.blocks[number]
            assert numbers is not None, "it is never reached"
            assert all(record[at] == value for at, value in numbers.items())
            held += len(numbers)
            after = super()._block(record, number, *rest)  # type: ignore[arg-type]
            known_there = lasting.stops[-1 - after] if after < 0 else {}
            assert known_there is not None
            assert all(record[at] == value for at, value in known_there.items())
            return after

    game = Game(machine)
    game.rules.engine = Watched(machine)
    for number in range(games):
        try:
            state = game.start(seed=3, number=number)
            random = Random(number)
            for _ in range(most):
                if state.is_over:
                    break
                seat = random.choice(state.to_act)
                state.apply(random.choice(state.legal_moves(seat)).text, seat)
        except RuleFault:
            continue
    return held


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_games(path: Path) -> None:
    assert follow(merged(lower_model(load(path))), 2, 40) > 0


@pytest.mark.xdist_group("random files")
def test_random_rules() -> None:
    held = [follow(merged(machine), 2, 40) for machine in random_machines()]
    assert sum(held) > 500


# ------------------------------------------------------------------ what is folded by the way

R0, R1 = p.R(0), p.R(1)
LOUD = p.Fold("sum", 7, K0, R0, None, p.R(7), None, (), None, NOWHERE)
FOLDED: list[tuple[p.Value, p.Value]] = [
    (op("add", op("sub", R0, K1), K1), R0),
    (op("sub", op("add", R0, K1), p.K(3)), p.Op("sub", R0, p.K(2))),
    (op("gt", R0, R0), K0),
    (op("le", R0, R0), K1),
    (op("gt", R0, R1), p.Op("gt", R0, R1)),
    (op("mod", p.K(3), K0), p.Op("mod", p.K(3), K0)),
    (both(R0, K0), K0),
    (both(LOUD, K0), p.And(LOUD, K0)),
    (either(R0, K1), K1),
    (either(LOUD, K1), p.Or(LOUD, K1)),
]


@pytest.mark.parametrize(("made", "expected"), FOLDED)
def test_folded(made: p.Value, expected: p.Value) -> None:
    assert made == expected


def test_the_terms_of_a_place_stand_apart() -> None:
    """Constants stay in them, since the base tells to which piece of state a cell belongs."""
    before = op("sub", R0, K1)
    row = op("add", op("mul", before, p.K(7)), R1)
    assert cell(20, (row, 2), (p.K(3), 1)) == p.Cell(23, ((before, 14), (R1, 2)))


def test_a_loop_of_one_round_or_none() -> None:
    """Its register is known, so it is gone with the loop."""
    one = p.Loop(2, K1, p.K(2), (put(A, p.R(2)),))
    none = p.Loop(3, K1, K1, (put(B, K1),))
    assert small_code(one, none) == (put(A, K1),)


def small_code(*code: p.Code) -> tuple[p.Code, ...]:
    layout = p.Layout(2, cells=B.base + 1)
    layout.slots += [p.Slot("a", A.base, 1, 1, None), p.Slot("b", B.base, 1, 1, None)]
    block = p.Block(0, "code", code, OVER)
    start = [0] * layout.cells
    machine = machine_of(model_of("small"), 2, layout, start, [block], [p.Over(0)], [], 9)
    return forwarded(machine, Facts()).blocks[0].code
