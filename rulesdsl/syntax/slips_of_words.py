"""Slips of words: `x in y`, `is none`, `else if`, a division without rounding."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulesdsl.syntax.stops import NONE, Slip, Stop, on

_COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")


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
        return on(stop.here, "in-as-operator", note, help=help)
    sign = "> 0" if last is stop.here else "== 0"
    text = f"{right[1]}[{left[1]}] {sign}"
    return Slip("in-as-operator", left.start(1), last.end + right.end(), note, text)


def _is_operator(stop: Stop) -> Slip | None:
    here = -1 if stop.before.text == "is" else 0  # `x is a K` goes on behind it
    word = stop.piece(here)
    if word.text != "is":
        return None
    negated = stop.piece(here + 1).text == "not"
    last = stop.piece(here + 1) if negated else word
    after = stop.piece(here + 2 if negated else here + 1)
    sign = "!=" if negated else "=="
    left = re.search(rf"({_PATH})\s*$", stop.text[: word.start])
    kind = re.match(r"\s*an? ([^\W\d_]\w*)", stop.text[last.end :])
    if negated and kind is not None and left is not None:
        text = f"not {left[1]} is{kind[0]}"
        note = "`not` stands before what does not hold"
        return Slip("is-as-operator", left.start(1), last.end + kind.end(), note, text)
    if after.text == "empty" and left is not None:
        note = "whether a place is empty is told by its size"
        text = f"size of {left[1]} {sign} 0"
        return Slip("is-as-operator", left.start(1), after.end, note, text)
    note = f"this is written `{sign}`"
    return Slip("is-as-operator", word.start, last.end, note, sign)


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
    first, second = stop.pieces[0], stop.pieces[1] if len(stop.pieces) > 1 else NONE
    if stop.start != "header":
        return None
    if first.text == "else" and second.text == "if":
        return Slip("else-if", first.start, second.end, "this is one word", "elif")
    if first.text in ("elseif", "elsif"):
        return on(first, "else-if", "this is written `elif`", "elif")
    return None


def _for_each(stop: Stop) -> Slip | None:
    first, second = stop.pieces[0], stop.pieces[1] if len(stop.pieces) > 1 else NONE
    if first.text == "for" and second.text in ("each", "every", "all"):
        return Slip("for-each", first.start, second.end, "`for` is enough", "for")
    if first.text == "foreach":
        return on(first, "for-each", "this is written `for`", "for")
    return None


def _then_in_header(stop: Stop) -> Slip | None:
    if stop.start == "header" and stop.here.text in ("then", "do") and stop.piece(1) is NONE:
        return Slip("then-in-header", stop.position, stop.here.end, "the colon is enough", "")
    return None


def _unbounded(stop: Stop) -> Slip | None:
    is_while = stop.start == "header" and stop.pieces[0].text == "while"
    if is_while and stop.at_end and stop.accepts == {"COMMA"}:
        note = "a loop says how often it may go round"
        text = f"{stop.before.text}, at most 10"
        return on(stop.before, "loop-without-bound", note, text)
    return None


def _chooses_secretly(stop: Stop) -> Slip | None:
    if stop.before.text == "chooses" and stop.here.text == "secretly":
        note = "the words change places"
        return Slip("word-order", stop.before.start, stop.here.end, note, "secretly chooses")
    return None


def _of_by(stop: Stop) -> Slip | None:
    """`neighbors of p by Route`: behind `of` a `by` would belong to what stands around."""
    word = stop.piece(1)
    before = re.search(rf"\b(neighbors|runs) of ({_PATH})\s*$", stop.text[: stop.here.start])
    if stop.here.text != "by" or before is None or not word.is_name:
        return None
    text = f"{before[1]}({before[2]} by {word.text})"
    note = "with `by` this has parentheses"
    return Slip("word-order", before.start(), word.end, note, text)


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


def _dealt(stop: Stop) -> Slip | None:
    """A name behind the number of a deal, where no condition follows."""
    if stop.start != "line" or stop.pieces[0].text != "deal" or stop.accepts != {"WHERE"}:
        return None
    name = stop.before
    if stop.here.text == "from":
        note = f"only the number stands here, unless a condition follows: `{name.text} where ...`"
        return Slip("unexpected-word", name.start, stop.here.start, note, "")
    if stop.here.text in ("to", "onto", "under", "into", "."):
        note = "`from` is missing before this"
        return on(name, "missing-word", note, f"from {name.text}")
    return None


def _if_order(stop: Stop) -> Slip | None:
    if stop.here.text == "if" and any(p.text == "else" for p in stop.pieces[stop.index :]):
        note = "the condition stands first"
        return on(stop.here, "if-order", note, help="write `if CONDITION then VALUE else VALUE`")
    return None


def _arrow(stop: Stop) -> Slip | None:
    if stop.start == "maps" and stop.here.text in ("=>", ":", "=", "to"):
        return on(stop.here, "foreign-operator", "this is written `->`", "->")
    if stop.start == "line" and stop.here.text == "->":
        return on(stop.here, "foreign-operator", "this is written `to`", "to")
    return None


SURE: tuple[Callable[[Stop], Slip | None], ...] = (
    _glued,
    _dealt,
    _arrow,
    _else_if,
    _for_each,
    _then_in_header,
    _chooses_secretly,
    _of_by,
    _hyphen,
    _chained,
    _in_operator,
    _is_operator,
    _count_of,
    _if_order,
    _division,
    _unbounded,
)
