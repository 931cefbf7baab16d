"""What a player does wrong: a move that cannot be read, means several things, or is not allowed."""

from __future__ import annotations

from rulesdsl.syntax.cites import Cite
from rulesdsl.text.source import Span


class MoveError(Exception):
    """The player's; the state is as it was. `move` is what was asked for."""

    def __init__(self, move: str, message: str) -> None:
        self.move = move
        self.message = message
        super().__init__(message)


class UnreadableMove(MoveError):
    """The text is no move of this game."""


class AmbiguousMove(MoveError):
    """The text fits several legal moves; `moves` are their texts."""

    def __init__(self, move: str, message: str, moves: tuple[str, ...] = ()) -> None:
        super().__init__(move, message)
        self.moves = moves


class IllegalMove(MoveError):
    """The rules forbid it: where they say so, and by which sources."""

    def __init__(self, move: str, message: str, span: Span, cites: tuple[Cite, ...] = ()) -> None:
        super().__init__(move, message)
        self.span = span
        self.cites = cites


class NotYourTurn(MoveError):
    """Somebody else has to act, or chance, or nobody any more."""
