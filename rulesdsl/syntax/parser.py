"""From one text of a rule file to its tree: a line, a header, a type, an expression."""

from __future__ import annotations

from collections.abc import Callable, Collection
from difflib import get_close_matches
from typing import Any

from attrs import frozen
from lark import Token, Tree, UnexpectedCharacters, UnexpectedToken

from rulesdsl.syntax.heads import Parsed
from rulesdsl.syntax.slips import Letters, Slip, Stop, find_slips, stop_at
from rulesdsl.syntax.table import grammar, keywords
from rulesdsl.syntax.transform_lines import Lines
from rulesdsl.syntax.words import RESERVED, what_may_stand
from rulesdsl.syntax.yaml_nodes import Text
from rulesdsl.text.limits import MAX_LINE_LENGTH, MAX_NESTING
from rulesdsl.text.problems import Problems
from rulesdsl.text.source import Span

_REPAIRS = 8

_STEPS = (
    "a step is PLACE = VALUE, PLACE += VALUE, the name of a phase or procedure, or begins with let,"
    " move, deal, shuffle, roll, show, pass each, end or turn passes to"
)

_OPENERS = ("for", "if", "elif", "while", "repeat", "together", "award", "step", "depending")

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
    "components": "a component",
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
        except _Stopped as stopped:
            stop = stop_at(start, self.text, stopped.position, stopped.accepts)
            _explain(self, stop, problems)
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


class _Stopped(Exception):
    """The grammar goes on no further: the place, and the terminals that may stand there."""

    def __init__(self, position: int, accepts: Collection[str]) -> None:
        self.position = position
        self.accepts = accepts
        super().__init__(f"at {position}")


def _parse(start: str, text: str) -> Tree[Token]:
    parser: Any = grammar().parse_interactive(text, start=start)
    position = 0
    try:
        for token in parser.iter_parse():
            position = token.start_pos or 0
            if _is_cut(text, token):
                raise _Stopped(position, parser.accepts())
        position = len(text)
        tree: Tree[Token] = parser.feed_eof()
        return tree
    except UnexpectedCharacters as error:
        raise _Stopped(error.pos_in_stream or 0, parser.accepts()) from None
    except UnexpectedToken as error:
        if error.token.type != "$END":
            position = error.token.start_pos or 0
        raise _Stopped(position, parser.accepts()) from None


def _is_cut(text: str, token: Token) -> bool:
    """Whether the lexer took only the first letters of a word: `from` of `fromdeck`."""
    end = token.end_pos or 0
    return _is_letter(text[end - 1 : end]) and _is_letter(text[end : end + 1])


def _is_letter(char: str) -> bool:
    return char.isalnum() or char == "_"


def _depth(node: Tree[Token]) -> int:
    deepest, level = 0, [node]
    while level:
        deepest += 1
        level = [child for tree in level for child in tree.children if isinstance(child, Tree)]
    return deepest


def _stop(start: str, text: str) -> Stop | None:
    """Where a text stops to be what its start symbol wants; None if it never does."""
    try:
        _parse(start, text)
    except _Stopped as stopped:
        return stop_at(start, text, stopped.position, stopped.accepts)
    return None


def _parses(start: str, text: str) -> bool:
    return _stop(start, text) is None


# ---------------------------------------------------------------------- what is wrong


def _explain(piece: Piece, stop: Stop, problems: Problems) -> None:
    slip = (
        _other_form(stop) or _slip(stop) or _misspelt(stop) or _word_lacks(stop) or unexpected(stop)
    )
    help = slip.help
    if slip.replacement is not None:
        repaired = _repaired(stop.start, piece.text, slip)
        if repaired is not None:
            help = replaced_line(piece.span, repaired)
    problems.add(slip.code, piece.at(slip.start, slip.end), slip.note, help=help)


def _slip(stop: Stop) -> Slip | None:
    """The first slip whose mending leads on: the mended text is valid, or valid further."""
    return next((slip for slip in find_slips(stop) if _leads_on(stop, slip)), None)


def _leads_on(stop: Stop, slip: Slip) -> bool:
    if slip.replacement is None:
        return True
    after = _stop(stop.start, _mended(stop.text, slip))
    return after is None or after.left < stop.left


def _mended(text: str, slip: Slip) -> str:
    return text[: slip.start] + (slip.replacement or "") + text[slip.end :]


def _repaired(start: str, text: str, slip: Slip) -> str | None:
    """The text with this slip and those after it mended, if that makes it valid."""
    found: Slip | None = slip
    for _ in range(_REPAIRS):
        if found is None or found.replacement is None:
            return None
        text = _mended(text, found)
        stop = _stop(start, text)
        if stop is None:
            return text
        found = _slip(stop)
    return None


def _other_form(stop: Stop) -> Slip | None:
    """A header that stands as a line, a line that stands as a header, an option as either."""
    whole = (0, len(stop.text))
    if stop.start == "line" and _parses("header", stop.text):
        note = "a header ends with a colon, its steps stand below it"
        return Slip("header-without-colon", *whole, note, help=f"{stop.text}:")
    if stop.start == "line" and "(" in stop.text and _parses("option", stop.text):
        note = "an option stands below `NAME chooses:` and has a colon"
        return Slip("option-outside-choice", *whole, note, help=f"{stop.text}: nothing")
    if stop.start == "header" and stop.text not in RESERVED and _parses("line", stop.text):
        note = "this is a whole step; nothing stands behind or below it"
        return Slip("line-with-colon", *whole, note, help=stop.text)
    if stop.start == "header" and stop.text not in _OPENERS and _parses("option", stop.text):
        note = "this is an option, and options stand below `NAME chooses:`"
        return Slip("option-outside-choice", *whole, note)
    return None


def _misspelt(stop: Stop) -> Slip | None:
    """A word of the language that is misspelt: here, or one word before."""
    for piece in (stop.here, stop.before):
        if not piece.is_name or _parses(stop.start, _replaced(stop, piece, "zzz")):
            continue
        for near in get_close_matches(piece.text, keywords(), n=6, cutoff=0.5):
            if near != piece.text and _parses(stop.start, _replaced(stop, piece, near)):
                note = f"did you mean `{near}`?"
                return Slip("unknown-word", piece.start, piece.end, note, near)
    return None


def _word_lacks(stop: Stop) -> Slip | None:
    """The one word that is missing before this one, or that belongs here instead of it."""
    if stop.at_end or stop.before.text in ("of", "but"):
        return None
    words = [w for w in keywords() if w.upper() in stop.accepts and w not in ("best", "wins")]
    here = stop.here
    lacking = [word for word in words if _parses(stop.start, _before(stop, word))]
    if len(lacking) == 1:
        note = f"`{lacking[0]}` is missing before this"
        text = f"{lacking[0]} {here.text}"
        return Slip("missing-word", here.start, here.end, note, text)
    instead = [word for word in words if _parses(stop.start, _replaced(stop, here, word))]
    if len(instead) == 1:
        note = f"`{instead[0]}` belongs here"
        return Slip("unknown-word", here.start, here.end, note, instead[0])
    return None


def _before(stop: Stop, word: str) -> str:
    return f"{stop.text[: stop.here.start]}{word} {stop.text[stop.here.start :]}"


def _replaced(stop: Stop, piece: Letters, word: str) -> str:
    return stop.text[: piece.start] + word + stop.text[piece.end :]


def unexpected(stop: Stop) -> Slip:
    """What is told where no slip is recognised."""
    called = CALLED[stop.start]
    wanted = what_may_stand(stop.accepts) if stop.accepts else ""
    help = f"what may stand here: {wanted}" if wanted and len(wanted) < 120 else ""
    if not stop.pieces:
        return Slip("nothing-here", 0, len(stop.text), f"{called} is missing")
    if stop.at_end:
        note = f"{called} is not complete here"
        return Slip("incomplete", stop.before.start, stop.before.end, note, help=help)
    here, first = stop.here, stop.pieces[0]
    if stop.start == "line" and stop.index == 1 and (here.is_name or here.text.isdigit()):
        note = f"no step begins with `{first.text}`"
        return Slip("unknown-step", first.start, first.end, note, help=_STEPS)
    if not (here.text.isalnum() or here.is_name or here.text in "()[]{}+-*/=<>.,:!"):
        note = f"`{here.text}` is no sign of the language"
        return Slip("unexpected-sign", here.start, here.end, note, help=help)
    note = f"`{here.text}` cannot stand here in {called}"
    return Slip("unexpected-word", here.start, here.end, note, help=help)
