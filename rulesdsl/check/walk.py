"""Walking the model: every node below one, not into other declarations."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import Any

import attrs

from rulesdsl.check import model as m
from rulesdsl.text.records import PLAIN, Values, values_of
from rulesdsl.text.source import Span

_DECLARATIONS = (
    m.Kind,
    m.Column,
    m.BagColumn,
    m.Option,
    m.Table,
    m.Scalar,
    m.Zone,
    m.PlaceNote,
    m.Define,
    m.Procedure,
    m.Phase,
    m.Local,
    m.Counter,
)


def children(node: Any) -> Iterator[object]:
    """What stands right below a node; declarations referred to are not entered."""
    if isinstance(node, tuple):
        yield from node
    elif below := _below(node.__class__):
        yield from reversed(below(node))


@cache
def _below(kind: Any) -> Values | None:
    """Reads what a node has below it, the last first; None for a declaration and for no node."""
    if kind.__module__ != m.__name__ or issubclass(kind, (*_DECLARATIONS, Enum)):
        return None
    fields = [field for field in attrs.fields(kind) if field.name not in ("span", "type")]
    return values_of(tuple(field.name for field in fields if field.type not in PLAIN)[::-1])


def nodes(node: Any) -> Iterator[object]:
    """The nodes at and below a node, in order."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(node[::-1])
            continue
        yield node
        if below := _below(node.__class__):
            waiting.extend(below(node))


def all_bodies(model: m.Model) -> Iterator[m.Body]:
    """The bodies of a rule file, in file order of their sections."""
    if model.setup is not None:
        yield model.setup.body
    yield model.flow
    for phase in model.phases.values():
        yield phase.body
    for trigger in model.triggers:
        yield trigger.body
    for procedure in model.procedures.values():
        yield procedure.body


def turn_passes_in(body: m.Body) -> list[m.TurnPasses]:
    """Where a turn is passed on in this body, not counting loops over seats inside it."""
    return [node for node in _outside_loops(body.steps) if isinstance(node, m.TurnPasses)]


def _outside_loops(node: object) -> Iterator[object]:
    seats = isinstance(node, m.ForStep) and isinstance(node.domain, m.SeatsDomain)
    if seats or isinstance(node, m.TurnsStep):
        return
    yield node
    for child in children(node):
        yield from _outside_loops(child)


def calls_of(body: m.Body) -> Iterator[tuple[m.Procedure | m.Phase, Span]]:
    """Each procedure and phase that a body calls, with the place of the call."""
    for node in nodes(body.steps):
        if isinstance(node, m.CallProcedure):
            yield node.procedure, node.span
        elif isinstance(node, m.RunPhase):
            yield node.phase, node.span


def reached(model: m.Model, body: m.Body) -> Iterator[object]:
    """All nodes that carrying out a body can meet: procedures, phases and triggers entered."""
    seen: set[int] = set()

    def enter(inner: m.Body) -> Iterator[object]:
        yield from nodes(inner.steps)
        for called, _ in calls_of(inner):
            if id(called) not in seen:
                seen.add(id(called))
                yield from enter(called.body)

    yield from enter(body)
    for trigger in model.triggers:
        yield from enter(trigger.body)
