"""Chance: pinned numbers, fair picks, streams that do not meet."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesdsl.engines.chance import Stream, mix


def test_the_numbers_are_pinned() -> None:
    # splitmix64 from 0, as published: mix(n * step) for n = 1, 2, 3
    stream = Stream(0)
    assert [stream.next() for _ in range(3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]
    drawn = Stream.of(7)
    assert [drawn.below(100) for _ in range(8)] == PINNED


PINNED = [47, 6, 24, 82, 65, 53, 29, 25]


def test_mixing_keeps_numbers_apart() -> None:
    assert len({mix(n) for n in range(10_000)}) == 10_000


@given(st.integers(), st.integers(0, 5), st.integers(0, 2**40))
def test_a_stream_is_its_seed_purpose_and_game(seed: int, purpose: int, game: int) -> None:
    first, second = Stream.of(seed, purpose, game), Stream.of(seed, purpose, game)
    assert [first.next() for _ in range(4)] == [second.next() for _ in range(4)]
    others = [Stream.of(seed, purpose + 1, game), Stream.of(seed, purpose, game + 1)]
    assert all(other.key != first.key for other in others)


def test_a_copy_goes_on_by_itself() -> None:
    stream = Stream.of(1)
    stream.next()
    copy = stream.copy()
    assert [copy.next(), copy.next()] == [stream.next(), stream.next()]
    stream.next()
    assert copy != stream


@given(st.integers(1, 2**64 - 1), st.integers())
def test_below_stays_below(n: int, seed: int) -> None:
    assert 0 <= Stream.of(seed).below(n) < n


@pytest.mark.parametrize("n", [0, -1, 2**64])
def test_below_nothing(n: int) -> None:
    with pytest.raises(ValueError, match="no number"):
        Stream(0).below(n)


def test_picks_follow_the_weights() -> None:
    stream, weights = Stream.of(5), [1, 0, 2, 5]
    counts = Counter(stream.pick(weights) for _ in range(8_000))
    assert counts[1] == 0
    for index in (0, 2, 3):
        assert abs(counts[index] - 1_000 * weights[index]) < 150
