"""Chance: one counter-based stream of numbers a purpose, the same on every machine.

The n-th number of a stream is a mix of its key and n, so a stream is its key and a position,
and streams of different purposes have nothing to do with each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from attrs import define

MASK = 2**64 - 1
STEP = 0x9E3779B97F4A7C15
FIRST, SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
DRAWS = 0
"""The purpose of the stream that chance itself uses; players have 1, 2, ..."""


def mix(number: int) -> int:
    """Scramble 64 bits (the finisher of splitmix64)."""
    number &= MASK
    number = ((number ^ (number >> 30)) * FIRST) & MASK
    number = ((number ^ (number >> 27)) * SECOND) & MASK
    return number ^ (number >> 31)


def below(draw: Callable[[], int], n: int) -> int:
    """A number from 0 to n - 1, each equally likely, given what draws the next 64 bits."""
    if not 1 <= n <= MASK:
        raise ValueError(f"no number is drawn below {n}")
    product = draw() * n
    return again(draw, product, n) if product & MASK < n else product >> 64


def again(draw: Callable[[], int], product: int, n: int) -> int:
    """The rare case in which a number below `n` may take more than one of 64 bits."""
    least = (MASK + 1 - n) % n
    while product & MASK < least:
        product = draw() * n
    return product >> 64


@lru_cache(maxsize=256)
def _key(seed: int, game: int) -> int:
    """What the streams of a game have in common."""
    return mix(mix(seed) + STEP * (game + 1))


@define
class Stream:
    """A stream of random numbers at a position."""

    key: int
    position: int = 0

    @classmethod
    def of(cls, seed: int, purpose: int = DRAWS, game: int = 0) -> Stream:
        """The stream of a purpose in the game of this number under a seed."""
        return cls(mix(_key(seed, game) + STEP * (purpose + 1)))

    def next(self) -> int:
        """The next 64 bits."""
        self.position += 1
        return mix(self.key + self.position * STEP)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely."""
        if not 1 <= n <= MASK:
            raise ValueError(f"no number is drawn below {n}")
        self.position += 1
        product = mix(self.key + self.position * STEP) * n
        return again(self.next, product, n) if product & MASK < n else product >> 64

    def pick(self, weights: Sequence[int]) -> int:
        """An index, each as likely as its weight."""
        left = self.below(sum(weights))
        for index, weight in enumerate(weights):
            if left < weight:
                return index
            left -= weight
        raise AssertionError("the weights are used up")

    def copy(self) -> Stream:
        return Stream(self.key, self.position)
