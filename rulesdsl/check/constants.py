"""Expressions whose value is known before the game."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulesdsl.check import model as m

_STATE = (m.ScalarRead, m.CounterRead, m.CountOf, m.SizeOf, m.TopOf, m.SubbagSize, m.SubbagCount)


def below(node: object) -> Iterator[object]:
    """All expressions at and below a node, those of defines that are called too."""
    if isinstance(node, tuple):
        for item in node:
            yield from below(item)
        return
    if type(node).__module__ != m.__name__:
        return
    if isinstance(node, (m.Local, m.Counter, m.Option, m.Table, m.Scalar, m.Zone)):
        return
    if isinstance(node, m.Define):
        yield from below(node.value)
        return
    yield node
    for field in attrs.fields(type(node)):  # type: ignore[arg-type]
        if field.name not in ("span", "type", "column", "kind"):
            yield from below(getattr(node, field.name))


def reads_state(expr: m.Expr) -> bool:
    """Whether an expression reads anything that changes while a game is played."""
    return any(isinstance(node, _STATE) for node in below(expr))
