"""Values as Python functions of a record and its registers.

Register -1 holds how many steps are left; every fold pays for its length in advance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias, assert_never

from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.program import (
    And,
    Cell,
    Checked,
    Choice,
    Fold,
    K,
    Not,
    Op,
    Or,
    R,
    Row,
    Value,
    With,
)
from rulesdsl.text.source import Span

Numbers: TypeAlias = list[int]
Registers: TypeAlias = dict[int, int]
"""The registers that are set, by number; -1: the steps that are left."""
Fn: TypeAlias = Callable[[Numbers, Registers], int]
"""A value: from the record `s` and the registers `r`."""


def spend(r: Registers, steps: int, span: Span) -> None:
    """Pay for steps; too many in one move are a fault."""
    r[-1] -= steps
    if r[-1] < 0:
        raise RuleFault("limit", span)


def value(v: Value) -> Fn:
    """The function that evaluates a value."""
    match v:
        case K():
            return _constant(v.value)
        case R():
            return _register(v.number)
        case Cell():
            return cell(v)
        case Row():
            return _row(v)
        case Op():
            return _op(v)
        case And():
            left, right = value(v.left), value(v.right)
            return lambda s, r: 1 if left(s, r) and right(s, r) else 0
        case Or():
            left, right = value(v.left), value(v.right)
            return lambda s, r: 1 if left(s, r) or right(s, r) else 0
        case Not():
            operand = value(v.operand)
            return lambda s, r: 0 if operand(s, r) else 1
        case Choice():
            condition, then, other = value(v.condition), value(v.then), value(v.otherwise)
            return lambda s, r: then(s, r) if condition(s, r) else other(s, r)
        case With():
            return _with(v)
        case Fold():
            return _fold(v)
        case Checked():
            return _checked(v)
        case _:
            assert_never(v)


def address(c: Cell) -> Fn:
    """The function that finds the address of a cell."""
    base = c.base
    match [(value(index), stride) for index, stride in c.terms]:
        case []:
            return _constant(base)
        case [(i, m)]:
            if m == 1:
                return lambda s, r: base + i(s, r)
            return lambda s, r: base + i(s, r) * m
        case [(i, m), (j, n)]:
            return lambda s, r: base + i(s, r) * m + j(s, r) * n
        case terms:
            return lambda s, r: base + sum(index(s, r) * stride for index, stride in terms)


def cell(c: Cell) -> Fn:
    """The function that reads a cell."""
    base = c.base
    match c.terms:
        case ():
            return lambda s, r: s[base]
        case ((R(number), 1),):
            return lambda s, r: s[base + r[number]]
        case ((R(number), stride),):
            return lambda s, r: s[base + r[number] * stride]
    where = address(c)
    return lambda s, r: s[where(s, r)]


def _constant(number: int) -> Fn:
    return lambda s, r: number


def _register(number: int) -> Fn:
    return lambda s, r: r[number]


def _row(v: Row) -> Fn:
    data, index = v.data, value(v.index)
    if not v.checked:
        return lambda s, r: data[index(s, r)]

    def row(s: Numbers, r: Registers) -> int:
        i = index(s, r)
        if 0 <= i < len(data):
            return data[i]
        raise RuleFault("row", v.span, v.name)

    return row


OPERATIONS: dict[str, Callable[[Fn, Fn], Fn]] = {
    "add": lambda a, b: lambda s, r: a(s, r) + b(s, r),
    "sub": lambda a, b: lambda s, r: a(s, r) - b(s, r),
    "mul": lambda a, b: lambda s, r: a(s, r) * b(s, r),
    "min": lambda a, b: lambda s, r: min(a(s, r), b(s, r)),
    "max": lambda a, b: lambda s, r: max(a(s, r), b(s, r)),
    "floordiv": lambda a, b: lambda s, r: a(s, r) // b(s, r),
    "ceildiv": lambda a, b: lambda s, r: -(-a(s, r) // b(s, r)),
    "mod": lambda a, b: lambda s, r: a(s, r) % b(s, r),
    "eq": lambda a, b: lambda s, r: 1 if a(s, r) == b(s, r) else 0,
    "ne": lambda a, b: lambda s, r: 1 if a(s, r) != b(s, r) else 0,
    "lt": lambda a, b: lambda s, r: 1 if a(s, r) < b(s, r) else 0,
    "le": lambda a, b: lambda s, r: 1 if a(s, r) <= b(s, r) else 0,
    "gt": lambda a, b: lambda s, r: 1 if a(s, r) > b(s, r) else 0,
    "ge": lambda a, b: lambda s, r: 1 if a(s, r) >= b(s, r) else 0,
}

WITH_CONSTANT: dict[str, Callable[[Fn, int], Fn]] = {
    "add": lambda a, k: lambda s, r: a(s, r) + k,
    "sub": lambda a, k: lambda s, r: a(s, r) - k,
    "mul": lambda a, k: lambda s, r: a(s, r) * k,
    "mod": lambda a, k: lambda s, r: a(s, r) % k,
    "eq": lambda a, k: lambda s, r: 1 if a(s, r) == k else 0,
    "ne": lambda a, k: lambda s, r: 1 if a(s, r) != k else 0,
    "lt": lambda a, k: lambda s, r: 1 if a(s, r) < k else 0,
    "le": lambda a, k: lambda s, r: 1 if a(s, r) <= k else 0,
    "gt": lambda a, k: lambda s, r: 1 if a(s, r) > k else 0,
    "ge": lambda a, k: lambda s, r: 1 if a(s, r) >= k else 0,
}
"""The commonest operations once more, for a right side that is a constant: one call less."""


def _op(v: Op) -> Fn:
    if isinstance(v.right, K) and v.op in WITH_CONSTANT:
        return WITH_CONSTANT[v.op](value(v.left), v.right.value)
    return OPERATIONS[v.op](value(v.left), value(v.right))


def _with(v: With) -> Fn:
    register, bound, body = v.register, value(v.value), value(v.body)

    def with_(s: Numbers, r: Registers) -> int:
        r[register] = bound(s, r)
        return body(s, r)

    return with_


def _checked(v: Checked) -> Fn:
    condition, inner = value(v.condition), value(v.value)

    def checked(s: Numbers, r: Registers) -> int:
        if condition(s, r):
            return inner(s, r)
        raise RuleFault(v.fault, v.span)

    return checked


# ------------------------------------------------------------------ folds


def _fold(v: Fold) -> Fn:
    match v.op:
        case "sum":
            return _sum(v, value(v.body))
        case "count":
            return _sum(v, _constant(1))
        case "any":
            return _quantifier(v, stops_at=True)
        case "all":
            return _quantifier(v, stops_at=False)
        case "max":
            return _extreme(v, -1)
        case "min":
            return _extreme(v, 1)
        case "first":
            return _first(v)
        case "best":
            return _best(v)
        case other:
            raise ValueError(other)


def _members(v: Fold) -> Callable[[Numbers, Registers], Iterator[int]]:
    """Sets the register to each member of the domain in turn."""
    register, low, high, span = v.register, value(v.low), value(v.high), v.span
    where = None if v.where is None else value(v.where)

    def members(s: Numbers, r: Registers) -> Iterator[int]:
        begin, end = low(s, r), high(s, r)
        spend(r, max(end - begin, 1), span)
        for x in range(begin, end):
            r[register] = x
            if where is None or where(s, r):
                yield x

    return members


def _sum(v: Fold, body: Fn) -> Fn:
    row = _cells_in_a_row(v)
    if row is not None:
        return row
    members = _members(v)
    if v.weight is None:
        return lambda s, r: sum([body(s, r) for _ in members(s, r)])
    weight = value(v.weight)
    return lambda s, r: sum([body(s, r) * weight(s, r) for _ in members(s, r)])


def _cells_in_a_row(v: Fold) -> Fn | None:
    """The sum over cells that lie in a row (the size of a bag) at one stroke."""
    own = (R(v.register), 1)
    cells = v.body
    if v.op != "sum" or v.where or v.weight or not isinstance(cells, Cell):
        return None
    others = tuple(term for term in cells.terms if term != own)
    if len(others) != len(cells.terms) - 1 or any(not isinstance(i, (R, Cell)) for i, _ in others):
        return None
    if any(i == R(v.register) or (isinstance(i, Cell) and i.terms) for i, _ in others):
        return None
    base, low, high = address(Cell(cells.base, others)), value(v.low), value(v.high)

    def row(s: Numbers, r: Registers) -> int:
        start, begin, end = base(s, r), low(s, r), high(s, r)
        spend(r, max(end - begin, 1), v.span)
        return sum(s[start + begin : start + end])

    return row


def _quantifier(v: Fold, stops_at: bool) -> Fn:
    members, body = _members(v), value(v.body)
    found, otherwise = (1, 0) if stops_at else (0, 1)

    def quantifier(s: Numbers, r: Registers) -> int:
        for _ in members(s, r):
            if bool(body(s, r)) is stops_at:
                return found
        return otherwise

    return quantifier


def _empty(v: Fold) -> Fn:
    """The value of the empty domain."""
    if v.empty is not None:
        return value(v.empty)

    def fault(s: Numbers, r: Registers) -> int:
        raise RuleFault("empty", v.span)

    return fault


def _extreme(v: Fold, sign: int) -> Fn:
    members, body, empty = _members(v), value(v.body), _empty(v)
    choose: Callable[[Numbers], int] = min if sign > 0 else max

    def extreme(s: Numbers, r: Registers) -> int:
        found = [body(s, r) for _ in members(s, r)]
        return choose(found) if found else empty(s, r)

    return extreme


def _first(v: Fold) -> Fn:
    members, body, empty = _members(v), value(v.body), _empty(v)

    def first(s: Numbers, r: Registers) -> int:
        for _ in members(s, r):
            return body(s, r)
        return empty(s, r)

    return first


def _best(v: Fold) -> Fn:
    members, body, empty = _members(v), value(v.body), _empty(v)
    keys = [value(key) for key in v.keys]

    def best(s: Numbers, r: Registers) -> int:
        greatest: list[int] | None = None
        image = 0
        for _ in members(s, r):
            found = [key(s, r) for key in keys]
            if greatest is None or found > greatest:
                greatest, image = found, body(s, r)
        return empty(s, r) if greatest is None else image

    return best
