"""The page of a simulation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite

from rulesdsl.lab.report.page import Page, Plotted
from rulesdsl.lab.report.plots import Plots
from rulesdsl.lab.series.by_game import decisions_of, measured
from rulesdsl.lab.series.casting import called
from rulesdsl.lab.series.counts import decisions, rule_name, rules_fired
from rulesdsl.lab.series.intervals import Estimate
from rulesdsl.lab.series.report import head
from rulesdsl.lab.series.simulation import Row, Simulation
from rulesdsl.lab.series.summary import Figures, bots_of, figures, is_mixed
from rulesdsl.lab.series.trust import INTERVALS, percent, trust
from rulesdsl.play.texts import Wording


def page(found: Simulation, plots: Plots) -> str:
    """The whole file."""
    return _Study(found, plots).page()


def per_cent(found: Estimate) -> Estimate:
    """A share as so many in a hundred."""
    return Estimate(100 * found.value, 100 * found.low, 100 * found.high)


def told(found: Estimate | None, digits: int = 2) -> str:
    """A figure with half of its interval."""
    if found is None:
        return ""
    half = f" ±{found.half:,.{digits}f}" if isfinite(found.half) else ""
    return f"{found.value:,.{digits}f}{half}"


class _Study:
    """Puts the page of a simulation together."""

    def __init__(self, found: Simulation, plots: Plots) -> None:
        self.found, self.plots = found, plots
        self.rows = [figures(row.game, row.played) for row in found.rows]
        self.name = Wording(found.game.rules).name
        self.out = Page(f"{found.game.title}: what comes of many games")
        self.points = self.name(next(iter(found.played[0].table.keys), "points"))
        self.even = 100 * (1 - self.rows[0].no_winner.value) / found.game.players

    def page(self) -> str:
        """The whole file."""
        for line in head(self.found):
            self.out.text(line, "soft")
        if not self.found.run.games:
            return self.out.whole()
        self.out.section("Can you trust these figures?")
        self.out.facts(trust(self.found, self.rows))
        self.out.text(INTERVALS, "beware")
        if self.found.plan.varied:
            self._varied()
        elif self.rows[0].games:
            self._seats(self.rows[0])
            self._made_of(self.rows[0])
            self._course(self.found.rows[0], self.rows[0])
        self._broken()
        for row in self.found.rows:
            self._choices(row)
        self._rules(self.found.rows[0])
        return self.out.whole()

    # ---------------------------------------------------------------- who wins

    def _seats(self, found: Figures) -> None:
        names = [line.name for line in found.seats]
        self.out.section(
            "Who wins", f"If no seat had an advantage, each would win {self.even:.4g} games in 100."
        )
        self.out.plots(self._seat_plots(found, names))
        rows = [
            (
                called(line.name),
                told(per_cent(line.wins), 1),
                told(line.points),
                percent(line.out.value),
            )
            for line in (*found.seats, *found.bots)
        ]
        self.out.table(
            ("", "wins %", self.points, "out of the running"), rows, "the same in figures"
        )

    def _seat_plots(self, found: Figures, names: Sequence[str]) -> Iterator[Plotted]:
        wins = {called(bot): [*map(per_cent, each)] for bot, each in found.by_bot.items()}
        clear = [gap for gap in found.gaps if gap.ahead.above]
        leads = [
            f"With {called(g.bot)} {names[g.best]} is ahead of {names[g.worst]}." for g in clear
        ]
        says = " ".join(leads) or "No seat is ahead of another beyond luck."
        plot = self.plots.intervals(names, wins, "wins in 100 games", self.even, "even")
        yield Plotted(plot, "Wins of each seat", says)
        points = [line.points for line in found.seats if line.points is not None]
        if points:
            plot = self.plots.intervals(names, {"all games": points}, f"{self.points}, mean")
            yield Plotted(
                plot, f"{self.points.capitalize()} of each seat", "The mean of all games."
            )
        if found.bots:
            bots = [per_cent(line.wins) for line in found.bots]
            each = [called(line.name) for line in found.bots]
            plot = self.plots.intervals(each, {"": bots}, "wins in 100 games", self.even, "even")
            yield Plotted(plot, "Wins of each bot", "All sit at one table.")

    def _made_of(self, found: Figures) -> None:
        """Points, their parts, ties."""
        facts = [
            ("winner", f"{told(found.winners_points)} {self.points}"),
            ("lead", f"{told(found.lead)} ahead of the second"),
            ("victory shared", percent(found.shared.value)),
            *(
                (f"decided by {self.name(key)}", percent(one.value))
                for key, one in found.tie_breaks.items()
            ),
        ]
        known = [(title, text) for title, text in facts if text[0].isdigit()]
        self.out.section("What decides")
        self.out.facts(known)
        if len(found.terms) > 1:
            bars = {
                "winners": {
                    self.name(name): one.value for name, one in found.winners_terms.items()
                },
                "all players": {self.name(name): one.value for name, one in found.terms.items()},
            }
            plot = self.plots.stacked(bars, f"{self.points}, mean")
            says = "What winners have more of than others is what wins."
            self.out.plots([Plotted(plot, "What the result is made of", says)])

    # ---------------------------------------------------------------- how games go

    def _course(self, row: Row, found: Figures) -> None:
        """How long games are, and what is measured."""
        total, (low, high) = found.decisions.value * row.game.players, found.spread
        spread = f"{low:,} to {high:,}" if low < high else f"{low:,}"
        about = f"A game has {total:,.0f} decisions, {spread} in nine of ten games."
        self.out.section("How games go", about)
        if is_mixed(row.played):
            groups = {"": [n for one in row.played for n in decisions_of(one.table)]}
        else:
            groups = {called(one.series.cast[0]): decisions_of(one.table) for one in row.played}
        lengths = {bot: values for bot, values in groups.items() if values}
        if low < high:
            plot = self.plots.histogram(lengths, "decisions in a game")
            self.out.plots(
                [Plotted(plot, "How long games are", "All players' decisions together.")]
            )
        rows = [
            (one.title, told(value, 1 if one.per_cent else 2))
            for one, value in measured(row.game, [one.table for one in row.played])
        ]
        if rows:
            self.out.section("Measures", "What the rules and the bots ask for when a game is over.")
            self.out.table(("", "mean of all players"), rows)

    # ---------------------------------------------------------------- what is varied

    def _varied(self) -> None:
        name, values = self.found.plan.varied, [row.value for row in self.found.rows]
        about = (
            "The same deals for every value. Bands are intervals: where they part, it is no luck."
        )
        self.out.section(f"What {self.name(name)} changes", about)
        self.out.plots(self._curves(self.name(name), values))

    def _curves(self, axis: str, values: Sequence[str]) -> Iterator[Plotted]:
        rows, seats = self.rows, self.found.game.seat_names

        def curve(lines: dict[str, list[Estimate]], title: str, caption: str) -> Plotted:
            return Plotted(self.plots.curves(values, lines, axis, title), caption)

        wins = {seat: [per_cent(row.seats[i].wins) for row in rows] for i, seat in enumerate(seats)}
        yield curve(wins, "wins in 100 games", "Wins of each seat")
        winners = [row.winners_points for row in rows if row.winners_points is not None]
        leads = [row.lead for row in rows if row.lead is not None]
        if len(winners) == len(leads) == len(rows):
            yield curve({"winner": winners}, self.points, f"The winner's {self.points}")
            yield curve({"lead": leads}, self.points, "How far the winner is ahead")
        yield curve({"": [row.decisions for row in rows]}, "decisions of a player", "Length")
        each = [measured(row.game, [one.table for one in row.played]) for row in self.found.rows]
        for number, (one, _) in enumerate(each[0]):
            if all(number < len(row) for row in each):
                means = [row[number][1] for row in each]
                if any(mean.value or mean.half for mean in means):
                    yield curve({"": means}, "mean", one.title)

    # ---------------------------------------------------------------- choices and rules

    def _broken(self) -> None:
        broken = [bad for one in self.found.played for bad in one.table.broken]
        if broken:
            many = f"The rules failed in {len(broken):,} games, which are in no figure here"
            self.out.text(
                f"{many}; the first: game {broken[0].number}, {broken[0].fault}.", "beware"
            )

    def _choices(self, row: Row) -> None:
        """What was chosen, a line for each option."""
        value = f", {self.name(self.found.plan.varied)} {row.value}" if row.value else ""
        bots = len(bots_of(row.played)) > 1
        rows = []
        for one in decisions(row.game, row.played):
            begin = [one.where, *([called(one.bot)] if bots else []), f"{one.asked:.1f}"]
            for name, part in one.options.items():
                rows.append((*begin, self.name(name), percent(part), percent(one.blind)))
                begin = ["" for _ in begin]
        head = ("choice", *(["bot"] if bots else []), "in a game", "option", "taken", "blind")
        if row is self.found.rows[0]:
            self.out.section("What is chosen")
        self.out.table(head, rows, f"every choice and option{value}", words=2 if bots else 1)

    def _rules(self, row: Row) -> None:
        fired = rules_fired(row.game, row.played)
        games = max(1, sum(one.table.played for one in row.played))
        never = [f"{rule_name(rule)} (line {rule.span.line})" for rule, times in fired if not times]
        self.out.section("Rules that were never at work")
        text = "; ".join(never) or f"None: each of {len(fired)} rules was at work at least once."
        self.out.text(text)
        rows = [
            (rule_name(rule), str(rule.span.line), f"{times / games:,.2f}") for rule, times in fired
        ]
        self.out.table(
            ("rule", "line", "times in a game"), rows, "how often every rule was at work"
        )
