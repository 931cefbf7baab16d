"""A part of a series played somewhere: here, in another process, on another machine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import Protocol

from attrs import Factory, define, field, frozen

from rulesdsl.agents.external import ExternalFault
from rulesdsl.lab.series.play import play_table
from rulesdsl.lab.series.ready import Ready
from rulesdsl.lab.series.series import Series
from rulesdsl.lab.series.table import Table
from rulesdsl.machine.settings import UsageError
from rulesdsl.play.rulebook import Rulebook
from rulesdsl.text.problems import RulesError


@frozen
class Work:
    """A part that was played, and how long that took; or, in words, why it could not be."""

    part: Series
    table: Table | None
    seconds: float
    failed: str = ""


@define(eq=False)
class Bench:
    """Plays parts; what a series needs is made ready once."""

    rules: Mapping[str, str] = Factory(dict)
    """The hashes of the rules that are meant, by their files; of others those that are found."""
    _books: dict[str, Rulebook] = field(factory=dict)
    _ready: dict[tuple[object, ...], Ready] = field(factory=dict)

    def ready(self, series: Series) -> Ready:
        """The game of a series and its players. Raises RulesError, UsageError."""
        key = series.file, series.players, series.options
        if key not in self._ready:
            self._ready[key] = Ready.of(series, self.book(series.file))
        return self._ready[key]

    def book(self, file: str) -> Rulebook:
        """A rule file, read once. Raises RulesError."""
        if file not in self._books:
            self._books[file] = Rulebook.of(Path(file))
        return self._books[file]

    def play(self, part: Series) -> Work:
        """Play a part."""
        try:
            ready = self.ready(part)
            found = ready.game.rules_hash
            if self.rules.get(part.file, found) != found:
                return Work(part, None, 0.0, f"{part.file} was changed while it was played")
            begun = perf_counter()
            table = play_table(ready, part)
            return Work(part, table, perf_counter() - begun)
        except ExternalFault as fault:
            return Work(part, None, 0.0, str(fault))
        except (OSError, RulesError, UsageError) as error:
            told = error.problems[0].note if isinstance(error, RulesError) else str(error)
            return Work(part, None, 0.0, f"{part.file} cannot be played there: {told}")


class Workers(Protocol):
    """Others who play parts."""

    @property
    def count(self) -> int:
        """How many play at the same time."""
        ...

    def submit(self, part: Series) -> None:
        """Hand out a part."""
        ...

    def finished(self, seconds: float) -> list[Work]:
        """Those that were finished since; waits so long for the first."""
        ...

    def close(self) -> None:
        """Let them go, whatever they are at."""
        ...
