"""Loading a game: from a name or a path to something that can be started."""

from __future__ import annotations

from collections.abc import Mapping

from rulesdsl.play.game import Game
from rulesdsl.play.playlog import Playlog, PlaylogError
from rulesdsl.play.rulebook import Rulebook
from rulesdsl.resources import bundled_games, find_game


def load(
    name_or_path: str, players: int | None = None, options: Mapping[str, object] | None = None
) -> Game:
    """The game of a file or a bundled game, for a number of players and a choice of options.

    Without `players` the least number plays; options not named have their defaults. Raises
    GameNotFound, UsageError (no such option, value or number), or RulesError (problems).
    """
    return Rulebook.of(find_game(name_or_path)).game(players, options)


def load_for(playlog: Playlog, name_or_path: str | None = None) -> Game:
    """The game of a playlog, with its seats and options; from another file if one is given."""
    header = playlog.header
    seats, options = header.get("seats"), header.get("options")
    if not isinstance(seats, list) or not isinstance(options, dict):
        raise PlaylogError(1, "its header names no seats or options")
    name = str(header.get("game"))
    if name not in bundled_games():
        # names of games have no hyphens, names of files may
        name = name.replace("_", "-")
    return load(name_or_path or name, len(seats), options)
