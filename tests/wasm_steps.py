"""A game in the functions of a WebAssembly module that hosts call, and in states, side by side."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from attrs import define, field

from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.wasm.engine import WasmEngine
from rulesdsl.engines.wasm.host import Instance
from rulesdsl.engines.wasm.memory import NOBODY
from rulesdsl.engines.wasm.writing import FIRST_FAULT
from rulesdsl.machine.program import Choose
from rulesdsl.play.game import Game
from rulesdsl.play.state import State
from tests.wasm_views import View


@define(eq=False)
class Host:
    """Steps one record in the memory of an instance."""

    engine: WasmEngine
    instance: Instance = field(init=False)
    record: int = field(init=False)
    room: int = field(init=False)
    cells: memoryview = field(init=False)
    about: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.instance = self.engine.instance()
        self.about = self.engine.describe()
        size = self.about["record"]
        self.record = self.instance.room(size + (1 << 20))
        self.room = self.record + size
        self.cells = self.instance.view(self.record, self.engine.machine.layout.cells)

    def call(self, name: str, *arguments: int) -> int:
        """A function of the module; raises the fault that it tells of."""
        code = int(self.instance.call(name, self.record, *arguments))
        if code <= -FIRST_FAULT:
            raise self.engine.fault(code, self.instance.number("detail"))
        return code

    def bundles(self, seat: int) -> list[tuple[int, ...]]:
        """The bundles of a seat: option, low, high, the parameters before the last."""
        stop = self.engine.machine.stops[self.call("asked", seat)]
        assert isinstance(stop, Choose)
        end = self.call("moves", seat, self.room)
        size = self.about["bundle"]
        found = []
        for at in range(self.room, end, size):
            option, low, high = self.instance.view(at, 3)
            before = max(len(stop.options[option].parameters) - 1, 0)
            found.append((option, low, high, *self.instance.view(at + 12, before)))
        return found

    def view(self, seat: int) -> dict[str, object]:
        """What a seat sees."""
        about = self.about["view"]
        end = self.call("view", seat, self.room)
        numbers = self.instance.view(self.room, about["numbers"]).tolist()
        assert end == self.room + 4 * len(numbers)
        return View(about, self.about["seats"], seat, numbers).read()


@define(eq=False)
class SideBySide:
    """One game at random, in both; `stops` counts the stops that were compared."""

    game: Game
    engine: WasmEngine
    random: Random
    stops: int = 0
    fault: str = ""
    host: Host = field(init=False)
    state: State = field(init=False)

    def play(self, most: int) -> SideBySide:
        """Compare from the start to the end, a fault in both, or the number of stops."""
        self.host = Host(self.engine)

        def begin() -> None:
            self.state = self.game.start()

        going = self._both(begin, lambda: self.host.call("start"))
        while going and self.stops < most and not self.state.is_over:
            self.stops += 1
            self._compare()
            going = self.fault == "" and self._step()
        return self

    def _both(self, reference: Callable[[], object], host: Callable[[], object]) -> bool:
        """Do something in both; a fault in one is the same in the other."""
        told: list[tuple[str, object, str] | None] = []
        for each in (reference, host):
            try:
                each()
                told.append(None)
            except RuleFault as fault:
                told.append((fault.kind, fault.span, fault.detail))
        assert told[0] == told[1]
        if told[0] is not None:
            self.fault = told[0][0]
        return told[0] is None

    def _compare(self) -> None:
        """The record, a view, who is asked, the legal moves in their order, weights of chance."""
        state, host = self.state, self.host
        assert tuple(host.cells) == state.record
        seats = range(self.game.players)
        seat = self.stops % self.game.players
        assert host.view(seat) == state.view(seat)
        choices = {seat: host.call("asked", seat) for seat in seats}
        meant = {seat: state.choice(seat) for seat in seats}
        assert choices == {
            seat: NOBODY if stop is None else stop.number for seat, stop in meant.items()
        }
        if not all(self._compare_moves(seat) for seat in state.to_act):
            return
        drawn = state.draw()
        if drawn is None:
            assert host.call("chance") == NOBODY
        else:
            assert host.call("chance") == drawn[0].number
            weights = state.weights(*drawn)
            assert host.call("weights", host.room) == sum(weights)
            assert list(host.instance.view(host.room, len(weights))) == weights

    def _compare_moves(self, seat: int) -> bool:
        """The legal moves of a seat in their order; whether there is no fault."""
        asked = self.state.asked(seat)
        assert asked is not None
        options = list(map(id, asked.stop.options))
        legal: list[list[tuple[int, ...]]] = []

        def reference() -> None:
            legal.append(
                [
                    (options.index(id(bundle.option)), *bundle.prefix, last)
                    for bundle in asked.bundles()
                    for last in bundle.lasts
                ]
            )

        def hosted() -> None:
            legal.append(
                [
                    (option, *prefix, last)
                    for option, low, high, *prefix in self.host.bundles(seat)
                    for last in range(low, high + 1)
                ]
            )

        going = self._both(reference, hosted)
        assert not going or legal[0] == legal[1]
        return going

    def _step(self) -> bool:
        """One random move or outcome of chance in both."""
        state, host = self.state, self.host
        if state.is_chance:
            _, _, outcome = self.random.choice(state.chance_outcomes())
            return self._both(
                lambda: state.apply_chance(outcome), lambda: host.call("draw", outcome)
            )
        seat = self.random.choice(state.to_act)
        asked = state.asked(seat)
        assert asked is not None
        bundles = host.bundles(seat)
        place = self.random.randrange(len(bundles))
        _, low, high, *_ = bundles[place]
        number = self.random.randrange(high - low + 1)
        before = sum(high - low + 1 for _, low, high, *_ in bundles[:place])
        moves = [asked.nth(one, i) for one in asked.bundles() for i in range(len(one))]
        move = moves[before + number]
        size = host.about["bundle"]
        address = host.room + place * size
        return self._both(
            lambda: state.carry_out(move), lambda: host.call("apply", seat, address, number)
        )
