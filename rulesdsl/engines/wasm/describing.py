"""What a host that steps games by itself has to know of a module."""

from __future__ import annotations

from rulesdsl.engines.wasm.cells import Cells
from rulesdsl.engines.wasm.module import Written
from rulesdsl.engines.wasm.values import Tables
from rulesdsl.engines.wasm.views import Sights
from rulesdsl.machine.program import Choose, Draw, Machine, Option, Slot, Stop


def describe(machine: Machine, written: Written) -> dict[str, object]:
    """Sizes and addresses in bytes, the stops with their options, the cells by name; for JSON."""
    plan = written.plan
    return {
        "game": machine.model.name,
        "seats": list(machine.seat_names),
        "record": plan.record,
        "bundle": plan.bundle,
        "listed": plan.listed,
        "free": written.heap,
        "cells": [_cells(slot, plan.cells) for slot in machine.layout.slots],
        "view": Sights(machine, Tables(0)).describe(),
        "stops": [_stop(stop) for stop in machine.stops],
        "faults": [
            {"kind": site.kind, "place": str(site.costs[-1][1])} for site in written.sites.found
        ],
    }


def _cells(slot: Slot, cells: Cells) -> dict[str, object]:
    """Those of a piece of state or a local: `width` cells for each copy, from an address on."""
    return {
        "name": slot.name,
        "first": slot.base,
        "width": slot.width,
        "copies": slot.copies,
        "address": cells.address(slot.base),
        "bytes": cells.width(slot.base),
    }


def _stop(stop: Stop) -> dict[str, object]:
    found: dict[str, object] = {"kind": type(stop).__name__.lower()}
    if isinstance(stop, Choose):
        found["in"] = stop.where
        found["options"] = [_option(option) for option in stop.options]
    if isinstance(stop, Draw):
        found["outcomes"] = stop.count
    return found


def _option(option: Option) -> dict[str, object]:
    """An option; each argument is one parameter of a move, or several."""
    order = [parameter.register for parameter in option.parameters]
    arguments = {
        argument.name: [order.index(register) for register in argument.registers]
        for argument in option.arguments
        if set(argument.registers) <= set(order)
    }
    return {"name": option.name, "parameters": len(order), "arguments": arguments}
