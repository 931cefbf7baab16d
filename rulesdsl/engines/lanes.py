"""Random numbers of many streams at once: each stands in a lane of 128 bits of one whole number.

The upper half of a lane is free for what an operation carries over, and masked away after it.
They are the numbers of Stream; a lane costs a small part of what an operation of Python does.
Only their uppermost bits are handed out, which nearly always tell what is drawn: Python is
quicker with small numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from struct import unpack

from rulesdsl.engines.chance import FIRST, MASK, SECOND, STEP, mix

LANE = 16
"""Bytes of a lane."""
WORDS = 4
"""Numbers that share a lane in the end."""
HEAD = 20
"""How many bits of a number are handed out."""
REST = 2**HEAD - 1
"""What is left of a product of a head, to see whether it tells what is drawn."""


def heads(seed: int, games: range, counts: Sequence[int]) -> list[list[tuple[int, ...]]]:
    """The first numbers of the streams of some games, by purpose and game, so many for each
    purpose: of each number its uppermost bits and 1 more, from 1 to 2**HEAD.

    The product of a head and n tells in its bits above HEAD what is drawn below n, if those
    under them are more than n; else the whole number must be asked.
    """
    apart = games.step * WORDS
    size = -(-len(games) // WORDS)
    lanes = size * sum(counts)
    numbers = _all(lanes, sum(1 << 32 * word for word in range(WORDS)))
    for word in range(WORDS):
        first = games.start + word * games.step
        numbers += _heads(seed, range(first, first + size * apart, apart), counts) << 32 * word
    listed = unpack(f"<{lanes * WORDS}I", numbers.to_bytes(lanes * LANE, "little"))
    found, end = [], 0
    for count in counts:
        start, end = end, end + count * size * WORDS
        found.append([listed[start + i : end : size * WORDS] for i in range(len(games))])
    return found


def _heads(seed: int, games: range, counts: Sequence[int]) -> int:
    """A lane for each: the first of all games, the second of all games, ... of each purpose."""
    size, purposes = len(games), len(counts)
    first = mix(seed) + STEP * (games.start + 1) & MASK
    keys = _mix(_all(size, 1) * first + _row(games.step * STEP, 0, size, 1), size)
    each = keys.to_bytes(size * LANE, "little") * purposes
    keys = _mix(int.from_bytes(each, "little") + _row(STEP, 1, purposes, size), size * purposes)
    each, row = keys.to_bytes(size * purposes * LANE, "little"), size * LANE
    rows = [each[at * row : at * row + row] * count for at, count in enumerate(counts)]
    numbers, lanes = int.from_bytes(b"".join(rows), "little"), size * sum(counts)
    return _mix(numbers + _positions(tuple(counts), size), lanes) >> 64 - HEAD & _all(lanes, REST)


def _mix(numbers: int, lanes: int) -> int:
    """What `mix` does, in each lane."""
    mask = _all(lanes, MASK)
    numbers &= mask
    numbers = (numbers ^ numbers >> 30 & mask) * FIRST & mask
    numbers = (numbers ^ numbers >> 27 & mask) * SECOND & mask
    return numbers ^ numbers >> 31 & mask


@lru_cache(maxsize=64)
def _all(lanes: int, number: int) -> int:
    """A number in each lane."""
    return int.from_bytes(number.to_bytes(LANE, "little") * lanes, "little")


@lru_cache(maxsize=64)
def _row(stride: int, first: int, count: int, times: int) -> int:
    """So many strides, from a first number of them on, each in so many lanes."""
    numbers = ((stride * (first + i) & MASK).to_bytes(LANE, "little") for i in range(count))
    return int.from_bytes(b"".join(number * times for number in numbers), "little")


@lru_cache(maxsize=64)
def _positions(counts: tuple[int, ...], times: int) -> int:
    """The steps to each position of each purpose, the same for so many games."""
    rows = (
        _row(STEP, 1, count, times).to_bytes(count * times * LANE, "little") for count in counts
    )
    return int.from_bytes(b"".join(rows), "little")
