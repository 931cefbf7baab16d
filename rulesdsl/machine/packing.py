"""A machine as bytes, and back: quicker than making it anew. Only trusted bytes are unpacked."""

from __future__ import annotations

import io
import pickle
from functools import cache
from typing import Any

from rulesdsl.check.model import Zone
from rulesdsl.machine.program import Layout, Machine, Slot
from rulesdsl.text.collecting import no_collecting
from rulesdsl.text.records import Values, values_of
from rulesdsl.text.source import NOWHERE


@no_collecting()
def pack(machine: Machine) -> bytes:
    """The machine with its model and the texts that its spans stand in."""
    packed = io.BytesIO()
    _Pickler(packed, pickle.HIGHEST_PROTOCOL).dump(machine)
    return packed.getvalue()


@no_collecting()
def unpack(packed: bytes) -> Machine:
    """The machine of bytes that `pack` has made."""
    machine = pickle.loads(packed)
    assert isinstance(machine, Machine)
    return machine


class _Pickler(pickle.Pickler):
    def reducer_override(self, obj: Any) -> Any:
        if obj is NOWHERE:
            # it is known by being the one
            return "NOWHERE"
        kind: Any = type(obj)
        if kind is Layout:
            return _layout, _parts_of(obj)
        given = _given(kind)
        return NotImplemented if given is None else (kind, given(obj))


@cache
def _given(kind: Any) -> Values | None:
    """Reads what a frozen object is made again from, which takes half the time; else None."""
    fields = getattr(kind, "__attrs_attrs__", None)
    if fields is None or "__setattr__" not in vars(kind):
        return None
    if not all(field.init and not field.kw_only for field in fields):
        return None
    return values_of(tuple(field.name for field in fields))


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
