"""Random straight code of the machine, over all its values and instructions."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import get_args

from attrs import define, field

from rulesdsl.check.model import Shape, Zone
from rulesdsl.machine import program as p
from rulesdsl.text.source import Source, Span
from tests.machines import machine_of, model_of

CELLS, LOW = 12, 8
"""Cells of the state that code reads and writes, behind those that every machine has; so many of
them are a piece of state, the others another one. No index leads from one to the other."""
TEXT = Source("code.yaml", "x" * 1_000)
OPS = ("add", "sub", "min", "max", "eq", "ne", "lt", "le", "gt", "ge")
DIVISIONS = ("floordiv", "ceildiv", "mod")
FOLDS = ("sum", "count", "any", "all", "max", "min", "first", "best")
VALUES, CODE = get_args(p.Value), get_args(p.Code)


@define(eq=False)
class Maker:
    """Makes values that stay small, so that no number leaves 32 bits."""

    random: Random
    base: int
    registers: int = 0
    known: list[int] = field(factory=list)
    spans: int = 0

    def span(self) -> Span:
        """A place of its own."""
        self.spans += 1
        return Span(TEXT, self.spans % 1_000, self.spans % 1_000 + 1)

    def register(self) -> int:
        self.registers += 1
        return self.registers - 1

    # ---------------------------------------------------------------- values

    def value(self, depth: int) -> p.Value:
        leaves = [self.constant, self.read_register, self.cell]
        inner = [
            self.cell,
            self.row,
            self.op,
            self.op,
            self.division,
            self.product,
            lambda d: p.And(self.value(d), self.value(d)),
            lambda d: p.Or(self.value(d), self.value(d)),
            lambda d: p.Not(self.value(d)),
            lambda d: p.Choice(self.value(d), self.value(d), self.value(d)),
            self.with_,
            self.fold,
            self.fold,
            self.checked,
        ]
        made: Callable[[int], p.Value] = self.random.choice(inner if depth else leaves)
        return made(depth - 1)

    def constant(self, _: int) -> p.Value:
        return p.K(self.random.randint(-4, 6))

    def read_register(self, depth: int) -> p.Value:
        return p.R(self.random.choice(self.known)) if self.known else self.constant(depth)

    def cell(self, depth: int) -> p.Cell:
        """A cell: at a fixed place, or by one, two or three indexes."""
        shape = self.random.choice([(), ((8, 1),), ((2, 4), (4, 1)), ((2, 4), (2, 2), (2, 1))])
        terms = tuple((self.index(depth, count), stride) for count, stride in shape)
        return p.Cell(self.base + (0 if shape else self.random.randrange(CELLS)), terms)

    def index(self, depth: int, count: int) -> p.Value:
        if count == 8 and depth <= 0:
            return p.K(self.random.randrange(count))
        return p.Op("mod", self.value(max(depth, 0)), p.K(count))

    def row(self, depth: int) -> p.Value:
        data = tuple(self.random.randint(-5, 5) for _ in range(self.random.randint(4, 6)))
        if self.random.random() < 0.3:
            return p.Row("prices", data, self.value(depth), True, self.span())
        return p.Row("prices", data, self.index(depth, len(data)), False, self.span())

    def op(self, depth: int) -> p.Value:
        return p.Op(self.random.choice(OPS), self.value(depth), self.value(depth))

    def division(self, depth: int) -> p.Value:
        by: p.Value = p.K(self.random.choice([1, 2, 3, 4, 7]))
        if self.random.random() < 0.4:
            size = p.Op("max", self.value(depth), p.K(1))
            by = size if self.random.random() < 0.5 else p.Op("sub", p.K(0), size)
        return p.Op(self.random.choice(DIVISIONS), self.value(depth), by)

    def product(self, depth: int) -> p.Value:
        product = p.Op("mul", self.value(depth), p.Op("mod", self.value(depth), p.K(5)))
        return p.Op("mod", product, p.K(23))

    def with_(self, depth: int) -> p.Value:
        register, bound = self.register(), self.value(depth)
        self.known.append(register)
        body = self.value(depth)
        self.known.pop()
        return p.With(register, bound, body)

    def bounds(self, depth: int) -> tuple[p.Value, p.Value]:
        """A domain: short, empty, long, or of a length that is worked out."""
        low = self.random.randint(-2, 2)
        if self.random.random() < 0.6:
            return p.K(low), p.K(low + self.random.choice([0, 1, 3, 4, 40]))
        return p.K(low), p.Op("mod", self.value(depth), p.K(6))

    def fold(self, depth: int) -> p.Value:
        register, op = self.register(), self.random.choice(FOLDS)
        low, high = self.bounds(depth)
        empty = self.value(depth) if self.random.random() < 0.7 else None
        self.known.append(register)
        where = self.value(depth) if self.random.random() < 0.5 else None
        weight = None
        if op in ("sum", "count") and self.random.random() < 0.3:
            weight = p.Op("mod", self.value(depth), p.K(3))
        body: p.Value = p.Op("mod", self.value(depth), p.K(9))
        if op == "sum" and self.random.random() < 0.3:
            body = self.looked_up()
        count = self.random.randint(1, 3) if op == "best" else 0
        keys = tuple(self.value(depth) for _ in range(count))
        self.known.pop()
        return p.Fold(op, register, low, high, where, body, weight, keys, empty, self.span())

    def looked_up(self) -> p.Value:
        """What stands in a table by a cell that is checked; the check is the same in all rounds."""
        cell = p.Cell(self.base + self.random.randrange(CELLS))
        checked = p.Checked(p.Op("ge", cell, p.K(0)), cell, "missing", self.span())
        return p.Row("table", (3, 1, 4), p.Op("min", checked, p.K(2)), False, self.span())

    def checked(self, depth: int) -> p.Value:
        condition = p.Or(self.value(depth), self.value(depth))
        return p.Checked(condition, self.value(depth), "missing", self.span())

    # ---------------------------------------------------------------- code

    def code(self, depth: int, count: int) -> tuple[p.Code, ...]:
        before = len(self.known)
        made = tuple(self.piece(depth) for _ in range(count))
        del self.known[before:]
        return made

    def piece(self, depth: int) -> p.Code:
        plain = [self.set, self.set, self.zero, self.reg, self.clear, self.check, self.note]
        nested = [self.cond, self.loop, self.copy, self.move_all, self.while_]
        made: Callable[[int], p.Code] = self.random.choice(plain + (nested if depth else []))
        return made(depth)

    def set(self, depth: int) -> p.Code:
        value = p.Op("mod", self.value(3), p.K(50))
        low, high = self.random.choice([(None, None), (None, None), (0, 48), (None, 40), (2, None)])
        return p.Set(self.cell(1), value, low, high, self.span())

    def zero(self, depth: int) -> p.Code:
        at = p.Cell(self.base + self.random.randrange(CELLS))
        return p.Set(at, p.K(self.random.choice([0, 0, -1, 5])), None, None, self.span())

    def reg(self, depth: int) -> p.Code:
        register = self.register()
        made = p.Reg(register, self.value(2))
        self.known.append(register)
        return made

    def clear(self, depth: int) -> p.Code:
        count = self.random.choice([1, 2, 3, 5, 7])
        return p.Clear(p.Cell(self.base, ((p.Op("mod", self.value(1), p.K(2)), 1),)), count)

    def check(self, depth: int) -> p.Code:
        some = p.Or(self.value(2), p.Op("ge", self.value(1), p.K(-3)))
        return p.Check(some, "full", self.span())

    def note(self, depth: int) -> p.Code:
        return p.Note("seen", self.span(), (self.value(1),), self.span())

    def cond(self, depth: int) -> p.Code:
        return p.Cond(
            self.value(2),
            self.code(depth - 1, self.random.randint(1, 2)),
            self.code(depth - 1, self.random.randint(0, 2)),
        )

    def loop(self, depth: int) -> p.Code:
        register, (low, high) = self.register(), self.bounds(1)
        self.known.append(register)
        body = self.code(depth - 1, self.random.randint(1, 2))
        self.known.pop()
        return p.Loop(register, low, high, body)

    def copy(self, depth: int) -> p.Code:
        """Cells in a row from one place to another, which may overlap."""
        register, count = self.register(), self.random.randint(1, 6)
        source, into = (self.base + self.random.randint(0, LOW - count) for _ in range(2))
        own = ((p.R(register), 1),)
        copied = p.Set(p.Cell(into, own), p.Cell(source, own), None, None, self.span())
        return p.Loop(register, p.K(0), p.K(count), (copied,))

    def move_all(self, depth: int) -> p.Code:
        """All that lies in a row to another, of the same piece of state or not."""
        register, amount, count = self.register(), self.register(), self.random.randint(1, 3)
        member = p.R(register)
        source = p.Cell(self.base + self.random.randint(0, 1), ((member, 1),))
        index: p.Value = p.Op("add", member, p.K(self.random.choice([0, 1])))
        into = self.base + self.random.choice([0, LOW])
        code: list[p.Code] = [self.note(0)]
        if self.random.random() < 0.5:
            place = self.register()
            data = (1, 2, 3, 0) if self.random.random() < 0.7 else (0, 0, 2, 1)
            code.insert(0, p.Reg(place, p.Row("places", data, member, False, self.span())))
            index = p.R(place)
        target = p.Cell(into, ((index, 1),))
        for cell, left in ((source, p.K(0)), (target, p.Op("add", target, p.R(amount)))):
            code.append(p.Set(cell, left, None, None, self.span()))
        some = p.Cond(p.Op("gt", p.R(amount), p.K(0)), tuple(code), ())
        return p.Loop(register, p.K(0), p.K(count), (p.Reg(amount, source), some))

    def while_(self, depth: int) -> p.Code:
        bound, strict = p.Op("mod", self.value(1), p.K(4)), self.random.random() < 0.5
        body = self.code(depth - 1, self.random.randint(1, 2))
        return p.While(self.value(2), bound, strict, body, self.span())


def code_machine(random: Random) -> p.Machine:
    """A machine that rests at a pause, and then carries out some random code."""
    model = model_of("code")
    seats = 2
    base = p.POINTS + seats
    maker = Maker(random, base)
    pieces = maker.code(2, random.randint(1, 6))
    end: p.End = p.Jump(2)
    if random.random() < 0.5:
        end = p.Branch(maker.value(2), 2, 3)
    elif random.random() < 0.5:
        end = p.Switch(p.Op("mod", maker.value(2), p.K(3)), ((0, 2), (1, 3), (2, 2)))
    blocks = [
        p.Block(0, "start", (), p.Halt(0)),
        p.Block(1, "code", pieces, end),
        p.Block(2, "more", maker.code(1, 2), p.Halt(1)),
        p.Block(3, "over", (), p.Halt(1)),
    ]
    stops: list[p.Stop] = [p.Pause(0, 1), p.Over(1)]
    layout = p.Layout(seats, cells=base + CELLS)
    # as piles they have narrow cells
    low, high = (Zone(name, "shared", Shape.PILE, (), Span(TEXT, 0, 1)) for name in ("low", "high"))
    layout.slots += [
        p.Slot(low.name, base, LOW, 1, random.choice([None, low])),
        p.Slot(high.name, base + LOW, CELLS - LOW, 1, random.choice([None, high])),
    ]
    start = [0] * (base + CELLS)
    return machine_of(model, seats, layout, start, blocks, stops, [], maker.registers)
