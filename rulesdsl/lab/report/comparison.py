"""The page of a comparison."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.lab.compare.comparison import Comparison, Row
from rulesdsl.lab.compare.text import facts, head
from rulesdsl.lab.compare.words import difference, number, sentence, title, verdict
from rulesdsl.lab.report.page import Page, Plotted
from rulesdsl.lab.report.plots import Plots
from rulesdsl.lab.series.by_game import MEASURES, POINTS, WINS, decisions_of
from rulesdsl.lab.series.intervals import Estimate


def page(found: Comparison, again: str, plots: Plots) -> str:
    """The whole file; `again` is what repeats the run."""
    out = Page(f"{_sides(found)}: the same deals")
    out.text(sentence(found), "said")
    for line in head(found, wrapped=False):
        out.text(line, "soft")
    out.section("Can you trust these figures?")
    out.facts(facts(found))
    out.section(
        "What is otherwise", "A point on the line is no change; an interval across it may be luck."
    )
    out.plots(_changes(found, plots))
    out.section(
        "Every figure", "Where both kinds of bot show the same, it is more than their habits."
    )
    out.table(_head(found), [_cells(row) for row in found.rows])
    if lengths := [*_lengths(found, plots)]:
        out.section("How long games are")
        out.plots(lengths)
    out.text(f"Same run again: rulesdsl compare --again {again}", "soft")
    return out.whole()


def _sides(found: Comparison) -> str:
    a, b = found.games
    return f"{a.title}, before and after" if a.title == b.title else f"{a.title} and {b.title}"


# ------------------------------------------------------------------ plots


def _changes(found: Comparison, plots: Plots) -> Iterator[Plotted]:
    """The change of each seat's wins; of points and measures beside what they were."""
    wins = [row for row in found.rows if row.group == WINS]
    if wins:
        svg = plots.intervals(
            [title(row) for row in wins], _groups(found, wins), "more or fewer wins in 100 games",
            0.0, "no change",
        )  # fmt: skip
        yield Plotted(svg, "Wins of each seat, B - A")
    others = [row for row in found.rows if row.group in (POINTS, MEASURES) and _has_base(row)]
    if others:
        svg = plots.intervals(
            [row.title for row in others], _groups(found, others, relative=True),
            "more or less, in % of what A has", 0.0, "no change",
        )  # fmt: skip
        yield Plotted(svg, "Points and measures, B beside A")


def _has_base(row: Row) -> bool:
    """Whether changes in % say something: what is hardly ever there would outgrow all others."""
    return all(
        change is not None and abs(change.a.value) > change.difference.half
        for change in row.changes
    )


def _groups(
    found: Comparison, rows: list[Row], relative: bool = False
) -> dict[str, list[Estimate]]:
    """For each bot the differences of some rows; `relative` in % of what they were under A."""
    groups: dict[str, list[Estimate]] = {}
    for index, bout in enumerate(found.bouts):
        changes = [change for row in rows if (change := row.changes[index]) is not None]
        factors = [100 / abs(c.a.value) if relative else 1.0 for c in changes]
        groups[bout.name] = [
            Estimate(*(f * x for x in (d.value, d.low, d.high)))
            for f, d in zip(factors, (c.difference for c in changes), strict=True)
        ]
    return groups


def _lengths(found: Comparison, plots: Plots) -> Iterator[Plotted]:
    for bout in found.bouts:
        games = {"A": decisions_of(bout.a.table), "B": decisions_of(bout.b.table)}
        if len({*games["A"], *games["B"]}) > 1:
            svg = plots.histogram(games, "decisions in a game")
            yield Plotted(svg, f"Decisions in a game, {bout.name}")


# ------------------------------------------------------------------ table


def _head(found: Comparison) -> list[str]:
    bots = [bout.name for bout in found.bouts]
    cells = [f"{column} {bot}" for bot in bots for column in ("A", "B", "B - A")]
    return ["", *cells, "both agree" if len(bots) > 1 else "seen"]


def _cells(row: Row) -> list[str]:
    cells = [f"wins % of {title(row)}" if row.group == WINS else title(row)]
    for change in row.changes:
        if change is None:
            cells += ["", "", ""]
        else:
            cells += [
                number(change.a.value, row),
                number(change.b.value, row),
                difference(change, row),
            ]
    return [*cells, verdict(row)]
