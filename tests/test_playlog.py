"""Playlogs: written as the game goes, replayed, verified, refused at the first difference."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rulesdsl.agents.random import RandomAgent
from rulesdsl.machine.program import Machine
from rulesdsl.play.game import Game
from rulesdsl.play.playlog import (
    PlaylogError,
    PlaylogWriter,
    read_playlog,
    replay,
    verify,
)
from rulesdsl.play.state import State
from rulesdsl.resources import schema_text
from tests.machines import gifts, high_card, nim

GAMES = [nim, high_card, gifts]


def played(machine: Machine, seed: int = 3) -> tuple[Game, State, list[list[str]]]:
    """A random game with the referee's playlog and each player's, as lines."""
    game, agent = Game(machine), RandomAgent(seed)
    files = [io.StringIO() for _ in range(game.players + 1)]
    writers = [PlaylogWriter(game, files[0], seed)]
    writers += [PlaylogWriter(game, files[seat + 1], None, seat) for seat in range(game.players)]
    state = game.start(seed, writers)
    while not state.is_over:
        state.apply(agent.choose(state, state.to_act[0]))
    return game, state, [file.getvalue().splitlines() for file in files]


@pytest.mark.parametrize("machine", GAMES)
def test_a_playlog_replays_without_the_seed(machine: Callable[[], Machine]) -> None:
    game, state, (lines, *_) = played(machine())
    log = read_playlog(lines)
    assert not log.torn
    assert log.player is None
    assert log.header["seed"] == 3
    for again in (replay(game, log), verify(game, log)):
        assert again == state
        assert [again.log(p) for p in range(2)] == [state.log(p) for p in range(2)]
    assert replay(game, log, 0) == game.start()


@pytest.mark.parametrize("machine", GAMES)
def test_every_line_fits_the_schema(machine: Callable[[], Machine]) -> None:
    schema = json.loads(schema_text("playlog"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for lines in played(machine())[2]:
        for line in lines:
            validator.validate(json.loads(line))
    assert not validator.is_valid({"move": "pass"})
    assert not validator.is_valid({**json.loads(lines[0]), "seed": 1})


def test_a_player_gets_what_he_saw() -> None:
    _, state, (_, *players) = played(high_card())
    for seat, lines in enumerate(players):
        found = [json.loads(line) for line in lines]
        assert found[0]["of"] == "AB"[seat]
        assert "seed" not in found[0]
        assert found[1:-1] == [event.to_json() for event in state.log(seat)]
        assert "outcome" in found[-1]
        assert not any("hash" in line for line in found)


def test_a_player_cannot_be_replayed() -> None:
    game, _, (_, first, _) = played(high_card())
    with pytest.raises(PlaylogError, match="only A saw this"):
        replay(game, read_playlog(first))


def test_lines_are_written_as_the_game_goes() -> None:
    file, game = io.StringIO(), Game(nim())
    state = game.start(None, [PlaylogWriter(game, file)])
    assert len(file.getvalue().splitlines()) == 1
    state.apply("take 2")
    assert [json.loads(line).get("move") for line in file.getvalue().splitlines()][1:] == ["take 2"]
    state.clone().apply("take 1")
    state.child("take 1")
    with pytest.raises(Exception, match="not possible"):
        state.apply("take 9")
    assert len(file.getvalue().splitlines()) == 2


@pytest.mark.parametrize("cut", [1, 20])
def test_a_torn_last_line_is_no_loss(cut: int) -> None:
    game, _, (lines, *_) = played(nim())
    log = read_playlog([*lines[:4], lines[4][:-cut]])
    assert log.torn
    assert verify(game, log) == replay(game, read_playlog(lines), 3)


def changed(lines: list[str], number: int, **values: Any) -> list[str]:
    return [
        json.dumps({**json.loads(line), **values}) if index == number else line
        for index, line in enumerate(lines)
    ]


@pytest.mark.parametrize(
    ("number", "values", "line", "message"),
    [
        (1, {"hash": "0" * 16}, 2, "after take . the game is not as it was then"),
        (1, {"move": "take 9"}, 2, "A: 'take 9' is not possible: n is from 1 to 3"),
        (1, {"by": "B"}, 2, "B: B may not act now"),
        (1, {"by": "Z"}, 2, "there is no player Z"),
        (-1, {"outcome": {"ranking": [], "winners": []}}, -1, "it ended differently then"),
        (0, {"rules": "0" * 12}, 1, "it was played under rules 000000000000.* still go the same"),
        (0, {"game": "chess"}, 1, "its game is chess, here it is nim"),
        (0, {"seats": ["A"]}, 1, "its seats is"),
        (0, {"options": {"big": True}}, 1, "its options is"),
    ],
)
def test_the_first_difference_is_named(
    number: int, values: dict[str, Any], line: int, message: str
) -> None:
    game, _, (lines, *_) = played(nim())
    log = read_playlog(changed(lines, number % len(lines), **values))
    with pytest.raises(PlaylogError, match=message) as caught:
        verify(game, log)
    assert caught.value.line == (line if line > 0 else len(lines))


def test_chance_that_cannot_come() -> None:
    game, _, (lines, *_) = played(high_card())
    again = json.loads(lines[1])["chance"]
    with pytest.raises(PlaylogError, match="here it cannot"):
        verify(game, read_playlog(changed(lines, 2, chance=again)))
    with pytest.raises(PlaylogError, match="here it is not asked"):
        verify(game, read_playlog([*lines[:3], lines[2]]))
    with pytest.raises(PlaylogError, match="chance is next"):
        verify(game, read_playlog([lines[0], lines[3]]))
    with pytest.raises(PlaylogError, match="here it goes on"):
        verify(game, read_playlog([lines[0], lines[-1]]))
    with pytest.raises(PlaylogError, match="neither a move nor"):
        verify(game, read_playlog([lines[0], "{}"]))


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        ([], 1, "its header is missing"),
        (["{}"], 1, "its header is missing"),
        (["nothing"], 1, "no line of a playlog"),
        (['{"playlog": 1}', "no", "{}"], 2, "no line of a playlog"),
        (['{"playlog": 1}', "3", "{}"], 2, "no line of a playlog"),
        (['{"playlog": 9}'], 1, "its format is 9; this version reads 1"),
    ],
)
def test_what_is_no_playlog(lines: list[str], line: int, message: str) -> None:
    with pytest.raises(PlaylogError, match=message) as caught:
        read_playlog(lines)
    assert caught.value.line == line
