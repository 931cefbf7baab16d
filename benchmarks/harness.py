"""What all measurements share: rows that are timed in turn, medians, ratios, tables, aims.

Rows of a table are timed one after the other, again and again, in one process, so that a machine
which is busy for a while slows all of them alike. Times are those of the processor. A figure is the
median; behind it stands the least and the greatest. A ratio is the median of the ratios of
each round.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from statistics import median
from types import ModuleType
from typing import TypeAlias

from attrs import define, field, frozen

Play: TypeAlias = Callable[[int, int], int]
"""Play so many games from a number on; how many decisions were made in them."""

ROUNDS, SECONDS = 5, 0.4
"""How often each row is timed, and about how long each time."""


class NotThere(Exception):
    """A library or an engine that a row needs is not there; says which."""


def library(module: str, package: str) -> ModuleType:
    """An optional library."""
    try:
        return import_module(module)
    except ImportError as error:
        raise NotThere(f"{package} is not installed") from error


@frozen
class Row:
    """Somebody who plays, for one line of a table."""

    name: str
    what: str
    """What is done for one game, in a few words."""
    start: Callable[[], Play]
    """Loads what is needed; NotThere if it cannot be had."""


@define
class Timed:
    """A row with its playouts a second, one for each round."""

    row: Row
    absent: str = ""
    rates: list[float] = field(factory=list)
    decisions: int = 0
    games: int = 0

    def a_game(self) -> float:
        """Decisions in a game, on average."""
        return self.decisions / max(1, self.games)


@frozen
class Spread:
    """Some figures: the median, with the least and the greatest."""

    values: tuple[float, ...]

    @property
    def middle(self) -> float:
        return median(self.values)

    def __str__(self) -> str:
        least, most = short(min(self.values)), short(max(self.values))
        return f"{short(self.middle)} ({least}..{most})"


def short(value: float) -> str:
    """Three digits that count: 1.07M, 23.4k, 812, 6.20; 0.031 has two."""
    for unit, name in ((1e6, "M"), (1e4, "k")):
        if value >= unit:
            scaled = value / (1e6 if name == "M" else 1e3)
            return f"{_digits(scaled)}{name}"
    return _digits(value)


def _digits(value: float) -> str:
    if value >= 1:
        places = max(0, 2 - len(str(int(value))) + 1)
        return f"{value:,.{places}f}"
    return f"{value:.2g}"


def measure(rows: Sequence[Row], rounds: int = ROUNDS, seconds: float = SECONDS) -> list[Timed]:
    """All rows, timed in turn. Which games are played is the same for each row of a speed."""
    found, plays = [], []
    for row in rows:
        timed = Timed(row)
        found.append(timed)
        try:
            play = row.start()
        except NotThere as error:
            timed.absent = str(error)
        else:
            plays.append((timed, play, games_in(play, seconds)))
    with own_garbage_only():
        _time(plays, rounds)
    return found


def _time(plays: Sequence[tuple[Timed, Play, int]], rounds: int) -> None:
    for number in range(rounds):
        for timed, play, games in plays:
            before = time.process_time()
            timed.decisions += play(number * games, games)
            timed.rates.append(games / (time.process_time() - before))
            timed.games += games


@contextmanager
def own_garbage_only() -> Iterator[None]:
    """What is alive by now is not looked through each time garbage is collected: nobody is slowed
    by what others keep."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def games_in(play: Play, seconds: float) -> int:
    """How many games take about so long."""
    play(0, 1)  # what is done once only
    games = 1
    while True:
        before = time.process_time()
        play(0, games)
        taken = time.process_time() - before
        if taken > seconds / 8:
            return max(1, round(games * seconds / taken))
        games *= 4


def ratio(one: Timed, other: Timed) -> Spread | None:
    """How many times as fast one is, round by round."""
    if not one.rates or not other.rates:
        return None
    return Spread(tuple(a / b for a, b in zip(one.rates, other.rates, strict=True)))


def named(timed: Sequence[Timed], name: str) -> Timed:
    """The row of this name."""
    return next(one for one in timed if one.row.name == name)


# ------------------------------------------------------------------ what is told


@frozen
class Table:
    """Lines of cells under a head; all but the first two columns are figures."""

    title: str
    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    texts: int = 1
    """How many columns, from the left, are texts."""

    def __str__(self) -> str:
        widths = [max(map(len, column)) for column in zip(self.head, *self.lines, strict=True)]
        rule = [
            "-" * width if index < self.texts else "-" * (width - 1) + ":"
            for index, width in enumerate(widths)
        ]
        lines = [self._line(line, widths) for line in (self.head, tuple(rule), *self.lines)]
        return "\n".join([f"**{self.title}**", "", *lines])

    def _line(self, cells: Sequence[str], widths: Sequence[int]) -> str:
        padded = [
            cell.ljust(width) if index < self.texts else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return f"| {' | '.join(padded)} |"


@frozen
class Aim:
    """Something that was to be reached."""

    what: str
    goal: float
    found: float | None
    """None: it could not be measured."""
    at_least: bool = True
    unit: str = "x"

    @property
    def reached(self) -> bool | None:
        if self.found is None:
            return None
        return self.found >= self.goal if self.at_least else self.found <= self.goal

    def line(self) -> tuple[str, str, str, str]:
        sign = "at least" if self.at_least else "at most"
        found = "not measured" if self.found is None else f"{short(self.found)} {self.unit}"
        said = {None: "-", True: "yes", False: "no"}[self.reached]
        return self.what, f"{sign} {short(self.goal)} {self.unit}", found, said


def speed_aim(what: str, goal: float, timed: Sequence[Timed], name: str, yardstick: str) -> Aim:
    """That a row is so many times as fast as another."""
    found = ratio(named(timed, name), named(timed, yardstick))
    return Aim(what, goal, None if found is None else found.middle)


@frozen
class Section:
    """What one module has measured."""

    title: str
    notes: str
    tables: tuple[Table, ...]
    aims: tuple[Aim, ...] = ()

    def __str__(self) -> str:
        parts = [f"## {self.title}", self.notes.strip(), *map(str, self.tables)]
        return "\n\n".join(part for part in parts if part)


def rates(title: str, timed: Sequence[Timed], yardsticks: Sequence[str]) -> Table:
    """Playouts and decisions a second, and how many times the yardsticks that is."""
    lines = []
    for one in timed:
        if one.absent:
            figures = [one.absent, *[""] * (1 + len(yardsticks))]
        else:
            per_game = one.a_game()
            figures = [
                str(Spread(tuple(one.rates))),
                short(median(one.rates) * per_game),
                *(_times(one, named(timed, name)) for name in yardsticks),
            ]
        lines.append((one.row.name, one.row.what, *figures))
    heads = [f"x {name}" for name in yardsticks]
    head = ("who plays", "what is measured", "playouts / s", "decisions / s", *heads)
    return Table(title, head, tuple(lines), texts=2)


def _times(one: Timed, yardstick: Timed) -> str:
    found = ratio(one, yardstick)
    return "" if found is None else "1" if one is yardstick else str(found)


def aims_table(sections: Sequence[Section]) -> Table:
    lines = tuple(aim.line() for section in sections for aim in section.aims)
    return Table("Aims", ("aim", "goal", "measured", "reached"), lines, texts=1)
