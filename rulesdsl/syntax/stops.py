"""Where the grammar stopped in a text, and what may be wrong there."""

from __future__ import annotations

import re
from collections.abc import Collection

from attrs import frozen

_WORD = re.compile(
    r"[^\W\d_]\w*|\d+|\.\.\.|\.\.|->|===|[-+:=!<>]=|=[!<>]|<>|&&|\|\||\*\*|//|\+\+|--|\S"
)


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


NONE = Letters(" ", 0, 0)


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
        return self.pieces[index] if 0 <= index < len(self.pieces) else NONE

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


def on(
    piece: Letters, code: str, note: str, replacement: str | None = None, help: str = ""
) -> Slip:
    """A slip that is this one piece."""
    return Slip(code, piece.start, piece.end, note, replacement, help)
