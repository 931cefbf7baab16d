"""Examples of rule files: they hold, they fail in plain words, they are wrong before they run."""

from __future__ import annotations

from textwrap import indent

import pytest

from rulesdsl.check.checker import check_rules
from rulesdsl.check.visibility import check_visibility
from rulesdsl.lab.examples import run_examples
from rulesdsl.lab.planning import check_examples
from rulesdsl.lab.results import Results
from rulesdsl.resources import bundled_games
from rulesdsl.syntax.from_yaml import read_rules
from rulesdsl.text.codes import CODES
from rulesdsl.text.problems import Problem, Problems
from rulesdsl.text.source import Source
from tests.bundled import read

TOY = """\
rules: 1
game: toy
title: Toy
players: 2..3
about: Goods are bought, hidden and compared.

sources:
  book: {title: The book, sections: ["1", "2", "3"]}

options:
  rich: {type: bool, default: false}
  goal: {type: 1..9, default: if rich then 9 else 3}

kinds:
  Good:
    columns: {price: 1..5, copies: 0..6}
    rows: {wine: [2, 4], wood: [3, 3], grain: [1, 6]}
  Token:
    rows: [red, blue]

tables:
  tax:
    maps: 0..6 -> 0..9
    rows: {0: 0, 1: 1, 2..3: 3, 4+: 6}

state:
  shared:
    stock: bag of Good, hidden, starts with copies
    used: bag of Good
    row: {type: pile of Good, notes: {told: 0..9}}
    chosen: slot of Token
    tokens: bag of Token, starts with all
    die: 1..6
    taken: maybe Good
    named: Player, spoken
  each player:
    money: 0..40, secret, starts at 10
    points: -9..99
    hand: bag of Good, secret, size seen
  each Good:
    demand: 0..9

define:
  worth(p in players): sum(g.price for g in p.hand)
  dearest: best g in kinds of used by g.price then first else wine

procedures:
  deal_cards(p in players):
    cite: book 1
    do:
      - deal 2 from stock to p.hand
  buy(p in players):
    cite: book 2
    do:
      - p chooses:
          pass: nothing
          buy(g in kinds of stock_seen, number in 1..2):
            cite: book 3
            where: p.money >= g.price * number
            do:
              - p.money -= g.price * number
              - p.points += number
  lose(p in players):
    - p.points -= 5
  both:
    - together p in players:
        - p chooses:
            spend(n in 0..min(3, p.money)): p.money -= n
  take:
    - roll die
    - deal 1 from stock to used
    - taken = dearest
    - named = seat 1
  wins_now(p in players):
    - p wins

flow:
  - for p in players: deal_cards(p)
  - for p in players: buy(p)
  - both
  - take
  - if used[wine] > 2: move wine from used to row, noting told = 2
  - for p in players: lose(p)
  - for p in players: p.points += tax[min(6, p.points + worth(p) + goal + demand[wine])], seen
  - wins_now(left of (first p in players where true else seat 1))

result:
  for p in players:
    out: p.money == 0
    highest: [p.points, worth(p)]

invariants:
  tokens stay: tokens[red] + tokens[blue] + size of chosen == 2
  the row ends: size of row <= 13

examples:
""".replace("stock_seen", "used")


def with_examples(text: str) -> tuple[Results, list[Problem]]:
    """The toy with an example: what came of running it, and what is wrong with it."""
    source = Source("toy.yaml", TOY + indent(text, "  "))
    problems = Problems()
    tree = read_rules(source, problems)
    model = None if tree is None else check_rules(tree, problems)
    if tree is None or model is None:
        return Results(), list(problems)
    check_visibility(model, problems)
    results = run_examples(model, tree, problems)
    only_checked = Problems()
    check_examples(model, tree, only_checked)
    assert list(only_checked) == list(problems)
    return results, list(problems)


EXAMPLE = """\
- example: one
  cite: book 1
  players: [A, B]
"""


def example(text: str) -> str:
    return EXAMPLE + indent(text, "  ")


@pytest.mark.parametrize("name", sorted(bundled_games()))
def test_bundled_examples_hold(name: str) -> None:
    game = read(bundled_games()[name])
    problems = Problems()
    results = run_examples(game.model, game.tree, problems)
    assert [f"{failure.span}: {failure.note}" for failure in results.failures] == []
    assert list(problems) == []
    assert results.examples + results.on_purpose == len(game.tree.examples)
    assert results.checks >= results.examples


# ------------------------------------------------------------------ examples that hold

HOLDING = {
    "values, tables and definitions": """
        given:
          A.hand: [2 wine, wood]
          demand[grain]: 4
          taken: wood
        expect:
          worth(A): 7
          tax[5]: 6
          goal: 3
          demand[grain]: 4
          taken: wood
          size of stock: 10
    """,
    "what is not given is where it starts": """
        given: {used: the rest, stock: [wine]}
        expect: {used: [3 wine, 3 wood, 6 grain], stock: [wine], tokens: [red, blue], chosen: none}
    """,
    "a component and the rest": """
        given: {row: [wood, the rest], stock: [2 wine]}
        expect: {size of row: 11, stock: [2 wine]}
    """,
    "piles have an order": """
        given: {row: [wood, wine, wood]}
        expect: {row: [wood, wine, wood]}
    """,
    "slots": """
        given: {chosen: red}
        play:
          - expect: {chosen: red, tokens: [blue]}
          - lose(A)
        change: {A.points: -5, size of tokens: 0}
    """,
    "options and their defaults": """
        options: {rich: true}
        expect: {goal: 9}
    """,
    "chance as it is written down": """
        play:
          - deal_cards(A)
          - dealt to A.hand: [wine, grain]
          - take
          - dealt to used: [wood]
          - rolled die: 5
          - B sees: {A.hand: [2 unseen], A.money: unseen, size of A.hand: 2, stock: [10 unseen]}
          - A sees: {A.hand: [wine, grain], A.money: 10, taken: wood, B.hand: nothing}
          - A sees: {B.money: unseen, B.hand: [0 unseen], stock: unseen}
        expect: {die: 5, taken: wood, used: [wood], A.hand: [grain, wine]}
    """,
    "moves": """
        given: {used: [wine, grain], A.money: 3}
        play:
          - buy(A)
          - legal for A: [pass, "buy wine, number 1", "buy grain, number 1..2"]
          - legal for A: 4 moves
          - legal for B: []
          - illegal: A buy wine, number 2
            because: book 3
          - illegal: A spend 1
            because: book 2
          - illegal: B pass
            because: book 2
          - illegal: A buy wood, number 1
          - A buy grain, number 2
        change: {A.money: -2, A.points: 2}
    """,
    "cases": """
        cases: {spent: [1, 3], left: [9, 7], what: [wine, wood], who: [A, B]}
        given: {who.hand: [what]}
        play:
          - both
          - who spend spent
          - stop
        expect: {who.money: left, who.hand: [what]}
        change: {who.money: -spent}
    """,
    "cases of components": """
        cases: {some: [[wine], [2 grain], []], number: [1, 2, 0]}
        given: {A.hand: some}
        expect: {A.hand: some, size of A.hand: number}
    """,
    "several runs": """
        play:
          - both
          - A spend 1
          - B spend 2
          - both
          - A spend 3
          - expect: {A.money: 6, B.money: 8}
          - stop
        change: {A.money: -4}
    """,
    "the end": """
        given: {A.points: 5, B.points: 7}
        play:
          - ranking: [B, A]
          - winners: [B]
          - wins_now(A)
          - winners: [A]
        expect: {ranking: [A, B], winners: [A]}
    """,
    "nobody is left": """
        given: {A.money: 0, B.money: 0}
        expect: {winners: []}
    """,
}


@pytest.mark.parametrize("name", HOLDING)
def test_it_holds(name: str) -> None:
    results, problems = with_examples(example(_text(HOLDING[name])))
    assert problems == []
    assert [failure.note for failure in results.failures] == []
    assert results.checks > 0


def _text(block: str) -> str:
    lines = block.strip("\n").splitlines()
    return "".join(line[8:] + "\n" for line in lines if line.strip())


# ------------------------------------------------------------------ examples that fail

FAILING = {
    "a value": (
        "expect: {A.money: 9, size of stock: 12}",
        ["A.money   expected 9, got 10", "size of stock   expected 12, got 13"],
    ),
    "a truth and a member": (
        "expect: {taken: wine, dearest: wood}",
        ["taken   expected wine, got none", "dearest   expected wood, got wine"],
    ),
    "a change": (
        """
        play:
          - deal_cards(A)
        change: {size of A.hand: 1, A.money: -1}
        """,
        [
            "size of A.hand   expected by +1, got by +2",
            "A.money   expected by -1, got by +0",
        ],
    ),
    "components": (
        """
        given: {A.hand: [2 wine, wood], row: [wine, wood]}
        expect: {A.hand: [wine, wood], B.hand: wood, row: [wood, wine], chosen: red}
        """,
        [
            "A.hand   expected wine, wood, got 2 wine, wood",
            "B.hand   expected wood, got nothing",
            "row   expected wood, wine, got wine, wood",
            "chosen   expected red, got nothing",
        ],
    ),
    "a move that is not legal": (
        """
        given: {used: [wood], A.money: 1}
        play:
          - buy(A)
          - A buy wood, number 1
          - expect: {A.money: 5}
        """,
        ["'buy wood, number 1' is not possible: p.money >= g.price * number does not hold"],
    ),
    "a move of somebody else": (
        """
        play:
          - buy(A)
          - B pass
        expect: {A.points: 0}
        """,
        ["B may not act now; it is for A to act"],
    ),
    "legal moves": (
        """
        given: {used: [wine, wood]}
        play:
          - buy(A)
          - legal for A: [pass, "buy wine, number 2"]
          - legal for A: [pass, "buy wine, number 1..2", "buy grain, number 1"]
          - legal for A: 6 moves
          - legal for B: [pass]
          - stop
        """,
        [
            "legal for A   legal too: buy wine, number 1, buy wood, number 1, buy wood, number 2",
            "'buy grain, number 1' is not possible: g cannot be grain here",
            "legal for A   legal too: buy wood, number 1, buy wood, number 2",
            "legal for A   expected 6 moves, got 5",
            "B may not act now; it is for A to act",
        ],
    ),
    "illegal moves": (
        """
        given: {used: [wine]}
        play:
          - buy(A)
          - illegal: A pass
          - illegal: A buy wine, number 9
            because: book 2
          - stop
        """,
        [
            "pass is legal here",
            "because   'buy wine, number 9' is not possible: number is from 1 to 2   "
            "expected book 2, got book 3",
        ],
    ),
    "what is seen": (
        """
        given: {A.hand: [wine], used: [wood]}
        play:
          - A sees: {A.hand: unseen, A.money: 11, B.hand: [1 unseen], used: [wine]}
          - B sees: {A.hand: [wine], A.money: 10, size of A.hand: 2, A.points: unseen}
          - B sees: {size of used: unseen}
        """,
        [
            "A sees A.hand   expected unseen, got wine",
            "A sees A.money   expected 11, got 10",
            "A sees B.hand   expected unseen, got nothing",
            "A sees used   expected wine, got wood",
            "B sees A.hand   expected wine, got unseen",
            "B sees A.money   expected 10, got unseen",
            "B sees size of A.hand   expected 2, got 1",
            "B sees A.points   expected unseen, got 0",
            "B sees size of used   expected unseen, got 1",
        ],
    ),
    "a draw that cannot come": (
        """
        given: {stock: [3 grain, wood], used: the rest}
        play:
          - deal_cards(A)
          - dealt to A.hand: [wood, wood]
        expect: {size of A.hand: 2}
        """,
        ["no wood can be dealt here: stock holds none that may come"],
    ),
    "a draw that never comes": (
        """
        play:
          - deal_cards(A)
          - dealt to A.hand: [wood, wood, wine]
        expect: {size of A.hand: 2}
        """,
        ["this never came: nothing more was dealt here"],
    ),
    "what was begun is not done": (
        """
        play:
          - both
          - A spend 1
        expect: {A.money: 9}
        """,
        ["the example ends while B has to choose; `stop` leaves it there"],
    ),
    "what was begun is not done when more begins": (
        """
        play:
          - both
          - A spend 1
          - both
        expect: {A.money: 9}
        """,
        ["this does not begin while B has to choose"],
    ),
    "the game is over": (
        """
        play:
          - wins_now(A)
          - both
        expect: {winners: [A]}
        """,
        ["the game is over, so this does not begin"],
    ),
    "ranking": (
        """
        given: {A.points: 5}
        expect: {ranking: [B, A], winners: [B]}
        """,
        ["ranking   expected B, A, got A, B", "winners   expected B, got A"],
    ),
    "equal players have no order": (
        "expect: {ranking: [A, B]}",
        ["ranking   expected A, B, got A and B"],
    ),
    "the game is not over": (
        """
        play:
          - both
          - winners: [A]
          - stop
        """,
        ["the game is not over"],
    ),
    "the rules fail": (
        """
        given: {A.points: -9}
        play:
          - lose(A)
        expect: {A.points: -9}
        """,
        [
            "the rules fail here: toy.yaml:64:7: range: the value is out of its range: "
            "it would become -14, outside -9..99 (in lose)"
        ],
    ),
    "a case": (
        """
        cases: {n: [1, 2], m: [9, 9]}
        play:
          - both
          - A spend n
          - stop
        expect: {A.money: m}
        """,
        ["A.money   expected 9, got 8   (where n 2, m 9)"],
    ),
}


@pytest.mark.parametrize("name", FAILING)
def test_it_fails_in_these_words(name: str) -> None:
    text, notes = FAILING[name]
    text = _text(text) if "\n" in text else text + "\n"
    results, problems = with_examples(example(text))
    assert problems == []
    assert [failure.note for failure in results.failures] == notes
    assert results.failed == 1
    for failure in results.failures:
        assert failure.example == "one"
        assert failure.span.source.name == "toy.yaml"
        assert TOY.count("\n") < failure.span.line


# ------------------------------------------------------------------ examples that are wrong

WRONG = {
    "checks-nothing": [("given: {A.money: 1}", "one", "this example checks nothing")],
    "wrong-setting": [
        ("players: [A, C]", "C", "the seats are A, B, C, in this order; here sits B"),
        ("players: [A]", "A", "Toy is for 2 to 3 players; here are 1"),
    ],
    "unknown-name": [
        ("options: {reich: true}", "reich", "there is no option reich"),
        ("expect: {A.mony: 1}", "mony", "a player has no mony"),
        ("expect: {A.points: 0, used: [vine]}", "vine", "used holds no vine"),
        ("given: {used: [vine]}", "vine", "used holds no vine"),
        ("play: [D buy wine]", "D", "nobody of the name D plays here"),
        ("play: [A bui wine]", "bui", "there is no option bui in this game"),
        ("play: [A buy vine]", "vine", "nothing in a move buy is called vine"),
        ("play: [bothh]", "bothh", ""),
        ("play: [{C sees: {A.money: 1}}]", "C", "nobody of the name C plays here"),
        ("play: [both, {ranking: [A, C]}]", "C", "nobody of the name C plays here"),
        ("play: [{legal for A: [pass, pas]}]", "pas", "there is no option pas in this game"),
    ],
    "unknown-cite": [
        ("play: [{illegal: A pass, because: book 4}]", "4", "book has no section 4"),
    ],
    "out-of-range": [
        ("expect: {A.money: 41}", "41", ""),
        ("given: {A.money: 41}", "41", ""),
        ("options: {goal: 10}", "10", ""),
    ],
    "wrong-type": [
        ("options: {rich: 1}", "1", "this is a number; true or false is wanted here"),
        ("expect: {used: 2}", "2", "components of used are wanted here"),
        ("expect: {A.money: wine}", "wine", ""),
        ("change: {taken: 1}", "taken", "only numbers change by something"),
        ("change: {used: 1}", "used", ""),
        ("change: {row.told: [1]}", "row.told", "only numbers change by something"),
        ("expect: {row.told: 3}", "3", "a list is wanted here"),
        ("expect: {used: [3]}", "[3]", "components of used are wanted here"),
    ],
    "not-constant": [
        ("given: {A.money: B.money}", "B.money", "this is not known before the game"),
    ],
    "not-given": [
        ("given: {worth(A): 2}", "worth(A)", ""),
        ("given: {size of used: 2}", "size of used", ""),
        ("given: {row: [wine], row.told: [3, 4]}", "row.told", "notes for 2 components; 1 lie"),
    ],
    "not-seen": [
        ("play: [{A sees: {goal: 3}}]", "goal", ""),
    ],
    "not-a-place": [
        ("expect: {A.money: [wine]}", "A.money", "this is no place, so no components lie there"),
        ("given: {A.money: [wine]}", "A.money", "this is no place, so no components lie there"),
    ],
    "not-a-die": [
        ("play: [take, {rolled goal: 3}]", "goal", "what is rolled is a number of the state"),
    ],
    "too-many-components": [
        ("given: {A.hand: [3 wine], B.hand: [2 wine]}", "2 wine", ""),
    ],
    "components-left": [
        ("given: {stock: [3 wine]}", "stock", "what else starts here lies nowhere now: "),
    ],
    "slot-full": [
        ("given: {chosen: [red, blue]}", "chosen", "chosen has room for one component"),
    ],
    "after-stop": [
        ("play: [both, stop, A spend 1]", "A spend 1", "after `stop` nothing is played"),
    ],
    "spoken-read": [
        ("play: [deal_cards(named)]", "named", "named is spoken"),
    ],
    "dealt-late": [
        ("play: [take, {legal for A: []}, {rolled die: 3}]", "rolled die", ""),
    ],
    "empty-range": [
        ("play: [both, {legal for A: [spend 3..1]}]", "spend 3..1", "this range is empty"),
    ],
    "wrong-shape": [
        ("play: [both, A spend 1..2]", "spend 1..2", "this stands for several moves"),
    ],
}


@pytest.mark.parametrize(
    ("code", "text", "where", "note"),
    [(code, *one) for code, ones in WRONG.items() for one in ones],
)
def test_it_is_told_before_it_runs(code: str, text: str, where: str, note: str) -> None:
    if text.startswith("players"):
        whole = f"- example: one\n  {text}\n  expect: {{A.points: 0}}\n"
    elif "expect:" in text or code == "checks-nothing":
        whole = example(text + "\n")
    else:
        whole = example(f"{text}\nexpect: {{A.points: 0}}\n")
    results, problems = with_examples(whole)
    assert [problem.code for problem in problems] == [code]
    assert code in CODES
    assert problems[0].span.text == where
    assert note in problems[0].note
    assert results.failures == []
