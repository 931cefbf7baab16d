"""Who plays in many games: one bot at all seats, several that take turns, one at each seat."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path

from attrs import frozen

from rulesdsl.agents.cast import named_players
from rulesdsl.agents.roster import BEGINNER, RANDOM
from rulesdsl.lab.series.ready import Ready
from rulesdsl.machine.settings import UsageError
from rulesdsl.text.problems import RulesError


@frozen
class Casting:
    """A cast, and whether seats rotate."""

    names: tuple[str, ...]
    rotate: bool = False


def castings(said: Sequence[str], games: Sequence[Ready]) -> list[Casting]:
    """The casts that play, each the same number of games.

    Nothing said: two kinds of bots, each alone at the table. Several named for all seats: they
    sit together and their seats rotate. `games` differ only in their options. Raises UsageError.
    """
    game = games[0].game
    defaults, seats = named_players(said, game.seat_names)
    if not said:
        return [Casting((name,) * game.players) for name in kinds(games)]
    if seats:
        if len(defaults) > 1:
            raise UsageError("where a seat has its bot, all others have one bot; name one")
        rest = defaults[0] if defaults else kinds(games)[0]
        found = Casting(tuple(seats.get(seat, rest) for seat in range(game.players)))
    elif len(defaults) > game.players:
        raise UsageError(f"{len(defaults)} bots cannot sit at a table of {game.players}")
    else:
        names = tuple(islice(cycle(defaults), game.players))
        found = Casting(names, rotate=len(set(names)) > 1)
    told_apart(found.names)
    for ready in games:
        # a bot that is not there or does not fit is told before anything is played
        ready.company.agents(found.names, 0, 0)
    return [found]


def called(bot: str) -> str:
    """A bot as people call it: one of a file by the name of the file."""
    return Path(bot).stem if bot.endswith((".yaml", ".yml")) else bot


def told_apart(bots: Sequence[str]) -> None:
    """Raises UsageError where two bots would have one name in a report."""
    found: dict[str, str] = {}
    for bot in bots:
        other = found.setdefault(called(bot), bot)
        if other != bot:
            note = f"{other} and {bot} are both called {called(bot)} in a report"
            raise UsageError(f"{note}: rename a file")


def against_random(casts: Sequence[Casting]) -> dict[str, Casting]:
    """For each bot that plays a cast in which it meets random players."""
    names = dict.fromkeys(name for cast in casts for name in cast.names if name != RANDOM)
    return {
        name: Casting((name, *(RANDOM,) * (len(casts[0].names) - 1)), rotate=True) for name in names
    }


def kinds(games: Sequence[Ready]) -> list[str]:
    """Who plays where nobody is named: the beginner and another bot that comes with the game.

    Only those count that fit all of the games; random players where there are none.
    """
    files = games[0].company.roster.files
    names = sorted(files, key=lambda name: name != BEGINNER)
    return [name for name in names if _fits(name, games)][:2] or [RANDOM]


def _fits(name: str, games: Sequence[Ready]) -> bool:
    with suppress(RulesError, UsageError):
        for ready in games:
            ready.company.script(name)
        return True
    return False
