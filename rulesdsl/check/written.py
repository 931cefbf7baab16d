"""Walking the tree as it was written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import attrs

from rulesdsl.syntax import tree as t


def pieces(node: Any) -> Iterator[object]:
    """A node of the tree and all that is below it, in the order of the text."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(node[::-1])
        elif names := _fields(node.__class__):
            yield node
            waiting.extend(getattr(node, name) for name in names)


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    """What a node has below it, the last first; nothing for what is no node."""
    if kind.__module__ != t.__name__:
        return ()
    return tuple(field.name for field in attrs.fields(kind) if field.name != "span")[::-1]


def cites_in(node: object) -> Iterator[t.Cite]:
    """All references in a piece of the tree."""
    yield from (piece for piece in pieces(node) if isinstance(piece, t.Cite))


def names_in(node: object) -> set[str]:
    """All names in a piece of the tree, those of types and in moves too."""
    found: set[str] = set()
    for piece in pieces(node):
        match piece:
            case t.Word() | t.Name():
                found.update(piece.text.replace("(", " ").replace(",", " ").split())
            case t.NamedType():
                found.add(piece.name)
            case _:
                pass
    return found
