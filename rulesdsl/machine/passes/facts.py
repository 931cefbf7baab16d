"""What pieces of a machine read, found once for all passes: nodes never change."""

from __future__ import annotations

from typing import Any, NamedTuple

from attrs import define, field

from rulesdsl.machine import program as p
from rulesdsl.machine.traverse import below

_LOUD = (p.Fold, p.Checked, p.Check, p.Loop, p.While)


class Fact(NamedTuple):
    """The bases of the cells in a node, and the registers: bit n is the number n. Whether it
    takes steps or may fault."""

    cells: int
    registers: int
    loud: bool


_NOTHING = Fact(0, 0, False)


@define(eq=False)
class Facts:
    """Facts by the ids of nodes, which are kept beside."""

    _found: dict[int, tuple[object, Fact]] = field(factory=dict, init=False)

    def of(self, node: Any) -> Fact:
        """The facts of a node, or of a tuple of nodes."""
        kind = node.__class__
        if kind is p.K or node is None:
            return _NOTHING
        found = self._found.get(id(node))
        if found is None:
            found = self._found[id(node)] = node, self._find(node, kind)
        return found[1]

    def _find(self, node: Any, kind: type) -> Fact:
        if kind is p.R:
            return Fact(0, 1 << node.number, False)
        if kind is p.Op:
            # most of all values
            return _both(self.of(node.left), self.of(node.right))
        loud = kind in _LOUD or (kind is p.Row and node.checked)
        found = Fact(0, 0, True) if loud else _NOTHING
        if kind is p.Cell:
            found = Fact(1 << node.base, 0, False)
            if not node.terms:
                return found
        for child in node if kind is tuple else below(kind)(node):
            found = _both(found, self.of(child))
        return found


def _both(one: Fact, other: Fact) -> Fact:
    if other is _NOTHING:
        return one
    if one is _NOTHING:
        return other
    return Fact(one[0] | other[0], one[1] | other[1], one[2] or other[2])
