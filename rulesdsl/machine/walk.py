"""Walking the model: every node below one, not into other declarations."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulesdsl.check import model as m

_DECLARATIONS = (
    m.Kind,
    m.Column,
    m.Option,
    m.Table,
    m.Scalar,
    m.Zone,
    m.Define,
    m.Procedure,
    m.Phase,
    m.Local,
    m.Counter,
)


def _fields(node: object) -> tuple[attrs.Attribute[object], ...]:
    fields: tuple[attrs.Attribute[object], ...] = attrs.fields(type(node))  # type: ignore[arg-type]
    return fields


def nodes(node: object) -> Iterator[object]:
    """The node and all below it, in order; declarations referred to are not entered."""
    if isinstance(node, tuple):
        for item in node:
            yield from nodes(item)
    elif attrs.has(type(node)) and type(node).__module__ == m.__name__:
        if isinstance(node, _DECLARATIONS):
            return
        yield node
        for field in _fields(node):
            if field.name not in ("span", "type"):
                yield from nodes(getattr(node, field.name))


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


def contains_turn_pass(body: m.Body) -> bool:
    """Whether a turn is passed on in this body, not counting loops over turns inside it."""
    return any(isinstance(node, m.TurnPasses) for step in body.steps for node in _own(step))


def _own(node: object) -> Iterator[object]:
    if isinstance(node, m.TurnsStep):
        return
    if isinstance(node, m.ForStep) and isinstance(node.domain, m.SeatsDomain):
        return
    yield node
    if isinstance(node, tuple):
        for item in node:
            yield from _own(item)
    elif attrs.has(type(node)) and type(node).__module__ == m.__name__:
        if isinstance(node, _DECLARATIONS):
            return
        for field in _fields(node):
            if field.name not in ("span", "type"):
                yield from _own(getattr(node, field.name))


def reached(model: m.Model, body: m.Body) -> Iterator[object]:
    """All nodes that carrying out a body can meet: procedures, phases and triggers entered."""
    seen: set[int] = set()

    def enter(inner: m.Body) -> Iterator[object]:
        for node in nodes(inner.steps):
            yield node
            called: m.Procedure | m.Phase | None = None
            if isinstance(node, m.CallProcedure):
                called = node.procedure
            elif isinstance(node, m.RunPhase):
                called = node.phase
            if called is not None and id(called) not in seen:
                seen.add(id(called))
                yield from enter(called.body)

    yield from enter(body)
    for trigger in model.triggers:
        yield from enter(trigger.body)
