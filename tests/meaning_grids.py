"""What grids mean, by the rows and columns of their members (see meaning.py)."""

from __future__ import annotations

from itertools import product

from rulesdsl.check import model as m

STEP = {"north": (1, 0), "east": (0, 1), "south": (-1, 0), "west": (0, -1)}


def spot(kind: m.Kind, member: int) -> tuple[int, int]:
    """The row and the column of a member."""
    row, column = (part.values[member] for part in kind.made)
    return row, column


def toward(kind: m.Kind, member: int, direction: str) -> int:
    """The member beside one, by the winds in the name of the direction."""
    steps = [step for wind, step in STEP.items() if wind in direction]
    row, column = (sum(way) for way in zip(spot(kind, member), *steps, strict=True))
    spots = [spot(kind, other) for other in range(len(kind))]
    return spots.index((row, column)) if (row, column) in spots else -1


def beside(domain: m.Beside, member: int) -> list[int]:
    """Those that are one step away, straight or aslant."""
    found = []
    for other in range(len(domain.kind)):
        far = sorted(
            abs(a - b)
            for a, b in zip(spot(domain.kind, member), spot(domain.kind, other), strict=True)
        )
        if (far == [0, 1] and domain.sides) or (far == [1, 1] and domain.corners):
            found.append(other)
    return found


def lines(kind: m.Kind, length: int) -> list[tuple[int, ...]]:
    """Members in a row: from each to the next it is the same single step."""
    spots = {spot(kind, member): member for member in range(len(kind))}
    found = set()
    for (row, column), up, right in product(spots, (-1, 0, 1), (-1, 0, 1)):
        line = [spots.get((row + up * i, column + right * i)) for i in range(length)]
        here = sorted(member for member in line if member is not None)
        if len(set(here)) == length:
            found.add(tuple(here))
    return sorted(found)
