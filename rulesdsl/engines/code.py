"""Straight code as Python functions of a record and its registers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Protocol, TypeAlias, assert_never

from attrs import define, field

from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.values import Numbers, Registers, address, spend, value
from rulesdsl.machine.program import (
    Cell,
    Check,
    Clear,
    Code,
    Cond,
    K,
    Loop,
    Note,
    Reg,
    Rule,
    Set,
    While,
)
from rulesdsl.text.source import NOWHERE, Span

Step: TypeAlias = Callable[[Numbers, Registers], None]
"""Straight code: changes the record `s` and the registers `r`."""
Trace: TypeAlias = Callable[[Note, tuple[int, ...]], None]
"""What takes the notes, each with its values, at the moment they are made."""


class Noting(Protocol):
    """What becomes of notes in the code that is made."""

    def step(self, note: Note) -> Step | None:
        """What is done at a note; None if it is left out."""
        ...


@define(eq=False)
class Sink:
    """Where the notes go at present."""

    trace: Trace | None = None

    def step(self, note: Note) -> Step | None:
        values = [value(v) for v in note.values]

        def tell(s: Numbers, r: Registers) -> None:
            if self.trace is not None:
                self.trace(note, tuple([v(s, r) for v in values]))

        return tell


@define(eq=False)
class Fired:
    """How often each rule has been at work, by its index in the machine."""

    rules: tuple[Rule, ...]
    times: list[int] = field(init=False)
    index: dict[int, int] = field(init=False)
    """The index of a rule, by its id()."""

    def __attrs_post_init__(self) -> None:
        self.times = [0] * len(self.rules)
        self.index = {id(rule): index for index, rule in enumerate(self.rules)}

    def step(self, note: Note) -> Step | None:
        if not isinstance(note.subject, Rule):
            return None
        times, index = self.times, self.index[id(note.subject)]

        def count(s: Numbers, r: Registers) -> None:
            times[index] += 1

        return count


def sequence(code: tuple[Code, ...], noting: Noting | None) -> Step:
    """The function that carries out some code; without `noting` all notes are left out."""
    steps = [
        step
        for constant, group in groupby(code, _is_constant)
        for step in ([_constants(group)] if constant else [_step(c, noting) for c in group])
        if step is not None
    ]
    match steps:
        case []:
            return _nothing
        case [only]:
            return only
        case [first, second]:

            def both(s: Numbers, r: Registers) -> None:
                first(s, r)
                second(s, r)

            return both
    fixed = tuple(steps)

    def all_(s: Numbers, r: Registers) -> None:
        for step in fixed:
            step(s, r)

    return all_


def _nothing(s: Numbers, r: Registers) -> None:
    return None


def _step(c: Code, noting: Noting | None) -> Step | None:
    match c:
        case Set():
            return _set(c)
        case Reg():
            return _reg(c)
        case Check():
            return _check(c)
        case Cond():
            return _cond(c, noting)
        case Loop():
            return _loop(c, noting)
        case While():
            return _while(c, noting)
        case Clear():
            return _clear(c)
        case Note():
            return None if noting is None else noting.step(c)
        case _:
            assert_never(c)


def _is_constant(c: Code) -> bool:
    """Whether it only puts a constant into a cell: many such stand together."""
    match c:
        case Set(Cell(_, ()), K(), None, None):
            return True
        case _:
            return False


def _constants(code: Iterable[Code]) -> Step:
    pairs = [
        (c.cell.base, c.value.value) for c in code if isinstance(c, Set) and isinstance(c.value, K)
    ]

    def constants(s: Numbers, r: Registers) -> None:
        for at, number in pairs:
            s[at] = number

    return constants


def _set(c: Set) -> Step:
    worth, base = value(c.value), c.cell.base
    where = address(c.cell)
    if c.low is None and c.high is None:
        if not c.cell.terms:

            def store_here(s: Numbers, r: Registers) -> None:
                s[base] = worth(s, r)

            return store_here

        def store(s: Numbers, r: Registers) -> None:
            at = where(s, r)
            s[at] = worth(s, r)

        return store
    low = -(2**31) if c.low is None else c.low
    high = 2**31 - 1 if c.high is None else c.high

    def store_in_range(s: Numbers, r: Registers) -> None:
        at = where(s, r)
        new = worth(s, r)
        if not low <= new <= high:
            raise RuleFault("range", c.span, f"it would become {new}, outside {low}..{high}")
        s[at] = new

    return store_in_range


def _reg(c: Reg) -> Step:
    number, worth = c.register, value(c.value)

    def reg(s: Numbers, r: Registers) -> None:
        r[number] = worth(s, r)

    return reg


def _check(c: Check) -> Step:
    condition = value(c.condition)

    def check(s: Numbers, r: Registers) -> None:
        if not condition(s, r):
            raise RuleFault(c.fault, c.span)

    return check


def _cond(c: Cond, noting: Noting | None) -> Step:
    condition = value(c.condition)
    then, otherwise = sequence(c.then, noting), sequence(c.otherwise, noting)

    def cond(s: Numbers, r: Registers) -> None:
        if condition(s, r):
            then(s, r)
        else:
            otherwise(s, r)

    return cond


def _loop(c: Loop, noting: Noting | None) -> Step:
    register, low, high = c.register, value(c.low), value(c.high)
    body, span = sequence(c.body, noting), span_of(c.body)

    def loop(s: Numbers, r: Registers) -> None:
        begin, end = low(s, r), high(s, r)
        spend(r, max(end - begin, 1), span)
        for x in range(begin, end):
            r[register] = x
            body(s, r)

    return loop


def _while(c: While, noting: Noting | None) -> Step:
    condition, bound, body = value(c.condition), value(c.bound), sequence(c.body, noting)

    def while_(s: Numbers, r: Registers) -> None:
        for _ in range(bound(s, r)):
            spend(r, 1, c.span)
            if not condition(s, r):
                return
            body(s, r)
        if c.strict and condition(s, r):
            raise RuleFault("bound", c.span)

    return while_


def _clear(c: Clear) -> Step:
    where, zeros = address(c.cell), [0] * c.count

    def clear(s: Numbers, r: Registers) -> None:
        at = where(s, r)
        s[at : at + len(zeros)] = zeros

    return clear


def span_of(code: tuple[Code, ...]) -> Span:
    """A place in the rules for code that has none of its own: the first one inside."""
    for c in code:
        match c:
            case Reg() | Clear():
                continue
            case Cond():
                found = span_of(c.then + c.otherwise)
            case Loop():
                found = span_of(c.body)
            case Set() | Check() | While() | Note():
                found = c.span
            case _:
                assert_never(c)
        if found is not NOWHERE:
            return found
    return NOWHERE
