"""The reference engine: each value, each piece of code, each end of a block."""

from __future__ import annotations

import pytest

from rulesdsl.engines.code import Sink, sequence
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.reference import Engine
from rulesdsl.engines.values import value
from rulesdsl.machine.program import (
    And,
    Cell,
    Check,
    Checked,
    Choice,
    Clear,
    Code,
    Cond,
    Fold,
    Jump,
    K,
    Loop,
    Machine,
    Not,
    Note,
    Op,
    Or,
    R,
    Reg,
    Row,
    Set,
    Switch,
    Value,
    While,
    With,
)
from rulesdsl.text.problems import InternalError
from tests.machines import block, loops, machine_of, model_of, nim, place

RECORD = [10, 20, 30, 40, 50, 60]
HERE = place("take")


def get(v: Value, steps: int = 1_000) -> int:
    return value(v)(list(RECORD), {0: 1, 1: 2, 2: 3, -1: steps})


def fold(
    op: str,
    body: Value,
    *,
    where: Value | None = None,
    weight: Value | None = None,
    keys: tuple[Value, ...] = (),
    empty: Value | None = None,
    high: int = 6,
) -> Fold:
    return Fold(op, 3, K(0), K(high), where, body, weight, keys, empty, HERE)


X = R(3)
CELL_X = Cell(0, ((X, 1),))
BIG = Op("gt", CELL_X, K(25))


@pytest.mark.parametrize(
    ("op", "left", "right", "expected"),
    [
        ("add", 7, -2, 5),
        ("sub", 7, -2, 9),
        ("mul", 7, -2, -14),
        ("min", 7, -2, -2),
        ("max", 7, -2, 7),
        ("floordiv", -7, 2, -4),
        ("ceildiv", -7, 2, -3),
        ("floordiv", 7, 2, 3),
        ("ceildiv", 7, 2, 4),
        ("mod", -7, 3, 2),
        ("eq", 3, 3, 1),
        ("ne", 3, 3, 0),
        ("lt", 3, 3, 0),
        ("le", 3, 3, 1),
        ("gt", 4, 3, 1),
        ("ge", 2, 3, 0),
    ],
)
def test_operations(op: str, left: int, right: int, expected: int) -> None:
    for a, b in ((K(left), K(right)), (K(left), With(4, K(right), R(4)))):
        found = get(Op(op, a, b))
        assert found == expected
        assert type(found) is int


VALUES: list[tuple[Value, int]] = [
    (R(1), 2),
    (Cell(2), 30),
    (Cell(1, ((R(1), 1),)), 40),
    (Cell(1, ((R(1), 2),)), 60),
    (Cell(0, ((K(1), 1), (R(0), 2))), 40),
    (Cell(0, ((K(1), 1), (R(0), 1), (R(1), 1))), 50),
    (Row("t", (5, 6, 7), R(1), False, HERE), 7),
    (Row("t", (5, 6, 7), R(0), True, HERE), 6),
    (And(K(3), K(2)), 1),
    (And(K(0), Row("t", (), K(0), True, HERE)), 0),
    (Or(K(2), Row("t", (), K(0), True, HERE)), 1),
    (Or(K(0), K(0)), 0),
    (Not(K(5)), 0),
    (Not(K(0)), 1),
    (Choice(K(1), K(8), Row("t", (), K(0), True, HERE)), 8),
    (Choice(K(0), Row("t", (), K(0), True, HERE), K(9)), 9),
    (With(3, K(4), Op("mul", R(3), R(3))), 16),
    (Checked(K(1), K(4), "empty", HERE), 4),
    (fold("sum", CELL_X), 210),
    (fold("sum", CELL_X, weight=X), 700),
    (fold("count", K(0), where=BIG), 4),
    (fold("count", K(0), weight=X), 15),
    (fold("any", BIG), 1),
    (fold("all", BIG), 0),
    (fold("any", BIG, high=0), 0),
    (fold("all", BIG, high=0), 1),
    (fold("max", Op("sub", K(0), CELL_X)), -10),
    (fold("min", CELL_X, where=BIG), 30),
    (fold("max", CELL_X, high=0, empty=K(-7)), -7),
    (fold("first", CELL_X, where=BIG), 30),
    (fold("first", CELL_X, where=K(0), empty=K(-1)), -1),
    (fold("best", X, keys=(Op("mod", X, K(3)), X)), 5),
    (fold("best", X, keys=(Op("mod", X, K(3)),)), 2),
    (fold("best", X, keys=(X,), high=0, empty=K(-1)), -1),
]


@pytest.mark.parametrize(("v", "expected"), VALUES)
def test_values(v: Value, expected: int) -> None:
    assert get(v) == expected


FAULTS_OF_VALUES: list[tuple[Value, str]] = [
    (Row("t", (5,), K(-1), True, HERE), "row"),
    (Row("t", (5,), K(1), True, HERE), "row"),
    (Checked(K(0), K(4), "empty", HERE), "empty"),
    (fold("max", X, where=K(0)), "empty"),
    (fold("best", X, keys=(X,), high=0), "empty"),
    (fold("sum", X, high=2_000), "limit"),
]


@pytest.mark.parametrize(("v", "kind"), FAULTS_OF_VALUES)
def test_faults_of_values(v: Value, kind: str) -> None:
    with pytest.raises(RuleFault) as caught:
        get(v)
    assert (caught.value.kind, caught.value.span) == (kind, HERE)


def carry_out(*code: Code) -> list[int]:
    record = list(RECORD)
    sequence(code, None)(record, {-1: 1_000})
    return record


def put(cell: Cell, v: Value, low: int | None = None, high: int | None = None) -> Set:
    return Set(cell, v, low, high, HERE)


CODE: list[tuple[tuple[Code, ...], list[int]]] = [
    ((), [10, 20, 30, 40, 50, 60]),
    ((put(Cell(1), K(7)),), [10, 7, 30, 40, 50, 60]),
    ((Reg(0, K(2)), put(Cell(1, ((R(0), 2),)), R(0), 0, 9)), [10, 20, 30, 40, 50, 2]),
    ((Cond(K(1), (put(Cell(0), K(1)),), ()), Clear(Cell(4), 2)), [1, 20, 30, 40, 0, 0]),
    ((Cond(K(0), (put(Cell(0), K(1)),), (put(Cell(0), K(2)),)),), [2, 20, 30, 40, 50, 60]),
    ((Loop(0, K(1), K(3), (put(Cell(0, ((R(0), 1),)), R(0)),)),), [10, 1, 2, 40, 50, 60]),
    ((Reg(0, K(1)), Clear(Cell(0, ((R(0), 2),)), 3)), [10, 20, 0, 0, 0, 60]),
    (
        (
            While(
                Op("gt", Cell(0), K(0)),
                K(4),
                False,
                (put(Cell(0), Op("sub", Cell(0), K(1))),),
                HERE,
            ),
        ),
        [6, 20, 30, 40, 50, 60],
    ),
]


@pytest.mark.parametrize(("code", "expected"), CODE)
def test_straight_code(code: tuple[Code, ...], expected: list[int]) -> None:
    assert carry_out(*code) == expected


def test_the_bounds_of_a_loop_are_read_once() -> None:
    grows = put(Cell(0), Op("add", Cell(0), K(1)))
    assert carry_out(Loop(0, K(0), Cell(0), (grows,)))[0] == 20


FAULTS_OF_CODE: list[tuple[Code, str]] = [
    (put(Cell(0), K(10), 0, 9), "range"),
    (put(Cell(0), K(-1), 0, 9), "range"),
    (Check(K(0), "missing", HERE), "missing"),
    (While(K(1), K(3), True, (), HERE), "bound"),
    (While(K(1), K(3_000), True, (), HERE), "limit"),
    (Loop(0, K(0), K(2_000), (Check(K(1), "x", HERE),)), "limit"),
]


@pytest.mark.parametrize(("code", "kind"), FAULTS_OF_CODE)
def test_faults_of_code(code: Code, kind: str) -> None:
    with pytest.raises(RuleFault) as caught:
        carry_out(code)
    assert (caught.value.kind, caught.value.span) == (kind, HERE)


def test_the_words_of_a_fault() -> None:
    with pytest.raises(RuleFault) as caught:
        carry_out(put(Cell(0), K(10), 0, 9))
    expected = (
        "hand.yaml:1:1: range: the value is out of its range: it would become 10, outside 0..9"
    )
    assert str(caught.value) == expected


def test_notes_go_to_the_sink_only_where_there_is_one() -> None:
    told: list[tuple[str, tuple[int, ...]]] = []
    note = Note("show", None, (Cell(0), K(3)), HERE)
    code: tuple[Code, ...] = (note, put(Cell(0), K(1)), Cond(K(1), (note,), ()))
    sink = Sink(lambda n, values: told.append((n.kind, values)))
    sequence(code, sink)(list(RECORD), {-1: 1_000})
    assert told == [("show", (10, 3)), ("show", (1, 3))]
    assert carry_out(*code)[0] == 1
    assert len(told) == 2


# ------------------------------------------------------------------ blocks


def test_a_run_goes_to_the_next_stop() -> None:
    engine = Engine(nim())
    start = list(engine.machine.start)
    record, left = engine.after(start, 0, steps=100)
    assert left == 99
    assert start == list(engine.machine.start)
    for _ in range(7):
        assert record[0] == 1
        record, _ = engine.after(record, 1, (1,))
    assert record[0] == -1


def test_notes_of_a_run() -> None:
    engine = Engine(nim())
    start = list(engine.machine.start)
    record = start.copy()
    told: list[tuple[str, tuple[int, ...]]] = []
    engine.follow(record, 1, (2,), None, lambda note, values: told.append((note.kind, values)))
    assert told == [("rule", ()), ("set", (-1, 7, 5))]
    assert engine.after(start, 1, (2,))[0] == record
    assert len(told) == 2


def test_too_many_steps_are_a_fault() -> None:
    engine = Engine(loops(10**9))
    with pytest.raises(RuleFault) as caught:
        engine.after(list(engine.machine.start), 0)
    assert caught.value.kind == "limit"


def broken(code: list[Code], value_: Value) -> Machine:
    model = model_of("broken")
    blocks = [block(0, "start", code, Switch(value_, ((1, 1),))), block(1, "end", [], Jump(0))]
    return machine_of(model, 2, loops(1).layout, [0] * 6, blocks, [], [], 0)


@pytest.mark.parametrize(
    "machine",
    [
        broken([], K(2)),
        broken([put(Cell(99), K(1))], K(1)),
        broken([put(Cell(0), Op("floordiv", K(1), K(0)))], K(1)),
    ],
)
def test_what_the_machine_must_not_do_is_our_fault(machine: Machine) -> None:
    engine = Engine(machine)
    with pytest.raises(InternalError, match="block 0"):
        engine.after(list(machine.start), 0)
