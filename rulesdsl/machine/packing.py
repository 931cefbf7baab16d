"""A machine as bytes, and back: quicker than making it anew. Only trusted bytes are unpacked."""

from __future__ import annotations

import gc
import io
import pickle
from typing import Any

import attrs

from rulesdsl.check.model import Zone
from rulesdsl.machine.program import Layout, Machine, Slot
from rulesdsl.text.source import NOWHERE


def pack(machine: Machine) -> bytes:
    """The machine with its model and the texts that its spans stand in."""
    packed = io.BytesIO()
    _Pickler(packed, pickle.HIGHEST_PROTOCOL).dump(machine)
    return packed.getvalue()


def unpack(packed: bytes) -> Machine:
    """The machine of bytes that `pack` has made."""
    # so many new objects would set it off again and again, for nothing
    collects = gc.isenabled()
    gc.disable()
    try:
        machine = pickle.loads(packed)
    finally:
        if collects:
            gc.enable()
    assert isinstance(machine, Machine)
    return machine


class _Pickler(pickle.Pickler):
    def reducer_override(self, obj: Any) -> Any:
        if obj is NOWHERE:
            # it is known by being the one
            return "NOWHERE"
        kind = type(obj)
        if kind is Layout:
            return _layout, _parts_of(obj)
        fields = getattr(kind, "__attrs_attrs__", None)
        if fields is None or "__setattr__" not in vars(kind):
            return NotImplemented
        # frozen: it is made again from its fields, which takes half the time
        if not all(field.init and not field.kw_only for field in fields):
            return NotImplemented
        return kind, tuple(getattr(obj, field.name) for field in attrs.fields(kind))


def _parts_of(layout: Layout) -> tuple[object, ...]:
    """A layout without the ids of things, which are others next time."""
    things = {id(slot.what): slot.what for slot in layout.slots}
    return (
        layout.seats,
        layout.cells,
        layout.slots,
        [(things[key], slot) for key, slot in layout.state.items()],
        [(things[key], slot) for key, slot in layout.shown.items()],
        [(things[key], number) for key, number in layout.numbers.items()],
    )


def _layout(
    seats: int,
    cells: int,
    slots: list[Slot],
    state: list[tuple[object, Slot]],
    shown: list[tuple[object, Slot]],
    numbers: list[tuple[Zone, int]],
) -> Layout:
    return Layout(
        seats,
        cells,
        slots,
        {id(what): slot for what, slot in state},
        {id(what): slot for what, slot in shown},
        {id(zone): number for zone, number in numbers},
    )
