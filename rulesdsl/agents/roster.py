"""Which bots there are for a game, and how they are read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from rulesdsl.agents.names import BUILT_IN
from rulesdsl.check.model import Model
from rulesdsl.machine.settings import UsageError
from rulesdsl.resources import bundled_bots
from rulesdsl.text.problems import RulesError
from rulesdsl.text.spelling import nearest

if TYPE_CHECKING:
    from rulesdsl.check.bots import Bot

RANDOM = "random"
BEGINNER = "beginner"


@frozen
class Roster:
    """The bots for a rule file: those of its game, then those of games that it extends."""

    games: tuple[str, ...]
    files: dict[str, Path]

    @classmethod
    def of(cls, model: Model) -> Roster:
        games = (model.name, *model.extends)
        files: dict[str, Path] = {}
        for game in games:
            files = {**bundled_bots(game), **files}
        return cls(games, files)

    @property
    def names(self) -> list[str]:
        return [*self.files, *BUILT_IN]

    def beginner(self, model: Model) -> Bot | None:
        """The beginner, if there is one and the rules have all that it speaks of."""
        if BEGINNER not in self.files:
            return None
        try:
            return self.bot(BEGINNER, model)
        except RulesError:
            # the bot of a game that this one extends, and from which something was taken away
            return None

    def bot(self, name: str, model: Model) -> Bot:
        """A bundled bot by its name, or that of a file, made ready for a model.

        Raises UsageError (no such bot, or it plays another game) and RulesError.
        """
        # reading takes longer to import than a bot that is kept
        from rulesdsl.agents.bot_files import game_of, read_bots
        from rulesdsl.compile import check_bot

        files = read_bots(self.path(name))
        if files[0].game.text not in self.games and game_of(files[0]) not in self.games:
            raise UsageError(f"the bot {name} plays {files[0].game.text}, not {self.games[0]}")
        return check_bot(files, model)

    def path(self, name: str) -> Path:
        """The file of a bot."""
        if name in self.files:
            return self.files[name]
        if name.endswith((".yaml", ".yml")):
            return Path(name)
        near = nearest(name, self.names)
        hint = f"; did you mean {near}?" if near else ""
        raise UsageError(f"there is no bot {name}{hint} (bots: {', '.join(self.names)})")
