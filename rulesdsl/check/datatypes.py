"""The types of values. Every value is a whole number: a member is its place in its kind,
a player its seat (from 0), a truth 0 or 1, `none` is -1.
"""

from __future__ import annotations

from typing import TypeAlias

from attrs import Factory, define

from rulesdsl.check.geometry import Grid
from rulesdsl.syntax.cites import Cite
from rulesdsl.text.records import record
from rulesdsl.text.source import Span

NONE = -1
INT_LOW, INT_HIGH = -1_000_000, 1_000_000
INT32_LOW, INT32_HIGH = -(2**31), 2**31 - 1


@record(eq=False)
class Column:
    """A column of a kind: one value a member."""

    name: str
    type: Type
    values: tuple[int, ...]

    def name_of(self, member: int) -> str:
        """The value of a member in a word: that of a kind, or a number."""
        value = self.values[member]
        return self.type.kind.members[value] if isinstance(self.type, KindType) else str(value)


@record(eq=False)
class BagColumn:
    """A column of bags: for each member how many of each member of a kind are in its bag."""

    name: str
    kind: Kind
    counts: tuple[tuple[int, ...], ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many are in each bag."""
        return tuple(map(sum, self.counts))


@record(eq=False)
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
    """A closed list of members. Member i is the value i.

    Those of the kinds that it `includes` come first, in their order, under their own names.
    If it is `made` of others there is a member for each choice of a value for each of these
    columns, the last one changing first: a `grid` is made of its rows and columns. In a `ring`
    the first member follows the last one.
    """

    name: str
    members: tuple[str, ...]
    span: Span
    columns: dict[str, Column] = Factory(dict)
    cites: tuple[Cite, ...] = ()
    joins: Joins | None = None
    bags: dict[str, BagColumn] = Factory(dict)
    includes: tuple[Kind, ...] = ()
    made: tuple[Column, ...] = ()
    ring: bool = False
    grid: Grid | None = None

    @property
    def has_parts(self) -> bool:
        """Whether a member is told by what it joins or is made of; in a grid it has a name."""
        return self.joins is not None or (bool(self.made) and self.grid is None)

    def __len__(self) -> int:
        return len(self.members)

    def start_of(self, other: Kind) -> int | None:
        """Where the members of another kind begin among those of this one, which includes it."""
        start = 0
        for kind in self.includes:
            inside = 0 if kind is other else kind.start_of(other)
            if inside is not None:
                return start + inside
            start += len(kind)
        return None

    def parts_of(self, member: int) -> tuple[str, tuple[str, ...]]:
        """The names of what a member joins or is made of, and what is said between them."""
        if self.joins is not None:
            a, b = self.joins.ends[member]
            return " and ", (self.joins.kind.members[a], self.joins.kind.members[b])
        return " ", tuple(column.name_of(member) for column in self.made)

    def holds(self, other: Kind) -> bool:
        """Whether the members of another kind are all members of this one."""
        return other is self or self.start_of(other) is not None


@record
class IntType:
    """Whole numbers from low to high, both included."""

    low: int
    high: int

    def __str__(self) -> str:
        return "int" if (self.low, self.high) == (INT_LOW, INT_HIGH) else f"{self.low}..{self.high}"


@record
class BoolType:
    def __str__(self) -> str:
        return "true or false"


@record
class KindType:
    kind: Kind

    def __str__(self) -> str:
        return self.kind.name


@record
class PlayerType:
    def __str__(self) -> str:
        return "Player"


@record
class MaybeType:
    """The inner type and `none`."""

    inner: IntType | KindType | PlayerType

    def __str__(self) -> str:
        return f"maybe {self.inner}"


@record
class NoneType:
    """Of the word `none` alone; joins with any type to a maybe."""

    def __str__(self) -> str:
        return "none"


@record
class SubbagType:
    """A choice of components out of a place (a parameter `any 1..2 of z`)."""

    kinds: tuple[Kind, ...]
    most: int

    def __str__(self) -> str:
        return "a choice of components"


@record
class RunType:
    """A stretch of like neighbours in a pile: has the column, and a size."""

    column: Column

    def __str__(self) -> str:
        return "a run"


@record
class LineType:
    """A straight line of at most so many members of a grid."""

    kind: Kind
    most: int

    def __str__(self) -> str:
        return "a line"


Type: TypeAlias = (
    IntType
    | BoolType
    | KindType
    | PlayerType
    | MaybeType
    | NoneType
    | SubbagType
    | RunType
    | LineType
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
