"""What tables of many games tell: figures with their intervals, no words."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from rulesdsl.lab.series.intervals import Estimate, mean, share, z_of
from rulesdsl.lab.series.run import Played
from rulesdsl.lab.series.table import Table
from rulesdsl.play.game import Game


@frozen
class Line:
    """A seat or a bot: what it has of the victories, and of what is compared first (if any)."""

    name: str
    wins: Estimate
    points: Estimate | None
    out: Estimate


@frozen
class Gap:
    """The seat that wins most and the one that wins least in the games of a bot.

    `ahead` is how far, as a share of the games; its interval allows for any two seats.
    """

    bot: str
    best: int
    worst: int
    ahead: Estimate


@frozen
class Figures:
    """The figures of one choice of options, over all series in which it was played."""

    games: int
    """That came to their ends."""
    broken: int
    seats: tuple[Line, ...]
    bots: tuple[Line, ...]
    by_bot: dict[str, tuple[Estimate, ...]]
    """For each bot the wins of each seat when that bot sits there."""
    gaps: tuple[Gap, ...]
    terms: dict[str, Estimate]
    """The means of the terms of the result, over all players."""
    winners_terms: dict[str, Estimate]
    winners_points: Estimate | None
    lead: Estimate | None
    """How far the winner is ahead of the second in what is compared first."""
    no_winner: Estimate
    shared: Estimate
    tie_breaks: dict[str, Estimate]
    """How often which key decided, from the second on."""
    out: Estimate
    """Of all seats of all games."""
    runs: Estimate
    decisions: Estimate
    """Of a player in a game."""
    spread: tuple[int, int]
    """In nine of ten games all players together have that many decisions."""


def figures(game: Game, played: Sequence[Played]) -> Figures:
    """The figures of series that differ only in who plays."""
    tables = [one.table for one in played]
    whole = _whole(tables)
    games, seats = len(whole), range(game.players)
    by_bot = {bot: tuple(_wins(played, bot, seat) for seat in seats) for bot in bots_of(played)}
    first = next(iter(whole.keys), None)
    winners = [bool(won) for won in whole.won]
    return Figures(
        games,
        sum(len(table.broken) for table in tables),
        tuple(_seat(game, whole, seat) for seat in seats),
        tuple(_bot(played, bot) for bot in by_bot) if is_mixed(played) else (),
        by_bot,
        tuple(_gap(played, bot, wins) for bot, wins in by_bot.items()),
        {name: mean(column) for name, column in whole.terms.items()},
        {name: mean(_only(column, winners)) for name, column in whole.terms.items()},
        None if first is None else mean(_only(whole.keys[first], winners)),
        None if first is None else mean(_leads(whole, whole.keys[first])),
        share(sum(not n for n in whole.winners), games),
        share(sum(n > 1 for n in whole.winners), games),
        {
            name: share(whole.decided_by.count(index), games)
            for index, name in enumerate(whole.keys)
            if index
        },
        share(sum(whole.out), len(whole.out)),
        mean(whole.runs),
        mean(whole.decisions),
        _spread([sum(row) for row in _rows(whole.decisions, whole.seats)]),
    )


def bots_of(played: Iterable[Played]) -> list[str]:
    """Who plays, each once."""
    return list(dict.fromkeys(bot for one in played for bot in one.series.cast))


def is_mixed(played: Iterable[Played]) -> bool:
    """Whether different bots sit at one table."""
    return any(len(set(one.series.cast)) > 1 for one in played)


def _whole(tables: Sequence[Table]) -> Table:
    """All rows of tables of one game, in one."""
    first = tables[0]
    found = Table(first.seats)
    found.keys = {name: array("q") for name in first.keys}
    found.terms = {name: array("q") for name in first.terms}
    found.measures = {name: array("q") for name in first.measures}
    for table in tables:
        found.add(table)
    return found


def _rows(column: array[int], seats: int) -> Iterator[array[int]]:
    return (column[i : i + seats] for i in range(0, len(column), seats))


def _only(column: Iterable[int], marks: Iterable[bool]) -> Iterator[int]:
    return (value for value, mark in zip(column, marks, strict=True) if mark)


# ------------------------------------------------------------------ seats and bots


def _seat(game: Game, table: Table, seat: int) -> Line:
    keys = [table.each(column, seat) for column in table.keys.values()]
    return Line(
        game.seat_names[seat],
        share(sum(table.shares(seat)), len(table)),
        mean(keys[0]) if keys else None,
        share(sum(table.each(table.out, seat)), len(table)),
    )


def _bot(played: Sequence[Played], bot: str) -> Line:
    """A bot at any of the seats it has had; a game in which it has several counts once."""
    mine = [one for one in played if bot in one.series.cast]
    seats = max(one.series.cast.count(bot) for one in mine)
    games = sum(len(one.table) for one in mine)
    wins = share(sum(wins_of(one, bot) for one in mine), games)
    keys = [next(iter(one.table.keys.values()), None) for one in mine]
    points = [
        mean_of
        for one, key in zip(mine, keys, strict=True)
        if key is not None
        for mean_of in _of_bot(one, bot, key)
    ]
    outs = [value for one in mine for value in _of_bot(one, bot, one.table.out)]
    return Line(
        bot,
        Estimate(wins.value / seats, wins.low / seats, wins.high / seats),
        mean(points) if points else None,
        mean(outs),
    )


def _of_bot(played: Played, bot: str, column: array[int]) -> Iterator[float]:
    """For each game the mean of a column over the seats of a bot."""
    series, table = played.series, played.table
    for number, row in zip(table.number, _rows(column, table.seats), strict=True):
        names = series.names(number)
        mine = [value for value, name in zip(row, names, strict=True) if name == bot]
        yield sum(mine) / len(mine)


def _shares_at(played: Iterable[Played], bot: str, seat: int) -> Iterator[float]:
    """What a seat has of each victory in the games in which the bot sits there."""
    for one in played:
        for number, won in zip(one.table.number, one.table.shares(seat), strict=True):
            if one.series.cast[one.series.bot(number, seat)] == bot:
                yield won


def wins_of(played: Played, bot: str) -> float:
    """How many victories a bot has, with its parts of those that are shared."""
    seats = range(played.table.seats)
    return sum(sum(_shares_at([played], bot, seat)) for seat in seats)


def earned(game: Game, played: Played, bot: str) -> Estimate | None:
    """What a bot is paid in a game; None where the result is no payoff."""
    if game.model.result is None or game.model.result.payoff is None:
        return None
    return mean(_of_bot(played, bot, next(iter(played.table.keys.values()))))


def _wins(played: Sequence[Played], bot: str, seat: int) -> Estimate:
    shares = list(_shares_at(played, bot, seat))
    return share(sum(shares), len(shares))


def _gap(played: Sequence[Played], bot: str, wins: Sequence[Estimate]) -> Gap:
    """How far the best seat is ahead of the worst."""
    values = [one.value for one in wins]
    best, worst = values.index(max(values)), values.index(min(values))
    return Gap(bot, best, worst, ahead(played, bot, best, worst))


def ahead(played: Sequence[Played], bot: str, first: int, second: int) -> Estimate:
    """How much more of the victories one seat has than another where the bot sits there.

    The interval allows for the two having been picked out of all seats.
    """
    seats = played[0].table.seats
    z = z_of(looks=max(1, seats * (seats - 1) // 2))
    one, other = (list(_shares_at(played, bot, seat)) for seat in (first, second))
    if not is_mixed(played):
        # of one game one seat's victory is the other's loss: the difference is taken in each;
        # a game more for either keeps few games from being sure of anything (Agresti and Min)
        apart = mean((a - b for a, b in zip(one, other, strict=True)), z)
        wide = mean((*(a - b for a, b in zip(one, other, strict=True)), 1, -1), z)
        return Estimate(apart.value, wide.low, wide.high)
    high, low = mean(one, z), mean(other, z)
    gap, half = high.value - low.value, (high.half**2 + low.half**2) ** 0.5
    return Estimate(gap, gap - half, gap + half)


# ------------------------------------------------------------------ ends and lengths


def _leads(table: Table, key: array[int]) -> Iterator[int]:
    """How far one winner is ahead of the best other player who can win."""
    rows = zip(
        _rows(key, table.seats), _rows(table.won, table.seats), _rows(table.out, table.seats),
        table.winners, strict=True,
    )  # fmt: skip
    for values, won, out, winners in rows:
        others = [v for v, w, o in zip(values, won, out, strict=True) if not w and not o]
        if winners == 1 and others:
            yield values[won.index(1)] - max(others)


def _spread(values: list[int]) -> tuple[int, int]:
    values = sorted(values)
    if not values:
        return 0, 0
    cut = len(values) // 20
    return values[cut], values[-1 - cut]
