"""Where each thing is in the record: declared state first, then shown copies and locals."""

from __future__ import annotations

from collections.abc import Sequence

from rulesdsl.check.model import Model, PlaceNote, Scalar, Shape, Zone
from rulesdsl.check.sizes import copies_of, everything, width_of
from rulesdsl.machine.program import POINTS, UNKNOWN, Layout, Slot


def lay_out(model: Model, seats: int) -> Layout:
    """The layout of the declared state for a number of seats."""
    layout = Layout(seats, cells=POINTS + seats)
    for what in everything(model):
        slot = add_slot(layout, what.name, width_of(what), copies_of(what, seats), what)
        layout.state[id(what)] = slot
    return layout


def add_slot(
    layout: Layout, name: str, width: int, copies: int, what: Scalar | Zone | PlaceNote | None
) -> Slot:
    """A new slot behind the last one."""
    slot = Slot(name, layout.cells, width, copies, what)
    layout.slots.append(slot)
    layout.cells += width * copies
    return slot


def add_shown(layout: Layout, what: Scalar | Zone | PlaceNote) -> Slot:
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
    slot = layout.shown[id(what)] if shown else layout.slot(what)
    start = slot.base + copy * slot.width
    return list(record[start : start + slot.width])


def write_cells(
    layout: Layout, record: list[int], zone: Zone, copy: int, cells: Sequence[int]
) -> None:
    """Let these (as `cells_of` tells them) be the components of a place in the record."""
    slot = layout.slot(zone)
    start = slot.base + copy * slot.width
    record[start : start + slot.width] = cells


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
