"""Checks of a move that only say how small or great its last parameter is."""

from __future__ import annotations

from attrs import frozen

from rulesdsl.machine import program as p
from rulesdsl.machine.traverse import parts

_MIRRORED = {"gt": "lt", "ge": "le", "lt": "gt", "le": "ge"}


@frozen
class Bound:
    """The least value of a parameter, or its greatest."""

    is_least: bool
    value: p.Value


def bounds_of(checks: tuple[p.Reason, ...], register: int) -> tuple[Bound, ...] | None:
    """What all checks together say of a register, if they say no more."""
    found = [bound_of(check.condition, register) for check in checks]
    bounds = tuple(bound for bound in found if bound is not None)
    return bounds if len(bounds) == len(found) else None


def bound_of(condition: p.Value, register: int) -> Bound | None:
    """What a condition says of a register, if it says no more than how small or great it is."""
    match condition:
        case p.Op(op, left, right) if op in _MIRRORED:
            one, other = _linear(left, register), _linear(right, register)
        case _:
            return None
    if one is None or other is None:
        return None
    (times, here), (less, there) = one, other
    match times - less:
        case 1:
            limit: p.Value = p.Op("sub", there, here)
        case -1:
            limit, op = p.Op("sub", here, there), _MIRRORED[op]
        case _:
            return None
    if op == "gt":
        limit = p.Op("add", limit, p.K(1))
    elif op == "lt":
        limit = p.Op("sub", limit, p.K(1))
    return Bound(op in ("gt", "ge"), limit)


def _linear(v: p.Value, register: int) -> tuple[int, p.Value] | None:
    """How often a value has the register in it, and what else there is in it, added together."""
    if all(part != p.R(register) for part in parts(v)):
        return 0, v
    match v:
        case p.R():
            return 1, p.K(0)
        case p.Op("add" | "sub", left, right):
            one, other = _linear(left, register), _linear(right, register)
            if one is None or other is None:
                return None
            sign = 1 if v.op == "add" else -1
            return one[0] + sign * other[0], p.Op(v.op, one[1], other[1])
        case p.With():
            inside = _linear(v.body, register)
            if inside is None or any(part == p.R(register) for part in parts(v.value)):
                return None
            return inside[0], p.With(v.register, v.value, inside[1])
        case _:
            return None
