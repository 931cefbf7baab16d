"""The model that comes out: types, proofs, what names mean."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulesdsl.check import checker
from rulesdsl.check import model as m
from rulesdsl.check.checker import check_rules
from rulesdsl.check.datatypes import NONE, IntType, KindType, MaybeType, PlayerType
from rulesdsl.check.intervals import arithmetic, join, quotient
from rulesdsl.check.walk import all_bodies, nodes
from rulesdsl.resources import find_game
from rulesdsl.syntax import tree as t
from rulesdsl.syntax.from_yaml import read_rules
from rulesdsl.syntax.parser import Piece
from rulesdsl.text.codes import CODES
from rulesdsl.text.problems import Problems
from rulesdsl.text.source import Source, Span

RULES = """
rules: 1
game: toy
players: 2..4
options:
  most: {type: 1..9, default: 5}
  mode: {type: [mild, harsh], default: mild}
kinds:
  Coin: 0..most
  Good:
    columns: {price: 1..9, copies: 0..6}
    rows: {wood: [3, 2], iron: [5, 6], gold: [9, 1]}
  Metal:
    rows: [iron, gold, tin]
tables:
  by_number:
    maps: 1+ -> 0..9
    rows: {1: 9, 2..4: 5, 5+: 1}
  pair:
    maps: Good, 0..1 -> 0..20
    columns: [0, 1]
    rows: {wood: [1, 2], iron: [3, 4], gold: [15, 6]}
state:
  shared:
    total: -20..99
    market: bag of Good, starts with copies
    row: pile of Good
    shown: slot of Good
    mint: bag of Metal
  each player:
    money: Coin
    hand: bag of Good, starts with 2 wood
    metals: bag of Metal, starts with all
  each Good:
    level: 0..9, starts at price - 1
    leader: maybe Player
flow:
  - setup
  - for p in turns until total > 20:
      - main(p)
setup:
  - deal 2 from market to row
  - deal 1 from market to shown
  - for p in players: move iron from p.metals to mint
  - if mode == harsh: total = by_number[most] + pair[wood, 1]
procedures:
  main(p in players):
    state:
      tries: 0..3, starts at 1
    do:
      - let n = p.money
      - if n > 2:
          - p.money = n - 1
      - p.money = n
      - p.money += 1
      - tries = tries + 1
      - let lead = leader[wood]
      - if lead != none:
          - lead.money = 0
      - p chooses:
          buy(g in kinds of market, k in 0..p.hand[g]):
            - total += by_number[k + total]
            - total += by_number[k + 1]
            - level[g] = min(9, k)
            - leader[g] = p
result:
  for p in players:
    highest: p.money
invariants:
  same: metals_of(seat 1) >= 0
define:
  metals_of(p in players): size of p.metals + size of mint
"""


def model_of(text: str) -> m.Model:
    problems = Problems()
    tree = read_rules(Source("toy.yaml", text), problems)
    assert tree is not None
    model = check_rules(tree, problems)
    assert model is not None, [f"{p.span}: {p.code}: {p.note}" for p in problems]
    return model


MODEL = model_of(RULES)


def steps(kind: type) -> Iterator[object]:
    for body in all_bodies(MODEL):
        yield from (node for node in nodes(body.steps) if isinstance(node, kind))


def expression(text: str, **constants: m.Const) -> m.Expr:
    """An expression of the toy game, outside its rules."""
    problems = Problems()
    source = Source("text", text)
    piece = Piece(text, lambda start, end: Span(source, start, end))
    tree = piece.parse("expr", problems)
    found = checker.check_expression(MODEL, tree, None, dict(constants), problems)  # type: ignore[arg-type]
    assert found is not None, list(problems)
    return found


def seat(number: int) -> m.Const:
    return m.Const(Span(Source("", ""), 0, 0), PlayerType(), number)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("total", -20, 99),
        ("total * 2 - 1", -41, 197),
        ("-total", -99, 20),
        ("total / 3 rounded down", -7, 33),
        ("total / 3 rounded up", -6, 33),
        ("min(total, 5)", -20, 5),
        ("max(total, 5)", 5, 99),
        ("if mode == mild then 3 else total", -20, 99),
        ("number of players", 2, 4),
        ("most", 1, 9),
        ("A.money", 0, 9),
        ("by_number[3]", 1, 9),
        ("pair[wood, 1]", 1, 15),
        ("market[wood]", 0, 10),
        ("market[Good.gold]", 0, 1),
        ("size of market", 0, 17),
        ("size of shown", 0, 1),
        ("size of A.metals", 0, 12),
        ("count(g in Good)", 3, 3),
        ("count(g in kinds of market)", 0, 3),
        ("count(g in market)", 0, 17),
        ("count(p in players after A)", 1, 3),
        ("count(g in Good where g.price > 3)", 0, 3),
        ("sum(g.price for g in Good)", 3, 27),
        ("sum(p.money for p in players)", 0, 36),
        ("sum(total for n in 1..most)", -180, 891),
        ("max(g.price for g in market else 0)", 0, 9),
        ("max(n for n in 2..most + 2)", 2, 11),
    ],
)
def test_intervals(text: str, low: int, high: int) -> None:
    assert expression(text, A=seat(0)).type == IntType(low, high)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("shown", "Good"),
        ("top of row", "Good"),
        ("leader[wood]", "maybe Player"),
        ("left of A", "Player"),
        ("first p in players", "Player"),
        ("first p in players where p.money > 1 else none", "maybe Player"),
        ("best g in Good by g.price then first", "Good"),
        ("if total > 3 then none else A", "maybe Player"),
        ("Metal.iron", "Metal"),
        ("mode", "mode"),
        ("total > 3 and A.money == 0", "true or false"),
    ],
)
def test_types(text: str, wanted: str) -> None:
    assert str(expression(text, A=seat(0)).type) == wanted


def test_slots_are_none_or_their_component() -> None:
    empty = expression("shown == none")
    assert isinstance(empty, m.Compare)
    assert isinstance(empty.left, m.TopOf)
    assert empty.left.maybe
    assert isinstance(empty.left.type, MaybeType)
    full = expression("shown")
    assert isinstance(full, m.TopOf)
    assert not full.maybe


def test_members_find_their_kind() -> None:
    for text, kind in (("market[iron]", "Good"), ("mint[iron]", "Metal"), ("tin", "Metal")):
        read = expression(text)
        member = read.member if isinstance(read, m.CountOf) else read
        assert isinstance(member.type, KindType)
        assert member.type.kind.name == kind
    compared = expression("iron == shown")
    assert isinstance(compared, m.Compare)
    assert compared.left.type == KindType(MODEL.kinds["Good"])


def test_what_is_proved() -> None:
    stored = {step.span.text: step.proved for step in steps(m.SetScalar)}  # type: ignore[attr-defined]
    assert stored["p.money = n - 1"]
    assert stored["p.money = n"]
    assert not stored["p.money += 1"]
    assert stored["level[g] = min(9, k)"]
    assert stored["lead.money = 0"]
    counted = {step.span.text: step.proved for step in steps(m.SetCounter)}  # type: ignore[attr-defined]
    assert counted == {"tries = tries + 1": False}


def test_which_reads_of_tables_are_checked() -> None:
    reads = {read.span.text: read.checked for read in steps(m.TableRead)}  # type: ignore[attr-defined]
    assert reads["by_number[most]"] is False
    assert reads["pair[wood, 1]"] is False
    assert reads["by_number[k + 1]"] is False
    assert reads["by_number[k + total]"] is True


def test_tables_hold_every_point() -> None:
    table = MODEL.tables["by_number"]
    assert table.open_from == 5
    assert table.cells == {(1,): 9, (2,): 5, (3,): 5, (4,): 5, (5,): 1}
    pair = MODEL.tables["pair"]
    assert len(pair.cells) == 6
    assert pair.type == IntType(1, 15)


def test_what_lies_where() -> None:
    zones = MODEL.zones
    assert zones["shared", "market"].start == ((2, 6, 1),)
    assert zones["shared", "market"].capacity == 9 + 4 * 2
    assert zones["player", "hand"].start == ((2, 0, 0),)
    assert zones["shared", "shown"].capacity == 1
    assert zones["shared", "mint"].capacity == 3 * 4
    level = MODEL.scalars["Good", "level"]
    assert level.owner is not None
    assert isinstance(level.start, m.Arithmetic)


def test_ranges_may_depend_on_options() -> None:
    assert MODEL.scalars["player", "money"].type == IntType(0, 9)


def test_names_narrow_by_conditions() -> None:
    choice = next(iter(steps(m.ChooseStep)))
    assert isinstance(choice, m.ChooseStep)
    goods, number = choice.options[0].parameters
    assert goods.local.type == KindType(MODEL.kinds["Good"])
    assert number.local.type == IntType(0, 10)


def test_calls_of_examples() -> None:
    span = Span(Source("text", "main(A)"), 0, 7)
    word = t.Word(span, "main")
    call = t.Do(span, word, (t.Name(span, "A"),))
    problems = Problems()
    checked = checker.check_call(MODEL, call, {"A": seat(0)}, problems)
    assert isinstance(checked, m.CallProcedure)
    assert checked.procedure is MODEL.procedures["main"]
    assert not len(problems)
    assert checker.check_call(MODEL, t.Do(span, word, ()), {}, problems) is None
    assert [problem.code for problem in problems] == ["wrong-number"]


def test_places_of_examples() -> None:
    span = Span(Source("text", "A.hand"), 0, 6)
    node = t.Dot(span, t.Name(span, "A"), t.Word(span, "hand"))
    place = checker.check_place(MODEL, node, {"A": seat(0)}, Problems())
    assert place is not None
    assert place.zone is MODEL.zones["player", "hand"]
    assert isinstance(place.key, m.Const)
    assert (place.key.type, place.key.value) == (PlayerType(), 0)


def test_interval_arithmetic() -> None:
    a, b = IntType(-3, 4), IntType(2, 5)
    assert arithmetic("*", a, b) == IntType(-15, 20)
    assert arithmetic("-", a, b) == IntType(-8, 2)
    assert quotient(a, b, up=False) == IntType(-2, 2)
    assert quotient(a, b, up=True) == IntType(-1, 2)
    assert join(PlayerType(), PlayerType()) == PlayerType()
    assert NONE == -1


def test_every_code_of_the_checker_has_a_meaning() -> None:
    folder = Path(checker.__file__).parent
    codes = {
        call.args[0].value
        for file in folder.glob("*.py")
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "add"
        and call.args
        and isinstance(call.args[0], ast.Constant)
        and isinstance(call.args[0].value, str)
        and len(call.args) > 2
    }
    assert len(codes) > 50
    assert codes - set(CODES) == set()


@pytest.mark.parametrize("mark", ["|", ">"])
def test_slips_in_a_text_of_many_lines_are_told_on_their_lines(mark: str) -> None:
    words = ("Round {round}", "all have {sum(q.money for q in players)}", "then {size of dekc}")
    rules = Path(find_game("nim")).read_text(encoding="utf-8").partition("\ntexts:")[0]
    text = f"{rules}\ntexts:\n  head: {mark}\n" + "".join(f"    {line}\n" for line in words)
    problems = Problems()
    tree = read_rules(Source("mine.yaml", text), problems)
    assert tree is not None
    check_rules(tree, problems)
    lines = text.splitlines()
    assert [(one.span.text, lines[one.span.line - 1].strip()) for one in problems] == [
        ("round", words[0]),
        ("money", words[1]),
        ("dekc", words[2]),
    ]
