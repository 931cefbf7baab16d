"""Measures: what is asked for when a game is over, by rules and by bots."""

from __future__ import annotations

from typing import Any

import pytest

from rulesdsl.agents.cast import Cast
from rulesdsl.agents.random import RandomAgent
from rulesdsl.agents.roster import Roster
from rulesdsl.compile import check_bot, check_source, compile_rules
from rulesdsl.engines.preferring import Preferring
from rulesdsl.machine.policy import lower_bot
from rulesdsl.play.game import Game
from rulesdsl.play.loading import load
from rulesdsl.play.rules_hash import rules_hash
from rulesdsl.play.state import State
from rulesdsl.resources import find_game
from rulesdsl.syntax.bots import read_bot
from rulesdsl.text.files import read_source
from rulesdsl.text.problems import Problems, RulesError
from rulesdsl.text.source import Source
from tests.test_html import VOTE

MEASURES = """\
measures:
  planned(p in players): p.plan
  cards: {is: size of deck, about: what was never dealt}
  laid(p in players): size of p.pile == 2 and p.points > 0
  ahead(p in players): p.points - max(q.points for q in players where q != p else 0)
"""
BOT = """\
bots: 1
for: vote
bot: one
define:
  mine: 10 * me.points
decisions:
  plan: plan 2
"""


def played(game: Game, seed: int) -> State:
    state, agent = game.start(seed), RandomAgent(seed)
    while not state.is_over:
        state.apply(agent.choose(state, state.to_act[0]))
    return state


def measured(state: State, name: str) -> list[int]:
    """Of each seat."""
    machine, engine = state.rules.machine, state.rules.engine
    value, record = machine.measures[name], list(state.record)
    return [engine.evaluate(value, record, seat) for seat in range(machine.seats)]


def seen_by(state: State, seat: int) -> dict[str, Any]:
    """The state in the view of a seat."""
    found = state.view(seat)["state"]
    assert isinstance(found, dict)
    return found


def problems(text: str) -> list[tuple[str, str]]:
    """Codes, and what is underlined."""
    with pytest.raises(RulesError) as error:
        check_source(Source("vote.yaml", text))
    return [(problem.code, problem.span.text) for problem in error.value.problems]


# ------------------------------------------------------------------ of rules


def test_measures_are_what_stands_at_the_end() -> None:
    game = Game(compile_rules(Source("vote.yaml", VOTE + MEASURES), 2))
    for seed in range(5):
        state = played(game, seed)
        seats = [seen_by(state, seat) for seat in range(2)]
        assert measured(state, "planned") == [s[f"{'AB'[i]}.plan"] for i, s in enumerate(seats)]
        # of nine cards two are dealt to each of two players in each of two rounds
        assert measured(state, "cards") == [1, 1]
        assert measured(state, "laid") == [1, 1]
        points = [seats[0][f"{seat}.points"] for seat in "AB"]
        assert measured(state, "ahead") == [points[0] - points[1], points[1] - points[0]]


def test_of_the_table_or_of_each_player() -> None:
    model = check_source(Source("vote.yaml", VOTE + MEASURES))
    found = [(one.name, one.player is not None, one.about) for one in model.measures.values()]
    assert found[:2] == [("planned", True, ""), ("cards", False, "what was never dealt")]


def test_those_of_ostia_are_what_its_state_says() -> None:
    game = load("ostia", 3)
    state = played(game, 7)
    money = [seen_by(state, seat)[f"{'ABC'[seat]}.money"] for seat in range(3)]
    seen = seen_by(state, 0)
    assert measured(state, "money_left") == money
    assert measured(state, "storehouses") == [seen[f"{seat}.storehouses"] for seat in "ABC"]
    assert measured(state, "goods_stored") == [sum(seen[f"{s}.stored"].values()) for s in "ABC"]
    assert measured(state, "in_debt") == [int(seen[f"{seat}.loans"] > 0) for seat in "ABC"]


@pytest.mark.parametrize("bot", ["beginner", "random"])
@pytest.mark.parametrize("seed", range(4))
def test_points_of_ostia_are_told_by_where_they_come_from(bot: str, seed: int) -> None:
    game = load("ostia", 4)
    state, cast = game.start(seed), Cast.of(game, [bot], seed)

    def points() -> list[int]:
        return [int(state.named()["state"][f"{seat}.points"]) for seat in "ABCD"]  # type: ignore[index]

    before: list[int] = []
    while not state.is_over:
        # nobody gets any at the end of the game before the last one has decided
        before = points()
        state.apply(cast.choose(state, state.to_act[0]))
    assert measured(state, "points_from_senate") == before
    parts = [measured(state, f"points_from_{name}") for name in ("senate", "goods", "money")]
    assert [sum(each) for each in zip(*parts, strict=True)] == points()
    kept = [state.named()["state"][f"{seat}.stored"] for seat in "ABCD"]  # type: ignore[index]
    assert parts[1] == list(map(len, kept))


def test_a_game_is_the_same_with_and_without_them() -> None:
    bare = check_source(Source("vote.yaml", VOTE))
    more = VOTE + MEASURES
    assert rules_hash(bare) == rules_hash(check_source(Source("vote.yaml", more)))
    one, other = (Game(compile_rules(Source("vote.yaml", text), 2)) for text in (VOTE, more))
    assert one.machine.layout.cells == other.machine.layout.cells
    assert played(one, 3).record == played(other, 3).record


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("  left(c in Card): deck[c]", [("wrong-number", "c in Card")]),
        ("  one(p in players, q in players): p.points", [("wrong-number", "q in players")]),
        ("  some(p in players): p", [("wrong-type", "p")]),
        ("  none_at_all: none", [("wrong-type", "none")]),
        ("  bad(p in players): p.pionts", [("unknown-name", "pionts")]),
        ("  same(p in players): size of deck", [("unused-name", "p")]),
        ("  two: 1\n  two(p in players): p.points", [("duplicate-name", "two")]),
        ("  never: size of deck < 0", [("never-true", "size of deck < 0")]),
        ("  long: {is: 1, cite: book 3}", [("unknown-key", "cite")]),
        ("  long: {about: nothing else}", [("missing-key", "{about: nothing else}")]),
    ],
)
def test_what_is_wrong_is_told(line: str, told: list[tuple[str, str]]) -> None:
    assert problems(f"{VOTE}measures:\n{line}\n") == told


def test_no_rule_reads_a_measure() -> None:
    text = VOTE.replace("highest: p.points", "highest: p.points + planned(p)") + MEASURES
    assert ("unknown-name", "planned") in problems(text)


# ------------------------------------------------------------------ of bots


def test_a_bot_measures_what_it_does_not_see() -> None:
    """Who studies the game is told of secrets, also with the words of the bot."""
    text = BOT + "measures:\n  mine: mine\n  theirs: sum(p.plan for p in players where p != me)\n"
    found = Problems()
    tree = read_bot(Source("one.yaml", text), found)
    found.check()
    assert tree is not None
    game = Game(compile_rules(Source("vote.yaml", VOTE), 2))
    asked = Preferring(
        lower_bot(check_bot((tree,), game.model), game.machine), game.rules.engine.function
    )
    state = played(game, 2)
    plans = [seen_by(state, seat)[f"{'AB'[seat]}.plan"] for seat in range(2)]
    for seat in range(2):
        points = seen_by(state, 0)[f"{'AB'[seat]}.points"]
        found_here = asked.measured(list(state.record), seat)
        assert found_here == {"mine": 10 * points, "theirs": sum(plans) - plans[seat]}


def test_a_bot_has_those_of_the_bot_that_it_extends() -> None:
    source = read_source(find_game("ostia"))
    model = check_source(source)
    bots = Roster.of(model)
    measures = [bots.bot(name, model).measures for name in ("beginner", "careful")]
    assert [[*one] for one in measures] == [["nearly_broke"], ["nearly_broke"]]


def test_the_measure_of_a_bot_has_no_arguments() -> None:
    model = check_source(Source("vote.yaml", VOTE))
    found = Problems()
    text = BOT + "measures:\n  points(p in players): p.points\n"
    tree = read_bot(Source("one.yaml", text), found)
    assert tree is not None
    with pytest.raises(RulesError, match="wrong-number"):
        check_bot((tree,), model)
