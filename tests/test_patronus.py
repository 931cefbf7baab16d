"""Patronus: printed figures and rulings, tiles, the secrecy of the draft, games, its base."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesdsl.agents.random import RandomAgent
from rulesdsl.play.loading import load
from rulesdsl.play.state import State
from rulesdsl.resources import bundled_games
from rulesdsl.syntax import tree as t
from tests import portus_games
from tests.bundled import GAMES, read
from tests.plain_patronus import SETS
from tests.plain_portus import Data
from tests.test_narrate import told
from tests.test_portus import uncited, unproved
from tests.two_runs import look_for_leaks
from tests.variant_files import hash_of, hash_of_text, text_of

TREE = read(GAMES["patronus"]).tree
KINDS = portus_games.model("patronus").kinds
ICONS = {
    "chartered_ship": 2,
    "lighthouse": 1,
    "amphora": 5,
    "animals": 5,
    "reward": 5,
    "free_move": 6,
    "permit": 6,
    "wood": 4,
    "wheat": 4,
    "stone": 4,
    "gold": 3,
}
FIGURES = {
    "two buildings and three ships are two sets": {"support_points(A): 6"},
    "five amphorae and one ship are one set": {"support_points(A): 3"},
    "two buildings for each corbita that passed the coast": {
        "support_points(A): points",
        "points: 12, 6, 6",
    },
    "the draft with four": {"tile_box: [claudius, julius, valerius, colonies]"},
    "two draft; four are chosen, the fifth is the last one left": {
        "size of A.kept: 4",
        "size of B.kept: 4",
        "size of tile_box: 12",
    },
    "three draft, the rest goes to the left, and nobody sees what another keeps and returns": {
        "A.kept: [caecilius, licinius, cornelius, calpurnius]",
        "tile_box: [claudius, fulvius, valerius, dockyards, oil_fleet, storehouses, colonies,"
        " exports]",
    },
}
UNPROVED = {"alone"}
"""That the draft is for two and more no example can show: an example has players."""


def figures_of(name: str) -> set[str]:
    """What an example expects, as it is written, and the values of its cases."""
    (example,) = [one for one in TREE.examples if one.name.text == name]
    found = {f"{word.text}: " + ", ".join(v.span.text for v in vs) for word, vs in example.cases}
    for step in example.play:
        if isinstance(step, t.PlayExpect):
            found |= {f"{pair.place.span.text}: {pair.value.span.text}" for pair in step.pairs}
    return found


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_in_an_example(name: str) -> None:
    assert FIGURES[name] <= figures_of(name)


def test_every_ruling_is_proved_by_an_example() -> None:
    assert unproved(TREE) == UNPROVED


def test_every_rule_and_figure_says_where_it_comes_from() -> None:
    assert uncited(TREE) == []


def test_every_section_of_the_book_is_cited() -> None:
    (book,) = [source for source in TREE.sources if source.name.text == "book"]
    text = bundled_games()["patronus"].read_text("utf-8")
    assert [word.text for word in book.sections if f"book {word.text}" not in text] == []


# ------------------------------------------------------------------ the tiles


def test_immediate_tiles_keep_what_is_known_of_them() -> None:
    """Three different icons each, in all as many as ruled, and a token for each that needs one."""
    data = Data(KINDS)
    tiles = [data.bag("Immediate", "icons", tile) for tile in KINDS["Immediate"].members]
    assert len(tiles) == 15
    assert all(set(+tile) == set(tile.elements()) and len(+tile) == 3 for tile in tiles)
    assert all(count <= 1 for tile in tiles for count in tile.values())
    assert +sum(tiles, Counter()) == ICONS
    assert len({frozenset(+tile) for tile in tiles}) == 15


def test_end_game_tiles_are_the_five_kinds_of_sets() -> None:
    data = Data(KINDS)
    assert KINDS["EndGame"].members == tuple(SETS)
    for tile, (needs, points) in SETS.items():
        found = +data.bag("EndGame", "needs", tile)
        assert found == {what.replace("passed", "passed_corbita"): n for what, n in needs.items()}
        assert data.number("EndGame", "points", tile) == points
    assert len(KINDS["Support"]) == 20


# ------------------------------------------------------------------ the base


def test_the_base_means_the_same_with_and_without_the_expansion(tmp_path: Path) -> None:
    path = bundled_games()["portus"]
    alone = Path(shutil.copy(path, tmp_path))
    before = hash_of(alone)
    assert portus_games.game("patronus", 2).rules_hash != before
    assert load("portus").rules_hash == load(str(path)).rules_hash == hash_of(alone) == before
    assert hash_of_text(text_of(path)) == before


def test_the_base_is_not_altered_by_hand() -> None:
    """Everything of the expansion stands in its own file."""
    base = bundled_games()["portus"].read_text("utf-8")
    assert not {"lighthouse", "chartered", "Immediate", "EndGame"} & set(base.split())


# ------------------------------------------------------------------ the draft is secret

TILES = KINDS["Support"].members
LAST = 4
"""Of the five times that all choose, the last one is to return a tile."""


def start(players: int, seed: int) -> State:
    return portus_games.game("patronus", players).start(seed)


def choose_first(state: State, seat: int, order: Sequence[str]) -> None:
    """The player keeps or returns the tile that stands first in a list."""
    moves = {move.text.split()[1]: move for move in state.legal_moves(seat)}
    state.apply(moves[min(moves, key=order.index)])


def sight(state: State, seat: int) -> tuple[object, ...]:
    """All that a player can know."""
    texts = [move.text for move in state.legal_moves(seat)]
    return state.view(seat)["state"], state.log(seat), texts


def known(now: dict[str, Any], name: str) -> list[object]:
    """The tiles that a player is to know: those in hand and kept, and all that are used."""
    used = [value for path, value in now.items() if path.endswith(".used")]
    return [now[f"{name}.hand"], now[f"{name}.kept"], *used]


def kept(now: dict[str, Any]) -> list[object]:
    return [value for path, value in now.items() if path.endswith(".kept")]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_is_told_before_all_have_chosen(players: int) -> None:
    state, random = start(players, 1), Random(players)
    for _ in range(LAST + 1):
        seats = random.sample(range(players), players)
        for number, seat in enumerate(seats):
            later = seats[number + 1 :]
            before = [sight(state, one) for one in later]
            choose_first(state, seat, random.sample(TILES, 20))
            if later:
                assert [sight(state, one) for one in later] == before


def two_drafts(players: int, turn: int, random: Random) -> bool:
    """Whether one player can choose otherwise at one turn without another's knowing it.

    To who sits at his right the drafts look the same as long as he is to know the same tiles.
    """
    other = random.randrange(players)
    viewer = (other - 1) % players
    order, seed = random.sample(TILES, 20), random.randrange(100)
    one, two = start(players, seed), start(players, seed)
    hidden: tuple[State, State] | None = None
    for number in range(LAST + 1):
        for seat in range(players):
            choose_first(one, seat, order)
            choose_first(two, seat, order[::-1] if (number, seat) == (turn, other) else order)
        if number >= turn:
            now = [portus_games.everything(state) for state in (one, two)]
            if known(now[0], "ABCD"[viewer]) != known(now[1], "ABCD"[viewer]):
                break
            if kept(now[0]) != kept(now[1]):
                hidden = one.clone(), two.clone()
    if hidden is not None:
        assert sight(hidden[0], viewer) == sight(hidden[1], viewer)
    return hidden is not None


@pytest.mark.parametrize(("players", "turn"), [(2, LAST), (3, 0), (4, 1)])
def test_nobody_sees_what_another_keeps_and_returns(players: int, turn: int) -> None:
    random = Random(players)
    assert sum(two_drafts(players, turn, random) for _ in range(3)) > 0


def test_end_game_tiles_stay_unseen_to_the_end() -> None:
    """Two games in which a player has returned another end-game tile differ in his score only."""
    players, order = 2, [*SETS, *KINDS["Immediate"].members]
    one, two = start(players, 3), start(players, 3)
    for _ in range(LAST):
        for seat, state in product(range(players), (one, two)):
            choose_first(state, seat, order)
    now = portus_games.everything(one)
    mine = [sorted(set(now[f"{p}.kept"]) & set(SETS)) for p in one.rules.words.seats]
    owner = max(range(players), key=lambda seat: len(mine[seat]))
    for seat, returned in product(range(players), (0, 1)):
        wish = mine[owner][returned : returned + 1] if seat == owner else []
        choose_first((one, two)[returned], seat, [*wish, *order])
    agent = RandomAgent(1)
    while not one.is_over:
        before = one.clone(), two.clone()
        move = agent.choose(one, one.to_act[0])
        one.apply(move)
        two.apply(move)
    assert sight(before[0], 1 - owner) == sight(before[1], 1 - owner)
    assert kept(portus_games.everything(one)) != kept(portus_games.everything(two))
    for state in (one, two):
        portus_games.check_end("patronus", state, portus_games.plain("patronus", state))


def test_nobody_learns_what_he_must_not() -> None:
    """Two runs that differ only in what a seat does not see look the same to that seat."""
    game = portus_games.game("patronus", 3)
    assert look_for_leaks(game, Random(3), 30) > 0


# ------------------------------------------------------------------ games

SEEDS = st.integers(0, 2**32)


@settings(max_examples=3)
@given(st.integers(2, 4), SEEDS)
def test_games_agree_with_the_rules_in_plain_python(players: int, seed: int) -> None:
    """Draft, legal moves, states, the twenty tiles, the score pad and the places."""
    portus_games.play("patronus", players, seed)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_have_no_fault_and_an_end(players: int) -> None:
    """Four tiles each, none twice; the soak plays five hundred of each."""
    counts = [portus_games.decisions_of("patronus", players, seed) for seed in range(4)]
    assert 25 * players < median(counts) < 150 * players


def test_there_is_no_game_for_one() -> None:
    assert portus_games.model("patronus").players == (2, 4)


def test_a_printed_game_leaves_no_question() -> None:
    lines = told(portus_games.game("patronus", 3), 1, viewer=0)
    assert any("A keeps" in line for line in lines)
    assert not any("B keeps" in line or "B returns" in line for line in lines)
    assert [line for line in lines if "?" in line] == []
