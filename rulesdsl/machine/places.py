"""Places in the record: what can be asked of a bag, pile, deck or slot, as values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Self, TypeAlias

from attrs import define, evolve, frozen

from rulesdsl.check.model import Column, Kind, Scalar, Shape, Zone
from rulesdsl.check.owners import kind_of_pair
from rulesdsl.machine.fold import add, both, cell, choose, either, op
from rulesdsl.machine.layout import numbers_of, told_in
from rulesdsl.machine.program import (
    UNKNOWN,
    Cell,
    Checked,
    Fold,
    K,
    Layout,
    R,
    Row,
    Slot,
    Value,
    With,
)
from rulesdsl.text.source import NOWHERE, Span

ZERO = K(0)


@define
class Registers:
    """Numbers of registers, each given out once."""

    used: int = 0

    def new(self) -> int:
        self.used += 1
        return self.used - 1


Stores: TypeAlias = tuple[tuple[Cell, Value], ...]
"""What is stored where, one after the other."""


@frozen
class PlaceAt(ABC):
    """A zone of a known owner (`key`: 0 when shared), with the registers to ask about it.

    Where a component has a place of its own (in a pile, deck or slot, and known) it is placed;
    where it has none (in a bag, or unknown in a deck) it is loose. Members are counted over all
    kinds of the zone.
    """

    zone: Zone
    slot: Slot
    key: Value
    registers: Registers

    def of(self, key: Value) -> Self:
        """The same zone of another owner."""
        return evolve(self, key=key)

    def at(self, *terms: tuple[Value, int]) -> Cell:
        return cell(self.slot.base, (self.key, self.slot.width), *terms)

    @property
    def length(self) -> Cell:
        """The cell with the length of a pile or deck, or the one cell of a slot."""
        return self.at()

    def spot(self, index: Value) -> Cell:
        """A place of a pile or deck, counted from the bottom (0)."""
        return cell(self.slot.base + 1, (self.key, self.slot.width), (index, 1))

    def fold(
        self,
        name: str,
        low: Value,
        high: Value,
        body: Callable[[Value], Value],
        *,
        where: Callable[[Value], Value] | None = None,
        empty: Value | None = ZERO,
    ) -> Fold:
        number = self.registers.new()
        x = R(number)
        condition = where(x) if where else None
        return Fold(name, number, low, high, condition, body(x), None, (), empty, NOWHERE)

    def size(self) -> Value:
        """How many components lie here."""
        match self.zone.shape:
            case Shape.BAG:
                return self.bag_size()
            case Shape.PILE | Shape.DECK:
                return self.length
            case Shape.SLOT:
                return op("gt", self.length, K(0))

    @abstractmethod
    def bag_size(self) -> Value:
        """How many components lie in a bag."""

    @abstractmethod
    def loose(self, member: Value) -> Value:
        """How many of a member lie in a bag, or unknown in a deck."""

    @abstractmethod
    def count(self, member: Value) -> Value:
        """How many of a member lie here."""

    @abstractmethod
    def holds(self, member: Value) -> Value:
        """Whether there is one of a member here."""

    @abstractmethod
    def weight(self, member: Value) -> Value | None:
        """How often a member that is here counts; None: always once."""

    @abstractmethod
    def put_loose(self, member: Value, count: Value) -> Stores:
        """What is stored when components of one member come into a bag, or unknown into a deck."""

    @abstractmethod
    def take_loose(self, member: Value, count: Value) -> Stores:
        """What is stored when they leave a bag, or the unknown ones of a deck."""

    @abstractmethod
    def put_placed(self, member: Value) -> Stores:
        """What is stored, besides its spot, when a component comes to a place of its own."""

    def top(self, span: Span, maybe: bool) -> Value:
        """The top member of a pile, or the one in a slot; empty is a fault, or none."""
        if self.zone.shape is Shape.SLOT:
            member = op("sub", self.length, K(1))
        else:
            member = self.spot(op("sub", self.length, K(1)))
        if maybe:
            return member
        return Checked(op("gt", self.length, K(0)), member, "empty", span)

    def is_known(self, index: Value) -> Value:
        return op("ne", self.spot(index), K(UNKNOWN))

    def run_begins(self, index: Value, column: Column) -> Value:
        """Whether the component at an index differs in the column from the one below."""
        below = self.spot(op("sub", index, K(1)))
        differ = op("ne", read(column, self.spot(index)), read(column, below))
        return choose(op("eq", index, K(0)), K(1), differ)

    def run_size(self, index: Value, column: Column) -> Value:
        end = self.fold(
            "first",
            add(index, K(1)),
            self.length,
            lambda r: r,
            where=lambda r: op("ne", read(column, self.spot(r)), read(column, self.spot(index))),
            empty=self.length,
        )
        return op("sub", end, index)


@frozen
class CountedPlace(PlaceAt):
    """A place with a cell for each member: of a bag, or of the unknown components of a deck."""

    def bag_size(self) -> Value:
        return self.fold("sum", K(0), K(self.zone.width), self._tally)

    def loose(self, member: Value) -> Value:
        return self._tally(member)

    def count(self, member: Value) -> Value:
        def here(r: Value) -> Value:
            return op("eq", self.spot(r), member)

        match self.zone.shape:
            case Shape.BAG:
                return self._tally(member)
            case Shape.PILE:
                return self.fold("sum", K(0), self.length, here)
            case Shape.DECK:
                known = self.fold("sum", K(0), self.length, here)
                return add(self._tally(member), known)
            case Shape.SLOT:
                return op("eq", self.length, add(member, K(1)))

    def holds(self, member: Value) -> Value:
        return op("gt", self.count(member), K(0))

    def weight(self, member: Value) -> Value | None:
        return self.count(member)

    def put_loose(self, member: Value, count: Value) -> Stores:
        tally = self._tally(member)
        return ((tally, add(tally, count)),)

    def take_loose(self, member: Value, count: Value) -> Stores:
        tally = self._tally(member)
        return ((tally, op("sub", tally, count)),)

    def put_placed(self, member: Value) -> Stores:
        return ()

    def _tally(self, member: Value) -> Cell:
        if self.zone.shape is Shape.BAG:
            return self.at((member, 1))
        pool = self.slot.base + 1 + self.zone.capacity
        return cell(pool, (self.key, self.slot.width), (member, 1))


@frozen
class ToldPlace(PlaceAt):
    """A place whose components tell where they lie; each exists once.

    `first` is the number of the zone's first place, `cells` are those of the members.
    """

    first: int
    cells: tuple[int, ...]

    def bag_size(self) -> Value:
        return self.at()

    def loose(self, member: Value) -> Value:
        return op("eq", self._where(member), self._number)

    def count(self, member: Value) -> Value:
        if self.zone.shape is not Shape.DECK:
            return self.loose(member)
        return either(self.loose(member), op("eq", self._where(member), self._number_placed))

    def holds(self, member: Value) -> Value:
        return self.count(member)

    def weight(self, member: Value) -> Value | None:
        return None

    def put_loose(self, member: Value, count: Value) -> Stores:
        where = self._where(member)
        told = (where, choose(op("gt", count, K(0)), self._number, where))
        if self.zone.shape is Shape.DECK:
            return (told,)
        return (told, (self.at(), add(self.at(), count)))

    def take_loose(self, member: Value, count: Value) -> Stores:
        # where it lies is told when it has come to its new place
        if self.zone.shape is Shape.DECK:
            return ()
        return ((self.at(), op("sub", self.at(), count)),)

    def put_placed(self, member: Value) -> Stores:
        return ((self._where(member), self._number_placed),)

    def pass_on(self, member: Value, step: int) -> Stores:
        """What a member tells when all copies of the zone move on round the table."""
        where, numbers = self._where(member), numbers_of(self.zone)
        every = self.slot.copies * numbers
        past = op("sub", where, K(self.first))
        here = both(op("ge", past, K(0)), op("lt", past, K(every)))
        on = op("mod", add(past, K(step * numbers)), K(every))
        return ((where, choose(here, add(on, K(self.first)), where)),)

    @property
    def _number(self) -> Value:
        return add(op("mul", self.key, K(numbers_of(self.zone))), K(self.first))

    @property
    def _number_placed(self) -> Value:
        return add(self._number, K(numbers_of(self.zone) - 1))

    def _where(self, member: Value) -> Cell:
        """The cell in which a member tells its place."""
        begin = self.cells[0]
        steps = tuple(at - begin for at in self.cells)
        if isinstance(member, K):
            return cell(self.cells[member.value])
        if steps == tuple(range(len(steps))):
            return cell(begin, (member, 1))
        return cell(begin, (Row(f"of {self.zone.name}", steps, member, False, NOWHERE), 1))


def place_at(layout: Layout, zone: Zone, key: Value, registers: Registers) -> PlaceAt:
    """A zone of an owner, in the way in which the layout keeps its components."""
    slot = layout.slot(zone)
    if not layout.is_by_place(zone):
        return CountedPlace(zone, slot, key, registers)
    return ToldPlace(zone, slot, key, registers, layout.numbers[id(zone)], told_in(layout, zone))


def read(column: Column, member: Value) -> Value:
    """A cell of a column."""
    if isinstance(member, K):
        return K(column.values[member.value])
    return Row(column.name, column.values, member, False, NOWHERE)


def parts(zone: Zone) -> Iterator[tuple[Kind, int]]:
    """The kinds of a zone with the offset of their members."""
    offset = 0
    for kind in zone.kinds:
        yield kind, offset
        offset += len(kind)


def of_kind(member: Value, kind: Kind, zone: Zone) -> Value:
    """Whether a member, counted over the kinds of a zone, is of one of them."""
    offset = zone.offset(kind)
    above, below = op("ge", member, K(offset)), op("lt", member, K(offset + len(kind)))
    if offset == 0:
        return below
    return above if offset + len(kind) == zone.width else both(above, below)


def translate(member: Value, origin: Zone, to: Zone) -> Value:
    """A member counted over the kinds of one zone, counted over those of another."""
    if tuple(map(id, origin.kinds)) == tuple(map(id, to.kinds)):
        return member
    data: list[int] = []
    for kind in origin.kinds:
        shared = any(kind is other for other in to.kinds)
        start = to.offset(kind) if shared else None
        data += [start + i if start is not None else UNKNOWN for i in range(len(kind))]
    if isinstance(member, K):
        return K(data[member.value])
    return Row(f"{origin.name} in {to.name}", tuple(data), member, False, NOWHERE)


def state_cell(layout: Layout, scalar: Scalar, key: Value) -> Cell:
    """The cell of a scalar of an owner."""
    return cell(layout.slot(scalar).base, (key, 1))


def player_or_member(what: Scalar | Zone, key: Value) -> Value:
    """The player whose copy it is, or the member; of a player's for each member the player."""
    kind = kind_of_pair(what)
    return key if kind is None else op("floordiv", key, K(len(kind)))


def held(registers: Registers, value: Value, use: Callable[[Value], Value]) -> Value:
    """Use a value several times, but work it out once."""
    if isinstance(value, (K, R)):
        return use(value)
    number = registers.new()
    return With(number, value, use(R(number)))
