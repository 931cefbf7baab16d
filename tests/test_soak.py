"""Thousands of random games of Ostia over the covering choices, without a fault."""

from __future__ import annotations

import pytest

from rulesdsl.lab.trial import play_at_random
from tests import ostia_games

GAMES, PARTS = 2_000, 20


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_two_thousand_games_have_no_fault(part: int) -> None:
    number = GAMES // PARTS
    trial = play_at_random(ostia_games.model(), number, first_seed=part * number)
    assert [str(fault) for fault in trial.faults] == []
    assert trial.games == number
    assert [str(piece) for piece in trial.never] == []
