"""The WebAssembly engine plays the games that states play: whole games, bots, faults, threads."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from rulesdsl.agents.roster import Roster
from rulesdsl.agents.script import Script
from rulesdsl.engines.wasm import stops
from rulesdsl.engines.wasm.engine import WasmEngine
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.settings import settle_options
from rulesdsl.play import course
from rulesdsl.play.game import Game
from rulesdsl.play.loading import load
from tests.by_states import play_by_states, same_games
from tests.engines import InStates, SideBySide
from tests.random_rules import random_model
from tests.wasm_steps import Host


@cache
def game(name: str, players: int) -> Game:
    return load(name, players)


def scripts(name: str, game: Game) -> list[Script]:
    """The bundled bots of a game that fit."""
    roster = Roster.of(game.model)
    found = (Script.fitting(roster.bot(bot, game.model), game.rules) for bot in roster.files)
    return [script for script in found if script is not None]


# ------------------------------------------------------------------ random rule files


@cache
def random_game(seed: int) -> Game | None:
    model = random_model(seed)
    return None if model is None else Game(make_machine(model, *settle_options(model, None, {})))


def _random_files(seeds: range, games: int, most: int) -> Counter[str]:
    """The kinds of faults in which games of random files end, `""` for none."""
    found: Counter[str] = Counter()
    for seed in seeds:
        played = random_game(seed)
        if played is None:
            continue
        engine = WasmEngine.of(played.machine)
        cast = [None] * played.players
        mine = engine.play_many(cast, seed, range(games))
        same_games(mine, play_by_states(played, cast, seed, range(games)))
        found.update("" if fault is None else fault.kind for fault in mine.faults)
        states = InStates(played.machine, played.rules.engine)
        both = SideBySide([states, Host(engine)], seed).play(most)
        found["stepped" if both.fault is None else f"stepped {both.fault.kind}"] += 1
    return found


@pytest.fixture
def short_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random rules may go on and on."""
    monkeypatch.setattr(course, "MOVES_PER_GAME", 120)
    monkeypatch.setattr(stops, "MOVES_PER_GAME", 120)


@pytest.mark.xdist_group("random files")
@pytest.mark.usefixtures("short_games")
def test_random_files_are_played_as_in_states() -> None:
    found = _random_files(range(30, 42), games=3, most=12)
    assert len(found) >= 6, "few kinds of faults come up"


@pytest.mark.soak
@pytest.mark.usefixtures("short_games")
@pytest.mark.parametrize("part", range(20))
def test_many_random_files_are_played_as_in_states(part: int) -> None:
    assert _random_files(range(1_000 + 40 * part, 1_040 + 40 * part), games=10, most=100)


# ------------------------------------------------------------------ many at once


def test_threads_change_nothing() -> None:
    played = game("kuhn-poker", 2)
    bots = scripts("kuhn-poker", played)
    assert bots == []
    engine = WasmEngine.of(played.machine)
    one = engine.play_many([None, None], 3, range(1_000), rotate=True)
    same_games(one, engine.play_many([None, None], 3, range(1_000), rotate=True, jobs=3))
    assert len(one) == 1_000


def test_games_go_on_from_a_record() -> None:
    played = game("ostia", 4)
    state = played.start(7)
    for _ in range(30):
        state.apply(state.legal_moves(state.to_act[0])[0])
    engine, numbers = WasmEngine.of(played.machine), range(20)
    found = engine.play_on(state.record, [None] * 4, 8, numbers)
    assert all(fault is None for fault in found.faults)
    assert len({tuple(record) for record in found.records}) == len(numbers)
    assert max(found.runs) < min(engine.play_many([None] * 4, 8, numbers).runs)


def test_the_ends_of_games_alone_are_the_same() -> None:
    engine, numbers = WasmEngine.of(game("kuhn-poker", 2).machine), range(5, 2_600)
    found = engine.ends([None, None], 4, numbers)
    whole = engine.play_many([None, None], 4, numbers)
    assert found.tolist() == list(whole.records)
    with pytest.raises(ValueError, match="2 play, not 3"):
        engine.ends([None] * 3, 4, numbers)


def test_who_plays_has_to_be_compiled() -> None:
    played = game("ostia", 4)
    (bot, *_) = scripts("ostia", played)
    with pytest.raises(ValueError, match=f"was not made with the bot {bot.policy.name}"):
        WasmEngine.of(played.machine).play_many([bot.policy, None, None, None], 1, range(2))
