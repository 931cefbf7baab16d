"""Seat counts and options as users give them, made complete and checked."""

from __future__ import annotations

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import BoolType, IntType, KindType, Type
from rulesdsl.machine.places import Registers
from rulesdsl.machine.program import K, Layout
from rulesdsl.machine.values import Values
from rulesdsl.text.spelling import nearest


class UsageError(Exception):
    """The user's: no such option, no such value, no such number of players."""


def settle_options(
    model: m.Model, players: int | None, options: dict[str, object]
) -> tuple[int, dict[str, int]]:
    """The number of seats and the value of every option; what is not given has its default."""
    least, most = model.players
    seats = least if players is None else players
    if not least <= seats <= most:
        numbers = str(least) if least == most else f"{least} to {most}"
        raise UsageError(f"{model.title} is for {numbers} players, not for {seats}")
    for name in options:
        if name not in model.options:
            near = nearest(name, list(model.options))
            hint = f"; did you mean {near}?" if near else ""
            known = ", ".join(model.options) or "none"
            raise UsageError(f"there is no option {name}{hint} (options: {known})")
    settled: dict[str, int] = {}
    for option in model.options.values():
        if option.name in options:
            settled[option.name] = option_value(option, options[option.name])
        else:
            settled[option.name] = default_of(model, option, seats, settled)
    return seats, settled


def default_of(model: m.Model, option: m.Option, seats: int, settled: dict[str, int]) -> int:
    """The default of an option, given those that stand before it."""
    # a default depends on nothing that lies anywhere
    values = Values(model, seats, settled, Layout(seats), Registers())
    value = values.value(option.default)
    assert isinstance(value, K)
    return value.value


def option_value(option: m.Option, given: object) -> int:
    """A value of an option from what was given: a number, a truth, or a word."""
    match option.type:
        case BoolType():
            words = {"true": 1, "false": 0, "yes": 1, "no": 0, "on": 1, "off": 0, "1": 1, "0": 0}
            word = str(given).lower()
            if word in words:
                return words[word]
        case KindType(kind):
            if str(given) in kind.members:
                return kind.members.index(str(given))
        case IntType(low, high):
            text = str(given)
            if text.lstrip("-").isdecimal() and low <= int(text) <= high:
                return int(text)
        case _:
            pass
    raise UsageError(f"option {option.name} is {allowed(option.type)}, not {given}")


def allowed(type_: Type) -> str:
    """What an option can be, in words."""
    match type_:
        case KindType(kind):
            return " or ".join(kind.members)
        case _:
            return str(type_)


def option_text(option: m.Option, value: int) -> str:
    """A value of an option as a user writes it."""
    match option.type:
        case BoolType():
            return "true" if value else "false"
        case KindType(kind):
            return kind.members[value]
        case _:
            return str(value)
