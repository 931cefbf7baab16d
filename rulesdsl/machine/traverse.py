"""Going through values, code and stops: what a piece reads, writes, and where it leads."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulesdsl.machine import program as p

_OUTSIDE = ("span", "subject", "target", "data", "name", "cites", "known")


def children(node: object) -> Iterator[object]:
    """The nodes of the program right below a node (or the items of a tuple)."""
    if isinstance(node, tuple):
        yield from node
    elif type(node).__module__ == p.__name__:
        for field in attrs.fields(type(node)):  # type: ignore[arg-type]
            if field.name not in _OUTSIDE:
                yield getattr(node, field.name)


def parts(node: object) -> Iterator[object]:
    """The nodes of the program below a node, itself first."""
    yield node
    for child in children(node):
        yield from parts(child)


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
