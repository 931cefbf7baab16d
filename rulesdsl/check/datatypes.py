"""The types of values. Every value is a whole number: a member is its place in its kind,
a player its seat (from 0), a truth 0 or 1, `none` is -1.
"""

from __future__ import annotations

from typing import TypeAlias

from attrs import Factory, define, frozen

from rulesdsl.syntax.tree import Cite
from rulesdsl.text.source import Span

NONE = -1
INT_LOW, INT_HIGH = -1_000_000, 1_000_000
INT32_LOW, INT32_HIGH = -(2**31), 2**31 - 1


@frozen(eq=False)
class Column:
    """A column of a kind: one value a member."""

    name: str
    type: Type
    values: tuple[int, ...]


@frozen(eq=False)
class Joins:
    """What each member of a kind joins: two different members of another kind.

    `every` of a kind that has one for every two; else those are joined that are written down.
    """

    kind: Kind
    ends: tuple[tuple[int, int], ...]
    every: bool

    def between(self, a: int, b: int) -> int:
        """The member that joins two, either way round; none if there is none."""
        for i, ends in enumerate(self.ends):
            if ends in ((a, b), (b, a)):
                return i
        return NONE

    def neighbors(self, a: int) -> list[int]:
        """What is joined to a member, in the order of the kind."""
        return sorted(x + y - a for x, y in self.ends if a in (x, y))


@define(eq=False)
class Kind:
    """A closed list of members. Member i is the value i."""

    name: str
    members: tuple[str, ...]
    span: Span
    columns: dict[str, Column] = Factory(dict)
    cites: tuple[Cite, ...] = ()
    joins: Joins | None = None

    def __len__(self) -> int:
        return len(self.members)


@frozen
class IntType:
    """Whole numbers from low to high, both included."""

    low: int
    high: int

    def __str__(self) -> str:
        return "int" if (self.low, self.high) == (INT_LOW, INT_HIGH) else f"{self.low}..{self.high}"


@frozen
class BoolType:
    def __str__(self) -> str:
        return "true or false"


@frozen
class KindType:
    kind: Kind

    def __str__(self) -> str:
        return self.kind.name


@frozen
class PlayerType:
    def __str__(self) -> str:
        return "Player"


@frozen
class MaybeType:
    """The inner type and `none`."""

    inner: IntType | KindType | PlayerType

    def __str__(self) -> str:
        return f"maybe {self.inner}"


@frozen
class NoneType:
    """Of the word `none` alone; joins with any type to a maybe."""

    def __str__(self) -> str:
        return "none"


@frozen
class SubbagType:
    """A choice of components out of a place (a parameter `any 1..2 of z`)."""

    kinds: tuple[Kind, ...]
    most: int

    def __str__(self) -> str:
        return "a choice of components"


@frozen
class RunType:
    """A stretch of like neighbours in a pile: has the column, and a size."""

    column: Column

    def __str__(self) -> str:
        return "a run"


Type: TypeAlias = (
    IntType | BoolType | KindType | PlayerType | MaybeType | NoneType | SubbagType | RunType
)


def joins_of(type_: Type) -> Joins | None:
    """What the members of a type join, if it is a kind that joins others."""
    return type_.kind.joins if isinstance(type_, KindType) else None


def unsaid(type_: Type) -> int:
    """The value where none is given: `none` if it may be, the number nearest to 0, the first."""
    match type_:
        case MaybeType():
            return NONE
        case IntType(low, high):
            return min(max(0, low), high)
        case _:
            return 0
