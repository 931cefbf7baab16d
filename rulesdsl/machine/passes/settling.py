"""Values with other values in the place of cells and registers, and what is settled by that."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from attrs import evolve, frozen

from rulesdsl.machine import program as p
from rulesdsl.machine.fold import cell, choose, negate, op
from rulesdsl.machine.traverse import is_quiet

Place: TypeAlias = p.Cell | p.R
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


@frozen
class Settling:
    """Makes values anew; `instead` gives what to put for a cell (its indexes made anew) or a
    register."""

    instead: Callable[[Place], p.Value]

    def value(self, v: p.Value) -> p.Value:
        """The value itself, if nothing in it changes."""
        match v:
            case p.K():
                return v
            case p.R():
                return self.instead(v)
            case p.Cell():
                return self.instead(self.cell(v))
            case p.Op():
                return self._operation(v)
            case p.And() | p.Or():
                left, right = self.value(v.left), self.value(v.right)
                if left is v.left and right is v.right:
                    return v
                return _joined(v.__class__, left, right)
            case p.Not():
                operand = self.value(v.operand)
                return v if operand is v.operand else negate(operand)
            case p.Row():
                index = self.value(v.index)
                return v if index is v.index else _looked_up(evolve(v, index=index))
            case p.Choice():
                condition = self.value(v.condition)
                then, otherwise = self.value(v.then), self.value(v.otherwise)
                same = condition is v.condition and then is v.then and otherwise is v.otherwise
                return v if same else choose(condition, then, otherwise)
            case p.With():
                value, body = self.value(v.value), self.value(v.body)
                same = value is v.value and body is v.body
                return v if same else p.With(v.register, value, body)
            case p.Checked():
                condition, value = self.value(v.condition), self.value(v.value)
                if isinstance(condition, p.K) and condition.value:
                    return value
                same = condition is v.condition and value is v.value
                return v if same else p.Checked(condition, value, v.fault, v.span)
            case p.Fold():
                return self._fold(v)

    def cell(self, v: p.Cell) -> p.Cell:
        """The cell with its indexes made anew."""
        if not v.terms:
            return v
        terms = [(index if _is_me(index) else self.value(index), by) for index, by in v.terms]
        if all(new[0] is old[0] for new, old in zip(terms, v.terms, strict=True)):
            return v
        return cell(v.base, *terms)

    def _operation(self, v: p.Op) -> p.Value:
        left, right = self.value(v.left), self.value(v.right)
        if left is v.left and right is v.right:
            return v
        return op(v.op, left, right)

    def _fold(self, v: p.Fold) -> p.Value:
        changes: dict[str, object] = {}
        for name in ("low", "high", "where", "body", "weight", "empty"):
            old = getattr(v, name)
            new = None if old is None else self.value(old)
            if new is not old:
                changes[name] = new
        keys = tuple(map(self.value, v.keys))
        if any(new is not old for new, old in zip(keys, v.keys, strict=True)):
            changes["keys"] = keys
        return evolve(v, **changes) if changes else v  # type: ignore[arg-type]


def _joined(kind: type[p.And | p.Or], left: p.Value, right: p.Value) -> p.Value:
    """`and` or `or`: the value is 0 or 1, and what stands on the right may not be asked."""
    neutral = kind is p.And
    if isinstance(left, p.K):
        if bool(left.value) != neutral:
            return p.K(int(not neutral))
        if _is_truth(right):
            return right
    if isinstance(right, p.K):
        if bool(right.value) == neutral:
            return left if _is_truth(left) else kind(left, right)
        if is_quiet(left):
            return p.K(int(not neutral))
    return kind(left, right)


def _is_truth(v: p.Value) -> bool:
    """Whether a value is 0 or 1 by its form."""
    match v:
        case p.K():
            return v.value in (0, 1)
        case p.Op():
            return v.op in _COMPARISONS
        case p.Fold():
            return v.op in ("any", "all")
        case _:
            return isinstance(v, (p.And, p.Or, p.Not))


def _is_me(index: p.Value) -> bool:
    """Whose a seat's own cells are is always told by `me` itself."""
    return isinstance(index, p.Cell) and index.base == p.ME


def _looked_up(row: p.Row) -> p.Value:
    index = row.index
    if isinstance(index, p.K) and 0 <= index.value < len(row.data):
        return p.K(row.data[index.value])
    return row
