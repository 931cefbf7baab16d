"""What a game costs before it is played, and what its states cost: compiling, memory, copies.

python -m benchmarks.costs
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import pairwise
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

from benchmarks.harness import Aim, Section, Spread, Table
from rulesdsl.check.checker import check_rules
from rulesdsl.check.visibility import check_visibility
from rulesdsl.compile import compile_rules
from rulesdsl.engines.python.engine import GeneratedEngine
from rulesdsl.engines.wasm.cells import Cells
from rulesdsl.engines.wasm.engine import WasmEngine
from rulesdsl.engines.wasm.host import MissingExtra
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.settings import settle_options
from rulesdsl.machine.verify import verify
from rulesdsl.play.game import Game
from rulesdsl.play.loading import load
from rulesdsl.play.state import State
from rulesdsl.resources import find_game
from rulesdsl.syntax.from_yaml import read_rules
from rulesdsl.text.files import read_source
from rulesdsl.text.problems import Problems

GAMES = (
    ("ostia", 4),
    ("oltremare", 4),
    ("portus", 4),
    ("patronus", 4),
    ("tic-tac-toe", 2),
    ("connect-four", 2),
    ("kuhn-poker", 2),
    ("leduc-poker", 2),
)
BUNDLED = 4
"""So many of them are whole board games."""
FIRST, KEPT = "in a fresh process", "kept"
AGAIN, COPIES, STATES = 3, 2_000, 200
FRESH = """
import time, sys
before = time.process_time()
import rulesdsl.compile
from rulesdsl.play.loading import load
imported = time.process_time()
load(sys.argv[1], players=int(sys.argv[2]))
print(imported - before, time.process_time() - imported)
"""
COMPILE_NOTES = """
From a rule file to a machine that can be started: read, checked (types, secrecy), lowered,
verified. "In a fresh process" is the first load of a program that has done nothing else but import
the modules of all stages, which is not counted; "again" is once more in a process that has done so.
Then, from the machine on, the code of the two engines that play many games. Machines and wasm
modules are kept between runs: "kept" is what it takes to read them back, in a process that has
imported what plays; nothing that compiles is needed for it. Milliseconds of the processor.
"""
STATE_NOTES = """
A state is a row of whole numbers. "bytes" are what the wasm engine takes for it: two for a number
of a pile or deck, four for others. "as Python" is what a copy of a `State` adds to the memory of a
Python program. Times are for one call, from states of random games: a copy, and all legal moves as
a list, with their numbers.
"""


def processor(work: Callable[[], object]) -> float:
    """Seconds of the processor that something takes."""
    before = time.process_time()
    work()
    return time.process_time() - before


# ------------------------------------------------------------------ compiling


def fresh(name: str, players: int) -> tuple[float, float]:
    """Seconds to import and to load, in a process of its own."""
    command = [sys.executable, "-c", FRESH, name, str(players)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    imported, loaded = map(float, said.split())
    return imported, loaded


def ways(name: str, players: int) -> dict[str, float]:
    """Milliseconds to load a game in each way, and to make the engines that play many games."""
    source = read_source(find_game(name))
    machine = compile_rules(source, players)
    with an_empty_cache():
        found = {
            FIRST: fresh(name, players)[1],
            "again": processor(partial(compile_rules, source, players)),
            KEPT: processor(partial(load, name, players)),
            "Python": processor(partial(GeneratedEngine(machine).whole_games, False)),
        }
        with suppress(MissingExtra):
            found["wasm"] = processor(partial(WasmEngine.of, machine))
            found["wasm, kept"] = processor(partial(WasmEngine.of, machine))
    return {way: 1e3 * seconds for way, seconds in found.items()}


@contextmanager
def an_empty_cache() -> Iterator[None]:
    """Nothing that has been compiled before is found, and nothing is left behind."""
    with TemporaryDirectory() as folder, patch.dict(os.environ, RULESDSL_CACHE=folder):
        yield


def compiling() -> tuple[Table, list[Aim]]:
    """How long it takes to load each game."""
    rounds = [{game: ways(*game) for game in GAMES} for _ in range(AGAIN)]
    found = {
        game: {way: Spread(tuple(one[game][way] for one in rounds)) for way in rounds[0][game]}
        for game in GAMES
    }
    lines = tuple(
        (name, str(players), *map(str, found[name, players].values())) for name, players in GAMES
    )
    head = ("game", "players", *(f"{way}, ms" for way in found[GAMES[0]]))
    slowest = {
        way: max(found[game][way].middle for game in GAMES[:BUNDLED]) for way in (FIRST, KEPT)
    }
    aims = [
        Aim("rule file to machine, cold, the slowest board game", 300, slowest[FIRST], False, "ms"),
        Aim("the same, kept between runs", 20, slowest[KEPT], False, "ms"),
    ]
    return Table("From the rule file to the machine", head, lines), aims


def stages() -> Table:
    """Where the time goes, stage by stage, for the whole board games."""
    lines = []
    for name, players in GAMES[:BUNDLED]:
        rounds = [stages_of(name, players) for _ in range(AGAIN)]
        columns = [Spread(tuple(1e3 * one for one in times)) for times in zip(*rounds, strict=True)]
        lines.append((name, *map(str, columns)))
    head = ("game", "read, ms", "check, ms", "secrecy, ms", "machine, ms", "verify, ms")
    return Table("The same by stages", head, tuple(lines))


def stages_of(name: str, players: int) -> list[float]:
    """Seconds to read a file, to check it, to prove its secrecy, to lower and to verify."""
    clock = [time.process_time()]
    problems = Problems()
    tree = read_rules(read_source(find_game(name)), problems)
    clock.append(time.process_time())
    assert tree is not None
    model = check_rules(tree, problems)
    clock.append(time.process_time())
    assert model is not None
    check_visibility(model, problems)
    problems.check()
    clock.append(time.process_time())
    machine = make_machine(model, *settle_options(model, players, {}))
    clock.append(time.process_time())
    verify(machine)
    clock.append(time.process_time())
    return [after - before for before, after in pairwise(clock)]


# ------------------------------------------------------------------ states


def some_states(game: Game) -> list[State]:
    """Where somebody has to decide, in random games."""
    random = Random(0)
    found: list[State] = []
    while len(found) < STATES:
        state = game.start(len(found))
        while not state.is_over and len(found) < STATES:
            found.append(state.unseeded())
            seat = state.to_act[0]
            state.apply(random.choice(state.legal_moves(seat)))
    return found


def held(state: State) -> float:
    """Bytes that a copy of a state adds to a Python program."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        copies = [state.clone() for _ in range(COPIES)]
        return (tracemalloc.get_traced_memory()[0] - before) / len(copies)
    finally:
        tracemalloc.stop()


def a_call(states: Sequence[State], work: Callable[[State], object]) -> Spread:
    """Microseconds of one call, over some rounds through all states."""

    def once() -> None:
        for state in states:
            work(state)

    return Spread(tuple(1e6 * processor(once) / len(states) for _ in range(AGAIN)))


def list_moves(state: State) -> object:
    """All legal moves of who acts first."""
    return state.unseeded().legal_moves(state.to_act[0])


def of_states() -> tuple[Table, list[Aim]]:
    """What a state of each game takes."""
    lines, size = [], {}
    for name, players in GAMES:
        game = load(name, players=players)
        states = some_states(game)
        cells = len(states[0].record)
        octets = Cells.of(game.machine.layout).size
        size[name] = octets / 1024
        copy, moves = a_call(states, State.clone), a_call(states, list_moves)
        figures = (cells, f"{octets:,}", f"{held(states[0]):,.0f}", copy, moves)
        lines.append((name, str(players), *map(str, figures)))
    head = ("game", "players", "numbers", "bytes", "as Python, bytes", "copy, us", "moves, us")
    aims = [
        Aim(f"a state of {title}, {players} players", goal, size[name], False, "KiB")
        for (name, players), title, goal in zip(
            GAMES[:2], ("Ostia", "Oltre Mare"), (2, 4), strict=True
        )
    ]
    return Table("States", head, tuple(lines)), aims


def sections() -> list[Section]:
    compiled, cold = compiling()
    states, sizes = of_states()
    return [
        Section("Compiling", COMPILE_NOTES, (compiled, stages()), tuple(cold)),
        Section("States: memory, copies, legal moves", STATE_NOTES, (states,), tuple(sizes)),
    ]


if __name__ == "__main__":
    print(*sections(), sep="\n\n")
