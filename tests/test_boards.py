"""Grids: where their members stand, and how they are drawn in text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulesdsl.check.geometry import Grid
from rulesdsl.compile import compile_rules
from rulesdsl.play.drawn import boards
from rulesdsl.play.game import Game
from rulesdsl.play.loading import load
from rulesdsl.play.narrate import Narrator
from rulesdsl.play.texts import Wording
from rulesdsl.text.source import Source
from tests.terminal import Terminal


def drawn(game: Game, viewer: int | None = None) -> list[list[str]]:
    """The boards before the first move, for the referee or a seat."""
    state = game.start(seed=1)
    found = state.named() if viewer is None else state.view(viewer)
    assert isinstance(found["state"], dict)
    return list(boards(Wording(state.rules, viewer), found["state"]))


def test_lines_of_a_chessboard() -> None:
    grid = Grid(8, 8)
    assert len(grid.lines(8)) == 18
    assert len(grid.lines(2)) == 2 * 56 + 2 * 49
    assert len(Grid(6, 7).lines(4)) == 69
    assert grid.lines(9) == []
    through = grid.lines_through(8)
    assert [len(through[square]) for square in (0, 1, 9, 63)] == [3, 2, 3, 3]


def test_steps_end_at_the_edge() -> None:
    grid = Grid(2, 3)
    assert [grid.toward(0, way) for way in ("north", "east", "south", "west")] == [3, 1, None, None]
    assert grid.toward(5, "southwest") == 1
    assert grid.toward(3, "northwest") is None
    assert grid.beside(4, sides=True, corners=False) == [1, 3, 5]
    assert grid.beside(4, sides=False, corners=True) == [0, 2]
    assert grid.beside(4, sides=True, corners=True) == [0, 1, 2, 3, 5]


SECRETS = """\
rules: 1
game: fog
players: [near, far]
kinds:
  File: {rows: [left_side, right_side]}
  Cell: grid 10 by File
  Coin: {columns: {copies: 1..2}, rows: {gold: [1], tin: [2]}}
state:
  shared:
    box: bag of Coin, starts with copies
  each Cell:
    height: 0..99, starts at row * row - 1
    hidden_by: maybe Player, hidden
    coins: bag of Coin
flow:
  - move all from box to coins[left_side2]
  - for p in players:
      - p chooses:
          raise(c in Cell where c.height < 50): c.height += size of c.coins
          bury(c in Cell): c.hidden_by = p
  - nobody wins
"""


def test_the_north_is_above_and_columns_are_even() -> None:
    heights, hidden, coins = drawn(Game(compile_rules(Source("fog.yaml", SECRETS))), viewer=0)
    assert heights[0] == "Height"
    assert heights[1] == "10  99         99"
    assert heights[-2] == " 1  .          ."
    assert heights[-1] == "    left side  right side"
    assert hidden[:2] == ["Hidden by", "10  ?          ?"]
    assert coins[-3:-1] == [" 2  (1 gold, 2 tin) .", " 1  .               ."]


def test_the_last_board_is_told() -> None:
    game, lines = load("tic-tac-toe"), list[str]()
    narrator = Narrator(game.rules, None, lines.append)
    state = game.start(seed=1, watchers=[narrator])
    for cell in ("b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"):
        state.apply(f"mark {cell}")
    narrator.finish()
    assert lines[-4:] == ["  3  O O X", "  2  X X O", "  1  O X X", "     a b c"]


def test_a_player_sees_the_board_before_each_question(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "connect-four", "--as", "cross", "--seed", "4")
    empty = "  1  . . . . . . ."
    assert empty in terminal.until("X> ")
    terminal.type("drop g")
    after = terminal.until("X> ")
    assert empty not in after
    assert re.search(r"  1  [.O ]+X", after)
    terminal.type("look")
    looked = terminal.until("X> ")
    assert re.search(r"  1  [.O ]+X", looked)
    assert "disc" not in looked
    terminal.type("quit")
    assert terminal.end()[0] == 0


@pytest.mark.parametrize("columns", [3, 26])
def test_columns_have_letters(columns: int) -> None:
    text = SECRETS.replace("{rows: [left_side, right_side]}", f"1..{columns}")
    game = Game(compile_rules(Source("fog.yaml", text.replace("left_side2", "a2"))))
    assert drawn(game)[0][-1].split() == list("abcdefghijklmnopqrstuvwxyz"[:columns])
