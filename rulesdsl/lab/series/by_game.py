"""Figures game by game: each a number for every game of a table."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from attrs import Factory, frozen

from rulesdsl.check.datatypes import BoolType
from rulesdsl.lab.series.intervals import Estimate, mean
from rulesdsl.lab.series.table import SHARED, Table
from rulesdsl.play.game import Game
from rulesdsl.play.texts import Wording

WINS, POINTS, ENDS, MEASURES, LENGTH = "wins %", "points", "end", "measures", "length"
"""Groups of figures, in the order in which they are told."""
Figure: TypeAlias = Sequence[float | None]
"""A number for each game of a table; None where the game has none."""
_Name: TypeAlias = Callable[[str], str]


@frozen(eq=False)
class Named:
    """A figure of a table with what it is called; those `per_cent` go from 0 to 100.

    Figures of two games with one `key` are the same figure.
    """

    group: str
    title: str
    values: Figure
    per_cent: bool = False
    key: str = Factory(lambda self: self.title, takes_self=True)


def figures_by_game(game: Game, table: Table) -> Iterator[Named]:
    """All figures of the games of a table, in the order in which they are told."""
    name = Wording(game.rules).name
    for seat, title in enumerate(game.seat_names):
        shares = [100 * share for share in table.shares(seat)]
        yield Named(WINS, title, shares, per_cent=True, key=str(seat))
    yield from _points(name, table)
    yield from _ends(table)
    for key, column in table.measures.items():
        yield _measured(game, key, table, column)
    for key, column in table.of_bots.items():
        if len(column) == len(table) * table.seats:
            title = name(key.partition(": ")[2])
            yield Named(MEASURES, f"{title} (the bot's)", _means(table, column))
    yield Named(LENGTH, "decisions", decisions_of(table))


def decisions_of(table: Table) -> list[int]:
    """How many decisions all players together had in each game."""
    return [sum(row) for row in _rows(table, table.decisions)]


def _points(name: _Name, table: Table) -> Iterator[Named]:
    """What is compared first, what it is made of, and how far the winner is ahead."""
    if not table.keys:
        return
    key, first = next(iter(table.keys.items()))
    yield Named(POINTS, f"winner's {name(key)}", _of_winners(table, first))
    yield Named(POINTS, f"{name(key)} of all players", _means(table, first))
    if len(table.terms) > 1:
        for term, column in table.terms.items():
            yield Named(POINTS, f"- from {name(term)}", _means(table, column))
    yield Named(POINTS, "winner's lead", _leads(table, first))


def _ends(table: Table) -> Iterator[Named]:
    """How a game was decided; how many could not win."""
    broken = [100 * int(by > 0 or by == SHARED) for by in table.decided_by]
    yield Named(ENDS, "tie at the top %", broken, per_cent=True)
    shared = [100 * int(winners > 1) for winners in table.winners]
    yield Named(ENDS, "victory shared %", shared, per_cent=True)
    nobody = [100 * int(not winners) for winners in table.winners]
    yield Named(ENDS, "nobody wins %", nobody, per_cent=True)
    out = [100 * sum(row) / table.seats for row in _rows(table, table.out)]
    yield Named(ENDS, "players out %", out, per_cent=True)


def _measured(game: Game, key: str, table: Table, column: array[int]) -> Named:
    title, measure = Wording(game.rules).name(key), game.model.measures[key]
    if isinstance(measure.value.type, BoolType):
        values = [100 * value for value in _means(table, column)]
        return Named(MEASURES, f"{title} %", values, per_cent=True)
    return Named(MEASURES, title, _means(table, column))


def measured(game: Game, tables: Iterable[Table]) -> list[tuple[Named, Estimate]]:
    """What rules and bots measure, each with its mean over the games of some tables."""
    values: dict[str, tuple[Named, list[float]]] = {}
    for table in tables:
        for one in figures_by_game(game, table):
            if one.group == MEASURES:
                known = values.setdefault(one.key, (one, []))[1]
                known += [value for value in one.values if value is not None]
    return [(one, mean(numbers)) for one, numbers in values.values()]


# ------------------------------------------------------------------ a number for each game


def _rows(table: Table, column: array[int]) -> Iterator[array[int]]:
    """The values of all seats, game by game."""
    return (column[i : i + table.seats] for i in range(0, len(column), table.seats))


def _means(table: Table, column: array[int]) -> list[float]:
    return [sum(row) / table.seats for row in _rows(table, column)]


def _of_winners(table: Table, column: array[int]) -> list[float | None]:
    """Of those who win; None where nobody does."""
    found: list[float | None] = []
    for row, won in zip(_rows(table, column), _rows(table, table.won), strict=True):
        values = [value for value, wins in zip(row, won, strict=True) if wins]
        found.append(sum(values) / len(values) if values else None)
    return found


def _leads(table: Table, column: array[int]) -> list[float | None]:
    """How far the winner is ahead of the best of the others who can win; None without both."""
    found: list[float | None] = []
    columns = (column, table.won, table.out)
    for row, won, out in zip(*(_rows(table, one) for one in columns), strict=True):
        others = [v for v, w, o in zip(row, won, out, strict=True) if not w and not o]
        alone = sum(won) == 1 and others
        found.append(row[won.index(1)] - max(others) if alone else None)
    return found
