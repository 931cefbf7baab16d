"""How a game stands, in the words of its rule file: for the referee or for one seat."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.check.datatypes import IntType
from rulesdsl.check.model import Scalar
from rulesdsl.check.owners import is_players, kind_of_pair
from rulesdsl.check.sights import sees
from rulesdsl.play.moves import say
from rulesdsl.play.texts import Found, Wording, firm
from rulesdsl.play.views import Cells


def standing(wording: Wording, record: list[int]) -> Iterator[str]:
    """The numbers of the players: a row each, in columns; those that are 0 for all are left out."""
    rules = wording.rules
    find, seats = rules.views.cells(record), range(rules.machine.seats)
    columns: list[tuple[str, list[str]]] = []
    for scalar in rules.machine.model.scalars.values():
        if not is_players(scalar):
            continue
        cells = [_of_seat(wording, scalar, seat, find) for seat in seats]
        if set(cells) - {"0", "none", "no", "?"}:
            columns.append((wording.name(scalar.name), cells))
    if columns:
        yield " | ".join(["player", *(title for title, _ in columns)])
        for seat in seats:
            name = wording.name(rules.words.seats[seat])
            yield " | ".join([name, *(cells[seat] for _, cells in columns)])


def _of_seat(wording: Wording, scalar: Scalar, seat: int, find: Cells) -> str:
    """What a player has: a number, or what there is for each member: `2 wood, 1 stone`."""
    kind = kind_of_pair(scalar)
    members = 1 if kind is None else len(kind)
    keys = range(seat * members, (seat + 1) * members)
    if wording.viewer is not None and not sees(scalar, keys[0], wording.viewer):
        return "?"
    values = [find(scalar, key)[0] for key in keys]
    said = [wording.number(scalar.type, value) for value in values]
    if kind is None:
        return said[0][0]
    counts = isinstance(scalar.type, IntType)
    parts = [
        firm(f"{words} {wording.name(member, value if counts else 1)}")
        for (words, found), member, value in zip(said, kind.members, values, strict=True)
        if found is Found.SOMETHING
    ]
    return ", ".join(parts) or "0"


def whole(wording: Wording, state: dict[str, object]) -> Iterator[str]:
    """Everything in a view that is not nothing, a line for each owner."""
    owners: dict[str, list[str]] = {}
    for path, value in state.items():
        said = say_value(wording, value)
        if said in ("", "0", "no", "none"):
            continue
        owner, dot, name = path.partition(".")
        if not dot:
            owner, name = "", path
        owners.setdefault(owner, []).append(f"{wording.name(name)} {said}")
    for owner, parts in owners.items():
        yield f"{wording.name(owner)}: {', '.join(parts)}" if owner else ", ".join(parts)


def say_value(wording: Wording, value: object) -> str:
    """A value of a view in words."""
    match value:
        case {"components": dict(counts), "order": _}:
            return say_value(wording, counts)
        case dict():
            parts = [f"{n} {wording.name(str(name), n)}" for name, n in value.items() if n]
            return f"({', '.join(parts)})" if parts else ""
        case list():
            return f"({', '.join(wording.name(str(name)) for name in value)})" if value else ""
        case bool():
            return "yes" if value else "no"
        case str():
            return wording.name(value)
        case None | int():
            return say(value)
        case _:
            return str(value)
