"""Loading games, and what the package offers at its root."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import rulesdsl
from rulesdsl.text.files import read_source


def test_a_game_in_a_few_lines() -> None:
    game = rulesdsl.load("ostia", players=4, options={"full_price": True})
    assert game.players == 4
    assert game.options["full_price"] is True
    assert game.options["bluffing"] is False
    state, agent = game.start(seed=7), rulesdsl.RandomAgent(7)
    while not state.is_over:
        state.apply(agent.choose(state, state.to_act[0]))
    assert state.outcome is not None


@pytest.mark.parametrize(
    ("players", "options"), [(9, {}), (3, {"no_such": 1}), (3, {"bluffing": "perhaps"})]
)
def test_what_there_is_not(players: int, options: dict[str, object]) -> None:
    with pytest.raises(rulesdsl.UsageError):
        rulesdsl.load("ostia", players, options)


def test_no_such_game() -> None:
    with pytest.raises(rulesdsl.GameNotFound, match="did you mean nim"):
        rulesdsl.load("nimm")


@pytest.mark.parametrize("content", [b"rules: 1\ngame: \xff\n", b"\x00\xfe" * 600_000])
def test_a_file_that_is_no_text(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(content)
    with pytest.raises(rulesdsl.RulesError):
        rulesdsl.load(str(path))


def test_where_a_file_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes("é: 1\nx: ".encode() + b"\xff")
    with pytest.raises(rulesdsl.RulesError, match=r"mine\.yaml:2:4: not-utf8"):
        read_source(path)


def test_everything_at_the_root_is_there() -> None:
    for name in rulesdsl.__all__:
        assert getattr(rulesdsl, name) is not None
    assert dir(rulesdsl) == sorted(rulesdsl.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = rulesdsl.nothing


def test_the_root_alone_is_light() -> None:
    program = (
        "import sys, rulesdsl; print([m for m in ('yaml', 'lark', 'attr') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_rule_file_is_read_without_what_plays_games() -> None:
    program = (
        "import sys, rulesdsl.lab.reading\n"
        "print([m for m in ('agents', 'engines', 'play.game') if f'rulesdsl.{m}' in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
