"""Moves: a name and arguments, a text, and a number that is the same in every state."""

from __future__ import annotations

from collections.abc import Mapping
from math import comb
from typing import TypeAlias

from attrs import define, field, frozen

from rulesdsl.check.datatypes import SubbagType, Type
from rulesdsl.machine.program import Family, Option
from rulesdsl.play.words import Words

Argument: TypeAlias = "int | bool | str | dict[str, int] | None"
"""A number, a truth, a member or player by name, none, or components with their counts."""


def say(value: Argument) -> str:
    """An argument as it stands in the text of a move."""
    match value:
        case dict():
            parts = [name if n == 1 else f"{n} {name}" for name, n in value.items()]
            return " ".join(parts) or "nothing"
        case bool():
            return "true" if value else "false"
        case None:
            return "none"
        case _:
            return str(value)


def text_of(name: str, arguments: Mapping[str, Argument]) -> str:
    """`lay grain, sold 1, donated 2`: the first argument bare, later ones with their names."""
    parts = [
        say(value) if index == 0 else f"{parameter} {say(value)}"
        for index, (parameter, value) in enumerate(arguments.items())
    ]
    return f"{name} {', '.join(parts)}" if parts else name


def vectors(members: int, most: int) -> int:
    """How many choices of at most `most` components of so many members there are."""
    return comb(members + most, members)


def rank(counts: tuple[int, ...], most: int) -> int:
    """The place of a choice of components among all of at most `most`, ordered by counts."""
    before, left = 0, most
    for index, count in enumerate(counts):
        later = len(counts) - index - 1
        before += sum(vectors(later, left - fewer) for fewer in range(count))
        left -= count
    return before


@define(eq=False)
class Form:
    """How the moves of an option are numbered and said."""

    option: Option
    family: Family
    words: Words
    places: tuple[tuple[int, ...], ...] = field(init=False)
    """For each argument, where its numbers stand among the parameters."""
    _factors: tuple[int, ...] | None = field(init=False)
    """By how much the number of a move grows with each of its parameters; None where components
    are chosen."""
    _least: int = field(init=False)
    """The number of the move whose parameters were all 0."""

    def __attrs_post_init__(self) -> None:
        at = {p.register: index for index, p in enumerate(self.option.parameters)}
        self.places = tuple(
            tuple(at[register] for register in argument.registers)
            for argument in self.option.arguments
        )
        zeros, self._factors = (0,) * len(at), None
        self._least = self.number(zeros)
        if not any(isinstance(argument.type, SubbagType) for argument in self.option.arguments):
            ones = [(*zeros[:place], 1, *zeros[place + 1 :]) for place in range(len(at))]
            self._factors = tuple(self.number(one) - self._least for one in ones)

    def number(self, values: tuple[int, ...]) -> int:
        """The number of the move with these parameters."""
        if self._factors is not None:
            return self._linear(self._factors, values)
        total = 0
        for argument, places, domain in zip(
            self.option.arguments, self.places, self.family.domains, strict=True
        ):
            _, low, high = domain
            if isinstance(argument.type, SubbagType):
                counts = tuple(values[place] for place in places)
                total = total * vectors(low, high) + rank(counts, high)
            else:
                total = total * (high - low + 1) + values[places[0]] - low
        return self.family.base + total

    def first(self, prefix: tuple[int, ...]) -> int:
        """The number of the move whose last parameter were 0; the others follow it."""
        if not prefix:
            return self._least
        if self._factors is not None:
            return self._linear(self._factors, prefix)
        return self.number((*prefix, 0))

    def _linear(self, factors: tuple[int, ...], values: tuple[int, ...]) -> int:
        number = self._least
        for factor, value in zip(factors, values, strict=False):
            number += factor * value
        return number

    def arguments(self, values: tuple[int, ...]) -> dict[str, Argument]:
        """The arguments by name, as users see them."""
        return {
            argument.name: self.argument(argument.type, [values[place] for place in places])
            for argument, places in zip(self.option.arguments, self.places, strict=True)
        }

    def argument(self, type_: Type, numbers: list[int]) -> Argument:
        if isinstance(type_, SubbagType):
            names = self.words.members(type_.kinds)
            return {name: n for name, n in zip(names, numbers, strict=True) if n}
        return self.words.value(type_, numbers[0])


class Move:
    """A move of a player. Two moves are equal if player, number, name and arguments are."""

    __slots__ = ("_arguments", "_number", "form", "name", "offer", "player", "values")

    player: int
    """The seat, counted from 0."""
    name: str
    form: Form | None
    """How it is numbered and said, if it comes from a state of the game."""
    values: tuple[int, ...]
    """Then also the parameters of its option."""
    offer: object
    """What stands for the record in which it was found to be legal, if it was."""

    def __init__(
        self, player: int, number: int, name: str, arguments: Mapping[str, Argument]
    ) -> None:
        self.player = player
        self.name = name
        self.form = self.offer = None
        self.values = ()
        self._number: int | None = number
        self._arguments: dict[str, Argument] | None = dict(arguments)

    @classmethod
    def of(
        cls,
        player: int,
        form: Form,
        values: tuple[int, ...],
        offer: object,
        number: int | None = None,
    ) -> Move:
        """A move of an option; its number and arguments are worked out when asked for."""
        move = cls.__new__(cls)
        move.player = player
        move.name = form.option.name
        move.form = form
        move.values = values
        move.offer = offer
        move._number = number
        move._arguments = None
        return move

    @property
    def number(self) -> int:
        """The same for the same name and arguments, in every state, with any options and seats."""
        if self._number is None:
            assert self.form is not None
            self._number = self.form.number(self.values)
        return self._number

    @property
    def arguments(self) -> dict[str, Argument]:
        """The arguments by the names of their parameters, in order."""
        if self._arguments is None:
            assert self.form is not None
            self._arguments = self.form.arguments(self.values)
        return self._arguments

    @property
    def text(self) -> str:
        """The move as it is written in examples and typed at the table."""
        return text_of(self.name, self.arguments)

    @property
    def choice(self) -> tuple[Option, tuple[int, ...]] | None:
        """The option and its parameters, if the move comes from a state of the game."""
        return None if self.form is None else (self.form.option, self.values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        mine = (self.player, self.number, self.name)
        if mine != (other.player, other.number, other.name):
            return False
        return self.arguments == other.arguments

    def __hash__(self) -> int:
        return hash((self.player, self.number, self.name))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.player}, {self.number}, {self.name!r}, {self.arguments!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return Move, (self.player, self.number, self.name, self.arguments)


@frozen
class MoveRange:
    """Legal moves that differ in their last argument only: a number in low..high.

    Without a range (`parameter` None) it is the one move with these arguments.
    """

    player: int
    name: str
    arguments: dict[str, Argument]
    parameter: str | None
    low: int
    high: int
    number: int
    """The number of the first move; the others follow it."""

    def __len__(self) -> int:
        return self.high - self.low + 1

    @property
    def text(self) -> str:
        """`bid 8..47`."""
        if self.parameter is None:
            return text_of(self.name, self.arguments)
        return text_of(self.name, {**self.arguments, self.parameter: f"{self.low}..{self.high}"})
