"""The ways to play a series give the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesdsl.engines.finished import Finished
from rulesdsl.lab.series.play import RECORDS, STATES, WASM, Way, fastest
from rulesdsl.lab.series.series import Series
from rulesdsl.lab.series.work import Bench
from rulesdsl.resources import find_game

TESTS = Path(__file__).parent
CARAVAN = str(TESTS / "games" / "caravan.yaml")
DEALER = str(TESTS / "series" / "dealer.yaml")
CRACKS = str(TESTS / "series" / "cracks.yaml")
COLLECTOR = str(TESTS / "series" / "collector.yaml")
SERIES = {
    "caravan, mixed": Series(CARAVAN, 3, (), (DEALER, COLLECTOR, "random"), True, 7, 5, 30),
    "caravan, bots": Series(CARAVAN, 4, (), (DEALER, COLLECTOR) * 2, False, 1, 0, 20),
    "nim": Series(str(find_game("nim")), 2, (), ("random",) * 2, False, 3, 0, 50),
    "duel": Series(str(TESTS / "games" / "duel.yaml"), 3, (), ("random",) * 3, True, 3, 0, 20),
    "cracks, with faults": Series(CRACKS, 2, (), ("random",) * 2, False, 3, 0, 20),
    "ostia": Series(
        str(find_game("ostia")), 3, (), ("beginner", "careful", "random"), True, 2, 1, 3
    ),
}


def plain(found: Finished) -> list[object]:
    """Finished games as values that can be compared, without counts of nothing."""
    counts = (found.asked, found.guessed, found.taken, found.fired)
    rows = (found.records, found.decisions, found.guesses)
    faults = [None if fault is None else (fault.kind, fault.span) for fault in found.faults]
    lists = [list(column) for column in rows]
    return [found.numbers, *lists, faults, list(found.runs), *(+count for count in counts)]


@pytest.mark.parametrize("way", [RECORDS, WASM], ids=["records", "wasm"])
@pytest.mark.parametrize("name", list(SERIES))
def test_all_ways_play_the_same(name: str, way: Way) -> None:
    series = SERIES[name]
    ready = Bench().ready(series)
    found = way.play(ready, series)
    assert plain(found) == plain(STATES.play(ready, series))
    assert any(found.faults) == ("faults" in name)


def test_players_without_a_policy_play_move_by_move() -> None:
    def way(*cast: str) -> Way:
        return fastest(Series(CARAVAN, len(cast), (), cast, False, 1, 0, 1))

    assert way("random", DEALER) in (RECORDS, WASM)
    assert way("random", "mcts:5") is STATES
    assert way("greedy", DEALER) is STATES
    assert way("program:python bot.py", DEALER) is STATES
