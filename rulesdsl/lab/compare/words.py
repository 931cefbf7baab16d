"""A comparison in words: one sentence, and how a change is told."""

from __future__ import annotations

from collections.abc import Sequence

from rulesdsl.lab.compare.comparison import Comparison, Row, Verdict
from rulesdsl.lab.compare.pairs import Change
from rulesdsl.lab.series.by_game import ENDS, LENGTH, MEASURES, POINTS, WINS

SEEN = (Verdict.UP, Verdict.DOWN)
LITTLE = 0.02
"""A change by less than this part of what it was is a little one."""
_SAID = 3
"""So many measures are told in the sentence."""


def number(value: float, row: Row, sign: bool = False) -> str:
    """A figure of a row; with `sign` a difference."""
    digits = 1 if row.per_cent or abs(value) >= 100 else 2
    text = f"{value:+,.{digits}f}" if sign else f"{value:,.{digits}f}"
    # rounded to nothing it has no sign
    return text.lstrip("+-") if float(text.replace(",", "")) == 0 else text


def difference(change: Change, row: Row) -> str:
    """How far B is above A, with the interval: `+1.4 ±1.1`, or that nothing is seen."""
    found = change.difference
    if abs(found.value) <= found.half and found.half:
        return "none seen"
    half = f" ±{number(found.half, row)}" if found.half else ""
    return f"{number(found.value, row, sign=True)}{half}"


def title(row: Row) -> str:
    """What a figure is called where all stand one below the other."""
    return _names([row]) if row.group == WINS else row.title


def verdict(row: Row) -> str:
    """What all bots say together."""
    little = row.verdict in SEEN and is_little(row)
    return f"{row.verdict.value}{' a little' if little else ''}"


def is_little(row: Row) -> bool:
    """Whether a change is seen, but hardly felt at a table."""
    known = [change for change in row.changes if change is not None]
    if row.per_cent:
        return all(abs(change.difference.value) < 1 for change in known)
    return all(abs(c.difference.value) < LITTLE * abs(c.a.value) for c in known)


# ------------------------------------------------------------------ the sentence


def sentence(found: Comparison) -> str:
    """What has changed, in one sentence."""
    if not found.pairs:
        return "No pair of games came to its end, so nothing can be said."
    if all(bout.pairs.all_alike for bout in found.bouts):
        return (
            f"The same: all {found.pairs:,} pairs of games went alike; "
            "what is otherwise in B was never at work."
        )
    parts = [*_seats(found), *_others(found)]
    opposite = [row for row in found.rows if row.verdict is Verdict.OPPOSITE]
    if opposite:
        parts.append(f"about {_listed([_title(r) for r in opposite[:_SAID]])} the bots disagree")
    if not parts:
        reach = found.visible
        limit = f" (wins of a seat by more than {reach:.1f} in 100 would show)" if reach else ""
        return f"Games go otherwise, but no figure shows a change beyond luck{limit}."
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def _seats(found: Comparison) -> list[str]:
    rows = [row for row in found.rows if row.group == WINS]
    ups = [row for row in rows if row.verdict is Verdict.UP]
    downs = [row for row in rows if row.verdict is Verdict.DOWN]
    if not ups and not downs:
        reach = f" (by more than {found.visible:.1f} in 100)" if found.visible else ""
        if not reach and any(c.difference.half for row in rows for c in row.changes if c):
            reach = " (so few games would hardly show it)"
        return [f"no seat is seen to win more or less often{reach}"] if len(rows) > 1 else []
    sizes = [abs(c.difference.value) for row in (*ups, *downs) for c in row.changes if c]
    told = []
    if ups:
        told.append(f"{_names(ups)} {_win(ups)} more often")
    if downs:
        told.append(f"{_names(downs)} {'' if ups else f'{_win(downs)} '}less often")
    return [f"{' and '.join(told)} ({_range(sizes, 1)} games in 100)"]


def _win(rows: Sequence[Row]) -> str:
    return "wins" if len(rows) == 1 else "win"


def _names(rows: Sequence[Row]) -> str:
    """Seats; where they are letters it is said that they are seats, and not the sides A and B."""
    names = _listed([row.title for row in rows])
    seats = "seat" if len(rows) == 1 else "seats"
    return f"{seats} {names}" if all(len(row.title) == 1 for row in rows) else names


def _others(found: Comparison) -> list[str]:
    """The winner's points, how games end, measures and the length, as far as they change much."""
    rows = [row for row in found.rows if row.verdict in SEEN and not is_little(row)]
    points = [row for row in rows if row.group == POINTS][:1]
    ends = [row for row in rows if row.group == ENDS][:1]
    measures = sorted((r for r in rows if r.group == MEASURES), key=_size, reverse=True)[:_SAID]
    length = [row for row in rows if row.group == LENGTH]
    told = [_clause(row) for row in (*points, *ends, *measures, *length)]
    return [f"what changes most besides: {', '.join(told)}"] if told else []


def _clause(row: Row) -> str:
    """`money left +12.6 to +13.5`."""
    changes = sorted(change.difference.value for change in row.changes if change is not None)
    low, high = (number(value, row, sign=True) for value in (changes[0], changes[-1]))
    return f"{_title(row)} {low if low == high else f'{low} to {high}'}"


def _title(row: Row) -> str:
    """What a figure is called in a sentence."""
    if row.group == WINS:
        return f"the wins of {_names([row])}"
    part = row.title.removeprefix("- ")
    return row.title if part == row.title else f"what comes {part}"


def _size(row: Row) -> float:
    """How great a change is beside what it was."""
    known = [change for change in row.changes if change is not None]
    return min(abs(c.difference.value) / max(abs(c.a.value), 1e-9) for c in known)


def _range(values: Sequence[float], digits: int) -> str:
    low, high = (f"{value:.{digits}f}" for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
