"""Grids: members in rows and columns, what lies beside one, and straight lines of them."""

from __future__ import annotations

from itertools import product
from typing import Final

from attrs import frozen

DIRECTIONS: Final = {
    "north": (1, 0),
    "northeast": (1, 1),
    "east": (0, 1),
    "southeast": (-1, 1),
    "south": (-1, 0),
    "southwest": (-1, -1),
    "west": (0, -1),
    "northwest": (1, -1),
}
"""By how many rows and columns one step goes; row 1 is in the south, column 1 in the west."""
_FORWARD = ("east", "northwest", "north", "northeast")
"""The directions in which lines run from their first member, each line in one of them."""


@frozen
class Grid:
    """Rows from south to north, in each the members from west to east: member 0 is in row 1."""

    rows: int
    columns: int

    def toward(self, member: int, direction: str) -> int | None:
        """The next member in a direction; none at the edge."""
        up, right = DIRECTIONS[direction]
        row, column = member // self.columns + up, member % self.columns + right
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        return row * self.columns + column if inside else None

    def beside(self, member: int, *, sides: bool, corners: bool) -> list[int]:
        """The members that share a side, or a corner alone, with one, in their order."""
        steps = [word for word, step in DIRECTIONS.items() if (sides if 0 in step else corners)]
        found = (self.toward(member, word) for word in steps)
        return sorted(other for other in found if other is not None)

    def lines(self, length: int) -> list[tuple[int, ...]]:
        """All straight lines of so many members, in the order of their members."""
        found = []
        for first, word in product(range(self.rows * self.columns), _FORWARD):
            line, last = [first], self.toward(first, word)
            while len(line) < length and last is not None:
                line.append(last)
                last = self.toward(last, word)
            if len(line) == length:
                found.append(tuple(line))
        return found

    def lines_through(self, length: int) -> list[list[tuple[int, ...]]]:
        """For each member the lines in which it stands."""
        lines = self.lines(length)
        members = range(self.rows * self.columns)
        return [[line for line in lines if member in line] for member in members]
