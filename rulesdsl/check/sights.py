"""Which seat sees what of a piece of state."""

from __future__ import annotations

from rulesdsl.check.model import Scalar, Shape, Sight, Zone
from rulesdsl.check.owners import owner_seat


def sees(what: Scalar | Zone, key: int, seat: int) -> bool:
    """Whether a seat sees a value, or the components in a place."""
    match what.sight:
        case Sight.ALL:
            return True
        case Sight.NOBODY:
            return False
        case Sight.OWNER:
            return owner_seat(what, key) == seat
        case Sight.OTHERS:
            return owner_seat(what, key) != seat


def sight_of_size(zone: Zone) -> Sight:
    """Who sees how many components lie in a place."""
    shown = zone.size_seen or zone.shape is Shape.DECK or zone.sight is Sight.NOBODY
    return Sight.ALL if shown else zone.sight


def sees_size(zone: Zone, key: int, seat: int) -> bool:
    """Whether a seat sees how many components lie in a place."""
    return sight_of_size(zone) is Sight.ALL or sees(zone, key, seat)


def alike(zone: Zone) -> tuple[int, ...]:
    """For each member the first one that has the same values in the columns all see."""
    first: dict[tuple[int, ...], int] = {}
    rows = [
        tuple(column.values[member] for column in zone.columns_seen) for member in range(zone.width)
    ]
    return tuple(first.setdefault(row, member) for member, row in enumerate(rows))
