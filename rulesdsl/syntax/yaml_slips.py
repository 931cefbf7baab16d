"""What YAML cannot read, in plain words: each slip at its place, several in one go.

YAML stops at its first error. So the file is taken apart at its indents, and each piece that
cannot be read by itself is looked at by itself, down to the line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from attrs import define, frozen

from rulesdsl.syntax.yaml_characters import Characters
from rulesdsl.syntax.yaml_events import FAST, PLAIN, YamlError, error_of
from rulesdsl.syntax.yaml_words import Broken, words_for
from rulesdsl.text.problems import Problems
from rulesdsl.text.source import Span

_MOST: Final = 20
_ITEM: Final = re.compile(r"( *)-(?= )")

Check = Callable[[int, str], None]


@frozen
class _Piece:
    """Whole lines of a file; a dash may have been taken out of the first."""

    start: int
    text: str

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines with their starts, without those that hold nothing."""
        at = 0
        for line in self.text.split("\n"):
            if line.strip() and not line.lstrip().startswith("#"):
                yield at, line
            at += len(line) + 1

    def cut(self, places: list[int]) -> list[_Piece]:
        """The pieces between these places."""
        ends = [*places[1:], len(self.text)]
        return [
            _Piece(self.start + start, self.text[start:end])
            for start, end in zip(places, ends, strict=True)
        ]


def find_slips(
    characters: Characters, start: int, error: YamlError, problems: Problems, check: Check
) -> None:
    """Tell what is wrong in a file that YAML cannot read; `check` gets the pieces it can."""
    search = _Search(characters, problems, check)
    whole = _Piece(start, characters.clean[start:])
    if not search.look_into(whole, depth=0):
        search.tell(whole, error)


@define
class _Search:
    characters: Characters
    problems: Problems
    check: Check
    told: int = 0

    def look(self, piece: _Piece, depth: int) -> bool:
        """Tell what is wrong in a piece, if it is; whether it was."""
        error = error_of(piece.text, FAST, piece.start)
        if error is None:
            self.check(piece.start, piece.text)
            return False
        if self.told < _MOST and not self.look_into(piece, depth):
            self.tell(piece, error)
        return True

    def look_into(self, piece: _Piece, depth: int) -> bool:
        """Look at the parts of a piece that YAML cannot read; whether one of them is wrong."""
        lines = list(piece.lines())
        if len(lines) < 2 or depth > 60:
            return False
        indent = min(_indent(line) for _, line in lines)
        heads = [at for at, line in lines if _indent(line) == indent]
        if heads[0] != lines[0][0]:
            heads.insert(0, lines[0][0])
        if len(heads) > 1:
            wrong = [self.look(part, depth + 1) for part in piece.cut(heads)]
            return any(wrong)
        return self._look_inside(piece, lines, depth)

    def _look_inside(self, piece: _Piece, lines: list[tuple[int, str]], depth: int) -> bool:
        """A single item or entry: look at what is under its first line."""
        at, head = lines[0]
        dash = _ITEM.match(head)
        if dash:
            place = at + dash.end() - 1
            return self.look_into(
                _Piece(piece.start, piece.text[:place] + " " + piece.text[place + 1 :]), depth + 1
            )
        if error_of(head, FAST, 0) is not None:
            return False
        body = piece.cut([lines[1][0]])[0]
        return error_of(body.text, FAST, 0) is not None and self.look(body, depth + 1)

    def tell(self, piece: _Piece, error: YamlError) -> None:
        """Put an error of YAML's into words, unless its cause has been told."""
        self.told += 1
        error = error_of(piece.text, PLAIN, piece.start) or error
        source = self.characters.source
        place = min(error.place, len(source.text))
        began = piece.start if error.began is None else error.began
        if set(range(source.position(began)[0], source.position(place)[0] + 1)) & (
            self.characters.told_lines
        ):
            return
        words = words_for(Broken(self.characters, piece.start + len(piece.text), error))
        last = len(source.text)
        span = Span(source, min(words.start, last), min(words.end, last))
        self.problems.add(words.code, span, words.note, about=words.about, help=words.help)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
