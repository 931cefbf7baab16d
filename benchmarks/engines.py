"""The ways in which rulesdsl plays, beside each other: games that nobody else plays.

python -m benchmarks.engines
"""

from __future__ import annotations

from functools import partial

from benchmarks import ours
from benchmarks.harness import Section, measure, rates
from rulesdsl.play.loading import load

GAMES = (("oltremare", 4), ("portus", 3), ("patronus", 3))
ROUNDS = 3
NOTES = """
Random players. All rows of a table play the same games, move by move.
"""


def sections() -> list[Section]:
    tables = tuple(
        rates(
            f"{name}, {players} players",
            measure(ours.rows(partial(load, name, players)), ROUNDS),
            [ours.REFERENCE],
        )
        for name, players in GAMES
    )
    return [Section("Other board games", NOTES, tables)]


if __name__ == "__main__":
    print(*sections(), sep="\n\n")
