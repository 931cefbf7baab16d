"""Many games at once, a move in each at a time, in memory that numpy sees without a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field

from rulesdsl.engines.chance import mix
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.wasm.host import Instance, numpy, signed
from rulesdsl.engines.wasm.memory import INFO
from rulesdsl.engines.wasm.module import Written
from rulesdsl.engines.wasm.values import CELL
from rulesdsl.engines.wasm.writing import FIRST_FAULT
from rulesdsl.machine.program import Machine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@define(eq=False)
class Batch:
    """Games of the numbers of a range under a seed. Chance settles itself; each rests where a
    player has to choose, where it is over, or where the rules have gone wrong."""

    machine: Machine
    written: Written
    instance: Instance
    seed: int
    numbers: range
    _info: NDArray[np.int32] = field(init=False)
    _picks: NDArray[np.int32] = field(init=False)
    _addresses: tuple[int, int, int, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        plan, count = self.written.plan, len(self.numbers)
        streams = 8 * (plan.seats + 1)
        sizes = (plan.record, streams, INFO * CELL, CELL)
        first = self.instance.room(count * sum(sizes))
        places = [first + count * sum(sizes[:i]) for i in range(len(sizes))]
        self._addresses = places[0], places[1], places[2], places[3]
        self._info = self._array(places[2], count * INFO).reshape(count, INFO)
        self._picks = self._array(places[3], count)
        begin, step = signed(self.numbers.start), signed(self.numbers.step)
        here = (*self._addresses[:3], count)
        self.instance.call("begin_many", *here, signed(mix(self.seed)), begin, step)

    def _array(self, address: int, count: int) -> NDArray[np.int32]:
        found: NDArray[np.int32] = numpy().asarray(self.instance.view(address, count))
        return found

    # ---------------------------------------------------------------- records

    def cells(self, name: str) -> NDArray[np.int32] | NDArray[np.int16]:
        """The cells of a piece of state, [game, cell]: the memory itself, to read and to write.
        Raises ValueError if the machine has no such piece."""
        slots = self.machine.layout.slots
        slot = next((one for one in slots if one.what is not None and one.name == name), None)
        if slot is None:
            raise ValueError(f"there is no piece of state {name}")
        return self._columns(slot.base, slot.width * slot.copies)

    @property
    def records(self) -> NDArray[np.int32]:
        """All cells, [game, cell]: a copy, which cannot be written."""
        width = self.machine.layout.cells
        found: NDArray[np.int32] = numpy().empty((len(self.numbers), width), numpy().int32)
        for one in self.written.plan.cells.stretches:
            found[:, one.first : one.end] = self._columns(one.first, one.count)
        found.flags.writeable = False
        return found

    def _columns(self, first: int, count: int) -> NDArray[np.int32] | NDArray[np.int16]:
        """Cells of one width that lie side by side, of all games."""
        plan, games = self.written.plan, len(self.numbers)
        width = plan.cells.width(first)
        whole = self.instance.view(self._addresses[0], games * plan.record // width, width)
        table = numpy().asarray(whole).reshape(games, -1)
        at = plan.cells.address(first) // width
        found: NDArray[np.int32] | NDArray[np.int16] = table[:, at : at + count]
        return found

    # ---------------------------------------------------------------- what games wait for

    @property
    def stops(self) -> NDArray[np.int32]:
        """For each game the number of the stop at which it rests; less than 0 after a fault."""
        return self._info[:, 0]

    @property
    def players(self) -> NDArray[np.int32]:
        """For each game who is asked, of several the first; -1 if nobody is."""
        return self._info[:, 1]

    @property
    def totals(self) -> NDArray[np.int32]:
        """For each game how many moves that player has, 0 if nobody is asked."""
        return self._info[:, 2]

    def fault(self, game: int) -> RuleFault | None:
        """What went wrong in a game."""
        code = int(self._info[game, 0])
        if code > -FIRST_FAULT:
            return None
        return self.written.sites.fault(code, int(self._info[game, 3]))

    # ---------------------------------------------------------------- moves

    def step(self, picks: NDArray[np.int32] | None = None) -> int:
        """Make a move in each game in which somebody is asked; how many games that were.

        `picks` are numbers of moves in the order of the rules, from 0 to total - 1, less than 0
        for any; without them all moves are any. A fault leaves a record as it was.
        """
        asked = int((self.totals > 0).sum())
        if picks is None:
            self._picks[:] = -1
        else:
            if ((picks >= self.totals) & (self.totals > 0)).any():
                raise ValueError("a pick is no number of a move: it has to be below the total")
            self._picks[:] = picks
        if asked:
            self.instance.call(
                "step_many", *self._addresses[:3], len(self.numbers), self._addresses[3]
            )
        return asked
