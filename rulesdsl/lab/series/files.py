"""Simulations as files: everything as JSON, a row for each game as CSV and Parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from typing import BinaryIO, TextIO

from attrs import asdict

from rulesdsl.lab.series.by_game import measured
from rulesdsl.lab.series.counts import blind_shares, decisions, rules_fired
from rulesdsl.lab.series.extras import extra
from rulesdsl.lab.series.intervals import Estimate
from rulesdsl.lab.series.simulation import Row, Simulation
from rulesdsl.lab.series.summary import Line, earned, figures, wins_of
from rulesdsl.version import __version__

Cell = int | str | None


def to_json(found: Simulation) -> dict[str, object]:
    """All figures, with all it takes to play the same again."""
    wish, run, game = found.wish, found.run, found.game
    return {
        "package": __version__,
        "game": game.name,
        "file": wish.file,
        "rules": game.rules_hash,
        "players": wish.players,
        "seed": wish.seed,
        "options": {n: v for n, v in game.options.items() if n != found.plan.varied},
        "varied": found.plan.varied or None,
        "seconds": round(run.seconds, 3),
        "stopped": run.stopped,
        "failed": run.failed or None,
        "skill": [
            {
                "bot": bot,
                "games": len(one.table),
                "wins": wins_of(one, bot),
                "payoff": _estimate(earned(game, one, bot)),
            }
            for bot, one in found.skill.items()
        ],
        "rows": [_row(found, row) for row in found.rows],
    }


def _row(found: Simulation, row: Row) -> dict[str, object]:
    known = figures(row.game, row.played)
    blind = blind_shares(row.played)
    return {
        "value": row.game.options[found.plan.varied] if found.plan.varied else None,
        "games": known.games,
        "series": [
            {
                "cast": list(one.series.cast),
                "rotate": one.series.rotate,
                "first": one.series.first,
                "games": one.series.games,
                "played": one.table.played,
            }
            for one in row.played
        ],
        "seats": [_line(line) for line in known.seats],
        "bots": [_line(line) for line in known.bots],
        "seats_by_bot": {
            bot: [_estimate(one) for one in wins] for bot, wins in known.by_bot.items()
        },
        "terms": {name: _estimate(one) for name, one in known.terms.items()},
        "measures": {
            one.title: _estimate(value)
            for one, value in measured(row.game, [one.table for one in row.played])
        },
        "winners_terms": {name: _estimate(one) for name, one in known.winners_terms.items()},
        "winners_points": _estimate(known.winners_points),
        "lead": _estimate(known.lead),
        "no_winner": _estimate(known.no_winner),
        "shared": _estimate(known.shared),
        "tie_breaks": {name: _estimate(one) for name, one in known.tie_breaks.items()},
        "out": _estimate(known.out),
        "runs": _estimate(known.runs),
        "decisions": _estimate(known.decisions),
        "blind": blind,
        "choices": [asdict(one) for one in decisions(row.game, row.played)],
        "rules": [
            {"rule": rule.name, "line": rule.span.line, "times": times}
            for rule, times in rules_fired(row.game, row.played)
        ],
        "broken": [
            {
                "game": bad.number,
                "kind": bad.kind,
                "fault": bad.fault,
                "again": one.series.command(found.wish.game, bad.number, row.game.seat_names),
            }
            for one in row.played
            for bad in one.table.broken
        ],
    }


def _line(line: Line) -> dict[str, object]:
    return {
        "name": line.name,
        "wins": _estimate(line.wins),
        "points": _estimate(line.points),
        "out": _estimate(line.out),
    }


def _estimate(found: Estimate | None) -> dict[str, float | None] | None:
    if found is None:
        return None
    # an interval without ends is null: JSON has no word for infinite
    return {k: round(v, 6) if isfinite(v) else None for k, v in asdict(found).items()}


# ------------------------------------------------------------------ a row for each game


def games(found: Simulation) -> tuple[list[str], Iterator[list[Cell]]]:
    """The titles of the columns, and a row for each game; of a broken one much is empty."""
    seats = found.game.seat_names
    table = found.played[0].table
    each = ["bot", "win", "place", "out", "decisions", "guesses", *table.keys, *table.terms]
    each += [f"measure_{name}" for name in table.measures]
    titles = [found.plan.varied] if found.plan.varied else []
    titles += ["game", "winners", "decided_by", "runs", "fault"]
    titles += [f"{title}_{seat}" for title in each for seat in seats]
    return titles, (cells for row in found.rows for cells in _games_of(found, row))


def _games_of(found: Simulation, row: Row) -> Iterator[list[Cell]]:
    value: list[Cell] = [row.value] if found.plan.varied else []
    seats = range(row.game.players)
    for one in row.played:
        table, keys = one.table, list(one.table.keys)
        broken = {bad.number: bad for bad in table.broken}
        columns = [table.won, table.place, table.out, table.decisions, table.guesses]
        columns += [*table.keys.values(), *table.terms.values(), *table.measures.values()]
        places = {number: index for index, number in enumerate(table.number)}
        for number in sorted([*places, *broken]):
            names: list[Cell] = list(one.series.names(number))
            if number in broken:
                empty: list[Cell] = [None] * (len(columns) * len(seats))
                fault = broken[number].fault
                yield [*value, number, None, None, None, fault, *names, *empty]
                continue
            i = places[number]
            decided = table.decided_by[i]
            by = keys[decided] if decided >= 0 else {-1: "outright", -2: "shared"}[decided]
            first = i * len(seats)
            rest = [n for column in columns for n in column[first : first + len(seats)]]
            yield [*value, number, table.winners[i], by, table.runs[i], None, *names, *rest]


def write_json(file: TextIO, found: Simulation) -> None:
    """All figures."""
    file.write(json.dumps(to_json(found), ensure_ascii=False, indent=2) + "\n")


def write_csv(file: TextIO, found: Simulation) -> None:
    """A row for each game, under titles."""
    titles, rows = games(found)
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(titles)
    writer.writerows(rows)


def parquet_writer() -> Callable[[BinaryIO, Simulation], None]:
    """What writes a row for each game to a file. Raises UsageError without its library."""
    arrow = extra("pyarrow", "study", "--parquet")
    parquet = extra("pyarrow.parquet", "study", "--parquet")

    def write(file: BinaryIO, found: Simulation) -> None:
        titles, rows = games(found)
        columns: Sequence[Sequence[Cell]] = list(zip(*rows, strict=True)) or [()] * len(titles)
        parquet.write_table(arrow.table([list(c) for c in columns], names=titles), file)

    return write
