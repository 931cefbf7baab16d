"""The usual slips in a line, recognised where the grammar stopped.

Each rule looks at the words around that place and may answer with a slip: what it is, and
which piece of the text should be replaced by what.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from attrs import frozen

_WORD = re.compile(
    r"[^\W\d_]\w*|\d+|\.\.\.|\.\.|->|===|[-+:=!<>]=|=[!<>]|<>|&&|\|\||\*\*|//|\+\+|--|\S"
)
_FOREIGN = {
    "&&": "and",
    "&": "and",
    "||": "or",
    "|": "or",
    "!": "not",
    "<>": "!=",
    "=!": "!=",
    "=<": "<=",
    "=>": ">=",
    "===": "==",
    ":=": "=",
    "≠": "!=",
    "≤": "<=",
    "≥": ">=",
    "\N{MULTIPLICATION SIGN}": "*",
    "÷": "/",
    "\N{MINUS SIGN}": "-",
    "...": "..",
    "…": "..",
}
_RANGE_WORDS = ("to", "through", "till", "until", "-", "\N{EN DASH}", "\N{EM DASH}", ":")
_COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")


@frozen
class Slip:
    """A slip: what is wrong with a piece of the text, and what should stand there."""

    code: str
    start: int
    end: int
    note: str
    replacement: str | None = None
    help: str = ""


@frozen
class Letters:
    """A word, number or sign of a text that may be no rule at all."""

    text: str
    start: int
    end: int

    @property
    def is_name(self) -> bool:
        return self.text[0].isalpha()


_NONE = Letters(" ", 0, 0)


@frozen
class Stop:
    """Where the grammar stopped: its start symbol, the pieces, which one, and what it accepts."""

    start: str
    text: str
    pieces: tuple[Letters, ...]
    index: int
    accepts: frozenset[str]

    def piece(self, offset: int) -> Letters:
        """The piece so many after the one where the grammar stopped; blank if there is none."""
        index = self.index + offset
        return self.pieces[index] if 0 <= index < len(self.pieces) else _NONE

    @property
    def here(self) -> Letters:
        return self.piece(0)

    @property
    def before(self) -> Letters:
        return self.piece(-1)

    @property
    def at_end(self) -> bool:
        return self.index >= len(self.pieces)

    @property
    def position(self) -> int:
        """Where something is to be put in: behind the last good piece."""
        return self.pieces[self.index - 1].end if self.index else 0

    @property
    def left(self) -> int:
        """How much of the text is left."""
        return 0 if self.at_end else len(self.text) - self.here.start

    def depth(self, sign: str, closing: str) -> int:
        """How many such brackets are open at the place."""
        before = [piece.text for piece in self.pieces[: self.index]]
        return before.count(sign) - before.count(closing)


def stop_at(start: str, text: str, position: int, accepts: Collection[str]) -> Stop:
    """The place where the grammar stopped, with the pieces of the text around it."""
    pieces = tuple(Letters(m[0], m.start(), m.end()) for m in _WORD.finditer(text))
    index = next((i for i, piece in enumerate(pieces) if piece.end > position), len(pieces))
    return Stop(start, text, pieces, index, frozenset(accepts))


def find_slips(stop: Stop) -> Iterator[Slip]:
    """All slips that rules recognise, the surest first."""
    if not stop.pieces:
        return
    for rule in _RULES:
        slip = rule(stop)
        if slip is not None:
            yield slip


def _on(
    piece: Letters, code: str, note: str, replacement: str | None = None, help: str = ""
) -> Slip:
    return Slip(code, piece.start, piece.end, note, replacement, help)


# ---------------------------------------------------------------------- signs


def _foreign_operator(stop: Stop) -> Slip | None:
    for piece in (stop.here, stop.before):
        if piece.text in _FOREIGN and piece.text != "=":
            right = _FOREIGN[piece.text]
            blank = " " if right == "not" and stop.text[piece.end : piece.end + 1] != " " else ""
            note = f"this is written `{right}`"
            return _on(piece, "foreign-operator", note, right + blank)
    if stop.here.text in ("**", "^", "%", "?", "~"):
        help = "there are + - * and / with `rounded up` or `rounded down`; if c then a else b"
        return _on(stop.here, "foreign-operator", "there is no such operator", help=help)
    return None


def _whole_division(stop: Stop) -> Slip | None:
    for piece, after in ((stop.here, stop.piece(1)), (stop.before, stop.here)):
        if piece.text == "//":
            note = "division says how it rounds"
            text = f"/ {after.text} rounded down"
            return Slip("division-without-rounding", piece.start, after.end, note, text)
    return None


def _increment(stop: Stop) -> Slip | None:
    if stop.here.text in ("++", "--"):
        note = "there is no such step"
        return _on(stop.here, "foreign-operator", note, f" {stop.here.text[0]}= 1")
    return None


def _semicolon(stop: Stop) -> Slip | None:
    if stop.here.text != ";":
        return None
    note = "a line holds one step"
    return _on(
        stop.here,
        "semicolon",
        note,
        "" if stop.piece(1) is _NONE else None,
        "write each step on a line of its own, behind `- `",
    )


def _equals_in_condition(stop: Stop) -> Slip | None:
    if stop.here.text != "=":
        return None
    if stop.start == "state_type":
        note = "a first value is told by `starts at`"
        return Slip("equals-in-state", stop.position, stop.here.end, note, ", starts at")
    if stop.start == "line" and not any(p.text == "=" for p in stop.pieces[: stop.index]):
        first = stop.pieces[0]
        if stop.index and (first.is_name and stop.piece(-2).text in (" ", ".", "]")):
            note = f"`{first.text}` is a word of the language and cannot be given a value"
            return _on(first, "reserved-word", note)
        return _on(
            stop.here,
            "value-for-no-place",
            "only a place of the state or `let NAME` can get a value",
        )
    return _on(stop.here, "equals-in-condition", "`=` gives a value; `==` compares", "==")


def _comparison_as_line(stop: Stop) -> Slip | None:
    let = stop.index == 2 and stop.pieces[0].text == "let"
    if stop.start == "line" and stop.here.text == "==" and ("EQUAL" in stop.accepts or let):
        note = "`==` compares; `=` gives a value"
        return _on(stop.here, "comparison-as-line", note, "=")
    if stop.start == "line" and stop.here.text == "=" and stop.before.text in "+-":
        text = f"{stop.before.text}="
        note = f"this is written `{text}`"
        return Slip("foreign-operator", stop.before.start, stop.here.end, note, text)
    return None


def _decimal(stop: Stop) -> Slip | None:
    dot = next((p for p in (stop.here, stop.before) if p.text == "."), None)
    if dot is None or not re.search(r"\d$", stop.text[: dot.start]):
        return None
    if not re.match(r"\d", stop.text[dot.end :]):
        return None
    help = "numbers are whole: count in smaller units, or divide with `rounded up|down`"
    left = re.search(r"\d+$", stop.text[: dot.start])
    right = re.match(r"\d+", stop.text[dot.end :])
    if left is None or right is None:
        return None
    end = dot.end + right.end()
    return Slip("decimal-number", left.start(), end, "this is no whole number", None, help)


def _big_number(stop: Stop) -> Slip | None:
    for match in re.finditer(r"\d{10,}", stop.text):
        if match.start() <= stop.here.start <= match.end() or stop.at_end:
            note = "a number has at most 9 digits"
            return Slip("number-too-big", match.start(), match.end(), note)
    return None


def _plus_sign(stop: Stop) -> Slip | None:
    if stop.here.text == "+" and "INT" in stop.accepts and stop.piece(1).text.isdigit():
        return _on(stop.here, "plus-sign", "a number carries no plus sign", "")
    return None


def _open_range(stop: Stop) -> Slip | None:
    match = re.search(r"(\d+)\s+\+\s*$", stop.text)
    if match and stop.start in ("row_key", "type", "state_type", "maps"):
        note = "an open range is written in one piece"
        return Slip("open-range", match.start(), match.end(), note, f"{match[1]}+")
    match = re.search(r"(\d+)\+\s*(\d+|[^\W\d_])", stop.text)
    if match and stop.start in ("type", "state_type", "maps") and stop.position >= match.start():
        note = "`9+` is an open range; a sum needs blanks"
        text = f"{match[1]} + {match[2]}"
        return Slip("open-range", match.start(), match.end(), note, text)
    return None


def _range_word(stop: Stop) -> Slip | None:
    note = "a range is written with two dots"
    if stop.here.text in _RANGE_WORDS:
        end = stop.piece(1).start or stop.here.end
        return Slip("range", stop.position, end, note, "..")
    minus = stop.piece(-2)
    if stop.at_end and minus.text == "-" and "__ANON_0" in stop.accepts:
        return Slip("range", stop.piece(-3).end, stop.before.start, note, "..")
    return None


# ---------------------------------------------------------------------- brackets


def _missing_parenthesis(stop: Stop) -> Slip | None:
    wanted = {"RPAR": ")", "RSQB": "]"}
    closing = next((sign for name, sign in wanted.items() if name in stop.accepts), None)
    open_signs = _open_signs(stop.pieces[: stop.index])
    if closing is None or not open_signs or not _open_signs(stop.pieces):
        return None
    text = "".join(reversed(open_signs)) if stop.at_end else closing
    note = f"a `{closing}` is missing"
    last = stop.before
    return Slip("missing-parenthesis", last.start, last.end, note, f"{last.text}{text}")


def _open_signs(pieces: tuple[Letters, ...]) -> list[str]:
    """The signs that would close what is open, outermost first."""
    signs: list[str] = []
    for piece in pieces:
        if piece.text in "([":
            signs.append(")" if piece.text == "(" else "]")
        elif signs and piece.text == signs[-1]:
            signs.pop()
    return signs


def _extra_parenthesis(stop: Stop) -> Slip | None:
    if stop.here.text in (")", "]"):
        sign = "(" if stop.here.text == ")" else "["
        if stop.depth(sign, stop.here.text) <= 0:
            note = f"nothing is open that this `{stop.here.text}` could close"
            return _on(stop.here, "extra-parenthesis", note, "")
    return None


def _empty_parentheses(stop: Stop) -> Slip | None:
    if stop.here.text == ")" and stop.before.text == "(" and stop.piece(-2).is_name:
        note = "without arguments there are no parentheses"
        return Slip("empty-parentheses", stop.before.start, stop.here.end, note, "")
    return None


# ---------------------------------------------------------------------- words


def _hyphen(stop: Stop) -> Slip | None:
    at = next((p for p in (stop.here, stop.before) if p.text in ("-", "->")), None)
    if at is None:
        return None
    match = next(
        (
            m
            for m in re.finditer(r"[^\W\d_]\w*(-\w+)+", stop.text)
            if m.start() < at.start < m.end()
        ),
        None,
    )
    if match is None:
        return None
    note = "names are letters, digits and `_`"
    return Slip("hyphen-in-name", match.start(), match.end(), note, match[0].replace("-", "_"))


def _chained(stop: Stop) -> Slip | None:
    if stop.here.text not in _COMPARISONS:
        return None
    before = [p for p in stop.pieces[: stop.index] if p.text in _COMPARISONS]
    if not before:
        return None
    middle = stop.text[before[-1].end : stop.here.start].strip()
    if re.search(r"\b(and|or|for|where|then|else)\b|,", middle):
        return None
    note = "a comparison has two sides"
    text = f"{middle} and {middle} {stop.here.text}"
    start = (
        before[-1].end + 1
        if stop.text[before[-1].end : before[-1].end + 1] == " "
        else (before[-1].end)
    )
    return Slip("chained-comparison", start, stop.here.end, note, text)


_PATH = r"[^\W\d_]\w*(?:\.\w+|\[[^\]]*\])*"


def _in_operator(stop: Stop) -> Slip | None:
    if stop.here.text != "in" and not (stop.here.text == "not" and stop.piece(1).text == "in"):
        return None
    last = stop.here if stop.here.text == "in" else stop.piece(1)
    left = re.search(rf"({_PATH})\s+(?:not\s+)?$", stop.text[: stop.here.start])
    right = re.match(rf"\s*({_PATH})", stop.text[last.end :])
    note = "there is no operator `in`"
    help = "ask for the number: `PLACE[MEMBER] > 0`, or `any(x == MEMBER for x in DOMAIN)`"
    if left is None or right is None:
        return _on(stop.here, "in-as-operator", note, help=help)
    sign = "> 0" if last is stop.here else "== 0"
    text = f"{right[1]}[{left[1]}] {sign}"
    return Slip("in-as-operator", left.start(1), last.end + right.end(), note, text)


def _is_operator(stop: Stop) -> Slip | None:
    if stop.here.text != "is":
        return None
    negated = stop.piece(1).text == "not"
    last = stop.piece(1) if negated else stop.here
    after = stop.piece(2) if negated else stop.piece(1)
    sign = "!=" if negated else "=="
    left = re.search(rf"({_PATH})\s*$", stop.text[: stop.here.start])
    if after.text == "empty" and left is not None:
        note = "whether a place is empty is told by its size"
        text = f"size of {left[1]} {sign} 0"
        return Slip("is-as-operator", left.start(1), after.end, note, text)
    note = f"this is written `{sign}`"
    return Slip("is-as-operator", stop.here.start, last.end, note, sign)


def _division(stop: Stop) -> Slip | None:
    slash = next((p for p in reversed(stop.pieces[: stop.index]) if p.text == "/"), None)
    if slash is None:
        return None
    if "ROUNDED" in stop.accepts:
        text = f"{stop.text[slash.start : stop.position]} rounded down"
        note = "a division says how it rounds"
    elif stop.before.text == "rounded" and {"UP", "DOWN"} <= stop.accepts:
        text = f"{stop.text[slash.start : stop.position]} down"
        note = "`rounded` wants `up` or `down`"
    else:
        return None
    return Slip("division-without-rounding", slash.start, stop.position, note, text)


def _else_if(stop: Stop) -> Slip | None:
    first, second = stop.pieces[0], stop.pieces[1] if len(stop.pieces) > 1 else _NONE
    if stop.start != "header":
        return None
    if first.text == "else" and second.text == "if":
        return Slip("else-if", first.start, second.end, "this is one word", "elif")
    if first.text in ("elseif", "elsif"):
        return _on(first, "else-if", "this is written `elif`", "elif")
    return None


def _for_each(stop: Stop) -> Slip | None:
    first, second = stop.pieces[0], stop.pieces[1] if len(stop.pieces) > 1 else _NONE
    if first.text == "for" and second.text in ("each", "every", "all"):
        return Slip("for-each", first.start, second.end, "`for` is enough", "for")
    if first.text == "foreach":
        return _on(first, "for-each", "this is written `for`", "for")
    return None


def _then_in_header(stop: Stop) -> Slip | None:
    if stop.start == "header" and stop.here.text in ("then", "do") and stop.piece(1) is _NONE:
        return Slip("then-in-header", stop.position, stop.here.end, "the colon is enough", "")
    return None


def _unbounded(stop: Stop) -> Slip | None:
    is_while = stop.start == "header" and stop.pieces[0].text == "while"
    if is_while and stop.at_end and stop.accepts == {"COMMA"}:
        note = "a loop says how often it may go round"
        text = f"{stop.before.text}, at most 10"
        return _on(stop.before, "loop-without-bound", note, text)
    return None


def _chooses_secretly(stop: Stop) -> Slip | None:
    if stop.before.text == "chooses" and stop.here.text == "secretly":
        note = "the words change places"
        return Slip("word-order", stop.before.start, stop.here.end, note, "secretly chooses")
    return None


def _count_of(stop: Stop) -> Slip | None:
    if stop.before.text == "of" and stop.piece(-2).text.isdigit():
        note = "the number stands right before its components"
        return Slip("number-of", stop.before.start, stop.here.start, note, "")
    return None


def _glued(stop: Stop) -> Slip | None:
    after = stop.piece(1)
    if stop.here.text.isdigit() and after.is_name and after.start == stop.here.end:
        text = f"{stop.here.text} {after.text}"
        return Slip("missing-blank", stop.here.start, after.end, "a blank is missing", text)
    return None


def _if_order(stop: Stop) -> Slip | None:
    if stop.here.text == "if" and any(p.text == "else" for p in stop.pieces[stop.index :]):
        note = "the condition stands first"
        return _on(stop.here, "if-order", note, help="write `if CONDITION then VALUE else VALUE`")
    return None


def _arrow(stop: Stop) -> Slip | None:
    if stop.start == "maps" and stop.here.text in ("=>", ":", "=", "to"):
        return _on(stop.here, "foreign-operator", "this is written `->`", "->")
    if stop.start == "line" and stop.here.text == "->":
        return _on(stop.here, "foreign-operator", "this is written `to`", "to")
    return None


_RULES: tuple[Callable[[Stop], Slip | None], ...] = (
    _glued,
    _arrow,
    _decimal,
    _big_number,
    _whole_division,
    _increment,
    _comparison_as_line,
    _foreign_operator,
    _semicolon,
    _equals_in_condition,
    _else_if,
    _for_each,
    _then_in_header,
    _chooses_secretly,
    _open_range,
    _plus_sign,
    _hyphen,
    _range_word,
    _chained,
    _in_operator,
    _is_operator,
    _count_of,
    _if_order,
    _extra_parenthesis,
    _empty_parentheses,
    _division,
    _unbounded,
    _missing_parenthesis,
)
