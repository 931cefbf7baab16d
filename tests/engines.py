"""Two engines play the same game, and are compared at every stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from attrs import define, field

from rulesdsl.engines.chance import Stream
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.reference import Engine
from rulesdsl.machine.program import Machine
from rulesdsl.play.game import Game
from rulesdsl.play.moves import Move
from rulesdsl.play.state import State
from rulesdsl.text.limits import STEPS_PER_MOVE


@define(eq=False)
class SideBySide:
    """One game, played at random by both engines. `stops` counts the stops compared."""

    machine: Machine
    engines: tuple[Engine, Engine]
    seed: int
    stops: int = 0
    fault: str | None = None
    states: list[State] = field(factory=list, init=False)

    def play(self, most: int = 10_000) -> SideBySide:
        """Compare from the start to the end, a fault in both, or the number of stops."""
        games = []
        for engine in self.engines:
            games.append(Game(self.machine))
            games[-1].rules.engine = engine
        random, chance = Random(self.seed), Stream.of(self.seed)
        starts = [partial(game.start, None) for game in games]
        if not self._both(starts):
            return self
        self.states = [start() for start in starts]
        while self.stops < most:
            self.stops += 1
            self._compare()
            mine = self.states[0]
            if mine.is_over:
                self._agree("outcome", [str(state.outcome) for state in self.states])
                return self
            steps: list[Callable[[], object]]
            if mine.is_chance:
                outcome = self._draw(chance)
                steps = [partial(state.apply_chance, outcome) for state in self.states]
            else:
                move = self._move(random)
                if move is None:
                    return self
                steps = [partial(state.apply, move) for state in self.states]
            if not self._both(steps):
                return self
        return self

    def _draw(self, chance: Stream) -> int:
        outcomes = [state.outcomes() for state in self.states]
        self._agree("outcomes of chance", outcomes)
        weights = []
        for state in self.states:
            drawn = state.draw()
            assert drawn is not None
            weights.append(state.weights(*drawn))
        self._agree("weights", weights)
        return chance.pick(weights[0])

    def _move(self, random: Random) -> Move | None:
        """A random legal move of a random player; None if asking is a fault."""
        mine = self.states[0]
        found: dict[int, list[Move]] = {}
        for player in mine.to_act:
            if not self._both([partial(state.legal_moves, player) for state in self.states]):
                return None
            bundles, left = [], []
            for state in self.states:
                asked = state.asked(player)
                assert asked is not None
                bundles.append(asked.bundles())
                registers = {-1: STEPS_PER_MOVE}
                state.rules.engine.choices(asked.stop).bundles(asked.scene, registers)
                left.append(registers[-1])
            self._agree("legal moves", bundles)
            self._agree("steps of the legal moves", left)
            found[player] = mine.legal_moves(player)
        player = random.choice(mine.to_act)
        return random.choice(found[player])

    def _compare(self) -> None:
        records = [state.record for state in self.states]
        self._agree("record", records)
        assert all(type(number) is int for number in records[1])
        self._agree("steps left", [state._left for state in self.states])
        self._agree("rules at work", [engine.fired for engine in self.engines])

    def _both(self, steps: Sequence[Callable[[], object]]) -> bool:
        """Do something with both; whether both go on."""
        faults: list[str | None] = []
        for step in steps:
            try:
                step()
                faults.append(None)
            except RuleFault as fault:
                faults.append(str(fault))
        self._agree("fault", faults)
        self._agree("rules at work", [engine.fired for engine in self.engines])
        self.fault = faults[0]
        return self.fault is None

    def _agree(self, what: str, both: Sequence[object]) -> None:
        mine, theirs = both
        assert mine == theirs, f"{what} at stop {self.stops}: {mine} and {theirs}"
