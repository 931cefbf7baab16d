"""Known values instead of cells: how a machine reads before and after, and plays the same."""

from __future__ import annotations

from random import Random

import pytest
from attrs import evolve

from rulesdsl.check.datatypes import IntType
from rulesdsl.check.model import Scalar
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.reference import Engine
from rulesdsl.machine import program as p
from rulesdsl.machine.listing import Names
from rulesdsl.machine.passes.facts import Facts
from rulesdsl.machine.passes.forward import forwarded
from rulesdsl.machine.passes.merge import merged
from rulesdsl.machine.passes.stores import without_dead_stores
from rulesdsl.text.source import NOWHERE
from tests.machines import machine_of, model_of
from tests.passes import RULES, blocks, lowered, play_the_same, random_machines
from tests.wasm_code import CELLS, code_machine

BEFORE = """\
block 1   body
  [p] = [i]
  note round p([p])
  r1 = [p]
  [p] = r1
  [return] = 1
  note rule buy()
  note begin buy([p])
  [who] = [p]
  rest at stop 1

block 2   done
  note leave p()
  for r5 in 0..<2
    r6 = [chest.0 + r5]
    if (r6 > 0)
      note move Good from chest to pool(r5, r6, -1, -1)
      check (r6 <= [chest.0 + r5]) else missing
      [chest.0 + r5] = ([chest.0 + r5] - r6)
      [pool.0 + r5] = ([pool.0 + r5] + r6)
  [winner] = 2
  rest at stop 0

block 3   pay
  note rule pay()
  r3 = [p]
  r4 = ([money[0] + [p]] + r2)
  note set money(r3, [money[0] + r3], r4)
  [money[0] + r3] = r4   in 0..90
  note end buy()
  [i] = ([i] + 1)
  branch ([i] < 2): 1 else 2
"""

AFTER = """\
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

block 2   done
  note leave p()
  for r5 in 0..<2
    r6 = [chest.0 + r5]
    if (r6 > 0)
      note move Good from chest to pool(r5, r6, -1, -1)
      [chest.0 + r5] = 0
      [pool.0 + r5] = ([pool.0 + r5] + r6)
  [winner] = 2
  rest at stop 0

block 3   pay
  note rule pay()
  r3 = [p]
  r4 = ([money[0] + r3] + r2)
  note set money(r3, [money[0] + r3], r4)
  [money[0] + r3] = r4   in 0..90
  note end buy()
  r8 = ([i] + 1)
  [i] = r8
  branch (r8 < 2): 1 else 2
"""


def test_before_and_after() -> None:
    """What is stored stays in a register; a check that cannot fail is gone. The two `p` are
    the name in the flow and that in the procedure."""
    machine = merged(lowered(RULES))
    assert BEFORE in blocks(machine)
    assert AFTER in blocks(forwarded(machine, Facts()))


A, B, C, D = (p.Cell(p.POINTS + 2 + i) for i in range(4))
"""Cells of one slot."""
LOW, HIGH = p.R(0), p.R(1)


def at(index: p.Value) -> p.Cell:
    return p.Cell(A.base, ((index, 1),))


def put(cell: p.Cell, value: p.Value, low: int | None = None, high: int | None = None) -> p.Set:
    return p.Set(cell, value, low, high, NOWHERE)


OVER = p.Halt(0)


def small(*code: p.Code, end: p.End = OVER) -> p.Machine:
    """A machine of one block with code, that begins with two registers, and four cells."""
    layout = p.Layout(2, cells=A.base + CELLS)
    scalar = Scalar("cells", "shared", IntType(0, 9), NOWHERE)
    layout.slots.append(p.Slot("x", A.base, CELLS, 1, scalar))
    some = [p.Block(0, "code", code, end, (0, 1)), p.Block(1, "yes", (), p.Halt(0))]
    start = [0] * layout.cells
    return machine_of(model_of("small"), 2, layout, start, some, [p.Over(0)], [], 6)


def text(machine: p.Machine) -> list[str]:
    names = Names(machine)
    block = machine.blocks[0]
    return [*names.code(block.code, ""), names.end(block.end)]


R2 = p.R(2)
MORE = p.Op("add", LOW, p.K(1))
KNOWN: list[tuple[str, list[p.Code], list[str]]] = [
    (
        "a store by an index may have been of any cell of the slot",
        [put(A, p.K(1)), put(at(LOW), p.K(2)), put(C, A)],
        ["[x.0] = 1", "[x.0 + r0] = 2", "[x.2] = [x.0]"],
    ),
    (
        "a store of another cell was not",
        [put(A, p.K(1)), put(B, p.K(2)), put(C, A)],
        ["[x.0] = 1", "[x.1] = 2", "[x.2] = 1"],
    ),
    (
        "the same index leads to the same cell",
        [put(at(MORE), p.K(3)), put(C, at(MORE))],
        ["[x.0 + (r0 + 1)] = 3", "[x.2] = 3"],
    ),
    (
        "not so with a register that changes",
        [p.Reg(2, LOW), put(at(R2), p.K(3)), p.Reg(2, HIGH), put(C, at(R2))],
        ["r2 = r0", "[x.0 + r2] = 3", "r2 = r1", "[x.2] = [x.0 + r2]"],
    ),
    (
        "what a body writes is unknown in it, and behind it",
        [put(A, p.K(1)), p.Loop(2, p.K(0), LOW, (put(B, A), put(A, p.K(2)))), put(C, A)],
        ["[x.0] = 1", "for r2 in 0..<r0", "  [x.1] = [x.0]", "  [x.0] = 2", "[x.2] = [x.0]"],
    ),
    (
        "what one way writes is unknown behind both",
        [
            put(A, p.K(1)),
            put(B, p.K(5)),
            p.Cond(LOW, (put(A, p.K(2)),), ()),
            put(C, p.Op("add", A, B)),
        ],
        ["[x.0] = 1", "[x.1] = 5", "if r0", "  [x.0] = 2", "[x.2] = ([x.0] + 5)"],
    ),
    (
        "a seat's own cell is another one when `me` changes",
        [
            put(at(p.Cell(p.ME)), p.K(1)),
            put(C, p.Op("add", at(p.Cell(p.ME)), LOW)),
            put(p.Cell(p.ME), p.K(1)),
            put(D, at(p.Cell(p.ME))),
        ],
        ["[x.0 + [me]] = 1", "[x.2] = (1 + r0)", "[me] = 1", "[x.3] = [x.0 + [me]]"],
    ),
    (
        "a range that a constant keeps is not looked at, one that it leaves is",
        [put(A, p.K(3), 0, 9), put(B, p.K(10), 0, 9)],
        ["[x.0] = 3", "[x.1] = 10   in 0..9"],
    ),
    (
        "a clearing of cells in a row",
        [put(C, p.K(3)), p.Clear(A, 4), put(D, C)],
        ["[x.2] = 3", "clear [x.0], 4 cells", "[x.3] = [x.2]"],
    ),
]


@pytest.mark.parametrize(
    ("code", "expected"), [case[1:] for case in KNOWN], ids=[case[0] for case in KNOWN]
)
def test_what_is_known(code: list[p.Code], expected: list[str]) -> None:
    assert text(forwarded(small(*code), Facts())) == [*expected, "rest at stop 0"]


def test_a_known_condition_is_a_jump() -> None:
    end = p.Branch(p.Op("gt", A, p.K(0)), 1, 0)
    assert text(forwarded(small(put(A, p.K(1)), end=end), Facts())) == ["[x.0] = 1", "jump 1"]


# ------------------------------------------------------------------ it means the same


def run(machine: p.Machine, start: list[int]) -> object:
    """What becomes of a record from block 1 on: its cells and notes, or the fault."""
    record, noted = list(start), list[object]()
    try:
        Engine(machine).follow(record, 1, (), None, lambda note, values: noted.append(values))
    except RuleFault as fault:
        return fault.kind, fault.span
    return record, noted


def random_code(seed: int) -> p.Machine:
    """Random code of the machine in which all cells are declared and lie in one slot."""
    machine = code_machine(Random(seed))
    base, scalar = p.POINTS + 2, Scalar("cells", "shared", IntType(0, 9), NOWHERE)
    layout = p.Layout(2, base + CELLS, [p.Slot("x", base, CELLS, 1, scalar)])
    return evolve(machine, layout=layout)


def test_random_code_does_the_same() -> None:
    """Each value and instruction of the machine is there; some of it changes."""
    changed = 0
    for seed in range(600):
        machine = random_code(seed)
        other = without_dead_stores(forwarded(machine, Facts()), Facts())
        changed += other.blocks != machine.blocks
        random = Random(seed)
        for _ in range(3):
            start = [1, 0, 0, 0, 0, 0, *(random.randint(0, 3) for _ in range(CELLS))]
            assert run(machine, start) == run(other, start), seed
    assert changed > 60


@pytest.mark.xdist_group("random files")
def test_random_rules_play_the_same() -> None:
    machines = [merged(machine) for machine in random_machines()]
    stops = sum(play_the_same(machine, forwarded(machine, Facts()), 5, 20) for machine in machines)
    assert stops > 60
