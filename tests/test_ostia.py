"""Ostia: its examples prove the printed figures and all rulings, and its games keep the rules."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesdsl.syntax import tree as t
from tests import ostia_games
from tests.bundled import GAMES, read

TREE = read(GAMES["ostia"]).tree

FIGURES = {
    "the least bid for ivory and wine": ("Example 1", "minimum_price: 16"),
    "without bids A pays half of it": ("Example 1", "A.money: 47"),
    "the least bid for ivory and grain": ("Example 1", "minimum_price: 13"),
    "B keeps the lot for one more than the highest bid": ("Example 1", "B.money: 35"),
    "all of it to the bank": ("Example 1", "D.money: 55"),
    "the least bid for two grain": ("Example 1", "minimum_price: 8"),
    "A buys for 21": ("Example 1", "A.money: 26"),
    "of which C keeps 10": ("Example 1", "C.money: 65"),
    "four types cost both grain": ("Example 2", "discard: [2 grain]"),
    "A lays grain and wine at the forum": ("Example 2", "A.forum: [grain, wine]"),
    "A sells for 15 + 4": ("Example 3", "change A.money: 19"),
    "B sells for 12 + 24": ("Example 3", "change B.money: 36"),
    "C sells for 12 + 20": ("Example 3", "change C.money: 32"),
    "D sells for 12 + 10": ("Example 3", "change D.money: 22"),
    "A donates 14": ("Example 4", "donation(A): 14"),
    "B donates 0": ("Example 4", "donation(B): 0"),
    "C donates 12": ("Example 4", "donation(C): 12"),
    "D donates 12": ("Example 4", "donation(D): 12"),
    "A gets 3 points": ("Example 4", "change A.points: 3"),
    "B gets none": ("Example 4", "change B.points: 0"),
    "C gets 1": ("Example 4", "change C.points: 1"),
    "D gets 1": ("Example 4", "change D.points: 1"),
    "A builds two for 20": ("Example 5", "change A.money: -20"),
    "and has three": ("Example 5", "A.storehouses: 3"),
    "and keeps three cards": ("Example 5", "A.kept: [wine, 2 olive_oil]"),
    "A ends with 9": ("Example End", "A.points: 9"),
    "B ends with 11": ("Example End", "B.points: 11"),
    "C ends with 12": ("Example End", "C.points: 12"),
    "D ends with 12": ("Example End", "D.points: 12"),
    "C wins by storehouses": ("Example End", "ranking: [C, D, B, A]"),
    "wood and wine": ("D.1.c", "minimum_price: 15"),
    "12, 9 and 9: 3": ("D.4", "change A.points: 3"),
    "12, 9 and 9: 1": ("D.4", "change B.points: 1"),
    "12, 9 and 9: 1 as well": ("D.4", "change C.points: 1"),
    "three tied for the most: 2 each": ("D.4", "change C.points: 2"),
    "at the full price A keeps 5 of 21": ("Advanced 2", "A.money: 75"),
    "at the full price, without bids": ("Advanced 2", "change A.money: -16"),
}
RULINGS = [
    "assign-together",
    "bid-ceiling",
    "bid-order",
    "bluff",
    "cannot-pay",
    "commission",
    "final-keep",
    "final-loans",
    "final-secret",
    "final-tie",
    "first-game",
    "forum-order",
    "hands",
    "interest",
    "keep-own",
    "loan-tokens",
    "money-ties",
    "next-starter",
    "nobody-left",
    "raise-money",
    "reshuffle",
    "seats",
    "senate-cards",
    "senate-ties",
    "senate-zero",
    "spoilage",
    "storehouse-order",
    "talon",
    "three-types",
    "throw-away",
]


def figures_of(section: str) -> set[str]:
    """What the examples of a section of the book expect, as it is written."""
    found: set[str] = set()
    for example in TREE.examples:
        if section not in [cite.section for cite in example.cites if cite.source == "book"]:
            continue
        for step in example.play:
            if isinstance(step, t.PlayExpect):
                word = "change " if step.change else ""
                found |= {
                    f"{word}{pair.place.span.text}: {pair.value.span.text}" for pair in step.pairs
                }
    return found


@pytest.mark.parametrize("what", FIGURES)
def test_every_printed_figure_is_in_an_example(what: str) -> None:
    section, figure = FIGURES[what]
    assert figure in figures_of(section), sorted(figures_of(section))


def test_every_ruling_is_proved_by_an_example() -> None:
    (rulings,) = [source for source in TREE.sources if source.name.text == "rulings"]
    assert sorted(word.text for word, _ in rulings.texts) == sorted(RULINGS)
    cited = {
        cite.section
        for example in TREE.examples
        for cite in example.cites
        if cite.source == "ruling"
    }
    assert cited == set(RULINGS)


def test_every_rule_says_where_it_comes_from() -> None:
    named = [(phase.signature.name.text, phase.cites) for phase in TREE.phases]
    named += [(one.signature.name.text, one.cites) for one in TREE.procedures]
    named += [(option.name.text, option.cites) for option in TREE.options]
    assert TREE.setup is not None
    assert TREE.result is not None
    named += [("setup", TREE.setup.cites), ("result", TREE.result.cites)]
    assert [name for name, cites in named if not cites] == []


# ------------------------------------------------------------------ games

NUMBERS = st.integers(0, len(ostia_games.choices()) - 1)
SEEDS = st.integers(0, 2**32)


@settings(max_examples=3)
@given(NUMBERS, SEEDS)
def test_whole_games_keep_the_rules(number: int, seed: int) -> None:
    """Components, cash, bounds, rounds, moves, copies, playlogs: all of a game agrees."""
    ostia_games.play(number, seed)


@settings(max_examples=1)
@given(NUMBERS, SEEDS)
def test_the_same_seed_is_the_same_game(number: int, seed: int) -> None:
    one, other = (ostia_games.play(number, seed, every=1_000) for _ in range(2))
    assert one == other
    assert [one.log(0), one.log(1)] == [other.log(0), other.log(1)]
