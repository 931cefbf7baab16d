"""Whole files: every section, and what is told of files that are built wrongly."""

from __future__ import annotations

import pytest

from rulesdsl.resources import bundled_games
from rulesdsl.syntax.from_yaml import read_rules
from rulesdsl.syntax.tree import (
    Amount,
    Award,
    BagCell,
    Body,
    Chooses,
    CiteHere,
    Depending,
    Do,
    EveryTwo,
    For,
    IfStep,
    Int,
    Links,
    Name,
    Part,
    PlayDealt,
    PlayDo,
    PlayExpect,
    PlayIllegal,
    PlayLegal,
    PlayMove,
    PlayRanking,
    PlaySees,
    PlayStop,
    RuleFile,
    Slot,
    WordsType,
)
from rulesdsl.text.files import read_source
from rulesdsl.text.limits import PROBLEMS
from rulesdsl.text.problems import Problems
from rulesdsl.text.source import Source

WHOLE = """\
rules: 1
game: small_game
title: Small Game
players: 2..4
about: >-
  A game of two
  lines.
sources:
  book: {title: The Book, sections: [A, B.1]}
  rulings:
    bid-order: the left one first
options:
  limit: {type: 0..9, default: if fast then 3 else 5, about: how many, cite: ruling bid-order}
  kind_of_play: {type: [slow, quick], default: slow}
kinds:
  Coin: 0..20
  Good:
    columns: {worth: 1..9, copies: 1..3}
    rows: {silk: [3, 1], iron: [1, 2]}
  Mark: {rows: [red, blue]}
  Blend: every two of Good
  Road: {links: Good, rows: {silk: iron}}
  Item: {includes: [Good, Mark], order: ring, rows: [box]}
  Square: {made of: {file: Mark, rank: 1..3}}
  Chest:
    columns: {holds: bag of Item, worth: 1..9}
    rows: {old: [[silk, silk, box], 3], new: [[], 1], small: [red, 2]}
tables:
  price:
    maps: 1..9 -> 0..9
    rows: {1: 3, 2..4: 2, 5+: 1}
  value:
    maps: Mark, Good -> 0..5
    columns: [silk, iron]
    rows: {red: [1, 2], else: [0, 0]}
state:
  shared:
    cite: book A
    deck: bag of Good, hidden, starts with copies
    row:
      about: what is for sale
      type: pile of Good
      notes: {asked: 0..9}
      cite: book B.1
  each player:
    money: Coin, secret, starts at limit
  each Good:
    here: bool
define:
  pot: sum(p.money for p in players)
  worth_of(p in players, g in Good):
    is: p.money + g.worth
    cite: [book A, book B.1]
    about: what it is worth
procedures:
  pay(p in players):
    where: p.money > 0
    state: {paid: 0..3}
    do:
      - p.money -= 1
  stay: nothing
setup:
  cite: book A
  do: shuffle deck
flow:
  - cite: [book A, ruling bid-order]
  - for round in 1..2: main
  - if pot > 3: end game
    elif pot > 2, seen:
      - nobody wins
      - stay
    else: nothing
phases:
  main:
    - for p in players:
        - p chooses:
            pass: nothing
            bid(n in 1..3 where n < 3) where p.money > 0:
              where: [n < p.money, true]
              do: p.money -= n
              about: offers more
              cite: book A
            otherwise: nothing
    - depending on pot:
        1: nothing
        2..4: nothing
        else: nothing
    - award money to p in players where p.money > 1:
        by: p.money
        prizes: [3, 2]
        ties: split rounded down
triggers:
  after change of p.money where p.money > 3:
    - stay
  when deck is empty:
    cite: book A
    do: end game
result:
  cite: book B.1
  for p in players:
    out: p.money == 0
    score: {coins: p.money, goods: 1}
    highest: [p.money]
invariants:
  nobody owes: all(p.money >= 0 for p in players)
measures:
  left(p in players): {is: p.money, about: kept}
  rest: size of deck
texts:
  head: Small {limit}
  names: {silk: fine silk}
  prompts: {bid: how many}
  moves:
    main / bid: "{n} [and {change of p.money}[, {+p.money}]] {{plain}}"
  lines:
    main: {before: Round, after: over}
    pay: paid
examples:
  - example: one coin
    cite: book A
    players: [A, B]
    options: {limit: 4}
    cases: {bids: [1, 2], left: [3, 2]}
    given: {A.money: 3, deck: [2 iron, silk], B.money: the rest}
    play:
      - main
      - pay(A)
      - A bid bids
      - expect: {A.money: left}
      - legal for B: [pass, bid 1..2]
      - legal for A: 3 moves
      - illegal: B bid 3
        because: ruling bid-order
      - B sees: {A.money: unseen}
      - dealt to deck: silk
      - rolled pot: 3
      - winners: []
      - ranking: [B, A]
      - stop
    expect: {size of deck: 3}
    change: {A.money: -1}
"""


def read(text: str) -> RuleFile:
    problems = Problems()
    rules = read_rules(Source("test.yaml", text), problems)
    problems.check()
    assert rules is not None
    return rules


@pytest.fixture(scope="module")
def whole() -> RuleFile:
    return read(WHOLE)


# ---------------------------------------------------------------------- sections


def test_head(whole: RuleFile) -> None:
    assert whole.game.text == "small_game"
    assert whole.title == "Small Game"
    assert whole.about == "A game of two lines."
    assert whole.players == (2, 4)
    book, rulings = whole.sources
    assert [word.text for word in book.sections] == ["A", "B.1"]
    assert [(word.text, text) for word, text in rulings.texts] == [
        ("bid-order", "the left one first")
    ]


def test_seats_may_be_named() -> None:
    rules = read("rules: 1\ngame: g\nplayers: [white, black]\nflow: nothing\n")
    assert [word.text for word in rules.seat_names] == ["white", "black"]
    assert rules.players == (2, 2)
    assert rules.flow.steps == ()
    assert rules.title == "G"


def test_options_kinds_tables(whole: RuleFile) -> None:
    limit, kind = whole.options
    assert (limit.about, limit.cites[0].source, limit.cites[0].section) == (
        "how many",
        "ruling",
        "bid-order",
    )
    assert isinstance(kind.type, WordsType)
    coin, good, mark, blend, road, item, square, chest = whole.kinds
    assert coin.range is not None
    assert [name.text for name, _ in good.columns] == ["worth", "copies"]
    assert [(name.text, len(cells)) for name, cells in good.rows] == [("silk", 2), ("iron", 2)]
    assert [(name.text, cells) for name, cells in mark.rows] == [("red", ()), ("blue", ())]
    assert isinstance(blend.joins, EveryTwo)
    assert blend.joins.kind.text == "Good"
    assert isinstance(road.joins, Links)
    ((first, others),) = road.joins.rows
    assert (road.joins.kind.text, first.text, others[0].text) == ("Good", "silk", "iron")
    assert ([word.text for word in item.includes], item.ring) == (["Good", "Mark"], True)
    assert square.made is not None
    assert [word.text for word, _ in square.made.parts] == ["file", "rank"]
    bags = [cells[0] for _, cells in chest.rows]
    assert [len(bag.items) for bag in bags if isinstance(bag, BagCell)] == [3, 0, 1]
    price, value = whole.tables
    assert [(row.low, row.high, row.open) for row, _ in price.rows] == [
        (1, 1, False),
        (2, 4, False),
        (5, None, True),
    ]
    assert [column.word for column in value.columns] == ["silk", "iron"]
    assert value.rows[1][0].is_else


def test_state_definitions_procedures(whole: RuleFile) -> None:
    assert [(s.owner.per.text, s.name.text, len(s.cites)) for s in whole.state] == [
        ("shared", "deck", 1),
        ("shared", "row", 1),
        ("player", "money", 0),
        ("Good", "here", 0),
    ]
    (row,) = (s for s in whole.state if s.name.text == "row")
    assert [name.text for name, _ in row.notes] == ["asked"]
    assert (row.about, row.cites[0].section) == ("what is for sale", "B.1")
    pot, worth = whole.defines
    assert (pot.signature.formals, len(worth.cites), worth.about) == ((), 2, "what it is worth")
    pay, stay = whole.procedures
    assert (len(pay.where), len(pay.state), len(pay.body.steps)) == (1, 1, 1)
    assert stay.body.steps == ()
    assert whole.setup is not None
    assert len(whole.setup.body.steps) == 1


def test_flow_and_phases(whole: RuleFile) -> None:
    match whole.flow:
        case Body(
            steps=(
                CiteHere(cites=(_, _)),
                For(body=Body(steps=(Do(),))),
                IfStep(branches=(first, second, third)),
            )
        ):
            assert (len(first.body.steps), len(second.body.steps), third.body.steps) == (1, 2, ())
            assert second.seen
            assert third.condition is None
        case other:
            pytest.fail(str(other))
    (main,) = whole.phases
    match main.body.steps:
        case (
            For(body=Body(steps=(Chooses(options=(pass_, bid), otherwise=Body(steps=())),))),
            Depending(cases=(_, _, _)),
            Award(prizes=(_, _), ties="split rounded down"),
        ):
            assert pass_.body.steps == ()
            assert (len(bid.where), bid.about, len(bid.cites), len(bid.body.steps)) == (
                3,
                "offers more",
                1,
                1,
            )
        case steps:
            pytest.fail(str(steps))


def test_triggers_result_invariants(whole: RuleFile) -> None:
    assert [len(trigger.cites) for trigger in whole.triggers] == [0, 1]
    assert whole.result is not None
    assert [term.name.text for term in whole.result.score] == ["coins", "goods"]
    assert [invariant.name.text for invariant in whole.invariants] == ["nobody owes"]
    left, rest = whole.measures
    assert (left.signature.name.text, len(left.signature.formals), left.about) == (
        "left",
        1,
        "kept",
    )
    assert (rest.signature.name.text, rest.signature.formals, rest.about) == ("rest", (), "")


def test_texts(whole: RuleFile) -> None:
    entries = {(e.section, *(word.text for word in e.path)): e.template for e in whole.texts}
    assert list(entries) == [
        ("head",),
        ("names", "silk"),
        ("prompts", "bid"),
        ("moves", "main", "bid"),
        ("lines", "main", "before"),
        ("lines", "main", "after"),
        ("lines", "pay"),
    ]
    match entries["moves", "main", "bid"].pieces:
        case (
            Slot(form="", value=Name(text="n")),
            " ",
            Part(pieces=("and ", Slot(form="change"), Part(pieces=(", ", Slot(form="+"))))),
            " {plain}",
        ):
            pass
        case other:
            pytest.fail(str(other))


def test_examples(whole: RuleFile) -> None:
    (example,) = whole.examples
    assert [word.text for word, _ in example.options] == ["limit"]
    assert [(word.text, len(values)) for word, values in example.cases] == [
        ("bids", 2),
        ("left", 2),
    ]
    match [pair.value for pair in example.given]:
        case [Int(value=3), Amount(components=(first, second)), Amount(components=(rest,))]:
            assert (first.name.text, second.count, rest.name.text) == ("iron", None, "the rest")
        case other:
            pytest.fail(str(other))
    kinds = [type(step) for step in example.play]
    assert kinds == [
        PlayDo,
        PlayDo,
        PlayMove,
        PlayExpect,
        PlayLegal,
        PlayLegal,
        PlayIllegal,
        PlaySees,
        PlayDealt,
        PlayDealt,
        PlayRanking,
        PlayRanking,
        PlayStop,
        PlayExpect,
        PlayExpect,
    ]
    move = example.play[2]
    assert isinstance(move, PlayMove)
    assert (move.seat.text, move.move.text) == ("A", "bid bids")
    legal, count, illegal = example.play[4:7]
    assert isinstance(legal, PlayLegal)
    assert [word.text for word in legal.moves] == ["pass", "bid 1..2"]
    assert isinstance(count, PlayLegal)
    assert count.count == 3
    assert isinstance(illegal, PlayIllegal)
    assert illegal.because is not None
    assert illegal.because.section == "bid-order"


@pytest.mark.parametrize("name", sorted(bundled_games()))
def test_bundled_games_are_read(name: str) -> None:
    problems = Problems()
    read_rules(read_source(bundled_games()[name]), problems)
    problems.check()


# ---------------------------------------------------------------------- what is told

HEAD = "rules: 1\ngame: g\nplayers: 2\n"


def told(text: str) -> list[tuple[str, str]]:
    """The code and the underlined text (its first line) of every problem."""
    problems = Problems()
    read_rules(Source("test.yaml", text), problems)
    for problem in problems:
        assert problem.note
        assert 0 <= problem.span.start <= problem.span.end <= len(text)
    return [(problem.code, problem.span.text.partition("\n")[0]) for problem in problems]


def in_flow(steps: str) -> list[tuple[str, str]]:
    return told(f"{HEAD}flow:\n{steps}")


@pytest.mark.parametrize(
    ("steps", "problems"),
    [
        ("  - for p in players:\n  - a\n", [("empty-body", "for p in players")]),
        ("  - if a: b\n  - else:\n      - c\n", [("else-without-if", "else")]),
        ("  - if a: b\n  - else\n", [("else-without-if", "else")]),
        (
            "  - if a: b\n    else: c\n    elif d: e\n",
            [("branch-after-else", "elif d")],
        ),
        ("  - elif a: b\n", [("else-without-if", "elif a")]),
        (
            "  - for p in players: a\n    for q in players: b\n",
            [("step-without-dash", "for q in players")],
        ),
        ("  - if a: b\n    repeat 3: c\n", [("step-without-dash", "repeat 3")]),
        ("  for p in players: a\n", [("step-without-dash", "for p in players")]),
        ("  - repeat 2:\n      repeat 3: a\n", [("step-without-dash", "repeat 3")]),
        ("  - - a\n", [("list-in-list", "- a")]),
        ("  -\n  - a\n", [("empty-item", "")]),
        ("  - nothing\n  - a\n", [("nothing-among-steps", "nothing")]),
        ("  - for p in players\n", [("header-without-colon", "for p in players")]),
        ("  - deal 1 from a to b: c\n", [("line-with-colon", "deal 1 from a to b")]),
        ("  - p chooses: pass\n", [("wrong-shape", "pass")]),
        ("  - p chooses:\n      pass:\n      bid: a\n", [("empty-body", "pass")]),
        (
            "  - p chooses:\n      bid(n in 1..2):\n        were: a\n        do: b\n",
            [("unknown-key", "were")],
        ),
        (
            "  - p chooses:\n      bid(n in 1..2):\n        where: a\n",
            [("missing-key", "where: a")],
        ),
        ("  - p choses:\n      bid(n in 1 to 2): a\n", [("unknown-word", "choses")]),
        (
            "  - award points to p in players:\n      by: 1\n      prizes: [1]\n",
            [("missing-key", "by: 1")],
        ),
        ("  - depending on a:\n      olive-oil: b\n", [("hyphen-in-name", "olive-oil")]),
        (
            "  - x = 1\n  - y == 2\n  - z = = 3\n",
            [("comparison-as-line", "=="), ("unexpected-word", "=")],
        ),
        (
            "  - p secretly:\n      - cite: book\n      - x = 1.5\n",
            [("incomplete-cite", "book"), ("decimal-number", "1.5")],
        ),
        ("  - x = a\n    - b\n", [("joined-lines", "- b")]),
        ("  - if a: [pay(p, q), b]\n", [("text-cut", "[pay(p, q), b]")]),
    ],
)
def test_steps_that_are_built_wrongly(steps: str, problems: list[tuple[str, str]]) -> None:
    assert in_flow(steps) == problems


@pytest.mark.parametrize(
    ("sections", "problems"),
    [
        ("phasess:\n  a: b\n", [("unknown-key", "phasess")]),
        ("phases: [a, b]\n", [("wrong-shape", "[a, b]")]),
        ("phases:\n", [("empty-section", "")]),
        ("phases:\n  a-b: nothing\n", [("no-name", "a-b")]),
        ("phases:\n  for: nothing\n", [("reserved-word", "for")]),
        ("phases:\n  a:\n    steps: b\n", [("unknown-key", "steps"), ("missing-key", "steps: b")]),
        ("kinds:\n  Suit: [a, b]\n", [("wrong-shape", "[a, b]")]),
        ("kinds:\n  bag: {rows: [a]}\n", [("reserved-word", "bag")]),
        ("kinds:\n  K: {columns: {a: 0..1}, rows: {x: [1, 2]}}\n", [("row-length", "[1, 2]")]),
        ("kinds:\n  K: {columns: {a: 0..1}, rows: [x]}\n", [("row-length", "x")]),
        ("tables:\n  t: {maps: 1..2 -> 0..1, rows: {1: 0, 2-3: 1}}\n", [("range", "-")]),
        ("tables:\n  t: {rows: {1: 0}}\n", [("missing-key", "{rows: {1: 0}}")]),
        ("options:\n  o: {type: bool, defualt: true}\n", [("unknown-key", "defualt")]),
        ("options:\n  o: bool\n", [("wrong-shape", "bool")]),
        ("state:\n  all: {a: 0..1}\n", [("unknown-key", "all")]),
        ("state:\n  shared: {a: bag Good}\n", [("missing-word", "Good")]),
        ("define:\n  f(p: Player): 1\n", [("second-colon", ":")]),
        ("define:\n  f: {is: 1, cites: book A}\n", [("unknown-key", "cites")]),
        ("result: {highest: p.points}\n", [("unknown-key", "highest")]),
        ("result:\n  for p in players: {out: a}\n", [("missing-key", "for p in players")]),
        ("result:\n  for p in players: {payoff: a, highest: b}\n", [("two-results", "payoff")]),
        ("invariants:\n  - a: b\n", [("wrong-shape", "- a: b")]),
        ("triggers:\n  after moves of Card: a\n", [("unknown-word", "moves")]),
        ("texts:\n  moves: {a: 'x {y'}\n", [("open-slot", "{y")]),
        ("texts:\n  moves: {a: 'x [y'}\n", [("open-part", "[")]),
        ("texts:\n  moves: {a: 'x ] y'}\n", [("stray-bracket", "]")]),
        ("texts:\n  moves: {a: '[a [b [c [d [e]]]]]'}\n", [("deep-part", "[")]),
        ("texts:\n  moves: {a: 'x {1 = y}'}\n", [("equals-in-condition", "=")]),
        ("texts:\n  lines: {a: {befor: x}}\n", [("unknown-key", "befor")]),
        ("sources:\n  book: {sections: A}\n", [("wrong-shape", "A")]),
        ("examples: none\n", [("wrong-shape", "none")]),
    ],
)
def test_sections_that_are_built_wrongly(sections: str, problems: list[tuple[str, str]]) -> None:
    assert told(f"{HEAD}flow: a\n{sections}") == problems


@pytest.mark.parametrize(
    ("example", "problems"),
    [
        ("players: [A]\n", [("missing-key", "players: [A]")]),
        ("example: x\n", [("missing-key", "example: x")]),
        ("example: x\nplayers: [A]\nexpct: {a: 1}\n", [("unknown-key", "expct")]),
        ("example: x\nplayers: [A]\nexpect: {a: +1}\n", [("plus-sign", "+")]),
        ("example: x\nplayers: [A]\nchange: {a: +1}\n", [("plus-sign", "+")]),
        ("example: x\nplayers: [A]\nplay:\n  - illegl: A keep\n", [("unknown-key", "illegl")]),
        ("example: x\nplayers: [A]\nplay:\n  - illegal: keep\n", [("incomplete-move", "keep")]),
        ("example: x\nplayers: [A]\nplay:\n  - because: book A\n", [("because-alone", "because")]),
        ("example: x\nplayers: [A]\nplay:\n  - legal for A: pass\n", [("wrong-shape", "pass")]),
        (
            "example: x\nplayers: [A]\nplay:\n  - stop\n    expect: {a: 1}\n",
            [("step-without-dash", "expect: {a: 1}")],
        ),
        (
            "example: x\nplayers: [A]\nplay:\n  - expect: {a: 1}\n    winners: [A]\n",
            [("step-without-dash", "winners")],
        ),
        ("example: x\nplayers: [A]\ncases: {a: [1, 2], b: [1]}\n", [("uneven-cases", "b")]),
    ],
)
def test_examples_that_are_built_wrongly(example: str, problems: list[tuple[str, str]]) -> None:
    lines = example.rstrip().splitlines()
    item = "\n".join([f"  - {lines[0]}", *(f"    {line}" for line in lines[1:])])
    assert told(f"{HEAD}flow: a\nexamples:\n{item}\n") == problems


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", [("empty-file", "")]),
        ("- a\n", [("no-rule-file", "- a")]),
        ("bots: 1\nfor: ostia\nbot: x\n", [("no-rule-file", "bots")]),
        ("rules: 2\ngame: g\nplayers: 2\nflow: a\n", [("unknown-edition", "2")]),
        ("rules: 1\ngame: g\nplayers: 5..3\nflow: a\n", [("no-players", "5..3")]),
        ("rules: 1\ngame: g\nplayers: 2 to 4\nflow: a\n", [("range", " to ")]),
        ("rules: 1\ngame: my-game\nplayers: 2\nflow: a\n", [("no-name", "my-game")]),
        ("rules: 1\n", [("missing-key", "rules: 1")]),
    ],
)
def test_heads_that_are_built_wrongly(text: str, problems: list[tuple[str, str]]) -> None:
    found = told(text)
    assert found[: len(problems)] == problems


def test_all_independent_problems_are_told_in_file_order() -> None:
    text = WHOLE.replace("book: {title", "book: {titel").replace("do: shuffle", "do: shufle")
    text = text.replace("out: p.money == 0", "out: p.money = 0")
    assert told(text) == [
        ("unknown-key", "titel"),
        ("unknown-word", "shufle"),
        ("equals-in-condition", "="),
    ]


def test_so_much_may_be_wrong_that_nothing_more_is_looked_at() -> None:
    flow = "  - x = = 1\n" * 20_000
    assert len(in_flow(flow)) == PROBLEMS
    assert len(told(HEAD + "flow: a\n" + "".join(f"x{n}: 1\n" for n in range(2_000)))) == PROBLEMS


def test_a_misspelt_key_is_read_on_as_what_was_meant() -> None:
    problems = Problems()
    rules = read_rules(Source("test.yaml", WHOLE.replace("phases:", "phasess:")), problems)
    assert rules is not None
    assert [phase.signature.name.text for phase in rules.phases] == ["main"]
    (problem,) = problems
    assert problem.help == "phases:"


def test_helps_show_the_whole_line() -> None:
    problems = Problems()
    read_rules(Source("test.yaml", f"{HEAD}flow:\n  - if a = 1: b   # why\n"), problems)
    assert [problem.help for problem in problems] == ["- if a == 1: b   # why"]
