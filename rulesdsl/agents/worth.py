"""What a state is worth to a player, and what an end of the game is."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from attrs import define

from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.program import WINNER
from rulesdsl.play.outcome import Outcome, outcome
from rulesdsl.play.state import State

Worth: TypeAlias = Callable[[State, int], int]
"""A number for a state and a player: the more, the better."""

OUT = 1_000
"""What it costs to be one who cannot win."""


def by_result(state: State, player: int) -> int:
    """By what the result of the rules would compare now: the first of it, then the second."""
    try:
        found = outcome(state.rules.machine, state.rules.engine, list(state.record))
    except RuleFault:
        return 0
    keys = [key[player] for key in found.keys]
    first = 100 * keys[0] if keys else 0
    second = max(-49, min(49, keys[1])) if len(keys) > 1 else 0
    return first + second - (OUT if player in found.out else 0)


def share(found: Outcome, player: int) -> float:
    """From 0 to 1: how many of the others are behind in the ranking; equal ones count half."""
    others = len(found.seats) - 1
    if not others:
        return 1.0 if found.winners else 0.0
    place = next(i for i, group in enumerate(found.ranking) if player in group)
    behind = sum(len(group) for group in found.ranking[place + 1 :])
    return (behind + (len(found.ranking[place]) - 1) / 2) / others


@define
class Utility:
    """Numbers from 0 to 1 for all players, on scales that are learned from what is met."""

    worth: Worth = by_result
    _low: float = math.inf
    _high: float = -math.inf
    _spread: float = 1.0
    _met: int = 0

    def of(self, state: State) -> list[float]:
        """By the end of the game; else by worth, each against the best of the others."""
        seats = range(state.rules.machine.seats)
        found = state.outcome
        if found is not None and found.payoffs is not None:
            return self._payoffs(found.payoffs)
        if found is not None and state.record[WINNER]:
            return [share(found, seat) for seat in seats]
        leads = self._leads([self.worth(state, seat) for seat in seats])
        if found is None:
            return leads
        return [(share(found, seat) * 3 + leads[seat]) / 4 for seat in seats]

    def _payoffs(self, payoffs: tuple[int, ...]) -> list[float]:
        self._low = min(self._low, *payoffs) if payoffs else 0
        self._high = max(self._high, *payoffs) if payoffs else 0
        wide = self._high - self._low
        return [(payoff - self._low) / wide if wide else 0.5 for payoff in payoffs]

    def _leads(self, worths: list[int]) -> list[float]:
        if len(worths) < 2:
            return [_between(worth / self._learn(abs(worth))) for worth in worths]
        leads = []
        for seat, worth in enumerate(worths):
            best = max(other for index, other in enumerate(worths) if index != seat)
            leads.append(worth - best)
        spread = self._learn(sum(map(abs, leads)) / len(leads))
        return [_between(lead / spread) for lead in leads]

    def _learn(self, size: float) -> float:
        """The usual size of a lead."""
        self._met += 1
        self._spread += (size - self._spread) / min(self._met, 200)
        return max(self._spread, 1e-9)


def _between(number: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, number))))
