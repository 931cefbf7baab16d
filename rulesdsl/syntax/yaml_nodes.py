"""What YAML gives: texts, lists and mappings, each with its place; nothing is resolved."""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from rulesdsl.text.source import Span


@frozen
class Text:
    """A key or a value. `exact`: character i of the text is character start + i of the file."""

    span: Span
    text: str
    exact: bool
    quoted: bool

    def at(self, start: int, end: int) -> Span:
        """The place of a piece of the text; the whole place where it does not map exactly."""
        if not self.exact:
            return self.span
        first = self.span.start
        return Span(self.span.source, first + start, first + end)


@frozen
class Empty:
    """Nothing after a colon or a dash."""

    span: Span


@frozen
class List:
    span: Span
    items: tuple[Node, ...]


@frozen
class Entry:
    key: Text
    value: Node


@frozen
class Map:
    """A mapping; the entries keep their order."""

    span: Span
    entries: tuple[Entry, ...]


Node: TypeAlias = Text | Empty | List | Map
