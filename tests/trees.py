"""Trees compared without their places."""

from __future__ import annotations

from typing import Any

from attrs import fields, has

from rulesdsl.text.source import NOWHERE, Source, Span


def spans(node: Any) -> list[Span]:
    """Every place in a tree."""
    if isinstance(node, Span):
        return [node]
    return [span for part in _parts(node) for span in spans(part)]


def without_places(node: Any) -> Any:
    """The tree with every place taken out."""
    if isinstance(node, Span):
        return NOWHERE
    if isinstance(node, tuple):
        return tuple(without_places(item) for item in node)
    if has(type(node)) and not isinstance(node, Source):
        names = [field.name for field in fields(type(node))]
        return type(node)(**{name: without_places(getattr(node, name)) for name in names})
    return node


def _parts(node: Any) -> list[Any]:
    if isinstance(node, tuple):
        return list(node)
    if has(type(node)) and not isinstance(node, Source):
        return [getattr(node, field.name) for field in fields(type(node))]
    return []
