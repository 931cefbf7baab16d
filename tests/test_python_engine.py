"""The generated engine does what the reference engine does, at every stop of every game."""

from __future__ import annotations

import traceback
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any, get_args

import pytest

from rulesdsl.check.model import Model
from rulesdsl.engines.code import Fired
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.python.code import Statements
from rulesdsl.engines.python.engine import GeneratedEngine
from rulesdsl.engines.python.source import Sources
from rulesdsl.engines.python.writing import Constants, Stuck, Writer
from rulesdsl.engines.reference import Engine
from rulesdsl.engines.values import value
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.program import Block, Check, Code, Halt, Machine, Note, Over, Rule, Value
from rulesdsl.machine.traverse import parts
from tests.bundled import GAMES
from tests.command import ROOT, rulesdsl
from tests.engines import SideBySide
from tests.machines import gifts, high_card, loops, machine_of, model_of, nim
from tests.random_rules import random_model
from tests.test_meaning import FILES, choices, load
from tests.test_reference import CODE, FAULTS_OF_CODE, FAULTS_OF_VALUES, RECORD, VALUES

SMALL = [path for path in FILES if path not in GAMES.values()]
REGISTERS = 1_000


def side_by_side(model: Model, seats: int, options: dict[str, int], seed: int) -> SideBySide:
    machine = make_machine(model, seats, options)
    return SideBySide.of(machine, [Engine(machine), GeneratedEngine(machine, patience=0)], seed)


# ------------------------------------------------------------------ every node


def sources_of(*code: Code) -> Sources:
    rules = tuple(c.subject for c in code if isinstance(c, Note) and isinstance(c.subject, Rule))
    blocks = [Block(0, "start", tuple(code), Halt(0))]
    start = list(RECORD)
    machine = machine_of(
        model_of("one"), 2, loops(1).layout, start, blocks, [Over(0)], [], 5, rules=rules
    )
    return Sources(machine, Fired(rules))


def get(v: Value, steps: int = 1_000) -> tuple[int, int]:
    """The value, and the steps that are left."""
    registers = {0: 1, 1: 2, 2: 3, -1: steps}
    return sources_of().value(v)(list(RECORD), registers), registers[-1]


@pytest.mark.parametrize(("v", "expected"), VALUES)
def test_values(v: Value, expected: int) -> None:
    found, left = get(v)
    registers = {0: 1, 1: 2, 2: 3, -1: 1_000}
    assert (found, type(found)) == (expected, int)
    value(v)(list(RECORD), registers)
    assert left == registers[-1]


@pytest.mark.parametrize(("v", "kind"), FAULTS_OF_VALUES)
def test_faults_of_values(v: Value, kind: str) -> None:
    with pytest.raises(RuleFault) as caught:
        get(v)
    assert caught.value.kind == kind


@pytest.mark.parametrize(("code", "expected"), CODE)
def test_straight_code(code: tuple[Code, ...], expected: list[int]) -> None:
    record = list(RECORD)
    sources_of(*code).root(0)(record, 1_000, [0] * 6)
    assert record[1:] == expected[1:]


@pytest.mark.parametrize(("code", "kind"), FAULTS_OF_CODE)
def test_code_with_a_fault_is_stuck(code: Code, kind: str) -> None:
    record = list(RECORD)
    if kind == "limit":
        assert _steps_or_none(code, record) is None
    else:
        with pytest.raises(Stuck):
            sources_of(code).root(0)(record, 1_000, [0] * 6)


def _steps_or_none(code: Code, record: list[int]) -> int | None:
    """The steps left; None if there were too few."""
    try:
        _, left = sources_of(code).root(0)(record, 1_000, [0] * 6)
    except Stuck:
        return None
    return left if left >= 0 else None


def test_what_is_no_node_is_refused() -> None:
    """Each class of the machine is handled, since the matches are exhaustive for mypy; what is
    none of them is not passed over in silence."""
    out = Statements(Writer(), Constants())
    strange: Any = object()
    for write in (out.number, out.truth, out.plain, out.piece):
        with pytest.raises(AssertionError):
            write(strange)


def test_every_node_is_tried() -> None:
    tried = {type(part) for v, _ in VALUES for part in parts(v)}
    tried |= {type(part) for code, _ in CODE for part in parts(code)}
    assert set(get_args(Value)) <= tried
    assert set(get_args(Code)) - tried == {Check, Note}, "these are tried as faults, and in games"


# ------------------------------------------------------------------ machines


@pytest.mark.parametrize("machine", [nim(), high_card(), gifts(), nim(heap=30, seats=3)])
def test_small_machines(machine: Machine) -> None:
    engines = Engine(machine), GeneratedEngine(machine, patience=0)
    for seed in range(5):
        assert SideBySide.of(machine, engines, seed).play().fault is None


def test_too_many_steps_are_the_same_fault() -> None:
    machine = loops(10**9)
    engines = Engine(machine), GeneratedEngine(machine, patience=0)
    fault = SideBySide.of(machine, engines, 0).play().fault
    assert fault is not None
    assert fault.kind == "limit"


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_generated_and_reference_agree(path: Path) -> None:
    """For bundled games see test_engines_agree."""
    model = load(path)
    for number, (seats, options) in enumerate(choices(model, Random(2), 2)):
        assert side_by_side(model, seats, options, number).play(150).stops > 0


def agree_on(seed: int) -> int:
    """Random rules by both engines; how many stops were compared, 0 if they are refused."""
    model = random_model(seed)
    if model is None:
        return 0
    return sum(
        side_by_side(model, seats, options, number).play(60).stops
        for number, (seats, options) in enumerate(choices(model, Random(seed), 0))
    )


@pytest.mark.xdist_group("random files")
def test_random_rules_by_both() -> None:
    assert sum(agree_on(seed) for seed in range(6)) > 50


@pytest.mark.soak
@pytest.mark.parametrize("start", range(20_000, 21_000, 100))
def test_thousands_of_random_rules_by_both(start: int) -> None:
    assert sum(agree_on(seed) for seed in range(start, start + 100))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_generated_and_reference_agree_at_length(path: Path, seed: int) -> None:
    model = load(path)
    for seats, options in choices(model, Random(seed), 8):
        side_by_side(model, seats, options, seed).play()


# ------------------------------------------------------------------ reading it


def test_a_traceback_shows_the_generated_line() -> None:
    engine = GeneratedEngine(nim(), patience=0)
    record = [*engine.machine.start[:-1]]
    try:
        engine.sources.root(2)(record, 100, {})
    except LookupError as error:
        shown = "".join(traceback.format_exception(error))
        assert "rules of nim for 2: block 2" in shown
        assert "s[7] = " in shown
    else:
        raise AssertionError("the record is too short")


def test_the_page_shows_what_is_written() -> None:
    page = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
    command, shown = page.split("\n    rulesdsl ")[1].split("\n\n")[:2]
    code, out, _ = rulesdsl(*command.split())
    assert code == 0
    assert dedent(shown) in out
