"""The bundled games played: trees, copies, saves, logs and playlogs agree everywhere."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from fractions import Fraction

import pytest

from rulesdsl.agents.random import RandomAgent
from rulesdsl.compile import compile_rules
from rulesdsl.play.game import Game
from rulesdsl.play.loading import load, load_for
from rulesdsl.play.playlog import PlaylogWriter, read_playlog, replay, verify
from rulesdsl.play.rules_hash import rules_hash
from rulesdsl.play.state import State, check_invariants
from rulesdsl.resources import bundled_games
from rulesdsl.text.source import Source
from tests.bundled import GAMES

NAMES = sorted(GAMES)


class Tree:
    """All of a small game: kinds of nodes, information sets, uniform expected returns."""

    def __init__(self, game: Game) -> None:
        self.chance = self.decisions = self.ends = 0
        self.information: set[object] = set()
        self.returns = [Fraction(0)] * game.players
        self.walk(game.start(), Fraction(1))

    def walk(self, state: State, likely: Fraction) -> None:
        if state.is_over:
            self.end(state, likely)
        elif state.is_chance:
            self.chance += 1
            for _, probability, outcome in state.chance_outcomes():
                self.walk(state.chance_child(outcome), likely * probability)
        else:
            self.decisions += 1
            (player,) = state.to_act
            self.information.add((player, state.log(player)))
            moves = state.legal_moves(player)
            for move in moves:
                self.walk(state.child(move), likely / len(moves))

    def end(self, state: State, likely: Fraction) -> None:
        self.ends += 1
        ended = state.outcome
        assert ended is not None
        for seat in range(len(self.returns)):
            won = 1 if seat in ended.winners else -1
            self.returns[seat] += likely * (won if ended.payoffs is None else ended.payoffs[seat])


@pytest.mark.parametrize(
    ("name", "nodes", "information", "first"),
    [
        ("kuhn-poker", (4, 24, 30), 12, Fraction(1, 8)),
        ("nim", (0, 265, 182), 265, Fraction(0)),
    ],
)
def test_whole_trees(
    name: str, nodes: tuple[int, int, int], information: int, first: Fraction
) -> None:
    tree = Tree(load(name))
    assert (tree.chance, tree.decisions, tree.ends) == nodes
    assert len(tree.information) == information
    assert tree.returns == [first, -first]


def look_around(state: State) -> None:
    """What holds of every state in which somebody has to act."""
    again = state.rules
    for player in state.to_act:
        moves = state.legal_moves(player)
        assert moves
        numbers = [move.number for move in moves]
        assert numbers == sorted(set(numbers))
        assert sum(map(len, state.legal_ranges(player))) == len(moves)
        for move in {moves[0], moves[-1], moves[len(moves) // 2]}:
            assert state.move(move.text, player) == move
            assert state.child(move).rules is again
    check_invariants(state)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", NAMES)
def test_everything_agrees_along_a_game(name: str, seed: int) -> None:
    game, agent, file = load(name), RandomAgent(seed), io.StringIO()
    state = game.start(seed, [PlaylogWriter(game, file, seed)])
    step = 0
    while not state.is_over:
        look_around(state)
        player = state.to_act[step % len(state.to_act)]
        move = agent.choose(state, player)
        clone, saved = state.clone(), game.state_from_json(state.to_json())
        before = [(state.view(seat)["state"], state.log(seat)) for seat in range(game.players)]
        state.apply(move)
        for other in (clone, saved):
            other.apply(move)
            assert other == state
        for seat, (view, log) in enumerate(before):
            now = state.log(seat)
            assert now[: len(log)] == log
            # nothing that a seat sees changes without an event
            assert state.view(seat)["state"] == view or len(now) > len(log)
        step += 1
    playlog = read_playlog(file.getvalue().splitlines())
    assert verify(load_for(playlog), playlog) == state
    assert replay(game, playlog).log(0) == state.log(0)


def test_a_game_is_the_same_in_another_process() -> None:
    program = (
        "import io, rulesdsl\n"
        "from rulesdsl.play.playlog import PlaylogWriter\n"
        "agent, file = rulesdsl.RandomAgent(5), io.StringIO()\n"
        "game = rulesdsl.load('ostia', 4, {'bluffing': True})\n"
        "state = game.start(5, [PlaylogWriter(game, file, 5)])\n"
        "while not state.is_over: state.apply(agent.choose(state, state.to_act[0]))\n"
        "print(state.hash, state.named_hash(), state.outcome, state.log(1), file.getvalue())\n"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
            timeout=60,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


# ------------------------------------------------------------------ the rules hash


def hash_of(text: str) -> str:
    return rules_hash(compile_rules(Source("nim.yaml", text), None, {}).model)


def test_the_rules_hash_is_over_the_meaning() -> None:
    text = bundled_games()["nim"].read_text(encoding="utf-8")
    same = hash_of(text)
    for old, new in (
        ("rules: 1\n", "# a remark\nrules: 1\n\n"),
        ("title: Nim", "title: Another Name"),
        ("about: Heaps", "about: Piles"),
    ):
        assert old in text
        assert hash_of(text.replace(old, new)) == same
    for old, new in (
        ("large: [3]", "large: [4]"),
        ("number in 1..heap.stones", "number in 1..min(2, heap.stones)"),
        ("-= number", "-= min(1, number)"),
        ("default: true", "default: false"),
        ("[white, black]", "[black, white]"),
    ):
        assert old in text
        assert hash_of(text.replace(old, new)) != same


def test_the_rules_hash_does_not_depend_on_seats_and_options() -> None:
    assert load("ostia", 3).rules_hash == load("ostia", 5, {"bluffing": True}).rules_hash
