"""Going through values, code and stops: what a piece reads, writes, and where it leads."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulesdsl.machine import program as p

_LEAVES = (int, str, type(None))


def parts(node: object) -> Iterator[object]:
    """The nodes of the program below a node, itself first."""
    if isinstance(node, _LEAVES):
        return
    if isinstance(node, tuple):
        for item in node:
            yield from parts(item)
        return
    if type(node).__module__ != p.__name__:
        return
    yield node
    for field in attrs.fields(type(node)):  # type: ignore[arg-type]
        if field.name not in ("span", "subject", "target", "data", "name", "cites"):
            yield from parts(getattr(node, field.name))


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
