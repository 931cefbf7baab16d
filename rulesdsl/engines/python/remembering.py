"""Legal moves that are found once: the moves of an option hang on some cells only, so they are
remembered for each way in which these are filled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import evolve

from rulesdsl.engines.hanging import Row
from rulesdsl.engines.python.choosing import Moves
from rulesdsl.engines.python.texts import Text
from rulesdsl.engines.python.values import Values
from rulesdsl.engines.python.writing import Constants, Writer
from rulesdsl.machine.program import Option

MOST_MOVES = 100_000
"""So many moves are remembered of an option; then it is begun anew."""
MOST_CELLS = 12
"""Options whose moves hang on more cells are listed each time."""


class Remembered(dict["tuple[int, ...]", "list[Any]"]):
    """Lists of moves by what the cells hold, made by a function of these when first asked for."""

    def __init__(self, find: Callable[[tuple[int, ...]], list[Any]]) -> None:
        self.find = find
        self.moves = 0

    def __missing__(self, cells: tuple[int, ...]) -> list[Any]:
        found = self.find(cells)
        self.moves += 1 + len(found)
        if self.moves > MOST_MOVES:
            self.clear()
            self.moves = 1 + len(found)
        self[cells] = found
        return found


def key(out: Values, rows: Sequence[Row]) -> str:
    """What the cells of rows hold, as the source of a tuple."""
    words = []
    for row in rows:
        start = out.address(row.first)
        if isinstance(start, int):
            words += [out.cell(start + i) for i in range(row.count)]
        elif row.count == 1:
            words.append(str(out.number(row.first)))
        else:
            start = out.simple(start)
            words.append(f"*s[{start}:{start} + {row.count}]")
    if len(words) == 1 and words[0].startswith("*"):
        return f"tuple({words[0][1:]})"
    return f"({', '.join(words)}{',' * (len(words) == 1)})"


def function(name: str, option: Option, constants: Constants) -> list[str]:
    """The lines of a function that lists the parameters of the moves of an option, given the
    cells `s` on which they hang."""
    writer = Writer()
    out = Values(writer, constants, paying=False)
    last = f"r{option.parameters[-1].register}"

    def found(prefix: list[Text], low: Text, high: Text) -> None:
        words = ", ".join(map(str, [*prefix, low if low == high else last]))
        move = f"({words})" if prefix else words
        if low == high:
            writer.put(f"found.append({move})")
        else:
            writer.put(f"found += [{move} for {last} in range({low}, {high} + 1)]")

    writer.put("@Remembered")
    with writer.inside(f"def {name}(s):"):
        writer.put("found = []")
        Moves(out, evolve(option, guards=()), found).write()
        writer.put("return found")
    return writer.lines
