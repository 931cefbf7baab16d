"""Locals that share cells: the record says the same as one in which each has its own."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rulesdsl.check.model import Model
from rulesdsl.compile import check_source
from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine import from_model, sharing
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.program import Machine
from rulesdsl.machine.settings import settle_options
from rulesdsl.play.game import Game
from rulesdsl.text.problems import RulesError
from rulesdsl.text.source import Source
from tests.random_rules import random_rules
from tests.test_meaning import FILES, load

SEEDS = 40


def both(model: Model, patch: pytest.MonkeyPatch) -> tuple[Machine, Machine, dict[int, int]]:
    """A machine, the same without shared cells, and where the cells of this are in the first."""
    moved: dict[int, int] = {}
    lay_out = sharing._moved

    def noted(*given: object) -> dict[int, int]:
        moved.update(lay_out(*given))  # type: ignore[arg-type]
        return moved

    settled = settle_options(model, None, {})
    with patch.context() as patched:
        patched.setattr(sharing, "_moved", noted)
        shared = make_machine(model, *settled)
        patched.setattr(from_model, "share_cells", lambda *_: None)
        return shared, make_machine(model, *settled), moved


def follow(model: Model, patch: pytest.MonkeyPatch, random: Random, most: int = 60) -> int:
    """Play both in step; returns the number of stops at which the records were compared."""
    shared, apart, moved = both(model, patch)
    first, second = Game(shared), Game(apart)
    try:
        one = first.start()
    except RuleFault:
        with pytest.raises(RuleFault):
            second.start()
        return 0
    other = second.start()
    for stop in range(most):
        held = [0] * shared.layout.cells
        for cell, value in enumerate(other.record):
            home = moved.get(cell, cell)
            assert not (value and held[home]), "two that hold something share a cell"
            held[home] = held[home] or value
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


def test_random_rules_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule files with problems do not count."""
    stops = 0
    for seed in range(SEEDS):
        try:
            model = check_source(Source("random.yaml", random_rules(Random(seed))))
        except RulesError:
            continue
        stops += follow(model, monkeypatch, Random(seed), 30)
    assert stops > 4 * SEEDS
