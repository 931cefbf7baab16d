"""Oltre Mare: its examples prove the printed figures and all rulings, its games keep the rules."""

from __future__ import annotations

from random import Random
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.settings import settle_options
from rulesdsl.play.game import Game
from rulesdsl.syntax import tree as t
from tests import oltremare_games
from tests.bundled import GAMES, read
from tests.test_narrate import told
from tests.two_runs import look_for_leaks

TREE = read(GAMES["oltremare"]).tree

FIGURES = {
    "Stefano keeps five cards": (
        "Sea Power Phase",
        "A.hand: [silk_6dn, silk_5pm, silver_5mn, wood_6pm, wood_5dm]",
    ),
    "two go to his Pirates Deck": (
        "Sea Power Phase",
        "A.pirates: [sugar_3dp, silver_6dp]",
    ),
    "one symbol is worth 1": ("Main Phase", "action[1]: 1"),
    "two are worth 3": ("Main Phase", "action[2]: 3"),
    "three are worth 6": ("Main Phase", "action[3]: 6"),
    "four are worth 6": ("Main Phase", "action[4]: 6"),
    "four Navigation symbols are four ports": ("Main Phase", "A.ship: modon"),
    "Francesco sells for 3, 8 and 9": ("Scoring 1", "sale(A): 20"),
    "Andrea sells five silk for 8": ("Scoring 1", "sale(A): 8"),
    "Giulio earns 6": ("Port Tokens", "change A.ducats: 6"),
    "Local Authority": ("Port Tokens", "change A.ducats: gain"),
    "11 Ducats at the start": ("Preparation", "A.ducats: 11"),
    "hands of four": ("Preparation", "size of A.hand: 4"),
    "the Venice card pays 6": ("Venice Card", "A.ducats: 17"),
    "and 3": ("Venice Card", "C.ducats: 14"),
    "and 1": ("Venice Card", "D.ducats: 12"),
    "Port tokens pay 6": ("Scoring 2", "B.token_points: 6"),
    "and 3 to the second": ("Scoring 2", "A.token_points: 3"),
    "prestige pays 6": ("Scoring 3", "B.prestige_points: 6"),
}
TRIED = range(10)
QUIET = {"venice-place", "venice-middle"}
"""Where the Venice card lies no example can tell, but a test below does."""


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
    cited = {
        cite.section
        for example in TREE.examples
        for cite in example.cites
        if cite.source == "ruling"
    }
    assert {word.text for word, _ in rulings.texts} - cited == QUIET


def test_every_rule_says_where_it_comes_from() -> None:
    named = [(phase.signature.name.text, phase.cites) for phase in TREE.phases]
    named += [(one.signature.name.text, one.cites) for one in TREE.procedures]
    named += [(option.name.text, option.cites) for option in TREE.options]
    assert TREE.setup is not None
    assert TREE.result is not None
    named += [("setup", TREE.setup.cites), ("result", TREE.result.cites)]
    assert [name for name, cites in named if not cites] == []


# ------------------------------------------------------------------ games

NUMBERS = st.integers(0, len(oltremare_games.choices()) - 1)
SEEDS = st.integers(0, 2**32)


@settings(max_examples=2)
@given(NUMBERS, SEEDS)
def test_whole_games_keep_the_rules(number: int, seed: int) -> None:
    """Components, turns, scores, copies, playlogs: all of a game agrees."""
    oltremare_games.play(number, seed)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_games_have_no_fault_and_few_decisions(players: int) -> None:
    """The soak plays five hundred of each."""
    game = oltremare_games.plain(players)
    counts = [oltremare_games.decisions_of(game, seed) for seed in TRIED]
    assert median(counts) < 1_500


@pytest.mark.parametrize("players", [2, 5])
def test_the_venice_card_lies_in_the_middle_third(players: int) -> None:
    deck = (78 if players == 2 else 98) - players
    third = deck // 3
    places = set()
    for seed in range(60):
        found = oltremare_games.everything(oltremare_games.plain(players).start(seed))["deck"]
        above = list(reversed(found["order"])).index("venice_card") + 4 * players
        assert third <= above <= deck - third
        places.add(above)
    assert len(places) > 15


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_nobody_learns_what_he_must_not(players: int) -> None:
    """Two runs that differ only in what a seat does not see look the same to that seat."""
    model = oltremare_games.model()
    game = Game(make_machine(model, *settle_options(model, players, {})))
    assert sum(look_for_leaks(game, Random(seed), 30) for seed in range(2)) > 0


def test_an_offer_tells_the_goods_and_what_is_said_and_no_more() -> None:
    """The maker knows his cards, all others the goods; who gets a card learns what it is."""
    laid = learned = 0
    for seed in range(2):
        state = oltremare_games.play_on(oltremare_games.plain(3), seed)
        for seat, name in enumerate(state.rules.words.seats):
            for event in (dict(e.data) for e in state.log(seat) if e.kind == "moved"):
                maker, _, place = str(event["from"]).partition(".")
                taker, _, target = str(event["to"]).partition(".")
                if target == "offered":
                    laid += 1
                    assert ("what" in event, "seen" in event) == (taker == name, taker != name)
                elif place == "offered" and maker != taker:
                    learned += 1
                    assert ("what" in event) == (name in (maker, taker))
    assert laid > 100
    assert learned > 10


def test_a_printed_game_leaves_no_question_to_a_seat() -> None:
    """The top of each hold, the goods in offers and what is said are told to all."""
    lines = told(oltremare_games.plain(3), 1, viewer=0)
    assert any("; on the hold" in line for line in lines)
    assert any("said to have Sea Power" in line for line in lines)
    assert [line for line in lines if "?" in line] == []
