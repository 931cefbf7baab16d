"""What is known of a value by its form: its size, what it reads, whether it is 1 or 0."""

from __future__ import annotations

from rulesdsl.engines.python.texts import COMPARE
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


def size(v: object) -> int:
    """About how much there is to evaluate."""
    match v:
        case K() | R() | None:
            return 1
        case Cell():
            return 1 + sum(size(index) for index, _ in v.terms)
        case Row():
            return 1 + size(v.index)
        case Op() | And() | Or():
            return 1 + size(v.left) + size(v.right)
        case Not():
            return size(v.operand)
        case Choice():
            return 1 + size(v.condition) + size(v.then) + size(v.otherwise)
        case With():
            return size(v.value) + size(v.body)
        case Checked():
            return 1 + size(v.condition) + size(v.value)
        case Fold():
            inner = sum(map(size, (v.where, v.body, v.weight, *v.keys)))
            return (domain_of(v) or 20) * inner
    raise TypeError(v)


def domain_of(v: Fold) -> int | None:
    """How many members its domain has, if that is known."""
    if isinstance(v.low, K) and isinstance(v.high, K):
        return max(v.high.value - v.low.value, 0)
    return None


def row_of_cells(v: Fold) -> Cell | None:
    """The cell before the first, if it is the sum of cells that lie in a row."""
    own = (R(v.register), 1)
    if v.op != "sum" or v.where or v.weight or not isinstance(v.body, Cell):
        return None
    others = tuple(term for term in v.body.terms if term != own)
    if len(others) != len(v.body.terms) - 1 or any(mentions(i, v.register) for i, _ in others):
        return None
    return Cell(v.body.base, others)


def collected(c: Cell) -> Cell:
    """The cell with what is added to its indices in its base."""
    base, terms = c.base, []
    for index, stride in c.terms:
        match index:
            case Op("add", K(more), rest) | Op("add", rest, K(more)):
                base += more * stride
                terms.append((rest, stride))
            case _:
                terms.append((index, stride))
    return Cell(base, tuple(terms))


def mentions(v: object, register: int) -> bool:
    """Whether a value reads a register."""
    match v:
        case R(number):
            return number == register
        case K() | None:
            return False
        case Cell():
            return any(mentions(index, register) for index, _ in v.terms)
        case Row():
            return mentions(v.index, register)
        case Op() | And() | Or():
            return mentions(v.left, register) or mentions(v.right, register)
        case Not():
            return mentions(v.operand, register)
        case Choice():
            return any(mentions(x, register) for x in (v.condition, v.then, v.otherwise))
        case With():
            return mentions(v.value, register) or mentions(v.body, register)
        case Checked():
            return mentions(v.condition, register) or mentions(v.value, register)
        case Fold():
            inside = (v.low, v.high, v.where, v.body, v.weight, *v.keys, v.empty)
            return any(mentions(x, register) for x in inside)
    raise TypeError(v)


def is_truth(v: Value) -> bool:
    """Whether it is 1 or 0 by its form."""
    match v:
        case Op():
            return v.op in COMPARE
        case And() | Or() | Not():
            return True
        case Fold():
            return v.op in ("any", "all")
        case _:
            return False
