"""What is printed reads as the same tree."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesdsl.syntax.heads import AwardHead, BranchHead
from rulesdsl.syntax.print_steps import (
    print_branch_head,
    print_case_head,
    print_event,
    print_option_head,
    print_signature,
    print_step_head,
)
from rulesdsl.syntax.printer import print_domain, print_expr, print_state_type
from rulesdsl.syntax.tree import (
    Award,
    Between,
    Binary,
    Body,
    Call,
    Case,
    Cite,
    CiteHere,
    Divide,
    Domain,
    Dot,
    Expr,
    Fold,
    If,
    IfStep,
    Index,
    Int,
    IsA,
    KindsOfDomain,
    LinesDomain,
    Name,
    NamedDomain,
    NeighborsDomain,
    Pick,
    RangeDomain,
    RowKey,
    RunsDomain,
    Seat,
    SeatsDomain,
    Signature,
    StateType,
    SubbagDomain,
    Unary,
    Word,
)
from rulesdsl.text.source import NOWHERE
from tests.test_parser import read
from tests.trees import without_places

N = NOWHERE
NAMES = st.sampled_from(["a", "b", "good", "p", "silk_road", "größe", "deck", "size", "best", "x1"])
WORDS = NAMES.map(lambda name: Word(N, name))
BINDERS = WORDS.filter(lambda word: word.text != "best")
CALLED = st.sampled_from(["left", "credit", "size", "min", "top"]).map(lambda name: Word(N, name))
INTS = st.integers(0, 999_999_999).map(lambda value: Int(N, value))
PATHS = st.recursive(
    NAMES.map(lambda name: Name(N, name)),
    lambda inner: (
        st.builds(Dot, st.just(N), inner, WORDS)
        | st.builds(Index, st.just(N), inner, st.tuples(inner) | st.tuples(inner, INTS))
    ),
    max_leaves=4,
)


def zones() -> st.SearchStrategy[Expr]:
    of = st.builds(Call, st.just(N), CALLED, st.tuples(PATHS), st.just(True))
    return PATHS | of


def domains(exprs: st.SearchStrategy[Expr]) -> st.SearchStrategy[Domain]:
    return st.one_of(
        st.builds(RangeDomain, st.just(N), exprs, exprs, st.booleans()),
        st.just(SeatsDomain(N, "", None, False)),
        st.builds(
            SeatsDomain, st.just(N), st.sampled_from(["from", "after"]), exprs, st.booleans()
        ),
        st.builds(KindsOfDomain, st.just(N), exprs),
        st.builds(RunsDomain, st.just(N), zones(), WORDS),
        st.builds(NamedDomain, st.just(N), exprs, st.just(False)),
        st.builds(NamedDomain, st.just(N), BINDERS.map(lambda w: Name(N, w.text)), st.just(True)),
        st.builds(NeighborsDomain, st.just(N), exprs, st.none() | WORDS),
        st.builds(NeighborsDomain, st.just(N), exprs, WORDS, WORDS),
        st.builds(LinesDomain, st.just(N), exprs, WORDS, st.none()),
        st.builds(LinesDomain, st.just(N), exprs, st.none(), exprs),
    )


def sub_bags() -> st.SearchStrategy[Domain]:
    bounds = INTS | PATHS | st.builds(Unary, st.just(N), st.just("-"), INTS)
    return st.builds(SubbagDomain, st.just(N), bounds, bounds, zones())


def compound(exprs: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    some = st.none() | exprs
    ops = st.sampled_from(["+", "-", "*", "==", "!=", "<", "<=", ">", ">=", "and", "or"])
    folds = st.sampled_from(["sum", "any", "all", "max", "min"]).map(lambda op: Word(N, op))
    keys = st.lists(exprs.filter(lambda e: e != Name(N, "first")), min_size=2, max_size=3)
    one_key = st.tuples(exprs)
    return st.one_of(
        st.builds(Binary, st.just(N), ops, exprs, exprs),
        st.builds(Unary, st.just(N), st.sampled_from(["-", "not"]), exprs),
        st.builds(Divide, st.just(N), exprs, exprs, st.booleans()),
        st.builds(If, st.just(N), exprs, exprs, exprs),
        st.builds(Dot, st.just(N), exprs, WORDS),
        st.builds(Index, st.just(N), exprs, st.tuples(exprs)),
        st.builds(Between, st.just(N), BINDERS, exprs, exprs),
        st.builds(IsA, st.just(N), exprs, BINDERS),
        st.builds(Call, st.just(N), CALLED, st.lists(exprs, min_size=1, max_size=3).map(tuple)),
        st.builds(Call, st.just(N), CALLED, st.tuples(exprs), st.just(True)),
        st.builds(Fold, st.just(N), folds, exprs, BINDERS, domains(exprs), some, some),
        st.builds(
            Fold,
            st.just(N),
            st.just(Word(N, "count")),
            st.none(),
            BINDERS,
            domains(exprs),
            some,
            st.none(),
        ),
        st.builds(
            Pick,
            st.just(N),
            st.just("first"),
            BINDERS,
            domains(exprs),
            some,
            st.just(()),
            st.just(False),
            some,
        ),
        st.builds(
            Pick,
            st.just(N),
            st.just("best"),
            BINDERS,
            domains(exprs),
            some,
            keys.map(tuple),
            st.booleans(),
            some,
        ),
        st.builds(
            Pick,
            st.just(N),
            st.just("best"),
            BINDERS,
            domains(exprs),
            some,
            one_key,
            st.just(True),
            some,
        ),
    )


SIMPLE: st.SearchStrategy[Expr] = INTS | PATHS | st.builds(Seat, st.just(N), st.integers(1, 9))
EXPRS = st.recursive(SIMPLE, compound, max_leaves=12)


@given(EXPRS)
def test_expressions_read_as_printed(expr: Expr) -> None:
    assert without_places(read("expr", print_expr(expr))) == expr


@given(sub_bags())
def test_choices_of_components_read_as_printed(domain: Domain) -> None:
    option = without_places(read("option", f"keep(cards in {print_domain(domain)})"))
    assert option.parameters[0].domain == domain


@pytest.mark.parametrize(
    "text",
    [
        "a - (b - c)",
        "(a or b) and c",
        "not (a and b)",
        "-(a + b)",
        "(left of p).score",
        "pair(p)[moon] + (Route between a and b).worn[c].x",
        "count(q in neighbors of p.ship where q.x > 0)",
        "count(q in neighbors(f(p) by Route))",
        "count(q in maybe 1..n + 1)",
        "size of p.hand + 1",
        "if a then b else if c then d else e",
        "x.kind is an Item and not p.b is a Good",
        "(if a then b else c) + 1",
        "max(p.bid for p in players from s where p.x > 1 else 0)",
        "best p in players by p.x then p.y then first",
        "count(r in runs(p.pile by good))",
    ],
)
def test_no_needless_parentheses(text: str) -> None:
    expr: Any = read("expr", text)
    assert print_expr(expr) == text


LINES = [
    "x = 1",
    "p.hand[g] += a - 1, seen",
    "let best = max(a, b)",
    "move all from a to b",
    "move all Bluff from a onto b",
    "move all g where g.worth > 1 from a under b",
    "move all but cards from a to b, seen",
    "move 3 from a to b",
    "move card from a under b, noting said = none, level = n + 1",
    "move 1 from a to b, noting level = 3, seen",
    "move best + 1 grain from a to b",
    "move card from top of z into deck at random place 1..3",
    "deal up to 2 from deck to p.hand",
    "shuffle deck",
    "roll die",
    "pass each p.hand to left",
    "end phase",
    "turn passes to left of p",
    "turn passes to players after p",
    "nobody wins",
    "left of p wins",
    "show p.card to q",
    "show top 2 of deck",
    "harbor",
    "sell_lot(seller, 2)",
]
HEADERS = [
    "for p in players from s where a until b",
    "for g in z, in the order p chooses",
    "for n in 1..5, seen",
    "for p in turns from s where a until b, seen",
    "while a < b, at most 4, seen",
    "while a, never more than n",
    "repeat 3",
    "repeat n + 1, as many as possible",
    "together p in players where a",
    "step pay",
    "depending on a",
    "p secretly",
    "p chooses",
    "left of p secretly chooses",
    "p keeps choosing, at most 3, each once",
]


@pytest.mark.parametrize("line", LINES)
def test_lines_print_as_written(line: str) -> None:
    step: Any = read("line", line)
    assert print_step_head(step) == line


@pytest.mark.parametrize("header", HEADERS)
def test_headers_print_as_written(header: str) -> None:
    step: Any = read("header", header)
    assert print_step_head(step) == header


@pytest.mark.parametrize("header", ["if a == b, seen", "elif a", "else"])
def test_branches_print_as_written(header: str) -> None:
    head = read("header", header)
    assert isinstance(head, BranchHead)
    if head.word == "if":
        assert print_step_head(IfStep(head.branch.span, (head.branch,))) == header
    else:
        assert print_branch_head(head.branch) == header


def test_awards_and_cites_print_as_written() -> None:
    header = "award points to p in players where a, seen"
    head = read("header", header)
    assert isinstance(head, AwardHead)
    parts = (head.span, head.field, head.binder, head.domain, head.where, head.seen)
    award = Award(*parts, (Int(N, 1),), (), "split rounded down")
    assert print_step_head(award) == header
    assert print_step_head(CiteHere(N, (Cite(N, "book", "D.1"),))) == "cite: book D.1"


@pytest.mark.parametrize(
    "text", ["bid(n in 1..3 where a, g in kinds of z) where b", "pass where a"]
)
def test_options_print_as_written(text: str) -> None:
    option: Any = read("option", text)
    assert print_option_head(option) == text


@pytest.mark.parametrize("text", ["f(p in players, n in 0..4, g in Good)", "pot"])
def test_signatures_print_as_written(text: str) -> None:
    signature = read("signature", text)
    assert isinstance(signature, Signature)
    assert print_signature(signature) == text


@pytest.mark.parametrize(
    "text",
    [
        "after move of c in Card from deck to p.hand where c == venice",
        "after change of p.points where a",
        "after phase harbor",
        "when p.hand is empty",
    ],
)
def test_events_print_as_written(text: str) -> None:
    event: Any = read("event", text)
    assert print_event(event) == text


@pytest.mark.parametrize(
    "text",
    [
        "bag of Good or Bluff, secret, size seen, starts with 2 bluff and wine",
        "pile of Card, secret, suit seen, value seen",
        "pile of Card, hidden, starts with all, refilled from a and b",
        "deck of Card or Storm, Storm goes to sky, hidden",
        "maybe Player, starts at none",
        "pile of Card, at most n + 1, secret",
        "maybe Good, spoken",
        "0..n + 1, unseen by its owner, capped",
    ],
)
def test_state_prints_as_written(text: str) -> None:
    state = read("state_type", text)
    assert isinstance(state, StateType)
    assert print_state_type(state) == text


@pytest.mark.parametrize("text", ["ivory", "3", "-1", "2..4", "9+", "else"])
def test_cases_print_as_written(text: str) -> None:
    key = read("row_key", text)
    assert isinstance(key, RowKey)
    assert print_case_head(Case(N, key, Body(N, ()))) == text
