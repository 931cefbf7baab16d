"""Numbers that are known now, and the source of those that are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Text: TypeAlias = "int | str"
"""A number that is known now, or the source of one that is not."""

COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}
ARITHMETIC = {"add": "+", "sub": "-", "mul": "*", "floordiv": "//", "mod": "%"}
KNOWN: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "min": min,
    "max": max,
    "eq": lambda a, b: int(a == b),
    "ne": lambda a, b: int(a != b),
    "lt": lambda a, b: int(a < b),
    "le": lambda a, b: int(a <= b),
    "gt": lambda a, b: int(a > b),
    "ge": lambda a, b: int(a >= b),
}
"""What can be worked out now; a division might be by 0."""


def in_brackets(text: Text) -> str:
    return f"({text})" if isinstance(text, int) and text < 0 else str(text)


def minus(high: Text, low: Text) -> Text:
    if isinstance(high, int) and isinstance(low, int):
        return high - low
    return high if low == 0 else f"{high} - {in_brackets(low)}"


def plus(parts: list[Text] | list[str]) -> Text:
    """The sum of parts, of which some may be known."""
    known = sum(part for part in parts if isinstance(part, int))
    words = [part for part in parts if not isinstance(part, int)]
    if not words:
        return known
    if known:
        words.append(in_brackets(known))
    return f"({' + '.join(words)})" if len(words) > 1 else f"(0 + {words[0]})"


def joined(parts: list[str], word: str) -> Text:
    return parts[0] if len(parts) == 1 else f"({f' {word} '.join(parts)})"


def is_cheap(text: str) -> bool:
    """A variable, or a cell at a known place: as quick as a variable."""
    return text.isidentifier() or (text.startswith("s[") and text[2:-1].isdigit())


def word_of(name: str) -> str:
    """A name of the rules as a word of Python."""
    return "".join(char if char.isalnum() and char.isascii() else "_" for char in name) or "row"
