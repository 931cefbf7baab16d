"""Of some components all see a column: what views, logs, texts and examples tell of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from rulesdsl.check.checker import check_rules
from rulesdsl.compile import compile_rules
from rulesdsl.lab.examples import run_examples
from rulesdsl.play.game import Game
from rulesdsl.play.history import Run
from rulesdsl.play.narrate import Narrator
from rulesdsl.play.state import State
from rulesdsl.syntax.from_yaml import read_rules
from rulesdsl.text.problems import Problems
from rulesdsl.text.source import Source
from tests.two_runs import scrambled

RULES = """\
rules: 1
game: stalls
players: 2
kinds:
  Suit: {rows: [red, blue]}
  Card:
    columns: {suit: Suit, value: 1..4}
    rows: {duke: [red, 3], spy: [blue, 1], monk: [red, 4], fool: [blue, 2]}
state:
  each player:
    points: 0..99
    purse: 0..103, secret
    hand: bag of Card, secret, starts with all
    laid: pile of Card, secret, suit seen
    sold: bag of Card, secret, suit seen, value seen
    kept: bag of Card, secret, suit seen
    ages: bag of Card, secret, value seen
    worn: pile of Card, secret, top seen, value seen
    shown: slot of Card, hidden, suit seen
flow:
  - act(seat 1)
procedures:
  act(p in players):
    - lay_out(p)
    - tell(p, count(c in p.laid where c.suit == red), sum(c.value for c in p.laid))
    - p chooses:
        sell: move all from p.laid to p.sold
        keep: move all from p.laid to p.kept
        wear: move all from p.laid onto p.worn
        take: move all from p.laid to p.hand
        put: move 1 from p.laid to p.shown
        age: move all from p.laid to p.ages
    - p chooses:
        pass: p.points = 1
  lay_out(p in players):
    - move fool from p.hand to p.laid
    - move monk from p.hand to p.laid
    - move duke from p.hand to p.laid
  tell(p in players, reds in 0..4, sum_of_values in 0..99):
    - p.purse = reds + sum_of_values
result:
  for p in players:
    highest: p.points
"""


def source(texts: str = "") -> Source:
    return Source("stalls.yaml", RULES + texts)


def after(*moves: str) -> State:
    """The game after some moves."""
    state = Game(compile_rules(source())).start(1)
    for move in moves:
        state.apply(move)
    return state


def seen(state: State, seat: int, path: str) -> object:
    view: Any = state.view(seat)
    return view["state"].get(path)


# ------------------------------------------------------------------ views


def test_a_pile_shows_its_columns_in_order() -> None:
    state = after()
    assert seen(state, 0, "A.laid") == ["fool", "monk", "duke"]
    assert seen(state, 1, "A.laid") == {"unseen": 3, "seen": {"suit": ["blue", "red", "red"]}}
    assert seen(state, 1, "A.hand") is None
    assert seen(state, 1, "A.shown") == {"unseen": 0, "seen": {"suit": []}}


def test_a_bag_shows_its_columns_sorted_and_each_row_together() -> None:
    rows = {"suit": ["blue", "red", "red"], "value": [2, 3, 4]}
    assert seen(after("sell"), 1, "A.sold") == {"unseen": 3, "seen": rows}
    kept = {"unseen": 3, "seen": {"suit": ["blue", "red", "red"]}}
    assert seen(after("keep"), 1, "A.kept") == kept


def test_a_top_that_is_seen_is_not_among_the_columns() -> None:
    worn = {"duke": 1, "unseen": 2, "seen": {"value": [2, 4]}}
    assert seen(after("wear"), 1, "A.worn") == worn


def test_a_hidden_slot_shows_its_column_to_its_owner_too() -> None:
    state = after("put")
    assert seen(state, 0, "A.shown") == {"unseen": 1, "seen": {"suit": ["red"]}}


# ------------------------------------------------------------------ logs


def news(state: State, seat: int) -> list[dict[str, object]]:
    """The events of the last move."""
    told = [event.to_json() for event in state.log(seat)]
    last = max((n for n, one in enumerate(told) if one["event"] == "chose"), default=-1)
    return told[last + 1 :]


def test_laying_out_tells_columns_and_in_which_order_they_lie() -> None:
    assert news(after(), 1) == [
        {
            "event": "moved",
            "from": "A.hand",
            "to": "A.laid",
            "count": 3,
            "seen": {"suit": ["blue", "red", "red"]},
        },
        {
            "event": "changed",
            "place": "A.laid",
            "value": {"unseen": 3, "seen": {"suit": ["blue", "red", "red"]}},
        },
    ]
    moved = [one for one in news(after(), 0) if one["event"] == "moved"]
    assert [one["what"] for one in moved] == ["fool", "monk", "duke"]


def test_a_move_tells_the_columns_of_either_end_and_no_order() -> None:
    moved = news(after("sell"), 1)[0]
    assert moved["seen"] == {"suit": ["blue", "red", "red"], "value": [2, 3, 4]}
    assert news(after("take"), 1)[0]["seen"] == {"suit": ["blue", "red", "red"]}
    assert "what" not in moved


@pytest.mark.parametrize("move", ["sell", "keep", "take", "put", "age"])
def test_what_is_told_is_the_same_for_all_that_agree_in_what_is_seen(move: str) -> None:
    state, told = after(), set()
    for number in range(9):
        record = scrambled(state, 1, Random(number))
        other = State(state.rules, record, Run.first(list(record)))
        whole = str(other.view(0))
        other.apply(move)
        seen_of_it = [event for event in other.log(1) if "value" not in str(event)]
        told.add((str(seen_of_it), str(other.view(1)["now"])))
        assert whole
    assert len(told) == 1


# ------------------------------------------------------------------ texts


def told(texts: str, viewer: int | None, *moves: str) -> list[str]:
    """The lines of a game that is told by these texts."""
    game = Game(compile_rules(source("texts:\n  lines:\n" + texts)))
    lines: list[str] = []
    narrator = Narrator(game.rules, viewer, lines.append)
    state = game.start(1, [narrator])
    for move in moves:
        state.apply(move)
    narrator.finish()
    return [line.strip() for line in lines if line.strip()]


def texts() -> Iterator[tuple[str, str, str]]:
    """A text, what the owner is told, and what the other player is told."""
    yield "{p.laid}", "duke, monk, fool", "2 red, blue"
    yield "{change of p.laid}", "duke, monk, fool", "2 red, blue"
    yield "{(top of p.laid).suit}", "red", "red"
    yield "is [{top of p.laid}][else: no]", "is duke", "is"
    yield "[{(top of p.laid).value}]!", "3!", "!"
    yield "[for c in p.laid with '+': {c.suit}]", "blue+red+red", "blue+red+red"
    yield (
        "[for c in p.laid with '+': {c.suit}[{c.value}][{c}]]",
        "blue2fool+red4monk+red3duke",
        ("blue+red+red"),
    )
    yield "{count(c in p.laid where c.suit == red)}", "2", "2"
    yield "[{sum(c.value for c in p.laid)}]!", "9!", "!"
    yield "{max(size of r for r in runs(p.laid by suit) else 0)}", "2", "2"
    yield "[{p.laid[fool]}]!", "1!", "!"
    yield "[for c in p.laid where c.value > 2: {c.suit}]!", "red, red!", "!"
    yield "[if any(c.suit == blue for c in p.laid): some]", "some", "some"


@pytest.mark.parametrize(("text", "own", "other"), list(texts()), ids=lambda text: text)
def test_texts_tell_columns_to_all_and_no_more(text: str, own: str, other: str) -> None:
    line = f'    lay_out: "{text}"\n'
    assert told(line, 0, "sell")[0] == told(line, None, "sell")[0] == own
    assert told(line, 1, "sell")[0] == other


@pytest.mark.parametrize(
    ("text", "own", "other"),
    [
        ("{p.sold}", "duke, monk, fool", "red 3, red 4, blue 2"),
        ("{change of p.sold}", "duke, monk, fool", "red 3, red 4, blue 2"),
        ("{p.ages}", "nothing", "nothing"),
        ("{was p.laid}, now {p.laid}", "nothing, now nothing", "nothing, now nothing"),
        ("{sum(c.value for c in p.sold)}", "9", "9"),
        ("[for c in p.sold: {c.suit} {c.value}]", "red 3, red 4, blue 2", "red 3, red 4, blue 2"),
    ],
)
def test_texts_tell_several_columns(text: str, own: str, other: str) -> None:
    line = f'    act: "{text}"\n'
    assert told(line, 0, "sell", "pass")[-1] == own
    assert told(line, 1, "sell", "pass")[-1] == other


# ------------------------------------------------------------------ examples


def tried(sees: str, move: str = "sell") -> list[str]:
    """What is wrong with an example about what is seen, or does not hold in it."""
    text = (
        RULES
        + f"""
examples:
  - example: what is seen
    players: [A, B]
    cases: {{hue: [red], three: [[2 red, blue]]}}
    play:
      - act(A)
      - A {move}
      - {sees}
      - A pass
"""
    )
    problems = Problems()
    tree = read_rules(Source("stalls.yaml", text), problems)
    model = None if tree is None else check_rules(tree, problems)
    assert model is not None, list(problems)
    assert tree is not None
    results = run_examples(model, tree, problems)
    notes = [f"{failure.expected} / {failure.got}" for failure in results.failures]
    return notes + [f"{problem.note}; {problem.help}" for problem in problems]


@pytest.mark.parametrize(
    ("move", "sees"),
    [
        ("sell", "B sees: {A.sold: [2 red, blue], size of A.sold: 3}"),
        ("sell", "B sees: {A.sold: [2 hue, 1 unseen]}"),
        ("sell", "B sees: {A.sold: three}"),
        ("sell", "B sees: {A.sold: [3 unseen], A.laid: nothing, A.hand: unseen}"),
        ("sell", "A sees: {A.sold: [duke, monk, fool]}"),
        ("put", "A sees: {A.shown: red, B.shown: none}"),
        ("wear", "B sees: {A.worn: [duke, 2 unseen]}"),
        ("age", "B sees: {A.ages: [3 unseen]}"),
    ],
)
def test_examples_that_hold(move: str, sees: str) -> None:
    assert tried(sees, move) == []


@pytest.mark.parametrize(
    ("move", "sees", "note"),
    [
        ("sell", "B sees: {A.sold: [red, blue]}", "blue, red / blue, 2 red"),
        ("sell", "B sees: {A.sold: [2 blue, unseen]}", "2 blue, unseen / blue, 2 red"),
        ("sell", "B sees: {A.sold: unseen}", "unseen / the suit, the value"),
        ("sell", "B sees: {A.sold: [duke, 2 unseen]}", "duke, 2 unseen / blue, 2 red"),
        ("sell", "B sees: {A.sold: [green]}", "the suit or value of each; green is none"),
        ("sell", "B sees: {A.sold: [rad]}", "rad is none; - B sees: {A.sold: [red]}"),
        ("age", "B sees: {A.ages: [red]}", "what is seen in ages is the value of each"),
        ("wear", "B sees: {A.worn: [monk, 2 unseen]}", "monk, 2 unseen / duke, 2, 4"),
        ("put", "A sees: {A.shown: blue}", "blue / red"),
        ("put", "A sees: {A.shown: 3}", "components of shown are wanted here"),
    ],
)
def test_examples_that_fail(move: str, sees: str, note: str) -> None:
    (only,) = tried(sees, move)
    assert note in only


def test_a_name_for_what_all_see_is_told_to_all() -> None:
    line = '    tell: "{reds} red[, {sum_of_values} in all]"\n'
    assert told(line, None, "sell")[0] == "2 red, 9 in all"
    assert told(line, 1, "sell")[0] == "2 red"
