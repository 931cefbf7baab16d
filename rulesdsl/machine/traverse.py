"""Going through values, code and stops: what a piece reads, writes, and where it leads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
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
        yield from below(node.__class__)(node)


@cache
def fields_of(kind: Any) -> tuple[str, ...]:
    """Names of the fields with the nodes right below a node of a kind."""
    if kind.__module__ != p.__name__:
        return ()
    return tuple(
        field.name
        for field in attrs.fields(kind)
        if field.name not in _OUTSIDE and field.type not in PLAIN
    )


@cache
def below(kind: Any) -> Values:
    """A function that gives all nodes right below a node of a kind."""
    return values_of(fields_of(kind))


def parts(node: Any) -> Iterator[object]:
    """The nodes of the program below a node, itself first."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, tuple):
            waiting.extend(node[::-1])
        else:
            waiting.extend(below(node.__class__)(node)[::-1])


def pieces_of(code: Iterable[p.Code]) -> Iterator[p.Code]:
    """The pieces of code with those in their bodies."""
    for piece in code:
        yield piece
        match piece:
            case p.Cond():
                yield from pieces_of(piece.then)
                yield from pieces_of(piece.otherwise)
            case p.Loop() | p.While():
                yield from pieces_of(piece.body)
            case p.Set() | p.Reg() | p.Check() | p.Clear() | p.Note():
                pass


def varying(machine: p.Machine) -> set[int]:
    """The registers that code sets in several places."""
    times = Counter(
        piece.register
        for block in machine.blocks
        for piece in pieces_of(block.code)
        if isinstance(piece, (p.Reg, p.Loop))
    )
    return {register for register, count in times.items() if count > 1}


def is_quiet(node: object) -> bool:
    """Whether it takes no steps and cannot fault."""
    return not any(
        isinstance(part, (p.Fold, p.Checked, p.Check, p.Loop, p.While))
        or (isinstance(part, p.Row) and part.checked)
        for part in parts(node)
    )


def mapped(node: Any, change: Callable[[Any], Any]) -> Any:
    """The node (or tuple) with each node right below it changed."""
    if isinstance(node, tuple):
        items = [_changed(item, change) for item in node]
        same = all(new is old for new, old in zip(items, node, strict=True))
        return node if same else tuple(items)
    changes = {
        name: new
        for name in fields_of(node.__class__)
        if (new := _changed(old := getattr(node, name), change)) is not old
    }
    if not changes:
        return node
    # evolve would take three times as long
    names = _all_fields(node.__class__)
    return node.__class__(*[changes.get(name, getattr(node, name)) for name in names])


@cache
def _all_fields(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(kind))


def _changed(child: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(child, tuple):
        return mapped(child, change)
    return change(child) if child.__class__.__module__ == p.__name__ else child


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


def seat_point(block: p.Block) -> int | None:
    """What a block that gives up `me` in its last two stores makes the seat's program point."""
    match block.code[-2:]:
        case (
            p.Set(p.Cell(p.POINTS, ((p.Cell(p.ME, ()), 1),)), p.K(point)),
            p.Set(p.Cell(p.ME, ()), p.K(0)),
        ):
            return point
        case _:
            return None


def waiting_in(machine: p.Machine, region: p.Region) -> list[int]:
    """The stops at which a seat may wait in a region: its choices, and chance of its own."""
    seats = range(p.POINTS, p.POINTS + machine.seats)
    points = {
        part.value.value
        for block in machine.blocks
        for part in block.code
        if isinstance(part, p.Set)
        if part.cell.base in seats
        if isinstance(part.value, p.K)
    }
    return [
        stop.number
        for stop in machine.stops
        if isinstance(stop, (p.Choose, p.Draw)) and stop.region == region.region
        if stop.number + p.WAITING in points
    ]
