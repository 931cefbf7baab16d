"""Players that search: what they choose, how strong they are, and how they are named."""

from __future__ import annotations

import time
from collections import Counter
from functools import partial
from itertools import permutations
from typing import Any

import pytest
from attrs import define

from rulesdsl.agents.cast import agents_of
from rulesdsl.agents.greedy import GreedyAgent
from rulesdsl.agents.mcts import Candidate, MctsAgent
from rulesdsl.agents.names import NoSuchAgent, agent
from rulesdsl.agents.playout import ByAgents, ByScript, OptionsAgent, played_on
from rulesdsl.agents.random import Agent, RandomAgent
from rulesdsl.agents.roster import Roster
from rulesdsl.agents.script import Script
from rulesdsl.agents.scripted import ScriptedAgent
from rulesdsl.agents.worth import share
from rulesdsl.compile import check_source
from rulesdsl.engines import wasm
from rulesdsl.engines.chance import Stream
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.settings import settle_options
from rulesdsl.play.game import Game
from rulesdsl.play.loading import load
from rulesdsl.play.moves import Move
from rulesdsl.play.outcome import Outcome
from rulesdsl.play.resampling.guesses import Guesses
from rulesdsl.play.resampling.resample import Resampler, Sample, resample
from rulesdsl.play.state import State
from rulesdsl.resources import find_game
from rulesdsl.text.files import read_source

CARDS = ("jack", "queen", "king")
NO_MOVE = Move(0, 0, "pass", {})
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


# ------------------------------------------------------------------ with a policy


@define
class One:
    """Takes one stone of the first heap that has any."""

    seed: int = 0

    def choose(self, state: State, player: int) -> Move:
        return state.legal_moves(player)[0]


def ends(state: State, move: Move) -> int:
    """Who wins after a move when all go on by taking one stone of the first heap."""
    child = state.child(move)
    while not child.is_over:
        (player,) = child.to_act
        child.apply(One().choose(child, player))
    assert child.outcome is not None
    return child.outcome.winners[0]


def test_better_moves_than_those_of_a_policy_are_found() -> None:
    state, better = load("nim").start(), 0
    while not state.is_over:
        (player,) = state.to_act
        wins = {move for move in state.legal_moves(player) if ends(state, move) == player}
        usual = One().choose(state, player)
        chosen = MctsAgent(60, 1, policy=ByAgents(One)).choose(state, player)
        assert chosen in wins if wins else chosen == usual
        if usual in wins:
            assert chosen == usual
        better += chosen != usual
        state.apply(chosen)
    assert better


def test_luck_that_two_moves_share_does_not_count() -> None:
    usual, other = Candidate(NO_MOVE, [0.1, 0.9, 0.4]), Candidate(NO_MOVE, [0.2, 1.0, 0.5])
    assert other.gain(usual) == pytest.approx(0.1)
    assert usual.gain(other) == pytest.approx(-0.1)
    assert Candidate(NO_MOVE, [0.9, 0.1, 0.8]).gain(usual) < 0
    assert Candidate(NO_MOVE, [0.9]).gain(Candidate(NO_MOVE, [0.1])) == 0


def test_the_same_seed_plays_on_to_the_same_end() -> None:
    game = load("ostia", 3)
    move = game.start(4).legal_moves(0)[0]

    def end(seed: int) -> tuple[int, ...]:
        state = game.start(4).reseeded(Stream.of(seed))
        found = played_on(state, move, ByAgents(OptionsAgent), seed)
        assert found.is_over
        return found.record

    assert end(1) == end(1) != end(2)


@pytest.mark.parametrize("name", ["ostia", "portus", "leduc-poker"])
def test_bots_play_on_to_the_same_end_on_each_engine(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load(name, 3 if name != "leduc-poker" else 2)
    bot = Roster.of(game.model).bot("beginner", game.model)
    script = Script.of(bot, game.rules)
    state = game.start(3)
    for _ in range(4):
        state.apply(state.legal_moves(state.to_act[0])[0])
    fast = ByScript(script).to_end(state, 5)
    monkeypatch.setattr(wasm, "is_installed", lambda: False)
    assert fast == ByScript(script).to_end(state, 5)
    by_agents = ByAgents(partial(ScriptedAgent, script))
    assert fast == by_agents.to_end(state.reseeded(Stream.of(5)), 5)
    assert fast.is_over


# ------------------------------------------------------------------ any game


def play(game: Game, agents: list[Agent], seed: int, most: int) -> list[str]:
    """The moves of a game, as far as it is looked at."""
    state = game.start(seed)
    moves: list[str] = []
    while not state.is_over and len(moves) < most:
        actor = state.to_act[0]
        before = state.to_json()
        moves.append(f"{actor} {agents[actor].choose(state, actor)}")
        assert state.to_json() == before  # where chance stands is in it, too
        state.apply(moves[-1].split(" ", 1)[1], actor)
    return moves


def test_the_same_seed_chooses_the_same() -> None:
    game = load("ostia", 3)
    for said, most in (("greedy", 12), ("mcts:4", 8)):
        runs = [play(game, [agent(said, 3), *[RandomAgent(3)] * 2], 5, most) for _ in range(2)]
        assert runs[0] == runs[1]


@pytest.mark.parametrize("said", ["greedy", "mcts:4"])
@pytest.mark.parametrize("knows", [False, True])
def test_a_choice_comes_from_what_is_seen(said: str, knows: bool) -> None:
    """Two states with one log: the same choice, whether one knows the beginner or not."""
    game, roster = table("patronus", 2)
    state = game.start(4)
    other = resample(game.rules, 0, state.log(0), Stream.of(8)).state
    assert other.record != state.record
    one, same = (
        agents_of([said], roster, game, 1)[0] if knows else agent(said, 1) for _ in range(2)
    )
    assert one.choose(state, 0) == same.choose(other, 0)


def test_a_search_for_some_time() -> None:
    searcher = MctsAgent(seconds=0.05)
    state = load("nim").start()
    assert searcher.choose(state, 0) in state.legal_moves(0)


def in_the_harbor() -> State:
    """A game of which the player to act, who has a choice, does not see all."""
    state, anybody, decisions = load("ostia", 3).start(1), RandomAgent(1, 0), 0
    while decisions < 40 or len(state.legal_moves(state.to_act[0])) < 2:
        state.apply(anybody.choose(state, state.to_act[0]))
        decisions += 1
    return state


def test_looking_for_states_is_part_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock by which each look at a log takes a second, and nothing else takes any."""
    now = 0.0
    told = Guesses.told

    def slowly(*arguments: Any) -> int | None:
        nonlocal now
        now += 1.0
        return told(*arguments)

    def clock() -> float:
        nonlocal now
        now += 0.01
        return now

    state, searcher = in_the_harbor(), MctsAgent(seconds=20.0)
    monkeypatch.setattr(Guesses, "told", slowly)
    monkeypatch.setattr(time, "monotonic", clock)
    for _ in range(3):
        began = now
        searcher.choose(state, state.to_act[0])
        assert 10 < now - began < 21


def test_few_playouts_need_few_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four playouts with two moves begin from two states: more would never be used."""
    state = in_the_harbor()
    made: list[Sample] = []
    extend = Resampler.extend

    def counted(*arguments: Any, **named: Any) -> Sample:
        made.append(extend(*arguments, **named))
        return made[-1]

    monkeypatch.setattr(Resampler, "extend", counted)
    MctsAgent(4).choose(state, state.to_act[0])
    assert 1 <= len(made) <= 2


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


# ------------------------------------------------------------------ against beginners


def table(name: str, players: int) -> tuple[Game, Roster]:
    """A bundled game and its bots."""
    source = read_source(find_game(name))
    model = check_source(source)
    game = Game(make_machine(model, *settle_options(model, players, {})))
    return game, Roster.of(model)


def wins(name: str, players: int, said: str, games: range) -> float:
    """How many games against beginners a player wins, with the seats taken in turn."""
    (game, roster), total = table(name, players), 0.0
    for number in games:
        seat = number % players
        names = [said if one == seat else "beginner" for one in range(players)]
        agents = agents_of(names, roster, game, 1, number)
        state = game.start(number + 1)
        while not state.is_over:
            actor = state.to_act[0]
            state.apply(agents[actor].choose(state, actor))
        assert state.outcome is not None
        total += (seat in state.outcome.winners) / max(1, len(state.outcome.winners))
    return total


@pytest.mark.soak
def test_beginners_of_patronus_are_beaten_with_32_playouts() -> None:
    """Who plays as well as they do wins 7 of 8 games once in 28 times."""
    assert wins("patronus", 2, "mcts:32", range(8)) >= 7


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
