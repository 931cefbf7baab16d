"""Addresses as they are spoken: `table forum_price[1]`, `procedure sell_lot / accept`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from attrs import frozen

from rulesdsl.syntax.variants.nodes import Path, at, child, key_at, plain, position_of, span_at
from rulesdsl.syntax.yaml_nodes import List, Map, Node, Text
from rulesdsl.text.source import Span
from rulesdsl.text.spelling import nearest

SECTION_OF: Final = {
    "option": "options",
    "kind": "kinds",
    "table": "tables",
    "state": "state",
    "define": "define",
    "procedure": "procedures",
    "phase": "phases",
    "trigger": "triggers",
    "invariant": "invariants",
    "measure": "measures",
    "example": "examples",
    "text": "texts",
    "source": "sources",
    "ruling": "sources",
}
"""The first word of an address, and the section it speaks of."""
WHOLE: Final = ("players", "setup", "flow", "result", *dict.fromkeys(SECTION_OF.values()))
"""Sections that are an address of their own."""
STEPS: Final = ("procedures", "phases", "triggers", "setup", "flow")
"""Sections with steps in them."""
_LONG_FORM: Final = ("where", "state", "do", "is", "cite", "about")
_OPTION: Final = re.compile(r"([^\W\d_]\w*)(?:\(.*| where .*)?")
_STEP: Final = re.compile(r"step (\w+)")
_NAME: Final = re.compile(r"[^\W\d_]\w*")
_ROW: Final = re.compile(r"(\d+)(?:\.\.(\d+)|(\+))?")
_FAR: Final = 0.4
_FAR_AT_FIRST: Final = 0.6


@frozen
class Spot:
    """What an address has found: the way there, and how it is spoken."""

    path: Path
    words: str
    section: str

    def inner(self, position: int, words: str) -> Spot:
        return Spot((*self.path, position), self.words + words, self.section)


@frozen
class Found:
    """What an address has led to: one spot if it is right; else what stands where it ended."""

    spots: tuple[Spot, ...]
    near: Spot | None = None


def locate(root: Node, address: str) -> Found:
    """All that an address can mean in a rule file."""
    rest, reached = plain(address), [Spot((), "", "")]
    while rest:
        options = [one for spot in reached for one in _inner(root, spot)]
        longest = max((len(said) for said, _ in options if _begins(rest, said)), default=0)
        if not longest:
            return Found((), _nearest(root, rest, reached, options))
        said = rest[:longest]
        reached = [spot for words, spot in options if words == said]
        rest = rest[longest:]
    return Found(tuple(reached))


def name_in(key: str) -> str:
    """The name that a key declares: `sell_lot` of `sell_lot(seller in players)`."""
    found = _NAME.match(key)
    return found[0] if found else key


def owner_in(key: str) -> str:
    """Whose state a section holds, without its `each`: `player, Good`."""
    return re.sub(r"\beach ", "", key)


def _begins(rest: str, said: str) -> bool:
    return rest.startswith(said) and (len(rest) == len(said) or rest[len(said)] in "/[.")


def _nearest(
    root: Node, rest: str, reached: list[Spot], options: list[tuple[str, Spot]]
) -> Spot | None:
    """The spot that was probably meant."""
    covering = [spot for said, spot in options if _covers(said, rest)]
    if covering:
        return covering[0]
    known = dict(reversed(options))
    if reached == [Spot((), "", "")] and rest.partition(" ")[0] in SECTION_OF:
        word = f"{rest.partition(' ')[0]} "
        known = {said: spot for said, spot in known.items() if said.startswith(word)} or known
    ends = [rest.find(sign, 1) for sign in "/[." if rest.find(sign, 1) > 0]
    head = rest[: min(ends, default=len(rest))]
    names = {re.sub(r"^\w+ ", "", said): said for said in known}
    for asked in dict.fromkeys((rest, head)):
        found = nearest(asked, known)
        found = found or names.get(nearest(re.sub(r"^\w+ ", "", asked), names) or "")
        far = _FAR if reached[0].path else _FAR_AT_FIRST
        close = get_close_matches(asked, known, 1, far)
        if found or close:
            return known[found or close[0]]
    return reached[0] if reached[0].path else None


def _covers(said: str, rest: str) -> bool:
    """Whether a row of a range holds the number that was asked for: `[9+]` for `[10]`."""
    asked = re.match(r"\[(\d+)\]", rest)
    row = _ROW.fullmatch(said[1:-1]) if said.startswith("[") else None
    if not asked or not row:
        return False
    low, number = int(row[1]), int(asked[1])
    return low <= number <= (number if row[3] else int(row[2] or low))


# ------------------------------------------------------------------ what stands in what


def _inner(root: Node, spot: Spot) -> Iterator[tuple[str, Spot]]:
    """What an address can go on to from a spot: how it goes on, and where to."""
    if not spot.path:
        yield from _sections(root)
        return
    node, depth = at(root, spot.path), len(spot.path)
    if spot.section == "kinds":
        yield from _in_kind(root, spot, node)
    elif spot.section == "tables" and depth == 2:
        yield from _in_table(spot, node)
    if spot.section == "result":
        yield from _in_result(spot, node)
    elif spot.section in STEPS:
        yield from _in_steps(spot, node)
    elif isinstance(node, Map) and not (spot.section == "kinds" and depth > 2):
        yield from _keys(spot, node)


def _keys(spot: Spot, node: Map) -> Iterator[tuple[str, Spot]]:
    for position, entry in enumerate(node.entries):
        yield f"/{plain(entry.key.text)}", spot.inner(position, f" / {entry.key.text}")


def _sections(root: Node) -> Iterator[tuple[str, Spot]]:
    for position, entry in enumerate(root.entries if isinstance(root, Map) else ()):
        section = entry.key.text
        if section in WHOLE:
            yield section, Spot((position,), section, section)
        for word, of in SECTION_OF.items():
            if of == section:
                for name, path in _declared(entry.value, word):
                    words = f"{word} {name}"
                    yield plain(words), Spot((position, *path), words, section)


def _declared(node: Node, word: str) -> Iterator[tuple[str, Path]]:
    """What a section declares by name."""
    if word == "example":
        for i, item in enumerate(node.items if isinstance(node, List) else ()):
            title = position_of(item, "example")
            named = None if title is None else child(item, title)
            if isinstance(named, Text):
                yield named.text, (i,)
        return
    for i, entry in enumerate(node.entries if isinstance(node, Map) else ()):
        key = entry.key.text
        inner = entry.value.entries if isinstance(entry.value, Map) else ()
        match word:
            case "define" | "procedure" | "phase" | "measure":
                yield name_in(key), (i,)
            case "state":
                yield owner_in(key), (i,)
                yield from ((one.key.text, (i, k)) for k, one in enumerate(inner))
            case "ruling" if position_of(entry.value, "sections") is None:
                yield from ((one.key.text, (i, k)) for k, one in enumerate(inner))
            case "ruling":
                pass
            case _:
                yield key, (i,)


def _in_kind(root: Node, spot: Spot, node: Node) -> Iterator[tuple[str, Spot]]:
    """Members and columns of a kind; cells of a member."""
    if len(spot.path) == 2:
        yield from _members(spot, node, "rows", "[{}]")
        yield from _members(spot, node, "columns", ".{}")
    elif len(spot.path) == 4 and key_at(root, spot.path[:-1]):
        columns = position_of(at(root, spot.path[:2]), "columns")
        named = None if columns is None else child(at(root, spot.path[:2]), columns)
        for i, entry in enumerate(named.entries if isinstance(named, Map) else ()):
            if isinstance(node, List) and i < len(node.items):
                yield f".{entry.key.text}", spot.inner(i, f".{entry.key.text}")
            elif isinstance(node, Text) and i == 0:
                words = f"{spot.words}.{entry.key.text}"
                yield f".{entry.key.text}", Spot(spot.path, words, spot.section)


def _members(spot: Spot, node: Node, key: str, form: str) -> Iterator[tuple[str, Spot]]:
    """The names below a key of a declaration."""
    where = position_of(node, key)
    below = None if where is None else child(node, where)
    if where is None or below is None:
        return
    match below:
        case Map(entries=entries):
            names = [entry.key.text for entry in entries]
        case List(items=items):
            names = [item.text if isinstance(item, Text) else "" for item in items]
        case _:
            names = []
    for i, name in enumerate(names):
        said = form.format(name)
        yield plain(said), Spot((*spot.path, where, i), spot.words + said, spot.section)


def _in_table(spot: Spot, node: Node) -> Iterator[tuple[str, Spot]]:
    """Rows, cells and columns of a table."""
    yield from _members(spot, node, "rows", "[{}]")
    yield from _members(spot, node, "columns", ".{}")
    columns, rows = (position_of(node, key) for key in ("columns", "rows"))
    if columns is None or rows is None:
        return
    named, lines = child(node, columns), child(node, rows)
    for i, row in enumerate(lines.entries if isinstance(lines, Map) else ()):
        cells = len(row.value.items) if isinstance(row.value, List) else 0
        for k, column in enumerate(named.items[:cells] if isinstance(named, List) else ()):
            said = f"[{row.key.text}, {column.text if isinstance(column, Text) else ''}]"
            path = (*spot.path, rows, i, k)
            yield plain(said), Spot(path, spot.words + said, spot.section)


def _in_result(spot: Spot, node: Node) -> Iterator[tuple[str, Spot]]:
    """The keys of a result, `for p in players` left out."""
    for position, entry in enumerate(node.entries if isinstance(node, Map) else ()):
        if len(spot.path) == 1 and entry.key.text != "cite":
            for k, inner in enumerate(entry.value.entries if isinstance(entry.value, Map) else ()):
                words = f" / {inner.key.text}"
                path = (*spot.path, position, k)
                yield plain(words), Spot(path, spot.words + words, spot.section)
        else:
            yield f"/{entry.key.text}", spot.inner(position, f" / {entry.key.text}")


def _in_steps(spot: Spot, node: Node) -> Iterator[tuple[str, Spot]]:
    """Of steps: named steps, options and headers at any depth; the keys of a long form."""
    if len(spot.path) == 1 and spot.section not in ("setup", "flow"):
        yield from _keys(spot, node) if isinstance(node, Map) else ()
        return
    for position, entry in enumerate(node.entries if isinstance(node, Map) else ()):
        if entry.key.text in _LONG_FORM:
            yield f"/{entry.key.text}", spot.inner(position, f" / {entry.key.text}")
            if entry.key.text == "state" and isinstance(entry.value, Map):
                yield from _keys(spot.inner(position, " / state"), entry.value)
    for path, key in headers(node, ()):
        names = {key.text}
        if named := _STEP.fullmatch(key.text) or _OPTION.fullmatch(key.text):
            names.add(named[1])
        for name in names:
            words = f" / {name}"
            yield plain(words), Spot((*spot.path, *path), spot.words + words, spot.section)


def headers(node: Node, path: Path) -> Iterator[tuple[Path, Text]]:
    """The keys of steps at any depth: headers, options, cases."""
    match node:
        case List(items=items):
            for position, item in enumerate(items):
                yield from headers(item, (*path, position))
        case Map(entries=entries):
            for position, entry in enumerate(entries):
                if entry.key.text not in _LONG_FORM:
                    yield (*path, position), entry.key
                if entry.key.text not in ("cite", "about", "state"):
                    yield from headers(entry.value, (*path, position))
        case _:
            pass


def place_of(root: Node, spot: Spot) -> Span:
    """Where a spot stands in its file."""
    return span_at(root, spot.path)
