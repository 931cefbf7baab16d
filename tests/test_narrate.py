"""Games as they are told: the whole of one, texts and their parts, what one seat is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulesdsl.agents.random import RandomAgent
from rulesdsl.compile import check_source, compile_rules
from rulesdsl.play.ending import ending
from rulesdsl.play.game import Game
from rulesdsl.play.loading import load
from rulesdsl.play.narrate import Narrator
from rulesdsl.play.page import WIDTH, Page
from rulesdsl.play.state import State
from rulesdsl.text.problems import RulesError
from rulesdsl.text.source import Source

GOLDEN = Path(__file__).parent / "golden"


def told(game: Game, seed: int, viewer: int | None = None) -> list[str]:
    """A game of random players, as it is told."""
    lines: list[str] = []
    narrator = Narrator(game.rules, viewer, lines.append)
    state = game.start(seed, [narrator])
    agent = RandomAgent(seed)
    while not state.is_over:
        state.apply(agent.choose(state, state.to_act[0]))
    narrator.finish()
    return [*lines, "", *ending(narrator, list(state.record))]


def test_a_whole_game_of_ostia(pytestconfig: pytest.Config) -> None:
    """Written anew with `pytest --update-golden`; read it before it goes in."""
    text = "\n".join(told(load("ostia", 4), 4)) + "\n"
    file = GOLDEN / "ostia-4-seed4.txt"
    if pytestconfig.getoption("--update-golden"):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["ostia", "kuhn-poker", "nim"])
def test_lines_fit_and_end_without_blanks(name: str) -> None:
    for line in told(load(name), 3):
        assert len(line) <= WIDTH
        assert line == line.rstrip()


# ------------------------------------------------------------------ what one seat is told


@pytest.mark.parametrize("seed", [1, 2])
def test_one_seat_is_told_nothing_of_the_cards_of_others(seed: int) -> None:
    game = load("ostia", 3)
    mine = "\n".join(told(game, seed, viewer=0))
    whole = "\n".join(told(game, seed))
    assert re.search(r"^    B: .* stores \d+ cards?$", mine, re.M)
    assert not re.search(r"^    B: .* stores \d+ cards?$", whole, re.M)
    assert not re.search(r"\b[BC] keeps (ivory|wood|wine|olive oil|textiles|grain)", mine)
    for line in (line for line in mine.splitlines() if line.startswith("  After round")):
        assert len(re.findall(r"\d+ d\b", line)) <= 1, line


SMALL = """
rules: 1
game: small
players: 2
kinds:
  Card: {rows: [ace, king]}
state:
  shared:
    deck: bag of Card, starts with 4 ace and 4 king
    shown: slot of Card
  each player:
    points: 0..90
    purse: 0..90, secret, starts at 5
    hand: bag of Card, secret, size seen
define:
  rounds: 2
procedures:
  act(p in players, price in 0..9):
    - p chooses:
        pass: nothing
        pay(n in 1..min(2, price)):
          - p.points += n
          - fee(p)
  fee(p in players): p.purse -= 1
flow:
  - for p in players:
      - move 2 ace from deck to p.hand
  - for round in 1..rounds:
      - main
phases:
  main:
    - for p in players: act(p, 3)
result:
  for p in players:
    highest: [p.points, p.purse]
invariants:
  nothing is ever shown: shown == none
texts:
  lines:
    act: "{p}: {moves} | {p.points} points"
"""


def small(texts: str, viewer: int | None = None, rules: str = SMALL) -> list[str]:
    """The small game with these texts; each chooses the last of the moves."""
    text = rules[: rules.index("texts:")] + "texts:\n" + texts
    game = Game(compile_rules(Source("small.yaml", text)))
    lines: list[str] = []
    narrator = Narrator(game.rules, viewer, lines.append)
    state = game.start(1, [narrator])
    while not state.is_over:
        state.apply(state.legal_moves(state.to_act[0])[-1])
    narrator.finish()
    return [line.strip() for line in lines if line.strip()]


def test_a_secret_changes_nothing_of_what_another_is_told() -> None:
    texts = '  lines: {act: "{p} {p.purse} {p.hand}[ rich {p.purse - 5}][else: poor] {moves}"}\n'
    cards = SMALL.replace("move 2 ace", "move 2 king")
    rich = SMALL.replace("starts at 5", "starts at 50")
    mine, others, richer = (small(texts, 1, rules) for rules in (SMALL, cards, rich))
    assert mine[2:4] == ["A ? 2 cards A pay 2", "B 4 2 ace rich -1 B pay 2"]
    of_a = [[line for line in lines if line.startswith("A ")] for lines in (mine, others, richer)]
    assert of_a[0] == of_a[1] == of_a[2]


# ------------------------------------------------------------------ texts and their parts


def test_moves_go_into_the_line_of_what_they_are_made_in() -> None:
    lines = small('  lines: {act: "{p}: {moves} | {p.points} points"}\n')
    assert lines[:4] == [
        "Round 1 of 2",
        "Main",
        "A: A pay 2   2 points",
        "B: B pay 2   2 points",
    ]


def test_slots_tell_values_changes_and_what_was() -> None:
    text = "{p} {price} {was p.points} {change of p.points} {+p.points} {change of -p.purse}"
    lines = small(f'  lines: {{act: "{text}"}}\n')
    assert [line for line in lines if line.startswith("A 3")] == ["A 3 0 2 +2 1", "A 3 2 2 +4 1"]


def test_parts_are_left_out_for_nothing_and_for_what_is_not_seen() -> None:
    text = "{p}[ has {p.purse}][ shows {shown}][else: , shows none]"
    assert small(f'  lines: {{act: "{text}"}}\n', viewer=1)[2:4] == [
        "A, shows none",
        "B has 4, shows none",
    ]
    unseen = "{p}[ has {p.purse}][else: is poor]"
    assert small(f'  lines: {{act: "{unseen}"}}\n', viewer=1)[2] == "A"


def test_parts_with_conditions() -> None:
    text = "{p} [if was p.points > 0: again][else: first][if p.purse > 99: rich]"
    lines = small(f'  lines: {{act: "{text}"}}\n')
    assert [line for line in lines if line in ("A first", "A again")] == ["A first", "A again"]


def test_lists_are_ordered_and_joined() -> None:
    text = "[for q in players by q.points with ' > ': {q} {q.points}]"
    lines = small(f'  lines: {{main: "{text}"}}\n')
    assert lines[1] == "Main     A 2 > B 2" or "A 2 > B 2" in lines


def test_what_is_inside_can_be_kept_silent() -> None:
    lines = small("  lines: {act: ''}\n")
    assert not any("pay" in line for line in lines)


def test_a_round_and_a_phase_have_headings() -> None:
    lines = small(
        "  names: {main: the main part}\n"
        "  lines:\n"
        '    round: {before: "R{round}", after: "over: {rounds}"}\n'
        '    main: {before: "with {size of deck} cards"}\n'
        '    act: ""\n'
    )
    assert lines[:3] == ["R1", "The main part with 4 cards", "over: 2"]


def test_the_line_of_a_phase_uses_its_arguments_but_tells_no_secret() -> None:
    rules = SMALL.replace("      - main\n", "      - for q in players: main(q, q.purse)\n")
    rules = rules.replace("  main:\n", "  main(first in players, coins in 0..90):\n")
    rules = rules.replace("for p in players: act(p, 3)", "act(first, 3)\n    - first.purse = coins")
    texts = '  lines: {main: "{first} begins[ with {coins}]"}\n'
    whole, mine = (small(texts, viewer, rules) for viewer in (None, 1))
    all_told = ["A begins with 5", "B begins with 5"] * 2
    assert [line for line in whole if "begins" in line] == all_told
    assert [line for line in mine if "begins" in line] == ["A begins", "B begins"] * 2


def test_one_and_several() -> None:
    text = "{p} {change of p.points} point(s), {change of -p.purse} coin(s)"
    assert small(f'  lines: {{act: "{text}"}}\n')[2] == "A 2 points, 1 coin"


def test_without_texts_a_game_is_told_by_its_names() -> None:
    lines = small("  names: {ace: the ace}\n")
    assert lines[:2] == ["Round 1 of 2", "Main"]
    assert "A pay 2; B pay 2" in lines
    assert any(re.fullmatch(r"player +points +purse", line) for line in lines)


def test_a_sentence_of_a_move() -> None:
    text = SMALL + "  moves: {pay: '{p} pays {n} of {price};'}\n"
    game = Game(compile_rules(Source("small.yaml", text)))
    state: State = game.start(1)
    assert [state.sentence(move) for move in state.legal_moves(0)] == [
        "A pass",
        "A pays 1 of 3",
        "A pays 2 of 3",
    ]


# ------------------------------------------------------------------ wrong texts


@pytest.mark.parametrize(
    ("texts", "code", "piece"),
    [
        ('  moves: {buy: "{p}"}', "unknown-name", "buy"),
        ('  moves: {act / buy: "{p}"}', "unknown-name", "buy"),
        ('  moves: {akt / pay: "{p}"}', "unknown-name", "akt"),
        ('  moves: {pay: "{p} {m}"}', "unknown-name", "m"),
        ('  moves: {pay: "{p.pionts}"}', "unknown-name", "pionts"),
        ('  moves: {pay: "{+shown}"}', "wrong-type", "shown"),
        ('  lines: {act: "{p"}', "open-slot", "{p"),
        ('  lines: {act: "[if p.points: x]"}', "wrong-type", "p.points"),
        ('  lines: {act: "[for q in players: {r}]"}', "unknown-name", "r"),
        ('  lines: {acts: "{p}"}', "unknown-name", "acts"),
        ('  names: {acce: "the ace"}', "unknown-name", "acce"),
        ('  prompts: {pays: "?"}', "unknown-name", "pays"),
    ],
)
def test_a_wrong_text_is_told_at_its_place(texts: str, code: str, piece: str) -> None:
    text = SMALL[: SMALL.index("texts:")] + f"texts:\n{texts}\n"
    with pytest.raises(RulesError) as caught:
        check_source(Source("small.yaml", text))
    problem = caught.value.problems[0]
    assert problem.code == code
    assert problem.span.text == piece


def test_a_line_must_not_tell_a_secret_by_being_said() -> None:
    step = "    - for p in players: act(p, 3)\n"
    text = SMALL.replace(step, step + "    - for p in players:\n        - if p.purse > 3: fee(p)\n")
    check_source(Source("small.yaml", text))
    with pytest.raises(RulesError) as caught:
        check_source(Source("small.yaml", text + '    fee: "{p} pays a fee"\n'))
    assert caught.value.problems[0].code == "secret-shown"


# ------------------------------------------------------------------ the end


def end_of(steps: str, result: str) -> list[str]:
    """How the end of a game is told in which nobody has a choice."""
    lines = [
        "rules: 1",
        "game: ends",
        "players: [A, B, C]",
        "sources:",
        "  book: {title: A Book, sections: [G]}",
        "state:",
        "  each player: {points: 0..90, coins: 0..90, lost: bool}",
        "flow:",
        *(f"  - step {name}: {step}" for name, step in enumerate_steps(steps)),
        "result:",
        "  cite: book G",
        "  for p in players:",
        *(f"    {line}" for line in result.splitlines()),
    ]
    game = Game(compile_rules(Source("ends.yaml", "\n".join(lines) + "\n")))
    told: list[str] = []
    narrator = Narrator(game.rules, None, told.append)
    state = game.start(1, [narrator])
    narrator.finish()
    return ending(narrator, list(state.record))


def enumerate_steps(steps: str) -> list[tuple[str, str]]:
    return [(name, step) for name, _, step in (one.partition(" ") for one in steps.split("; "))]


SCORES = "hunt A.points = 5; fish A.points += 2; rest B.points = 7; "
KEYS = "out: p.lost\nhighest: [p.points, p.coins]"


def test_a_tie_breaker_is_told_with_its_section() -> None:
    steps = SCORES + "save B.coins = 3; lend A.coins = 1; lose C.lost = true"
    assert end_of(steps, KEYS) == [
        "  rank  player  points = hunt + fish + rest   coins",
        "     1  B            7 =    0 +    0 +    7       3",
        "     2  A            7 =    5 +    2 +    0       1",
        "   out  C            0 =    0 +    0 +    0       0",
        "  B wins by coins (book G, tie-breaker 1).",
        "  B and A have 7 points each; coins: B 3, A 1.",
    ]


def test_a_shared_victory_and_no_victory() -> None:
    lose = "; ".join(f"end_{n} {n}.lost = true" for n in "ABC")
    keep = "coin C.coins = 2; lose C.lost = true; gain A.coins = 0"
    shared = "  A and B share the victory: equal in points and coins (book G)."
    assert end_of(SCORES + keep, KEYS)[-1] == shared
    alone = end_of(SCORES + "coin A.coins = 2; " + lose, KEYS)
    assert alone[-1] == "  Nobody wins: everybody is out (book G)."


def test_named_terms_are_added_up() -> None:
    score = "score:\n  points: p.points\n  coins: 2 * p.coins\nout: p.lost"
    lines = end_of(SCORES + "save C.coins = 4; lose A.lost = true", score)
    assert lines[:2] == [
        "  rank  player  total = points + coins",
        "     1  C           8 =      0 +     8",
    ]
    assert lines[-1] == "  C wins."


# ------------------------------------------------------------------ the page


def test_columns_and_paragraphs() -> None:
    lines: list[str] = []
    page = Page(lines.append)
    page.open("Here")
    page.line("a | bb", "g")
    page.line("ccc | d", "g")
    page.line("one;", "h")
    page.line("two;", "h")
    page.open("never said")
    page.close()
    page.close()
    assert lines == ["", "Here", "  a     bb", "  ccc   d", "  one; two"]


def test_long_lines_go_on_under_their_last_column() -> None:
    lines: list[str] = []
    page = Page(lines.append)
    page.line("x | " + "word " * 30, "g")
    page.flush()
    assert all(len(line) <= WIDTH for line in lines)
    assert lines[2].startswith("      word")
