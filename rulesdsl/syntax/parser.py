"""From one text of a rule file to its tree: a line, a header, a type, an expression."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from rulesdsl.syntax.grammar import Stopped, depth, tree_of
from rulesdsl.syntax.heads import Parsed
from rulesdsl.syntax.mistakes import explained
from rulesdsl.syntax.stops import Stop, stop_at
from rulesdsl.syntax.table import keywords
from rulesdsl.syntax.transform_lines import Lines
from rulesdsl.syntax.tree import Int, Name
from rulesdsl.syntax.words import NAME
from rulesdsl.syntax.yaml_nodes import Text
from rulesdsl.text.limits import EXPRESSION_NESTING, LINE_LENGTH
from rulesdsl.text.problems import Problems
from rulesdsl.text.source import Span


def parse(start: str, text: Text, problems: Problems) -> Parsed | None:
    """The tree of a text from a start symbol; None if it is no such text (problems say why)."""
    if not text.exact and not text.quoted and not text.block:
        # told when the file was read, and mended: what is wrong in it has the same cause
        problems = Problems()
    if "\n" in text.text:
        note = "this is one line, not a block of text"
        problems.add("not-one-line", text.span, note, help="write it behind the colon or the dash")
        return None
    return Piece.whole(text).parse(start, problems)


@frozen
class Piece:
    """A piece of a YAML text, which knows its place in the file."""

    text: str
    at: Callable[[int, int], Span]

    @classmethod
    def whole(cls, text: Text) -> Piece:
        """The whole text."""
        return cls(text.text, text.at)

    @classmethod
    def part(cls, text: Text, start: int, end: int) -> Piece:
        """A part of it."""
        return cls(text.text[start:end], lambda a, b: text.at(start + a, start + b))

    @property
    def span(self) -> Span:
        return self.at(0, len(self.text))

    def parse(self, start: str, problems: Problems) -> Parsed | None:
        """The tree of the piece."""
        if not self._is_bounded(problems):
            return None
        if start == "expr" and (simple := self._simple()) is not None:
            return simple
        try:
            node = tree_of(start, self.text)
        except Stopped as stopped:
            self._explain(stop_at(start, self.text, stopped.position, stopped.accepts), problems)
            return None
        if depth(node) > EXPRESSION_NESTING:
            _too_deep(self.span, problems)
            return None
        known = len(problems)
        built = Lines(self.at, problems).build(start, node)
        return built if len(problems) == known else None

    def _simple(self) -> Int | Name | None:
        """A number or a name alone: most of what tables hold, not worth a run of the grammar."""
        if self.text.isdecimal() and self.text.isascii() and len(self.text) <= 9:
            return Int(self.span, int(self.text))
        if NAME.fullmatch(self.text) and self.text not in keywords():
            return Name(self.span, self.text)
        return None

    def _explain(self, stop: Stop, problems: Problems) -> None:
        slip, mended = explained(stop)
        help = slip.help if mended is None else replaced_line(self.span, mended)
        problems.add(slip.code, self.at(slip.start, slip.end), slip.note, help=help)

    def _is_bounded(self, problems: Problems) -> bool:
        if len(self.text) > LINE_LENGTH:
            note = f"a line has at most {LINE_LENGTH} characters, this one has {len(self.text)}"
            help = "give parts of it a name under `define`"
            problems.add("line-too-long", self.span, note, help=help)
            return False
        if self.text.count("(") + self.text.count("[") <= EXPRESSION_NESTING:
            return True
        open_signs = 0
        for char in self.text:
            open_signs += (char in "([") - (char in ")]")
            if open_signs > EXPRESSION_NESTING:
                _too_deep(self.span, problems)
                return False
        return True


def replaced_line(span: Span, replacement: str) -> str:
    """The line of the file with a piece replaced: what a help shows."""
    line = span.source.line(span.line)
    start = span.column - 1
    if start + span.end - span.start > len(line):
        return replacement
    return (line[:start] + replacement + line[start + span.end - span.start :]).strip()


def _too_deep(span: Span, problems: Problems) -> None:
    note = f"this is nested more than {EXPRESSION_NESTING} deep"
    help = "give parts of it a name under `define`"
    problems.add("too-deeply-nested", span, note, help=help)
