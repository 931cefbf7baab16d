"""Slips of signs: `=` for `==`, `&&`, decimals, open ranges, brackets."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulesdsl.syntax.stops import NONE, Letters, Slip, Stop, on

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


def _foreign_operator(stop: Stop) -> Slip | None:
    for piece in (stop.here, stop.before):
        if piece.text in _FOREIGN and piece.text != "=":
            right = _FOREIGN[piece.text]
            blank = " " if right == "not" and stop.text[piece.end : piece.end + 1] != " " else ""
            note = f"this is written `{right}`"
            return on(piece, "foreign-operator", note, right + blank)
    if stop.here.text in ("**", "^", "%", "?", "~"):
        help = "there are + - * and / with `rounded up` or `rounded down`; if c then a else b"
        return on(stop.here, "foreign-operator", "there is no such operator", help=help)
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
        return on(stop.here, "foreign-operator", note, f" {stop.here.text[0]}= 1")
    return None


def _semicolon(stop: Stop) -> Slip | None:
    if stop.here.text != ";":
        return None
    note = "a line holds one step"
    return on(
        stop.here,
        "semicolon",
        note,
        "" if stop.piece(1) is NONE else None,
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
            return on(first, "reserved-word", note)
        return on(
            stop.here,
            "value-for-no-place",
            "only a place of the state or `let NAME` can get a value",
        )
    return on(stop.here, "equals-in-condition", "`=` gives a value; `==` compares", "==")


def _comparison_as_line(stop: Stop) -> Slip | None:
    given = any(piece.text in ("=", "+=", "-=") for piece in stop.pieces[: stop.index])
    if stop.start == "line" and stop.here.text == "==" and not given:
        note = "`==` compares; `=` gives a value"
        return on(stop.here, "comparison-as-line", note, "=")
    if stop.start == "line" and stop.here.text == "=" and stop.before.text in "+-":
        text = f"{stop.before.text}="
        note = f"this is written `{text}`"
        return Slip("foreign-operator", stop.before.start, stop.here.end, note, text)
    glued = stop.before.text == "=" and stop.before.end == stop.here.start
    if stop.start == "line" and stop.here.text == "+" and glued:
        note = "this is written `+=`"
        return Slip("foreign-operator", stop.before.start, stop.here.end, note, "+=")
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
        return on(stop.here, "plus-sign", "a number carries no plus sign", "")
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
            return on(stop.here, "extra-parenthesis", note, "")
    return None


def _empty_parentheses(stop: Stop) -> Slip | None:
    if stop.here.text == ")" and stop.before.text == "(" and stop.piece(-2).is_name:
        note = "without arguments there are no parentheses"
        return Slip("empty-parentheses", stop.before.start, stop.here.end, note, "")
    return None


SURE: tuple[Callable[[Stop], Slip | None], ...] = (
    _decimal,
    _big_number,
    _whole_division,
    _increment,
    _comparison_as_line,
    _foreign_operator,
    _semicolon,
    _equals_in_condition,
    _open_range,
    _plus_sign,
)
BRACKETS: tuple[Callable[[Stop], Slip | None], ...] = (
    _range_word,
    _extra_parenthesis,
    _empty_parentheses,
    _missing_parenthesis,
)
