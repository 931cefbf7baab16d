"""Reads YAML strictly and with bounds: every text keeps its place and stays a text."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from typing import Any, Final

import yaml
from attrs import asdict, define, field

from rulesdsl.syntax.yaml_characters import Characters, read_characters
from rulesdsl.syntax.yaml_cuts import (
    before,
    check_comment,
    mend_list,
    mend_map,
    read_joined,
    shortened,
)
from rulesdsl.syntax.yaml_events import FAST, Loader, YamlError, parse
from rulesdsl.syntax.yaml_nodes import Empty, Entry, List, Map, Node, Text
from rulesdsl.syntax.yaml_slips import find_slips
from rulesdsl.text import limits
from rulesdsl.text.problems import Problems, Second
from rulesdsl.text.source import Source, Span

__all__ = ["Empty", "Entry", "List", "Map", "Node", "Text", "read_yaml"]


def read_yaml(
    source: Source, problems: Problems, loader: Loader = FAST, *, prose: bool = False
) -> Node | None:
    """The content of a source, or None where too little of it can be read."""
    size = len(source.text.encode("utf-8", "surrogatepass"))
    if size > limits.FILE_BYTES:
        problems.add(
            "file-too-large",
            Span(source, 0, 0),
            f"{size:,} bytes; a file may have {limits.FILE_BYTES:,}",
            help="put long lists into files beside it: rows: {from: cards.yaml}",
        )
        return None
    characters = read_characters(source, problems, prose=prose)
    if characters.broken:
        return None
    start = 1 if source.text.startswith("\ufeff") else 0
    found = Problems()
    try:
        root = _Builder(characters, start, found).build(characters.clean[start:], loader)
    except YamlError as error:
        # what was found on the way may come of the error itself
        find_slips(
            characters, start, error, problems, partial(_check, characters, problems, loader)
        )
        return None
    for problem in found:
        problems.add(**asdict(problem, recurse=False))
    if root is None and not len(found):
        problems.add(
            "empty-file",
            Span(source, 0, 0),
            "nothing stands in this file",
            help="rules: 1" if source.part_of is None else "write the data here",
        )
    return root


def _check(
    characters: Characters, problems: Problems, loader: Loader, start: int, text: str
) -> None:
    """Look at a piece that YAML can read, of a file that it cannot."""
    with suppress(YamlError):
        _Builder(characters, start, problems).build(text, loader)


_BLOCK_HEAD = re.compile(r"[|>][-+1-9]{0,2}([ \t]+#.*|[ \t]*)")
_WORD = re.compile(r"[^ \n\r]+")


@define
class _Open:
    """A list or map whose end is still to come."""

    start: int
    is_map: bool
    is_flow: bool
    items: list[Node] = field(factory=list)
    entries: list[Entry] = field(factory=list)
    keys: dict[str, Text] = field(factory=dict)
    key: Text | None = None
    dropped: bool = False


class _Enough(Exception):
    """A bound is reached."""


_EXPLICIT_KEY: Final = re.compile(r"(?:(?:^|[\[{,])[ ]*|(?:^|\s)-[ ]+)\?\s*\Z", re.MULTILINE)
_UNSEEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_MARK: Final = re.compile(r"[&!*][^\s,\[\]{}]*")


@define
class _Builder:
    """Makes nodes of events, and tells what rule files do not use."""

    characters: Characters
    offset: int
    problems: Problems
    stack: list[_Open] = field(factory=list)
    root: Node | None = None
    count: int = 0
    documents: int = 0

    def build(self, text: str, loader: Loader) -> Node | None:
        """The node of a text, which stands at `offset` in the file."""
        try:
            for event in parse(text, loader, self.offset):
                self._take(event)
        except _Enough:
            return None
        return self.root

    def _span(self, start: int, end: int) -> Span:
        return Span(self.characters.source, start, end)

    def _take(self, event: Any) -> None:
        start = self.offset + event.start_mark.index
        end = self.offset + event.end_mark.index
        match event:
            case yaml.ScalarEvent():
                self._refuse_marks(event, start)
                self._put(self._scalar(event, start, end))
            case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                self._refuse_marks(event, start)
                self._open(event, start)
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                self._close(end)
            case yaml.AliasEvent():
                self._refuse(
                    "yaml-anchor", start, "rule files have no aliases", "write it out here"
                )
                self._put(Empty(self._span(start, end)))
            case yaml.DocumentStartEvent():
                self._document(event, start)
            case _:
                pass

    def _document(self, event: Any, start: int) -> None:
        self.documents += 1
        if self.documents > 1:
            self.problems.add(
                "several-documents",
                self._span(start, start + 3),
                "a second document begins here",
                help="one file holds one document: delete this line",
            )
            raise _Enough
        if event.version or event.tags:
            self.problems.add(
                "yaml-directive",
                self._span(start, start + 1),
                "rule files have no YAML directives",
                help="delete this line",
            )

    def _refuse_marks(self, event: Any, start: int) -> None:
        if event.anchor is not None:
            self._refuse("yaml-anchor", start, "rule files have no anchors", "delete it")
        if event.tag is not None:
            note = "YAML takes `!` for a tag; for the opposite, write `not`"
            text = self.characters.source.text
            rest = text[start + 1 : start + limits.LINE_LENGTH].split("\n", 1)[0].strip()
            head = before(self._span(start, start))
            self._refuse("yaml-tag", start, note, f"{head}not {rest}")

    def _refuse(self, code: str, start: int, note: str, help: str) -> None:
        found = _MARK.match(self.characters.source.text, start)
        end = found.end() if found else start + 1
        self.problems.add(code, self._span(start, end), note, help=help)

    def _bound(self, code: str, start: int, note: str, help: str) -> None:
        self.problems.add(code, self._span(start, start + 1), note, help=help)
        raise _Enough

    def _open(self, event: Any, start: int) -> None:
        if len(self.stack) >= limits.YAML_DEPTH:
            self._bound(
                "too-large",
                start,
                f"lists and maps may stand in each other {limits.YAML_DEPTH} deep",
                "move the inner part to a procedure or a definition",
            )
        is_map = isinstance(event, yaml.MappingStartEvent)
        has_bracket = self.characters.clean[start : start + 1] in ("[", "{")
        self.stack.append(_Open(start, is_map, bool(event.flow_style) and has_bracket))

    def _close(self, end: int) -> None:
        made = self.stack.pop()
        if not made.is_flow:
            values = [entry.value for entry in made.entries] if made.is_map else made.items
            end = values[-1].span.end if values else made.start
        span = self._span(made.start, end)
        where = self.stack[-1].key if self.stack else None
        if made.is_map:
            entries = mend_map(span, made.entries, where, self.problems) if made.is_flow else None
            self._put(Map(span, tuple(made.entries if entries is None else entries)))
        else:
            items = mend_list(span, made.items, where, self.problems) if made.is_flow else None
            self._put(List(span, tuple(made.items if items is None else items)))

    def _put(self, node: Node) -> None:
        self.count += 1
        if len(self.problems) >= limits.PROBLEMS:
            raise _Enough
        if self.count > limits.YAML_NODES:
            self._bound(
                "too-large",
                node.span.start,
                f"a file may hold {limits.YAML_NODES:,} texts, lists and maps",
                "put long lists into files beside it: rows: {from: cards.yaml}",
            )
        if not self.stack:
            self.root = node
            return
        into = self.stack[-1]
        if not into.is_map:
            into.items.append(node)
        elif into.key is None:
            self._put_key(into, node)
        else:
            if not into.dropped:
                into.entries.append(Entry(into.key, node))
            into.key = None

    def _put_key(self, into: _Open, node: Node) -> None:
        into.dropped = False
        match node:
            case Text():
                into.key = node
                self._check_key(into, node)
            case Empty():
                into.key, into.dropped = Text(node.span, "", False, False), True
                self.problems.add(
                    "not-a-key",
                    node.span,
                    "nothing stands before the colon",
                    help="write a name there, or delete the colon",
                )
            case List() | Map():
                into.key, into.dropped = Text(node.span, "", False, False), True
                self._refuse_complex(node.span)

    def _check_key(self, into: _Open, key: Text) -> None:
        text, start = self.characters.source.text, key.span.start - int(key.quoted)
        near = text[max(start - limits.YAML_DEPTH * 4, 0) : start]
        if near.rstrip().endswith("?") and _EXPLICIT_KEY.search(near):
            self._refuse_complex(key.span)
        if len(key.text) > limits.KEY_LENGTH:
            self.problems.add(
                "too-large",
                key.span,
                f"{len(key.text):,} characters; a key may have {limits.KEY_LENGTH:,}",
                help="give a part of it a name under define",
            )
        if key.text == "<<" and not key.quoted:
            into.dropped = True
            self._refuse_merge(key.span)
        first = into.keys.setdefault(key.text, key)
        if first is not key and not into.dropped:
            into.dropped = True
            self.problems.add(
                "duplicate-key",
                key.span,
                f"`{shortened(key.text, 40)}` stands here a second time",
                second=Second(first.span, "the first time"),
                help="delete one of them; a new step begins with `- `",
            )

    def _refuse_merge(self, span: Span) -> None:
        self.problems.add(
            "yaml-merge", span, "rule files do not merge maps", help="write the entries out"
        )

    def _refuse_complex(self, span: Span) -> None:
        self.problems.add(
            "not-a-key",
            span,
            "a key is one text on one line, without `? `",
            help="write it as key: value",
        )

    def _scalar(self, event: Any, start: int, end: int) -> Node:
        source = self.characters.source.text
        value: str = event.value
        if len(value) > limits.YAML_TEXT:
            self.problems.add(
                "too-large",
                self._span(start, start + 1),
                f"{len(value):,} characters; a text may have {limits.YAML_TEXT:,}",
                help="cut it into several",
            )
            raise _Enough
        if event.style in ("|", ">"):
            end = start + len(source[start:end].rstrip())
            self._check_block_head(start + self._marks_before(event, start), source)
            words = _words(value, source, source.find("\n", start, end), end)
            return Text(self._span(start, end), value, False, False, True, words)
        start += self._marks_before(event, start)
        if not value and start == end:
            return Empty(self._behind_colon(start))
        key = self.stack[-1].key if self.stack else None
        if "\n" in source[start:end]:
            return read_joined(self.characters, self._span(start, end), event, key, self.problems)
        if event.style in ("'", '"'):
            return self._quoted(value, start, end)
        span = self._span(start, end)
        text = self.characters.meant(start, end)
        node = Text(span, text, self.characters.is_as_written(start, end), quoted=False)
        check_comment(node, self.problems)
        return node

    def _check_block_head(self, start: int, source: str) -> None:
        """Behind | or > stands at most a comment, after a blank (only one parser minds)."""
        head = source[start:].partition("\n")[0]
        if not _BLOCK_HEAD.fullmatch(head.rstrip("\r")):
            self.problems.add(
                "not-yaml",
                self._span(start, start + len(head.rstrip())),
                f"behind {head[0]} the line ends; the text stands below it, indented",
            )

    def _behind_colon(self, start: int) -> Span:
        """Where nothing stands: behind the colon of its key; the parsers differ a little."""
        key = self.stack[-1].key if self.stack else None
        if key is not None:
            text = self.characters.clean
            end = key.span.end + int(key.quoted and key.exact)
            colon = re.compile(r"[ \n\r]*:").match(text, end)
            start = colon.end() if colon else end
        return self._span(start, start)

    def _marks_before(self, event: Any, start: int) -> int:
        """How many characters an anchor and a tag take before a text."""
        if event.anchor is None and event.tag is None:
            return 0
        found = re.compile(r"(?:[&!][^\s,\[\]{}]*\s*)*").match(self.characters.source.text, start)
        return found.end() - start if found else 0

    def _quoted(self, value: str, start: int, end: int) -> Text:
        inner = self._span(start + 1, end - 1)
        exact = inner.text == value
        span = inner if exact else self._span(start, end)
        if _UNSEEN.search(value):
            self.problems.add(
                "hidden-character",
                span,
                "it stands for a character that nobody sees",
                help="delete what begins with \\",
            )
        return Text(span, value, exact, quoted=True)


def _words(value: str, source: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Where each word of a block begins, in its text and in the file; () if that is not known."""
    mine = list(_WORD.finditer(value))
    theirs = list(_WORD.finditer(source, start, end)) if start >= 0 else []
    if [one[0] for one in mine] != [one[0] for one in theirs]:
        return ()
    return tuple((a.start(), b.start()) for a, b in zip(mine, theirs, strict=True))
