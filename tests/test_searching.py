"""Players that search: what they choose, how strong they are, and how they are named."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from rulesdsl.agents.greedy import GreedyAgent
from rulesdsl.agents.mcts import MctsAgent
from rulesdsl.agents.names import NoSuchAgent, agent
from rulesdsl.agents.random import Agent, RandomAgent
from rulesdsl.agents.worth import share
from rulesdsl.engines.chance import Stream
from rulesdsl.play.game import Game
from rulesdsl.play.loading import load
from rulesdsl.play.outcome import Outcome
from rulesdsl.play.resampling.resample import resample
from rulesdsl.play.state import State

CARDS = ("jack", "queen", "king")
Policy = dict[tuple[int, str, tuple[str, ...]], dict[str, float]]
"""For a player, his card and what was said: how likely each move is."""


# ------------------------------------------------------------------ Kuhn poker


def kuhn(game: Game, deal: tuple[str, ...], said: tuple[str, ...]) -> State:
    state = game.start()
    for card in deal:
        (outcome,) = [number for label, _, number in state.chance_outcomes() if label == card]
        state.apply_chance(outcome)
    for text in said:
        state.apply(text)
    return state


def equilibrium(bluff: float = 1 / 3) -> Policy:
    """One of the known equilibria; the first player loses 1/18 a game."""
    asked: dict[tuple[int, tuple[str, ...]], tuple[str, tuple[float, float, float]]] = {
        (0, ()): ("bet", (bluff, 0, 3 * bluff)),
        (0, ("pass", "bet")): ("call", (0, bluff + 1 / 3, 1)),
        (1, ("pass",)): ("bet", (1 / 3, 0, 1)),
        (1, ("bet",)): ("call", (0, 1 / 3, 1)),
    }
    return {
        (player, card, said): {"pass": 1 - likely[i], move: likely[i]}
        for (player, said), (move, likely) in asked.items()
        for i, card in enumerate(CARDS)
    }


def searched(game: Game, playouts: int, seeds: int) -> Policy:
    """How a searching player plays, over some seeds."""
    found: Policy = {}
    for player, card, said in equilibrium():
        other = next(one for one in CARDS if one != card)
        deal = (card, other) if player == 0 else (other, card)
        state, chosen = kuhn(game, deal, said), Counter[str]()
        for seed in range(seeds):
            chosen[MctsAgent(playouts, seed).choose(state, player).text] += 1
        texts = [move.text for move in state.legal_moves(player)]
        found[player, card, said] = {text: chosen[text] / seeds for text in texts}
    return found


def value(game: Game, first: Policy, second: Policy) -> float:
    """What the first player gains a game."""

    def after(deal: tuple[str, ...], said: tuple[str, ...]) -> float:
        state = kuhn(game, deal, said)
        if state.outcome is not None:
            assert state.outcome.payoffs is not None
            return state.outcome.payoffs[0]
        (player,) = state.to_act
        moves = (first, second)[player][player, deal[player], said]
        return sum(p * after(deal, (*said, move)) for move, p in moves.items() if p)

    deals = list(permutations(CARDS, 2))
    return sum(after(deal, ()) for deal in deals) / len(deals)


def test_on_kuhn_poker_a_search_comes_near_the_known_value() -> None:
    game = load("kuhn-poker")
    known, found = equilibrium(), searched(game, 150, 4)
    guessing: Policy = {key: dict.fromkeys(moves, 0.5) for key, moves in known.items()}
    assert value(game, known, known) == pytest.approx(-1 / 18)
    assert value(game, found, known) > -1 / 18 - 0.1
    assert value(game, known, found) < -1 / 18 + 0.1
    # against one who guesses it wins more than the equilibrium does
    assert value(game, found, guessing) > value(game, known, guessing)
    assert value(game, guessing, found) < value(game, guessing, known)


# ------------------------------------------------------------------ nim


def won(heaps: tuple[int, ...]) -> bool:
    """Whether who is to move wins, when the last stone loses."""
    if max(heaps) <= 1:
        return sum(heaps) % 2 == 0
    nim_sum = 0
    for heap in heaps:
        nim_sum ^= heap
    return nim_sum != 0


def heaps(state: State) -> tuple[int, ...]:
    seen = state.view(0)["state"]
    assert isinstance(seen, dict)
    return tuple(seen[f"stones[{heap}]"] for heap in ("small", "middle", "large"))


def test_in_nim_a_search_wins_won_positions() -> None:
    game, tried = load("nim"), 0
    for first in game.start().legal_moves(0):
        state = game.start()
        state.apply(first)
        if not won(heaps(state)):
            continue
        tried += 1
        chosen = MctsAgent(300, 1).choose(state, 1)
        state.apply(chosen)
        assert state.is_over or not won(heaps(state)), (first.text, chosen.text)
    assert tried > 3


# ------------------------------------------------------------------ any game


def play(game: Game, agents: list[Agent], seed: int, most: int) -> list[str]:
    """The moves of a game, as far as it is looked at."""
    state = game.start(seed)
    moves: list[str] = []
    while not state.is_over and len(moves) < most:
        actor = state.to_act[0]
        before = state.record
        moves.append(f"{actor} {agents[actor].choose(state, actor)}")
        assert state.record == before
        state.apply(moves[-1].split(" ", 1)[1], actor)
    return moves


@pytest.mark.parametrize("said", ["greedy", "mcts:4"])
def test_the_same_seed_chooses_the_same(said: str) -> None:
    game = load("ostia", 3)
    runs = [play(game, [agent(said, 3), *[RandomAgent(3)] * 2], 5, 30) for _ in range(2)]
    assert runs[0] == runs[1]


@pytest.mark.parametrize("said", ["greedy", "mcts:20"])
def test_a_choice_comes_from_what_is_seen(said: str) -> None:
    """Two states with one log: the same choice."""
    game = load("patronus", 2)
    state = game.start(4)
    other = resample(game.rules, 0, state.log(0), Stream.of(8)).state
    assert other.record != state.record
    assert agent(said, 1).choose(state, 0) == agent(said, 1).choose(other, 0)


def test_a_search_for_some_time() -> None:
    searcher = MctsAgent(seconds=0.05)
    state = load("nim").start()
    assert searcher.choose(state, 0) in state.legal_moves(0)


def test_greedy_takes_what_is_worth_most() -> None:
    game = load("nim")

    def few_left(state: State, player: int) -> int:
        return -sum(heaps(state))

    chosen = GreedyAgent(worth=few_left).choose(game.start(), 0)
    assert chosen.text == "take large, number 3"


def test_one_who_is_not_asked() -> None:
    for one in (GreedyAgent(), MctsAgent()):
        with pytest.raises(ValueError, match="not to act"):
            one.choose(load("nim").start(), 1)


def test_equal_places_count_half() -> None:
    found = Outcome(("A", "B", "C"), ((0, 1), (2,)), (0, 1), {}, (), (), None)
    assert [share(found, seat) for seat in range(3)] == [0.75, 0.75, 0.0]


# ------------------------------------------------------------------ names


def test_players_by_name() -> None:
    assert agent("random", 3) == RandomAgent(3)
    assert isinstance(agent("greedy"), GreedyAgent)
    searcher = agent("mcts:35", 2, 1)
    assert isinstance(searcher, MctsAgent)
    assert (searcher.playouts, searcher.seed, searcher.game, searcher.seconds) == (35, 2, 1, None)
    timed = agent("mcts:1.5s")
    assert isinstance(timed, MctsAgent)
    assert timed.seconds == 1.5


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("gredy", "there is no player gredy; did you mean greedy?"),
        ("chess", r"there is no player chess \(players: random, greedy, mcts\)"),
        ("mcts:many", "mcts:many is no budget; it is written mcts:200"),
        ("mcts:0", "mcts:0 is no budget"),
        ("mcts:-1s", "mcts:-1s is no budget"),
        ("mcts:nans", "mcts:nans is no budget"),
        ("random:3", "random has no budget"),
    ],
)
def test_names_that_nobody_has(said: str, message: str) -> None:
    with pytest.raises(NoSuchAgent, match=message):
        agent(said)
