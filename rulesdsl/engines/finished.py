"""Games that have been played to their ends: what is kept of many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from attrs import Factory, define

from rulesdsl.engines.faults import RuleFault


@define
class Finished:
    """Games played to their ends, a row each, in the order of their numbers.

    Bots are counted as in the cast: where seats rotate, seat s of the game of number n is
    played by bot (s + n) mod seats. Stops, options of a stop and rules are counted as in the
    machine. A decision is a choice among at least two moves; it is a guess if a policy has no
    preference there.
    """

    seats: int
    numbers: list[int] = Factory(list)
    records: list[Sequence[int]] = Factory(list)
    """The record at the end; with a fault the one before it."""
    faults: list[RuleFault | None] = Factory(list)
    runs: list[int] = Factory(list)
    """How often each game has gone on: the start, moves, outcomes of chance, and players
    without an option."""
    decisions: list[Sequence[int]] = Factory(list)
    """For each game, by seat."""
    guesses: list[Sequence[int]] = Factory(list)
    """For each game, by seat."""
    asked: Counter[tuple[int, int]] = Factory(Counter)
    """Decisions by bot and stop."""
    guessed: Counter[tuple[int, int]] = Factory(Counter)
    """Guesses by bot and stop."""
    taken: Counter[tuple[int, int, int]] = Factory(Counter)
    """All moves, also those that were the only one, by bot, stop and option."""
    fired: Counter[int] = Factory(Counter)
    """How often each rule was at work, by its index in the machine."""

    def __len__(self) -> int:
        return len(self.numbers)

    def add(self, later: Finished) -> None:
        """Let other games of the same machine and cast follow these."""
        self.numbers += later.numbers
        self.records += later.records
        self.faults += later.faults
        self.runs += later.runs
        self.decisions += later.decisions
        self.guesses += later.guesses
        self.asked += later.asked
        self.guessed += later.guessed
        self.taken += later.taken
        self.fired += later.fired
