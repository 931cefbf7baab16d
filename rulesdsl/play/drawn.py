"""Grids as boards of text: a picture for each piece of state that the cells of one have."""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase

from rulesdsl.check.datatypes import IntType, Kind
from rulesdsl.check.model import Scalar, Zone
from rulesdsl.play.rules import Rules
from rulesdsl.play.standing import say_value
from rulesdsl.play.texts import Wording

EMPTY = "."
_NOTHING = ("", "0", "no", "none")


def on_boards(rules: Rules) -> list[tuple[Scalar | Zone, Kind]]:
    """The pieces of state that stand on a board, each with its grid."""
    model = rules.machine.model
    declared: list[Scalar | Zone] = [*model.scalars.values(), *model.zones.values()]
    return [
        (one, one.per) for one in declared if isinstance(one.per, Kind) and one.per.grid is not None
    ]


def labels(kind: Kind, wording: Wording) -> tuple[list[str], list[str]]:
    """What stands beside the rows of a grid, from the south on, and below its columns."""
    assert kind.grid is not None
    rows, columns = kind.made
    firsts = range(0, len(kind), kind.grid.columns)
    beside = [wording.name(rows.name_of(member)) for member in firsts]
    if isinstance(columns.type, IntType):
        return beside, list(ascii_lowercase[: kind.grid.columns])
    return beside, [wording.name(columns.name_of(x)) for x in range(kind.grid.columns)]


def boards(wording: Wording, state: dict[str, object]) -> Iterator[list[str]]:
    """The lines of each board, from north to south, of a state by its paths.

    What is not in the state is not seen.
    """
    found = on_boards(wording.rules)
    for one, kind in found:
        lines = _board(wording, one, kind, state)
        yield [wording.title(one.name), *lines] if len(found) > 1 else lines


def _board(wording: Wording, one: Scalar | Zone, kind: Kind, state: dict[str, object]) -> list[str]:
    assert kind.grid is not None
    cells = []
    for member in range(len(kind)):
        path = wording.rules.words.path(one, member)
        said = say_value(wording, state[path]) if path in state else "?"
        cells.append(EMPTY if said in _NOTHING else said)
    beside, below = labels(kind, wording)
    width = max(map(len, [*cells, *below]))
    margin = max(map(len, beside))
    lines = [
        " ".join([f"{label:>{margin}} ", *(cell.ljust(width) for cell in row)]).rstrip()
        for label, row in zip(beside, _rows(cells, kind.grid.columns), strict=True)
    ]
    foot = " ".join([" " * (margin + 1), *(label.ljust(width) for label in below)]).rstrip()
    return [*reversed(lines), foot]


def _rows(cells: list[str], columns: int) -> list[list[str]]:
    return [cells[i : i + columns] for i in range(0, len(cells), columns)]
