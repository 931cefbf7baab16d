"""A comparison as JSON: all figures, and all it takes to play the same again."""

from __future__ import annotations

from math import isfinite

from attrs import asdict

from rulesdsl.lab.compare.changed import (
    options_of,
    options_used,
    rates_changed,
    rules_changed,
    rules_used,
)
from rulesdsl.lab.compare.comparison import Comparison, Row
from rulesdsl.lab.compare.pairs import Change
from rulesdsl.lab.compare.words import sentence
from rulesdsl.lab.series.counts import blind_shares
from rulesdsl.lab.series.intervals import Estimate


def to_json(found: Comparison, run: dict[str, object], again: str) -> dict[str, object]:
    """Everything; `run` describes it, `again` is its name."""
    return {
        "again": again,
        "run": run,
        "seconds": round(found.run.seconds, 3),
        "stopped": found.run.stopped,
        "failed": found.run.failed or None,
        "pairs": found.pairs,
        "options": list(options_of(found)),
        "rules": [str(one) for one in rules_changed(*found.wish.sides)],
        "sentence": sentence(found),
        "smallest_visible_change_of_wins": found.visible,
        "bots": [bout.name for bout in found.bouts],
        "figures": [_row(row) for row in found.rows],
        "other_winners": {bout.name: bout.pairs.other_winners for bout in found.bouts},
        "blind": {
            bout.name: [blind_shares([one]).get(bout.bot, 0.0) for one in (bout.a, bout.b)]
            for bout in found.bouts
        },
        "choices_used": asdict(options_used(found)),
        "rules_used": asdict(rules_used(found)),
        "rules_more_or_less_often": [asdict(one) for one in rates_changed(found)],
        "broken": [len(one.table.broken) for b in found.bouts for one in (b.a, b.b)],
    }


def _row(row: Row) -> dict[str, object]:
    return {
        "group": row.group,
        "figure": row.title,
        "verdict": row.verdict.value,
        "by_bot": [None if change is None else _change(change) for change in row.changes],
    }


def _change(change: Change) -> dict[str, object]:
    return {
        "a": _estimate(change.a),
        "b": _estimate(change.b),
        "difference": _estimate(change.difference),
        "pairs": change.pairs,
        "narrower": round(change.narrower, 4),
    }


def _estimate(found: Estimate) -> dict[str, float | None]:
    return {n: round(v, 6) if isfinite(v) else None for n, v in asdict(found).items()}
