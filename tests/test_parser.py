"""Lines, headers and other texts: what they give, where it stands, and what is told of slips."""

from __future__ import annotations

import pytest

from rulesdsl.syntax import table
from rulesdsl.syntax.heads import AwardHead, BranchHead, Otherwise, Parsed, Players, PlayHead, Ties
from rulesdsl.syntax.parser import parse
from rulesdsl.syntax.tree import (
    Assign,
    Binary,
    Body,
    Call,
    Chooses,
    Deal,
    Destination,
    Divide,
    Dot,
    Fold,
    For,
    Index,
    Int,
    KindsOfDomain,
    Modifier,
    Move,
    MovedAllWhere,
    MovedSome,
    Name,
    NamedDomain,
    NamedType,
    Option,
    Pick,
    PlaceType,
    RangeDomain,
    RangeType,
    Refilled,
    RowKey,
    Seat,
    SeatsDomain,
    Show,
    StartsAt,
    StartsWith,
    StateType,
    SubbagDomain,
    TurnPasses,
    Turns,
    Unary,
    Wins,
    Word,
)
from rulesdsl.syntax.words import CALLED, RESERVED, RESERVED_FOR_KINDS
from rulesdsl.syntax.yaml_nodes import Text
from rulesdsl.text.limits import EXPRESSION_NESTING, LINE_LENGTH
from rulesdsl.text.problems import Problem, Problems
from rulesdsl.text.source import Source, Span
from tests.trees import spans

BEFORE = "  - "


def text_of(line: str) -> Text:
    source = Source("test.yaml", f"# first\n{BEFORE}{line}\n")
    start = len("# first\n" + BEFORE)
    return Text(Span(source, start, start + len(line)), line, True, False)


def read(start: str, line: str) -> Parsed:
    problems = Problems()
    found = parse(start, text_of(line), problems)
    problems.check()
    assert found is not None
    return found


def wrong(start: str, line: str) -> Problem:
    problems = Problems()
    assert parse(start, text_of(line), problems) is None
    (problem,) = problems
    return problem


def name(node: object) -> str:
    assert isinstance(node, Name)
    return node.text


# ---------------------------------------------------------------------- what texts give


def test_precedence_is_that_of_school() -> None:
    match read("expr", "a or b and not c == d + e * -f"):
        case Binary(
            op="or",
            right=Binary(
                op="and",
                right=Unary(
                    op="not",
                    operand=Binary(
                        op="==",
                        right=Binary(op="+", right=Binary(op="*", right=Unary(op="-"))),
                    ),
                ),
            ),
        ):
            pass
        case other:
            pytest.fail(str(other))


def test_sums_group_from_the_left() -> None:
    match read("expr", "a - b - c"):
        case Binary(op="-", left=Binary(op="-", left=Name(text="a")), right=Name(text="c")):
            pass
        case other:
            pytest.fail(str(other))


def test_paths_calls_and_places() -> None:
    match read(
        "expr", "senate_value[current, g] + deck[a][b] + (left of p).score + size of p.hand"
    ):
        case Binary(
            left=Binary(
                left=Binary(
                    left=Index(arguments=(Name(), Name())),
                    right=Index(base=Index(arguments=(Name(text="a"),))),
                ),
                right=Dot(base=Call(of=True, name=Word(text="left"))),
            ),
            right=Call(of=True, arguments=(Dot(name=Word(text="hand")),)),
        ):
            pass
        case other:
            pytest.fail(str(other))


def test_division_says_how_it_rounds() -> None:
    match read("expr", "a / b rounded up - c / 2 rounded down"):
        case Binary(op="-", left=Divide(up=True), right=Divide(up=False, right=Int(value=2))):
            pass
        case other:
            pytest.fail(str(other))


def test_folds_and_picks() -> None:
    match read("expr", "count(g in kinds of p.kept where g.worth > 1)"):
        case Fold(body=None, op=Word(text="count"), domain=KindsOfDomain(), where=Binary()):
            pass
        case other:
            pytest.fail(str(other))
    match read("expr", "max(p.bid for p in players after s else 0)"):
        case Fold(body=Dot(), domain=SeatsDomain(turn="after"), otherwise=Int(value=0)):
            pass
        case other:
            pytest.fail(str(other))
    match read("expr", "best p in players where a by b then c then first else d"):
        case Pick(op="best", keys=(Name(text="b"), Name(text="c")), then_first=True):
            pass
        case other:
            pytest.fail(str(other))


def test_domains() -> None:
    match read("option", "bid(n in 1..x + 1, cards in any 2 of z, q in players, bare)"):
        case Option(parameters=(first, second, third, fourth)):
            assert isinstance(first.domain, RangeDomain)
            assert isinstance(second.domain, SubbagDomain)
            assert second.domain.low == second.domain.high
            assert isinstance(third.domain, SeatsDomain)
            assert fourth.domain is None
        case other:
            pytest.fail(str(other))
    match read("header", "for g in Good"):
        case For(domain=NamedDomain(expr=Name(text="Good"), maybe=False)):
            pass
        case other:
            pytest.fail(str(other))


def test_lines() -> None:
    match read("line", "p.money += 3, seen"):
        case Assign(op="+=", seen=True, target=Dot()):
            pass
        case other:
            pytest.fail(str(other))
    match read("line", "move best + 1 grain from lot to p.kept"):
        case Move(moved=MovedSome(count=Binary(), what=Name(text="grain"))):
            pass
        case other:
            pytest.fail(str(other))
    match read("line", "move 3 from deck onto pile"):
        case Move(moved=MovedSome(count=Int(value=3), what=None), to=Destination(way="onto")):
            pass
        case other:
            pytest.fail(str(other))
    match read("line", "move all g where g.worth > 2 from a into deck at random place 1..3"):
        case Move(moved=MovedAllWhere(), to=Destination(way="into", low=Int(), high=Int())):
            pass
        case other:
            pytest.fail(str(other))
    match read("line", "deal up to 2 from deck to p.hand"):
        case Deal(up_to=True, seen=False):
            pass
        case other:
            pytest.fail(str(other))
    match read("line", "turn passes to players after p"):
        case TurnPasses(to=SeatsDomain(turn="after")):
            pass
        case other:
            pytest.fail(str(other))
    match read("line", "show top 2 of deck to q"):
        case Show(top=Int(value=2), to=Name(text="q")):
            pass
        case other:
            pytest.fail(str(other))
    assert isinstance(read("line", "nobody wins"), Wins)


def test_headers_have_an_empty_body() -> None:
    match read("header", "for p in turns from s where a until b"):
        case Turns(start=Name(), where=Name(), until=Name(), body=Body(steps=())):
            pass
        case other:
            pytest.fail(str(other))
    match read("header", "for g in z, in the order p chooses"):
        case For(chooser=Name(text="p"), seen=False):
            pass
        case other:
            pytest.fail(str(other))
    match read("header", "p keeps choosing, at most 3, each once"):
        case Chooses(bound=Int(value=3), each_once=True, secretly=False):
            pass
        case other:
            pytest.fail(str(other))
    assert isinstance(read("header", "award points to p in players where a, seen"), AwardHead)
    assert isinstance(read("header", "elif a"), BranchHead)
    assert isinstance(read("option", "otherwise"), Otherwise)


def test_declarations() -> None:
    match read(
        "state_type",
        "bag of Good or Bluff, secret, size seen, starts with 2 bluff and wine, refilled from a",
    ):
        case StateType(
            type=PlaceType(place="bag", kinds=(Word(text="Good"), Word(text="Bluff"))),
            clauses=(
                Modifier(name="secret"),
                Modifier(name="size seen"),
                StartsWith(components=(_, _)),
                Refilled(),
            ),
        ):
            pass
        case other:
            pytest.fail(str(other))
    match read("state_type", "Player, starts at seat 1"):
        case StateType(type=NamedType(name="Player"), clauses=(StartsAt(value=Seat(number=1)),)):
            pass
        case other:
            pytest.fail(str(other))
    match read("type", "9+"):
        case RangeType(low=Int(value=9), high=None):
            pass
        case other:
            pytest.fail(str(other))


@pytest.mark.parametrize(
    ("text", "low", "high", "open_end"),
    [("3", 3, 3, False), ("-1", -1, -1, False), ("2..4", 2, 4, False), ("9+", 9, None, True)],
)
def test_rows_of_numbers(text: str, low: int, high: int | None, open_end: bool) -> None:
    row = read("row_key", text)
    assert isinstance(row, RowKey)
    assert (row.word, row.low, row.high, row.open) == (None, low, high, open_end)


def test_other_keys() -> None:
    assert isinstance(read("ties", "each gets the prize, places are used up"), Ties)
    players = read("players", "3..5")
    assert isinstance(players, Players)
    assert (players.low, players.high) == (3, 5)
    head = read("play_header", "legal for A")
    assert isinstance(head, PlayHead)
    assert head.word == "legal"
    assert head.seat is not None
    assert head.seat.text == "A"


# ---------------------------------------------------------------------- places


@pytest.mark.parametrize(
    ("start", "line"),
    [
        ("line", "x[g] = (a + b) * size of p.hand, seen"),
        ("header", "for p in players from s where count(g in d) > 2 until not x"),
        ("option", "bid(n in 1..3 where n > x, g in kinds of z) where a"),
        ("state_type", "bag of Good, starts with 2 bluff"),
    ],
)
def test_every_place_lies_in_the_text(start: str, line: str) -> None:
    text = text_of(line)
    for span in spans(read(start, line)):
        assert span.source.line(span.line) == BEFORE + line
        assert text.span.start <= span.start < span.end <= text.span.end


def test_places_are_exact() -> None:
    expr = read("expr", "(a + b) * p.hand[g]")
    assert isinstance(expr, Binary)
    assert expr.span.text == "(a + b) * p.hand[g]"
    assert expr.left.span.text == "a + b"
    assert expr.right.span.text == "p.hand[g]"
    assert isinstance(expr.right, Index)
    assert expr.right.base.span.text == "p.hand"
    assert (expr.right.span.line, expr.right.span.column) == (2, len(BEFORE) + 11)


def test_places_after_signs_beyond_ascii() -> None:
    expr = read("expr", "größe + 𝒳 + naïve")
    assert isinstance(expr, Binary)
    assert expr.right.span.text == "naïve"


# ---------------------------------------------------------------------- slips

SLIPS = [
    ("header", "if p.loans = 0", "equals-in-condition", "=", "if p.loans == 0"),
    ("header", "if a = 1 && !b", "equals-in-condition", "=", "if a == 1 and not b"),
    ("line", "p.money == 3", "comparison-as-line", "==", "p.money = 3"),
    ("line", "let x == 3", "comparison-as-line", "==", "let x = 3"),
    ("expr", "a || b", "foreign-operator", "||", "a or b"),
    ("expr", "a & b", "foreign-operator", "&", "a and b"),
    ("expr", "!(a == b)", "foreign-operator", "!", "not (a == b)"),
    ("expr", "a <> b", "foreign-operator", "<>", "a != b"),
    ("expr", "a =! b", "foreign-operator", "=!", "a != b"),
    ("expr", "a => b", "foreign-operator", "=>", "a >= b"),
    ("expr", "a ≤ b", "foreign-operator", "≤", "a <= b"),
    ("line", "x++", "foreign-operator", "++", "x += 1"),
    ("line", "x =+ 1", "foreign-operator", "=+", "x += 1"),
    ("line", "x := 3", "foreign-operator", ":=", "x = 3"),
    ("maps", "1..9 => 0..3", "foreign-operator", "=>", "1..9 -> 0..3"),
    ("line", "move 1 grain from a -> b", "foreign-operator", "->", "move 1 grain from a to b"),
    ("line", "x = max(a, b", "missing-parenthesis", "b", "x = max(a, b)"),
    ("line", "pay(p, (a + b)", "missing-parenthesis", ")", "pay(p, (a + b))"),
    ("expr", "x[1", "missing-parenthesis", "1", "x[1]"),
    ("line", "x = max(a, b))", "extra-parenthesis", ")", "x = max(a, b)"),
    ("line", "sell()", "empty-parentheses", "()", "sell"),
    ("line", "let olive-oil = 3", "hyphen-in-name", "olive-oil", "let olive_oil = 3"),
    ("row_key", "olive-oil", "hyphen-in-name", "olive-oil", "olive_oil"),
    ("line", "x = a / 2", "division-without-rounding", "/ 2", "x = a / 2 rounded down"),
    ("line", "x = a // 2", "division-without-rounding", "// 2", "x = a / 2 rounded down"),
    ("expr", "a / b rounded", "division-without-rounding", "/ b rounded", "a / b rounded down"),
    ("expr", "a < b < c", "chained-comparison", "b <", "a < b and b < c"),
    ("expr", "a and wine in z", "in-as-operator", "wine in z", "a and z[wine] > 0"),
    ("expr", "wine not in z", "in-as-operator", "wine not in z", "z[wine] == 0"),
    ("expr", "x is none", "is-as-operator", "is", "x == none"),
    ("header", "if x is not none", "is-as-operator", "is not", "if x != none"),
    ("header", "if deck is empty", "is-as-operator", "deck is empty", "if size of deck == 0"),
    ("row_key", "9 +", "open-range", "9 +", "9+"),
    ("header", "for n in 1 to 5", "range", " to ", "for n in 1..5"),
    ("header", "for n in 1 - 5", "range", " - ", "for n in 1..5"),
    ("players", "3-5", "range", "-", "3..5"),
    ("players", "3…5", "foreign-operator", "…", "3..5"),
    ("header", "else if a", "else-if", "else if", "elif a"),
    ("header", "for each p in players", "for-each", "for each", "for p in players"),
    ("header", "if a then", "then-in-header", " then", "if a"),
    ("header", "while a < 3", "loop-without-bound", "3", "while a < 3, at most 10"),
    (
        "expr",
        "count(q in neighbors of p.ship by Route)",
        "word-order",
        "neighbors of p.ship by Route",
        "count(q in neighbors(p.ship by Route))",
    ),
    ("header", "p chooses secretly", "word-order", "chooses secretly", "p secretly chooses"),
    ("line", "move 2 of grain from a to b", "number-of", "of ", "move 2 grain from a to b"),
    ("line", "move 2grain from a to b", "missing-blank", "2grain", "move 2 grain from a to b"),
    ("line", "x = 3;", "semicolon", ";", "x = 3"),
    ("expr", "+19", "plus-sign", "+", "19"),
    ("state_type", "Player = seat 1", "equals-in-state", " =", "Player, starts at seat 1"),
    ("line", "deal 5 form deck to z", "unknown-word", "form", "deal 5 from deck to z"),
    ("line", "moev 2 grain from a to b", "unknown-word", "moev", "move 2 grain from a to b"),
    ("header", "fro p in players", "unknown-word", "fro", "for p in players"),
    ("header", "for p of players", "unknown-word", "of", "for p in players"),
    ("state_type", "bag of Good, secert", "unknown-word", "secert", "bag of Good, secret"),
    ("state_type", "bag Good", "missing-word", "Good", "bag of Good"),
    ("header", "depending x", "missing-word", "x", "depending on x"),
]


@pytest.mark.parametrize(("start", "line", "code", "underlined", "mended"), SLIPS)
def test_slips_are_mended(start: str, line: str, code: str, underlined: str, mended: str) -> None:
    problem = wrong(start, line)
    assert problem.code == code
    assert problem.span.text == underlined
    assert problem.help == f"- {mended}"
    read(start, mended)


@pytest.mark.parametrize(
    ("start", "line", "code", "underlined"),
    [
        ("line", "for p in players", "header-without-colon", "for p in players"),
        ("line", "p chooses", "header-without-colon", "p chooses"),
        ("line", "bid(n in 1..3)", "option-outside-choice", "bid(n in 1..3)"),
        ("header", "pass", "option-outside-choice", "pass"),
        ("header", "p.money += 3", "line-with-colon", "p.money += 3"),
        ("line", "x = 1.5", "decimal-number", "1.5"),
        ("line", "x = 12345678901", "number-too-big", "12345678901"),
        ("expr", "a % 2", "foreign-operator", "%"),
        ("expr", "a if b else c", "if-order", "if"),
        ("expr", "x + 1 in z", "in-as-operator", "in"),
        ("line", "a = 1; b = 2", "semicolon", ";"),
        ("line", "end = 3", "reserved-word", "end"),
        ("line", "f(x) = 3", "value-for-no-place", "="),
        ("line", "set x to 3", "unknown-step", "set"),
        ("line", "x =", "incomplete", "="),
        ("expr", "a @ b", "unexpected-sign", "@"),
        ("expr", "a b", "unexpected-word", "b"),
        ("line", "deal 5 fromdeck to x", "missing-word", "fromdeck"),
        ("line", "deal n p.deck to x", "missing-word", "p"),
        ("line", "deal 5 cards from deck to x", "unexpected-word", "cards "),
        ("expr", "best p in players", "best-without-by", "best"),
        ("expr", "best p in players by p.x", "best-without-tie-break", "best"),
        ("expr", "first p in players by p.x", "first-with-by", "first"),
        ("expr", "sum(p in players)", "fold-without-value", "sum"),
        ("expr", "count(p.x for p in players)", "count-with-value", "count"),
        ("expr", "total(p.x for p in players)", "unknown-fold", "total"),
        ("expr", "sum(1 for r in rows(z by c))", "unknown-domain", "rows"),
        ("line", "", "nothing-here", ""),
    ],
)
def test_slips_that_are_told(start: str, line: str, code: str, underlined: str) -> None:
    problem = wrong(start, line)
    assert (problem.code, problem.span.text) == (code, underlined)
    assert problem.note


def test_two_slips_of_one_kind_are_mended_together() -> None:
    assert wrong("expr", "a = 1 or b = 2 or c = 3").help == "- a == 1 or b == 2 or c == 3"


# ---------------------------------------------------------------------- bounds


def test_long_lines_are_refused() -> None:
    assert wrong("expr", "a" * (LINE_LENGTH + 1)).code == "line-too-long"
    read("expr", "a" * LINE_LENGTH)


@pytest.mark.parametrize(
    "line",
    [
        "(" * 400 + "a" + ")" * 400,
        "not " * 200 + "a",
        "- " * 400 + "a",
        " + ".join(["a"] * 200),
        "size of " * 100 + "a",
        "if a then b else " * 50 + "c",
    ],
)
def test_deep_nesting_is_refused(line: str) -> None:
    assert wrong("expr", line).code == "too-deeply-nested"


def test_some_nesting_is_fine() -> None:
    read("expr", "(" * (EXPRESSION_NESTING - 5) + "a" + ")" * (EXPRESSION_NESTING - 5))


def test_blocks_of_text_are_no_lines() -> None:
    text = text_of("x = 1")
    problems = Problems()
    assert parse("line", Text(text.span, "x = 1\ny = 2\n", False, True), problems) is None
    assert [problem.code for problem in problems] == ["not-one-line"]


# ---------------------------------------------------------------------- words

USES = {
    "a value": [
        ("expr", "1 + X"),
        ("expr", "X + 1"),
        ("expr", "X"),
        ("expr", "a == X and b"),
        ("expr", "f(X, X)"),
        ("expr", "x[X]"),
        ("expr", "sum(X.a for X in d where X.b)"),
        ("expr", "X.a[b]"),
        ("expr", "size of X"),
        ("expr", "if X then X else X"),
        ("expr", "not X"),
        ("expr", "count(g in X..X)"),
        ("line", "X = 1"),
        ("line", "X += X"),
        ("line", "X[a] = 1"),
        ("line", "X.a = 1"),
        ("line", "let X = a"),
        ("line", "a = X, seen"),
        ("line", "move 2 X from a to b"),
        ("line", "move X grain from a to b"),
        ("line", "move all X from a to b"),
        ("line", "move all from X to X"),
        ("line", "deal X from X to X"),
        ("line", "shuffle X"),
        ("line", "X wins"),
        ("header", "for X in X where X.a"),
        ("header", "for p in turns from X until X"),
        ("header", "while X, at most X"),
        ("header", "if X"),
        ("header", "depending on X"),
        ("header", "X secretly chooses"),
        ("header", "X keeps choosing, at most X"),
        ("option", "bid(X in X..X where X)"),
        ("option", "bid(X)"),
        ("signature", "f(X in players)"),
        ("state_type", "bag of G, refilled from X and X"),
    ],
    "a member": [
        ("components", "X"),
        ("components", "2 X"),
        ("state_type", "bag of G, starts with 2 X and X"),
        ("row_key", "X"),
    ],
    "a procedure": [
        ("line", "X(a)"),
        ("line", "X"),
        ("expr", "X(a)"),
        ("expr", "X of a"),
        ("signature", "X(a in players)"),
        ("play_line", "X(A)"),
    ],
    "a kind": [
        ("state_type", "bag of A or X"),
        ("state_type", "X, secret"),
        ("type", "X"),
        ("type", "maybe X"),
        ("maps", "X, X -> X"),
        ("expr", "count(g in X where a)"),
        ("expr", "X.a"),
        ("state_owner", "each X"),
        ("event", "after move of X"),
        ("signature", "f(a in X)"),
        ("option", "f(a in X where b)"),
    ],
}
UNUSUAL = {
    ("top", "show X"),
    ("up", "deal X from X to X"),
    ("best", "sum(X.a for X in d where X.b)"),
}
"""Uses in which a free word means its own: nobody gives a name like that to such a thing."""


@pytest.mark.parametrize("what", USES)
@pytest.mark.parametrize("word", table.keywords())
def test_a_word_is_reserved_or_a_name_like_any_other(what: str, word: str) -> None:
    reserved = RESERVED_FOR_KINDS if what in ("a kind", "a procedure") else frozenset()
    if word in RESERVED | reserved:
        return
    for start, pattern in USES[what]:
        if (word, pattern) in UNUSUAL:
            continue
        problems = Problems()
        assert parse(start, text_of(pattern.replace("X", word)), problems), (start, pattern)


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_reserved_words_are_refused_as_names(word: str) -> None:
    assert wrong("line", f"let {word} = 1").code in ("reserved-word", "unexpected-word")


@pytest.mark.parametrize("word", table.keywords())
def test_options_have_any_name(word: str) -> None:
    if word != "otherwise":
        option = read("option", f"{word}(n in 1..2)")
        assert isinstance(option, Option)
        assert option.name.text == word


# ---------------------------------------------------------------------- the table


def test_the_saved_table_is_current() -> None:
    assert table.is_current(), "python -m rulesdsl.syntax.table makes it anew"


def test_the_grammar_has_no_conflicts() -> None:
    pytest.importorskip("interegular")
    table.lark_of(strict=True)


def test_every_start_has_a_name() -> None:
    assert set(CALLED) == set(table.STARTS)
