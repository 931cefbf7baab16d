"""What makes two games different, by what they mean: options, tables, steps, examples."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final

from attrs import frozen

from rulesdsl.syntax.variants.addresses import SECTION_OF, name_in, owner_in
from rulesdsl.syntax.variants.effects import as_list, entries_of
from rulesdsl.syntax.variants.layers import Whole
from rulesdsl.syntax.variants.nodes import one_line, plain, same, value_of
from rulesdsl.syntax.variants.own import title_of
from rulesdsl.syntax.yaml_nodes import Empty, Entry, List, Map, Node, Text

_WORDS: Final = {section: word for word, section in SECTION_OF.items() if word != "ruling"}
_SILENT: Final = ("cite", "about")
_LONG: Final = ("do", "is")


@frozen
class Difference:
    """One thing that is not the same: its address, what it was and what it is.

    `lines` are those of steps, with `-` before the old ones and `+` before the new ones.
    """

    words: str
    was: Node | None = None
    to: Node | None = None
    lines: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.lines:
            return "\n".join([self.words, *(f"  {line}" for line in self.lines)])
        if self.was is None:
            return f"{self.words}   added" + _behind(self.to)
        if self.to is None:
            return f"{self.words}   removed" + _behind(self.was)
        return f"{self.words}   from {one_line(self.was)} to {one_line(self.to)}"


def _behind(node: Node | None) -> str:
    text = "" if node is None else one_line(node)
    return f": {text}" if text and len(text) <= 60 else ""


def differences(one: Whole, other: Whole) -> list[Difference]:
    """What the second game has otherwise than the first: rules first, then examples."""
    a, b = one.played, other.played
    found = [*_values("players", value_of(a, "players"), value_of(b, "players"))]
    for section in ("options", "kinds", "tables"):
        found += _declarations(section, value_of(a, section), value_of(b, section))
    found += _state(value_of(a, "state"), value_of(b, "state"))
    for section in ("define", "invariants", "measures"):
        found += _short(section, value_of(a, section), value_of(b, section))
    for section in ("setup", "flow", "result"):
        found += _steps(section, value_of(a, section), value_of(b, section))
    for section in ("phases", "triggers", "procedures"):
        found += _bodies(section, value_of(a, section), value_of(b, section))
    return [*found, *_examples(a, b)]


def _named(node: Node | None, section: str = "") -> dict[str, Entry]:
    named = section in ("define", "procedures", "phases", "measures")
    return {
        name_in(entry.key.text) if named else plain(entry.key.text): entry
        for entry in entries_of(node)
        if entry.key.text not in _SILENT
    }


def _pairs(
    one: dict[str, Entry], other: dict[str, Entry]
) -> Iterator[tuple[str, Entry | None, Entry | None]]:
    for name in dict.fromkeys((*one, *other)):
        yield name, one.get(name), other.get(name)


def _value(entry: Entry | None) -> Node | None:
    return None if entry is None else entry.value


def _values(words: str, was: Node | None, to: Node | None) -> Iterator[Difference]:
    if was is not None and to is not None and same(was, to):
        return
    if was is not None or to is not None:
        yield Difference(words, was, to)


# ------------------------------------------------------------------ what is declared


def _declarations(section: str, one: Node | None, other: Node | None) -> Iterator[Difference]:
    """Options, kinds and tables: key by key, their rows one by one."""
    for _, was, to in _pairs(_named(one), _named(other)):
        entry = was or to
        assert entry is not None
        words = f"{_WORDS[section]} {entry.key.text}"
        if was is None or to is None or not (_is_map(was) and _is_map(to)):
            yield from _values(words, _value(was), _value(to))
            continue
        for key, old, new in _pairs(_named(was.value), _named(to.value)):
            if key == "rows":
                yield from _rows(words, was.value, to.value)
            elif key == "columns" and section == "kinds":
                yield from _entries(f"{words}.", old, new)
            elif key != "columns":
                yield from _values(f"{words} / {key}", _value(old), _value(new))


def _is_map(entry: Entry) -> bool:
    return isinstance(entry.value, Map)


def _entries(words: str, one: Entry | None, other: Entry | None) -> Iterator[Difference]:
    pairs = _pairs(_named(_value(one)), _named(_value(other)))
    for name, was, to in pairs:
        yield from _values(f"{words}{name}", _value(was), _value(to))


def _rows(words: str, one: Node, other: Node) -> Iterator[Difference]:
    """Rows by their names, cells by their columns."""
    for name in dict.fromkeys((*_cells(one), *_cells(other))):
        was, to = _cells(one).get(name), _cells(other).get(name)
        if was is None or to is None:
            yield Difference(f"{words}[{name}]", _row(was), _row(to))
            continue
        for column in dict.fromkeys((*was, *to)):
            at = f"[{name}, {column}]" if column else f"[{name}]"
            if words.startswith("kind "):
                at = f"[{name}].{column}" if column else f"[{name}]"
            yield from _values(f"{words}{at}", was.get(column), to.get(column))


def _row(cells: dict[str, Node] | None) -> Node | None:
    """Cells as they are written in one row."""
    row = list((cells or {}).values())
    if len(row) < 2:
        return row[0] if row else None
    return List(row[0].span, tuple(row))


def _cells(declaration: Node) -> dict[str, dict[str, Node]]:
    """The cells of a kind or table by row and column."""
    rows, columns = value_of(declaration, "rows"), value_of(declaration, "columns")
    names = [entry.key.text for entry in entries_of(columns)]
    if isinstance(columns, List):
        names = [item.text for item in columns.items if isinstance(item, Text)]
    found: dict[str, dict[str, Node]] = {}
    for entry in entries_of(rows):
        cells = as_list(entry.value).items
        keys = names if len(names) == len(cells) else [""] * len(cells)
        found[entry.key.text] = dict(zip(keys, cells, strict=True))
    for item in rows.items if isinstance(rows, List) else ():
        if isinstance(item, Text):
            found[item.text] = {"": item}
    return found


def _state(one: Node | None, other: Node | None) -> Iterator[Difference]:
    for owner, was, to in _pairs(_named(one), _named(other)):
        yield from _entries(f"state {owner_in(owner)} / ", was, to)


def _short(section: str, one: Node | None, other: Node | None) -> Iterator[Difference]:
    """Definitions, invariants and measures: a head, and one value."""
    for name, was, to in _pairs(_named(one, section), _named(other, section)):
        words = f"{_WORDS[section]} {name}"
        old, new = (None if x is None else value_of(x.value, "is") or x.value for x in (was, to))
        yield from _values(words, old, new)
        if was is not None and to is not None:
            yield from _values(f"{words}, its head", was.key, to.key)


# ------------------------------------------------------------------ steps


def _bodies(section: str, one: Node | None, other: Node | None) -> Iterator[Difference]:
    for name, was, to in _pairs(_named(one, section), _named(other, section)):
        words = f"{_WORDS[section]} {name}"
        if was is None or to is None:
            yield Difference(words, _value(was), _value(to))
            continue
        yield from _values(f"{words}, its head", was.key, to.key)
        yield from _steps(words, was.value, to.value)


def _steps(words: str, was: Node | None, to: Node | None) -> Iterator[Difference]:
    """Steps by their lines."""
    if was is None or to is None:
        yield from _values(words, was, to)
        return
    old, new = list(_lines(was, "")), list(_lines(to, ""))
    lines: list[str] = []
    matcher = SequenceMatcher(None, _bare(old), _bare(new), autojunk=False)
    for tag, i, j, k, n in matcher.get_opcodes():
        if tag != "equal":
            lines += [f"- {line}" for line in old[i:j]] + [f"+ {line}" for line in new[k:n]]
    if lines:
        yield Difference(words, was, to, tuple(lines))


def _bare(lines: list[str]) -> list[str]:
    """Lines without the spacing in them, but for how deep they stand."""
    return [line[: len(line) - len(line.lstrip())] + plain(line) for line in lines]


def _lines(node: Node, indent: str) -> Iterator[str]:
    """Steps line by line, in long and in short form alike."""
    match node:
        case Text(text=text):
            yield indent + text
        case List(items=items):
            for item in items:
                yield from _lines(item, indent)
        case Map(entries=entries):
            for entry in entries:
                if entry.key.text in _LONG:
                    yield from _lines(entry.value, indent)
                elif entry.key.text not in _SILENT:
                    yield from _entry(entry, indent)
        case Empty():
            pass


def _entry(entry: Entry, indent: str) -> Iterator[str]:
    """A key with what stands behind it: on one line if this is one text, listed or not."""
    items = [entry.value]
    while len(items) == 1 and isinstance(items[0], List):
        items = list(items[0].items)
    if len(items) == 1 and isinstance(items[0], Text):
        yield f"{indent}{entry.key.text}: {items[0].text}"
    else:
        yield f"{indent}{entry.key.text}:"
        yield from _lines(entry.value, indent + "    ")


# ------------------------------------------------------------------ examples


def _examples(one: Map, other: Map) -> Iterator[Difference]:
    mine, others = by_title(one), by_title(other)
    for name in dict.fromkeys((*mine, *others)):
        was, to = mine.get(name), others.get(name)
        if was is None or to is None:
            yield Difference(f"example {name}", was, to)
        elif _settings(was, one) != _settings(to, other) or not same(_played(was), _played(to)):
            yield from _steps(f"example {name}", _played(was), _played(to))


def by_title(root: Map) -> dict[str, Node]:
    """The examples of a rule file by what they are called."""
    examples = value_of(root, "examples")
    items = examples.items if isinstance(examples, List) else ()
    return {title.text: item for item in items if (title := title_of(item)) is not None}


def _played(example: Node) -> Map:
    left = [e for e in entries_of(example) if e.key.text not in ("options", *_SILENT)]
    return Map(example.span, tuple(left))


def _settings(example: Node, root: Map) -> dict[str, str]:
    """The options of an example, those of its file where it says nothing."""
    settled = {}
    for entry in entries_of(value_of(root, "options")):
        default = value_of(entry.value, "default")
        settled[entry.key.text] = "" if default is None else plain(one_line(default))
    for entry in entries_of(value_of(example, "options")):
        settled[entry.key.text] = plain(one_line(entry.value))
    return settled
