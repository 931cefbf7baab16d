"""The engines side by side in one run: decisions a second, by states and by whole games.

Also what comes before: from a rule file to a game, made anew and kept from before; and how large
a state is. Figures of one line are measured in turn, so that their ratio stands on a busy machine.
"""

from __future__ import annotations

import os
import platform
import random
import tempfile
import time
from array import array
from collections.abc import Callable
from statistics import median

import rulesdsl
from rulesdsl.engines.many import play_many
from rulesdsl.engines.python.engine import GeneratedEngine
from rulesdsl.engines.reference import Engine

GAMES = {"ostia": 4, "oltremare": 4, "portus": 3, "patronus": 3}
RUNS, STATES, WHOLE = 5, 2, 6


def by_states(game: rulesdsl.Game, first: int) -> int:
    """Random games, listing the legal moves of each decision; how many decisions."""
    number = 0
    for seed in range(first, first + STATES):
        chooser, state = random.Random(seed), game.start(seed=seed)
        while not state.is_over:
            player = state.to_act[0]
            state.apply(chooser.choice(state.legal_moves(player)))
            number += 1
    return number


def whole(engine: Engine, first: int) -> int:
    """Random games on records; how many moves."""
    cast = [None] * engine.machine.seats
    numbers = range(first, first + WHOLE)
    return sum(play_many(engine, cast, 1, numbers, rotate=False).taken.values())


def rate(play: Callable[[int], int], first: int) -> float:
    start = time.process_time()
    number = play(first)
    return number / (time.process_time() - start)


def engines(name: str, players: int) -> None:
    """One game by both engines."""
    game, plain = rulesdsl.load(name, players=players), rulesdsl.load(name, players=players)
    reference, generated = Engine(plain.machine), GeneratedEngine(game.machine)
    plain.rules.engine = reference
    kinds: dict[str, Callable[[int], int]] = {
        "reference, states": lambda first: by_states(plain, first),
        "generated, states": lambda first: by_states(game, first),
        "reference, whole games": lambda first: whole(reference, first),
        "generated, whole games": lambda first: whole(generated, first),
    }
    rates: dict[str, list[float]] = {kind: [] for kind in kinds}
    for run in range(RUNS + 1):
        for kind, play in kinds.items():
            found = rate(play, 10 * run)
            if run:
                rates[kind].append(found)
    least = median(rates["reference, states"])
    print(f"\n{name}, {players} players, random moves: decisions a second")
    for kind, found in rates.items():
        print(f"  {kind:24} {median(found):10,.0f}   {median(found) / least:5.1f} times")
    record = array("i", game.machine.start)
    print(f"  a state: {len(record.tobytes()):,} bytes, {len(record):,} numbers")


def making() -> None:
    """From the rule file to the game."""
    print("\nfrom the rule file to the game, milliseconds of the processor: anew, kept")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RULESDSL_CACHE"] = folder
        rulesdsl.load("nim")
        for name, players in GAMES.items():
            spent = []
            for _ in range(4):
                start = time.process_time()
                rulesdsl.load(name, players=players)
                spent.append(1000 * (time.process_time() - start))
            print(f"  {name:12} {spent[0]:6.0f} {min(spent[1:]):6.0f}")


def main() -> None:
    print(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}")
    making()
    for name, players in GAMES.items():
        engines(name, players)


if __name__ == "__main__":
    main()
