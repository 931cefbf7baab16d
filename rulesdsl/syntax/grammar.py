"""Texts against the grammar: what it makes of them, or where it stops."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Any

from lark import Token, Tree, UnexpectedCharacters, UnexpectedToken

from rulesdsl.syntax.stops import Stop, stop_at
from rulesdsl.syntax.table import grammar


class Stopped(Exception):
    """The grammar goes on no further: the place, and the terminals that may stand there."""

    def __init__(self, position: int, accepts: Collection[str]) -> None:
        self.position = position
        self.accepts = accepts
        super().__init__(f"at {position}")


@lru_cache(maxsize=2_000)
def tree_of(start: str, text: str) -> Tree[Token]:
    """What the grammar makes of a text. Many texts stand in a file more than once."""
    parser: Any = grammar().parse_interactive(text, start=start)
    position = 0
    try:
        for token in parser.iter_parse():
            position = token.start_pos or 0
            if _is_cut(text, token):
                raise Stopped(position, parser.accepts())
        position = len(text)
        tree: Tree[Token] = parser.feed_eof()
        return tree
    except UnexpectedCharacters as error:
        raise Stopped(error.pos_in_stream or 0, parser.accepts()) from None
    except UnexpectedToken as error:
        if error.token.type != "$END":
            position = error.token.start_pos or 0
        raise Stopped(position, parser.accepts()) from None


def _is_cut(text: str, token: Token) -> bool:
    """Whether the lexer took only the first letters of a word: `from` of `fromdeck`."""
    end = token.end_pos or 0
    return _is_letter(text[end - 1 : end]) and _is_letter(text[end : end + 1])


def _is_letter(char: str) -> bool:
    return char.isalnum() or char == "_"


def depth(node: Tree[Token]) -> int:
    """How deep the parse of a text is nested."""
    deepest, level = 0, [node]
    while level:
        deepest += 1
        level = [child for tree in level for child in tree.children if isinstance(child, Tree)]
    return deepest


def stop_of(start: str, text: str) -> Stop | None:
    """Where a text stops to be what its start symbol wants; None if it never does."""
    try:
        tree_of(start, text)
    except Stopped as stopped:
        return stop_at(start, text, stopped.position, stopped.accepts)
    return None


def parses(start: str, text: str) -> bool:
    """Whether a text is what a start symbol wants."""
    return stop_of(start, text) is None
