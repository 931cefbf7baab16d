"""What a YAML file holds, each piece with its place: texts, lists and maps, nothing resolved."""

from __future__ import annotations

from bisect import bisect_right

from attrs import frozen

from rulesdsl.text.source import Span


@frozen
class Text:
    """A key or a value, always as text.

    `exact` says that offset i of `text` stands at offset `span.start + i` of the file.
    `block` marks what follows `|` or `>`, `quoted` what stood between quotes. `words` of a block
    tell for each word at which offset of `text` and of the file it begins, where that is known.
    """

    span: Span
    text: str
    exact: bool
    quoted: bool
    block: bool = False
    words: tuple[tuple[int, int], ...] = ()

    def at(self, start: int, end: int) -> Span:
        """The place of a piece of the text; the whole place where pieces have none."""
        if self.exact:
            return Span(self.span.source, self.span.start + start, self.span.start + end)
        if not self.words:
            return self.span
        first = self._place(start)
        return Span(self.span.source, first, self._place(end - 1) + 1 if end > start else first)

    def _place(self, offset: int) -> int:
        """Where in the file a character of a block stands; what is no word follows one."""
        word = bisect_right(self.words, offset, key=lambda one: one[0]) - 1
        begins, place = self.words[max(word, 0)]
        return place + max(offset - begins, 0)


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
