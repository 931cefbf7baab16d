"""What copies of state and members of kinds are called: `A.money`, `price[ivory]`."""

from __future__ import annotations

from collections.abc import Sequence

from rulesdsl.check.model import Kind, PlayerAnd, Scalar, Zone


def paths_of(what: Scalar | Zone, seats: Sequence[str]) -> list[str]:
    """The path of each copy, by its key."""
    match what.per:
        case Kind():
            return [f"{what.name}[{member}]" for member in what.per.members]
        case PlayerAnd(kind=kind):
            pairs = ((seat, member) for seat in seats for member in kind.members)
            return [f"{seat}.{what.name}[{member}]" for seat, member in pairs]
        case "player":
            return [f"{seat}.{what.name}" for seat in seats]
        case _:
            return [what.name]


def members_of(kinds: Sequence[Kind]) -> tuple[str, ...]:
    """The members of several kinds; with the kind where two have the same name."""
    names = [name for kind in kinds for name in kind.members]
    full = [f"{kind.name}.{name}" for kind in kinds for name in kind.members]
    return tuple(
        long if names.count(short) > 1 else short for short, long in zip(names, full, strict=True)
    )
