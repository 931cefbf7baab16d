"""A whole rule file as text: what it extends and what it alters, made one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from rulesdsl.syntax.shape import RULE_FILE
from rulesdsl.syntax.variants.effects import entries_of
from rulesdsl.syntax.variants.layers import Whole
from rulesdsl.syntax.variants.nodes import plain, value_of
from rulesdsl.syntax.variants.own import title_of
from rulesdsl.syntax.yaml_nodes import Empty, Entry, List, Map, Node, Text
from rulesdsl.text.source import Span

WIDTH: Final = 100
_HEAD: Final = ("rules", "game", "title", "players")
_START: Final = re.compile(r"[-?:](\s|\Z)|[\[\]{}\"'&*!|>%@`#,\s]")
_INSIDE: Final = re.compile(r":(\s|\Z)|\s#|[\x00-\x1f]|\s\Z")
_FLOW: Final = re.compile(r"[\[\]{},?]")


def printed(whole: Whole) -> str:
    """The rule file as one text, which means the same and stands alone.

    Examples that do not hold any more are left out, and rulings that only changes cite.
    """
    root = whole.played
    failing = [one for one in whole.failing if one.is_example]
    sections = {entry.key.text: entry for entry in root.entries}
    lines = [f"# left out, since it does not hold any more: {one.name.text}" for one in failing]
    titles = {one.name.span for one in failing}
    for name in (*RULE_FILE.names, *(set(sections) - set(RULE_FILE.names))):
        if name not in sections or name in ("extends", "changes"):
            continue
        entry = sections[name]
        if name == "examples":
            entry = Entry(entry.key, _without(entry.value, titles))
        elif name == "sources":
            entry = Entry(entry.key, _cited_only(entry.value, set(_cites(root))))
        if isinstance(entry.value, List | Map) and name not in _HEAD:
            lines.append("")
        lines += _examples(entry) if name == "examples" else _entry(entry, "")
    return "\n".join(lines) + "\n"


def _without(examples: Node, titles: set[Span]) -> Node:
    if not isinstance(examples, List):
        return examples
    left = (
        item for item in examples.items if (t := title_of(item)) is None or t.span not in titles
    )
    return List(examples.span, tuple(left))


def _cited_only(sources: Node, cited: set[str]) -> Node:
    """The sources, of their rulings those that are cited."""
    made = []
    for entry in entries_of(sources):
        value = entry.value
        if isinstance(value, Map) and value_of(value, "sections") is None:
            word = entry.key.text.removesuffix("s")
            words = (entry.key.text, word)
            kept = tuple(
                one
                for one in value.entries
                if any(plain(f"{said} {one.key.text}") in cited for said in words)
            )
            value = Map(value.span, kept)
        if not isinstance(value, Map) or value.entries:
            made.append(Entry(entry.key, value))
    return Map(sources.span, tuple(made))


def _cites(node: Node) -> Iterator[str]:
    """All references in a tree."""
    for entry in entries_of(node):
        if entry.key.text in ("cite", "because"):
            texts = entry.value.items if isinstance(entry.value, List) else (entry.value,)
            yield from (plain(text.text) for text in texts if isinstance(text, Text))
        else:
            yield from _cites(entry.value)
    for item in node.items if isinstance(node, List) else ():
        yield from _cites(item)


# ------------------------------------------------------------------ YAML


def _examples(entry: Entry) -> Iterator[str]:
    """The examples, with a blank line between them."""
    yield "examples:"
    items = entry.value.items if isinstance(entry.value, List) else ()
    for number, item in enumerate(items):
        if number:
            yield ""
        yield from _item(item, "  ")


def _entry(entry: Entry, indent: str) -> Iterator[str]:
    key = f"{indent}{_scalar(entry.key, '')}:"
    match entry.value:
        case Text(text=text, block=True) if "\n" in text.strip("\n"):
            yield f"{key} |"
            for line in text.rstrip("\n").split("\n"):
                yield f"{indent}  {line}".rstrip()
        case Text() as text:
            yield f"{key} {_scalar(text, '')}"
        case Empty():
            yield key
        case node if (flow := _flow(node, _is_made(entry.key))) is not None and (
            len(key) + len(flow) < WIDTH
        ):
            yield f"{key} {flow}"
        case List() as node if _flow(node) is not None and node.items:
            yield from _filled(node, key, indent + "  ")
        case node:
            yield key
            yield from _block(node, indent + "  ")


def _is_made(key: Text) -> bool:
    """Whether a key and what it holds were put together here."""
    return not key.exact or key.text == "cite"


def _filled(node: List, key: str, indent: str) -> Iterator[str]:
    """A long list between brackets, on several lines."""
    line = f"{key} ["
    for number, item in enumerate(node.items, start=1):
        piece = _inner(item) + ("]" if number == len(node.items) else ",")
        if len(line) + len(piece) + 1 > WIDTH:
            yield line
            line = indent + piece
        else:
            line += piece if line.endswith("[") else f" {piece}"
    yield line


def _block(node: Node, indent: str) -> Iterator[str]:
    for entry in entries_of(node):
        yield from _entry(entry, indent)
    for item in node.items if isinstance(node, List) else ():
        yield from _item(item, indent)


def _item(item: Node, indent: str) -> Iterator[str]:
    if isinstance(item, Text | Empty):
        yield f"{indent}- {_scalar(item, '') if isinstance(item, Text) else ''}"
        return
    flow = _flow(item)
    if flow is not None and len(flow) + len(indent) + 2 <= WIDTH:
        yield f"{indent}- {flow}"
        return
    first, *rest = _block(item, indent + "  ")
    yield f"{indent}- {first.removeprefix(indent + '  ')}"
    yield from rest


def _flow(node: Node, wanted: bool = False) -> str | None:
    """A list or mapping between brackets, where it was written so or nothing is in it."""
    inside = node.items if isinstance(node, List) else entries_of(node)
    brackets = node.span.text[:1] in ("[", "{") or node.span.source.part_of is not None
    if inside and not ((brackets or wanted) and _is_flat(node)):
        return None
    if isinstance(node, List):
        return f"[{', '.join(_inner(item) for item in node.items)}]"
    pairs = (f"{_scalar(one.key, _FLOW.pattern)}: {_inner(one.value)}" for one in entries_of(node))
    return f"{{{', '.join(pairs)}}}"


def _inner(node: Node) -> str:
    match node:
        case Text():
            return _scalar(node, _FLOW.pattern)
        case _:
            return _flow(node) or ""


def _is_flat(node: Node) -> bool:
    match node:
        case Text():
            return "\n" not in node.text
        case Empty():
            return False
        case List():
            return all(
                _is_flat(item) and not (isinstance(item, List | Map) and _flow(item) is None)
                for item in node.items
            )
        case Map():
            return all(_is_flat(entry.value) for entry in node.entries) and not any(
                isinstance(entry.value, List | Map) and _flow(entry.value) is None
                for entry in node.entries
            )


def _scalar(text: Text, more: str) -> str:
    """A text as YAML; quoted where it was quoted or YAML would take it for something else."""
    said = text.text.rstrip("\n") if text.block else text.text
    plain_ = bool(said) and not (_START.match(said) or _INSIDE.search(said))
    if plain_ and not text.quoted and not (more and re.search(more, said)):
        return said
    if '"' not in said and "\\" not in said and said.isprintable():
        return f'"{said}"'
    if said.isprintable():
        return "'" + said.replace("'", "''") + "'"
    return json.dumps(said, ensure_ascii=False)
