"""Domains whose members are listed for each value of one expression, in constant rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, assert_never

from rulesdsl.check import model as m
from rulesdsl.machine import derived, grids, joins
from rulesdsl.machine.program import Value

Indexed: TypeAlias = m.NeighborsOf | m.Beside | m.InBag
Listed: TypeAlias = tuple[Value, Value, Callable[[Value], Value]]
"""Where the members begin and end (excluded) in a list of all, and the one at a place there."""


def indexed(domain: Indexed) -> tuple[m.Expr, Callable[[Value], Listed]]:
    """What the members depend on, and the members for its value."""
    match domain:
        case m.NeighborsOf():
            return domain.of, lambda of: joins.neighbors(domain.by, of)
        case m.Beside():
            return domain.of, lambda of: grids.beside(domain, of)
        case m.InBag():
            return domain.bag.of, lambda of: derived.in_bag(domain, of)
        case _:
            assert_never(domain)
