"""Components one by one: how many of each member are still to come, fixed when a loop begins."""

from __future__ import annotations

from collections.abc import Callable

from rulesdsl.check import model as m
from rulesdsl.machine import derived
from rulesdsl.machine.builder import Builder
from rulesdsl.machine.fold import add, cell, op
from rulesdsl.machine.program import Cell, Fold, K, R, Value
from rulesdsl.text.source import NOWHERE


def each_comes(domain: m.Domain) -> bool:
    """Whether a loop goes through components, equal ones one after the other."""
    return isinstance(domain, m.ComponentsOf) or (
        isinstance(domain, m.InBag) and not domain.distinct
    )


def still_to_come(b: Builder, domain: m.Domain) -> Cell:
    """A cell for each member of a kind: how many of it there are on entry."""
    match domain:
        case m.ComponentsOf():
            at, number = b.values.place(domain.place), len(domain.kind)
            at = at.of(b.hold(at.key))
            counts = [at.count(K(at.zone.offset(domain.kind) + x)) for x in range(number)]
        case m.InBag():
            column, of = domain.bag.column, b.hold(b.values.value(domain.bag.of))
            counts = [derived.bag_count(column, of, K(x)) for x in range(len(column.kind))]
        case _:
            raise AssertionError("there are no components in this")
    coming = b.local("still to come", len(counts))
    for x, count in enumerate(counts):
        b.set(nth(coming, K(x)), count)
    return coming


def nth(coming: Cell, member: Value) -> Cell:
    return cell(coming.base, *coming.terms, (member, 1))


def one_by_one(b: Builder, domain: m.ComponentsOf) -> tuple[Value, Callable[[Value], Value]]:
    """How many components come, and how the next one is taken, in the order of the kind."""
    coming = still_to_come(b, domain)
    number = K(len(domain.kind))

    def over(op_: str, where: Callable[[Value], Value], body: Callable[[Value], Value]) -> Value:
        register = b.registers.new()
        x = R(register)
        return Fold(op_, register, K(0), number, where(x), body(x), None, (), K(0), NOWHERE)

    def is_left(x: Value) -> Value:
        return op("gt", nth(coming, x), K(0))

    def taken(_: Value) -> Value:
        member = b.hold(over("first", is_left, lambda x: x))
        left = nth(coming, member)
        b.set(left, add(left, K(-1)))
        return member

    return over("sum", is_left, lambda x: nth(coming, x)), taken
