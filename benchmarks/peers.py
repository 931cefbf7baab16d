"""How others play small games at random: OpenSpiel, RLCard, PettingZoo.

Each function makes a `Play`; a library that is missing is told by `NotThere`. Players are random
everywhere in the same way: each legal move is as likely.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from benchmarks.harness import Play, library

MEGABYTES = 100
"""More than a search of one node needs."""


def pyspiel() -> Any:
    return library("pyspiel", "open_spiel")


@cache
def decisions_a_game(name: str) -> float:
    """How many decisions a random game of OpenSpiel has on average, over 2,000."""
    return stepped(name)(0, 2_000) / 2_000


def rollouts(name: str) -> Play:
    """All in C++: the rollouts by which OpenSpiel's search values a node.

    A search of one simulation values its root by so many random playouts, each on a clone of
    the state, in one call. The root cannot be an outcome of chance, so the first deal is made
    before and is not timed.
    """
    spiel = pyspiel()
    game, decisions = spiel.load_game(name), decisions_a_game(name)
    random = Random(0)

    def play(first: int, games: int) -> int:
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(random.choice(state.legal_actions()))
        evaluator = spiel.RandomRolloutEvaluator(games, first)
        bot = spiel.MCTSBot(game, evaluator, 1.0, 1, MEGABYTES, False, first, False)
        bot.mcts_search(state)
        return round(games * decisions)

    return play


def bots(name: str) -> Play:
    """A game from start to end in C++ for each call: `evaluate_bots` with its random bots."""
    spiel = pyspiel()
    game, decisions = spiel.load_game(name), decisions_a_game(name)

    def play(first: int, games: int) -> int:
        seats = [spiel.make_uniform_random_bot(seat, first + seat) for seat in range(2)]
        for number in range(first, first + games):
            spiel.evaluate_bots(game.new_initial_state(), seats, number)
        return round(games * decisions)

    return play


def stepped(name: str) -> Play:
    """Each move from Python: who acts, what is legal, take one, go on."""
    game = pyspiel().load_game(name)
    return lambda first, games: _step(game, first, games)


def python_game(name: str) -> Play:
    """The same with a game of OpenSpiel that is written in Python."""
    spiel = pyspiel()
    library("open_spiel.python.games", "open_spiel")
    game = spiel.load_game(f"python_{name}")
    return lambda first, games: _step(game, first, games)


def _step(game: Any, first: int, games: int) -> int:
    random = Random(first)
    decisions = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(actions, chances)[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
                decisions += 1
    return decisions


def rlcard(name: str) -> Play:
    """Each move through the environment, which makes an observation after it."""
    env = library("rlcard", "rlcard").make(name)

    def play(first: int, games: int) -> int:
        random = Random(first)
        decisions = 0
        for _ in range(games):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(random.choice(list(state["legal_actions"])))
                decisions += 1
        return decisions

    return play


def pettingzoo(name: str) -> Play:
    """Each move through the environment, which makes an observation and a mask of actions."""
    numpy = library("numpy", "numpy")
    env = library("pettingzoo", "pettingzoo[classic]").make("aec", f"classic/{name}")

    def play(first: int, games: int) -> int:
        random = Random(first)
        decisions = 0
        for number in range(games):
            env.reset(seed=first + number)
            for _ in env.agent_iter():
                seen, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                env.step(int(random.choice(numpy.flatnonzero(seen["action_mask"]))))
                decisions += 1
        return decisions

    return play
