"""The engine that writes Python for what is run often, and runs that.

Generated code knows only how things go well. Where it is stuck, the reference engine does the
same once more, and says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from attrs import define, field

from rulesdsl.engines.choices import Choices
from rulesdsl.engines.code import Trace
from rulesdsl.engines.python.bulk import Bulk, NotInBulk
from rulesdsl.engines.python.choices import GeneratedChoices, GeneratedChoicesAhead
from rulesdsl.engines.python.source import Sources, Weights
from rulesdsl.engines.python.writing import Stuck
from rulesdsl.engines.reference import Engine, WholeGame
from rulesdsl.engines.values import Fn, Numbers
from rulesdsl.machine.program import Choose, Draw, Value

Root: TypeAlias = Callable[[Numbers, int, Numbers], tuple[int, int]]
"""A block with what only it leads to: from the record, the steps left and the registers to the
next block (-1: at a stop) and the steps left."""
FAILURES = (Stuck, LookupError, ArithmeticError)


@define(eq=False)
class GeneratedEngine(Engine):
    """Runs a machine by generated Python. What runs for the first times is left to the
    reference engine (`patience` times), since writing takes longer than running."""

    patience: int = 3
    sources: Sources = field(init=False)
    _roots: list[Root] = field(init=False)
    _weights: dict[int, Weights] = field(factory=dict, init=False)
    _whole: WholeGame | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self.sources = Sources(self.machine, self._fired)
        self._roots = [self._patient(number) for number in range(len(self.machine.blocks))]

    # ---------------------------------------------------------------- running

    def run(
        self, record: Numbers, block: int, registers: Numbers, trace: Trace | None = None
    ) -> None:
        if trace is not None:
            super().run(record, block, registers, trace)
            return
        before, fired = record.copy(), self.fired.copy()
        try:
            registers[-1] = self.go_on(record, block, registers[-1], registers)
        except FAILURES:
            record[:], self.fired[:] = before, fired
            super().run(record, block, registers)

    def go_on(self, record: Numbers, block: int, steps: int, registers: Numbers) -> int:
        """Run to the next stop; the steps that are left. Any failure leaves a record behind
        that is of no use."""
        roots = self._roots
        while block >= 0:
            block, steps = roots[block](record, steps, registers)
            if steps < 0:
                raise Stuck
        return steps

    def _look_on(self, record: Numbers, block: int, registers: Numbers, until: int) -> None:
        before, fired, steps = record.copy(), self.fired.copy(), registers[-1]
        try:
            while block >= 0 and block != until:
                block, steps = self._roots[block](record, steps, registers)
                if steps < 0:
                    raise Stuck
            registers[-1] = steps
        except FAILURES:
            record[:] = before
            super()._look_on(record, block, registers, until)
        finally:
            self.fired[:] = fired

    def _patient(self, number: int) -> Root:
        """A block by the reference at first, then by code of its own."""
        left = self.patience

        def root(record: Numbers, steps: int, registers: Numbers) -> tuple[int, int]:
            nonlocal left
            left -= 1
            if left < 0:
                self._roots[number] = self.sources.root(number)
                return self._roots[number](record, steps, registers)
            registers[-1] = steps
            after = self.one_block(record, number, registers)
            return after, registers[-1]

        return root

    def whole_games(self) -> WholeGame | None:
        if self._whole is None:
            try:
                self._whole = Bulk(self.sources).function()
            except NotInBulk:
                return None
        return self._whole

    # ---------------------------------------------------------------- asking

    def choices(self, stop: Choose) -> Choices:
        found = self._choices.get(stop.number)
        if found is None:
            if stop.ahead is not None:
                found = GeneratedChoicesAhead(stop, self._look_on, self.sources, self.patience)
            else:
                found = GeneratedChoices(stop, self.sources, self.patience)
            self._choices[stop.number] = found
        return found

    def weights(self, draw: Draw, record: Numbers) -> list[int]:
        found = self._weights.get(draw.number)
        if found is None:
            found = self._weights[draw.number] = self.sources.weights(draw, super().weights)
        return found(record, self.registers())

    def function(self, v: Value) -> Fn:
        found = self._values.get(id(v))
        if found is None:
            found = self._values[id(v)] = (v, self.sources.value(v))
        return found[1]
