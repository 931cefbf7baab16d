"""The usual case at a stop in WebAssembly: what it may work out ahead, and what it leaves."""

from __future__ import annotations

import re
from random import Random

import pytest

from rulesdsl.compile import compile_rules
from rulesdsl.engines.values import value
from rulesdsl.engines.wasm.bounds import bounds_of
from rulesdsl.engines.wasm.engine import WasmEngine
from rulesdsl.engines.wasm.held import Names, always_read, is_free, to_hold
from rulesdsl.engines.wasm.settled import settled
from rulesdsl.machine import program as p
from rulesdsl.play.game import Game
from rulesdsl.resources import bundled_games
from rulesdsl.text.files import read_source
from rulesdsl.text.source import Source, Span
from tests.by_states import play_by_states, same_games

SPAN = Span(Source("code.yaml", "x"), 0, 1)
X, OTHER = p.R(0), p.R(1)
OWN = p.Cell(10, ((p.Cell(2), 6),))
"""A cell by the index in another one."""


def reason(condition: p.Value) -> p.Reason:
    return p.Reason(condition, SPAN, ())


# ------------------------------------------------------------------ bounds


def _sum(random: Random) -> p.Value:
    others: list[p.Value] = [OTHER, p.K(3)]
    parts = [X, *random.choices(others, k=3)]
    random.shuffle(parts)
    found = parts[0]
    for part in parts[1:]:
        found = p.Op(random.choice(["add", "sub"]), found, part)
    return p.With(2, OTHER, found) if random.random() < 0.3 else found


def test_bounds_hold_for_the_values_for_which_the_checks_do() -> None:
    random, seen = Random(3), set[tuple[bool, str]]()
    for _ in range(200):
        op = random.choice(["gt", "ge", "lt", "le"])
        others: list[p.Value] = [p.K(2), OTHER]
        sides = [_sum(random), random.choice(others)]
        random.shuffle(sides)
        condition = p.Op(op, *sides)
        found = bounds_of((reason(condition),), 0)
        assert found is not None
        (bound,) = found
        for other in (-4, 0, 5):
            (limit,) = {value(bound.value)([], {0: x, 1: other}) for x in (0, 99)}
            for x in range(-20, 20):
                inside = x >= limit if bound.is_least else x <= limit
                assert inside == bool(value(condition)([], {0: x, 1: other}))
        seen.add((bound.is_least, op))
    assert len(seen) == 8


@pytest.mark.parametrize(
    "condition",
    [
        p.Op("eq", X, p.K(2)),
        p.Op("gt", p.Op("add", X, X), p.K(2)),
        p.Op("gt", p.Op("mul", X, OTHER), p.K(2)),
        p.Op("gt", OTHER, p.K(2)),
        p.Op("gt", X, X),
        p.Op("gt", p.With(2, X, p.Op("add", X, p.R(2))), p.K(2)),
        p.Op("gt", p.Cell(0, ((X, 1),)), p.K(2)),
    ],
)
def test_other_checks_are_no_bounds(condition: p.Value) -> None:
    assert bounds_of((reason(p.Op("gt", X, p.K(2))), reason(condition)), 0) is None


# ------------------------------------------------------------------ checks asked once

COUNTS = p.Op("gt", p.Cell(4, ((X, 1),)), p.K(0))
LOOKED_UP = p.Checked(p.Op("gt", p.Cell(0), p.K(0)), p.Op("sub", p.Cell(0), p.K(1)), "row", SPAN)


def _sum_of(body: p.Value, where: p.Value | None = COUNTS) -> p.Fold:
    return p.Fold("sum", 0, p.K(0), p.K(3), where, body, p.Cell(4, ((X, 1),)), (), p.K(0), SPAN)


def _of_table(row: p.Value) -> p.Value:
    index = p.Op("add", p.Op("mul", row, p.K(3)), X)
    return p.Row("table", (5, 6, 7, 8, 9, 10), index, False, SPAN)


@pytest.mark.parametrize("where", [COUNTS, None])
def test_a_check_that_stays_the_same_is_asked_once(where: p.Value | None) -> None:
    plain = _sum_of(_of_table(LOOKED_UP), where)
    once = settled(plain)
    assert once is not None
    for row in (1, 2):
        for numbers in ([0, 0, 0], [1, 0, 2], [3, 1, 1]):
            cells = [row, 0, 0, 0, *numbers]
            assert value(once.condition)(cells, {})
            assert value(once.fold)(cells, {-1: 99}) == value(plain)(cells, {-1: 99})
    assert not value(once.condition)([0] * 7, {})


def test_rounds_that_do_not_count_look_at_the_first_number_of_a_table() -> None:
    once = settled(_sum_of(_of_table(LOOKED_UP)))
    assert once is not None
    # far outside of the table, which is read there all the same
    assert value(once.fold.body)([90, 0, 0, 0, 0, 0, 0], {0: 1}) == 5


def test_a_check_of_each_round_is_not_asked_before() -> None:
    own = p.Checked(p.Op("gt", X, p.K(0)), p.K(0), "row", SPAN)
    assert settled(_sum_of(_of_table(own))) is None
    assert settled(_sum_of(p.Op("add", LOOKED_UP, own))) is None
    assert settled(_sum_of(p.With(3, LOOKED_UP, p.Checked(p.R(3), X, "row", SPAN)))) is None
    assert settled(_sum_of(p.K(1))) is None


# ------------------------------------------------------------------ what is free, what is held


def test_what_may_not_be_there_is_not_read_before_it_is_needed() -> None:
    names = Names({3: 1}, {4: p.Cell(2)})
    assert is_free(p.Cell(7), names, [])
    assert is_free(p.Cell(7, ((p.R(3), 1),)), names, [])
    assert not is_free(OWN, names, [])
    assert is_free(OWN, names, [OWN])
    assert is_free(p.Cell(10, ((p.R(4), 6),)), names, [OWN])
    assert not is_free(p.Cell(11, ((p.R(4), 6),)), names, [OWN])
    assert not is_free(p.Op("mod", p.Cell(7), p.Cell(8)), names, [])
    assert not is_free(p.Row("prices", (1, 2), p.Cell(7), False, SPAN), names, [])
    assert is_free(p.Row("prices", (1, 2), p.R(3), False, SPAN), names, [])
    assert not is_free(p.Checked(p.K(1), p.K(1), "missing", SPAN), names, [])


def test_cells_are_read_always_if_nothing_comes_before_that_decides() -> None:
    one, other = p.Cell(7), p.Cell(8)
    names = Names({}, {})
    assert list(always_read(p.And(one, other), names)) == [one]
    assert list(always_read(p.Choice(one, other, OWN), names)) == [one]
    assert list(always_read(p.With(5, p.Cell(2), p.Cell(10, ((p.R(5), 6),))), names)) == [
        p.Cell(2),
        OWN,
    ]


def test_cells_beside_one_that_is_read_are_held_if_they_are_read_again() -> None:
    beside, elsewhere = p.Cell(11, OWN.terms), p.Cell(10, ((p.Cell(3), 6),))
    later = [p.Op("add", OWN, beside), p.Op("add", beside, elsewhere), elsewhere, OWN]
    found = to_hold([OWN], later, [], Names({}, {}))
    assert found == [p.Cell(2), OWN, beside, p.Cell(3)]
    assert to_hold([OWN], later, [p.Cell(2), OWN], Names({}, {})) == [beside, p.Cell(3)]


# ------------------------------------------------------------------ what is left to others

RULES = """\
rules: 1
game: numbers
title: Numbers
players: [white, black]
about: Each names numbers.
state:
  shared:
    so_far: 0..5000, starts at 0
flow:
  - for p in turns:
      - p chooses:
          name(a in 0..{most}, b in 0..{most}):
            where: {check}
            do:
              - so_far += a + 1
      - if so_far > 40: p wins
"""


@pytest.mark.parametrize(
    ("check", "most", "kind"),
    [
        ("a + b > 2 and a != b", 9, None),
        ("a - b >= so_far - 4", 9, "no-option"),
        ("b - a < 3", 9, None),
        ("a + b == 7", 400, "limit"),
        ("a + b > 700", 400, "limit"),
    ],
)
def test_what_is_not_usual_comes_out_as_in_states(check: str, most: int, kind: str | None) -> None:
    rules = RULES.format(check=check, most=most)
    played = Game(compile_rules(Source("numbers.yaml", rules), 2))
    mine = WasmEngine.of(played.machine).play_many([None, None], 5, range(4))
    same_games(mine, play_by_states(played, [None, None], 5, range(4)))
    assert {None if fault is None else fault.kind for fault in mine.faults} == {kind}


def test_whole_games_come_to_stops_in_the_usual_case() -> None:
    machine = compile_rules(read_source(bundled_games()["ostia"]), 4)
    text = WasmEngine.of(machine).text
    blocks = re.findall(r"^\(func \$b\d+ .*?^\)", text, re.MULTILINE | re.DOTALL)
    others = {int(n) for block in blocks for n in re.findall(r"return_call \$rest_(\d+)", block)}
    assert {type(machine.stops[number]) for number in others} == {p.Over}
