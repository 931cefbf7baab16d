"""A kind that grows: every table and `depending on` that has a place for each of its members."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from rulesdsl.syntax.variants.addresses import headers, name_in
from rulesdsl.syntax.variants.effects import as_list, entries_of
from rulesdsl.syntax.variants.nodes import at, key_at, value_of
from rulesdsl.syntax.yaml_nodes import List, Map, Node, Text
from rulesdsl.text.source import Span

_BODIES = {"procedures": "procedure ", "phases": "phase ", "triggers": "trigger "}


@frozen
class Short:
    """What has nothing for a new member: in words, its place and extent, and what to write."""

    words: str
    place: Span
    extent: tuple[Span, ...]
    help: str


def short_of(root: Map, kind: str, member: str) -> Iterator[Short]:
    """What of a rule file has no row, column or case for a member of a kind."""
    kinds = _with_those_that_include(root, kind)
    for entry in entries_of(value_of(root, "tables")):
        yield from _table(entry.key, entry.value, kinds, member)
    members = _members(value_of(value_of(root, "kinds") or root, kind))
    covering = {member, "else", *(f"any {one}" for one in kinds)}
    for section, word in (*_BODIES.items(), ("setup", ""), ("flow", "")):
        body = value_of(root, section)
        if body is not None:
            yield from _cases(body, f"{word}{{}}" if word else section, members, member, covering)


def _with_those_that_include(root: Map, kind: str) -> list[str]:
    """A kind, and all that have its members too."""
    found = [kind]
    for name in found:
        for entry in entries_of(value_of(root, "kinds")):
            included = value_of(entry.value, "includes")
            names = [] if included is None else as_list(included).items
            if entry.key.text not in found and any(
                isinstance(one, Text) and one.text == name for one in names
            ):
                found.append(entry.key.text)
    return found


def _table(name: Text, table: Node, kinds: list[str], member: str) -> Iterator[Short]:
    maps, rows, columns = (value_of(table, key) for key in ("maps", "rows", "columns"))
    if not isinstance(maps, Text):
        return
    domains = [
        one.strip().removeprefix("maybe ") for one in maps.text.partition("->")[0].split(",")
    ]
    labels = [entry.key.text for entry in entries_of(rows)]
    extent = (name.span, table.span)
    covering = {member, "else", *(f"any {kind}" for kind in kinds)}
    if domains[0] in kinds and not covering & set(labels):
        cells = f"[{', '.join('...' for _ in columns.items)}]" if isinstance(columns, List) else ""
        help = f"- add to: table {name.text}\n  new: {{{member}: {cells or '...'}}}"
        yield Short(f"no row in table {name.text}", name.span, extent, help)
    if len(domains) == 2 and domains[1] in kinds and isinstance(columns, List):
        known = {column.text for column in columns.items if isinstance(column, Text)}
        if not covering & known:
            cells = ", ".join(f"{label}: ..." for label in labels)
            help = f"- add column to: table {name.text}\n  new: {member}\n  rows: {{{cells}}}"
            yield Short(f"no column in table {name.text}", name.span, extent, help)


def _members(kind: Node | None) -> set[str]:
    match None if kind is None else value_of(kind, "rows"):
        case Map(entries=entries):
            return {entry.key.text for entry in entries}
        case List(items=items):
            return {item.text for item in items if isinstance(item, Text)}
        case _:
            return set()


def _cases(
    body: Node, form: str, members: set[str], member: str, covering: set[str]
) -> Iterator[Short]:
    for path, key in headers(body, ()):
        if not re.match(r"depending on\b", key.text):
            continue
        labels = [entry.key.text for entry in entries_of(at(body, path))]
        if members.isdisjoint(labels) or covering & set(labels):
            continue
        top = key_at(body, path[:1])
        owner = form.format(name_in(top.text) if top is not None else "")
        help = f"- add to: {owner} / {key.text}\n  new: {{{member}: ...}}"
        words = f"no case in {owner} / {key.text}"
        yield Short(words, key.span, (key.span, at(body, path).span), help)
