"""Names in reach: locals and counters by scope, and what conditions have told about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from attrs import Factory, define

from rulesdsl.check.datatypes import Type
from rulesdsl.check.model import Const, Counter, Local

Bound: TypeAlias = Local | Counter | Const


@define
class Scope:
    """Names of a body, over those of the bodies around it."""

    parent: Scope | None = None
    names: dict[str, Bound] = Factory(dict)
    narrowed: dict[int, Type] = Factory(dict)
    loops: int = 0
    """How many loops are around (for `end loop`)."""
    turns: int = 0
    """0: no loop over seats around; 1: once round; 2: turns."""
    in_phase: bool = True

    def child(self) -> Scope:
        return Scope(self, {}, {}, self.loops, self.turns, self.in_phase)

    def find(self, name: str) -> Bound | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def type_of(self, local: Local) -> Type:
        """The type of a local, as narrow as the conditions around have made it."""
        scope: Scope | None = self
        while scope is not None:
            if id(local) in scope.narrowed:
                return scope.narrowed[id(local)]
            scope = scope.parent
        return local.type

    def locals(self) -> Iterator[Local]:
        """The names in reach that never change, the innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield from (x for x in reversed(scope.names.values()) if isinstance(x, Local))
            scope = scope.parent

    def all_names(self) -> list[str]:
        names: list[str] = []
        scope: Scope | None = self
        while scope is not None:
            names += scope.names
            scope = scope.parent
        return names
