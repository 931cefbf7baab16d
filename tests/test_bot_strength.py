"""Bundled bots play sensibly: they beat random players, end games, and trade, sail and pay."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from attrs import Factory, define

from rulesdsl.agents.random import Agent, RandomAgent
from rulesdsl.agents.roster import RANDOM, Roster
from rulesdsl.agents.script import Script
from rulesdsl.agents.scripted import ScriptedAgent
from rulesdsl.compile import check_source
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.settings import settle_options
from rulesdsl.play.game import Game
from rulesdsl.play.state import State
from rulesdsl.resources import bundled_bots, find_game
from rulesdsl.text.files import read_source

SEATS = 4
GAMES = ("ostia", "oltremare", "portus", "patronus")
BOTS = [(game, bot) for game in GAMES for bot in bundled_bots(game)]
FEW, MANY = 8, 100


@cache
def table(name: str) -> tuple[Game, dict[str, Script]]:
    """A game with its bots."""
    source = read_source(find_game(name))
    model = check_source(source)
    seats = min(SEATS, model.players[1])
    game = Game(make_machine(model, *settle_options(model, seats, {})))
    roster = Roster.of(model)
    return game, {bot: Script.of(roster.bot(bot, model), game.rules) for bot in roster.files}


@define
class Played:
    """What happened in some games."""

    states: list[tuple[tuple[str, ...], State]] = Factory(list)
    moves: Counter[str] = Factory(Counter)
    """Of bots, by name of the option."""
    blind: int = 0

    def won(self, bot: str) -> float:
        """How many games a bot has won; a shared one counts in part."""
        total = 0.0
        for bots, state in self.states:
            outcome = state.outcome
            assert outcome is not None
            won = [bots[seat] == bot for seat in outcome.winners]
            total += sum(won) / max(1, len(won))
        return total


def play(name: str, bots: tuple[str, ...], seeds: range) -> Played:
    """Games of these bots, who change seats."""
    game, scripts = table(name)
    played = Played()
    for seed in seeds:
        here = tuple(bots[(seat + seed) % len(bots)] for seat in range(len(bots)))
        agents: list[Agent] = [
            RandomAgent(seed) if bot == RANDOM else ScriptedAgent(scripts[bot], seed)
            for bot in here
        ]
        state = game.start(seed)
        while not state.is_over:
            seat = state.to_act[0]
            move = agents[seat].choose(state, seat)
            if here[seat] != RANDOM:
                played.moves[move.name] += 1
            state.apply(move)
        played.states.append((here, state))
        played.blind += sum(a.blind.total() for a in agents if isinstance(a, ScriptedAgent))
    return played


def check_against_random(name: str, bot: str, games: int) -> None:
    played = play(name, (bot, RANDOM, RANDOM, RANDOM), range(games))
    assert played.blind == 0
    assert played.won(bot) >= 0.9 * games - 1


@pytest.mark.parametrize(("name", "bot"), BOTS)
def test_each_bot_beats_random_players(name: str, bot: str) -> None:
    check_against_random(name, bot, FEW)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "bot"), BOTS)
def test_each_bot_beats_random_players_in_many_games(name: str, bot: str) -> None:
    check_against_random(name, bot, MANY)


# ------------------------------------------------------------------ each game


def check_ostia(games: int, debts: int) -> None:
    """Next to nobody ends in debt, and somebody wins."""
    played = play("ostia", ("beginner", "careful", "beginner", "careful"), range(games))
    loans = [
        state.named()["state"][f"{seat}.loans"]  # type: ignore[index]
        for _, state in played.states
        for seat in state.rules.words.seats[:SEATS]
    ]
    assert sum(loan > 0 for loan in loans) <= debts
    assert all(state.outcome is not None and state.outcome.winners for _, state in played.states)


def check_oltremare(games: int) -> None:
    """They trade, sail, and do not talk on and on."""
    played = play("oltremare", ("beginner", "merchant", "beginner", "merchant"), range(games))
    assert played.moves["accept"] >= 4 * games
    assert played.moves["sail"] >= 12 * games
    assert played.moves["offer"] + played.moves["ask"] <= 3.5 * played.moves["done"]
    assert sum(played.moves.values()) < 900 * games


def check_turns(name: str, bot: str, games: int) -> None:
    """Games end after 15 to 25 turns of each player, on the average."""
    played = play(name, (bot,) * SEATS, range(games))
    assert 15 <= played.moves["sow"] / games / SEATS <= 25


@pytest.mark.parametrize(("name", "share"), [("tic-tac-toe", 0.8), ("connect-four", 0.9)])
def test_who_sees_lines_beats_random_players(name: str, share: float) -> None:
    played = play(name, ("beginner", RANDOM), range(20))
    assert played.blind == 0
    assert played.won("beginner") >= share * 20


def test_who_knows_his_cards_wins_money() -> None:
    played, total = play("leduc-poker", ("beginner", RANDOM), range(150)), 0
    for bots, state in played.states:
        assert state.outcome is not None
        assert state.outcome.payoffs is not None
        total += state.outcome.payoffs[bots.index("beginner")]
    assert played.blind == 0
    assert total > 75


def test_ostia() -> None:
    check_ostia(FEW, 0)


def test_oltremare() -> None:
    check_oltremare(3)


@pytest.mark.parametrize("name", ["portus", "patronus"])
def test_portus_and_patronus(name: str) -> None:
    check_turns(name, "beginner", FEW)


@pytest.mark.soak
def test_many_games_of_ostia() -> None:
    check_ostia(2 * MANY, 2 * MANY * SEATS // 100)


@pytest.mark.soak
def test_many_games_of_oltremare() -> None:
    check_oltremare(MANY)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "bot"), [pair for pair in BOTS if pair[0] in GAMES[2:]])
def test_many_games_of_portus_and_patronus(name: str, bot: str) -> None:
    check_turns(name, bot, MANY)
