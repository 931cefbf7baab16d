"""Numbers of moves: a family for each option name and argument types, the same everywhere.

The domain of a number argument is the hull of its intervals over all choices, so numbers do not
change with seats, options or the place in the game.
"""

from __future__ import annotations

from math import comb
from typing import TypeAlias

from attrs import Factory, define

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import (
    NONE,
    BoolType,
    IntType,
    KindType,
    MaybeType,
    NoneType,
    PlayerType,
    SubbagType,
    Type,
)
from rulesdsl.check.walk import all_bodies, nodes
from rulesdsl.machine.program import Family

Domain: TypeAlias = tuple[str, int, int]
Key: TypeAlias = tuple[str, tuple[str, ...]]


@define
class Families:
    """The families of a rule file in the order in which their names first stand in it."""

    model: m.Model
    domains: dict[Key, list[Domain]] = Factory(dict)

    def index(self, name: str, types: tuple[Type, ...]) -> int:
        return list(self.domains).index(self._key(name, types))

    def add(self, name: str, types: tuple[Type, ...]) -> None:
        mine = [self._domain(type_) for type_ in types]
        key = self._key(name, types)
        if key in self.domains:
            mine = [_hull(a, b) for a, b in zip(self.domains[key], mine, strict=True)]
        self.domains[key] = mine

    def _key(self, name: str, types: tuple[Type, ...]) -> Key:
        return name, tuple("int" if isinstance(t, IntType) else str(t) for t in types)

    def _domain(self, type_: Type) -> Domain:
        match type_:
            case IntType():
                return "range", type_.low, type_.high
            case BoolType():
                return "range", 0, 1
            case KindType():
                return "range", 0, len(type_.kind) - 1
            case PlayerType():
                return "range", 0, self.model.players[1] - 1
            case MaybeType():
                return "range", NONE, self._domain(type_.inner)[2]
            case NoneType():
                return "range", NONE, NONE
            case SubbagType():
                return "bag", sum(len(kind) for kind in type_.kinds), type_.most
            case _:
                raise AssertionError(f"no argument of a move is {type_}")

    def finish(self) -> tuple[Family, ...]:
        """The families with the numbers of their first moves."""
        families: list[Family] = []
        base = 0
        for (name, _), domains in self.domains.items():
            size = 1
            for domain in domains:
                size *= size_of(domain)
            families.append(Family(name, tuple(domains), base, size))
            base += size
        return tuple(families)


def size_of(domain: Domain) -> int:
    """How many values an argument can have."""
    shape, low, high = domain
    return comb(low + high, high) if shape == "bag" else high - low + 1


def _hull(a: Domain, b: Domain) -> Domain:
    if a[0] == "bag":
        return "bag", a[1], max(a[2], b[2])
    return "range", min(a[1], b[1]), max(a[2], b[2])


def families_of(model: m.Model) -> Families:
    """All families of a rule file."""
    families = Families(model)
    for body in all_bodies(model):
        for node in nodes(body.steps):
            if isinstance(node, m.ChooseStep):
                for option in node.options:
                    families.add(option.name, tuple(p.local.type for p in option.parameters))
                if node.bound is not None:
                    families.add("done", ())
            elif isinstance(node, m.ForStep) and node.chooser is not None:
                families.add("next", (node.binder.type,))
    return families
