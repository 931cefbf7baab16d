"""Reading the text of a move: the name of an option and its arguments."""

from __future__ import annotations

from attrs import frozen

from rulesdsl.check.datatypes import (
    NONE,
    BoolType,
    IntType,
    KindType,
    MaybeType,
    PlayerType,
    SubbagType,
    Type,
)
from rulesdsl.machine.program import Argument, Option
from rulesdsl.play.words import Words

LONGEST = 1_000
"""More characters than any move has."""


@frozen
class Reading:
    """What a text says about an option: some or all of its arguments, by register."""

    option: Option
    registers: dict[int, int]


def normal(text: str) -> str:
    """Words with single blanks, in small letters."""
    return " ".join(text.casefold().split())


def split_name(text: str, name: str) -> str | None:
    """What follows the name of an option (`throw_away` or `throw away`), or None."""
    for written in (name.casefold(), name.casefold().replace("_", " ")):
        if text == written:
            return ""
        if text.startswith(f"{written} "):
            return text[len(written) + 1 :]
    return None


def readings(options: tuple[Option, ...], text: str, words: Words) -> list[Reading]:
    """Every way to read a text as a move of one of the options."""
    text = normal(text[:LONGEST])
    found = []
    for option in options:
        rest = split_name(text, option.name)
        if rest is None:
            continue
        registers = _arguments(option, [p.strip() for p in rest.split(",")] if rest else [], words)
        if registers is not None:
            found.append(Reading(option, registers))
    return found


def _arguments(option: Option, pieces: list[str], words: Words) -> dict[int, int] | None:
    """The registers that the pieces between commas set; None if they do not fit."""
    free = [a for a in option.arguments if not a.fixed]
    for bare in (list(option.arguments), free):
        registers = _assign(option, pieces, bare, words)
        if registers is not None:
            return registers
    return None


def _assign(
    option: Option, pieces: list[str], bare: list[Argument], words: Words
) -> dict[int, int] | None:
    """Pieces with a parameter's name go there, the others to the bare ones in order."""
    registers: dict[int, int] = {}
    open_ = list(bare)
    for piece in pieces:
        argument, numbers = _named(option, piece, words)
        if argument is None or numbers is None:
            if not open_:
                return None
            argument = open_[0]
            numbers = read_value(argument.type, piece, words)
        if numbers is None or argument.registers[0] in registers:
            return None
        if argument in open_:
            open_.remove(argument)
        registers.update(zip(argument.registers, numbers, strict=True))
    return registers


def _named(
    option: Option, piece: str, words: Words
) -> tuple[Argument | None, tuple[int, ...] | None]:
    for argument in option.arguments:
        rest = split_name(piece, argument.name)
        if rest:
            return argument, read_value(argument.type, rest, words)
    return None, None


def read_value(type_: Type, text: str, words: Words) -> tuple[int, ...] | None:
    """The numbers of an argument; None if the text is no value of the type."""
    match type_:
        case IntType():
            digits = text.removeprefix("-")
            return (int(text),) if digits.isascii() and digits.isdigit() else None
        case BoolType():
            truths = {"true": 1, "yes": 1, "false": 0, "no": 0}
            return (truths[text],) if text in truths else None
        case KindType():
            return _find(type_.kind.members, text)
        case PlayerType():
            return _find(words.seats, text) or _find(
                tuple(f"seat {i + 1}" for i in range(len(words.seats))), text
            )
        case MaybeType():
            return (NONE,) if text == "none" else read_value(type_.inner, text, words)
        case SubbagType():
            return _components(type_, text, words)
        case _:
            return None


def _find(names: tuple[str, ...], text: str) -> tuple[int] | None:
    """A name, with blanks or hyphens for the `_` in it if one likes."""
    wanted = _spelled(text)
    for index, name in enumerate(names):
        if _spelled(name) == wanted:
            return (index,)
    return None


def _spelled(text: str) -> str:
    return text.casefold().replace(" ", "_").replace("-", "_")


def _components(type_: SubbagType, text: str, words: Words) -> tuple[int, ...] | None:
    """`wine 2 olive_oil`: components with their counts; `nothing` is none of them."""
    names = words.members(type_.kinds)
    counts = [0] * len(names)
    left = [] if text == "nothing" else text.split()
    while left:
        number = int(left.pop(0)) if left[0].isascii() and left[0].isdigit() else 1
        for length in range(len(left), 0, -1):
            found = _find(names, " ".join(left[:length]))
            if found:
                counts[found[0]] += number
                del left[:length]
                break
        else:
            return None
    return tuple(counts)
