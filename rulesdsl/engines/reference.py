"""The reference engine: every block turned once into Python functions, run one after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, assert_never

from attrs import define, field

from rulesdsl.engines.ahead import ChoicesAhead
from rulesdsl.engines.choices import Choices
from rulesdsl.engines.code import Fired, Noting, Sink, Step, Trace, sequence, span_of
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.values import Fn, Numbers, Registers, value
from rulesdsl.machine.program import (
    AT,
    ME,
    RUNNING,
    Block,
    Branch,
    Choose,
    Draw,
    End,
    Halt,
    Jump,
    Machine,
    Over,
    Switch,
    Value,
)
from rulesdsl.machine.program import OVER as AT_OVER
from rulesdsl.text.limits import STEPS_PER_MOVE
from rulesdsl.text.problems import InternalError

WholeGame: TypeAlias = Callable[..., int]
"""Plays a game on a record; how often it has gone on (see engines/python/bulk.py)."""
Next: TypeAlias = Callable[[Numbers, Registers], int]
"""The end of a block: the number of the next one, or -1 - the number of a stop."""


@define(eq=False)
class Engine:
    """Runs a machine. Blocks and values are prepared when they are first needed."""

    machine: Machine
    _fired: Fired = field(init=False)
    _sink: Sink = field(factory=Sink, init=False)
    _plain: dict[int, tuple[Step, Next]] = field(factory=dict, init=False)
    _noted: dict[int, tuple[Step, Next]] = field(factory=dict, init=False)
    _choices: dict[int, Choices] = field(factory=dict, init=False)
    _values: dict[int, tuple[Value, Fn]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self._fired = Fired(self.machine.rules)

    @property
    def fired(self) -> list[int]:
        """How often each rule has been at work in runs without a trace, by its index."""
        return self._fired.times

    def after(
        self,
        before: Numbers,
        block: int,
        values: tuple[int, ...] = (),
        seat: int | None = None,
        steps: int = STEPS_PER_MOVE,
    ) -> tuple[Numbers, int]:
        """The record at the next stop, from the start of a block with the values of its
        registers; and how many of the steps are left. `before` stays as it is.

        Steps are blocks, rounds of loops, and members of domains that are looked at. In a region
        it is the run of a seat.
        """
        record = before.copy()
        registers = self._begin(record, block, values, seat)
        registers[-1] = steps
        self._run(record, block, registers, self._plain, self._fired)
        return record, registers[-1]

    def follow(
        self,
        record: Numbers,
        block: int,
        values: tuple[int, ...],
        seat: int | None,
        trace: Trace,
    ) -> None:
        """Change the record from the start of a block to the next stop, and tell of all notes."""
        registers = self._begin(record, block, values, seat)
        before, self._sink.trace = self._sink.trace, trace
        try:
            self._run(record, block, registers, self._noted, self._sink)
        finally:
            self._sink.trace = before

    def _begin(
        self, record: Numbers, block: int, values: tuple[int, ...], seat: int | None
    ) -> Registers:
        """The registers that a block begins with, for one move."""
        record[AT] = RUNNING
        if seat is not None:
            record[ME] = seat
        numbers = self.machine.blocks[block].registers
        return {-1: STEPS_PER_MOVE, **dict(zip(numbers, values, strict=True))}

    def _run(
        self,
        record: Numbers,
        block: int,
        registers: Registers,
        prepared: dict[int, tuple[Step, Next]],
        noting: Noting,
        until: int = -1,
    ) -> None:
        number = block
        try:
            while number >= 0 and number != until:
                ready = prepared.get(number)
                if ready is None:
                    ready = prepared[number] = _prepare(self.machine.blocks[number], noting)
                number = self._block(record, number, registers, ready)
        except (LookupError, ArithmeticError) as error:
            name = self.machine.blocks[number].name
            raise InternalError(f"block {number} ({name}) failed: {error!r}") from error

    def _block(
        self, record: Numbers, number: int, registers: Registers, ready: tuple[Step, Next]
    ) -> int:
        """Carry out one block; the number of the next one, below 0 at a stop."""
        registers[-1] -= 1
        if registers[-1] < 0:
            raise RuleFault("limit", span_of(self.machine.blocks[number].code))
        code, end = ready
        code(record, registers)
        after = end(record, registers)
        if after < 0:
            stop = self.machine.stops[-1 - after]
            record[AT] = AT_OVER if isinstance(stop, Over) else stop.number + 1
        return after

    def one_block(self, record: Numbers, number: int, registers: Registers) -> int:
        """Carry out one block without a trace; the number of the next one, below 0 at a stop."""
        ready = self._plain.get(number)
        if ready is None:
            ready = _prepare(self.machine.blocks[number], self._fired)
            self._plain[number] = ready
        return self._block(record, number, registers, ready)

    def _look_on(self, record: Numbers, block: int, registers: Registers, until: int) -> None:
        """Run to the next stop, or to the block `until`; nothing of it is counted."""
        before = self.fired.copy()
        try:
            self._run(record, block, registers, self._plain, self._fired, until)
        finally:
            self.fired[:] = before

    def whole_games(self, bots: bool) -> WholeGame | None:
        """A function that plays whole games, if the engine has one; without `bots` those in which
        all play at random."""
        return None

    def choices(self, stop: Choose) -> Choices:
        """The options of a stop, prepared."""
        found = self._choices.get(stop.number)
        if found is None:
            ahead = stop.ahead is not None
            found = ChoicesAhead(stop, self._look_on) if ahead else Choices(stop)
            self._choices[stop.number] = found
        return found

    def function(self, v: Value) -> Fn:
        """The function that evaluates a value, made once."""
        found = self._values.get(id(v))
        if found is None:
            # the value is kept beside, so that its id stays its own
            found = self._values[id(v)] = (v, value(v))
        return found[1]

    def weights(self, draw: Draw, record: Numbers) -> list[int]:
        """The weight of each outcome of a draw; a fault if nothing can come out."""
        weigh, registers = self.function(draw.weight), {-1: STEPS_PER_MOVE}
        found = []
        for number in range(draw.count):
            registers[draw.register] = number
            found.append(weigh(record, registers))
        if not any(found):
            raise RuleFault("empty", draw.span)
        return found

    def evaluate(self, v: Value, record: Numbers, first: int = 0) -> int:
        """A value in a record, with register 0 set."""
        return self.function(v)(record, {0: first, -1: STEPS_PER_MOVE})

    def by_seat(self, v: Value, record: Numbers) -> tuple[int, ...]:
        """A value in a record for each seat, which is in register 0."""
        function, seats = self.function(v), range(self.machine.seats)
        return tuple([function(record, {0: seat, -1: STEPS_PER_MOVE}) for seat in seats])


def _prepare(block: Block, noting: Noting) -> tuple[Step, Next]:
    return sequence(block.code, noting), _end(block.end)


def _end(end: End) -> Next:
    match end:
        case Jump():
            block = end.block
            return lambda s, r: block
        case Halt():
            stop = -1 - end.stop
            return lambda s, r: stop
        case Branch():
            condition, then, otherwise = value(end.condition), end.then, end.otherwise
            return lambda s, r: then if condition(s, r) else otherwise
        case Switch():
            worth, blocks = value(end.value), dict(end.blocks)
            return lambda s, r: blocks[worth(s, r)]
        case _:
            assert_never(end)
