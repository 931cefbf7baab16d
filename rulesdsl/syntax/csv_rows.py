"""Rows of a CSV file, read strictly into the nodes that YAML would give, each cell in its place.

The first line names the columns, the first of which is for the member. Lines that hold nothing,
and those that begin with `#`, are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from attrs import define, evolve, field, frozen

from rulesdsl.syntax.yaml_characters import Characters, read_row_characters
from rulesdsl.syntax.yaml_cuts import shortened
from rulesdsl.syntax.yaml_nodes import Empty, Entry, List, Map, Node, Text
from rulesdsl.text import limits
from rulesdsl.text.problems import Problems, Second
from rulesdsl.text.source import Source, Span
from rulesdsl.text.spelling import nearest

_SHOWN: Final = 100
"""Characters of a line or cell that a message shows."""
_SEPARATORS: Final = {";": "semicolons", "\t": "tabs"}


@frozen
class Columns:
    """The columns that a file shall have: with names, or one of any name (`value`).

    With `again` a member may have several rows. A cell of one of the `bags` is words.
    """

    names: tuple[str, ...]
    one_value: bool = False
    again: bool = False
    bags: frozenset[str] = frozenset()

    @property
    def count(self) -> int:
        return 1 if self.one_value else len(self.names)


def read_csv(source: Source, columns: Columns, problems: Problems) -> Node | None:
    """The rows of a source, or None where too little of it can be read."""
    lines = list(_lines(source.text))
    comments = [(start, end) for start, end, is_comment in lines if is_comment]
    wanted = [(start, end) for start, end, is_comment in lines if not is_comment]
    if not wanted:
        note, help = "nothing stands in this file", "write the rows here, below their header"
        problems.add("empty-file", Span(source, 0, 0), note, help=help)
        return None
    if _other_separator(source, Span(source, *wanted[0]), columns, problems):
        return None
    characters = read_row_characters(source, comments, problems)
    if characters.broken:
        return None
    return _Rows(characters, columns, problems).read(wanted)


def _lines(text: str) -> Iterator[tuple[int, int, bool]]:
    """Where the lines stand that hold something, and whether they are comments."""
    start = 1 if text.startswith("\ufeff") else 0
    for line in text[start:].split("\n"):
        bare = line.strip()
        if bare.strip(", "):
            yield start, start + len(line.rstrip()), bare.startswith("#")
        start += len(line) + 1


def _other_separator(source: Source, header: Span, columns: Columns, problems: Problems) -> bool:
    """Tell of a file with semicolons or tabs, which is what many spreadsheets save."""
    if "," in header.text or not columns.count:
        return False
    for sign, name in _SEPARATORS.items():
        place = header.text.find(sign)
        if place >= 0:
            start = header.start + place
            problems.add(
                "csv-separator",
                Span(source, start, start + 1),
                f"commas stand between the cells, not {name}",
                help=shortened(header.text.replace(sign, ","), _SHOWN),
            )
            return True
    return False


@define
class _Rows:
    """Reads the lines of one file."""

    characters: Characters
    columns: Columns
    problems: Problems
    order: list[int] = field(factory=list)
    """For each column of the file but the first the place of its cells in a row."""
    seen: dict[str, Text] = field(factory=dict)
    count: int = 0

    def read(self, lines: list[tuple[int, int]]) -> Node | None:
        header = self._cells(*lines[0])
        if header is None or not self._is_header(header, self._span(*lines[0])):
            return None
        span = self._span(lines[0][0], lines[-1][1])
        entries: list[Entry] = []
        for start, end in lines[1:]:
            cells = self._cells(start, end)
            if cells is None:
                return None
            entry = self._row(cells)
            if entry is not None:
                entries.append(entry)
        if not self.columns.count:
            return List(span, tuple(entry.key for entry in entries))
        return Map(span, tuple(entries))

    def _span(self, start: int, end: int) -> Span:
        return Span(self.characters.source, start, end)

    # ------------------------------------------------------------------ lines

    def _cells(self, start: int, end: int) -> list[Text] | None:
        """The cells of a line; None where nothing more is read."""
        cells: list[Text] = []
        clean = self.characters.clean
        while True:
            start = self._behind_blanks(start, end)
            quoted = clean.startswith('"', start, end)
            stop = self._quoted_end(start, end) if quoted else self._bare_end(start, end)
            if stop is None:
                return None
            cell = self._quoted(start, stop) if quoted else self._bare(start, stop)
            if not self._is_bounded(cell):
                return None
            cells.append(cell)
            stop = self._behind_blanks(stop, end)
            if stop == end:
                return cells
            start = stop + 1

    def _behind_blanks(self, start: int, end: int) -> int:
        while start < end and self.characters.clean[start] == " ":
            start += 1
        return start

    def _bare_end(self, start: int, end: int) -> int | None:
        """The comma behind a cell without quotes, or the end of the line."""
        stop = self.characters.clean.find(",", start, end)
        stop = end if stop < 0 else stop
        quote = self.characters.clean.find('"', start, stop)
        if quote >= 0:
            note = "quotes stand round a whole cell; within one, each is written twice"
            self._wrong_quote(quote, quote + 1, note)
            return None
        return stop

    def _quoted_end(self, start: int, end: int) -> int | None:
        """The place behind the closing quote."""
        clean = self.characters.clean
        stop = clean.find('"', start + 1, end)
        while stop >= 0 and clean.startswith('""', stop, end):
            stop = clean.find('"', stop + 2, end)
        if stop < 0:
            self._wrong_quote(start, end, "this quote is not closed on its line")
            return None
        behind = self._behind_blanks(stop + 1, end)
        if behind < end and clean[behind] != ",":
            note = "behind the closing quote stands the comma"
            self._wrong_quote(behind, behind + 1, note)
            return None
        return stop + 1

    def _wrong_quote(self, start: int, end: int, note: str) -> None:
        self.problems.add("csv-quote", self._span(start, end), note, help="take the quotes away")

    def _bare(self, start: int, stop: int) -> Text:
        stop = start + len(self.characters.clean[start:stop].rstrip(" "))
        exact = self.characters.is_as_written(start, stop)
        return Text(self._span(start, stop), self.characters.meant(start, stop), exact, False)

    def _quoted(self, start: int, stop: int) -> Text:
        inner = self._span(start + 1, stop - 1)
        text = self.characters.meant(inner.start, inner.end)
        if '""' in inner.text or not self.characters.is_as_written(inner.start, inner.end):
            return Text(self._span(start, stop), text.replace('""', '"'), False, True)
        return Text(inner, text, True, True)

    def _is_bounded(self, cell: Text) -> bool:
        self.count += 1
        place = self._span(cell.span.start, cell.span.start + 1)
        if len(cell.text) > limits.LINE_LENGTH:
            note = f"{len(cell.text):,} characters; a cell may have {limits.LINE_LENGTH:,}"
            self.problems.add("too-large", place, note, help="give a part a name under define")
        elif self.count > limits.YAML_NODES:
            note = f"a file may hold {limits.YAML_NODES:,} cells"
            self.problems.add("too-large", place, note, help="cut the file into several")
        elif len(self.problems) < limits.PROBLEMS:
            return True
        return False

    # ------------------------------------------------------------------ header and rows

    def _is_header(self, cells: list[Text], line: Span) -> bool:
        """Whether the first line names the columns, each once."""
        names = [cell.text for cell in cells[1:]]
        if self.columns.one_value and len(names) == 1:
            self.order = [0]
            return True
        wanted = list(self.columns.names)
        if not self.columns.one_value and sorted(names) == sorted(set(wanted)):
            self.order = [wanted.index(name) for name in names]
            return True
        shown = ["name", *(["value"] if self.columns.one_value else wanted)]
        span, note = self._wrong_name(cells, line)
        about = "The first line names the columns: one for the member, then each of the others."
        help = shortened(",".join(shown), _SHOWN)
        self.problems.add("csv-header", span, note, about=about, help=help)
        return False

    def _wrong_name(self, cells: list[Text], line: Span) -> tuple[Span, str]:
        """The first thing that is wrong with a header."""
        wanted = self.columns.names
        names = [cell.text for cell in cells[1:]]
        if self.columns.one_value:
            return line, f"a column for the member and one for its value, but here are {len(cells)}"
        for place, cell in enumerate(cells[1:]):
            if cell.text not in wanted:
                near = nearest(cell.text, wanted)
                meant = f"; did you mean `{near}`?" if near else ""
                name = shortened(cell.text, _SHOWN)
                note = f"there is no column {name}{meant}" if name else "a column without a name"
                return cell.span, note
            if cell.text in names[:place]:
                return cell.span, f"the column {cell.text} stands here a second time"
        missing = [name for name in wanted if name not in names]
        return line, f"no column for {', '.join(missing)}"

    def _row(self, cells: list[Text]) -> Entry | None:
        """A row as YAML would give it: the member, and its cells in the order of the columns."""
        key, values = cells[0], cells[1:]
        span = values[0].span.to(values[-1].span) if values else key.span
        if len(values) != self.columns.count:
            self._wrong_length(span, len(values))
            values = []  # nobody knows which cells are whose
        if not key.text:
            note, help = "the member of this row is missing", "write its name before the comma"
            self.problems.add("empty-value", key.span, note, help=help)
            return None
        first = self.seen.setdefault(key.text, key)
        if first is not key and not self.columns.again:
            note = f"the row of `{shortened(key.text, _SHOWN)}` stands here a second time"
            second = Second(first.span, "the first time")
            help = "delete one of them"
            self.problems.add("duplicate-key", key.span, note, second=second, help=help)
            return None
        placed = sorted(zip(self.order, values, strict=False), key=lambda pair: pair[0])
        found = tuple(self._cell(place, value) for place, value in placed)
        return Entry(key, List(span, found))

    def _cell(self, place: int, cell: Text) -> Node:
        """A cell of a column: one value, or of a bag the words in it."""
        if place < len(self.columns.names) and self.columns.names[place] in self.columns.bags:
            words = re.finditer(r"\S+", cell.text)
            items = (evolve(cell, span=cell.at(w.start(), w.end()), text=w[0]) for w in words)
            return List(cell.span, tuple(items))
        return cell if cell.text else Empty(cell.span)

    def _wrong_length(self, span: Span, count: int) -> None:
        line = span.source.line(span.line)
        sign = next((sign for sign in _SEPARATORS if sign in line), None)
        help = "one cell for each column, with a comma between them"
        if sign is not None:
            help = shortened(line.replace(sign, ",").strip(), _SHOWN)
        cells, columns = _counted(count, "cell"), _counted(self.columns.count, "column")
        note = f"{cells} behind the member, for {columns}"
        self.problems.add("row-length", span, note, help=help)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
