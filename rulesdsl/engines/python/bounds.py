"""How many steps something can take at most: what cannot take too many need not pay."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import comb
from typing import assert_never

from rulesdsl.machine.program import (
    And,
    Cell,
    Check,
    Checked,
    Choice,
    Choose,
    Clear,
    Code,
    Cond,
    Family,
    Fold,
    K,
    Loop,
    Not,
    Note,
    Op,
    Option,
    Or,
    R,
    Reg,
    Row,
    Set,
    Value,
    While,
    With,
)

UNKNOWN = 10**9


def steps_of(v: Value | None) -> int:
    """The most steps that evaluating a value can take; UNKNOWN if that is not known."""
    match v:
        case None | K() | R():
            return 0
        case Cell():
            return sum(steps_of(index) for index, _ in v.terms)
        case Row():
            return steps_of(v.index)
        case Op() | And() | Or():
            return steps_of(v.left) + steps_of(v.right)
        case Not():
            return steps_of(v.operand)
        case Choice():
            return steps_of(v.condition) + max(steps_of(v.then), steps_of(v.otherwise))
        case With():
            return steps_of(v.value) + steps_of(v.body)
        case Checked():
            return steps_of(v.condition) + steps_of(v.value)
        case Fold():
            members = _most_members(v.low, v.high)
            inside = sum(map(steps_of, (v.where, v.body, v.weight, *v.keys)))
            outside = steps_of(v.low) + steps_of(v.high) + steps_of(v.empty)
            return outside + max(members, 1) * (1 + inside)


def _most_members(low: Value, high: Value) -> int:
    """The most members of low..<high."""
    match low, high:
        case K(a), K(b):
            return max(b - a, 0)
        case Row(index=i), Row(index=Op("add", j, K(1))) if i == j and low.data == high.data:
            # of a row of lists, one list
            return max((b - a for a, b in pairwise(low.data)), default=0)
        case _:
            return UNKNOWN


def steps_of_code(code: Iterable[Code]) -> int:
    """The most steps that code can take."""
    return sum(map(_steps_of_piece, code))


def _steps_of_piece(c: Code) -> int:
    match c:
        case Set():
            return steps_of(c.cell) + steps_of(c.value)
        case Reg():
            return steps_of(c.value)
        case Check():
            return steps_of(c.condition)
        case Cond():
            arms = max(steps_of_code(c.then), steps_of_code(c.otherwise))
            return steps_of(c.condition) + arms
        case Loop():
            rounds = _most_members(c.low, c.high)
            ends = steps_of(c.low) + steps_of(c.high)
            return ends + max(rounds, 1) * (1 + steps_of_code(c.body))
        case While():
            rounds = _most_members(K(0), c.bound)
            each = 1 + steps_of(c.condition) + steps_of_code(c.body)
            return steps_of(c.bound) + steps_of(c.condition) + rounds * each
        case Clear():
            return steps_of(c.cell)
        case Note():
            return 0
        case _:
            assert_never(c)


def steps_of_choice(stop: Choose, families: tuple[Family, ...]) -> int:
    """The most steps that finding all legal moves can take."""
    return sum(_steps_of_option(option, families[option.family]) for option in stop.options)


def _steps_of_option(option: Option, family: Family) -> int:
    total = sum(steps_of(guard.condition) for guard in option.guards)
    domains = {
        register: (domain, place)
        for argument, domain in zip(option.arguments, family.domains, strict=True)
        for place, register in enumerate(argument.registers)
    }
    complete = partly = 1
    for p in option.parameters:
        total += complete * partly * (steps_of(p.low) + steps_of(p.high) + 1)
        (kind, low, high), place = domains[p.register]
        if kind == "bag":
            # so many choices of the first members; the last one completes the argument
            partly = comb(place + 1 + high, high)
            if place == low - 1:
                complete, partly = complete * partly, 1
        else:
            complete *= max(high - low + 1, 1)
        checks = sum(steps_of(check.condition) for check in p.checks)
        total += complete * partly * (1 + checks)
    return total
