"""What a YAML file holds, each piece with its place: texts, lists and maps, nothing resolved."""

from __future__ import annotations

from attrs import frozen

from rulesdsl.text.source import Span


@frozen
class Text:
    """A key or a value, always as text.

    `exact` says that offset i of `text` stands at offset `span.start + i` of the file.
    `block` marks what follows `|` or `>`, `quoted` what stood between quotes.
    """

    span: Span
    text: str
    exact: bool
    quoted: bool
    block: bool = False

    def at(self, start: int, end: int) -> Span:
        """The place of a piece of the text; the whole place where pieces have none."""
        if not self.exact:
            return self.span
        return Span(self.span.source, self.span.start + start, self.span.start + end)


@frozen
class Empty:
    """Nothing stands behind the colon or the dash."""

    span: Span


@frozen
class List:
    """Items in order."""

    span: Span
    items: tuple[Node, ...]


@frozen
class Map:
    """Keys with values, in order; no key stands twice."""

    span: Span
    entries: tuple[Entry, ...]


@frozen
class Entry:
    """A key and what stands behind it."""

    key: Text
    value: Node


Node = Text | Empty | List | Map
