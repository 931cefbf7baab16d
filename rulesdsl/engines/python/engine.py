"""The engine that writes Python for what is run often, and runs that.

Generated code knows only how things go well. Where it is stuck, the reference engine does the
same once more, and says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from attrs import define, field

from rulesdsl.engines.choices import Choices
from rulesdsl.engines.python.bulk import Bulk, NotInBulk
from rulesdsl.engines.python.choices import GeneratedChoices, GeneratedChoicesAhead
from rulesdsl.engines.python.source import Sources, Weights
from rulesdsl.engines.python.writing import Stuck
from rulesdsl.engines.reference import Engine, WholeGame
from rulesdsl.engines.values import Fn, Numbers, Registers
from rulesdsl.machine.program import AT, ME, RUNNING, Choose, Draw, Value
from rulesdsl.text.limits import STEPS_PER_MOVE

Root: TypeAlias = Callable[[Numbers, int, tuple[int, ...]], tuple[int, int]]
"""A block with what only it leads to: from the record, the steps left and the values of the
block's registers to the next block (-1: at a stop) and the steps left."""
FAILURES = (Stuck, LookupError, ArithmeticError)


@define(eq=False)
class GeneratedEngine(Engine):
    """Runs a machine by generated Python. What runs for the first times is left to the
    reference engine (`patience` times), since writing takes longer than running."""

    patience: int = 3
    sources: Sources = field(init=False)
    _roots: list[Root] = field(init=False)
    _weights: dict[int, Weights] = field(factory=dict, init=False)
    _whole: dict[bool, WholeGame] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self.sources = Sources(self.machine, self._fired)
        self._roots = [self._patient(number) for number in range(len(self.machine.blocks))]

    # ---------------------------------------------------------------- running

    def after(
        self,
        before: Numbers,
        block: int,
        values: tuple[int, ...] = (),
        seat: int | None = None,
        steps: int = STEPS_PER_MOVE,
    ) -> tuple[Numbers, int]:
        record, fired, roots = before.copy(), self._fired.times.copy(), self._roots
        record[AT] = RUNNING
        if seat is not None:
            record[ME] = seat
        number, left = block, steps
        try:
            while number >= 0:
                number, left = roots[number](record, left, values)
                if left < 0:
                    raise Stuck
        except FAILURES:
            self.fired[:] = fired
            return super().after(before, block, values, seat, steps)
        return record, left

    def _look_on(self, record: Numbers, block: int, registers: Registers, until: int) -> None:
        before, fired, steps = record.copy(), self.fired.copy(), registers[-1]
        number = block
        values = tuple(registers[one] for one in self.machine.blocks[block].registers)
        try:
            while number >= 0 and number != until:
                number, steps = self._roots[number](record, steps, values)
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
        left, numbers = self.patience, self.machine.blocks[number].registers

        def root(record: Numbers, steps: int, values: tuple[int, ...]) -> tuple[int, int]:
            nonlocal left
            left -= 1
            if left < 0:
                self._roots[number] = self.sources.root(number)
                return self._roots[number](record, steps, values)
            registers = {-1: steps, **dict(zip(numbers, values, strict=False))}
            after = self.one_block(record, number, registers)
            return after, registers[-1]

        return root

    def whole_games(self, bots: bool) -> WholeGame | None:
        if bots not in self._whole:
            try:
                self._whole[bots] = Bulk(self.sources, bots).function()
            except NotInBulk:
                return None
        return self._whole[bots]

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
        return found(record, {-1: STEPS_PER_MOVE})

    def function(self, v: Value) -> Fn:
        found = self._values.get(id(v))
        if found is None:
            found = self._values[id(v)] = (v, self.sources.value(v))
        return found[1]
