"""Building blocks one after another: where code goes, what lives in cells, what may stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attrs import Factory, define, evolve, field

from rulesdsl.check import model as m
from rulesdsl.machine.families import Families
from rulesdsl.machine.fold import cell
from rulesdsl.machine.places import Registers
from rulesdsl.machine.program import (
    ME,
    POINTS,
    WAITING,
    Ahead,
    Branch,
    Cell,
    Code,
    Draw,
    End,
    Halt,
    Jump,
    K,
    Layout,
    Note,
    R,
    Reg,
    Rule,
    Set,
    Slot,
    Stop,
    Value,
)
from rulesdsl.machine.values import Values
from rulesdsl.syntax.cites import Cite
from rulesdsl.text.source import NOWHERE, Span


@define(eq=False)
class Draft:
    """A block while it is built."""

    number: int
    name: str
    code: list[Code] = Factory(list)
    end: End | None = None
    registers: tuple[int, ...] = ()


@define(eq=False)
class Turns:
    """A loop over turns while its body is lowered: who is next, how many are still to come (-1:
    no end), the way round (1 or -1, a cell if it may change), and the way it began with."""

    coming: Cell
    left: Cell
    way: Value
    around: Value


@define(eq=False)
class Longest:
    """A loop `as many as possible` while its body is lowered: the rounds left, and its end."""

    ahead: Ahead
    done: Draft


@define(eq=False)
class RegionAt:
    """A region while its body is lowered: its number and the block of its scheduler."""

    number: int
    scheduler: Draft


@define(eq=False)
class Instance:
    """A procedure or phase that stops, lowered once for a region (or none)."""

    entry: Draft
    leave: Draft
    back: Cell
    formals: list[Cell]
    sites: list[Draft] = Factory(list)


@define(eq=False)
class Builder:
    """The machine while it is built."""

    values: Values
    layout: Layout
    registers: Registers
    families: Families
    drafts: list[Draft] = Factory(list)
    stops: list[Stop] = Factory(list)
    rules: list[Rule] = Factory(list)
    instances: dict[tuple[int, int | None], Instance] = Factory(dict)
    phase_names: list[str] = field(factory=lambda: [""])
    phase_exits: dict[int, Draft] = Factory(dict)
    code: list[Code] = Factory(list)
    current: Draft | None = None
    region: RegionAt | None = None
    regions: int = 0
    loop_ends: list[Draft] = Factory(list)
    turns: list[Turns] = Factory(list)
    longest: Longest | None = None
    where: str = ""
    cites: tuple[Cite, ...] = ()
    over: Draft = field(default=None)
    end_phase: Draft = field(default=None)
    lower_body: Callable[[m.Body], None] = field(default=None)
    stopping: dict[int, bool] = Factory(dict)

    @property
    def model(self) -> m.Model:
        return self.values.model

    @property
    def seats(self) -> int:
        return self.values.seats

    # ---------------------------------------------------------------- blocks

    def draft(self, name: str) -> Draft:
        """A new block, not yet begun."""
        block = Draft(len(self.drafts), name)
        self.drafts.append(block)
        return block

    def begin(self, block: Draft) -> None:
        """Code goes into this block from here on."""
        self.current = block
        self.code = block.code

    def finish(self, end: End) -> None:
        """The current block ends; what follows in the same body cannot be reached."""
        if self.current is not None:
            self.current.end = end
        self.current = None
        self.code = []

    def jump(self, block: Draft) -> None:
        self.finish(Jump(block.number))

    def go_on(self, block: Draft) -> None:
        """End the current block and begin the next one."""
        self.jump(block)
        self.begin(block)

    def rest(self, stop: Stop) -> None:
        """The game (or, in a region, this seat) rests at a stop."""
        if self.region is None:
            self.finish(Halt(stop.number))
            return
        if isinstance(stop, Draw):
            self.stops[stop.number] = evolve(stop, region=self.region.number)
        me = Cell(ME)
        self.set(cell(POINTS, (me, 1)), K(WAITING + stop.number))
        self.set(me, K(0))
        self.jump(self.region.scheduler)

    def add_stop(self, make: Callable[[int], Stop]) -> Stop:
        stop = make(len(self.stops))
        self.stops.append(stop)
        return stop

    # ---------------------------------------------------------------- code

    def emit(self, code: Code) -> None:
        self.code.append(code)

    def set(
        self,
        target: Cell,
        value: Value,
        low: int | None = None,
        high: int | None = None,
        span: Span = NOWHERE,
    ) -> None:
        self.emit(Set(target, value, low, high, span))

    def note(self, kind: str, subject: object, *values: Value, span: Span = NOWHERE) -> None:
        self.emit(Note(kind, subject, values, span))

    def hold(self, value: Value) -> Value:
        """The value as it is now, whatever happens to the cells it is read from."""
        if isinstance(value, (K, R)):
            return value
        number = self.registers.new()
        self.emit(Reg(number, value))
        return R(number)

    @contextmanager
    def inner(self) -> Iterator[list[Code]]:
        """Code goes into a list of its own (a body of straight code)."""
        outer, self.code = self.code, []
        try:
            yield self.code
        finally:
            self.code = outer

    def where_flow(self, condition: Value, body: Callable[[], None]) -> None:
        """Blocks for a body under a condition."""
        then, on = self.draft("where"), self.draft("on")
        self.finish(Branch(condition, then.number, on.number))
        self.begin(then)
        body()
        self.jump(on)
        self.begin(on)

    # ---------------------------------------------------------------- cells

    def local(self, name: str, width: int = 1) -> Cell:
        """New cells for something that lives over a stop; in a region one set a seat."""
        own = self.region is not None
        copies = self.seats if own else 1
        slot = Slot(name, self.layout.cells, width, copies, None, own=own)
        self.layout.slots.append(slot)
        self.layout.cells += width * copies
        if not own:
            return cell(slot.base)
        return cell(slot.base, (Cell(ME), width))

    def keep(self, name: str, value: Value) -> Value:
        """The value in a cell of its own, unless it is a constant."""
        if isinstance(value, K):
            return value
        target = self.local(name)
        self.set(target, value)
        return target

    # ---------------------------------------------------------------- rules

    def rule(self, name: str, span: Span, cites: tuple[Cite, ...]) -> None:
        """Note that a rule is carried out."""
        rule = next((r for r in self.rules if r.name == name and r.span == span), None)
        if rule is None:
            rule = Rule(name, span, cites)
            self.rules.append(rule)
        self.note("rule", rule, span=span)

    @contextmanager
    def inside(self, name: str, cites: tuple[Cite, ...]) -> Iterator[None]:
        """Steps lowered here belong to a procedure or phase of this name."""
        before = self.where, self.cites
        self.where, self.cites = name, cites or self.cites
        try:
            yield
        finally:
            self.where, self.cites = before
