"""Walking the tree as it was written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import attrs

from rulesdsl.check.datatypes import Kind
from rulesdsl.syntax import tree as t
from rulesdsl.text.records import PLAIN, Values, values_of

_NODES = {t.__name__, t.Cite.__module__}


def pieces(node: Any) -> Iterator[object]:
    """A node of the tree and all that is below it, in the order of the text."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(node[::-1])
        elif below := _below(node.__class__):
            yield node
            waiting.extend(below(node))


@cache
def _below(kind: Any) -> Values | None:
    """Reads what a node has below it, the last first; None for what is no node."""
    if kind.__module__ not in _NODES:
        return None
    fields = [field for field in attrs.fields(kind) if field.name != "span"]
    return values_of(tuple(field.name for field in fields if field.type not in PLAIN)[::-1])


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


def of_owner(node: t.Expr, kind: Kind, taken: set[str]) -> t.Expr:
    """An expression in which a column of a kind means that of the member it is worked out for."""
    if isinstance(node, t.Name) and node.text in kind.columns and node.text not in taken:
        return t.Dot(node.span, t.Name(node.span, "its member"), t.Word(node.span, node.text))
    match node:
        case t.Unary():
            return attrs.evolve(node, operand=of_owner(node.operand, kind, taken))
        case t.Binary() | t.Divide():
            left, right = (of_owner(side, kind, taken) for side in (node.left, node.right))
            return attrs.evolve(node, left=left, right=right)
        case t.If():
            parts = (node.condition, node.then, node.otherwise)
            return t.If(node.span, *(of_owner(part, kind, taken) for part in parts))
        case t.Call() | t.Index():
            arguments = tuple(of_owner(one, kind, taken) for one in node.arguments)
            return attrs.evolve(node, arguments=arguments)
        case _:
            return node
