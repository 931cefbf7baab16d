"""Moves: numbers, texts, and what is said of those that are not possible."""

from __future__ import annotations

import pickle
from itertools import product
from random import Random

import pytest

from rulesdsl.check.datatypes import NONE, BoolType, IntType, KindType, MaybeType, PlayerType
from rulesdsl.play.faults import (
    AmbiguousMove,
    IllegalMove,
    MoveError,
    NotYourTurn,
    UnreadableMove,
)
from rulesdsl.play.game import Game
from rulesdsl.play.loading import load
from rulesdsl.play.moves import Move, rank, text_of, vectors
from rulesdsl.play.reading import read_value
from rulesdsl.play.state import State
from tests.machines import SUIT, gifts, high_card, nim


@pytest.fixture
def state() -> State:
    return Game(nim()).start()


@pytest.mark.parametrize(("members", "most"), [(1, 3), (2, 2), (3, 2), (4, 3), (3, 0)])
def test_choices_of_components_are_ranked_in_order(members: int, most: int) -> None:
    fitting = [c for c in product(range(most + 1), repeat=members) if sum(c) <= most]
    assert len(fitting) == vectors(members, most)
    assert [rank(counts, most) for counts in sorted(fitting)] == list(range(len(fitting)))


def test_legal_moves_ascend_and_have_texts(state: State) -> None:
    moves = state.legal_moves(0)
    assert [move.number for move in moves] == [0, 1, 2]
    assert [move.text for move in moves] == ["take 1", "take 2", "take 3"]
    assert moves[1].name == "take"
    assert moves[1].arguments == {"n": 2}
    assert state.legal_moves(1) == []
    assert [one.text for one in state.legal_ranges(0)] == ["take 1", "take 2", "take 3"]


def test_numbers_of_choices_of_components() -> None:
    state = Game(gifts()).start()
    moves = state.legal_moves(0)
    assert [move.number for move in moves] == sorted(move.number for move in moves)
    assert {move.text: move.number for move in moves} == {
        "gift green": 5 + rank((0, 1, 0), 2),
        "gift red": 5 + rank((1, 0, 0), 2),
        "gift red green": 5 + rank((1, 1, 0), 2),
        "gift 2 red": 5 + rank((2, 0, 0), 2),
    }


def test_a_move_is_made_by_its_number(state: State) -> None:
    assert state.legal_numbers(0) == [0, 1, 2]
    assert state.legal_numbers(1) == []
    assert state.child(1) == state.child("take 2")
    state.apply(2, 0)
    assert state.to_act == (1,)
    before = state.record
    with pytest.raises(NotYourTurn, match="A may not act now; it is for B to act"):
        state.apply(0, 0)
    with pytest.raises(UnreadableMove, match=r"no move 400; moves are numbered from 0 to \d+$"):
        state.apply(400)
    with pytest.raises(UnreadableMove, match="there is no move -1"):
        state.apply(-1)
    state.apply("take 2")
    with pytest.raises(IllegalMove) as caught:
        state.apply(2)
    said = "move 2 is not possible now; possible are 0 (take 1), 1 (take 2)"
    assert caught.value.message == said
    assert state.record != before


@pytest.mark.parametrize("name", ["ostia", "oltremare", "leduc-poker"])
def test_numbers_are_those_of_the_moves(name: str) -> None:
    game = load(name)
    state, random = game.start(seed=3), Random(3)
    for _ in range(150):
        if state.is_over:
            return
        player = random.choice(state.to_act)
        moves, numbers = state.legal_moves(player), state.legal_numbers(player)
        assert numbers == [move.number for move in moves]
        assert numbers == sorted(set(numbers))
        assert max(numbers) < game.move_count
        assert [state.move(number, player) for number in numbers] == moves
        state.apply(random.choice(numbers), player)


def test_the_text_of_a_move() -> None:
    assert text_of("pass", {}) == "pass"
    assert text_of("lay", {"g": "grain", "sold": 1, "donated": 2}) == "lay grain, sold 1, donated 2"
    cards = {"wine": 1, "olive_oil": 2}
    assert text_of("keep", {"cards": cards, "all": True}) == "keep wine 2 olive_oil, all true"
    assert text_of("keep", {"cards": {}, "whose": None}) == "keep nothing, whose none"


def test_a_move_can_be_pasted_back(state: State) -> None:
    move = state.legal_moves(0)[2]
    again = eval(repr(move), {"Move": Move})
    assert again == move
    assert hash(again) == hash(move)
    assert pickle.loads(pickle.dumps(move)) == move
    assert again != state.legal_moves(0)[1]
    assert move != "take 3"
    state.apply(again)
    assert state.view(0)["state"]["heap"] == 4  # type: ignore[index]


@pytest.mark.parametrize("text", ["take 2", "  TAKE   2", "take n 2"])
def test_ways_to_write_a_move(state: State, text: str) -> None:
    assert state.move(text).text == "take 2"


def test_every_text_reads_back() -> None:
    for game in (Game(nim()), Game(gifts()), Game(high_card())):
        state = game.start(seed=2)
        for player in state.to_act:
            for move in state.legal_moves(player):
                assert state.move(move.text, player) == move


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("fly", UnreadableMove, "'fly' is no move of this game; possible now: take, pass"),
        ("", UnreadableMove, "'' is no move of this game; possible now: take, pass"),
        ("take red", UnreadableMove, "'take red' cannot be read; it is written take (n)"),
        ("take 1, 2", UnreadableMove, "'take 1, 2' cannot be read; it is written take (n)"),
        ("take", AmbiguousMove, "'take' can mean take 1, or take 2, or take 3"),
        ("take 4", IllegalMove, "'take 4' is not possible: n is from 1 to 3"),
        ("pass", IllegalMove, "'pass' is not possible: keep one does not hold"),
    ],
)
def test_what_is_said_of_a_wrong_move(
    state: State, text: str, kind: type[MoveError], message: str
) -> None:
    before = state.record
    with pytest.raises(kind) as caught:
        state.apply(text)
    assert caught.value.message == message
    assert caught.value.move == text
    assert state.record == before


def test_an_illegal_move_names_the_rule(state: State) -> None:
    state.apply("take 3")
    state.apply("take 2")
    with pytest.raises(IllegalMove, match="n <= heap does not hold") as caught:
        state.apply("take 3")
    assert caught.value.span.text == "n <= heap"
    assert [cite.section for cite in caught.value.cites] == ["3"]


def test_a_move_of_an_earlier_state_is_looked_at_again(state: State) -> None:
    old = state.legal_moves(0)[2]
    state.apply("take 3")
    state.apply("take 2")
    with pytest.raises(IllegalMove):
        state.apply(old)


def test_whose_turn_it_is(state: State) -> None:
    with pytest.raises(NotYourTurn, match="B may not act now; it is for A to act"):
        state.apply("take 1", 1)
    with pytest.raises(NotYourTurn, match="there is no player 7"):
        state.apply("take 1", 7)
    together = Game(gifts()).start()
    with pytest.raises(NotYourTurn, match="A and B may act; it has to be said whose move"):
        together.apply("gift red")
    with pytest.raises(NotYourTurn, match="chance is next"):
        Game(high_card()).start().apply("bluff yes")
    while not state.is_over:
        state.apply("take 1")
    with pytest.raises(NotYourTurn, match="the game is over"):
        state.apply("take 1")


def test_choices_of_components_are_read_and_refused() -> None:
    state = Game(gifts()).start()
    assert state.move("gift green red", 0).text == "gift red green"
    assert state.move("gift red red", 0).text == "gift 2 red"
    for text in ("gift 3 red", "gift blue", "gift nothing"):
        with pytest.raises(IllegalMove):
            state.move(text, 0)


@pytest.mark.parametrize(
    ("type_", "text", "numbers"),
    [
        (IntType(-5, 5), "-3", (-3,)),
        (IntType(-5, 5), "\u0663", None),
        (BoolType(), "yes", (1,)),
        (KindType(SUIT), "green", (1,)),
        (KindType(SUIT), "pink", None),
        (PlayerType(), "b", (1,)),
        (PlayerType(), "seat 2", (1,)),
        (MaybeType(KindType(SUIT)), "none", (NONE,)),
        (MaybeType(KindType(SUIT)), "blue", (2,)),
    ],
)
def test_values_are_read(type_: KindType, text: str, numbers: tuple[int, ...] | None) -> None:
    assert read_value(type_, text, Game(nim()).rules.words) == numbers
