"""Pieces of a YAML tree: found by their path, compared, and put in place of others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, TypeAlias, assert_never

from attrs import frozen

from rulesdsl.syntax.yaml_nodes import Empty, Entry, List, Map, Node, Text
from rulesdsl.text.source import Span

Path: TypeAlias = tuple[int, ...]
"""The way down a tree: positions of entries and items."""

_SHOWN: Final = 60
_BESIDE_SIGN: Final = re.compile(r" ?([^\w ]) ?")


@lru_cache(maxsize=10_000)
def plain(text: str) -> str:
    """A text without its spacing: two texts that differ in nothing else say the same."""
    return _BESIDE_SIGN.sub(r"\1", " ".join(text.split()))


def same(one: Node, other: Node) -> bool:
    """Whether two nodes say the same; of mappings the order does not count."""
    match one, other:
        case Text(), Text():
            return plain(one.text) == plain(other.text)
        case List(), List():
            pairs = zip(one.items, other.items, strict=False)
            return len(one.items) == len(other.items) and all(same(a, b) for a, b in pairs)
        case Map(), Map():
            mine, others = _by_key(one), _by_key(other)
            return mine.keys() == others.keys() and all(same(mine[k], others[k]) for k in mine)
        case Empty(), Empty():
            return True
        case _:
            return False


def _by_key(node: Map) -> dict[str, Node]:
    return {plain(entry.key.text): entry.value for entry in node.entries}


def value_of(node: Node, key: str) -> Node | None:
    """What stands behind a key."""
    position = position_of(node, key)
    return None if position is None else child(node, position)


def position_of(node: Node, key: str) -> int | None:
    """Where a key stands in a mapping."""
    for position, entry in enumerate(node.entries if isinstance(node, Map) else ()):
        if plain(entry.key.text) == plain(key):
            return position
    return None


def child(node: Node, position: int) -> Node:
    """The value of an entry, or an item."""
    match node:
        case Map():
            return node.entries[position].value
        case List():
            return node.items[position]
        case _:
            raise LookupError(position)


def at(root: Node, path: Path) -> Node:
    """The node at the end of a path."""
    for position in path:
        root = child(root, position)
    return root


def key_at(root: Node, path: Path) -> Text | None:
    """The key of the entry at the end of a path; None for an item of a list and the root."""
    around = at(root, path[:-1]) if path else root
    return around.entries[path[-1]].key if path and isinstance(around, Map) else None


def span_at(root: Node, path: Path) -> Span:
    """What is underlined of the piece at the end of a path: its key, else itself."""
    key, node = key_at(root, path), at(root, path)
    if key is not None:
        return key.span
    return node.entries[0].key.span if isinstance(node, Map) and node.entries else node.span


def put(root: Node, path: Path, new: Node) -> Node:
    """The tree with another node at the end of a path."""
    if not path:
        return new
    first, rest = path[0], path[1:]
    inner = put(child(root, first), rest, new)
    match root:
        case Map():
            entry = Entry(root.entries[first].key, inner)
            return Map(root.span, (*root.entries[:first], entry, *root.entries[first + 1 :]))
        case List():
            return List(root.span, (*root.items[:first], inner, *root.items[first + 1 :]))
        case _:
            raise LookupError(path)


def put_key(root: Node, path: Path, key: Text) -> Node:
    """The tree with another key before the node at the end of a path."""
    around = at(root, path[:-1])
    assert isinstance(around, Map)
    entries = list(around.entries)
    entries[path[-1]] = Entry(key, entries[path[-1]].value)
    return put(root, path[:-1], Map(around.span, tuple(entries)))


def drop(root: Node, path: Path) -> Node:
    """The tree without the piece at the end of a path."""
    around, last = at(root, path[:-1]), path[-1]
    match around:
        case Map():
            left: Node = Map(around.span, (*around.entries[:last], *around.entries[last + 1 :]))
        case List():
            left = List(around.span, (*around.items[:last], *around.items[last + 1 :]))
        case _:
            raise LookupError(path)
    return put(root, path[:-1], left)


def insert(
    root: Node, path: Path, position: int, new: tuple[Entry, ...] | tuple[Node, ...]
) -> Node:
    """The tree with entries or items put into the mapping or list at the end of a path."""
    around = at(root, path)
    match around:
        case Map():
            entries = [one for one in new if isinstance(one, Entry)]
            whole = [*around.entries[:position], *entries, *around.entries[position:]]
            return put(root, path, Map(around.span, tuple(whole)))
        case List():
            items = [one for one in new if not isinstance(one, Entry)]
            listed = [*around.items[:position], *items, *around.items[position:]]
            return put(root, path, List(around.span, tuple(listed)))
        case _:
            raise LookupError(path)


@frozen
class Line:
    """A text of a tree: at the end of a path, as its key or as its value.

    A whole line is a key with all that stands behind it: `A.money: 3`.
    """

    path: Path
    text: Text
    is_key: bool
    is_whole: bool = False


_SILENT: Final = ("cite", "about")


def lines(node: Node, path: Path = ()) -> Iterator[Line]:
    """All lines of a tree in order, but for what is said to readers."""
    match node:
        case Text():
            yield Line(path, node, is_key=False)
        case List(items=items):
            for position, item in enumerate(items):
                yield from lines(item, (*path, position))
        case Map(entries=entries):
            for position, entry in enumerate(entries):
                if entry.key.text not in _SILENT:
                    yield Line((*path, position), entry.key, is_key=True)
                    if "\n" not in entry.value.span.text and not isinstance(entry.value, Empty):
                        yield Line((*path, position), line_of(entry), is_key=True, is_whole=True)
                    yield from lines(entry.value, (*path, position))
        case Empty():
            return
        case _:
            assert_never(node)


def line_of(entry: Entry) -> Text:
    """An entry as one line of text."""
    key, value = entry.key, entry.value
    said = value.text if isinstance(value, Text) else one_line(value)
    same_file = key.span.source is value.span.source and key.span.start <= value.span.end
    span = key.span.to(value.span) if same_file else key.span
    return Text(span, f"{key.text}: {said}", exact=False, quoted=False)


def told(node: Node, width: int = _SHOWN) -> str:
    """A node on one line, as YAML; shortened where it is long."""
    text = one_line(node)
    return text if len(text) <= width else f"{text[: width - 4].rstrip()} ..."


def one_line(node: Node) -> str:
    """A node on one line, as YAML."""
    match node:
        case Text(text=text, quoted=quoted):
            return f'"{text}"' if quoted else " ".join(text.split())
        case List(items=items):
            return f"[{', '.join(one_line(item) for item in items)}]"
        case Map(entries=entries):
            pairs = (f"{one_line(entry.key)}: {one_line(entry.value)}" for entry in entries)
            return f"{{{', '.join(pairs)}}}"
        case Empty():
            return ""
        case _:
            assert_never(node)
