"""Rows of rulesdsl: one game through its states and through each engine, players random."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.harness import Play, Row, library
from rulesdsl.agents.random import any_move
from rulesdsl.engines.chance import DRAWS, Stream
from rulesdsl.engines.many import play_many
from rulesdsl.engines.python.engine import GeneratedEngine
from rulesdsl.engines.reference import Engine
from rulesdsl.engines.wasm.engine import WasmEngine
from rulesdsl.play.game import Game

SEED = 1
"""Of all games that are measured; they differ by their numbers."""
REFERENCE, STATES = "rulesdsl, reference", "rulesdsl, states"
PYTHON, WASM = "rulesdsl, Python", "rulesdsl, wasm"


def streams(players: int, number: int) -> tuple[Stream, list[Stream]]:
    """Of the game of a number: that of chance, and one for each player."""
    return Stream.of(SEED, DRAWS, number), [
        Stream.of(SEED, seat + 1, number) for seat in range(players)
    ]


def through_states(game: Game) -> Play:
    """Each move through `State`: who acts, what is legal, take one, go on."""

    def play(first: int, games: int) -> int:
        decisions = 0
        for number in range(first, first + games):
            state = game.start(SEED, number=number)
            players = [Stream.of(SEED, seat + 1, number) for seat in range(game.players)]
            while not state.is_over:
                seat = state.to_act[0]
                asked = state.asked(seat)
                assert asked is not None
                state.apply(any_move(asked, asked.bundles(), players[seat]))
                decisions += 1
        return decisions

    return play


def by_reference(game: Game) -> Play:
    """The same with the engine that takes the machine as it is."""
    plain = Game(game.machine)
    plain.rules.engine = Engine(game.machine)
    return through_states(plain)


def in_python(game: Game) -> Play:
    """Whole games in generated Python."""
    engine, players = GeneratedEngine(game.machine), [None] * game.players

    def play(first: int, games: int) -> int:
        finished = play_many(engine, players, SEED, range(first, first + games), False)
        return finished.taken.total()

    return play


def in_wasm(game: Game) -> Play:
    """Whole games in WebAssembly, on one thread."""
    library("wasmtime", "wasmtime")
    engine, players = WasmEngine.of(game.machine), [None] * game.players

    def play(first: int, games: int) -> int:
        finished = engine.play_many(players, SEED, range(first, first + games))
        return finished.taken.total()

    return play


def rows(game: Callable[[], Game]) -> list[Row]:
    """A row for each way in which rulesdsl plays."""
    return [
        Row(REFERENCE, "states asked at each move, interpreted", lambda: by_reference(game())),
        Row(STATES, "the same, generated Python", lambda: through_states(game())),
        Row(PYTHON, "many games in one call, generated Python", lambda: in_python(game())),
        Row(WASM, "many games in one call, one thread", lambda: in_wasm(game())),
    ]
