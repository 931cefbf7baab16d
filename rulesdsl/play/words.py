"""Numbers of the record in the words of the rules: values, components, places."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias, assert_never

from attrs import define, field

from rulesdsl.check.datatypes import (
    NONE,
    BoolType,
    IntType,
    KindType,
    LineType,
    MaybeType,
    NoneType,
    PlayerType,
    RunType,
    SubbagType,
    Type,
)
from rulesdsl.check.model import Column, Kind, PlayerAnd, Scalar, Shape, Zone
from rulesdsl.check.paths import members_of, paths_of
from rulesdsl.check.sights import alike
from rulesdsl.check.sizes import single_kinds
from rulesdsl.machine.program import UNKNOWN, Machine
from rulesdsl.text.problems import InternalError

Single: TypeAlias = int | bool | str | None
"""A single value as users see it: a member and a player by name."""
Columns: TypeAlias = dict[str, list[Single]]
"""Components of which only some columns are seen: each column with its values, side by side."""
Plain: TypeAlias = "Single | dict[str, int | Columns] | list[str] | list[Single]"
"""A value as users see it: components as counts or in order, and columns of those not seen."""


@define(eq=False, slots=False)
class Words:
    """The names of a machine."""

    machine: Machine
    _members: dict[tuple[int, ...], tuple[str, ...]] = field(factory=dict)
    _alike: dict[int, tuple[int, ...]] = field(factory=dict)

    @property
    def seats(self) -> tuple[str, ...]:
        return self.machine.seat_names

    def value(self, type_: Type, number: int) -> Single:
        """A single value."""
        match type_:
            case IntType():
                return number
            case BoolType():
                return bool(number)
            case KindType():
                return type_.kind.members[number]
            case PlayerType():
                return self.seats[number]
            case MaybeType():
                return None if number == NONE else self.value(type_.inner, number)
            case NoneType():
                return None
            case SubbagType() | RunType() | LineType():
                raise InternalError(f"{type_} is not a single value")
            case _:
                assert_never(type_)

    def members(self, kinds: tuple[Kind, ...]) -> tuple[str, ...]:
        """The members of several kinds; with the kind where two have the same name."""
        key = tuple(map(id, kinds))
        if key not in self._members:
            self._members[key] = members_of(kinds)
        return self._members[key]

    def owners(self, what: Scalar | Zone) -> Iterator[tuple[int, str]]:
        """Each copy of a thing with its path: `deck`, `A.money`, `price[ivory]`."""
        return enumerate(paths_of(what, self.seats))

    def path(self, what: Scalar | Zone, key: int) -> str:
        """The path of one copy (key -1 or 0 where there is only one)."""
        match what.per:
            case Kind():
                return f"{what.name}[{what.per.members[key]}]"
            case PlayerAnd(kind=kind):
                seat, member = divmod(key, len(kind))
                return f"{self.seats[seat]}.{what.name}[{kind.members[member]}]"
            case "player":
                return f"{self.seats[key]}.{what.name}"
            case _:
                return what.name

    def held(self, zone: Zone, cells: list[int]) -> list[int]:
        """How many of each member lie in a place, known or not."""
        match zone.shape:
            case Shape.BAG:
                return cells
            case Shape.SLOT:
                return [int(cells[0] == i + 1) for i in range(zone.width)]
            case Shape.PILE | Shape.DECK:
                counts = [0] * zone.width if zone.shape is Shape.PILE else cells[-zone.width :]
                for member in self.order(zone, cells):
                    if member != UNKNOWN:
                        counts[member] += 1
                return counts
            case _:
                assert_never(zone.shape)

    def order(self, zone: Zone, cells: list[int]) -> list[int]:
        """The components of a pile or deck from the bottom up."""
        return cells[1 : 1 + cells[0]]

    def size(self, zone: Zone, cells: list[int]) -> int:
        return sum(self.held(zone, cells))

    def bag(self, zone: Zone, cells: list[int]) -> dict[str, int]:
        """The components in a place by name."""
        counts = zip(self.members(zone.kinds), self.held(zone, cells), strict=True)
        return {name: count for name, count in counts if count}

    def content(self, zone: Zone, cells: list[int]) -> Plain:
        """The components in a place: counts, a pile's in order, a slot's one or None."""
        names = self.members(zone.kinds)
        match zone.shape:
            case Shape.BAG | Shape.DECK:
                return {**self.bag(zone, cells)}
            case Shape.PILE:
                return [names[member] for member in self.order(zone, cells)]
            case Shape.SLOT:
                return names[cells[0] - 1] if cells[0] else None
            case _:
                assert_never(zone.shape)

    def top(self, zone: Zone, cells: list[int]) -> str | None:
        """What lies on top; None for nothing, or what nobody knows yet."""
        if zone.shape not in (Shape.PILE, Shape.DECK) or not cells[0]:
            return None
        member = cells[cells[0]]
        return None if member == UNKNOWN else self.members(zone.kinds)[member]

    # ---------------------------------------------------------------- columns that all see

    def laid(self, zone: Zone, cells: list[int]) -> list[int]:
        """The components in a place one by one: a pile's from the bottom up."""
        if zone.shape is Shape.PILE:
            return self.order(zone, cells)
        held = enumerate(self.held(zone, cells))
        return [member for member, count in held for _ in range(count)]

    def columns(self, columns: tuple[Column, ...], members: list[int]) -> Columns:
        """The values that some components have in some columns."""
        return {
            column.name: [self.value(column.type, column.values[member]) for member in members]
            for column in columns
        }

    @cached_property
    def single(self) -> frozenset[Kind]:
        """The kinds whose components exist once, and lie only with such."""
        return frozenset(single_kinds(self.machine.model, self.machine.seats))

    def alike(self, zone: Zone) -> tuple[int, ...]:
        """For each member the first one that has the same values in the columns all see."""
        if id(zone) not in self._alike:
            self._alike[id(zone)] = alike(zone)
        return self._alike[id(zone)]


def in_order(columns: Columns, more: Columns | None = None) -> Columns:
    """Columns of some components (and of more) so that no order of these can be read from them."""
    rows = [*zip(*columns.values(), strict=True), *zip(*(more or {}).values(), strict=True)]
    rows.sort(key=lambda row: [(value is not None, value) for value in row])
    return {name: [row[i] for row in rows] for i, name in enumerate(columns)}
