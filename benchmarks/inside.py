"""Where the time of the wasm engine goes: in the generated code, or in Python around it.

python -m benchmarks.inside
"""

from __future__ import annotations

import time
from typing import Any
from unittest.mock import patch

from benchmarks import ours
from benchmarks.costs import GAMES
from benchmarks.harness import NotThere, Section, Spread, Table, games_in, own_garbage_only
from rulesdsl.engines.wasm.host import Instance
from rulesdsl.play.loading import load

SECONDS, ROUNDS = 0.3, 3
NOTES = """
Many random games in one call, on one thread. "Inside" is the time in WebAssembly: playing, drawing
random numbers, counting. The rest is Python, which reads the records and counts of finished games.
Others who do not hand out their finished games are best compared with the last column.
"""


def inside(name: str, players: int) -> tuple[Spread, Spread, Spread]:
    """Games a second, the percentage of the time inside, and games a second of inside."""
    play = ours.in_wasm(load(name, players))
    games = games_in(play, SECONDS)
    spent = 0.0
    call = Instance.call

    def timed(self: Instance, name: str, *arguments: int) -> Any:
        nonlocal spent
        before = time.process_time()
        try:
            return call(self, name, *arguments)
        finally:
            spent += time.process_time() - before

    found = []
    with own_garbage_only(), patch.object(Instance, "call", timed):
        for number in range(ROUNDS):
            spent, before = 0.0, time.process_time()
            play(number * games, games)
            whole = time.process_time() - before
            found.append((games / whole, 100 * spent / whole, games / spent))
    rates, shares, pure = zip(*found, strict=True)
    return Spread(rates), Spread(shares), Spread(pure)


def sections() -> list[Section]:
    lines = []
    for name, players in GAMES:
        try:
            figures = tuple(map(str, inside(name, players)))
        except NotThere as error:
            figures = (str(error), "", "")
        lines.append((name, str(players), *figures))
    head = ("game", "players", "playouts / s", "inside, %", "playouts / s inside")
    return [Section("Where wasm spends its time", NOTES, (Table("Wasm", head, tuple(lines)),))]


if __name__ == "__main__":
    print(*sections(), sep="\n\n")
