"""The bundled games that are no variants: these are looked at from all sides.

A variant has the rules of its base but for a few lines; that it is well formed, that its examples
hold and that it can be played is asked in test_examples and test_variants.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rulesdsl.agents.roster import Roster
from rulesdsl.check.bots import Bot
from rulesdsl.check.model import Model
from rulesdsl.lab.reading import Read, read_game
from rulesdsl.resources import bundled_games


def beginner_of(model: Model) -> Bot | None:
    """The beginner of a bundled game, if there is one."""
    return Roster.of(model).beginner(model)


GAMES: dict[str, Path] = {
    name: path for name, path in bundled_games().items() if path.parent.name != "variants"
}


@cache
def read(path: Path) -> Read:
    """A rule file that no test changes, read once in a process."""
    return read_game(path)
