"""What is wrong with a text that the grammar refuses, and the nearest text that it takes."""

from __future__ import annotations

from difflib import get_close_matches

from rulesdsl.syntax.grammar import parses, stop_of
from rulesdsl.syntax.slips import find_slips
from rulesdsl.syntax.stops import Letters, Slip, Stop
from rulesdsl.syntax.table import keywords
from rulesdsl.syntax.words import CALLED, RESERVED, what_may_stand

_REPAIRS = 8
_STEPS = (
    "a step is PLACE = VALUE, PLACE += VALUE, the name of a phase or procedure, or begins with let,"
    " move, deal, shuffle, roll, show, pass each, end or turn passes to"
)

_OPENERS = ("for", "if", "elif", "while", "repeat", "together", "award", "step", "depending")


def explained(stop: Stop) -> tuple[Slip, str | None]:
    """What is wrong, and the mended text if mending makes it valid."""
    slip = _known(stop) or _unexpected(stop)
    if slip.replacement is None:
        return slip, None
    return slip, _repaired(stop.start, stop.text, slip)


def _known(stop: Stop) -> Slip | None:
    return _other_form(stop) or _slip(stop) or _misspelt(stop) or _word_lacks(stop)


def _slip(stop: Stop) -> Slip | None:
    """The first slip whose mending leads on: the mended text is valid, or valid further."""
    return next((slip for slip in find_slips(stop) if _leads_on(stop, slip)), None)


def _leads_on(stop: Stop, slip: Slip) -> bool:
    if slip.replacement is None:
        return True
    after = stop_of(stop.start, _mended(stop.text, slip))
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
        stop = stop_of(start, text)
        if stop is None:
            return text
        found = _slip(stop)
    return None


def _other_form(stop: Stop) -> Slip | None:
    """A header that stands as a line, a line that stands as a header, an option as either."""
    whole = (0, len(stop.text))
    if stop.start == "line" and parses("header", stop.text):
        note = "a header ends with a colon, its steps stand below it"
        return Slip("header-without-colon", *whole, note, help=f"{stop.text}:")
    if stop.start == "line" and "(" in stop.text and parses("option", stop.text):
        note = "an option stands below `NAME chooses:` and has a colon"
        return Slip("option-outside-choice", *whole, note, help=f"{stop.text}: nothing")
    if stop.start == "header" and stop.text not in RESERVED and parses("line", stop.text):
        note = "this is a whole step; nothing stands behind or below it"
        return Slip("line-with-colon", *whole, note, help=stop.text)
    if stop.start == "header" and stop.text not in _OPENERS and parses("option", stop.text):
        note = "this is an option, and options stand below `NAME chooses:`"
        return Slip("option-outside-choice", *whole, note)
    return None


def _misspelt(stop: Stop) -> Slip | None:
    """A word of the language that is misspelt: here, or one word before."""
    for piece in (stop.here, stop.before):
        if not piece.is_name or parses(stop.start, _replaced(stop, piece, "zzz")):
            continue
        for near in get_close_matches(piece.text, keywords(), n=6, cutoff=0.5):
            if near != piece.text and parses(stop.start, _replaced(stop, piece, near)):
                note = f"did you mean `{near}`?"
                return Slip("unknown-word", piece.start, piece.end, note, near)
    return None


def _word_lacks(stop: Stop) -> Slip | None:
    """The one word that is missing before this one, or that belongs here instead of it."""
    if stop.at_end or stop.before.text in ("of", "but"):
        return None
    # `of`, `best` and `wins` would fit nearly everywhere, since any name may stand before them
    free = ("best", "wins") if stop.start == "state_type" else ("best", "wins", "of")
    words = [w for w in keywords() if w.upper() in stop.accepts and w not in free]
    here = stop.here
    lacking = [word for word in words if parses(stop.start, _before(stop, word))]
    if len(lacking) == 1:
        note = f"`{lacking[0]}` is missing before this"
        text = f"{lacking[0]} {here.text}"
        return Slip("missing-word", here.start, here.end, note, text)
    instead = [word for word in words if parses(stop.start, _replaced(stop, here, word))]
    if len(instead) == 1:
        note = f"`{instead[0]}` belongs here"
        return Slip("unknown-word", here.start, here.end, note, instead[0])
    return None


def _before(stop: Stop, word: str) -> str:
    return f"{stop.text[: stop.here.start]}{word} {stop.text[stop.here.start :]}"


def _replaced(stop: Stop, piece: Letters, word: str) -> str:
    return stop.text[: piece.start] + word + stop.text[piece.end :]


def _unexpected(stop: Stop) -> Slip:
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
