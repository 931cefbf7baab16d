"""Leaks are found where they are, and nothing else is."""

from __future__ import annotations

import pytest

from rulesdsl.check.checker import check_rules
from rulesdsl.check.visibility import Disclosures, check_visibility
from rulesdsl.resources import find_game
from rulesdsl.syntax.from_yaml import read_rules
from rulesdsl.text.problems import Problem, Problems
from rulesdsl.text.source import Source
from tests.leaks import LEAKS, QUIET, Game


def look(text: str) -> tuple[list[Problem], Disclosures]:
    """The problems of secrecy in a file that has no others."""
    problems = Problems()
    tree = read_rules(Source("secrets.yaml", text), problems)
    model = None if tree is None else check_rules(tree, problems)
    assert model is not None, list(problems)
    problems.check()
    disclosures = check_visibility(model, problems)
    return list(problems), disclosures


@pytest.mark.parametrize("name", LEAKS)
def test_leaks_are_found(name: str) -> None:
    leak = LEAKS[name]
    problems, _ = look(leak.text)
    assert {problem.code for problem in problems} == {leak.code}
    problem = problems[0]
    assert problem.second is not None
    assert problem.second.note.startswith(("only its owner sees it", "nobody sees it"))
    assert " would learn " in problem.note


@pytest.mark.parametrize("name", QUIET)
def test_quiet_rules_stay_quiet(name: str) -> None:
    assert look(QUIET[name].text)[0] == []


@pytest.mark.parametrize("name", [name for name, leak in LEAKS.items() if leak.code[-1] != "d"])
def test_the_help_is_a_line_that_helps(name: str) -> None:
    """With `, seen` where the help has it, the rules tell the secret and say so."""
    text = LEAKS[name].text
    problem = look(text)[0][0]
    if not problem.help:
        assert name.startswith("a trigger on a secret")
        return
    line = problem.span.source.line(problem.span.line)
    assert text.count(line.strip()) == 1
    problems, disclosures = look(text.replace(line.strip(), problem.help))
    assert problems == []
    assert disclosures


def found(steps: str, sections: str = "") -> list[tuple[str, str]]:
    """Codes with the piece that is underlined."""
    problems, _ = look(Game(steps, sections).text)
    return [(problem.code, problem.span.text) for problem in problems]


def test_the_hand_of_another_in_an_order_is_told_to_the_chooser_and_to_all() -> None:
    steps = """\
- for p in players:
    - for g in p.hand, in the order left of p chooses: nothing
"""
    told = found(steps)
    assert told == [("secret-in-guard", "p.hand"), ("secret-shown", "p.hand")]


def test_ostia_tells_what_its_rulebook_tells() -> None:
    problems, disclosures = look(find_game("ostia").read_text("utf-8"))
    assert problems == []
    lines = {disclosure.span.line for disclosure in disclosures}
    assert len(lines) == 5
    assert {cite.section for d in disclosures for cite in d.cites} >= {"D.1.c", "D.5", "F"}
    assert {disclosure.what for disclosure in disclosures} >= {"p's for_sale", "the seller's money"}


# ------------------------------------------------------------------ the rules one by one


def test_a_condition_counts_for_what_it_surrounds() -> None:
    steps = """\
- for p in players:
    - if p.money > 8:
        - if p.points > 0:
            - p.plan = 1
        - p chooses:
            pass: nothing
    - if p.points > 0: p.points += 1
"""
    assert found(steps) == [("secret-shown", "p.money")]


def test_every_branch_depends_on_the_conditions_before_it() -> None:
    steps = """\
- for p in players:
    - if p.money > 8: p.plan = 1
      elif p.points > 3: p.plan = 2
      else: p.points += 1
"""
    assert found(steps) == [("secret-shown", "p.money")]


def test_names_are_compared_and_not_numbers() -> None:
    steps = """\
- for p in players:
    - for q in players:
        - if p == q: p.plan = q.money
"""
    assert found(steps) == [("secret-shown", "q.money")]


def test_another_name_for_the_same_player_is_followed() -> None:
    steps = """\
- for p in players:
    - let me = p
    - note_down(me)
"""
    sections = "procedures:\n  note_down(q in players): q.plan = q.money\n"
    assert found(steps, sections) == []


def test_a_phase_is_checked_for_each_call() -> None:
    steps = """\
- for p in players:
    - evening(p, p.points)
    - evening(p, p.money)
"""
    sections = """\
phases:
  evening(q in players, n in 0..99):
    - q.plan = min(9, n)
    - q.points = n
"""
    assert found(steps, sections) == [("secret-shown", "n")]


def test_a_counter_keeps_what_was_put_into_it() -> None:
    steps = "- for p in players: tally(p)\n"
    sections = """\
procedures:
  tally(p in players):
    state: {n: 0..9}
    do:
      - p.points += n
      - for q in players after p:
          - if q.money > 8: n = 1
      - p.plan = n
"""
    assert found(steps, sections) == [("secret-shown", "n"), ("secret-shown", "n")]


def test_a_loop_left_under_a_secret_tells_it() -> None:
    steps = """\
- for n in 1..3:
    - board = n
    - for p in players:
        - if p.money > 8: end loop
        - p.points += 1
"""
    assert found(steps) == [("secret-shown", "p.money")]


def test_an_option_body_is_the_act_of_its_chooser() -> None:
    steps = """\
- for p in players:
    - for q in players after p:
        - p chooses:
            brag:
              - if p.money > 8: p.points += 1
              - if q.money > 8: p.points += 1
"""
    assert found(steps) == [("secret-shown", "q.money")]


def test_a_secret_choice_is_a_secret_of_its_chooser() -> None:
    steps = """\
- for p in players:
    - for q in players after p:
        - p secretly chooses:
            think(n in 1..3):
              - q chooses:
                  guess(m in 1..n): q.points += 1
"""
    assert found(steps) == [("secret-in-guard", "n")]


def test_who_has_no_option_is_seen() -> None:
    steps = """\
- for p in players:
    - p chooses:
        buy(n in 5..p.money): p.money -= n
        otherwise: nothing
"""
    assert found(steps) == [("secret-shown", "p.money")]


def test_a_player_named_by_state_may_change() -> None:
    sections = ""
    steps = """\
- for p in players:
    - p.plan = p.money
- leader chooses:
    show_off(n in 0..leader.money): board += n
- let first_leader = leader
- leader = left of leader
- first_leader.plan = leader.money
"""
    text = Game(steps, sections).text.replace(
        "    board: 0..99\n", "    board: 0..99\n    leader: Player, starts at seat 1\n"
    )
    problems, _ = look(text)
    assert [(p.code, p.span.text) for p in problems] == [("secret-shown", "leader.money")]


UNSEEN = "    back: slot of Good, unseen by its owner\n"


def test_what_its_owner_does_not_see() -> None:
    """Everybody but the owner may act on it."""
    steps = """\
- for p in players:
    - deal up to 1 - size of p.back from deck to p.back
    - for q in players after p:
        - p chooses:
            hint(g in kinds of q.back): nothing
    - p chooses:
        name(g in kinds of p.back): nothing
"""
    text = Game(steps).text.replace("    points: 0..99\n", "    points: 0..99\n" + UNSEEN)
    problems, _ = look(text)
    assert ("secret-in-guard", "p.back") in [(p.code, p.span.text) for p in problems]
    assert "q.back" not in [p.span.text for p in problems]


def test_showing_is_telling_on_purpose() -> None:
    steps = """\
- for p in players:
    - show p.money
    - show p.hand to left of p
    - if p.money > 8: show p.points to left of p
"""
    problems, disclosures = look(Game(steps).text)
    assert [(p.code, p.span.text) for p in problems] == [("secret-shown", "p.money")]
    assert [d.what for d in disclosures] == ["p's money", "what lies in p's hand"]


def test_awards_rank_everybody() -> None:
    steps = """\
- award points to p in players:
    by: p.money
    prizes: [2, 1]
    ties: split rounded down
"""
    assert found(steps) == [("secret-shown", "p.money")]
    assert found(steps.replace("players:", "players, seen:")) == []


# ------------------------------------------------------------------ seen


@pytest.mark.parametrize(
    "step",
    [
        "- board = 1, seen",
        "- for p in players, seen:\n    - p.points += 1",
        "- for p in players:\n    - if p.money > 8, seen: p.plan = 1",
        "- for p in players:\n    - move all from p.hand to market, seen",
        "- for p in players:\n    - while p.points < 3, at most 3, seen: p.points += 1",
    ],
)
def test_seen_where_nothing_is_told(step: str) -> None:
    assert found(step + "\n") == [("seen-without-secret", "seen")]


# ------------------------------------------------------------------ together


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ("(left of p).points += 1", "together-writes-others"),
        ("board = 3", "together-writes-others"),
        ("move all from market to p.hand", "together-writes-others"),
        ("deal 1 from deck to p.hand", "together-draws"),
        ("end game", "together-ends"),
        ("p wins", "together-ends"),
        ("show p.points", "together-shows"),
        ("p.points = board", ""),
        ("board += p.points", ""),
        ("move all from p.hand to market", ""),
        ("p.points = sum(q.points for q in players)", "together-reads-others"),
        ("p.points = size of market", ""),
        ("show p.hand to p", ""),
    ],
)
def test_acting_at_once(step: str, code: str) -> None:
    steps = f"- together p in players:\n    - {step}\n"
    if "(left" in step:
        steps = steps.replace("- (left of p)", "- let q = left of p\n    - q")
    assert [c for c, _ in found(steps)] == ([code] if code else [])


def test_adding_to_what_is_read() -> None:
    steps = """\
- together p in players:
    - move all from p.hand to market
    - p.points = size of market
    - board += board
"""
    assert [c for c, _ in found(steps)] == ["together-reads-others"] * 2


def test_one_alone_may_read_what_it_adds_to() -> None:
    steps = """\
- for p in players:
    - p secretly:
        - move all from p.hand to market
        - p.points = size of market
"""
    assert found(steps) == []


def test_counters_from_outside_are_everybodys() -> None:
    sections = """\
procedures:
  vote:
    state: {n: 0..9}
    do:
      - together p in players:
          - n += 1
          - own_count(p)
  own_count(p in players):
    state: {m: 0..9}
    do:
      - m += 1
      - p.plan = m
"""
    assert found("- vote\n", sections) == [("together-writes-others", "n += 1")]


def test_nobody_else_is_asked() -> None:
    steps = """\
- together p in players:
    - let q = left of p
    - q chooses:
        pass: nothing
"""
    assert [c for c, _ in found(steps)] == ["together-asks-others"]


def test_a_secret_condition_is_free_until_its_effect_is_seen() -> None:
    steps = """\
- together p in players:
    - if p.money > 8:
        - p chooses:
            pass: nothing
        - p.points += 1
"""
    assert found(steps) == [("secret-shown", "p.money")]


# ------------------------------------------------------------------ looking ahead

AHEAD = """\
- for p in players:
    - for q in players after p:
        - repeat 3, as many as possible:
            - p chooses:
                go where CONDITION: STEP
"""


@pytest.mark.parametrize(
    ("condition", "step", "codes"),
    [
        ("q.points < 9", "p.points += 1", set()),
        ("p.points < 9", "p.money -= 1", set()),
        ("p.points < 9", "p.money = min(40, p.money + p.plan)", set()),
        # others see how far he comes
        ("p.plan > 0", "p.plan -= 1", {"secret-shown"}),
        ("p.points < 9", "p.points += p.plan", {"secret-shown"}),
        ("p.points < 9", "q.plan += 1", {"secret-in-guard"}),
        ("p.points < 9", "board = q.plan", {"secret-in-guard", "secret-shown"}),
        ("p.points < 9", "move all from deck to market", {"secret-in-guard"}),
        ("p.points < 9", "move all from market to deck", set()),
    ],
)
def test_looking_ahead_shows_nothing(condition: str, step: str, codes: set[str]) -> None:
    steps = AHEAD.replace("CONDITION", condition).replace("STEP", step)
    assert {code for code, _ in found(steps)} == codes


def test_a_number_of_rounds_is_seen_by_all() -> None:
    steps = AHEAD.replace("repeat 3", "repeat p.plan").replace("CONDITION", "p.points < 9")
    assert found(steps.replace("STEP", "p.points += 1"))[0][0] == "secret-shown"


def test_what_a_procedure_asks_for_is_looked_at_too() -> None:
    steps = AHEAD.replace("CONDITION", "p.points < 9").replace("STEP", "pay(q)")
    sections = """\
procedures:
  pay(x in players):
    where: x.money > 3
    do:
      - board = 3
"""
    assert [code for code, _ in found(steps, sections)] == ["secret-in-guard"]
    calmly = steps.replace("pay(q)", "pay(p)")
    assert found(calmly, sections) == []


def test_an_option_that_may_be_impossible_hides_no_other() -> None:
    steps = """\
- for p in players:
    - p chooses:
        a where board > 5: nothing
        b where p.plan > 3: nothing
        otherwise: board = 1
"""
    assert {code for code, _ in found(steps)} == {"secret-shown"}
    assert found(steps.replace("a where board > 5", "a")) == []
