"""Strict, bounded reading of YAML with places. Texts stay texts: nothing is a number or a date."""

from __future__ import annotations

from collections.abc import Iterator

import yaml
from attrs import define, field

from rulesdsl.syntax.yaml_nodes import Empty, Entry, List, Map, Node, Text
from rulesdsl.syntax.yaml_slips import cut_texts, pasted_characters, syntax_problem
from rulesdsl.text.limits import (
    MAX_FILE_BYTES,
    MAX_KEY_LENGTH,
    MAX_YAML_DEPTH,
    MAX_YAML_NODES,
)
from rulesdsl.text.problems import Problems, Second
from rulesdsl.text.source import Source, Span

_Loader: type[yaml.Loader] = getattr(yaml, "CLoader", yaml.Loader)


class _TooMuch(Exception):
    """A bound was passed; the problem is told already."""


def read_yaml(source: Source, problems: Problems) -> Node | None:
    """The one document of a source, or None after an error that leaves nothing to go on with."""
    if len(source.text.encode("utf-8", "surrogatepass")) > MAX_FILE_BYTES:
        problems.add("file-too-large", Span(source, 0, 0), "this file is too large to read")
        return None
    before = len(problems)
    pasted_characters(source, problems)
    try:
        return _Reader(source, problems).document()
    except _TooMuch:
        return None
    except yaml.YAMLError as error:
        if len(problems) == before:
            syntax_problem(source, error, problems)
        return None
    except (ValueError, RecursionError, UnicodeError):
        problems.add("not-yaml", Span(source, 0, 0), "this is not text that YAML can read")
        return None


@define
class _Reader:
    source: Source
    problems: Problems
    nodes: int = 0
    _events: Iterator[yaml.Event] = field(init=False)
    _shift: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        # a byte order mark is no part of the text that YAML counts
        self._shift = 1 if self.source.text.startswith("\ufeff") else 0
        self._events = yaml.parse(self.source.text[self._shift :], Loader=_Loader)

    def span(self, event: yaml.Event) -> Span:
        assert event.start_mark is not None
        assert event.end_mark is not None
        start = event.start_mark.index + self._shift
        return Span(self.source, start, event.end_mark.index + self._shift)

    def document(self) -> Node | None:
        node: Node | None = None
        for event in self._events:
            match event:
                case yaml.DocumentStartEvent() if node is not None:
                    self.problems.add(
                        "several-documents",
                        self.span(event),
                        "a second document begins here; a rule file is one",
                        help="take out the line ---",
                    )
                    return node
                case yaml.NodeEvent():
                    node = self.read_node(event, 1)
        if node is None:
            self.problems.add("empty-file", Span(self.source, 0, 0), "nothing stands in this file")
        return node

    def read_node(self, event: yaml.Event, depth: int) -> Node:
        self.nodes += 1
        if depth > MAX_YAML_DEPTH or self.nodes > MAX_YAML_NODES:
            what = "nested too deeply" if depth > MAX_YAML_DEPTH else "too long"
            self.problems.add("too-large", self.span(event), f"this file is {what}")
            raise _TooMuch
        self._refuse_marks(event)
        match event:
            case yaml.ScalarEvent():
                return self.read_text(event)
            case yaml.SequenceStartEvent():
                return self.read_list(event, depth)
            case yaml.MappingStartEvent():
                return self.read_map(event, depth)
            case _:
                return Empty(self.span(event))

    def _refuse_marks(self, event: yaml.Event) -> None:
        """Anchors, aliases and tags are ways to say things twice or to make code run."""
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            self.problems.add(
                "yaml-anchor",
                self.span(event),
                "text that begins with & or * is an anchor or alias of YAML",
                help="a rule file says each thing where it stands; quote the text if it is text",
            )
        tag = getattr(event, "tag", None)
        if tag is not None and tag != "!":
            self.problems.add(
                "yaml-tag",
                self.span(event),
                "text that begins with ! is a tag of YAML",
                help="write not for !; quote the text if it is text",
            )

    # ---------------------------------------------------------------- texts

    def read_text(self, event: yaml.ScalarEvent) -> Text | Empty:
        span, value = self.span(event), event.value
        style = event.style or ""
        raw = span.text
        if style == "" and raw == "":
            return Empty(span)
        quoted = style in ("'", '"')
        if quoted:
            inner = Span(span.source, span.start + 1, span.end - 1)
            return Text(inner if inner.text == value else span, value, inner.text == value, True)
        if style == "" and "\n" in raw:
            self._joined(span, value)
        return Text(span, value, style == "" and raw == value, style != "")

    def _joined(self, span: Span, value: str) -> None:
        second = Span(span.source, span.start + span.text.index("\n") + 1, span.end)
        start = second.start + len(second.text) - len(second.text.lstrip())
        self.problems.add(
            "joined-lines",
            Span(span.source, start, second.end),
            "YAML joins this line to the one above it",
            second=Second(Span(span.source, span.start, span.start + 1), "they read as one text"),
            about=f"together they read: {_short(value)}",
            help="begin a step of its own with `- ` at the level of the one above, "
            "or write the text on one line",
        )

    # ---------------------------------------------------------------- lists and mappings

    def read_list(self, event: yaml.SequenceStartEvent, depth: int) -> List:
        items: list[Node] = []
        for inner in self._events:
            if isinstance(inner, yaml.SequenceEndEvent):
                node = List(self._whole(event, inner), tuple(items))
                if event.flow_style:
                    cut_texts(node.span, items, self.problems)
                return node
            items.append(self.read_node(inner, depth + 1))
        raise AssertionError("YAML ends every list it begins")

    def read_map(self, event: yaml.MappingStartEvent, depth: int) -> Map:
        entries: list[Entry] = []
        for inner in self._events:
            if isinstance(inner, yaml.MappingEndEvent):
                node = Map(self._whole(event, inner), tuple(entries))
                if event.flow_style:
                    cut_texts(node.span, [entry.key for entry in entries], self.problems)
                return node
            key = self.read_node(inner, depth + 1)
            value = self.read_node(next(self._events), depth + 1)
            if self._is_key(key, inner):
                assert isinstance(key, Text)
                self._unlike(key, entries)
                entries.append(Entry(key, value))
        raise AssertionError("YAML ends every mapping it begins")

    def _whole(self, start: yaml.Event, end: yaml.Event) -> Span:
        return Span(self.source, self.span(start).start, self.span(end).end)

    def _is_key(self, key: Node, event: yaml.Event) -> bool:
        if not isinstance(key, Text):
            self.problems.add(
                "not-a-key",
                self.span(event),
                "a key is a text on one line",
                help="a name, a colon, and what belongs to it",
            )
            return False
        if key.text == "<<" and not key.quoted:
            self.problems.add("yaml-merge", key.span, "`<<` is a merge of YAML; it is not used")
            return False
        if len(key.text) > MAX_KEY_LENGTH:
            self.problems.add("too-large", key.span, "this key is too long")
            return False
        return True

    def _unlike(self, key: Text, entries: list[Entry]) -> None:
        for entry in entries:
            if entry.key.text == key.text:
                self.problems.add(
                    "duplicate-key",
                    key.span,
                    "this key stands here twice",
                    second=Second(entry.key.span, "it stands here already"),
                    help="a second step of a body begins with `- `; else take one of them out",
                )
                return


def _short(text: str) -> str:
    return text if len(text) <= 70 else text[:67] + "..."
