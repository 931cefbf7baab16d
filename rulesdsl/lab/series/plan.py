"""What is to be played: a choice of options in each row, casts, and a few games for skill."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from attrs import frozen

from rulesdsl.check.model import Model
from rulesdsl.lab.series.casting import Casting, against_random, castings
from rulesdsl.lab.series.series import Series
from rulesdsl.lab.series.work import Bench
from rulesdsl.machine.settings import UsageError, option_value

SKILL = 100
"""Games in which a bot meets random players; fewer where few games are played."""
MOST_VALUES = 100
"""Of an option that is varied."""
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?: step (\d+))?")


@frozen
class Setting:
    """A choice of options and the series that are played under it; `value` of what is varied."""

    value: str
    series: tuple[Series, ...]


@frozen
class Plan:
    """All that is played. `skill` has the series in which a bot meets random players."""

    settings: tuple[Setting, ...]
    casts: tuple[Casting, ...]
    skill: dict[str, Series]
    varied: str = ""

    @property
    def series(self) -> list[Series]:
        return [
            *(one for setting in self.settings for one in setting.series), *self.skill.values()
        ]  # fmt: skip


@frozen
class Wish:
    """What somebody wants to be played; `games` for each value of what is varied."""

    game: str
    """What the user calls the rules."""
    file: str
    games: int
    players: int
    seed: int
    bots: Sequence[str]
    options: Mapping[str, str]
    vary: str | None = None


def plan(wish: Wish, bench: Bench) -> Plan:
    """Make a plan. Raises UsageError and RulesError before anything is played."""
    if wish.games < 1:
        raise UsageError(f"at least one game is played, not {wish.games}")
    book = bench.book(wish.file)
    name, values = ("", [""]) if wish.vary is None else varied(wish.vary, book.model)
    if name and name in wish.options:
        raise UsageError(f"the option {name} is varied, so it cannot be set too")
    choices = [
        tuple(sorted({**wish.options, **({name: value} if name else {})}.items()))
        for value in values
    ]
    empty = [Series(wish.file, wish.players, one, (), False, wish.seed, 0, 0) for one in choices]
    casts = castings(wish.bots, [bench.ready(one) for one in empty])
    settings = tuple(
        Setting(value, _series(one, wish.games, casts))
        for value, one in zip(values, empty, strict=True)
    )
    return Plan(settings, tuple(casts), _skill(empty[0], wish.games, casts), name)


def _series(empty: Series, games: int, casts: Sequence[Casting]) -> tuple[Series, ...]:
    """The games, shared out among the casts: no number is played twice."""
    found, first = [], 0
    for left, cast in zip(range(len(casts), 0, -1), casts, strict=True):
        part = -(-(games - first) // left)
        if part:
            found.append(_cast(empty, cast).part(first, part))
        first += part
    return tuple(found)


def _cast(empty: Series, cast: Casting) -> Series:
    return Series(
        empty.file, empty.players, empty.options, cast.names, cast.rotate, empty.seed, 0, 0
    )


def _skill(empty: Series, games: int, casts: Sequence[Casting]) -> dict[str, Series]:
    """Of each bot a few more games, with numbers after the others; each seat equally often."""
    seats = empty.players
    if seats < 2:
        return {}
    number = -(-min(SKILL, -(-games // 4)) // seats) * seats
    return {
        name: _cast(empty, cast).part(games, number) for name, cast in against_random(casts).items()
    }


def varied(said: str, model: Model) -> tuple[str, list[str]]:
    """`starting_money=40..80 step 5`, `three_types=forbidden,punished`: the option, its values."""
    name, sign, values = (part.strip() for part in said.partition("="))
    if not name or not sign or not values:
        message = f"{said!r} does not say what to vary; it is written starting_money=40..80 step 5"
        raise UsageError(f"{message}, or name=one,another")
    found = [one.strip() for one in values.split(",")]
    match = _RANGE.fullmatch(" ".join(values.split()))
    if match is not None:
        low, high, step = int(match[1]), int(match[2]), int(match[3] or 1)
        if not step or low > high:
            raise UsageError(f"{values} has no values; it is written 40..80 step 5")
        if (high - low) // step >= MOST_VALUES:
            raise UsageError(f"{values} has more than {MOST_VALUES} values; take a greater step")
        found = [str(value) for value in range(low, high + 1, step)]
    elif ".." in values or "step" in values.split():
        raise UsageError(f"{values} cannot be read; it is written 40..80 step 5, or 40,55,70")
    if len(found) > MOST_VALUES:
        raise UsageError(f"the option {name} is given more than {MOST_VALUES} values")
    twice = next((value for i, value in enumerate(found) if value in found[:i]), None)
    if twice is not None:
        raise UsageError(f"the option {name} is given the value {twice or 'nothing'} twice")
    if name in model.options:
        for value in found:
            option_value(model.options[name], value)
    return name, found
