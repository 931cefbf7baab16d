"""The games of tests/games: their examples hold, they play, and no construct is left out."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from rulesdsl.lab.examples import run_examples
from rulesdsl.lab.trial import play_at_random
from rulesdsl.resources import bundled_games
from rulesdsl.syntax import tree
from rulesdsl.text.problems import Problems
from tests.bundled import read

FOLDER = Path(__file__).parent / "games"
GAMES = sorted(FOLDER.glob("*.yaml"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_examples_hold(path: Path) -> None:
    game, problems = read(path), Problems()
    results = run_examples(game.model, game.tree, problems)
    assert [f"{failure.span}: {failure.note}" for failure in results.failures] == []
    assert list(problems) == []
    assert results.examples >= 1


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_random_games_have_no_fault_and_reach_everything(path: Path) -> None:
    trial = play_at_random(read(path).model, 30)
    assert [str(fault) for fault in trial.faults] == []
    assert [str(piece) for piece in trial.never] == []


def pieces(node: object) -> Iterator[object]:
    """A piece of a tree and all below it."""
    kind = type(node)
    if isinstance(node, tuple):
        for part in node:
            yield from pieces(part)
    elif attrs.has(kind):
        yield node
        for field in attrs.fields(kind):
            yield from pieces(getattr(node, field.name))


def test_every_construct_stands_in_a_game() -> None:
    written = {
        name
        for name, thing in inspect.getmembers(tree, inspect.isclass)
        if thing.__module__ in (tree.__name__, tree.Cite.__module__)
    }
    paths = [*GAMES, *bundled_games().values()]
    found = {type(piece).__name__ for path in paths for piece in pieces(read(path).tree)}
    assert sorted(written - found) == []
