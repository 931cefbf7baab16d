"""YAML's errors in an author's words: what stands there, and the line as it should be."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from attrs import frozen

from rulesdsl.syntax.yaml_characters import PROSE_KEYS, Characters
from rulesdsl.syntax.yaml_cuts import OPEN_END, balance, is_header
from rulesdsl.syntax.yaml_events import TOO_DEEP, YamlError
from rulesdsl.text import limits


@frozen
class Words:
    """A problem to be: its code, its place, what is said."""

    code: str
    start: int
    end: int
    note: str
    about: str = ""
    help: str = ""


@frozen
class Line:
    """A line of the file: `start` is where it stands, `text` is without its end."""

    start: int
    text: str

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip(" "))

    @property
    def dashes(self) -> str:
        """The `- ` it begins with."""
        found = _DASHES.match(self.text)
        return found[1] if found else ""

    @property
    def body(self) -> str:
        """What stands behind indent and dashes, without a comment."""
        return _COMMENT.sub("", self.text[self.indent + len(self.dashes) :]).rstrip()

    @property
    def body_start(self) -> int:
        return self.start + self.indent + len(self.dashes)

    def whole(self, code: str, note: str, help: str = "", about: str = "") -> Words:
        """A problem of the whole line."""
        end = self.body_start + len(self.body)
        return Words(code, self.start + self.indent, end, note, about, help)


_DASHES: Final = re.compile(r" *((?:- +)*)")
_COMMENT: Final = re.compile(r"(?:(?<=\s)|^)#.*")
_COLON: Final = re.compile(r":(?=\s|$)")
_NO_SPACE: Final = re.compile(r"([\w.]+):(\S.*)")


@frozen
class Broken:
    """A piece that YAML cannot read, and what it said."""

    characters: Characters
    end: int
    error: YamlError

    def line_at(self, place: int) -> Line:
        text = self.characters.clean
        start = text.rfind("\n", 0, place) + 1
        end = text.find("\n", place)
        return Line(start, text[start : end if end >= 0 else len(text)].rstrip("\r"))

    def above(self, line: Line) -> Line | None:
        """The nearest line above that holds something."""
        while line.start > 0:
            line = self.line_at(line.start - 1)
            if line.body:
                return line
        return None

    @property
    def here(self) -> Line:
        """The line where YAML gave up; the last one that holds something, at the end of all."""
        line = self.line_at(min(self.error.place, max(self.end - 1, 0)))
        return line if line.body else self.above(line) or line

    @property
    def began(self) -> int:
        return self.error.place if self.error.began is None else self.error.began


def words_for(broken: Broken) -> Words:
    """The problem behind an error of YAML's."""
    cut = _cut_by_comment(broken)
    if cut:
        return cut
    for piece, words in _HANDLERS:
        if piece in broken.error.words:
            return words(broken)
    return _other(broken)


def _cut_by_comment(broken: Broken) -> Words | None:
    """A `#` that was meant as a part of the line."""
    here = broken.here
    for line in (here, broken.above(here)):
        found = re.search(r"(?<=\s)#\S.*", line.text) if line else None
        if line and found and OPEN_END.search(line.text[: found.start()].rstrip()):
            start = line.start + found.start()
            help = line.text[: found.start()].lstrip() + found[0][1:]
            note = "` #` begins a comment: this is not read"
            return Words("comment-cut", start, line.start + found.end(), note, help=help)
    return None


def _second_colon(broken: Broken) -> Words:
    here = broken.line_at(broken.error.place)
    colon = broken.error.place - here.body_start
    first = _COLON.search(here.body)
    if first is None or first.start() >= colon:
        too_long = colon > limits.KEY_LENGTH
        return _long_key(here) if too_long else _continued(broken, here)
    key, rest = here.body[: first.start()], here.body[first.end() :].strip()
    place = broken.error.place
    if balance(key) > 0:
        place = here.body_start + first.start()
        name = re.sub(r"(\w+): +", r"\1 in ", here.body)
        return Words("second-colon", place, place + 1, "a name is bound by `in`", help=name)
    if key in PROSE_KEYS or broken.characters.in_prose:
        rest = rest.strip("\u201c\u201d\u201e\u2018\u2019")
        quote = "'" if '"' in rest else '"'
        help = f"{key}: {quote}{rest}{quote}"
    elif key == "else" and rest.startswith("if "):
        help = "elif " + rest[3:]
    else:
        help = f"{here.dashes}{key}:\n{' ' * (len(here.dashes) + 2)}{rest}"
    return Words("second-colon", place, place + 1, "a second colon on this line", help=help)


def _continued(broken: Broken, here: Line) -> Words:
    """A line that YAML takes for more of the line above, until it comes to a colon."""
    above = broken.above(here)
    if above is None:
        return _other(broken)
    if is_header(above.body) or not (above.dashes or _COLON.search(above.body)):
        return _missing_colon(above)
    if above.dashes and here.indent == above.indent + len(above.dashes):
        return here.whole("step-without-dash", "a new step begins with `- `", f"- {here.body}")
    column = above.indent + len(above.dashes) + 1
    return here.whole(
        "indentation",
        "this line stands deeper than the one above, which is complete",
        f"begin it in column {column}, or give the line above a colon",
    )


def _missing_colon(line: Line) -> Words:
    end = line.body_start + len(line.body)
    help = f"{line.dashes}{line.body}:"
    return Words(
        "header-without-colon", end - 1, end, "a colon is missing behind this header", help=help
    )


def _dash_behind_colon(broken: Broken) -> Words:
    line = broken.line_at(broken.error.place)
    before = line.text[: broken.error.place - line.start].strip()
    rest = line.text[broken.error.place - line.start :].strip()
    place = broken.error.place
    if not before:
        return _continued(broken, line)
    indent = " " * (2 + len(line.dashes))
    help = f"{before}\n{indent}{rest}"
    note = "a list begins on a line of its own"
    return Words("dash-behind-colon", place, place + 1, note, help=help)


def _no_colon(broken: Broken) -> Words:
    line = broken.line_at(broken.began)
    tight = _NO_SPACE.fullmatch(line.body)
    if tight:
        place = line.body_start + len(tight[1])
        help = f"{line.dashes}{tight[1]}: {tight[2]}"
        return Words("colon-without-blank", place, place + 1, "a space is missing here", help=help)
    if len(line.text) > limits.KEY_LENGTH:
        return _long_key(line)
    sibling = broken.above(line)
    if not line.dashes and sibling and sibling.dashes and sibling.indent <= line.indent:
        return line.whole("step-without-dash", "a new step begins with `- `", f"- {line.body}")
    return _missing_colon(line)


def _long_key(line: Line) -> Words:
    note = f"a key may have {limits.KEY_LENGTH:,} characters"
    return line.whole("too-large", note, "give a part of it a name under define")


def _too_deep(broken: Broken) -> Words:
    place = broken.error.place
    note = f"lists and maps may stand in each other {limits.YAML_DEPTH} deep"
    help = "move the inner part to a procedure or a definition"
    return Words("too-large", place, place + 1, note, help=help)


def _bracket(broken: Broken) -> Words:
    text, start, place = broken.characters.clean, broken.began, broken.error.place
    stop = _closing(text, start, broken.end)
    behind_name = text[place : place + 1] in ("[", "{") and text[place - 1].isalnum()
    line = broken.line_at(start)
    head = text[line.body_start : start].rstrip()
    if stop is None:
        help = line.body + ("]" if text[start] == "[" else "}")
        note = "this bracket is not closed"
        return Words("open-bracket", start, start + 1, note, help=help)
    if behind_name:
        dash = "- " if text[start] == "[" else ""
        parts = [f"{dash}{part}" for part in _parts(text[start + 1 : stop - 1])]
        help = "\n  ".join((head, *parts)) if head else "\n".join(parts)
        note = f"inside {text[start]} {text[stop - 1]} no text has brackets"
        return Words("text-cut", start, stop, note, help=help)
    if not head and text[stop : stop + 1].strip():
        return _text_start(broken, start)
    note = "here YAML wants a comma or the closing bracket"
    return Words("open-bracket", place, place + 1, note, help="write each text on a line: - text")


def _closing(text: str, start: int, end: int) -> int | None:
    """Where the bracket that opens at `start` closes."""
    depth = 0
    for at in range(start, min(end, len(text))):
        depth += (text[at] in "[{") - (text[at] in "]}")
        if depth == 0:
            return at + 1
    return None


def _parts(inside: str) -> list[str]:
    """The texts between the commas that stand outside of all brackets."""
    parts, depth, begin = [], 0, 0
    for at, char in enumerate(inside):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            parts.append(inside[begin:at].strip())
            begin = at + 1
    return [*parts, inside[begin:].strip()]


def _quote(broken: Broken) -> Words:
    start, place = broken.began, broken.error.place
    line = broken.line_at(start)
    if "escape" in broken.error.words:
        note = "behind \\ stands a character that means nothing there"
        return Words("bad-escape", place - 1, place + 1, note, help="double it: \\\\")
    quote = broken.characters.clean[start]
    rest = line.text[start - line.start :]
    note = f"the quote that begins here is not closed on this line: {quote}"
    return Words("open-quote", start, start + max(len(rest), 1), note, help=line.body + quote)


def _text_start(broken: Broken, start: int | None = None) -> Words:
    """A text that begins with a sign which YAML keeps for itself."""
    place = broken.began if start is None else start
    text = broken.characters.clean
    if text[place : place + 1] in ("", "\n", "\r"):
        return _other(broken)
    line = broken.line_at(place)
    rest = line.body[place - line.body_start :]
    sign = rest[:1] or text[place]
    head = line.dashes + line.body[: place - line.body_start]
    match sign:
        case "!":
            help = f"{head}not {rest[1:].lstrip()}"
        case '"' | "'" | "`":
            help = head + rest.replace(sign, "")
        case "@" | "&" | "%" if rest[1:2].isalpha():
            help = head + rest[1:]
        case _:
            help = "begin the text with a name"
    note = f"a text cannot begin with {sign}"
    return Words("text-start", place, place + max(len(rest), 1), note, help=help)


def _sign(broken: Broken) -> Words:
    place = broken.error.place
    line = broken.line_at(place)
    if place < line.body_start + len(line.body) and broken.characters.clean[place] in "%@`|>&*!?":
        return _text_start(broken, place)
    return _text_start(broken)


def _stray(broken: Broken) -> Words:
    place = broken.error.place
    sign = broken.characters.clean[place : place + 1]
    if sign in ("]", "}", ","):
        note = f"a text cannot begin with {sign}" if sign == "," else "no bracket is open here"
        return Words("stray-comma", place, place + 1, note, help="delete it")
    return _indentation(broken)


def _indentation(broken: Broken) -> Words:
    here = broken.here
    if here.body.startswith((":", "{:", "[:")):
        note = "nothing stands before the colon"
        return here.whole("not-a-key", note, "write a name there, or delete the colon")
    if here.body == "...":
        return here.whole("several-documents", "a document ends here", "delete this line")
    before = broken.characters.clean[here.body_start : broken.error.place].rstrip()
    if before and broken.error.place > here.body_start and before[-1] in "\"']}":
        colon = _COLON.search(before)
        start = colon.end() if colon and before[0] not in "\"'[{" else 0
        start += len(before[start:]) - len(before[start:].lstrip())
        return _text_start(broken, here.body_start + start)
    columns = _columns(broken, here)
    siblings = _sibling(broken, here)
    if here.indent in columns and siblings:
        if siblings.dashes and not here.dashes:
            return here.whole("step-without-dash", "a new step begins with `- `", f"- {here.body}")
        note = "a list item among keys"
        return here.whole("indentation", note, "indent it under the key it belongs to")
    shown = " or ".join(str(column + 1) for column in sorted(columns))
    return here.whole(
        "indentation",
        f"it begins in column {here.indent + 1}, which fits no line above it",
        f"begin it in column {shown}",
    )


def _columns(broken: Broken, line: Line) -> set[int]:
    """Where the lists and maps that are open above a line began."""
    columns: set[int] = set()
    lowest = 10_000
    above = broken.above(line)
    while above:
        if above.indent < lowest:
            lowest = above.indent
            columns.add(above.indent)
            if above.dashes:
                columns.add(above.indent + len(above.dashes))
        above = broken.above(above) if lowest else None
    return columns or {0}


def _sibling(broken: Broken, line: Line) -> Line | None:
    """The nearest line above in the same column."""
    above = broken.above(line)
    while above and above.indent > line.indent:
        above = broken.above(above)
    return above if above and above.indent == line.indent else None


def _complex(broken: Broken) -> Words:
    place = broken.error.place
    note = "a key is one text on one line, without `? `"
    return Words("not-a-key", place, place + 1, note, help="write it as key: value")


def _other(broken: Broken) -> Words:
    words = broken.error.words.strip(": ").replace("\n", " ")
    return broken.here.whole(
        "not-yaml",
        "YAML cannot read this line",
        "write it as key: value, or as - text",
        f"YAML says: {words}",
    )


_HANDLERS: Final[tuple[tuple[str, Callable[[Broken], Words]], ...]] = (
    (TOO_DEEP, _too_deep),
    ("mapping values are not allowed", _second_colon),
    ("sequence entries are not allowed", _dash_behind_colon),
    ("mapping keys are not allowed", _complex),
    ("could not find expected ':'", _no_colon),
    ("quoted scalar", _quote),
    ("flow sequence", _bracket),
    ("flow mapping", _bracket),
    ("cannot start any token", _sign),
    ("scanning a block scalar", _text_start),
    ("scanning an alias", _text_start),
    ("scanning an anchor", _text_start),
    ("scanning a tag", _text_start),
    ("scanning a directive", _text_start),
    ("node content", _stray),
    ("<block end>", _indentation),
    ("block mapping", _indentation),
    ("block collection", _indentation),
    ("<document start>", _indentation),
)
