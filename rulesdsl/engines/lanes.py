"""Random numbers of many streams at once: each stands in a lane of 128 bits of one whole number.

The upper half of a lane is free for what an operation carries over, and masked away after it.
They are the numbers of Stream; a lane costs a small part of what an operation of Python does.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from struct import unpack

from rulesdsl.engines.chance import FIRST, MASK, SECOND, STEP, mix

LANE = 16
"""Bytes of a lane."""


def first_numbers(seed: int, purpose: int, games: range, count: int) -> tuple[int, ...]:
    """The first `count` numbers of the stream of a purpose in each of some games: the first of
    all games, the second of all games, ..."""
    size = len(games)
    keys = _steps(size, games.step) + _each(size) * (mix(seed) + STEP * (games.start + 1) & MASK)
    keys = _mix(keys, size)
    keys = _mix(keys + _each(size) * (STEP * (purpose + 1) & MASK), size)
    repeated = int.from_bytes(keys.to_bytes(size * LANE, "little") * count, "little")
    return _listed(_mix(repeated + _positions(size, count), size * count), size * count)


def _mix(numbers: int, lanes: int) -> int:
    """What `mix` does, in each lane."""
    mask = _each(lanes) * MASK
    numbers &= mask
    numbers = (numbers ^ numbers >> 30 & mask) * FIRST & mask
    numbers = (numbers ^ numbers >> 27 & mask) * SECOND & mask
    return numbers ^ numbers >> 31 & mask


def _listed(numbers: int, lanes: int) -> tuple[int, ...]:
    return unpack(f"<{2 * lanes}Q", numbers.to_bytes(lanes * LANE, "little"))[::2]


def _lanes(numbers: Iterable[int]) -> int:
    return int.from_bytes(b"".join((n & MASK).to_bytes(LANE, "little") for n in numbers), "little")


@lru_cache(maxsize=64)
def _each(lanes: int) -> int:
    """1 in each lane."""
    return _lanes([1] * lanes)


@lru_cache(maxsize=64)
def _steps(lanes: int, stride: int) -> int:
    """So many strides of steps as lanes lie before."""
    return _lanes(lane * stride * STEP for lane in range(lanes))


@lru_cache(maxsize=64)
def _positions(games: int, count: int) -> int:
    """The steps to each position, the same for all games."""
    return _lanes((position + 1) * STEP for position in range(count) for _ in range(games))
