"""Where each thing is in the record: declared state first, then shown copies and locals."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rulesdsl.check.model import Kind, Model, PlaceNote, Scalar, Shape, Zone
from rulesdsl.check.owners import copies_of
from rulesdsl.check.sizes import everything, kinds_by_place, width_of
from rulesdsl.machine.program import POINTS, UNKNOWN, Layout, Piece, Slot


def lay_out(model: Model, seats: int, by_place: Collection[Kind] | None = None) -> Layout:
    """The layout of the declared state for a number of seats.

    `by_place` are the kinds whose components tell where they lie: those for which this is
    shorter, unless it is said.
    """
    layout = Layout(seats, cells=POINTS + seats)
    kinds = kinds_by_place(model, seats) if by_place is None else by_place
    number = 1
    for what in everything(model):
        copies, told = copies_of(what, seats), False
        if isinstance(what, Zone) and what.kinds[0] in kinds:
            told = True
            layout.numbers[id(what)] = number
            number += copies * numbers_of(what)
        _add(layout, what.name, width_of(what, told), copies, what)
    for kind in kinds:
        _add(layout, f"place of {kind.name}", len(kind), 1, kind)
    return layout


def _add(layout: Layout, name: str, width: int, copies: int, what: Piece) -> None:
    """A new slot behind the last one."""
    slot = Slot(name, layout.cells, width, copies, what)
    layout.slots.append(slot)
    layout.state[id(what)] = slot
    layout.cells += width * copies


def numbers_of(zone: Zone) -> int:
    """How many numbers a place has: a deck two, for its unknown and its known components."""
    return 2 if zone.shape is Shape.DECK else 1


def numbers_in(what: Piece | None) -> range | None:
    """The numbers that cells of a pile or deck can hold: how many components lie there, and for
    each which member it is. Of other pieces of state, and of locals, None."""
    match what:
        case Zone(shape=Shape.PILE | Shape.DECK):
            return range(UNKNOWN, max(what.capacity, what.width) + 1)
        case _:
            return None


def with_kinds(layout: Layout, things: Sequence[Scalar | Zone | PlaceNote]) -> list[Piece]:
    """These things, and the kinds whose components tell that they lie there."""
    kinds: dict[Kind, None] = {}
    for what in things:
        if isinstance(what, Zone) and layout.is_by_place(what):
            kinds.update(dict.fromkeys(what.kinds))
    return [*things, *kinds]


def add_shown(layout: Layout, what: Piece) -> Slot:
    """The copy of a thing that others see while a region is open."""
    if id(what) not in layout.shown:
        real = layout.slot(what)
        slot = Slot(f"shown {real.name}", layout.cells, real.width, real.copies, what, shown=True)
        layout.slots.append(slot)
        layout.shown[id(what)] = slot
        layout.cells += real.width * real.copies
    return layout.shown[id(what)]


# ------------------------------------------------------------------ reading and filling a record


def cells_of(
    layout: Layout,
    record: Sequence[int],
    what: Scalar | Zone | PlaceNote,
    copy: int,
    *,
    shown: bool = False,
) -> list[int]:
    """The numbers of one copy of a piece of state, or of what others see of it.

    A scalar is its value; a bag a count a member; a slot 0 or member + 1; a pile its length and
    its spots from the bottom; a deck the same, and then a count a member of the unknown ones; a
    note on a pile has a value for each of its spots.
    """
    slots = layout.shown if shown else layout.state
    slot = slots[id(what)]
    start = slot.base + copy * slot.width
    cells = list(record[start : start + slot.width])
    if not isinstance(what, Zone) or not layout.is_by_place(what):
        return cells
    number = layout.numbers[id(what)] + copy * numbers_of(what)
    loose: list[int] = []
    for kind in what.kinds:
        told = slots[id(kind)]
        loose += _telling(record[told.base : told.base + told.width], number)
    match what.shape:
        case Shape.BAG:
            return loose
        case Shape.DECK:
            return cells + loose
        case Shape.PILE | Shape.SLOT:
            return cells


def _telling(told: Sequence[int], number: int) -> list[int]:
    """For each member 1 if it tells this number, else 0; most places hold few of many."""
    found, last = [0] * len(told), -1
    for _ in range(told.count(number)):
        last = told.index(number, last + 1)
        found[last] = 1
    return found


def write_cells(layout: Layout, record: list[int], zone: Zone, copy: int, cells: list[int]) -> None:
    """Let these (as `cells_of` tells them) be the components of a place in the record."""
    slot = layout.slot(zone)
    start = slot.base + copy * slot.width
    record[start : start + slot.width] = own_cells(layout, zone, cells)
    if not layout.is_by_place(zone):
        return
    numbers = numbers_told(layout, zone, copy, cells)
    here = numbers_at(layout, zone, copy)
    for member, cell in enumerate(told_in(layout, zone)):
        if member in numbers:
            record[cell] = numbers[member]
        elif record[cell] in here:
            record[cell] = 0


# ------------------------------------------------------------------ components that tell


def numbers_at(layout: Layout, zone: Zone, copy: int) -> range:
    """The numbers of one place that is laid out by place."""
    number = layout.numbers[id(zone)] + copy * numbers_of(zone)
    return range(number, number + numbers_of(zone))


def told_in(layout: Layout, zone: Zone) -> tuple[int, ...]:
    """The cells in which the members of a zone tell where they lie."""
    return tuple(layout.slot(kind).base + i for kind in zone.kinds for i in range(len(kind)))


def own_cells(layout: Layout, zone: Zone, cells: list[int]) -> list[int]:
    """What of the numbers of a place (as `cells_of` tells them) is in cells of its own."""
    if layout.is_by_place(zone) and zone.shape is Shape.BAG:
        return [sum(cells)]
    return cells[: layout.slot(zone).width]


def numbers_told(layout: Layout, zone: Zone, copy: int, cells: list[int]) -> dict[int, int]:
    """What the members that lie in a place, with these numbers, tell: by member."""
    here = numbers_at(layout, zone, copy)
    match zone.shape:
        case Shape.BAG:
            loose, placed = cells, cells[:0]
        case Shape.SLOT:
            loose, placed = cells[:0], [member - 1 for member in cells if member]
        case Shape.PILE | Shape.DECK:
            loose, placed = cells[1 + zone.capacity :], cells[1 : 1 + cells[0]]
    numbers = {member: here[0] for member, count in enumerate(loose) if count}
    numbers.update({member: here[-1] for member in placed if member != UNKNOWN})
    return numbers


def fill(layout: Layout, record: list[int], zone: Zone, copy: int, members: Sequence[int]) -> None:
    """Lay components into a place of the record, instead of what is there.

    They are members counted over the kinds of the zone; a pile gets them in this order, bottom
    first; a deck gets them unknown.
    """
    counts = [0] * zone.width
    for member in members:
        counts[member] += 1
    spots = [UNKNOWN] * len(members) if zone.shape is Shape.DECK else list(members)
    spots += [0] * (zone.capacity - len(members))
    match zone.shape:
        case Shape.BAG:
            cells = counts
        case Shape.SLOT:
            cells = [member + 1 for member in members] or [0]
        case Shape.PILE:
            cells = [len(members), *spots]
        case Shape.DECK:
            cells = [len(members), *spots, *counts]
    write_cells(layout, record, zone, copy, cells)
