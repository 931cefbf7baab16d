"""Which procedures and phases a body calls."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulesdsl.check import model as m
from rulesdsl.text.source import Span

_OUTSIDE = (
    m.Kind,
    m.Column,
    m.Option,
    m.Table,
    m.Scalar,
    m.Zone,
    m.Local,
    m.Counter,
    m.Define,
    m.Procedure,
    m.Phase,
)


def calls_of(node: object) -> Iterator[tuple[m.Procedure | m.Phase, Span]]:
    """Each call in a body, with its place."""
    if isinstance(node, m.CallProcedure):
        yield node.procedure, node.span
    elif isinstance(node, m.RunPhase):
        yield node.phase, node.span
    if isinstance(node, tuple):
        for item in node:
            yield from calls_of(item)
    elif type(node).__module__ == m.__name__ and not isinstance(node, _OUTSIDE):
        for field in attrs.fields(type(node)):  # type: ignore[arg-type]
            if field.name not in ("span", "type"):
                yield from calls_of(getattr(node, field.name))
