"""States that fit a log: the contract of resampling, and that it holds in every bundled game."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from fractions import Fraction
from random import Random

import pytest

from rulesdsl.agents.random import RandomAgent
from rulesdsl.engines.chance import Stream
from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.settings import settle_options
from rulesdsl.play.events import Event
from rulesdsl.play.game import Game
from rulesdsl.play.loading import load
from rulesdsl.play.resampling.resample import NoFit, Resampler, resample
from rulesdsl.play.state import State
from tests.random_rules import random_model


def positions(game: Game, seed: int, number: int, most: int = 10_000) -> list[tuple[State, int]]:
    """Some positions of a random game, each with a player who is to act."""
    random, agent, state = Random(seed), RandomAgent(seed), game.start(seed)
    found = []
    while not state.is_over and state.moves_made < most:
        player = random.choice(state.to_act)
        found.append((state.clone(), player))
        state.apply(agent.choose(state, player))
    return random.sample(found, min(number, len(found)))


def check_fits(game: Game, state: State, player: int, stream: Stream) -> State:
    """The contract: the same log, the same question, the same result for the same stream."""
    log = state.log(player)
    again = stream.copy()
    found = resample(game.rules, player, log, stream)
    assert found.state.log(player) == log
    assert found.state.view(player) == state.view(player)
    assert found.state.legal_moves(player) == state.legal_moves(player)
    assert resample(game.rules, player, log, again).state.record == found.state.record
    return found.state


@pytest.mark.parametrize(
    ("name", "players", "number", "most"),
    [
        ("kuhn-poker", 2, 2, 10),
        ("nim", 2, 3, 10),
        ("portus", 2, 1, 300),
        ("patronus", 3, 2, 300),
        ("ostia", 3, 3, 300),
        ("oltremare", 3, 2, 160),
    ],
)
def test_a_resampled_state_fits_the_log(name: str, players: int, number: int, most: int) -> None:
    game = load(name, players)
    for index, (state, player) in enumerate(positions(game, 3, number, most)):
        check_fits(game, state, player, Stream.of(11, index))


def test_with_other_secrets() -> None:
    game = load("ostia", 3, {"selective_offers": True})
    for index, (state, player) in enumerate(positions(game, 5, 2)):
        check_fits(game, state, player, Stream.of(12, index))


def test_what_was_done_in_secret_with_things_that_all_see() -> None:
    game = load("ostia", 3, {"bluffing": True})
    for index, (state, player) in enumerate(positions(game, 1, 6)):
        check_fits(game, state, player, Stream.of(13, index))


def test_a_state_fits_in_games_of_random_rules() -> None:
    tried = 0
    for seed in range(40):
        model = random_model(seed)
        if model is None:
            continue
        game, agent = Game(make_machine(model, *settle_options(model, None, {}))), RandomAgent(seed)
        with suppress(RuleFault):
            state = game.start(seed)
            for number in range(4):
                if not state.to_act:
                    break
                player = Random(seed + number).choice(state.to_act)
                log = state.log(player)
                found = resample(game.rules, player, log, Stream.of(seed, number))
                assert found.state.log(player) == log
                tried += 1
                state.apply(agent.choose(state, player))
    assert tried > 50


def test_a_sample_tells_where_it_has_passed() -> None:
    game = load("ostia", 3)
    (state, player), *_ = [one for one in positions(game, 8, 20) if one[0].moves_made > 60]
    log, resampler = state.log(player), Resampler(game.rules, player)
    sample = resampler.sample(log, Stream.of(3))
    assert len(sample.passed) > 5
    for one in sample.passed:
        assert one.state.log(player) == log[: one.read]
        assert player in one.state.to_act
    on = resampler.extend(sample.passed[-3], log, Stream.of(4))
    assert on.state.log(player) == log


# ------------------------------------------------------------------ Kuhn poker, all of it


def histories(game: Game) -> list[tuple[State, Fraction]]:
    """Every position of a small game at which somebody is to act, with its chance."""
    found, open_ = [], [(game.start(), Fraction(1))]
    while open_:
        state, likely = open_.pop()
        if state.is_chance:
            for _, chance, outcome in state.chance_outcomes():
                open_.append((state.chance_child(outcome), likely * chance))
        elif not state.is_over:
            found.append((state, likely))
            (player,) = state.to_act
            open_ += [(state.child(move), likely) for move in state.legal_moves(player)]
    return found


def test_on_kuhn_poker_the_distribution_is_that_of_chance() -> None:
    game = load("kuhn-poker")
    fitting: dict[tuple[int, tuple[Event, ...]], dict[tuple[int, ...], Fraction]] = {}
    for state, likely in histories(game):
        (player,) = state.to_act
        fitting.setdefault((player, state.log(player)), {})[state.record] = likely
    assert len(fitting) == 12
    for (player, log), records in fitting.items():
        stream, drawn = Stream.of(4), Counter[tuple[int, ...]]()
        for _ in range(200):
            sample = Resampler(game.rules, player).sample(log, stream)
            assert sample.exact
            drawn[sample.state.record] += 1
        assert drawn.keys() == records.keys()
        for record, likely in records.items():
            share = likely / sum(records.values())
            # three standard deviations and a half
            assert abs(drawn[record] - 200 * share) < 25


def test_histories_with_one_log_give_one_result() -> None:
    game = load("kuhn-poker")
    seen: dict[tuple[int, tuple[Event, ...]], tuple[int, ...]] = {}
    for state, _ in histories(game):
        (player,) = state.to_act
        record = resample(game.rules, player, state.log(player), Stream.of(9)).state.record
        assert seen.setdefault((player, state.log(player)), record) == record


# ------------------------------------------------------------------ bigger games


def test_what_is_not_seen_differs() -> None:
    game = load("ostia", 3)
    state, player = positions(game, 8, 5)[1]
    stream = Stream.of(2)
    records = {
        resample(game.rules, player, state.log(player), stream).state.record for _ in range(3)
    }
    assert len(records) > 1


def test_a_sample_goes_on_with_the_log() -> None:
    game = load("ostia", 3)
    agent, stream, resampler = RandomAgent(6), Stream.of(6), Resampler(game.rules, 0)
    state, sample, fitted, decisions = game.start(6), None, 0, 0
    while decisions < 12:
        (player, *_) = state.to_act
        if player == 0:
            decisions += 1
            log = state.log(0)
            try:
                sample = resampler.extend(sample, log, stream, 2)
                fitted += 1
            except NoFit:
                sample = resampler.sample(log, stream)
            assert sample.state.log(0) == log
        state.apply(agent.choose(state, player))
    assert fitted > 6


def test_a_log_of_another_game_fits_nothing() -> None:
    ostia, nim = load("ostia", 3), load("nim")
    log = ostia.start(1).log(0)
    with pytest.raises(NoFit, match="begins as the rules say"):
        resample(nim.rules, 0, log[:3] or log, Stream.of(1))


def test_a_log_that_cannot_be_fits_nothing() -> None:
    game = load("kuhn-poker")
    state = game.start(1)
    log = (*state.log(0), Event.of("chose", {"player": "seat_1", "move": "call"}))
    with pytest.raises(NoFit, match="no state was found"):
        resample(game.rules, 0, log, Stream.of(1))


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "players"), [("ostia", 3), ("ostia", 5), ("patronus", 4), ("portus", 3)]
)
def test_everywhere(name: str, players: int) -> None:
    game = load(name, players)
    for seed in range(6):
        for index, (state, player) in enumerate(positions(game, seed, 20)):
            check_fits(game, state, player, Stream.of(seed, index))
