"""Going through values, code and stops: what a piece reads, writes, and where it leads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import attrs

from rulesdsl.machine import program as p

_OUTSIDE = ("span", "subject", "target", "data", "name", "cites", "known")
_PLAIN = ("int", "int | None", "str", "bool", "tuple[int, ...]")
"""Types of fields, as they are written, that hold no nodes."""


def children(node: Any) -> Iterator[object]:
    """The nodes of the program right below a node (or the items of a tuple)."""
    if isinstance(node, tuple):
        yield from node
    else:
        for name in _fields(node.__class__):
            yield getattr(node, name)


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    """What a node has below it; nothing for what is no node."""
    if kind.__module__ != p.__name__:
        return ()
    return tuple(
        field.name
        for field in attrs.fields(kind)
        if field.name not in _OUTSIDE and field.type not in _PLAIN
    )


def parts(node: Any) -> Iterator[object]:
    """The nodes of the program below a node, itself first."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, tuple):
            waiting.extend(node[::-1])
        else:
            names = _fields(node.__class__)
            waiting.extend([getattr(node, name) for name in names[::-1]])


def replaced(node: Any, cell: Callable[[p.Cell], p.Cell]) -> Any:
    """The node with each of its cells (those of its indexes changed before) replaced."""
    if isinstance(node, tuple):
        items = [replaced(item, cell) for item in node]
        changed = any(new is not old for new, old in zip(items, node, strict=True))
        return tuple(items) if changed else node
    changes = {
        name: new
        for name in _fields(node.__class__)
        if (new := replaced(old := getattr(node, name), cell)) is not old
    }
    if changes:
        node = attrs.evolve(node, **changes)
    return cell(node) if isinstance(node, p.Cell) else node


def successors(end: p.End, stops: list[p.Stop]) -> list[int]:
    """The blocks to which an end can lead, over a stop too."""
    match end:
        case p.Jump():
            return [end.block]
        case p.Branch():
            return [end.then, end.otherwise]
        case p.Switch():
            return [block for _, block in end.blocks]
        case p.Halt():
            return after_stop(stops[end.stop])


def after_stop(stop: p.Stop) -> list[int]:
    """The blocks that can follow a stop (a region's own choices are followed elsewhere)."""
    match stop:
        case p.Choose():
            blocks = [option.block for option in stop.options]
            return blocks if stop.otherwise is None else [*blocks, stop.otherwise]
        case p.Draw() | p.Pause():
            return [stop.block]
        case p.Region() | p.Over():
            return []


def waiting_in(machine: p.Machine, region: p.Region) -> list[int]:
    """The stops at which a seat may wait in a region: its choices, and chance inside regions."""
    found = {
        part.value.value - p.WAITING
        for block in machine.blocks
        for part in block.code
        if isinstance(part, p.Set)
        if p.POINTS <= part.cell.base < p.POINTS + machine.seats
        if isinstance(part.value, p.K)
        if part.value.value >= p.WAITING
    }
    stops = machine.stops
    return [
        number
        for number in sorted(found)
        if getattr(stops[number], "region", region.region) == region.region
    ]
