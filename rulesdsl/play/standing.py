"""How a game stands, in the words of its rule file: for the referee or for one seat."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.play.moves import say
from rulesdsl.play.texts import Wording
from rulesdsl.play.views import sees


def standing(wording: Wording, record: list[int]) -> Iterator[str]:
    """The numbers of the players: a row each, in columns; those that are 0 for all are left out."""
    rules, viewer = wording.rules, wording.viewer
    find, seats = rules.views.cells(record), range(rules.machine.seats)
    columns: list[tuple[str, list[str]]] = []
    for scalar in rules.machine.model.scalars.values():
        if scalar.per != "player":
            continue
        numbers = [find(scalar, seat)[0] for seat in seats]
        cells = [
            wording.number(scalar.type, numbers[seat])[0]
            if viewer is None or sees(scalar, seat, viewer)
            else "?"
            for seat in seats
        ]
        if set(cells) - {"0", "none", "no", "?"}:
            columns.append((wording.name(scalar.name), cells))
    if columns:
        yield " | ".join(["player", *(title for title, _ in columns)])
        for seat in seats:
            name = wording.name(rules.words.seats[seat])
            yield " | ".join([name, *(cells[seat] for _, cells in columns)])


def whole(wording: Wording, state: dict[str, object]) -> Iterator[str]:
    """Everything in a view that is not nothing, a line for each owner."""
    owners: dict[str, list[str]] = {}
    for path, value in state.items():
        said = _say(wording, value)
        if said in ("", "0", "no", "none"):
            continue
        owner, dot, name = path.partition(".")
        if not dot:
            owner, name = "", path
        owners.setdefault(owner, []).append(f"{wording.name(name)} {said}")
    for owner, parts in owners.items():
        yield f"{wording.name(owner)}: {', '.join(parts)}" if owner else ", ".join(parts)


def _say(wording: Wording, value: object) -> str:
    match value:
        case {"components": dict(counts), "order": _}:
            return _say(wording, counts)
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
