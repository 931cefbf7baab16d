"""What is compared: two sides, who plays, and which games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from rulesdsl.agents.cast import named_players
from rulesdsl.lab.series.casting import kinds, told_apart
from rulesdsl.lab.series.ready import Ready
from rulesdsl.lab.series.series import Series
from rulesdsl.lab.series.work import Bench
from rulesdsl.machine.settings import UsageError
from rulesdsl.text.problems import RulesError

MOST_BOTS = 2


@frozen
class Side:
    """Rules and options as users name them."""

    game: str
    file: str
    options: Mapping[str, str]


@frozen
class Wish:
    """What somebody wants to be compared; `games` pairs of games for each bot.

    `players` None: as many as both sides can have. `bots` empty: two kinds that come with the game.
    """

    a: Side
    b: Side
    games: int
    players: int | None
    bots: Sequence[str]
    seed: int

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.a, self.b


@frozen
class Duel:
    """The same games under both rules, with one kind of bot at all seats."""

    bot: str
    a: Series
    b: Series


@frozen
class Plan:
    """All that is played."""

    players: int
    duels: tuple[Duel, ...]

    @property
    def series(self) -> list[Series]:
        return [one for duel in self.duels for one in (duel.a, duel.b)]


def plan(wish: Wish, bench: Bench) -> Plan:
    """Make a plan. Raises UsageError and RulesError before anything is played."""
    players = _players(wish, bench)
    empty = [
        Series(side.file, players, tuple(sorted(side.options.items())), (), False, wish.seed, 0, 0)
        for side in wish.sides
    ]
    bots = _bots(wish, [bench.ready(one) for one in empty])

    def games(one: Series, bot: str) -> Series:
        cast = (bot,) * players
        return Series(one.file, players, one.options, cast, False, wish.seed, 0, wish.games)

    return Plan(
        players, tuple(Duel(bot, games(empty[0], bot), games(empty[1], bot)) for bot in bots)
    )


def are_alike(made: Plan, bench: Bench) -> bool:
    """Whether both sides mean the same rules with the same options."""
    a, b = (bench.ready(one).game for one in (made.duels[0].a, made.duels[0].b))
    return a.rules_hash == b.rules_hash and a.options == b.options


def _players(wish: Wish, bench: Bench) -> int:
    """How many play on both sides."""
    ranges = [bench.book(side.file).model.players for side in wish.sides]
    low, high = max(low for low, _ in ranges), min(high for _, high in ranges)
    if low > high:
        each = [
            f"{side.game} is for {_told(*r)}" for side, r in zip(wish.sides, ranges, strict=True)
        ]
        raise UsageError(f"{' and '.join(each)} players: no number of players fits both")
    if wish.players is not None and not low <= wish.players <= high:
        raise UsageError(f"both games can be played by {_told(low, high)}, not by {wish.players}")
    return high if wish.players is None else wish.players


def _told(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _bots(wish: Wish, sides: list[Ready]) -> list[str]:
    """Those who play, one kind after the other."""
    if not wish.bots:
        return kinds(sides)
    named, seats = named_players(wish.bots, sides[0].game.seat_names)
    if seats:
        raise UsageError("all at a table play alike in a comparison: name a bot without a seat")
    if len(named) > MOST_BOTS or len(set(named)) < len(named):
        raise UsageError("a comparison is played with one kind of bot, or with two different ones")
    told_apart(named)
    for bot in named:
        for side, ready in zip(wish.sides, sides, strict=True):
            try:
                ready.company.agents((bot,), 0, 0)
            except RulesError as error:
                first = error.problems[0]
                note = f"the bot {bot} does not fit {side.game}: {first.note} ({first.span})"
                raise UsageError(f"{note}; name another with --bot") from None
    return named
