"""The text of a comparison: one sentence first, then a table, then what else is otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import fill

from rulesdsl.agents.cast import is_scripted
from rulesdsl.agents.roster import RANDOM
from rulesdsl.lab.compare.changed import (
    options_of,
    options_used,
    rates_changed,
    rules_changed,
    rules_used,
)
from rulesdsl.lab.compare.comparison import Comparison, Row
from rulesdsl.lab.compare.words import difference, number, sentence, title, verdict
from rulesdsl.lab.series.by_game import WINS
from rulesdsl.lab.series.counts import blind_shares
from rulesdsl.lab.series.run import Played
from rulesdsl.lab.series.trust import listed, percent
from rulesdsl.play.page import WIDTH
from rulesdsl.resources import told_file

TITLE, CELL, DIFFERENCE = 23, 7, 14
"""Columns of the table."""
SHOWN = 6
"""Of more than this only the first are named."""
_LEFT = 15


def report(found: Comparison, again: str) -> Iterator[str]:
    """The lines of the report; `again` is what repeats the run."""
    yield from head(found)
    yield ""
    yield from _filled("", f"In one sentence: {sentence(found)}", 0)
    yield ""
    yield from table(found)
    yield ""
    for what, text in facts(found):
        yield from _filled(what, text)
    yield ""
    yield f"Same run again:  rulesdsl compare --again {again}     a page with plots:  --report FILE"


def _filled(what: str, text: str, left: int = _LEFT) -> list[str]:
    begin = f"{what:<{left}} " if left else ""
    wrapped = fill(
        text, WIDTH, initial_indent=begin, subsequent_indent=" " * len(begin),
        break_on_hyphens=False,
    )  # fmt: skip
    return wrapped.splitlines()


# ------------------------------------------------------------------ head


def head(found: Comparison, wrapped: bool = True) -> Iterator[str]:
    """What is compared, and what was played; not `wrapped` a line for each."""
    options = options_of(found)
    left = max(20, *(len(side.game) + 4 for side in found.wish.sides))

    def told_as(what: str, text: str, left: int) -> list[str]:
        return _filled(what, text, left) if wrapped else [f"{what}: {text}" if what else text]

    for letter, side, game, chosen in zip(
        "AB", found.wish.sides, found.games, options, strict=True
    ):
        told, file = ", ".join(chosen) or game.title, told_file(Path(side.file))
        named = "" if file == side.game else f" ({file})"
        yield from told_as(f"{letter}  {side.game}", told + named, left)
    if rules := rules_told(found):
        yield from told_as("B has otherwise", "; ".join(rules), left)
    bots = listed([bout.name for bout in found.bouts])
    run, wanted = found.run, found.wish.games
    each = "each with " if len(found.bouts) > 1 else ""
    pairs = "pair" if found.pairs == 1 else "pairs"
    text = (
        f"{found.pairs:,} {pairs} of games on the same deals, {each}{bots}; {found.plan.players} "
    )
    yield from told_as("", f"{text}players, seed {found.wish.seed}", 0)
    yield f"{run.seconds:,.1f} s ({found.way})"
    if run.stopped:
        yield f"Stopped by Ctrl-C: {found.pairs:,} of {wanted:,} pairs; all below tells of these."
    elif run.failed:
        yield f"Ended early, {found.pairs:,} of {wanted:,} pairs: {run.failed}."


def rules_told(found: Comparison) -> list[str]:
    """What the rules of B have otherwise, the first of it."""
    a, b = found.wish.sides
    rules = [" ".join(str(one).splitlines()[0].split()) for one in rules_changed(a, b)]
    told = rules[:SHOWN]
    if len(rules) > SHOWN:
        told.append(f"{len(rules) - SHOWN} more (rulesdsl diff {a.game} {b.game})")
    return told


# ------------------------------------------------------------------ table


def table(found: Comparison) -> Iterator[str]:
    """A line for each figure, under A and B, for each kind of bot."""
    bots = [bout.name for bout in found.bouts]
    wide = 2 * CELL + DIFFERENCE
    yield (" " * TITLE + "".join(f"   {bot:<{wide - 3}}" for bot in bots)).rstrip()
    cells = f"{'A':>{CELL}}{'B':>{CELL}}  {'B - A':<{DIFFERENCE - 2}}"
    last = "both agree" if len(bots) > 1 else "seen"
    yield (" " * TITLE + cells * len(bots) + f" {last}").rstrip()
    group = ""
    for row in found.rows:
        if row.group == WINS and group != WINS:
            yield "wins % (of 100 games)"
        group = row.group
        yield _line(f"  {title(row)}" if group == WINS else title(row), row)


def _line(left: str, row: Row) -> str:
    text = f"{left:<{TITLE}}"
    for change in row.changes:
        if change is None:
            text += " " * (2 * CELL + DIFFERENCE)
            continue
        text += f"{number(change.a.value, row):>{CELL}}{number(change.b.value, row):>{CELL}}"
        text += f"  {difference(change, row):<{DIFFERENCE - 2}}"
    return f"{text} {verdict(row)}".rstrip()


# ------------------------------------------------------------------ facts


def facts(found: Comparison) -> Iterator[tuple[str, str]]:
    """What stands below the table, each with its title."""
    yield from _used(found)
    yield "same deal", _winners(found)
    visible = found.visible
    if visible is not None:
        text = f"a change of a seat's wins by {visible:.1f} in 100 or more would mostly be seen"
        yield "small changes", f"{text}; four times the games halve that"
    yield "sensible play", _sensible(found)
    yield "intervals", _intervals(found)


def _used(found: Comparison) -> Iterator[tuple[str, str]]:
    options, rules = options_used(found), rules_used(found)
    for what, use in (("choices", options), ("rules", rules)):
        told = [
            f"only in {side}: {_first(names)}"
            for side, names in (("A", use.only_a), ("B", use.only_b))
            if names
        ]
        if told:
            yield what, "; ".join(told)
    rates = [
        f"{one.rule} from {' and '.join(_times(a, b) for a, b in zip(one.a, one.b, strict=True))}"
        for one in rates_changed(found)
    ]
    if rates:
        yield "times a game", f"{_first(rates, '; ')} (counted; these have no intervals)"


def _times(a: float, b: float) -> str:
    return f"{a:.2f} to {b:.2f}"


def _first(names: Sequence[str], between: str = ", ") -> str:
    more = f"{between}{len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return between.join(names[:SHOWN]) + more


def _winners(found: Comparison) -> str:
    other = [f"{percent(bout.pairs.other_winners, 0)} ({bout.name})" for bout in found.bouts]
    text = f"another winner in {listed(other)} of the pairs"
    narrower = [
        sum(c.narrower for c in changes) / len(changes)
        for i in range(len(found.bouts))
        if (changes := [c for r in found.rows if r.group == WINS and (c := r.changes[i])])
    ]
    if found.pairs > 1 and narrower:
        text += f"; playing the same deals made the intervals of wins {_narrower(narrower)}"
    return text


def _narrower(parts: Sequence[float]) -> str:
    """`5 % and 9 % narrower`: what one side wins of a deal the other may lose, so also wider."""
    ways = ["narrower" if part >= 0 else "wider" for part in parts]
    sizes = [percent(abs(part), 0) for part in parts]
    if len(set(ways)) == 1:
        return f"{listed(sizes)} {ways[0]}"
    return listed([f"{size} {way}" for size, way in zip(sizes, ways, strict=True)])


def _sensible(found: Comparison) -> str:
    """What speaks against the figures: blind choices, random players, games that broke."""
    parts = []
    if RANDOM in [bout.bot for bout in found.bouts]:
        parts.append("random players find faults in rules; they say nothing of balance")
    blind = [*_blind(found)]
    if blind:
        parts.append(f"decisions in which a bot had no preference: {'; '.join(blind)}")
    parts += [f"in {side} {text}" for side, text in zip("AB", _broken(found), strict=True) if text]
    return "; ".join(parts) or "nothing speaks against the figures"


def _blind(found: Comparison) -> Iterator[str]:
    """For each bot that is a file how many of its decisions were blind."""
    for bout in found.bouts:
        if not is_scripted(bout.bot):
            continue
        a, b = (blind_shares([one]).get(bout.bot, 0.0) for one in (bout.a, bout.b))
        unknown = " (it does not know what is new there)" if b > a + 0.01 else ""
        yield f"{bout.name} {percent(a)} in A, {percent(b)} in B{unknown}"


def _broken(found: Comparison) -> list[str]:
    sides: list[list[Played]] = [[b.a for b in found.bouts], [b.b for b in found.bouts]]
    told = []
    for played in sides:
        broken = [bad for one in played for bad in one.table.broken]
        first = f"; the first: game {broken[0].number}, {broken[0].fault}" if broken else ""
        told.append(f"the rules failed in {len(broken):,} games{first}" if broken else "")
    return told


def _intervals(found: Comparison) -> str:
    """What an interval means, and that some figures leave theirs by luck."""
    many = len(found.rows)
    lucky = f"about {expected}" if (expected := round(many * 0.05)) else "hardly one"
    text = (
        "95 in 100 hold the true difference; they cover the luck of the deal, not how people play"
    )
    if len(found.bouts) > 1:
        return (
            f"{text}. Of {many} figures {lucky} would show a change by "
            "luck with one kind of bot: count what both show"
        )
    return (
        f"{text}. Of {many} figures {lucky} would show a change by luck: "
        "the last column is stricter, so that all of it holds at once"
    )
