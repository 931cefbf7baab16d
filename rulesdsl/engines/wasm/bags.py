"""Loops that move all that lies in a row of cells to another row: four cells at a time.

Such a loop is what `move all from a to b` becomes: for each member what there is of it, if there
is any, is taken away here and added there.
"""

from __future__ import annotations

from attrs import frozen

from rulesdsl.engines.wasm.knowing import fixed_rounds
from rulesdsl.engines.wasm.writing import Body
from rulesdsl.machine import program as p

_LOAD = {4: "v128.load", 2: "v128.load64_zero", 1: "v128.load32_zero"}
_STORE = {4: ("v128.store", ""), 2: ("v128.store64_lane", " 0"), 1: ("v128.store32_lane", " 0")}


@frozen
class Moved:
    """The first cells of two rows of so many cells; the rows do not overlap."""

    source: p.Cell
    target: p.Cell
    count: int


def moved(loop: p.Loop, layout: p.Layout) -> Moved | None:
    """What a loop moves, if it does nothing else."""
    rounds = fixed_rounds(loop, {})
    match plain(loop.body):
        case (p.Reg(amount, p.Cell() as source), p.Cond(condition, then, ())) if (
            condition == p.Op("gt", p.R(amount), p.K(0)) and rounds
        ):
            match plain(then):
                case (p.Reg(place, p.Row() as row), *steps):
                    known = {place: row}
                case steps:
                    known = {}
            target = _target(tuple(steps), source, p.R(amount))
            if target is None:
                return None
            first = _first(source, loop.register, rounds, known)
            into = _first(target, loop.register, rounds, known)
            if first is None or into is None:
                return None
            found = Moved(first, into, len(rounds))
            return found if _are_apart(found, layout) else None
        case _:
            return None


def plain(code: tuple[p.Code, ...]) -> tuple[p.Code, ...]:
    """The code without notes that count no rule, and without conditions that only lead to such."""
    found: list[p.Code] = []
    for c in code:
        match c:
            case p.Note() if not isinstance(c.subject, p.Rule):
                continue
            case p.Cond() if not plain(c.then) and not plain(c.otherwise):
                continue
            case _:
                found.append(c)
    return tuple(found)


def _target(steps: tuple[p.Code, ...], source: p.Cell, amount: p.R) -> p.Cell | None:
    """Where the amount is added, if the steps leave nothing of it at the source."""
    match steps:
        case (p.Set(taken, p.K(0), None, None), p.Set(target, more, None, None)):
            whole = taken == source and more == p.Op("add", target, amount)
            return target if whole else None
        case _:
            return None


def _first(cell: p.Cell, register: int, rounds: range, known: dict[int, p.Row]) -> p.Cell | None:
    """The cell in the first round, if it is the one after it in each round that follows."""
    *others, (index, stride) = cell.terms or ((p.K(0), 0),)
    places = [_place(index, register, x, known) for x in rounds]
    first = places[0]
    follows = first is not None and places == list(range(first, first + len(rounds)))
    fixed = all(isinstance(i, p.R) and i.number != register for i, _ in others)
    if first is None or not follows or not fixed or stride != 1:
        return None
    if any(isinstance(i, p.R) and i.number in known for i, _ in others):
        return None
    return p.Cell(cell.base + first, tuple(others))


def _place(index: p.Value, register: int, x: int, known: dict[int, p.Row]) -> int | None:
    """An index in the round in which the register of the loop is x."""
    match index:
        case p.R(number) if number == register:
            return x
        case p.R(number) if number in known:
            return _place(known[number], register, x, known)
        case p.Op("add", p.R(number), p.K(more)) if number == register:
            return x + more
        case p.Row(_, data, inner, False):
            at = _place(inner, register, x, known)
            return data[at] if at is not None and 0 <= at < len(data) else None
        case _:
            return None


def _are_apart(found: Moved, layout: p.Layout) -> bool:
    """Whether the two rows lie in different pieces of state."""
    slots = [
        next(
            (
                s
                for s in layout.slots
                if s.base <= c.base and c.base + found.count <= s.base + s.width * s.copies
            ),
            None,
        )
        for c in (found.source, found.target)
    ]
    return None not in slots and slots[0] is not slots[1]


def put_moved(f: Body, source: tuple[str, int], target: tuple[str, int], count: int) -> None:
    """Move cells from one address to another, each a local and an offset; less than nothing is
    not moved."""
    (here, at), (there, to) = source, target
    left = count
    while left:
        width = next(width for width in _LOAD if width <= left)
        amounts = f.new("amounts", "v128")
        load, (store, lane) = _LOAD[width], _STORE[width]
        f.put(f"local.get {here}", f"{load} offset={at} align=4", "v128.const i32x4 0 0 0 0")
        f.put("i32x4.max_s", f"local.set {amounts}")
        for local, offset, change in ((here, at, "i32x4.sub"), (there, to, "i32x4.add")):
            f.put(f"local.get {local}", f"local.get {local}", f"{load} offset={offset} align=4")
            f.put(f"local.get {amounts}", change, f"{store} offset={offset} align=4{lane}")
        left, at, to = left - width, at + 4 * width, to + 4 * width
