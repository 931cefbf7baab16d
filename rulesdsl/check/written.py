"""Walking the tree as it was written."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulesdsl.syntax import tree as t


def pieces(node: object) -> Iterator[object]:
    """A node of the tree and all that is below it."""
    if isinstance(node, tuple):
        for item in node:
            yield from pieces(item)
    elif type(node).__module__ == t.__name__:
        yield node
        for field in attrs.fields(type(node)):  # type: ignore[arg-type]
            if field.name != "span":
                yield from pieces(getattr(node, field.name))


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
