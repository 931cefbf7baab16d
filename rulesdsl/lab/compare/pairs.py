"""Games in pairs: the same number under the same seed, played by both rules."""

from __future__ import annotations

from array import array
from math import isfinite, sqrt

from attrs import frozen

from rulesdsl.lab.series.by_game import Figure
from rulesdsl.lab.series.intervals import Estimate, mean
from rulesdsl.lab.series.table import Table

_DIGITS = 9


@frozen
class Change:
    """A figure under A and under B, and how far B is above A.

    The difference is taken game by game, so that what a deal gives to both does not blur it.
    """

    a: Estimate
    b: Estimate
    difference: Estimate
    pairs: int

    @property
    def narrower(self) -> float:
        """By which part the interval is narrower than for as many games that are no pairs."""
        apart = sqrt(self.a.half**2 + self.b.half**2)
        return 1 - self.difference.half / apart if apart and isfinite(apart) else 0.0


@frozen
class Pairs:
    """Where the games that came to their ends on both sides stand in the two tables."""

    a: Table
    b: Table
    rows: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, a: Table, b: Table) -> Pairs:
        places = {number: index for index, number in enumerate(b.number)}
        rows = ((i, places[n]) for i, n in enumerate(a.number) if n in places)
        return cls(a, b, tuple(rows))

    def __len__(self) -> int:
        return len(self.rows)

    def change(self, a: Figure, b: Figure, z: float | None = None) -> Change | None:
        """How a figure has changed; None if no pair of games has it on both sides."""
        both = [(a[i], b[j]) for i, j in self.rows]
        known = [(x, y) for x, y in both if x is not None and y is not None]
        if not known:
            return None
        a_mean, b_mean = mean((x for x, _ in known), z), mean((y for _, y in known), z)
        # equal to so many digits is equal: thirds and the like are rounded
        steps = (round(y - x, _DIGITS) for x, y in known)
        return Change(a_mean, b_mean, mean(steps, z), len(known))

    @property
    def other_winners(self) -> float:
        """The share of the pairs with other winners."""
        other = sum(
            _row(self.a.won, i, self.a) != _row(self.b.won, j, self.b) for i, j in self.rows
        )
        return other / max(1, len(self.rows))

    @property
    def all_alike(self) -> bool:
        """Whether every pair went alike: as long, with the same values of all that is compared."""
        return len(self) > 0 and _course(self.a) == _course(self.b)


def _course(table: Table) -> tuple[list[array[int]], dict[str, int]]:
    columns = [table.number, table.won, table.place, table.decisions, table.runs]
    keys = [*table.keys.values(), *table.terms.values()]
    return [*columns, *keys], {bad.fault: bad.number for bad in table.broken}


def _row(column: array[int], index: int, table: Table) -> array[int]:
    return column[index * table.seats : (index + 1) * table.seats]
