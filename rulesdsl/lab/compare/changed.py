"""What the second side has otherwise than the first, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from attrs import frozen

from rulesdsl.agents.scripted import address
from rulesdsl.lab.compare.comparison import Comparison
from rulesdsl.lab.compare.plan import Side
from rulesdsl.lab.differences import Difference, differences
from rulesdsl.lab.series.counts import rule_name, rules_fired
from rulesdsl.lab.series.run import Played
from rulesdsl.machine.program import Choose
from rulesdsl.play.game import Game
from rulesdsl.play.moves import say
from rulesdsl.resources import find_game
from rulesdsl.syntax.from_yaml import resolved
from rulesdsl.text.files import read_source


def options_of(found: Comparison) -> tuple[list[str], list[str]]:
    """The options that are not the same on both sides, each with its value."""
    a, b = (game.options for game in found.games)
    names = [name for name in a if name in b and a[name] != b[name]]
    first, second = found.games[0].changed_options, found.games[1].changed_options
    only = [name for name in first if name not in b], [name for name in second if name not in a]
    return (
        [f"{name} {say(a[name])}" for name in (*names, *only[0])],
        [f"{name} {say(b[name])}" for name in (*names, *only[1])],
    )


def rules_changed(a: Side, b: Side) -> list[Difference]:
    """What is otherwise in the rules; nothing for one file. Examples do not count."""
    if a.file == b.file:
        return []
    one, other = (resolved(read_source(find_game(side.file))) for side in (a, b))
    return [x for x in differences(one, other) if not x.words.startswith("example ")]


# ------------------------------------------------------------------ what came into use


@frozen
class Use:
    """What was used on one side only."""

    only_a: list[str]
    only_b: list[str]


def options_used(found: Comparison) -> Use:
    """Options of choices that somebody has taken on one side and nobody on the other."""
    a = _taken(found.games[0], [bout.a for bout in found.bouts])
    b = _taken(found.games[1], [bout.b for bout in found.bouts])
    return Use([one for one in a if one not in b], [one for one in b if one not in a])


def _taken(game: Game, played: Iterable[Played]) -> list[str]:
    stops = {stop.number: stop for stop in game.machine.stops if isinstance(stop, Choose)}
    found: dict[str, None] = {}
    for one in played:
        for _, stop, option in one.table.taken:
            name = stops[stop].options[option].name
            found[f"{address(stops[stop]).partition(' / ')[0]} / {name}"] = None
    return list(found)


def rules_used(found: Comparison) -> Use:
    """Rules that were at work on one side only."""
    a = _working(found.games[0], [bout.a for bout in found.bouts])
    b = _working(found.games[1], [bout.b for bout in found.bouts])
    return Use(
        [name for name, times in a.items() if times and not b[name]],
        [name for name, times in b.items() if times and not a[name]],
    )


def _working(game: Game, played: Iterable[Played]) -> Counter[str]:
    times: Counter[str] = Counter()
    for rule, count in rules_fired(game, played):
        times[rule_name(rule)] += count
    return times


# ------------------------------------------------------------------ what is more often at work


@frozen
class Rate:
    """How often a rule was at work in a game, for each bot under A and under B."""

    rule: str
    a: tuple[float, ...]
    b: tuple[float, ...]


def rates_changed(found: Comparison, least: float = 0.1) -> Iterator[Rate]:
    """Rules at work on both sides, but with all bots more often, or less often, in B.

    By at least this part; rules named alike are one.
    """
    sides = [
        [_rates(found.games[0], bout.a) for bout in found.bouts],
        [_rates(found.games[1], bout.b) for bout in found.bouts],
    ]
    for rule in sides[0][0]:
        a, b = (tuple(one.get(rule, 0.0) for one in side) for side in sides)
        if not all(a) or not all(b):
            continue
        ratios = [y / x for x, y in zip(a, b, strict=True)]
        if min(ratios) >= 1 + least or max(ratios) <= 1 - least:
            yield Rate(rule, a, b)


def _rates(game: Game, played: Played) -> dict[str, float]:
    games = max(1, played.table.played)
    return {name: times / games for name, times in _working(game, [played]).items()}
