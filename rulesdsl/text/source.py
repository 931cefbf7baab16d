"""Source texts and places in them.

A span is a pair of offsets into a whole file, so an expression inside a YAML
value reports the line and column of the YAML file.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from pathlib import Path

from attrs import define, field, frozen


@define(eq=False)
class Source:
    """A text with a name to show; compared by identity.

    `folder` is where a rule file stands, for the data files beside it; `part_of` is the rule
    file of a data file.
    """

    name: str
    text: str = field(repr=False)
    folder: Path | None = None
    part_of: Source | None = None

    @property
    def whole(self) -> Source:
        """The rule file that this is, or that this data file belongs to."""
        return self.part_of or self

    @cached_property
    def _starts(self) -> list[int]:
        # a byte order mark is no part of the first line
        first = int(self.text.startswith("\ufeff"))
        return [first, *(i + 1 for i, char in enumerate(self.text) if char == "\n")]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        offset = max(offset, self._starts[0])
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (counted from 1), without its end."""
        start = self._starts[number - 1]
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    @property
    def line_count(self) -> int:
        return len(self._starts)


@frozen
class Span:
    """A piece of a source: offsets `start` (included) to `end` (excluded)."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of another one."""
        return Span(self.source, self.start, other.end)


NOWHERE = Span(Source("<built in>", ""), 0, 0)
"""The place of what no author wrote."""
