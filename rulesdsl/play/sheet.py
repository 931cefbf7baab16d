"""What is told of a game, gathered piece by piece instead of printed."""

from __future__ import annotations

import re

from attrs import define, field, frozen

from rulesdsl.play.page import COLUMN, FIRM, Page
from rulesdsl.play.standing import standing
from rulesdsl.syntax.cites import Cite

_GAP = re.compile(r" {3,}")


@frozen
class Heading:
    """Something with a title begins."""

    title: str
    cites: tuple[Cite, ...] = ()


@frozen
class Line:
    """A line in its columns."""

    cells: tuple[str, ...]


def _clean(text: str) -> str:
    return text.replace(FIRM, " ").strip().removesuffix(";").strip()


def _cells(text: str) -> tuple[str, ...]:
    """The columns of a line, whether signs or wide blanks stand between them."""
    columns = [part for column in text.split(COLUMN) for part in _GAP.split(column)]
    return tuple(filter(None, map(_clean, columns)))


@define(eq=False)
class Sheet(Page):
    """A page of which one takes what has come since the last time."""

    titles: list[str] = field(factory=list, init=False)
    """Of the sections that are open, the outermost first."""
    _told: list[Heading | Line] = field(factory=list, init=False)

    def take(self) -> list[Heading | Line]:
        """What was told since; headings at the end, with nothing below them, are left out."""
        told, self._told = self._told, []
        while told and isinstance(told[-1], Heading):
            told.pop()
        return told

    # ---------------------------------------------------------------- sections

    def open(self, title: str, cites: tuple[Cite, ...] = ()) -> None:
        """Begin a section."""
        self.titles.append(_clean(title))
        self._told.append(Heading(self.titles[-1], cites))

    def close(self) -> None:
        """End the innermost section."""
        self.titles.pop()

    def begin(self, text: str) -> None:
        """A text that is the heading of the section just opened; further lines go below it."""
        first, *lines = [line for line in text.splitlines() if line.strip()] or [""]
        title, *more = _cells(first) or ("",)
        self.titles[-1] = title
        self._told[-1] = Heading(title)
        for line in ["   ".join(more), *lines]:
            self.line(line)

    def remark(self, text: str) -> None:
        """A text of the section itself."""
        for line in text.splitlines():
            self.line(line)

    # ---------------------------------------------------------------- lines

    def line(self, text: str, group: object = None) -> None:
        """A text below the heading; how all stand is seen on the board."""
        if group is standing:
            return
        for line in text.splitlines():
            cells = _cells(line)
            if cells:
                self._told.append(Line(cells))

    def figure(self, lines: list[str]) -> None:
        """A picture; it is seen on the board."""

    def flush(self) -> None:
        """Nothing waits."""
