"""A comparison: both sides played, each figure with its change, and what two kinds of bot say."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cached_property
from statistics import NormalDist

from attrs import define, frozen

from rulesdsl.lab.compare.pairs import Change, Pairs
from rulesdsl.lab.compare.plan import Plan, Wish
from rulesdsl.lab.series.by_game import WINS, Named, figures_by_game
from rulesdsl.lab.series.casting import called
from rulesdsl.lab.series.intervals import z_of
from rulesdsl.lab.series.play import fastest
from rulesdsl.lab.series.run import Played, Run, Tell, run
from rulesdsl.lab.series.work import Bench, Workers
from rulesdsl.play.game import Game

POWER = 0.8
"""How often a change of the size that is called visible would be seen."""


class Verdict(Enum):
    """What is to be said of a change, by all kinds of bot together."""

    UP = "up"
    DOWN = "down"
    SAME = "the same"
    NONE = "none seen"
    UNCLEAR = "unclear"
    OPPOSITE = "opposite"


@frozen
class Row:
    """A figure with its change under each kind of bot; None where no game has it."""

    group: str
    title: str
    per_cent: bool
    changes: tuple[Change | None, ...]
    verdict: Verdict


@frozen(eq=False)
class Bout:
    """What one kind of bot has played: the games under A and under B, and both in pairs."""

    bot: str
    a: Played
    b: Played
    pairs: Pairs

    @property
    def name(self) -> str:
        """What the bot is called."""
        return called(self.bot)


@define(eq=False, slots=False)
class Comparison:
    """What was wanted, and what came of it."""

    wish: Wish
    plan: Plan
    run: Run
    way: str
    games: tuple[Game, Game]
    """The rules of both sides."""
    bouts: tuple[Bout, ...]

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Every figure that both sides have."""
        sides = [
            (
                [*figures_by_game(self.games[0], bout.a.table)],
                [*figures_by_game(self.games[1], bout.b.table)],
            )
            for bout in self.bouts
        ]
        named = {_key(one): one for a, _ in sides for one in a}
        found: list[tuple[Named, list[Change | None]]] = []
        for key, one in named.items():
            changes = [
                _change(bout.pairs, key, a, b)
                for bout, (a, b) in zip(self.bouts, sides, strict=True)
            ]
            if one.group == WINS or any(c is not None and _is_there(c) for c in changes):
                found.append((one, changes))
        # one kind of bot alone has to be sure of what it shows among so many figures
        z = z_of(looks=len(found)) if len(self.bouts) == 1 and found else z_of()
        return tuple(
            Row(one.group, one.title, one.per_cent, tuple(changes), verdict(changes, z))
            for one, changes in found
        )

    @property
    def pairs(self) -> int:
        """How many pairs of games each kind of bot has played to the end."""
        return min(len(bout.pairs) for bout in self.bouts)

    @property
    def visible(self) -> float | None:
        """The smallest change of a seat's wins, in 100 games, that would be seen mostly."""
        halves = [
            c.difference.half for row in self.rows if row.group == WINS for c in row.changes if c
        ]
        reach = (z_of() + NormalDist().inv_cdf(POWER)) / z_of()
        found = max(halves, default=0.0) * reach
        # of a hundred games nobody can win more than a hundred more
        return found if self.pairs > 1 and 0 < found < 100 else None


def compare(
    wish: Wish,
    made: Plan,
    bench: Bench,
    tell: Tell = lambda games: None,
    others: Callable[[], Workers] | None = None,
    at_once: bool = False,
) -> Comparison:
    """Carry out a plan; `others` are given what takes long, or everything `at_once`."""
    done = run(made.series, bench, tell, others, at_once)
    left = iter(done.played)
    bouts = []
    for duel in made.duels:
        a, b = next(left), next(left)
        bouts.append(Bout(duel.bot, a, b, Pairs.of(a.table, b.table)))
    first = made.duels[0]
    way = fastest(first.a).name
    games = bench.ready(first.a).game, bench.ready(first.b).game
    return Comparison(wish, made, done, way, games, tuple(bouts))


def verdict(changes: list[Change | None], z: float) -> Verdict:
    """What changes under all kinds of bot say together: a change is seen if all of them show it.

    An interval then reaches `z` standard errors to each side.
    """
    known = [change for change in changes if change is not None]
    if all(not _moved(change) for change in known):
        return Verdict.SAME
    signs = {_sign(change, z / z_of()) for change in known}
    if signs == {1}:
        return Verdict.UP
    if signs == {-1}:
        return Verdict.DOWN
    if {1, -1} <= signs:
        return Verdict.OPPOSITE
    clear = any(_sign(change, 1.0) for change in known)
    return Verdict.UNCLEAR if clear else Verdict.NONE


def _sign(change: Change, wider: float) -> int:
    """1 or -1 where the whole interval, made wider, is above or below zero."""
    value, half = change.difference.value, change.difference.half * wider
    if change.pairs < 2 or abs(value) <= half:
        return 0
    return 1 if value > 0 else -1


def _moved(change: Change) -> bool:
    return bool(change.difference.value or change.difference.half)


def _is_there(change: Change) -> bool:
    """Whether there is anything to tell: a figure that is always nothing is not told."""
    return any((change.a.value, change.a.half, change.b.value, change.b.half))


def _key(one: Named) -> tuple[str, str]:
    return one.group, one.key


def _change(pairs: Pairs, key: tuple[str, str], a: list[Named], b: list[Named]) -> Change | None:
    values = [next((one.values for one in side if _key(one) == key), None) for side in (a, b)]
    if values[0] is None or values[1] is None:
        return None
    return pairs.change(values[0], values[1])
