"""Models, machines and policies as bytes, and back: quicker than making them anew.

Only trusted bytes are unpacked.
"""

from __future__ import annotations

import io
import pickle
from functools import cache
from typing import Any, TypeVar

from rulesdsl.check.model import Model, Zone
from rulesdsl.machine.policy import Policy
from rulesdsl.machine.program import Choose, Layout, Machine, Option, Slot
from rulesdsl.text.collecting import no_collecting
from rulesdsl.text.records import Values, values_of
from rulesdsl.text.source import NOWHERE

Made = TypeVar("Made", Model, Machine)


@no_collecting()
def pack(made: Made) -> bytes:
    """A model, or a machine with its model, and the texts that their spans stand in."""
    packed = io.BytesIO()
    _Pickler(packed, pickle.HIGHEST_PROTOCOL).dump(made)
    return packed.getvalue()


@no_collecting()
def unpack(packed: bytes, kind: type[Made]) -> Made:
    """What `pack` has made bytes of."""
    made = pickle.loads(packed)
    assert isinstance(made, kind)
    return made


@no_collecting()
def pack_policy(policy: Policy, machine: Machine) -> bytes:
    """A policy for a machine, without it."""
    packed = io.BytesIO()
    _PolicyPickler(packed, machine).dump(policy)
    return packed.getvalue()


@no_collecting()
def unpack_policy(packed: bytes, machine: Machine) -> Policy:
    """The policy of bytes that `pack_policy` has made, for the same machine."""
    policy = _PolicyUnpickler(io.BytesIO(packed), machine).load()
    assert isinstance(policy, Policy)
    return policy


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


class _PolicyPickler(_Pickler):
    """Tells the options of the machine, which are known by being the ones, by their numbers."""

    def __init__(self, packed: io.BytesIO, machine: Machine) -> None:
        super().__init__(packed, pickle.HIGHEST_PROTOCOL)
        self._numbers = {id(option): number for number, option in enumerate(_options(machine))}

    def persistent_id(self, obj: Any) -> int | None:
        return self._numbers.get(id(obj))


class _PolicyUnpickler(pickle.Unpickler):
    def __init__(self, packed: io.BytesIO, machine: Machine) -> None:
        super().__init__(packed)
        self._options = _options(machine)

    def persistent_load(self, pid: int) -> Option:
        return self._options[pid]


def _options(machine: Machine) -> list[Option]:
    stops = (stop for stop in machine.stops if isinstance(stop, Choose))
    return [option for stop in stops for option in stop.options]


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
