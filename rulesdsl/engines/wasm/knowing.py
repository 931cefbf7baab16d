"""What is known of pieces of the machine before they are written."""

from __future__ import annotations

from typing import get_args

from attrs import define, frozen

from rulesdsl.engines.values import OPERATIONS
from rulesdsl.machine import program as p
from rulesdsl.machine.traverse import children

UNROLLED = 96
"""Pieces that the rounds of a fold or loop may have together to be written out one by one."""
DIVISIONS = ("floordiv", "ceildiv", "mod")
CHEAP = 6
"""Pieces that a value may have to be worked out whether it is needed or not."""


@frozen
class Facts:
    """Of a piece: how much there is to write, and whether it neither takes steps nor faults."""

    size: int
    quiet: bool


_ONE = Facts(1, True)
_PIECES = {*get_args(p.Value), *get_args(p.Code), tuple}


@define(eq=False)
class Knowing:
    """Facts, each found once, with the pieces by their ids."""

    _facts: dict[int, tuple[object, Facts]]

    def of(self, node: object) -> Facts:
        found = self._facts.get(id(node))
        if found is None:
            found = self._facts[id(node)] = node, self._find(node)
        return found[1]

    def quiet(self, *nodes: object) -> bool:
        """Whether all of them take no steps and cannot fault."""
        return all(node is None or self.of(node).quiet for node in nodes)

    def _find(self, node: object) -> Facts:
        if type(node) in (p.K, p.R, p.Note):
            return _ONE
        size, quiet = 0, True
        for child in children(node):
            if type(child) in _PIECES:
                facts = self.of(child)
                size += facts.size
                quiet = quiet and facts.quiet
        match node:
            case tuple():
                return Facts(size, quiet)
            case p.Fold() | p.Loop():
                rounds = fixed_rounds(node, {})
                if rounds is not None and self.is_short(len(rounds), size):
                    size *= len(rounds)
                return Facts(size + 1, False)
            case p.Checked() | p.Check() | p.While():
                return Facts(size + 1, False)
            case p.Row():
                return Facts(size + 1, quiet and not node.checked)
            case p.Set():
                return Facts(size + 1, quiet and node.low is None and node.high is None)
            case _:
                return Facts(size + 1, quiet)

    def is_short(self, rounds: int, size: int) -> bool:
        """Whether the rounds of a loop are written out."""
        return rounds * size <= UNROLLED

    def is_cheap(self, v: p.Value) -> bool:
        """Whether a value can be worked out although it may not be needed: it reads no cell or
        row by an index, which might not be there."""
        match v:
            case p.K() | p.R():
                return True
            case p.Cell():
                return not v.terms
            case p.Op():
                safe = v.op not in DIVISIONS
                inside = self.is_cheap(v.left) and self.is_cheap(v.right)
                return safe and inside and self.of(v).size <= CHEAP
            case p.And() | p.Or():
                inside = self.is_cheap(v.left) and self.is_cheap(v.right)
                return inside and self.of(v).size <= CHEAP
            case p.Not():
                return self.is_cheap(v.operand)
            case p.Row() | p.Choice() | p.With() | p.Fold() | p.Checked():
                return False


def fixed_rounds(node: p.Fold | p.Loop, known: dict[int, int]) -> range | None:
    """The values of the register of a fold or loop, where they are always the same."""
    low, high = constant(node.low, known), constant(node.high, known)
    return None if low is None or high is None else range(low, high)


def constant(v: p.Value, known: dict[int, int]) -> int | None:
    """The number that a value always is, with registers that are known."""
    match v:
        case p.K():
            return v.value
        case p.R():
            return known.get(v.number)
        case p.Op():
            left, right = constant(v.left, known), constant(v.right, known)
            if left is None or right is None or (right == 0 and v.op in DIVISIONS):
                return None
            return OPERATIONS[v.op](lambda s, r: left, lambda s, r: right)([], {})
        case p.Row():
            index = constant(v.index, known)
            inside = index is not None and 0 <= index < len(v.data)
            return v.data[index] if index is not None and inside else None
        case _:
            return None


def is_truth(v: p.Value) -> bool:
    """Whether a value is 0 or 1."""
    match v:
        case p.K():
            return v.value in (0, 1)
        case p.Op():
            return v.op in ("eq", "ne", "lt", "le", "gt", "ge")
        case p.And() | p.Or() | p.Not():
            return True
        case p.Fold():
            return v.op in ("any", "all")
        case _:
            return False
