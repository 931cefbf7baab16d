"""Locals that share cells: the record says the same as one in which each has its own."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rulesdsl.check.model import Model
from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.passes import sharing
from rulesdsl.machine.passes.clearing import cleared
from rulesdsl.machine.passes.facts import Facts
from rulesdsl.machine.passes.forward import forwarded
from rulesdsl.machine.passes.merge import merged
from rulesdsl.machine.passes.sharing import shared
from rulesdsl.machine.passes.stores import without_dead_stores
from rulesdsl.machine.program import POINTS, Layout, Machine
from rulesdsl.play.game import Game
from tests.passes import RULES, blocks, lower_model, lowered
from tests.random_rules import random_model
from tests.test_meaning import FILES, load

SEEDS = 16


BEFORE = """\
block 1   body
  r7 = [i]
  note round p(r7)
  [p] = r7
  note rule buy()
  note begin buy(r7)
  [who] = r7
  rest at stop 1
"""

AFTER = """\
block 1   body
  r7 = [i / p / who]
  note round p(r7)
  note rule buy()
  note begin buy(r7)
  rest at stop 1
"""


def test_before_and_after() -> None:
    """Who pays and who is asked are copies of the number of the round: one cell is enough."""
    machine = alone(lowered(RULES))
    assert BEFORE in blocks(machine)
    less = shared(machine, Facts())
    assert AFTER in blocks(less)
    # of the five locals the name in the flow and the place to return to are not mentioned
    assert machine.layout.cells == less.layout.cells + 4


def alone(machine: Machine) -> Machine:
    """A machine before this pass."""
    return without_dead_stores(merged(forwarded(merged(machine), Facts())), Facts())


def both(model: Model, patch: pytest.MonkeyPatch) -> tuple[Machine, Machine, dict[int, int]]:
    """A machine, the same without shared cells, and where the cells of this are in the first."""
    found: dict[int, int] = {}
    renumber = sharing._renumbered

    def noted(machine: Machine, layout: Layout, moved: dict[int, int], facts: Facts) -> Machine:
        found.update(moved)
        return renumber(machine, layout, moved, facts)

    machine = alone(lower_model(model))
    with patch.context() as patched:
        patched.setattr(sharing, "_renumbered", noted)
        less = shared(machine, Facts())
    return cleared(less, Facts()), cleared(machine, Facts()), found


def follow(model: Model, patch: pytest.MonkeyPatch, random: Random, most: int = 60) -> int:
    """Play both in step; returns the number of stops at which the records were compared."""
    less, apart, moved = both(model, patch)
    first, second = Game(less), Game(apart)
    try:
        one = first.start()
    except RuleFault:
        with pytest.raises(RuleFault):
            second.start()
        return 0
    other = second.start()
    for stop in range(most):
        held = [0] * less.layout.cells
        for cell, value in enumerate(other.record):
            if value:
                home = cell if cell < POINTS + less.seats else moved[cell]
                assert held[home] in (0, value), "two that hold something else share a cell"
                held[home] = value
        assert held == list(one.record)
        if one.is_over:
            return stop
        seat = None if one.is_chance else random.choice(one.to_act)
        outcome, text = 0, ""
        if seat is None:
            outcome = random.choice(one.chance_outcomes())[2]
        else:
            text = random.choice(one.legal_moves(seat)).text
        faults: list[object] = []
        for state in (one, other):
            try:
                state.apply_chance(outcome) if seat is None else state.apply(text, seat)
            except RuleFault as fault:
                faults.append((fault.kind, fault.span))
        if faults:
            assert len(faults) == 2
            assert faults[0] == faults[1]
            return stop
    return most


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_games_say_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert follow(load(path), monkeypatch, Random(7)) > 0


@pytest.mark.xdist_group("random files")
def test_random_rules_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule files with problems do not count."""
    stops = 0
    for seed in range(SEEDS):
        model = random_model(seed)
        if model is not None:
            stops += follow(model, monkeypatch, Random(seed), 30)
    assert stops > 4 * SEEDS
