"""A printed page: headings that wait for something below them, columns, paragraphs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from textwrap import wrap

from attrs import define, field

from rulesdsl.syntax.cites import Cite

WIDTH = 90
HEADING = 8
"""Columns that a heading takes at least when a text stands behind it."""
COLUMN = " | "
LEAST = 24
"""Columns that are left to the further lines of a long one."""
FIRM = "\u00a0"
"""A blank at which no line is broken."""


def plain(text: str) -> str:
    """A sentence without the signs for its place on a page."""
    return text.replace(FIRM, " ").strip(" |;")


@define(eq=False)
class _Section:
    title: str
    printed: bool = False


@define(eq=False)
class Page:
    """Writes lines; those that belong together wait until it is known how wide they are."""

    write: Callable[[str], None]
    _begun: bool = field(default=False, init=False)
    _sections: list[_Section] = field(factory=list, init=False)
    _rows: list[str] = field(factory=list, init=False)
    _paragraph: list[str] = field(factory=list, init=False)
    _group: object = field(default=None, init=False)

    # ---------------------------------------------------------------- sections

    def open(self, title: str, cites: tuple[Cite, ...] = ()) -> None:
        """Begin a section. Its heading is written when something is said in it.

        What it cites is not printed.
        """
        self.flush()
        self._sections.append(_Section(title))

    def close(self) -> None:
        """End the innermost section."""
        self.flush()
        self._sections.pop()

    def end(self) -> None:
        """End all sections."""
        while self._sections:
            self.close()
        self.flush()

    def begin(self, text: str) -> None:
        """A text that is the heading of the section just opened; further lines go below it."""
        title, *lines = [line.strip() for line in text.splitlines() if line.strip()] or [""]
        self._sections[-1].title = title
        self._headings()
        for line in lines:
            self.line(line)

    def remark(self, text: str) -> None:
        """A text of the section itself: behind its heading, or below what stands there already."""
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        section = self._sections[-1]
        if lines and not section.printed:
            section.title = f"{section.title:<{HEADING}} {lines.pop(0)}"
            self._headings()
        for line in lines:
            self.line(line)

    def _headings(self) -> None:
        """Write the headings that have waited."""
        for depth, section in enumerate(self._sections):
            if not section.printed:
                section.printed = True
                if not depth and self._begun:
                    self.write("")
                self._wrapped(section.title, depth * 2, depth * 2 + HEADING + 1)

    # ---------------------------------------------------------------- lines

    def line(self, text: str, group: object = None) -> None:
        """Text below the heading. Lines of one group share columns, or with `;` a paragraph."""
        for line in filter(str.strip, text.splitlines()):
            further = line.rstrip().endswith(";")
            if group is None or group != self._group or bool(self._paragraph) != further:
                self.flush()
                self._headings()
            self._group = group
            (self._paragraph if further else self._rows).append(line.strip())

    def figure(self, lines: list[str]) -> None:
        """Lines whose blanks stay as they are, with an empty one above."""
        self.flush()
        self._headings()
        self._put("")
        for line in lines:
            self._put(" " * self._indent + line)

    @property
    def _indent(self) -> int:
        return 2 * max(1, len(self._sections))

    def flush(self) -> None:
        """Write what waits."""
        rows, self._rows = self._rows, []
        paragraph, self._paragraph = self._paragraph, []
        self._group = None
        if paragraph:
            text = " ".join(paragraph).removesuffix(";")
            self._wrapped(text, self._indent, self._indent + 2)
        self._table([row.split(COLUMN) for row in rows])

    def _table(self, rows: list[list[str]]) -> None:
        # a row of one column does not widen the first column of the others
        columns = zip_longest(*(row for row in rows if len(row) > 1), fillvalue="")
        widths = [max(map(len, column)) for column in columns]
        for row in rows:
            padded = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False)]
            start = "   ".join([*padded, ""])
            self._wrapped(start + row[-1], self._indent, self._indent + max(len(start), 2))

    def _put(self, line: str) -> None:
        """A whole line; a blank one stands above the first."""
        if not self._begun:
            self.write("")
        self._begun = True
        self.write(line.replace(FIRM, " "))

    def _wrapped(self, text: str, indent: int, further: int) -> None:
        if indent + len(text) <= WIDTH:
            self._put(" " * indent + text.rstrip())
            return
        lines = wrap(
            text,
            WIDTH,
            initial_indent=" " * indent,
            subsequent_indent=" " * min(further, WIDTH - LEAST),
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in lines:
            self._put(line)
