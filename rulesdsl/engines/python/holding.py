"""Cells that a function may hold in variables while it plays, instead of in the record."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from rulesdsl.engines.python.texts import word_of
from rulesdsl.machine.program import ME, PHASE, WINNER, Cell, Clear, Fold, K, Loop, Machine, R
from rulesdsl.machine.traverse import children


def held_cells(machine: Machine) -> dict[int, str]:
    """The variable for each cell that code and questions name by its place, and only so."""
    named = {PHASE: "phase", ME: "me", WINNER: "winner"}
    for slot in machine.layout.slots:
        if slot.width * slot.copies == 1:
            named[slot.base] = slot.name
    found: list[tuple[Cell, int]] = []
    _collect((machine.blocks, machine.stops), {}, found)
    alone = {cell.base for cell, count in found if count == 1 and not cell.terms}
    reached = {
        cell.base + i for cell, count in found if count > 1 or cell.terms for i in range(count)
    }
    return {at: f"v{at}_{word_of(named[at])}" for at in sorted((alone & set(named)) - reached)}


def _collect(node: object, domains: dict[int, range], found: list[tuple[Cell, int]]) -> None:
    """Add the cells below a node, each with how many from its base on it may be, as far as the
    domains of registers tell."""
    match node:
        case Clear(cell, count):
            found.append((cell, count))
        case Cell():
            known = [
                max(domains[index.number], default=0) * stride
                for index, stride in node.terms
                if isinstance(index, R) and index.number in domains
            ]
            found.append((node, 1 + sum(known)))
        case Loop(register, K(low), K(high)) | Fold(_, register, K(low), K(high)):
            domains = {**domains, register: range(low, high)}
    for child in children(node):
        _collect(child, domains, found)


def rows(cells: dict[int, str]) -> Iterator[tuple[str, str]]:
    """Places in the record beside the variables that hold what stands there, row by row."""
    for _, group in groupby(enumerate(cells), lambda pair: pair[1] - pair[0]):
        places = [at for _, at in group]
        first, end = places[0], places[-1] + 1
        where = f"s[{first}]" if end - first == 1 else f"s[{first}:{end}]"
        yield where, ", ".join(cells[at] for at in places)
