"""What is going on in a game: phases, procedures, steps and rounds that have begun."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from rulesdsl.check import model as m
from rulesdsl.play.texts import Bound, Moment


@define(eq=False)
class Frame:
    """Something that has begun, with the names it binds.

    `text` is said when it ends, about all since `begun`; `said` collects what is said inside,
    None lets it through. A `section` has a heading.
    """

    what: str | m.Local
    names: dict[m.Local, Bound]
    begun: Moment
    text: m.Text | None = None
    said: list[str] | None = None
    section: bool = False


@define(eq=False)
class Frames:
    """The frames of all, and over them those of each seat that acts at the same time as others."""

    _outer: list[Frame] = field(factory=list)
    _inner: dict[int, list[Frame]] = field(factory=dict)

    def of(self, seat: int | None) -> list[Frame]:
        """Where something begins now; `seat` is the one whose part of a region runs."""
        return self._outer if seat is None else self._inner.setdefault(seat, [])

    def around(self, seat: int | None) -> Iterator[Frame]:
        """All that is going on, the innermost first."""
        if seat is not None:
            yield from reversed(self.of(seat))
        yield from reversed(self._outer)

    def names(self, seat: int | None) -> dict[m.Local, Bound]:
        """What names stand for."""
        names: dict[m.Local, Bound] = {}
        for frame in self.around(seat):
            names = frame.names | names
        return names

    def part(self, seat: int | None) -> str:
        """The innermost part of the rules that has a name."""
        parts = (frame.what for frame in self.around(seat))
        return next((part for part in parts if isinstance(part, str)), "")

    def has(self, what: str | m.Local, seat: int | None) -> bool:
        return any(frame.what == what for frame in self.of(seat))

    def seats(self) -> list[int]:
        """The seats with something unfinished in a region."""
        return [seat for seat, frames in self._inner.items() if frames]
