"""A game in the functions of a WebAssembly module that hosts call."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import define, field

from rulesdsl.engines.wasm.engine import WasmEngine
from rulesdsl.engines.wasm.host import Instance
from rulesdsl.engines.wasm.memory import NOBODY
from rulesdsl.engines.wasm.writing import FIRST_FAULT
from rulesdsl.machine.program import POINTS, Choose, Draw
from tests.engines import Legal
from tests.wasm_views import View


@define(eq=False)
class Host:
    """Steps one record in the memory of an instance."""

    engine: WasmEngine
    instance: Instance = field(init=False)
    record: int = field(init=False)
    room: int = field(init=False)
    about: Any = field(init=False)
    """What the module tells of itself."""

    def __attrs_post_init__(self) -> None:
        self.instance = self.engine.instance()
        self.about = self.engine.describe()
        size = self.about["record"]
        self.record = self.instance.room(size + (1 << 20))
        self.room = self.record + size

    def call(self, name: str, *arguments: int) -> int:
        """A function of the module; raises the fault that it tells of."""
        code = int(self.instance.call(name, self.record, *arguments))
        if code <= -FIRST_FAULT:
            raise self.engine.fault(code, self.instance.number("detail"))
        return code

    # ---------------------------------------------------------------- a game, step by step

    def start(self) -> None:
        self.call("start")

    def numbers(self) -> tuple[int, ...]:
        return tuple(number for _, cells in self.pieces() for number in cells)

    def put(self, record: Sequence[int]) -> None:
        """Let this be the record."""
        for first, cells in self.pieces():
            cells[:] = array(cells.format, record[first : first + len(cells)])

    def pieces(self) -> Iterator[tuple[int, memoryview]]:
        """What the module tells of its cells: the first of a piece of state, and all of them."""
        yield 0, self.instance.view(self.record, POINTS + self.engine.machine.seats)
        for piece in self.about["cells"]:
            count, address = piece["width"] * piece["copies"], self.record + piece["address"]
            yield piece["first"], self.instance.view(address, count, piece["bytes"])

    def asked(self) -> dict[int, int]:
        stops = {seat: self.call("asked", seat) for seat in range(self.engine.machine.seats)}
        return {seat: stop for seat, stop in stops.items() if stop != NOBODY}

    def view(self, seat: int) -> dict[str, object]:
        about = self.about["view"]
        end = self.call("view", seat, self.room)
        numbers = self.instance.view(self.room, about["numbers"]).tolist()
        assert end == self.room + 4 * len(numbers)
        return View(about, self.about["seats"], seat, numbers).read()

    def legal(self, seat: int) -> list[Legal]:
        return [
            (option, *prefix, last)
            for option, low, high, *prefix in self.bundles(seat)
            for last in range(low, high + 1)
        ]

    def bundles(self, seat: int) -> list[tuple[int, ...]]:
        """Legal moves as they lie in memory: option, low, high, parameters before the last."""
        stop = self.engine.machine.stops[self.call("asked", seat)]
        assert isinstance(stop, Choose)
        end, found = self.call("moves", seat, self.room), []
        for at in range(self.room, end, self.about["bundle"]):
            option, low, high = self.instance.view(at, 3)
            before = max(len(stop.options[option].parameters) - 1, 0)
            found.append((option, low, high, *self.instance.view(at + 12, before)))
        return found

    def chance(self) -> tuple[int, list[int]] | None:
        number = self.call("chance")
        if number == NOBODY:
            return None
        draw = self.engine.machine.stops[number]
        assert isinstance(draw, Draw)
        total = self.call("weights", self.room)
        weights = list(self.instance.view(self.room, draw.count))
        assert sum(weights) == total
        return number, weights

    def apply(self, seat: int, option: int, values: tuple[int, ...]) -> None:
        *before, last = values or (0,)
        for index, (number, low, high, *others) in enumerate(self.bundles(seat)):
            if number == option and others == before and low <= last <= high:
                self.call("apply", seat, self.room + index * self.about["bundle"], last - low)
                return
        raise AssertionError("the move is legal")

    def draw(self, outcome: int) -> None:
        self.call("draw", outcome)

    def more(self) -> None:
        return None
