"""The report on a simulation: a page of text that begins with how far it can be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import fill

from rulesdsl.lab.series.by_game import measured
from rulesdsl.lab.series.casting import called
from rulesdsl.lab.series.counts import decisions, rule_name, rules_fired
from rulesdsl.lab.series.intervals import Estimate
from rulesdsl.lab.series.simulation import Row, Simulation
from rulesdsl.lab.series.summary import Figures, Line, figures
from rulesdsl.lab.series.trust import INTERVALS, listed, mean_text, percent, trust
from rulesdsl.play.moves import say
from rulesdsl.play.page import WIDTH
from rulesdsl.play.texts import Wording
from rulesdsl.resources import told_file

TITLE = 15
"""Columns of the titles on the left."""
BAR = 30
"""Columns of the longest bar."""
LONGEST = 12
"""Characters of what is compared; what is longer is called the score."""
TIED = "\u00a0"
"""A space at which no line ends."""
SHOWN = 6
"""Of more rules or broken games than this only the first are named."""


def report(found: Simulation, everything: bool = False) -> Iterator[str]:
    """The lines of the report; with `everything` each decision, option and rule."""
    rows = [figures(row.game, row.played) for row in found.rows]
    page = _Page(found, rows, Wording(found.game.rules))
    yield from head(found)
    if not found.run.games:
        return
    yield ""
    yield "Can you trust these figures?"
    for title, text in trust(found, rows):
        yield from _titled(title, text, indent=2)
    yield f"  {INTERVALS}"
    yield ""
    if found.plan.varied:
        yield from page.varied()
    elif rows[0].games:
        yield from page.seats()
        yield from page.bots()
        yield ""
        yield from page.facts()
    yield from page.broken()
    if everything:
        yield from page.decisions()
        yield from page.rules()
    elif rows[0].games:
        yield from page.following()


def head(found: Simulation) -> Iterator[str]:
    """What was played, how much of it, how fast."""
    game, run = found.game, found.run
    varied = found.plan.varied
    changed = [f"{n} {say(v)}" for n, v in game.changed_options.items() if n != varied]
    rules = f"rules {game.rules_hash}, {told_file(Path(found.wish.file))}"
    yield f"{game.title}: {', '.join(changed) or 'no option changed'} ({rules})"
    games = sum(one.table.played for one in found.played)
    rate = games / run.seconds
    many = "game" if games == 1 else "games"
    players = f"{game.players} player{'s' if game.players > 1 else ''}"
    speed = f"{rate:,.{0 if rate > 9 else 1}f} games a second, {found.way}"
    yield (f"{games:,} {many}, {players}, seed {found.wish.seed}, {run.seconds:,.1f} s ({speed})")
    wanted = sum(one.series.games for one in found.played)
    if run.stopped:
        yield f"Stopped by Ctrl-C: {games:,} of {wanted:,} games; what follows tells of these."
    elif run.failed:
        yield f"Ended early, {games:,} of {wanted:,} games: {run.failed}."


def _titled(title: str, text: str, indent: int = 0) -> list[str]:
    """A text behind its title, over as many lines as it needs."""
    return _beside(" " * indent + f"{title:<{TITLE}} ", text)


def _beside(left: str, text: str) -> list[str]:
    """A text behind something, over as many lines as it needs."""
    further = " " * len(left)
    # a number stays with its sign
    kept = (left + text).replace(" %", f"{TIED}%")
    lines = fill(kept, WIDTH, subsequent_indent=further, break_on_hyphens=False).splitlines()
    return [line.replace(TIED, " ") for line in lines]


class _Page:
    """The parts of a report."""

    def __init__(self, found: Simulation, rows: Sequence[Figures], wording: Wording) -> None:
        self.found, self.rows, self.name = found, rows, wording.name
        first = next(iter(found.played[0].table.keys), "")
        # what is compared may be a long sum
        self.points = first if len(first) <= LONGEST else "score"

    # ---------------------------------------------------------------- seats and bots

    def seats(self) -> Iterator[str]:
        """Wins and points of each seat, with a bar."""
        found = self.rows[0]
        bots = list(found.by_bot) if len(found.by_bot) > 1 else []
        yield from self._table("seat", found.seats, found, bots)

    def bots(self) -> Iterator[str]:
        """Wins and points of each bot, where several sit at one table."""
        if self.rows[0].bots:
            yield ""
            yield from self._table("bot", self.rows[0].bots, self.rows[0], [])

    def _table(
        self, title: str, lines: Sequence[Line], found: Figures, bots: Sequence[str]
    ) -> Iterator[str]:
        even = (1 - found.no_winner.value) / len(found.seats)
        names = [called(line.name) for line in lines]
        left = max(map(len, [title, *names])) + 2
        outs = any(line.out.value for line in lines)
        widths = [max(len(called(bot)), 5) + 2 for bot in bots]
        head = f"{title:<{left}}{'wins %':>6}  {f'({100 * even:.4g} = even)':<14}"
        head += f"{self.name(self.points, 2):>12}" if self.points else ""
        head += f"{'out %':>8}" if outs else ""
        head += "".join(f"{called(bot):>{width}}" for bot, width in zip(bots, widths, strict=True))
        yield head.rstrip()
        for seat, line in enumerate(lines):
            wins = line.wins
            text = f"{names[seat]:<{left}}{100 * wins.value:>6.1f}  {_ends(wins):<14}"
            text += f"{_mean(line.points):>12}" if line.points else ""
            text += f"{100 * line.out.value:>8.1f}" if outs else ""
            each = [100 * found.by_bot[bot][seat].value for bot in bots]
            text += "".join(f"{x:>{w}.1f}" for x, w in zip(each, widths, strict=True))
            room = min(BAR, WIDTH - len(text) - 3)
            yield f"{text}   {_bar(wins, max(one.wins.high for one in lines), room)}".rstrip()

    # ---------------------------------------------------------------- facts

    def facts(self) -> Iterator[str]:
        """Points and what they are made of, ties, lengths, rules: a line or two each."""
        found = self.rows[0]
        points = self.name(self.points, 2)
        if found.winners_points is not None:
            lead = f"; ahead of the second by {_mean(found.lead)}" if found.lead else ""
            yield from _titled("winner", f"{_mean(found.winners_points)} {points}{lead}")
        if len(found.terms) > 1:
            each = [f"{self.name(n)} {found.terms[n].value:.2f}" for n in found.terms]
            mine = [f"{self.name(n)} {found.winners_terms[n].value:.2f}" for n in found.terms]
            yield from _titled(f"{points} from", ", ".join(each) + " (means of all players)")
            yield from _titled("", ", ".join(mine) + " (of winners)")
        yield from _titled("ties", self._ties(found))
        measures = measured(self.found.game, [one.table for one in self.found.rows[0].played])
        if measures:
            each = [f"{one.title} {_mean(value)}" for one, value in measures]
            yield from _titled("measures", f"{', '.join(each)} (means of all players)")
        low, high = found.spread
        spread = f"{low:,} to {high:,}" if low < high else f"{low:,}"
        total = found.decisions.value * len(found.seats)
        text = f"{total:,.0f} decisions a game ({spread} in nine of ten), "
        text += f"{found.decisions.value:,.1f} a player"
        yield from _titled("length", text)
        yield from _titled("rules", self._never())

    def _ties(self, found: Figures) -> str:
        keys = [
            f"{self.name(key)} in {percent(part.value)}"
            for key, part in found.tie_breaks.items()
            if part.value
        ]
        parts = [f"decided by {', '.join(keys)} of the games"] if keys else []
        if found.shared.value:
            parts.append(f"victory shared in {percent(found.shared.value)}")
        return "; ".join(parts) or "no tie-break was needed, and no victory was shared"

    def _never(self) -> str:
        fired = rules_fired(self.found.game, self.found.rows[0].played)
        rules = [rule for rule, times in fired if not times]
        if not rules:
            return f"each of {len(fired)} was at work at least once"
        shown = [f"{rule_name(rule)} (line {rule.span.line})" for rule in rules[:SHOWN]]
        more = [f"{len(rules) - SHOWN} more (--all)"] if len(rules) > SHOWN else []
        return f"{len(rules)} of {len(fired)} never at work: {listed([*shown, *more])}"

    # ---------------------------------------------------------------- what is varied

    def varied(self) -> Iterator[str]:
        """A row for each value: wins of the seats, the winner's points, ties, length."""
        name, seats = self.found.plan.varied, self.found.game.seat_names
        left = max(len(name), *(len(row.value) for row in self.found.rows)) + 2
        head = f"{name:<{left}}" + "".join(f"{seat:>7}" for seat in seats)
        points = self.rows[0].winners_points is not None
        outs = any(one.out.value for one in self.rows)
        head += f"{'winner':>9}{'lead':>7}{'tie-break %':>13}" if points else ""
        head += (f"{'out %':>7}" if outs else "") + f"{'decisions':>11}"
        nobody = any(one.no_winner.value for one in self.rows)
        even = "" if nobody else f" ({100 / len(seats):.4g} = even)"
        head += f"{'no winner %':>13}" if nobody else ""
        yield f"{'':<{left}}  wins % of each seat{even}"
        yield head
        for row, one in zip(self.found.rows, self.rows, strict=True):
            text = f"{row.value:<{left}}"
            text += "".join(f"{100 * line.wins.value:>7.1f}" for line in one.seats)
            if one.winners_points is not None and one.lead is not None:
                ties = 100 * sum(part.value for part in one.tie_breaks.values())
                text += f"{one.winners_points.value:>9.2f}{one.lead.value:>7.2f}{ties:>13.1f}"
            text += f"{100 * one.out.value:>7.1f}" if outs else ""
            text += f"{one.decisions.value * len(seats):>11.0f}"
            yield text + (f"{100 * one.no_winner.value:>13.1f}" if nobody else "")
        wide = max(line.wins.half for one in self.rows for line in one.seats)
        games = min(one.games for one in self.rows)
        deals = f"each row has {games:,} games, and the same deals as the others"
        yield f"Wins are good to ±{100 * wide:.1f}; {deals}."

    # ---------------------------------------------------------------- what went wrong

    def broken(self) -> Iterator[str]:
        """Games in which the rules failed, each with the command that plays it again."""
        broken = [
            (one, row, bad)
            for row in self.found.rows
            for one in row.played
            for bad in one.table.broken
        ]
        if not broken:
            return
        yield ""
        yield f"The rules failed in {len(broken):,} games, which are not in the figures:"
        for one, row, bad in broken[:SHOWN]:
            yield f"  game {bad.number}: {bad.fault}"
            seats = row.game.seat_names
            yield f"      {one.series.command(self.found.wish.game, bad.number, seats)}"

    # ---------------------------------------------------------------- everything

    def decisions(self) -> Iterator[str]:
        """How often each choice came up, and what was taken there."""
        for row in self.found.rows:
            found = decisions(row.game, row.played)
            where = max(len(one.where) for one in found) + 2 if found else 0
            bots = max(len(called(one.bot)) for one in found) + 2 if found else 0
            yield ""
            yield f"What was chosen{self._with(row)}"
            yield f"  {'choice':<{where}}{'bot':<{bots}}{'a game':>7}   share of the moves there"
            for one in found:
                options = ", ".join(f"{self.name(n)} {percent(k)}" for n, k in one.options.items())
                blind = f"; without a preference {percent(one.blind)}" if one.blind else ""
                left = f"  {one.where:<{where}}{called(one.bot):<{bots}}{one.asked:>7.1f}   "
                yield from _beside(left, options + blind)

    def rules(self) -> Iterator[str]:
        """How often each rule was at work."""
        for row in self.found.rows:
            games = max(1, sum(one.table.played for one in row.played))
            yield ""
            yield f"How often each rule was at work{self._with(row)}"
            yield "   a game  line  rule"
            for rule, times in rules_fired(row.game, row.played):
                cites = ", ".join(f"{cite.source} {cite.section}" for cite in rule.cites)
                left = f"{times / games:>9.2f}{rule.span.line:>6}  {rule_name(rule):<30}  "
                yield from _beside(left, cites)

    def _with(self, row: Row) -> str:
        return f", {self.found.plan.varied} {row.value}" if self.found.plan.varied else ""

    # ---------------------------------------------------------------- what to type next

    def following(self) -> Iterator[str]:
        """What to type next."""
        wish, one = self.found.wish, self.found.played[0]
        command = one.series.command(wish.game, one.series.first, self.found.game.seat_names)
        yield ""
        yield f"The first of these games:  {command}"
        yield "Each decision, option and rule:  --all     a row for each game:  --csv FILE"
        yield "A page with plots:  --report FILE"


def _ends(found: Estimate) -> str:
    return f"{100 * found.low:.1f} - {100 * found.high:.1f}"


def _mean(found: Estimate | None) -> str:
    return "" if found is None else mean_text(found)


def _bar(found: Estimate, most: float, room: int) -> str:
    """The figure as a bar; its interval is the part in minus signs."""
    if not most or room < 10:
        return ""
    low, high = round(found.low / most * room), round(found.high / most * room)
    return "#" * low + "-" * (high - low)
