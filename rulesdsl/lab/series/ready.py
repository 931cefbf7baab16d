"""A series made ready to be played in this process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from attrs import field, frozen

from rulesdsl.agents.cast import Company
from rulesdsl.agents.roster import Roster
from rulesdsl.check.model import Model
from rulesdsl.compile import check_source
from rulesdsl.engines.wasm.engine import WasmEngine
from rulesdsl.lab.series.series import Series
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.policy import Policy
from rulesdsl.machine.settings import settle_options
from rulesdsl.play.game import Game
from rulesdsl.text.files import read_source
from rulesdsl.text.source import Source


@frozen(eq=False)
class Rulebook:
    """A rule file, read and checked once for all series."""

    source: Source
    model: Model
    roster: Roster

    @classmethod
    def of(cls, file: str) -> Rulebook:
        """Raises RulesError if the file has problems."""
        source = read_source(Path(file))
        model = check_source(source)
        return cls(source, model, Roster.of(source, model))


@frozen(eq=False)
class Ready:
    """The game of a series and those who play it."""

    rulebook: Rulebook
    game: Game
    company: Company
    _wasm: list[WasmEngine] = field(factory=list)

    @classmethod
    def of(cls, series: Series, rulebook: Rulebook | None = None) -> Ready:
        """Raises RulesError (rules or a bot have problems) and UsageError (no such option)."""
        book = rulebook or Rulebook.of(series.file)
        settled = settle_options(book.model, series.players, dict(series.options))
        game = Game(make_machine(book.model, *settled))
        return cls(book, game, Company(game, book.roster))

    def wasm(self, policies: Sequence[Policy]) -> WasmEngine:
        """An engine in which these policies play. Raises MissingExtra without wasmtime.

        To make one takes a while, so it gets all policies that are known by now.
        """
        for engine in self._wasm:
            if all(any(policy is known for known in engine.policies) for policy in policies):
                return engine
        self._wasm.append(WasmEngine.of(self.game.machine, self.company.policies))
        return self._wasm[-1]
