"""The reference engine: every block turned once into Python functions, run one after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, assert_never

from attrs import define, field

from rulesdsl.engines.ahead import ChoicesAhead
from rulesdsl.engines.choices import Choices
from rulesdsl.engines.code import Sink, Step, Trace, sequence, span_of
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.values import Fn, Numbers, value
from rulesdsl.machine.program import (
    AT,
    Block,
    Branch,
    Choose,
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

Next: TypeAlias = Callable[[Numbers, Numbers], int]
"""The end of a block: the number of the next one, or -1 - the number of a stop."""


@define(eq=False)
class Engine:
    """Runs a machine. Blocks and values are prepared when they are first needed."""

    machine: Machine
    _sink: Sink = field(factory=Sink)
    _plain: dict[int, tuple[Step, Next]] = field(factory=dict)
    _noted: dict[int, tuple[Step, Next]] = field(factory=dict)
    _choices: dict[int, Choices] = field(factory=dict)
    _values: dict[int, tuple[Value, Fn]] = field(factory=dict)

    def registers(self, steps: int = STEPS_PER_MOVE) -> Numbers:
        """Registers for one move; the last one counts the steps that are left.

        Steps are blocks, rounds of loops, and members of domains that are looked at.
        """
        registers = [0] * (self.machine.registers + 1)
        registers[-1] = steps
        return registers

    def run(
        self, record: Numbers, block: int, registers: Numbers, trace: Trace | None = None
    ) -> None:
        """Change the record from the start of a block to the next stop."""
        if trace is None:
            self._run(record, block, registers, self._plain, None)
            return
        before, self._sink.trace = self._sink.trace, trace
        try:
            self._run(record, block, registers, self._noted, self._sink)
        finally:
            self._sink.trace = before

    def _run(
        self,
        record: Numbers,
        block: int,
        registers: Numbers,
        prepared: dict[int, tuple[Step, Next]],
        sink: Sink | None,
        until: int = -1,
    ) -> None:
        number = block
        try:
            while number >= 0:
                if number == until:
                    return
                ready = prepared.get(number)
                if ready is None:
                    ready = prepared[number] = _prepare(self.machine.blocks[number], sink)
                registers[-1] -= 1
                if registers[-1] < 0:
                    raise RuleFault("limit", span_of(self.machine.blocks[number].code))
                code, end = ready
                code(record, registers)
                number = end(record, registers)
        except (LookupError, ArithmeticError) as error:
            name = self.machine.blocks[number].name
            raise InternalError(f"block {number} ({name}) failed: {error!r}") from error
        stop = self.machine.stops[-1 - number]
        record[AT] = AT_OVER if isinstance(stop, Over) else stop.number + 1

    def _look_on(self, record: Numbers, block: int, registers: Numbers, until: int) -> None:
        """Run without a word to the next stop, or to the block `until`."""
        self._run(record, block, registers, self._plain, None, until)

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

    def evaluate(self, v: Value, record: Numbers, first: int = 0) -> int:
        """A value in a record, with register 0 set."""
        registers = self.registers()
        registers[0] = first
        return self.function(v)(record, registers)


def _prepare(block: Block, sink: Sink | None) -> tuple[Step, Next]:
    return sequence(block.code, sink), _end(block.end)


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
