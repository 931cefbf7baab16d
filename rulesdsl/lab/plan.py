"""An example as understood: names bound, values known, nothing left to doubt."""

from __future__ import annotations

from typing import TypeAlias

from rulesdsl.check import model as m
from rulesdsl.syntax.tree import Cite, ExampleDecl
from rulesdsl.text.records import record
from rulesdsl.text.source import Span

Component: TypeAlias = tuple[m.Kind, int]
"""A kind and a member of it."""


def component_of(zone: m.Zone, member: int) -> Component:
    """A component of a place, whose members are counted over all its kinds."""
    for kind in zone.kinds:
        if member < len(kind):
            return kind, member
        member -= len(kind)
    raise AssertionError(f"{zone.name} has no member {member}")


@record
class Contents:
    """Components in a place, as members counted over all kinds of the place, in their order."""

    members: tuple[int, ...]
    spans: tuple[Span, ...]
    besides: int = 0
    """How many more there are that are not named: `2 unseen`, or `the rest` (1)."""


@record
class GivenPlace:
    """What lies in a place before the game; besides, it may have the rest of the components."""

    span: Span
    zone: m.Zone
    key: int
    contents: Contents


@record
class GivenScalar:
    scalar: m.Scalar
    key: int
    value: int


@record
class GivenNotes:
    """What is said about each component in a pile before the game, bottom first."""

    span: Span
    note: m.PlaceNote
    key: int
    values: tuple[int, ...]


@record
class Laid:
    """What lies in a place when the example begins; a pile from the bottom up."""

    zone: m.Zone
    key: int
    members: tuple[int, ...]


@record
class Begin:
    """The next of the runs."""

    span: Span


@record
class MakeMove:
    span: Span
    seat: int
    text: str


@record
class Compare:
    """A value is what is expected, or has changed by so much."""

    span: Span
    left: m.Expr
    right: m.Expr
    change: bool


@record
class Holds:
    """These components lie in a place."""

    span: Span
    zone: m.Zone
    key: int
    contents: Contents


@record
class Legal:
    """The legal moves of a seat are these (texts, each with its place), or so many."""

    span: Span
    seat: int
    moves: tuple[tuple[str, Span], ...]
    count: int | None


@record
class Illegal:
    span: Span
    seat: int
    text: str
    because: Cite | None


@record
class SeesValue:
    """A seat sees this value; None: it does not see it."""

    span: Span
    seat: int
    scalar: m.Scalar
    key: int
    value: int | None


@record
class SeesSize:
    """A seat sees how many components lie in a place; None: it does not see it."""

    span: Span
    seat: int
    zone: m.Zone
    key: int
    size: int | None


@record
class SeesPlace:
    """A seat sees these components; None: it sees nothing of the place."""

    span: Span
    seat: int
    zone: m.Zone
    key: int
    contents: Contents | None


@record
class SeesColumns:
    """A seat sees only columns of the components in a place: these values of one of them.

    `tops` are components it sees whole, `besides` how many more there are that are not named.
    """

    span: Span
    seat: int
    zone: m.Zone
    key: int
    column: m.Column
    values: tuple[str, ...]
    tops: tuple[str, ...]
    besides: int


@record
class Noted:
    """These are the notes on what lies in a pile, bottom first; a seat: it sees them so."""

    span: Span
    seat: int | None
    note: m.PlaceNote
    key: int
    values: tuple[int, ...]


@record
class Dealt:
    """What chance brings next to a place, or as the value of a scalar."""

    span: Span
    what: m.Zone | m.Scalar
    key: int
    values: tuple[Component | int, ...]


@record
class Ranked:
    span: Span
    winners: bool
    seats: tuple[int, ...]


@record
class Stop:
    """What was begun is left here."""


Step: TypeAlias = (
    Begin
    | MakeMove
    | Compare
    | Holds
    | Legal
    | Illegal
    | SeesValue
    | SeesSize
    | SeesPlace
    | SeesColumns
    | Noted
    | Dealt
    | Ranked
    | Stop
)


@record
class Plan:
    """An example, or one column of its cases (`case`: the names and values of that column)."""

    example: ExampleDecl
    case: str
    seats: int
    options: dict[str, int]
    runs: tuple[m.Step, ...]
    places: tuple[Laid, ...]
    scalars: tuple[GivenScalar, ...]
    notes: tuple[GivenNotes, ...]
    steps: tuple[Step, ...]
