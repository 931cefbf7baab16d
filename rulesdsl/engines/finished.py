"""Games that have been played to their ends: what is kept of many."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from struct import pack

from attrs import Factory, define, field, frozen

from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.program import Machine


def no_cells() -> array[int]:
    """An array of numbers of 32 bits, with none yet."""
    return array("i")


@frozen
class Shape:
    """Where things lie in the row of a game, in cells; an engine may have others between them."""

    seats: int
    by_seat: int
    """Of the decisions of the first seat; the guesses follow those of the last."""
    record: int
    record_end: int
    width: int

    @classmethod
    def of(cls, machine: Machine) -> Shape:
        """Rows in which nothing else lies."""
        record = 2 * machine.seats
        end = record + machine.layout.cells
        return cls(machine.seats, 0, record, end, end)


@frozen(eq=False)
class Rows:
    """A part of the row of each game, cut out when it is asked for."""

    _cells: array[int]
    _width: int
    _first: int
    _end: int

    def __len__(self) -> int:
        return len(self._cells) // self._width

    def __getitem__(self, index: int) -> list[int]:
        at = range(0, len(self._cells), self._width)[index]
        return self._cells[at + self._first : at + self._end].tolist()

    def __iter__(self) -> Iterator[list[int]]:
        return map(self.__getitem__, range(len(self)))


@define
class Finished:
    """Games played to their ends, in the order of their numbers.

    Bots are counted as in the cast: where seats rotate, seat s of the game of number n is
    played by bot (s + n) mod seats. Stops, options of a stop and rules are counted as in the
    machine. A decision is a choice among at least two moves; it is a guess if a policy has no
    preference there. What a move did that led to a fault is not kept, only that it was chosen.
    """

    shape: Shape
    numbers: list[int] = Factory(list)
    cells: array[int] = field(factory=no_cells)
    """A row for each game, one after the other: see `records`, `decisions`, `guesses`."""
    faults: list[RuleFault | None] = Factory(list)
    runs: array[int] = field(factory=no_cells)
    """How often each game has gone on: the start, moves, outcomes of chance, and players
    without an option."""
    asked: Counter[tuple[int, int]] = Factory(Counter)
    """Decisions by bot and stop."""
    guessed: Counter[tuple[int, int]] = Factory(Counter)
    """Guesses by bot and stop."""
    taken: Counter[tuple[int, int, int]] = Factory(Counter)
    """All moves, also those that were the only one, by bot, stop and option."""
    fired: Counter[int] = Factory(Counter)
    """How often each rule was at work, by its index in the machine."""

    @classmethod
    def of(cls, machine: Machine) -> Finished:
        """No game yet."""
        return cls(Shape.of(machine))

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def records(self) -> Rows:
        """For each game the record at the end; with a fault the one before the move."""
        return self._rows(self.shape.record, self.shape.record_end)

    @property
    def decisions(self) -> Rows:
        """For each game how many each seat has made."""
        first = self.shape.by_seat
        return self._rows(first, first + self.shape.seats)

    @property
    def guesses(self) -> Rows:
        """For each game how many each seat has made."""
        first = self.shape.by_seat + self.shape.seats
        return self._rows(first, first + self.shape.seats)

    def _rows(self, first: int, end: int) -> Rows:
        return Rows(self.cells, self.shape.width, first, end)

    def append(
        self,
        number: int,
        record: Sequence[int],
        fault: RuleFault | None,
        runs: int,
        decisions: Sequence[int],
        guesses: Sequence[int],
    ) -> None:
        """Let a game follow these, in rows in which nothing else lies."""
        self.numbers.append(number)
        self.cells.fromlist([*decisions, *guesses, *record])
        self.faults.append(fault)
        self.runs.append(runs)

    def extend(self, numbers: Sequence[int], rows: list[int], runs: Sequence[int]) -> None:
        """Let games without faults follow these, given the decisions, guesses and record of
        each."""
        self.numbers += numbers
        self.cells.frombytes(pack(f"{len(rows)}i", *rows))
        self.faults += [None] * len(numbers)
        self.runs.extend(runs)

    def add(self, later: Finished) -> None:
        """Let other games of the same machine, cast and engine follow these."""
        self.numbers += later.numbers
        self.cells += later.cells
        self.faults += later.faults
        self.runs += later.runs
        self.asked.update(later.asked)
        self.guessed.update(later.guessed)
        self.taken.update(later.taken)
        self.fired.update(later.fired)
