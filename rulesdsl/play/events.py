"""Events: what a seat learns, as data."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, frozen


@frozen
class Contents:
    """Components with their counts, columns with their values, or notes, as it never changes."""

    entries: tuple[tuple[str, object], ...]


def freeze(value: object) -> object:
    """A value that can be compared and hashed."""
    match value:
        case dict():
            return Contents(tuple((name, freeze(one)) for name, one in value.items()))
        case list():
            return tuple(value)
        case _:
            return value


def thaw(value: object) -> object:
    """The value as JSON has it."""
    match value:
        case Contents():
            return {name: thaw(one) for name, one in value.entries}
        case tuple():
            return list(value)
        case _:
            return value


@frozen
class Event:
    """One thing a seat has learned.

    kind, with its data:
    `chose`   player, move: a move that was said aloud, or one's own
    `set`     place, value: a counter has changed
    `moved`   from, to, count, and what (a component, to who may know it), or seen (of components
              that are not seen, the columns that are, sorted); noted (what is said about it)
    `top`     place, value: what lies on top has changed
    `changed` place, value: as it is after everybody was busy at once, or in which order
              components lie of which only columns are seen; the notes on a pile
    `seen`    condition, value: what the rules told the table
    `shown`   place or nothing, value: what was shown
    `looked`  place, value: what lies on top of a deck, the uppermost first
    `shuffled` place
    `began`, `ended` phase
    """

    kind: str
    data: tuple[tuple[str, object], ...]

    @classmethod
    def of(cls, kind: str, data: Mapping[str, object]) -> Event:
        return cls(kind, tuple((name, freeze(value)) for name, value in data.items()))

    def __getitem__(self, name: str) -> object:
        return thaw(dict(self.data)[name])

    def to_json(self) -> dict[str, object]:
        return {"event": self.kind, **{name: thaw(value) for name, value in self.data}}


@define(eq=False)
class Told:
    """What a run has told: the record after it, and the events of each seat.

    `opened` is the record as it was when a region began that is still open, `later` what the
    other seats learn when it ends: who did it, who learns it, and what.
    """

    record: list[int]
    events: tuple[tuple[Event, ...], ...]
    opened: list[int] | None = None
    later: tuple[tuple[int, int, Event], ...] = ()
