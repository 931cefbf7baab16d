"""How many steps a question can take at most: what cannot take too many need not pay."""

from __future__ import annotations

from math import comb

from rulesdsl.engines.python.measure import domain_of
from rulesdsl.machine.program import (
    And,
    Cell,
    Checked,
    Choice,
    Choose,
    Family,
    Fold,
    K,
    Not,
    Op,
    Option,
    Or,
    R,
    Row,
    Value,
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
            members = domain_of(v)
            inside = sum(map(steps_of, (v.where, v.body, v.weight, *v.keys)))
            outside = steps_of(v.low) + steps_of(v.high) + steps_of(v.empty)
            return UNKNOWN if members is None else outside + max(members, 1) * (1 + inside)


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
