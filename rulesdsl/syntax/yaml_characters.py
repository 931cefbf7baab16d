"""Characters that editors and text programs slip into a file, found before YAML reads it.

They are free to stand in prose: comments, quoted texts, block texts, and what stands under
`about`, `title` and the like. Elsewhere each is told, and the text is read as it was meant.
In rows of cells only comments are free.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from itertools import islice
from typing import Final

from attrs import define, field, frozen

from rulesdsl.text.problems import Problems
from rulesdsl.text.source import Source, Span

PROSE_KEYS: Final = frozenset(("about", "title", "example", "note", "texts", "rulings"))
_TOLD_LINES: Final = 10


@frozen
class _Odd:
    what: str
    instead: str


def _table() -> dict[str, _Odd]:
    """Every character that is refused outside of prose, with what was meant."""
    table = {"\t": _Odd("a tab", " ")}
    for chars, what, instead in (
        ("\u00a0\u1680\u2007\u202f\u3000", "a no-break or wide space", " "),
        ("\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u205f", "a thin space", " "),
        ("\u2010\u2011\u2012\u2013\u2014\u2015\ufe58\ufe63", "a dash from a text program", "-"),
        ("\u2212", "a minus from a text program", "-"),
        ("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", "a curly quote", ""),
        ("\u2018\u2019\u201a\u201b\u2032\u2039\u203a", "a curly quote", ""),
        ("\u2026", "three dots from a text program", ".."),
        ("\u00d7\u22c5\u00b7", "a times sign from a text program", "*"),
        ("\u00f7", "a division sign from a text program", "/"),
        ("\u2264", "a sign from a text program", "<="),
        ("\u2265", "a sign from a text program", ">="),
        ("\u2260", "a sign from a text program", "!="),
        ("\u2190\u2192\u21d2", "an arrow from a text program", "->"),
        ("\u200b\u200c\u200d\u2060\u00ad", "a character that nobody sees", ""),
    ):
        table |= dict.fromkeys(chars, _Odd(what, instead))
    for code in range(0xFF01, 0xFF5F):
        table[chr(code)] = _Odd("a wide character", chr(code - 0xFEE0))
    return table


_ODD: Final = _table()
_ODD_RE: Final = re.compile("[" + re.escape("".join(_ODD)) + "]")
_INDENT_RE: Final = re.compile(r"[^\S\n]*")
_HIDDEN_RE: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069"
    "\ue03f\ufeff\ufffe\uffff\ud800-\udfff]|\r(?!\n)"
)


@define
class Characters:
    """A source as it shall be read: as long as the file, place for place."""

    source: Source
    clean: str
    in_rows: bool = False
    in_prose: bool = False
    told_lines: set[int] = field(factory=set)
    _places: list[int] = field(factory=list)
    broken: bool = False

    def meant(self, start: int, end: int) -> str:
        """The text of a piece as it was meant, and so perhaps longer or shorter."""
        text = self.source.text
        pieces: list[str] = []
        for place in self._places_in(start, end):
            pieces += (text[start:place], _instead(text, place))
            start = place + 1
        return "".join((*pieces, text[start:end]))

    def is_as_written(self, start: int, end: int) -> bool:
        """Whether no character of the piece was taken for others of another number."""
        text = self.source.text
        return all(len(_instead(text, place)) == 1 for place in self._places_in(start, end))

    def _places_in(self, start: int, end: int) -> list[int]:
        if not self._places:
            return self._places
        first, last = bisect_right(self._places, start - 1), bisect_right(self._places, end - 1)
        return self._places[first:last]


def read_characters(source: Source, problems: Problems, *, prose: bool = False) -> Characters:
    """Find the characters that cannot stand where they stand; `prose` is YAML of prose only."""

    def places(odd: list[int]) -> list[int]:
        text = source.text
        scan = _scan(text)
        if prose:
            scan.prose = [(0, len(text))]
        return [
            place
            for place in odd
            if not _is_inside(place, scan.free)
            and (text[place] == "\t" or not _is_inside(place, scan.prose))
        ]

    characters = _read(source, problems, places, in_rows=False)
    characters.in_prose = prose
    return characters


def read_row_characters(
    source: Source, comments: list[tuple[int, int]], problems: Problems
) -> Characters:
    """The same for rows of cells, with the stretches that are comments."""

    def places(odd: list[int]) -> list[int]:
        return [place for place in odd if not _is_inside(place, comments)]

    return _read(source, problems, places, in_rows=True)


def _read(
    source: Source,
    problems: Problems,
    wrong_places: Callable[[list[int]], list[int]],
    in_rows: bool,
) -> Characters:
    text = source.text
    start = 1 if text.startswith("\ufeff") else 0
    hidden = [match.start() for match in _HIDDEN_RE.finditer(text, start)]
    for place in hidden[:_TOLD_LINES]:
        _tell_hidden(source, place, problems)
    if hidden:
        return Characters(source, "", broken=True)
    odd = [match.start() for match in _ODD_RE.finditer(text)]
    if not odd:
        return Characters(source, text)
    places = wrong_places(odd)
    characters = Characters(source, _cleaned(text, places), in_rows, places=places)
    _tell_odd(characters, places, problems)
    return characters


def _is_inside(place: int, stretches: list[tuple[int, int]]) -> bool:
    at = bisect_right(stretches, place, key=lambda stretch: stretch[0]) - 1
    return at >= 0 and place < stretches[at][1]


def _instead(text: str, place: int) -> str:
    """What was meant by an odd character: a dash between two numbers is a range."""
    instead = _ODD[text[place]].instead
    around = text[max(place - 1, 0) : place] + text[place + 1 : place + 2]
    if instead == "-" and len(around) == 2 and around.replace("_", "a").isalnum():
        return ".."
    return instead


def _cleaned(text: str, places: list[int]) -> str:
    """The text with the odd characters that YAML itself would stumble over made plain."""
    chars = list(text)
    for place in places:
        instead = _instead(text, place)
        starts_item = instead == "-" and text[text.rfind("\n", 0, place) + 1 : place].isspace()
        if instead == " " or (len(instead) == 1 and "\uff01" <= text[place] <= "\uff5e"):
            chars[place] = instead
        elif starts_item and text[place + 1 : place + 2] == " ":
            chars[place] = "-"
    return "".join(chars)


def _tell_hidden(source: Source, place: int, problems: Problems) -> None:
    char = source.text[place]
    what = (
        "a line break that not every program sees"
        if char in "\r\x85\u2028\u2029"
        else ("a character that nobody sees")
    )
    problems.add(
        "hidden-character",
        Span(source, place, place + 1),
        f"{what} (U+{ord(char):04X})",
        help="delete it, or type the line anew",
    )


def _tell_odd(characters: Characters, places: list[int], problems: Problems) -> None:
    """One problem a line and character; of very many, the first ones."""
    source = characters.source
    alike: dict[tuple[str, str], dict[int, int]] = {}
    indent_end = 0
    for place in places:
        line = source.position(place)[0]
        if line not in characters.told_lines:
            characters.told_lines.add(line)
            indent_end = _indent_end(characters, place)
        is_indent = source.text[place] == "\t" and place < indent_end
        code = "tab-indent" if is_indent else "pasted-character"
        kind = code, _ODD[source.text[place]].what
        alike.setdefault(kind, {}).setdefault(line, place)
    for (code, what), lines in alike.items():
        characters.broken |= code == "tab-indent"
        for number, (line, place) in enumerate(islice(lines.items(), _TOLD_LINES), start=1):
            left = len(lines) - number if number == _TOLD_LINES else 0
            char = source.text[place]
            problems.add(
                code,
                Span(source, place, place + 1),
                what + ("" if char == "\t" else f" (U+{ord(char):04X})"),
                about=f"{left} more lines have one" if left else "",
                help=_line_as_meant(characters, line, place),
            )


def _indent_end(characters: Characters, place: int) -> int:
    """Where the indent of a line ends, up to which tabs are wrong; rows of cells have none."""
    text = characters.source.text
    start = text.rfind("\n", 0, place) + 1
    found = _INDENT_RE.match(text, start)
    return start if characters.in_rows or found is None else found.end()


def _line_as_meant(characters: Characters, line: int, place: int) -> str:
    text = characters.source.text
    start = text.rfind("\n", 0, place) + 1
    end = start + len(characters.source.line(line))
    if text[place] == "\t" and place < _indent_end(characters, place):
        return "two spaces for each step to the right: YAML takes no tabs there"
    return characters.meant(start, end).strip()


def _scan(text: str) -> _Scan:
    scan = _Scan(text)
    start = 0
    for line in text.split("\n"):
        scan.line(start, start + len(line.rstrip("\r")))
        start += len(line) + 1
    return scan


_BLOCK_RE: Final = re.compile(r"[|>][-+0-9]{0,2}[ \t]*(#.*)?$")


@define
class _Scan:
    """A rough reading of YAML's lines, enough to tell prose from structure."""

    text: str
    free: list[tuple[int, int]] = field(factory=list)
    prose: list[tuple[int, int]] = field(factory=list)
    quote: str = ""
    depth: int = 0
    block_indent: int | None = None
    prose_indent: int | None = None

    def line(self, start: int, end: int) -> None:
        """Go through one line."""
        at = start
        while at < end and self.text[at].isspace():
            at += 1
        if at == end:
            return
        if self.quote or self.depth:
            self._pieces(start, at, end)
            return
        if self.block_indent is not None and at - start <= self.block_indent:
            self.block_indent = None
        if self.prose_indent is not None and at - start <= self.prose_indent:
            self.prose_indent = None
        if self.block_indent is not None:
            self.free.append((start, end))
        elif self.prose_indent is not None:
            self.prose.append((at, end))
        else:
            self._pieces(start, at, end)

    def _pieces(self, start: int, at: int, end: int) -> None:
        text, begin, opens = self.text, at, True
        column = at - start
        while at < end:
            char = text[at]
            if self.quote:
                at = self._quoted(at, end)
                continue
            spaced = at + 1 >= end or text[at + 1] in " \t\xa0"
            if char == "#" and (at == start or text[at - 1] in " \t"):
                self.free.append((at, end))
                return
            if opens and char in "\"'":
                self.quote, opens = char, False
            elif char in "[{" and (opens or self.depth):
                self.depth, opens = self.depth + 1, True
            elif char in "]}" and self.depth:
                self.depth, opens = self.depth - 1, False
            elif char == "," and self.depth:
                opens = True
            elif char == ":" and spaced:
                opens = True
                if text[begin:at].strip() in PROSE_KEYS:
                    at = self._prose(column, at, end)
            elif opens and char == "-" and spaced:
                column = at - start
            elif opens and char in "|>" and not self.depth and _BLOCK_RE.match(text[at:end]):
                self.block_indent = column
            elif opens and not char.isspace():
                opens, begin = False, at
                column = column if self.depth else at - start
            at += 1

    def _quoted(self, at: int, end: int) -> int:
        """Past the closing quote, or to the end of the line."""
        start = at
        while at < end:
            if self.text[at] == "\\" and self.quote == '"':
                at += 1
            elif self.text[at] == self.quote:
                self.quote = ""
                break
            at += 1
        self.free.append((start, min(at, end)))
        return min(at + 1, end)

    def _prose(self, column: int, colon: int, end: int) -> int:
        """Past what stands behind a prose key, but for a quoted text or a block mark."""
        start = colon + 1
        while start < end and self.text[start] == " ":
            start += 1
        if not self.depth:
            self.prose_indent = column
        if start == end or self.text[start] in "\"'|>[{":
            return colon
        stop = start
        while stop < end and not (self.depth and self.text[stop] in ",]}"):
            stop += 1
        self.prose.append((start, stop))
        return stop - 1
