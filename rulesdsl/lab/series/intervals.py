"""Intervals in which a figure lies but for the luck of the deal."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, sqrt
from statistics import NormalDist

from attrs import frozen

LEVEL = 0.95
"""Of a hundred such intervals so many hold the true figure."""


@frozen
class Estimate:
    """A figure, with the ends of its interval."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half of the interval's width."""
        return (self.high - self.low) / 2

    @property
    def above(self) -> bool:
        """Whether the whole interval is above zero."""
        return self.low > 0


def z_of(level: float = LEVEL, looks: int = 1) -> float:
    """How many standard errors an interval reaches to each side.

    Where the greatest of several figures is picked, `looks` is how many there were: then all of
    their intervals hold at once (Bonferroni).
    """
    return NormalDist().inv_cdf(1 - (1 - level) / 2 / looks)


def share(hits: float, tries: int, z: float | None = None) -> Estimate:
    """A share of tries, 0 to 1, by Wilson's interval; parts of hits count as such."""
    if not tries:
        return Estimate(0.0, 0.0, 1.0)
    z = z_of() if z is None else z
    p, spread = hits / tries, z * z / tries
    middle = (p + spread / 2) / (1 + spread)
    half = z * sqrt(p * (1 - p) / tries + spread / (4 * tries)) / (1 + spread)
    # at 0 and 1 the ends are exact but for rounding
    return Estimate(p, min(p, max(0.0, middle - half)), max(p, min(1.0, middle + half)))


def mean(values: Iterable[float], z: float | None = None) -> Estimate:
    """The mean of independent values, with Student's interval of its standard error.

    One value tells nothing about luck: its interval has no ends.
    """
    count, total, squares = 0, 0.0, 0.0
    for value in values:
        # Welford's way: no great numbers are taken from one another
        count += 1
        step = value - total
        total += step / count
        squares += step * (value - total)
    if count < 2:
        return Estimate(total, -inf, inf)
    half = t_of(z_of() if z is None else z, count - 1) * sqrt(squares / (count - 1) / count)
    return Estimate(total, total - half, total + half)


def t_of(z: float, freedom: int) -> float:
    """The quantile of Student's distribution where the normal one has z (a series in 1/freedom)."""
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
