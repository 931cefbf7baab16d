"""The WebAssembly engine: many games played to their ends at once."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from attrs import define, field

from rulesdsl.engines.chance import mix
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.finished import Finished, Shape
from rulesdsl.engines.wasm.batch import Batch
from rulesdsl.engines.wasm.describing import describe
from rulesdsl.engines.wasm.host import Compiled, Instance, compile_text, numpy, signed
from rulesdsl.engines.wasm.memory import ROW_HEAD
from rulesdsl.engines.wasm.module import Written, write
from rulesdsl.engines.wasm.values import CELL
from rulesdsl.engines.wasm.writing import FIRST_FAULT
from rulesdsl.machine.policy import Policy
from rulesdsl.machine.program import Choose, Machine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CHUNK, MANY = 256, 2_048
"""Games that are played in one call: by one of several threads, by one alone."""


@define(eq=False)
class WasmEngine:
    """A machine, with the policies that can play it, compiled to WebAssembly."""

    machine: Machine
    policies: tuple[Policy, ...]
    _written: Written
    _compiled: Compiled
    _idle: list[Instance] = field(factory=list, init=False)

    @classmethod
    def of(cls, machine: Machine, policies: Sequence[Policy] = ()) -> WasmEngine:
        """The engine of a machine. Raises MissingExtra if wasmtime is not installed."""
        written = write(machine, tuple(policies))
        return cls(machine, tuple(policies), written, compile_text(written.text))

    @property
    def text(self) -> str:
        """The module as WebAssembly text."""
        return self._written.text

    # ---------------------------------------------------------------- whole games

    def play_many(
        self,
        cast: Sequence[Policy | None],
        seed: int,
        numbers: range,
        rotate: bool = False,
        jobs: int = 1,
    ) -> Finished:
        """Games of these numbers under a seed, from the start to their ends.

        `cast` are the bots, None for one who plays at random. Seat s of game n is played by bot
        s, where seats rotate by bot (s + n) mod seats. With `jobs` threads the result is the same.
        """
        return self._play(None, cast, seed, numbers, rotate, jobs)

    def play_on(
        self,
        record: Sequence[int],
        cast: Sequence[Policy | None],
        seed: int,
        numbers: range,
        rotate: bool = False,
        jobs: int = 1,
    ) -> Finished:
        """Games from a record, at rest at a stop, on to their ends."""
        return self._play(record, cast, seed, numbers, rotate, jobs)

    def ends(
        self, cast: Sequence[Policy | None], seed: int, numbers: range, rotate: bool = False
    ) -> NDArray[np.int32]:
        """The records at the ends of the same games as `play_many`, [game, cell], and no more.

        Raises the fault of the first game that ends in one.
        """
        lib, who, instance = numpy(), self._numbered(cast), self._take()
        shape = len(numbers), self.machine.layout.cells
        found: NDArray[np.int32] = lib.empty(shape, lib.int32)
        plan = self._written.plan
        head = plan.head // CELL
        for at, chunk in enumerate(_chunks(numbers, MANY)):
            rows = _Chunk(self, instance, None, who).run(seed, chunk, rotate)
            table = lib.asarray(rows).reshape(len(chunk), -1)
            wrong = table[table[:, 0] <= -FIRST_FAULT]
            if len(wrong):
                raise self.fault(int(wrong[0, 0]), int(wrong[0, 1]))
            here = found[at * MANY : at * MANY + len(chunk)]
            here[:] = table[:, head : head + found.shape[1]]
        self._idle.append(instance)
        return found

    def batch(self, seed: int, numbers: range) -> Batch:
        """Games of these numbers under a seed, stepped together."""
        return Batch(self.machine, self._written, self.instance(), seed, numbers)

    def instance(self) -> Instance:
        """The module with memory of its own, for hosts that step by themselves."""
        return Instance(self._compiled, self._written.heap)

    def fault(self, code: int, detail: int) -> RuleFault:
        """The fault that a function of the module has returned, with the global `detail`."""
        return self._written.sites.fault(code, detail)

    def describe(self) -> dict[str, object]:
        """What a host of the module has to know, for JSON."""
        return describe(self.machine, self._written)

    def _play(
        self,
        record: Sequence[int] | None,
        cast: Sequence[Policy | None],
        seed: int,
        numbers: range,
        rotate: bool,
        jobs: int,
    ) -> Finished:
        who, chunks = self._numbered(cast), _chunks(numbers, MANY if jobs == 1 else CHUNK)

        def play(chunk: range) -> Finished:
            instance = self._take()
            try:
                return _Chunk(self, instance, record, who).play(seed, chunk, rotate)
            finally:
                self._idle.append(instance)

        found = Finished(self._shape)
        if jobs == 1:
            for chunk in chunks:
                found.add(play(chunk))
            return found
        pool = ThreadPoolExecutor(jobs)
        try:
            for part in pool.map(play, chunks):
                found.add(part)
        finally:
            # whoever breaks off does not wait for games that have not begun
            pool.shutdown(cancel_futures=True)
        return found

    @property
    def _shape(self) -> Shape:
        """Of a row as it lies in memory."""
        plan = self._written.plan
        record = plan.head // CELL
        end = record + self.machine.layout.cells
        return Shape(plan.seats, ROW_HEAD, record, end, plan.row // CELL)

    def _numbered(self, cast: Sequence[Policy | None]) -> list[int]:
        """For each bot the number of its policy, from 1; 0 for random."""
        if len(cast) != self.machine.seats:
            raise ValueError(f"{self.machine.seats} play, not {len(cast)}")
        numbers = {id(policy): number for number, policy in enumerate(self.policies, start=1)}
        unknown = [bot.name for bot in cast if bot is not None and id(bot) not in numbers]
        if unknown:
            raise ValueError(f"the engine was not made with the bot {unknown[0]}")
        return [0 if bot is None else numbers[id(bot)] for bot in cast]

    def _take(self) -> Instance:
        """An instance for one thread."""
        try:
            return self._idle.pop()
        except IndexError:
            return self.instance()


def _chunks(numbers: range, size: int) -> list[range]:
    return [numbers[at : at + size] for at in range(0, len(numbers), size)]


@define(eq=False)
class _Chunk:
    """Games played in one call."""

    engine: WasmEngine
    instance: Instance
    record: Sequence[int] | None
    who: list[int]
    """For each bot the number of its policy, from 1; 0 for random."""

    def play(self, seed: int, numbers: range, rotate: bool) -> Finished:
        """The games, with all that is kept of them."""
        plan = self.engine._written.plan
        found = Finished(self.engine._shape, list(numbers))
        found.cells.frombytes(self.run(seed, numbers, rotate).cast("B"))
        self._read_heads(found)
        self._read_counters(found, self.instance.view(plan.fired, plan.counters // CELL))
        return found

    def run(self, seed: int, numbers: range, rotate: bool) -> memoryview:
        """The rows of the games, in memory that the next call uses again."""
        plan = self.engine._written.plan
        start = self.instance.room(plan.record + plan.row * (len(numbers) + 1))
        rows = start + plan.record
        self.instance.view(plan.policies, plan.seats)[:] = array("i", self.who)
        counters = self.instance.view(plan.fired, plan.counters // CELL)
        counters[:] = array("i", bytes(plan.counters))
        if self.record is not None:
            self.instance.put(start, plan.cells.packed(self.record))
        first, step = numbers.start, numbers.step
        self.instance.call(
            "play",
            signed(mix(seed)),
            signed(first),
            signed(step),
            len(numbers),
            int(rotate),
            0 if self.record is None else start,
            rows,
        )
        return self.instance.view(rows, len(numbers) * plan.row // CELL)

    def _read_heads(self, found: Finished) -> None:
        width, sites = found.shape.width, self.engine._written.sites
        codes, found.runs = found.cells[::width], found.cells[2::width]
        found.faults = [None] * len(codes)
        if min(codes) <= -FIRST_FAULT:
            for index, code in enumerate(codes):
                if code <= -FIRST_FAULT:
                    found.faults[index] = sites.fault(code, found.cells[index * width + 1])

    def _read_counters(self, found: Finished, counters: memoryview) -> None:
        plan, machine = self.engine._written.plan, self.engine.machine
        base = plan.fired
        for i, times in enumerate(counters[: len(machine.rules)]):
            if times:
                found.fired[i] = times
        chooses = [stop for stop in machine.stops if isinstance(stop, Choose)]
        for bot in range(plan.seats):
            asked = (plan.asked - base) // CELL + bot * plan.stops
            guessed = (plan.guessed - base) // CELL + bot * plan.stops
            taken = (plan.taken - base) // CELL + bot * plan.options
            for stop in chooses:
                if counters[asked + stop.number]:
                    found.asked[bot, stop.number] = counters[asked + stop.number]
                if counters[guessed + stop.number]:
                    found.guessed[bot, stop.number] = counters[guessed + stop.number]
                for option in range(len(stop.options)):
                    if counters[taken]:
                        found.taken[bot, stop.number, option] = counters[taken]
                    taken += 1
