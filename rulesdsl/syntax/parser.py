"""From one text of a rule file to its tree: a line, a header, a type, an expression."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen
from lark import Token, Tree, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from rulesdsl.syntax.heads import Parsed
from rulesdsl.syntax.slips import Slip, Stop, find_slip, stop_at
from rulesdsl.syntax.table import grammar
from rulesdsl.syntax.transform_lines import Lines
from rulesdsl.syntax.words import what_may_stand
from rulesdsl.syntax.yaml_nodes import Text
from rulesdsl.text.limits import MAX_LINE_LENGTH, MAX_NESTING
from rulesdsl.text.problems import Problems
from rulesdsl.text.source import Span
from rulesdsl.text.spelling import nearest

_REPAIRS = 8

CALLED = {
    "line": "a step",
    "header": "a header",
    "option": "an option",
    "signature": "a name with its arguments",
    "event": "an event",
    "state_owner": "`shared` or `each KIND`",
    "result_header": "`for NAME in players`",
    "row_key": "a label of a row",
    "type": "a type",
    "state_type": "a type with what is said about it",
    "maps": "`TYPE -> TYPE`",
    "ties": "a rule for ties",
    "components": "components",
    "players": "a number of players",
    "expr": "an expression",
    "play_line": "a call, `stop` or a move",
    "play_header": "a check",
    "pattern": "a place",
    "place": "a place",
    "zone": "a place",
}


def parse(start: str, text: Text, problems: Problems) -> Parsed | None:
    """The tree of a text from a start symbol; None if it is no such text (problems say why)."""
    if not text.exact and not text.quoted:
        return None  # lines that YAML joined; told when the file was read
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
        try:
            node = _parse(start, self.text)
        except UnexpectedInput as error:
            _explain(start, self, error, problems)
            return None
        if _depth(node) > MAX_NESTING:
            _too_deep(self.span, problems)
            return None
        known = len(problems)
        built = Lines(self.at, problems).build(start, node)
        return built if len(problems) == known else None

    def _is_bounded(self, problems: Problems) -> bool:
        if len(self.text) > MAX_LINE_LENGTH:
            note = f"a line has at most {MAX_LINE_LENGTH} characters, this one has {len(self.text)}"
            help = "give parts of it a name under `define`"
            problems.add("line-too-long", self.span, note, help=help)
            return False
        depth = 0
        for char in self.text:
            depth += (char in "([") - (char in ")]")
            if depth > MAX_NESTING:
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
    note = f"this is nested more than {MAX_NESTING} deep"
    help = "give parts of it a name under `define`"
    problems.add("too-deeply-nested", span, note, help=help)


def _parse(start: str, text: str) -> Tree[Token]:
    return grammar().parse(text, start=start)


def _depth(node: Tree[Token]) -> int:
    deepest, level = 0, [node]
    while level:
        deepest += 1
        level = [child for tree in level for child in tree.children if isinstance(child, Tree)]
    return deepest


def _parses(start: str, text: str) -> bool:
    try:
        _parse(start, text)
    except UnexpectedInput:
        return False
    return True


# ---------------------------------------------------------------------- what is wrong


def _stop(start: str, text: str, error: UnexpectedInput) -> Stop:
    match error:
        case UnexpectedToken():
            token = error.token
            position = len(text) if token.type == "$END" else token.start_pos or 0
            return stop_at(start, text, position, error.accepts or error.expected)
        case UnexpectedCharacters():
            return stop_at(start, text, error.pos_in_stream or 0, error.allowed or ())
        case _:
            return stop_at(start, text, len(text), ())


def _explain(start: str, piece: Piece, error: UnexpectedInput, problems: Problems) -> None:
    stop = _stop(start, piece.text, error)
    slip = _other_form(stop) or find_slip(stop) or _misspelt(stop) or _unexpected(stop)
    help = slip.help
    if slip.replacement is not None:
        repaired = _repaired(start, piece.text, slip)
        if repaired is not None:
            help = replaced_line(piece.span, repaired)
    problems.add(slip.code, piece.at(slip.start, slip.end), slip.note, help=help)


def _repaired(start: str, text: str, slip: Slip) -> str | None:
    """The text with this slip and those after it mended, if that makes it valid."""
    for _ in range(_REPAIRS):
        if slip.replacement is None:
            return None
        text = text[: slip.start] + slip.replacement + text[slip.end :]
        try:
            _parse(start, text)
        except UnexpectedInput as error:
            found = find_slip(_stop(start, text, error))
            if found is None:
                return None
            slip = found
        else:
            return text
    return None


def _other_form(stop: Stop) -> Slip | None:
    """A header that stands as a line, a line that stands as a header, an option as either."""
    whole = (0, len(stop.text))
    if stop.start == "line" and _parses("header", stop.text):
        note = "a header ends with a colon, its steps stand below it"
        return Slip("header-without-colon", *whole, note, help=f"{stop.text}:")
    if stop.start == "line" and _parses("option", stop.text):
        note = "an option stands below `NAME chooses:` and has a colon"
        return Slip("option-outside-choice", *whole, note, help=f"{stop.text}: nothing")
    if stop.start == "header" and _parses("line", stop.text):
        note = "this is a whole step; nothing stands behind or below it"
        return Slip("line-with-colon", *whole, note, help=stop.text)
    if stop.start == "header" and _parses("option", stop.text):
        note = "this is an option, and options stand below `NAME chooses:`"
        return Slip("option-outside-choice", *whole, note)
    return None


def _misspelt(stop: Stop) -> Slip | None:
    """A word of the language that is misspelt: here, or one word before."""
    for piece in (stop.here, stop.before):
        if not piece.is_name:
            continue
        near = nearest(piece.text, (word for word in _vocabulary() if word != piece.text))
        if near is not None:
            text = stop.text[: piece.start] + near + stop.text[piece.end :]
            if _parses(stop.start, text):
                note = f"did you mean `{near}`?"
                return Slip("unknown-word", piece.start, piece.end, note, near)
    return None


def _vocabulary() -> list[str]:
    return sorted(t.pattern.value for t in grammar().terminals if t.pattern.value.isalpha())


def _unexpected(stop: Stop) -> Slip:
    called = CALLED[stop.start]
    wanted = what_may_stand(stop.accepts) if stop.accepts else ""
    help = f"what may stand here: {wanted}" if wanted and len(wanted) < 120 else ""
    if not stop.text.strip():
        return Slip("nothing-here", 0, len(stop.text), f"{called} is missing")
    if stop.at_end:
        note = f"{called} is not complete here"
        return Slip("incomplete", stop.before.start, stop.before.end, note, help=help)
    here = stop.here
    if not (here.text.isalnum() or here.is_name or here.text in "()[]{}+-*/=<>.,:!"):
        note = f"`{here.text}` is no sign of the language"
        return Slip("unexpected-sign", here.start, here.end, note, help=help)
    note = f"`{here.text}` cannot stand here in {called}"
    return Slip("unexpected-word", here.start, here.end, note, help=help)
