"""What is spoken binds nobody: with other claims a game goes on in the same way."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from rulesdsl.check.model import Model, PlaceNote, Scalar
from rulesdsl.compile import check_source
from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.layout import cells_of
from rulesdsl.machine.settings import settle_options
from rulesdsl.play.game import Game
from rulesdsl.play.history import Run
from rulesdsl.play.state import State
from rulesdsl.text.source import Source
from tests.random_rules import random_model

BLUFF = Path(__file__).parent / "games" / "bluff.yaml"


def claims(state: State) -> list[int]:
    """The cells of what is spoken, notes too."""
    found: list[int] = []
    for slot in state.rules.machine.layout.slots:
        if isinstance(slot.what, PlaceNote) or (isinstance(slot.what, Scalar) and slot.what.spoken):
            found += range(slot.base, slot.base + slot.width * slot.copies)
    return found


def with_other_claims(state: State, random: Random) -> State:
    """The same state, where players have said something else."""
    record, layout = list(state.record), state.rules.machine.layout
    for slot in layout.slots:
        for copy in range(slot.copies):
            said = 0
            if isinstance(slot.what, Scalar) and slot.what.spoken:
                said = 1
            elif isinstance(slot.what, PlaceNote):
                said = cells_of(layout, record, slot.what.zone, copy)[0]
            for index in range(said):
                record[slot.base + copy * slot.width + index] = random.choice((0, 1))
    return State(state.rules, record, Run.first(list(record)))


def assert_nobody_is_bound(model: Model, random: Random) -> int:
    """Play two games in step that differ in claims; how many claims there were to change."""
    game = Game(make_machine(model, *settle_options(model, None, {})))
    changed = 0
    try:
        first = game.start()
        changed = len(claims(first))
        for _ in range(60):
            second = with_other_claims(first, random)
            if first.is_over:
                break
            if first.is_chance:
                *_, outcome = random.choice(first.chance_outcomes())
                for state in (first, second):
                    state.apply_chance(outcome)
            else:
                seat = random.choice(first.to_act)
                legal = [[move.text for move in s.legal_moves(seat)] for s in (first, second)]
                assert legal[0] == legal[1]
                move = random.choice(legal[0])
                for state in (first, second):
                    state.apply(move, seat)
            spoken = set(claims(first))
            records = [
                [n for cell, n in enumerate(state.record) if cell not in spoken]
                for state in (first, second)
            ]
            assert records[0] == records[1]
    except RuleFault:
        pass
    return changed


@pytest.mark.parametrize("seed", range(5))
def test_claims_bind_nobody(seed: int) -> None:
    model = check_source(Source("bluff.yaml", BLUFF.read_text("utf-8")))
    assert assert_nobody_is_bound(model, Random(seed)) > 2


@pytest.mark.xdist_group("random files")
def test_claims_of_random_rules_bind_nobody() -> None:
    changed = 0
    for seed in range(24):
        model = random_model(seed)
        if model is None:
            continue
        with suppress(RuleFault):
            changed += assert_nobody_is_bound(model, Random(seed))
    assert changed > 5
