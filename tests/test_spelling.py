"""The name that was probably meant."""

from __future__ import annotations

import pytest

from rulesdsl.text.spelling import distance, nearest

NAMES = ("starting_money", "money", "players", "points", "wood", "wine", "ivory", "olive_oil", "if")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("starting_mony", "starting_money"),
        ("mnoey", "money"),
        ("Player", "players"),
        ("plyers", "players"),
        ("olive-oil", "olive_oil"),
        ("oliveoil", "olive_oil"),
        ("WOOD", "wood"),
        ("wod", "wood"),
        ("ivry", "ivory"),
        ("fi", "if"),
    ],
)
def test_a_slip_is_recognised(name: str, meant: str) -> None:
    assert nearest(name, NAMES) == meant


@pytest.mark.parametrize("name", ["x", "", "q", "cat", "auction", "best", "of", "is", "a" * 500])
def test_what_is_near_nothing_has_no_nearest(name: str) -> None:
    assert nearest(name, NAMES) is None


def test_of_equally_near_names_the_same_is_told_whatever_their_order() -> None:
    assert nearest("wold", ["wood", "gold", "bold"]) == nearest("wold", ["bold", "wood", "gold"])
    assert nearest("wold", ["gold", "wood"]) == "wood"
    assert nearest("money", ["money"]) is None


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [("", "", 0), ("ab", "ba", 1), ("abc", "ac", 1), ("abc", "abd", 1), ("money", "mnoye", 2)],
)
def test_slips_are_counted(one: str, other: str, slips: int) -> None:
    assert distance(one, other) == distance(other, one) == slips
