"""Whether figures can be trusted: who played, and what speaks for sensible play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from math import isfinite

from rulesdsl.agents.cast import is_scripted
from rulesdsl.agents.roster import RANDOM
from rulesdsl.lab.series.casting import Casting, called
from rulesdsl.lab.series.counts import blind_shares
from rulesdsl.lab.series.intervals import Estimate
from rulesdsl.lab.series.run import Played
from rulesdsl.lab.series.simulation import Row, Simulation
from rulesdsl.lab.series.summary import Figures, Gap, ahead, bots_of, earned, wins_of
from rulesdsl.lab.series.table import Table
from rulesdsl.play.game import Game

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

ALIKE = 10
"""Fewer games may end alike by luck."""
INTERVALS = "Intervals cover the luck of the deal (95 in 100), not how people play."


def percent(part: float, digits: int = 1) -> str:
    """A share in words: `9.1 %`; what is not nothing is not told as 0."""
    if 0 < part < 10**-digits / 200:
        return f"less than {10**-digits:g} %"
    return f"{100 * part:.{digits}f} %" if part not in (0, 1) else f"{100 * part:.0f} %"


def mean_text(found: Estimate) -> str:
    """A mean with half of its interval, where that has ends: `0.85 ±0.51`."""
    return f"{found.value:.2f}" + (f" ±{found.half:.2f}" if isfinite(found.half) else "")


def listed(names: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def trust(found: Simulation, rows: Sequence[Figures]) -> Iterator[tuple[str, str]]:
    """The lines of the trust block, each with its title."""
    yield "bots", _who(_casts(found), found.game)
    if set(bots_of(found.played)) == {RANDOM}:
        yield (
            "beware",
            "random players find faults in rules; they say nothing about balance",
        )
    elif RANDOM in bots_of(found.played):
        yield "beware", "some players are random: what the others win of them says little"
    if all(_are_alike(one.table) for one in found.played):
        text = "all games of a kind of bot ended alike: where nothing is left to chance, one"
        yield "beware", f"{text} game shows as much as many, and intervals say nothing"
    yield "sensible play", _sensible(found.game, rows)
    if blind := _blind(found.played):
        yield "blind choices", blind
    if found.skill:
        yield "skill", _skill(found)
    if set(bots_of(found.played)) != {RANDOM}:
        yield "agreement", _agreement(found.rows, rows)


def _casts(found: Simulation) -> list[Casting]:
    """The casts that had a game: of a single game the second has none."""
    played = {one.series.cast for one in found.played}
    return [cast for cast in found.plan.casts if cast.names in played]


def _are_alike(table: Table) -> bool:
    """Whether each of several games ended as the first, after as many decisions."""
    games, each = len(table), (table.won, table.place, table.decisions, *table.keys.values())
    return games >= ALIKE and all(column == column[: table.seats] * games for column in each)


def _who(casts: Sequence[Casting], game: Game) -> str:
    kinds = [list(dict.fromkeys(map(called, cast.names))) for cast in casts]
    if len(casts) > 1:
        names = listed([kind[0] for kind in kinds])
        return f"{names}, half of the games each; all players of a game are of one kind"
    if len(kinds[0]) == 1:
        return f"{kinds[0][0]} at every seat"
    if casts[0].rotate:
        return f"{listed(kinds[0])} at one table; seats rotate"
    each = [
        f"{seat} {called(name)}" for seat, name in zip(game.seat_names, casts[0].names, strict=True)
    ]
    return f"{', '.join(each)}; seats do not rotate"


def _sensible(game: Game, rows: Sequence[Figures]) -> str:
    parts, games = [], sum(row.games for row in rows)
    result = game.model.result
    if not games:
        return "no game came to its end"
    if result is not None and result.out is not None:
        out = sum(row.out.value * row.games for row in rows) / games
        who = f"{percent(out)} of the players were" if out else "nobody was"
        parts.append(f"{who} out at the end ({result.out.span.text})")
    none = sum(row.no_winner.value * row.games for row in rows) / games
    broken = sum(row.broken for row in rows)
    every = "every game that came to its end" if broken else "every game"
    parts.append(f"{percent(none)} of the games had no winner" if none else f"{every} had a winner")
    if broken:
        parts.append(f"in {broken:,} the rules failed")
    return "; ".join(parts)


def _blind(played: Sequence[Played]) -> str:
    shares = blind_shares(played)
    scripted = {bot: part for bot, part in shares.items() if is_scripted(bot)}
    if not scripted:
        return ""
    each = [f"{called(bot)} {percent(part)}" for bot, part in scripted.items()]
    return f"decisions in which the bot had no preference: {', '.join(each)}"


def _skill(found: Simulation) -> str:
    others = found.game.players - 1
    many = NUMBERS[others] if others < len(NUMBERS) else str(others)
    first = f"against {many} random player{'s' if others > 1 else ''}"
    told = []
    for bot, played in found.skill.items():
        games = len(played.table)
        wins = f"wins {wins_of(played, bot):g} of {games} games ({games / (others + 1):.4g} = even)"
        payoff = earned(found.game, played, bot)
        paid = "" if payoff is None else f", with a mean payoff of {mean_text(payoff)}"
        told.append(f"one {called(bot)} {wins}{paid}" if games else f"{called(bot)} has not played")
    return f"{first} {'; '.join(told)}"


# ------------------------------------------------------------------ agreement


class Verdict(Enum):
    """What two kinds of bot say about the order of the seats."""

    SAME = auto()
    OPPOSITE = auto()
    UNCLEAR = auto()


def _agreement(rows: Sequence[Row], found: Sequence[Figures]) -> str:
    """Whether two kinds of bot put the seats in the same order."""
    sensible = [gap.bot for gap in found[0].gaps if gap.bot != RANDOM]
    if len(sensible) < 2:
        return f"only {called(sensible[0])} played; another kind of bot might show something else"
    told = [verdict(row, one) for row, one in zip(rows, found, strict=True)]
    if len(rows) == 1:
        return told[0][1]
    same = sum(one is Verdict.SAME for one, _ in told)
    opposite = sum(one is Verdict.OPPOSITE for one, _ in told)
    return (
        f"both put the same seat first and the same last in {same or 'none'} of {len(told)} rows, "
        f"and disagree in {opposite or 'none'}; elsewhere it could be luck"
    )


def verdict(row: Row, found: Figures) -> tuple[Verdict, str]:
    """What the two kinds of bot of a row say, as a verdict and in words."""
    names = row.game.seat_names
    gaps = [gap for gap in found.gaps if gap.bot != RANDOM][:2]
    clear = [gap for gap in gaps if gap.ahead.above]
    if not clear:
        most = 100 * max(gap.ahead.high for gap in gaps)
        hidden = f"leads of up to {most:.0f} wins in 100 would not show in so many games"
        return Verdict.UNCLEAR, f"with neither is a seat ahead beyond luck ({hidden})"
    for gap in clear:
        other = next(one for one in gaps if one is not gap)
        if ahead(row.played, other.bot, gap.worst, gap.best).above:
            first, last = names[gap.best], names[gap.worst]
            said = f"with {called(gap.bot)} {first} is ahead of {last}"
            return Verdict.OPPOSITE, f"they disagree: {said}, with {called(other.bot)} behind"
    one, two = gaps
    if len(clear) < 2:
        other = two if clear[0] is one else one
        only = f"only with {called(clear[0].bot)} is a seat ahead beyond luck"
        said = f"{only} ({_apart(clear[0], names)}); with {called(other.bot)} none is"
        return Verdict.UNCLEAR, said
    if (one.best, one.worst) == (two.best, two.worst):
        wins = f"by {_wins(one.ahead)} and {_wins(two.ahead)} wins in 100"
        return Verdict.SAME, f"both put {names[one.best]} first and {names[one.worst]} last, {wins}"
    each = [f"with {called(gap.bot)} {_apart(gap, names)}" for gap in gaps]
    return Verdict.UNCLEAR, f"both show seats apart, but others: {listed(each)}"


def _apart(gap: Gap, names: Sequence[str]) -> str:
    return f"{names[gap.best]} over {names[gap.worst]} by {_wins(gap.ahead)} wins in 100"


def _wins(apart: Estimate) -> str:
    return f"{100 * apart.value:.0f} ±{100 * apart.half:.0f}"
