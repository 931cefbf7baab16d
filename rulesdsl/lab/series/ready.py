"""A series made ready to be played in this process."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field, frozen

from rulesdsl.agents.cast import Company
from rulesdsl.agents.roster import Roster
from rulesdsl.engines.wasm.engine import WasmEngine
from rulesdsl.lab.series.series import Series
from rulesdsl.machine.policy import Policy
from rulesdsl.play.game import Game
from rulesdsl.play.rulebook import Rulebook


@frozen(eq=False)
class Ready:
    """The game of a series and those who play it."""

    game: Game
    company: Company
    _wasm: list[WasmEngine] = field(factory=list)

    @classmethod
    def of(cls, series: Series, book: Rulebook) -> Ready:
        """Raises UsageError (no such option)."""
        game = book.game(series.players, dict(series.options))
        return cls(game, Company(game, Roster.of(game.model)))

    def wasm(self, policies: Sequence[Policy]) -> WasmEngine:
        """An engine in which these policies play. Raises MissingExtra without wasmtime.

        To make one takes a while, so it gets all policies that are known by now.
        """
        for engine in self._wasm:
            if all(any(policy is known for known in engine.policies) for policy in policies):
                return engine
        self._wasm.append(WasmEngine.of(self.game.machine, self.company.policies))
        return self._wasm[-1]
