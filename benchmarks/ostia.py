"""Ostia: rulesdsl beside the same game written by hand in Python.

python -m benchmarks.ostia
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from random import Random
from typing import TypeVar

from attrs import define

from benchmarks import ours
from benchmarks.harness import Play, Row, Section, measure, rates, speed_aim
from benchmarks.plain_ostia import Ostia
from rulesdsl.engines.chance import Stream
from rulesdsl.play.game import Game
from rulesdsl.play.loading import load

Answer = TypeVar("Answer")
PLAYERS = 4
PLAIN, OTHER = "plain Python", "plain Python, `random`"
NOTES = f"""
{PLAYERS} random players, base rules. `{PLAIN}` is `benchmarks/plain_ostia.py`: classes and lists,
as one writes this one game by hand. It lists all legal answers at each decision, and draws its
random numbers from the same streams as rulesdsl, so that all rows play the same games, move by move
(a test follows them). The row below it draws from Python's own `random` instead, which is written
in C: the same rules, other games.
"""


@define
class RandomPlayers:
    """Each seat answers with random numbers of its own, as the random players of rulesdsl do."""

    streams: list[Stream]
    decisions: int = 0

    def __call__(self, question: str, seat: int, answers: Sequence[Answer]) -> Answer:
        self.decisions += 1
        return answers[self.streams[seat].below(len(answers))]


def by_hand(players: int, decks: int = 1) -> Play:
    """The plain game with the random numbers of rulesdsl."""

    def play(first: int, games: int) -> int:
        decisions = 0
        for number in range(first, first + games):
            chance, seats = ours.streams(players, number)
            decide = RandomPlayers(seats)
            Ostia(players, decide, chance.below, decks).play()
            decisions += decide.decisions
        return decisions

    return play


def by_hand_with_random(players: int) -> Play:
    """The plain game with Python's random numbers."""

    def play(first: int, games: int) -> int:
        decisions = 0
        random = Random(first)

        def decide(question: str, seat: int, answers: Sequence[Answer]) -> Answer:
            nonlocal decisions
            decisions += 1
            return random.choice(answers)

        for _ in range(games):
            Ostia(players, decide, random.randrange).play()
        return decisions

    return play


@cache
def game() -> Game:
    return load("ostia", players=PLAYERS)


def rows() -> list[Row]:
    return [
        Row(PLAIN, "written by hand, same random numbers", partial(by_hand, PLAYERS)),
        Row(OTHER, "with Python's own", partial(by_hand_with_random, PLAYERS)),
        *ours.rows(game),
    ]


def sections() -> list[Section]:
    timed = measure(rows())
    table = rates(f"Ostia, {PLAYERS} players", timed, [PLAIN])
    aims = (
        speed_aim("Ostia: generated Python, beside plain Python", 6, timed, ours.PYTHON, PLAIN),
        speed_aim("Ostia: wasm, beside plain Python", 120, timed, ours.WASM, PLAIN),
    )
    return [Section("Ostia, beside plain Python", NOTES, (table,), aims)]


if __name__ == "__main__":
    print(*sections(), sep="\n\n")
