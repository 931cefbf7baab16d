"""Portus: its examples prove all rulings, its games agree with the rules in plain Python."""

from __future__ import annotations

from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesdsl.syntax import tree as t
from tests import plain_portus, portus_games
from tests.bundled import GAMES, read
from tests.test_narrate import told

TREE = read(GAMES["portus"]).tree


def unproved(tree: t.RuleFile) -> set[str]:
    """The rulings of a file and of what it extends that no example cites."""
    cites = [cite for example in tree.examples for cite in example.cites]
    cited = {cite.section for cite in cites if cite.source == "ruling"}
    named = {word.text for source in tree.sources for word, _ in source.texts}
    assert cited <= named
    return named - cited


def uncited(tree: t.RuleFile) -> list[str]:
    """Rules and figures that do not say where they come from."""
    assert tree.setup is not None
    assert tree.result is not None
    named = [(phase.signature.name.text, phase.cites) for phase in tree.phases]
    named += [(one.signature.name.text, one.cites) for one in tree.procedures]
    named += [(option.name.text, option.cites) for option in tree.options]
    named += [(table.name.text, table.cites) for table in tree.tables]
    named.append(("result", tree.result.cites))
    named += [(kind.name.text, kind.cites) for kind in tree.kinds if kind.columns]
    assert isinstance(tree.setup.body.steps[0], t.CiteHere)
    return [name for name, cites in named if not cites]


def test_every_ruling_is_proved_by_an_example() -> None:
    assert unproved(TREE) == set()


def test_every_rule_and_figure_says_where_it_comes_from() -> None:
    assert uncited(TREE) == []


def test_no_figure_of_a_tile_or_a_price_is_said_to_be_known() -> None:
    """No source tells them; an owner of the game finds each under `ruling invented`."""
    figures = [(kind.name.text, kind.cites) for kind in TREE.kinds if kind.columns]
    figures += [(option.name.text, option.cites) for option in TREE.options]
    figures += [(table.name.text, table.cites) for table in TREE.tables]
    assert [n for n, cites in figures if "invented" not in {c.section for c in cites}] == []


# ------------------------------------------------------------------ what is there


def test_the_components_are_those_of_the_box() -> None:
    kinds = portus_games.model("portus").kinds
    for kind, number in portus_games.TILES.items():
        copies = kinds[kind].columns.get("copies")
        assert (sum(copies.values) if copies else len(kinds[kind])) == number, kind
    assert sum(kinds["TradingPort"].columns["initial"].values) == 4
    assert len(kinds["Spot"]) == 12
    assert kinds["Section"].members == tuple(plain_portus.RING)
    assert len(kinds["Leg"]) == 24


def test_all_that_is_given_can_be_kept() -> None:
    """No figure is ever lost: as many can be had as tiles and cards give."""
    found = plain_portus.Data(portus_games.model("portus").kinds)
    for figure in plain_portus.FIGURES:
        given_by = {
            kind: sum(
                found.bag(kind, "gives", name)[figure] * found.number(kind, "copies", name)
                for name in found.kinds[kind].members
            )
            for kind in ("Discovery", "Order")
        }
        assert sum(given_by.values()) == 5, figure


# ------------------------------------------------------------------ games

SEEDS = st.integers(0, 2**32)


@settings(max_examples=4)
@given(st.integers(1, 4), SEEDS)
def test_games_agree_with_the_rules_in_plain_python(players: int, seed: int) -> None:
    """Legal moves, states, components, the score pad and the places."""
    portus_games.play("portus", players, seed)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_games_have_no_fault_and_an_end(players: int) -> None:
    """The soak plays five hundred of each."""
    counts = [portus_games.decisions_of("portus", players, seed) for seed in range(4)]
    assert 25 * players < median(counts) < 150 * players


def test_a_printed_game_leaves_no_question() -> None:
    lines = told(portus_games.game("portus", 2), 1, viewer=0)
    assert any("sails from" in line for line in lines)
    assert [line for line in lines if "?" in line] == []
