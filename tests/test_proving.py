"""Steps that are not counted: never more than was proved, and faults are where they were."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from rulesdsl.engines import many, reference, whole
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.python import bulk, proving
from rulesdsl.engines.python.bounds import UNKNOWN, steps_of, steps_of_code
from rulesdsl.engines.python.bulk import Bulk, NotInBulk
from rulesdsl.engines.python.engine import GeneratedEngine
from rulesdsl.engines.python.proving import Ways
from rulesdsl.engines.reference import Engine
from rulesdsl.machine import program as p
from rulesdsl.machine.from_model import make_machine
from rulesdsl.text.source import NOWHERE
from tests.machines import loops
from tests.test_many import both
from tests.test_meaning import FILES, choices, load
from tests.wasm_code import code_machine


def machine_named(name: str, seats: int | None = None) -> p.Machine:
    model = load(next(path for path in FILES if path.stem == name))
    players, options = choices(model, Random(0), 0)[0]
    return make_machine(model, seats or players, options)


def text(machine: p.Machine) -> str:
    return Bulk(GeneratedEngine(machine).sources, bots=False).text()


# ------------------------------------------------------------------ how many there can be


def test_no_code_takes_more_steps_than_is_proved() -> None:
    """Random code over each value and instruction; loops over what lies in a cell are not known."""
    proved = 0
    for seed in range(500):
        machine = code_machine(Random(seed))
        block = machine.blocks[1]
        most = 1 + steps_of_code(block.code)
        end = block.end
        if isinstance(end, p.Branch):
            most += steps_of(end.condition)
        elif isinstance(end, p.Switch):
            most += steps_of(end.value)
        if most >= UNKNOWN:
            continue
        random, engine = Random(seed), Engine(machine)
        for _ in range(3):
            start = [1, 0, 0, 0, 0, 0, *(random.randint(0, 3) for _ in range(12))]
            registers = {-1: UNKNOWN}
            try:
                engine.one_block(start, 1, registers)
            except RuleFault:
                continue
            assert UNKNOWN - registers[-1] <= most, seed
            proved += 1
    assert proved > 300


def test_the_longest_list_of_a_row() -> None:
    ends, at = (0, 2, 7, 8), p.R(1)
    low = p.Row("lists", ends, at, False, NOWHERE)
    high = p.Row("lists", ends, p.Op("add", at, p.K(1)), False, NOWHERE)
    loop = p.Loop(2, low, high, (p.Reg(3, p.K(0)),))
    assert steps_of_code((loop,)) == 5
    assert steps_of_code((p.Loop(2, low, p.Cell(0), ()),)) >= UNKNOWN


# ------------------------------------------------------------------ what is paid


def lines(*ways: tuple[int, int, int], rest: tuple[int, int], counts: int = 0) -> list[str] | None:
    """What becomes of the lines of ways from a decision (-1), and what is left there."""
    found = Ways()
    _, begin = found.decision()
    written = [begin, *(found.way(*way) for way in ways)]
    found.rest(*rest)
    if counts:
        found.counts(counts)
    return found.settled(written)


def test_ways_forwards_are_not_paid() -> None:
    assert lines((-1, 4, 10), (4, 2, 5), rest=(2, 3)) == []


def test_a_way_back_pays_for_the_longest_before_it() -> None:
    circle = lines((-1, 4, 10), (-1, 2, 7), (4, 2, 5), (2, 4, 1), rest=(4, 3))
    # there are two ways to 2, one over 4 with 15 steps; to 4 leads one of 10
    assert circle == ["n = 99987", "n -= 16", "if n < 0:", "    raise Stuck"]


def test_what_is_counted_begins_with_less() -> None:
    assert lines((-1, 4, 10), (4, 2, 5), rest=(2, 3), counts=2) == ["n = 99982"]


def test_too_much_is_not_proved() -> None:
    assert lines((-1, 4, 99_990), (4, 2, 9), rest=(2, 1)) is None


def test_a_game_without_such_circles_counts_nothing() -> None:
    assert " n " not in text(machine_named("tic-tac-toe"))
    ostia = text(machine_named("ostia"))
    assert 1 < ostia.count("n -= ") < 20


# ------------------------------------------------------------------ faults stay where they are


@pytest.fixture
def allowed(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets how many steps are allowed."""

    def allow(steps: int) -> None:
        for module in (many, reference, whole, bulk, proving):
            monkeypatch.setattr(module, "STEPS_PER_MOVE", steps)

    return allow


@pytest.mark.parametrize("name", ["leduc-poker", "nim", "dice", "salon", "quay", "ostia"])
def test_a_fault_for_many_steps_is_where_it_was(name: str, allowed: Callable[[int], None]) -> None:
    """Whatever is allowed: games end as by the reference, at most of the limits some in a fault."""
    machine, faults = machine_named(name), 0
    for steps in (3, 6, 9, 13, 18, 25, 40, 80, 160, 300, 900):
        allowed(steps)
        finished = both(machine, range(2), [None] * machine.seats)
        faults += sum(fault is not None for fault in finished.faults)
    assert 0 < faults < 22


def test_no_bundled_game_gets_stuck_for_its_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proved are few enough that it need not be looked at again."""

    def refuse(*_: object) -> None:
        raise AssertionError("played stop by stop")

    monkeypatch.setattr(many, "_Game", refuse)
    for name in ("oltremare", "portus", "patronus"):
        machine = machine_named(name)
        finished = many.play_many(
            GeneratedEngine(machine), [None] * machine.seats, 1, range(2), True
        )
        assert finished.faults == [None] * 2


def test_too_long_a_way_is_played_by_stops(allowed: Callable[[int], None]) -> None:
    machine = loops(20)
    allowed(2)
    with pytest.raises(NotInBulk):
        text(machine)
    assert len(both(machine, range(2), [None] * machine.seats)) == 2
