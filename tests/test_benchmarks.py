"""The yardsticks of the benchmarks play the same games as rulesdsl, move by move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

import pytest
from attrs import define, evolve, field
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import classics
from benchmarks import ostia as bench_ostia
from benchmarks.against_open_spiel import GAMES, PAIRS, Differs, Pair, walk
from benchmarks.growth import with_decks
from benchmarks.harness import (
    Aim,
    Play,
    Row,
    Section,
    Spread,
    aims_table,
    library,
    measure,
    rates,
    ratio,
    short,
)
from benchmarks.ostia import by_hand
from benchmarks.plain_ostia import SENATE_CARDS, Good, Ostia
from rulesdsl.engines.chance import DRAWS, Stream
from rulesdsl.play.game import Game
from rulesdsl.play.loading import load
from rulesdsl.play.moves import Move, say
from rulesdsl.play.state import State

Answer = TypeVar("Answer")
PILES = ("kept", "to_forum", "to_senate", "to_keep")
"""Where rulesdsl has the cards of a player; who has laid his piles keeps none elsewhere."""


@cache
def ostia(players: int) -> Game:
    return load("ostia", players=players)


def bag(cards: Sequence[Good]) -> dict[str, int]:
    """Cards as rulesdsl shows a bag."""
    return {good.name.lower(): number for good, number in sorted(Counter(cards).items())}


def text(question: str, answer: Any, good: str, seats: tuple[str, ...], seat: int) -> str:
    """An answer of the plain game as rulesdsl writes the move."""
    match question:
        case "keep one":
            return f"keep {answer.name.lower()}"
        case "offer" | "keep":
            return f"{question} {say(bag(answer))}"
        case "bid":
            return f"bid {answer}" if answer else "pass"
        case "sell":
            return "keep" if answer == seat else f"accept {seats[answer]}"
        case "lay":
            sold, donated = answer
            return f"lay {good}, sold {sold}, donated {donated}" if any(answer) else f"store {good}"
        case "build":
            return f"build {answer}"
        case "keep at the end":
            return f"keep {say(bag(answer[0]))}, selling {answer[1]}"
        case _:
            raise AssertionError(question)


@define
class Follower:
    """Random players of the plain game, who make each move in a state of rulesdsl as well."""

    state: State
    seed: int
    plain: Ostia = field(init=False)
    decisions: int = 0
    streams: dict[int, Stream] = field(factory=dict)

    def __call__(self, question: str, seat: int, answers: Sequence[Answer]) -> Answer:
        self.decisions += 1
        self.compare()
        assert self.state.to_act[0] == seat
        moves = self.moves(seat)
        good = moves[0].text.removeprefix("store ")  # of `lay`: which one is never asked
        seats = self.state.rules.words.seats
        texts = [text(question, answer, good, seats, seat) for answer in answers]
        assert [move.text for move in moves] == texts
        if seat not in self.streams:
            self.streams[seat] = Stream.of(self.seed, seat + 1)
        index = self.streams[seat].below(len(answers))
        self.state.apply(moves[index])
        return answers[index]

    def moves(self, seat: int) -> list[Move]:
        """The legal moves in the order in which random players count them."""
        asked = self.state.asked(seat)
        assert asked is not None
        return [
            asked.nth(bundle, index) for bundle in asked.bundles() for index in range(len(bundle))
        ]

    def compare(self) -> None:
        """What is on the table and in hands is the same."""
        now: Any = self.state.named()["state"]
        plain = self.plain
        assert now["deck"] == bag(plain.deck)
        assert now["starter"] == self.state.rules.words.seats[plain.starter]
        assert now["current"] == f"card_{SENATE_CARDS.index(plain.current) + 1}"
        for player in plain.players:
            mine = self.state.rules.words.seats[player.seat]
            for name in ("money", "points", "storehouses", "loans"):
                assert now[f"{mine}.{name}"] == getattr(player, name), name
            assert now[f"{mine}.auction"] == bag(player.auction)
            piles: Counter[str] = Counter()
            for place in PILES:
                piles.update(now[f"{mine}.{place}"])
            assert piles == bag(player.kept + player.forum + player.senate)


def follow(players: int, seed: int) -> Follower:
    """A whole game in both."""
    draws = Stream.of(seed, DRAWS)
    follower = Follower(ostia(players).start(seed), seed)
    follower.plain = Ostia(players, follower, draws.below)
    ranking = follower.plain.play()
    ended = follower.state.outcome
    assert ended is not None
    assert ended.ranking == tuple(map(tuple, ranking))
    return follower


@settings(max_examples=4)
@given(st.integers(3, 5), st.integers(0, 2**32))
def test_plain_ostia_follows_the_rules(players: int, seed: int) -> None:
    follow(players, seed)


@pytest.mark.soak
@pytest.mark.parametrize("players", [3, 4, 5])
def test_plain_ostia_follows_the_rules_for_long(players: int) -> None:
    for seed in range(100):
        follow(players, seed)


# ------------------------------------------------------------------ the rows


def test_rows_that_are_compared_play_the_same_games() -> None:
    rows = {row.name: row for row in bench_ostia.rows()}
    made = {name: row.start()(7, 2) for name, row in rows.items() if name != bench_ostia.OTHER}
    assert len(made) > 2
    assert set(made.values()) == {by_hand(bench_ostia.PLAYERS)(7, 2)}


@pytest.mark.parametrize("classic", classics.CLASSICS, ids=lambda classic: str(classic.ours))
def test_each_row_plays_or_says_what_is_not_installed(classic: classics.Classic) -> None:
    timed = measure(classics.rows(classic), rounds=1, seconds=0.001)
    told = str(rates(classic.title, timed, [classics.ROLLOUTS]))
    for one in timed:
        assert one.row.name in told
        if one.absent:
            assert one.absent.endswith("is not installed")
            assert one.absent in told
            assert not one.row.name.startswith("rulesdsl")
        else:
            assert one.decisions >= one.games > 0


def test_a_missing_library_is_a_line_of_the_table() -> None:
    def start() -> Play:
        library("no_such_library", "no-such-library")
        raise AssertionError

    def play(first: int, games: int) -> int:
        return sum(range(300 * games))

    timed = measure([Row("there", "adds", lambda: play), Row("missing", "", start)], 2, 0.001)
    assert str(rates("Both", timed, ["there"])).endswith("|")
    assert "no-such-library is not installed" in str(rates("Both", timed, ["missing"]))
    assert ratio(timed[0], timed[1]) is None
    assert ratio(timed[0], timed[0]) == Spread((1.0, 1.0))


@pytest.mark.parametrize("decks", [1, 4])
def test_more_decks_have_more_cards(decks: int) -> None:
    state = with_decks(decks).start(0)
    now: Any = state.named()["state"]
    players = len(state.rules.words.seats)
    assert sum(now["deck"].values()) == decks * 51 - 6 * players


# ------------------------------------------------------------------ what is told


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1_234_567.0, "1.23M"),
        (23_456.0, "23.5k"),
        (812.4, "812"),
        (6_200.0, "6,200"),
        (6.2, "6.20"),
        (0.0312, "0.031"),
    ],
)
def test_figures_have_three_digits(value: float, text: str) -> None:
    assert short(value) == text


def test_a_spread_tells_the_median_and_both_ends() -> None:
    assert str(Spread((3.0, 1.0, 20.0))) == "3.00 (1.00..20.0)"


def test_aims_say_whether_they_are_reached() -> None:
    aims = (
        Aim("more", 6, 7.5),
        Aim("less", 20, 30, at_least=False, unit="ms"),
        Aim("unknown", 2, None),
    )
    lines = aims_table([Section("", "", (), aims)]).lines
    assert lines == (
        ("more", "at least 6.00 x", "7.50 x", "yes"),
        ("less", "at most 20.0 ms", "30.0 ms", "no"),
        ("unknown", "at least 2.00 x", "not measured", "-"),
    )


# ------------------------------------------------------------------ others


@pytest.mark.soak
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: str(pair.ours))
def test_small_games_are_those_of_open_spiel(pair: Pair) -> None:
    pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    assert walk(pair) > GAMES


@pytest.mark.soak
def test_a_difference_is_told_with_its_place() -> None:
    pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    wrong = evolve(PAIRS[0], our_move=lambda text: "0,0")
    with pytest.raises(Differs, match="tic-tac-toe after the start: legal is"):
        walk(wrong, 1)
