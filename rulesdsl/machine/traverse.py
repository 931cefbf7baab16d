"""Going through values, code and stops: what a piece reads, writes, and where it leads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from operator import is_not
from typing import Any

import attrs

from rulesdsl.machine import program as p
from rulesdsl.text.records import PLAIN, Values, values_of

_OUTSIDE = ("span", "subject", "target", "data", "name", "cites", "known")


def children(node: Any) -> Iterator[object]:
    """The nodes of the program right below a node (or the items of a tuple)."""
    if isinstance(node, tuple):
        yield from node
    else:
        yield from _below(node.__class__)(node)


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    """What a node has below it; nothing for what is no node."""
    if kind.__module__ != p.__name__:
        return ()
    return tuple(
        field.name
        for field in attrs.fields(kind)
        if field.name not in _OUTSIDE and field.type not in PLAIN
    )


@cache
def _below(kind: Any) -> Values:
    return values_of(_fields(kind))


def parts(node: Any) -> Iterator[object]:
    """The nodes of the program below a node, itself first."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, tuple):
            waiting.extend(node[::-1])
        else:
            waiting.extend(_below(node.__class__)(node)[::-1])


def replaced(node: Any, cell: Callable[[p.Cell], p.Cell]) -> Any:
    """The node with each of its cells (those of its indexes changed before) replaced."""
    if isinstance(node, tuple):
        items = [replaced(item, cell) for item in node]
        return tuple(items) if any(map(is_not, items, node)) else node
    if below := _below(node.__class__)(node):
        new = [replaced(part, cell) for part in below]
        if any(map(is_not, new, below)):
            changed = zip(_fields(node.__class__), new, strict=True)
            node = attrs.evolve(node, **dict(changed))
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
