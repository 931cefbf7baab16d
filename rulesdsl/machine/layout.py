"""Where each thing is in the record: declared state first, then shown copies and locals."""

from __future__ import annotations

from rulesdsl.check.model import Model, Scalar, Shape, Zone
from rulesdsl.check.sizes import copies_of, width_of
from rulesdsl.machine.program import POINTS, UNKNOWN, Layout, Slot


def lay_out(model: Model, seats: int) -> Layout:
    """The layout of the declared state for a number of seats."""
    layout = Layout(seats, cells=POINTS + seats)
    things: list[Scalar | Zone] = [*model.scalars.values(), *model.zones.values()]
    for what in things:
        slot = add_slot(layout, what.name, width_of(what), copies_of(what, seats), what)
        layout.state[id(what)] = slot
    return layout


def add_slot(
    layout: Layout, name: str, width: int, copies: int, what: Scalar | Zone | None
) -> Slot:
    """A new slot behind the last one."""
    slot = Slot(name, layout.cells, width, copies, what)
    layout.slots.append(slot)
    layout.cells += width * copies
    return slot


def add_shown(layout: Layout, what: Scalar | Zone) -> Slot:
    """The copy of a thing that others see while a region is open."""
    if id(what) not in layout.shown:
        real = layout.slot(what)
        slot = Slot(f"shown {real.name}", layout.cells, real.width, real.copies, what, shown=True)
        layout.slots.append(slot)
        layout.shown[id(what)] = slot
        layout.cells += real.width * real.copies
    return layout.shown[id(what)]


def fill(layout: Layout, record: list[int], zone: Zone, copy: int, counts: list[int]) -> None:
    """Lay components (a count a member) into a place of the record, instead of what is there.

    A pile gets them in the order of the members, bottom first; a deck gets them unknown.
    """
    slot = layout.slot(zone)
    base = slot.base + copy * slot.width
    record[base : base + slot.width] = [0] * slot.width
    members = [member for member, count in enumerate(counts) for _ in range(count)]
    match zone.shape:
        case Shape.BAG:
            record[base : base + zone.width] = counts or [0] * zone.width
        case Shape.SLOT:
            record[base] = members[0] + 1 if members else 0
        case Shape.PILE:
            record[base] = len(members)
            record[base + 1 : base + 1 + len(members)] = members
        case Shape.DECK:
            record[base] = len(members)
            record[base + 1 : base + 1 + len(members)] = [UNKNOWN] * len(members)
            pool = base + 1 + zone.capacity
            record[pool : pool + zone.width] = counts or [0] * zone.width
