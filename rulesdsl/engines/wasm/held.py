"""Cells that are read once while moves are listed, since nothing changes them on the way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import assert_never

from attrs import evolve, frozen

from rulesdsl.engines.wasm.knowing import DIVISIONS, constant, fixed_rounds
from rulesdsl.machine import program as p
from rulesdsl.machine.traverse import children

MOST = 24
"""Cells that are held at once: more would not stay in the processor's registers."""


@frozen
class Names:
    """What registers are known to be: numbers, or what other registers and cells hold."""

    known: Mapping[int, int]
    same: Mapping[int, p.Value | None]
    """None is a value that has no name."""

    def resolved(self, v: p.Value) -> p.Value | None:
        """A value with known registers replaced, where it is no more than a register or cell."""
        number = constant(v, dict(self.known))
        if number is not None:
            return p.K(number)
        match v:
            case p.R():
                return self.same.get(v.number, v)
            case p.Cell():
                return self.cell(v)
            case _:
                return None

    def cell(self, c: p.Cell) -> p.Cell | None:
        """A cell with known registers in its indexes replaced."""
        base, terms = c.base, []
        for index, stride in c.terms:
            found = self.resolved(index)
            match found:
                case None:
                    return None
                case p.K():
                    base += found.value * stride
                case _:
                    terms.append((found, stride))
        return p.Cell(base, tuple(terms))

    def having(self, register: int, value: p.Value) -> Names:
        """With a register that gets a value."""
        found = self.resolved(value)
        known = {n: x for n, x in self.known.items() if n != register}
        same = {n: x for n, x in self.same.items() if n != register}
        match found:
            case p.K():
                known[register] = found.value
            case _:
                same[register] = found
        return evolve(self, known=known, same=same)


def always_read(v: p.Value, names: Names) -> Iterator[p.Cell]:
    """The cells that are read whenever a value is worked out, each after those of its indexes."""
    match v:
        case p.K() | p.R():
            pass
        case p.Cell():
            for index, _ in v.terms:
                yield from always_read(index, names)
            found = names.cell(v)
            if found is not None:
                yield found
        case p.And() | p.Or():
            yield from always_read(v.left, names)
        case p.Choice():
            yield from always_read(v.condition, names)
        case p.With():
            yield from always_read(v.value, names)
            yield from always_read(v.body, names.having(v.register, v.value))
        case p.Fold():
            rounds = fixed_rounds(v, dict(names.known))
            if rounds:
                first = names.having(v.register, p.K(rounds.start))
                yield from always_read(v.where or v.body, first)
        case p.Checked():
            yield from always_read(v.condition, names)
        case p.Op():
            yield from always_read(v.left, names)
            yield from always_read(v.right, names)
        case p.Not():
            yield from always_read(v.operand, names)
        case p.Row():
            yield from always_read(v.index, names)
        case _:
            assert_never(v)


def may_be_read(v: object, names: Names) -> Iterator[p.Cell]:
    """The cells that may be read while a value is worked out, as often as they are written."""
    match v:
        case p.Cell():
            found = names.cell(v)
            if found is not None:
                yield found
        case p.With():
            yield from may_be_read(v.value, names)
            yield from may_be_read(v.body, names.having(v.register, v.value))
            return
        case p.Fold():
            rounds = fixed_rounds(v, dict(names.known))
            for x in rounds or ():
                inside = names.having(v.register, p.K(x))
                for part in (v.where, v.body, v.weight, v.keys):
                    yield from may_be_read(part, inside)
            yield from may_be_read(v.empty, names)
            return
    for child in children(v):
        yield from may_be_read(child, names)


def is_free(v: p.Value, names: Names, read: Collection[p.Cell]) -> bool:
    """Whether a value can be worked out although it may not be needed, `read` being cells that are
    read in any case: it does not fault and reads nothing that might not be there."""
    match v:
        case p.K() | p.R():
            return True
        case p.Cell():
            found = names.cell(v)
            return found is not None and (not found.terms or found in read)
        case p.Row():
            return constant(v, dict(names.known)) is not None
        case p.Op(op, left, right):
            both = is_free(left, names, read) and is_free(right, names, read)
            return both and op not in DIVISIONS
        case p.And(left, right) | p.Or(left, right):
            return is_free(left, names, read) and is_free(right, names, read)
        case p.Not():
            return is_free(v.operand, names, read)
        case p.Choice():
            three = (v.condition, v.then, v.otherwise)
            return all(is_free(part, names, read) for part in three)
        case p.With():
            inside = names.having(v.register, v.value)
            return is_free(v.value, names, read) and is_free(v.body, inside, read)
        case p.Fold("sum" | "count" | "any" | "all"):
            return are_free((v.where, v.body, v.weight), v, names, lambda _: read)
        case p.Fold() | p.Checked():
            return False
        case _:
            assert_never(v)


def are_free(
    parts: tuple[p.Value | None, ...],
    loop: p.Fold,
    names: Names,
    read: Callable[[Names], Collection[p.Cell]],
) -> bool:
    """Whether the parts of a fold are free in each of its rounds."""
    rounds = fixed_rounds(loop, dict(names.known))
    if rounds is None or len(rounds) > MOST:
        return False
    inside = [names.having(loop.register, p.K(x)) for x in rounds]
    some = [part for part in parts if part is not None]
    return all(is_free(part, one, read(one)) for one in inside for part in some)


def to_hold(
    now: Iterable[p.Value], later: Iterable[object], held: Iterable[p.Cell], names: Names
) -> list[p.Cell]:
    """Cells worth to be held from here on, where the values `now` are worked out in any case.

    They are the cells that these read, and others beside them by the same indexes, if what is
    worked out `later` reads them again.
    """
    before, found = set(held), list[p.Cell]()
    read = [cell for v in now for cell in always_read(v, names)]
    again = [cell for v in later for cell in may_be_read(v, names)]
    indexes = {cell.terms for cell in read}
    for cell in (*read, *again):
        if cell.terms in indexes and cell not in before and again.count(cell) > 1:
            before.add(cell)
            found.append(cell)
    return found[:MOST]
