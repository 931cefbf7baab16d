"""The module of a machine and the policies that play it, as WebAssembly text."""

from __future__ import annotations

from struct import pack

from attrs import frozen

from rulesdsl.engines.wasm.ahead import LookingAhead
from rulesdsl.engines.wasm.cells import numbers_function
from rulesdsl.engines.wasm.choices import Choices
from rulesdsl.engines.wasm.code import Codes
from rulesdsl.engines.wasm.driver import GLOBALS, Driver
from rulesdsl.engines.wasm.flow import Flow
from rulesdsl.engines.wasm.kept import Keeping
from rulesdsl.engines.wasm.knowing import Knowing
from rulesdsl.engines.wasm.memory import PAGE, Plan, plan
from rulesdsl.engines.wasm.policies import Policies
from rulesdsl.engines.wasm.regions import Region
from rulesdsl.engines.wasm.remembering import Remembering
from rulesdsl.engines.wasm.steps import Steps
from rulesdsl.engines.wasm.stops import Stops
from rulesdsl.engines.wasm.streams import STREAMS
from rulesdsl.engines.wasm.usual import Usual, usual_stops
from rulesdsl.engines.wasm.values import CELL, Tables, Values
from rulesdsl.engines.wasm.views import Sights
from rulesdsl.engines.wasm.writing import Sites
from rulesdsl.machine.passes.forward import first_of_slots
from rulesdsl.machine.policy import Policy
from rulesdsl.machine.program import Choose, Machine
from rulesdsl.machine.program import Region as Together


@frozen
class Written:
    """A module as text, with what is needed to read what it says."""

    text: str
    plan: Plan
    sites: Sites
    heap: int
    """The address from which on memory is free for the host."""


def write(machine: Machine, policies: tuple[Policy, ...]) -> Written:
    """The module of a machine and policies."""
    sites, places = Sites(), plan(machine, policies)
    tables, knowing = Tables(places.tables), Knowing({})
    values = Values(knowing, tables, places.cells)
    counters = {id(rule): places.fired + CELL * i for i, rule in enumerate(machine.rules)}
    codes = Codes(values, counters, machine.layout, Keeping(values, first_of_slots(machine)))
    parts = [
        *Flow(machine, codes, sites, usual_stops(machine, knowing)).functions(),
        *_of_stops(machine, values, sites, places, policies),
        *Driver(machine, places).functions(),
        *Steps(machine, places, tables).functions(),
        *Sights(machine, tables).functions(places.numbers),
        numbers_function(places.cells),
    ]
    heap = (places.tables + CELL * len(tables.numbers) + 15) // 16 * 16
    head = [
        f"(module ;; {machine.model.name}, {machine.seats} seats",
        f'(memory (export "memory") {-(-heap // PAGE)})',
        _data(places.start, places.cells.packed(machine.start)),
        _data(places.tables, pack(f"<{len(tables.numbers)}i", *tables.numbers)),
        GLOBALS,
        STREAMS,
    ]
    return Written("\n".join([*head, *parts, ")"]), places, sites, heap)


def _of_stops(
    machine: Machine,
    values: Values,
    sites: Sites,
    places: Plan,
    policies: tuple[Policy, ...],
) -> list[str]:
    chooses = [stop for stop in machine.stops if isinstance(stop, Choose)]
    first: dict[int, int] = {}
    for stop in chooses:
        first[stop.number] = sum(len(other.options) for other in chooses[: len(first)])
    stops = Stops(machine, values, sites, places, policies, first)
    remembering = Remembering(machine, values, places)
    choices = Choices(values, sites, places, remembering)
    preferring = Policies(values, sites, places)
    looking = LookingAhead(machine, values, sites, places)
    parts = [function for stop in machine.stops for function in stops.functions(stop)]
    parts += Usual(stops, choices, remembering).functions()
    parts += [choices.of_option(one) for one in remembering.found.values()]
    parts += [remembering.keep()] if remembering.found else []
    parts += [Region(stops, stop).text() for stop in machine.stops if isinstance(stop, Together)]
    for stop in chooses:
        parts.append(choices.moves(stop))
        if stop.region is not None:
            parts.append(choices.any(stop))
        if stop.ahead is not None:
            parts += looking.functions(stop, stop.ahead)
        parts += [
            preferring.function(index, policy, stop)
            for index, policy in enumerate(policies)
            if stop.number in policy.preferences
        ]
    if any(stop.ahead is not None for stop in chooses):
        parts.append(looking.shared())
    return parts


def _data(address: int, octets: bytes) -> str:
    """What lies in memory from the beginning."""
    return f'(data (i32.const {address}) "{chr(92)}{octets.hex(chr(92))}")' if octets else ""
