"""Stores that nobody reads: how a machine reads before and after, and that it plays the same."""

from __future__ import annotations

import pytest

from rulesdsl.machine import program as p
from rulesdsl.machine.passes.facts import Facts
from rulesdsl.machine.passes.forward import forwarded
from rulesdsl.machine.passes.merge import merged
from rulesdsl.machine.passes.stores import without_dead_stores
from rulesdsl.text.source import NOWHERE
from tests.passes import RULES, blocks, lowered, play_the_same, random_machines
from tests.test_forward import HIGH, LOW, A, B, C, at, put, small, text


def known(machine: p.Machine) -> p.Machine:
    """What comes before this pass."""
    return merged(forwarded(merged(machine), Facts()))


BEFORE = """\
block 1   body
  r7 = [i]
  [p] = r7
  note round p(r7)
  [p] = r7
  [return] = 1
  note rule buy()
  note begin buy(r7)
  [who] = r7
  rest at stop 1
"""

AFTER = """\
block 1   body
  r7 = [i]
  note round p(r7)
  [p] = r7
  note rule buy()
  note begin buy(r7)
  [who] = r7
  rest at stop 1
"""


def test_before_and_after() -> None:
    """The name in the flow is not read again, and from one place only `buy` is called."""
    machine = known(lowered(RULES))
    assert BEFORE in blocks(machine)
    assert AFTER in blocks(without_dead_stores(machine, Facts()))


SHOWN = p.Note("seen", NOWHERE, (A,), NOWHERE)
TWO = p.Op("add", LOW, p.K(2))
FOLD = p.Fold("sum", 3, p.K(0), LOW, None, p.R(3), None, (), p.K(0), NOWHERE)
DEAD: list[tuple[str, list[p.Code], list[str]]] = [
    ("overwritten", [put(A, LOW), put(B, p.K(1)), put(A, p.K(2))], ["[x.1] = 1", "[x.0] = 2"]),
    (
        "read before",
        [put(A, LOW), put(B, A), put(A, p.K(2))],
        ["[x.0] = r0", "[x.1] = [x.0]", "[x.0] = 2"],
    ),
    (
        "read before by an index",
        [put(A, LOW), put(B, at(LOW)), put(A, p.K(2))],
        ["[x.0] = r0", "[x.1] = [x.0 + r0]", "[x.0] = 2"],
    ),
    (
        "told before",
        [put(A, LOW), SHOWN, put(A, p.K(2))],
        ["[x.0] = r0", "note seen ([x.0])", "[x.0] = 2"],
    ),
    (
        "overwritten on one way only",
        [put(A, LOW), p.Cond(HIGH, (put(A, p.K(2)),), ())],
        ["[x.0] = r0", "if r1", "  [x.0] = 2"],
    ),
    (
        "may be outside its range",
        [put(A, LOW, 0, 5), put(A, p.K(2))],
        ["[x.0] = r0   in 0..5", "[x.0] = 2"],
    ),
    (
        "takes steps",
        [put(A, FOLD), put(A, p.K(2))],
        ["[x.0] = sum(r3 for r3 in 0..<r0)", "[x.0] = 2"],
    ),
    ("a register that is not read", [p.Reg(2, TWO), put(C, LOW)], ["[x.2] = r0"]),
    ("one that is", [p.Reg(2, TWO), put(C, p.R(2))], ["r2 = (r0 + 2)", "[x.2] = r2"]),
    (
        "one of which only a dead store is made",
        [p.Reg(2, TWO), put(A, p.R(2)), put(A, p.K(1))],
        ["[x.0] = 1"],
    ),
]


@pytest.mark.parametrize(
    ("code", "expected"), [case[1:] for case in DEAD], ids=[case[0] for case in DEAD]
)
def test_what_is_dead(code: list[p.Code], expected: list[str]) -> None:
    machine = without_dead_stores(small(*code), Facts())
    assert text(machine) == [*expected, "rest at stop 0"]


@pytest.mark.xdist_group("random files")
def test_random_rules_play_the_same() -> None:
    machines = [known(machine) for machine in random_machines()]
    others = [without_dead_stores(machine, Facts()) for machine in machines]
    stops = sum(play_the_same(*both, 5, 20) for both in zip(machines, others, strict=True))
    assert stops > 60
    assert sum(one.blocks != other.blocks for one, other in zip(machines, others, strict=True)) > 10
