"""Thousands of random games of the bundled games, without a fault."""

from __future__ import annotations

from statistics import median

import pytest

from rulesdsl.lab.trial import play_at_random
from tests import oltremare_games, ostia_games, portus_games
from tests.bundled import beginner_of

GAMES, PARTS = 2_000, 20


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_two_thousand_games_of_ostia_have_no_fault(part: int) -> None:
    number = GAMES // PARTS
    model = ostia_games.model()
    beginner = beginner_of(model)
    trial = play_at_random(model, number, first_seed=part * number, beginner=beginner)
    assert [str(fault) for fault in trial.faults] == []
    assert trial.games == number
    assert [str(piece) for piece in trial.never] == []


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_five_hundred_games_of_oltre_mare_have_no_fault(players: int, part: int) -> None:
    game = oltremare_games.plain(players)
    seeds = range(part, 500, PARTS)
    assert median(oltremare_games.decisions_of(game, seed) for seed in seeds) < 1_500


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_games_of_oltre_mare_over_the_options_have_no_fault(part: int) -> None:
    model = oltremare_games.model()
    beginner = beginner_of(model)
    trial = play_at_random(model, 40, first_seed=part * 40, beginner=beginner)
    assert [str(fault) for fault in trial.faults] == []


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize(
    ("name", "players"),
    [*(("portus", n) for n in (1, 2, 3, 4)), *(("patronus", n) for n in (2, 3, 4))],
)
def test_five_hundred_games_of_portus_and_patronus_have_no_fault(
    name: str, players: int, part: int
) -> None:
    seeds = range(part, 500, PARTS)
    counts = [portus_games.decisions_of(name, players, seed) for seed in seeds]
    assert median(counts) < 150 * players
    portus_games.play(name, players, part)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", ["portus", "patronus"])
def test_games_of_portus_and_patronus_over_the_options_have_no_fault(name: str, part: int) -> None:
    model = portus_games.model(name)
    beginner = beginner_of(model)
    trial = play_at_random(model, 40, first_seed=part * 40, beginner=beginner)
    assert [str(fault) for fault in trial.faults] == []
