"""What is known of cells inside a block is used, instead of loading them again.

Known are constants, registers, and what the block itself has stored: that is put into a register
where it is read later on. Numbers last from block to block. Conditions that are known by then are
settled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias, get_args

from attrs import define, evolve, field

from rulesdsl.machine import program as p
from rulesdsl.machine.fold import cell
from rulesdsl.machine.passes.facts import Facts
from rulesdsl.machine.passes.lasting import Lasting
from rulesdsl.machine.passes.settling import Place, Settling
from rulesdsl.machine.traverse import mapped, parts, pieces_of, varying


def forwarded(machine: p.Machine, facts: Facts) -> p.Machine:
    """The same with known values in the place of cells."""
    several = varying(machine)
    lasting, registers = Lasting(machine, several), _Registers(machine.registers, several)
    slots = first_of_slots(machine)
    blocks = []
    for block, numbers in zip(machine.blocks, lasting.blocks, strict=True):
        inside = _Inside(registers, slots, dict(numbers or {}))
        code = inside.body(block.code)
        end = inside.end(block.end)
        new = tuple(_written(code))
        blocks.append(evolve(block, code=new, end=end) if inside.changed else block)
    stops = tuple(
        _asked(stop, numbers or {}, facts)
        for stop, numbers in zip(machine.stops, lasting.stops, strict=True)
    )
    return evolve(machine, blocks=tuple(blocks), stops=stops, registers=registers.used)


def _asked(stop: p.Stop, numbers: dict[int, int], facts: Facts) -> p.Stop:
    """A stop with known numbers in what is asked there."""
    known = sum(1 << cell for cell in numbers)

    def instead(place: Place) -> p.Value:
        if isinstance(place, p.R) or place.terms or place.base not in numbers:
            return place
        return p.K(numbers[place.base])

    def change(node: Any) -> Any:
        if not facts.of(node).cells & known:
            return node
        return settling.value(node) if isinstance(node, _VALUES) else mapped(node, change)

    settling = Settling(instead)
    stop = change(stop)
    if isinstance(stop, p.Choose) and stop.known:
        names = tuple((name, settling.value(value)) for name, value in stop.known)
        stop = evolve(stop, known=names)
    return stop


@define
class _Registers:
    """How many registers a machine has, and those that are set in several places."""

    used: int
    varying: set[int]

    def new(self) -> int:
        self.used += 1
        return self.used - 1


def first_of_slots(machine: p.Machine) -> list[int]:
    """For each cell the first one of its slot: an index leads only to others of the same."""
    first = [p.AT, p.PHASE, p.ME, p.WINNER, *[p.POINTS] * machine.seats]
    first += [0] * (machine.layout.cells - len(first))
    for slot in machine.layout.slots:
        end = slot.base + slot.width * slot.copies
        first[slot.base : end] = [slot.base] * (end - slot.base)
    return first


@define(eq=False)
class _Stored:
    """A piece that stores, and the register with its value as soon as somebody wants it."""

    piece: p.Set
    register: int | None = None


_Written: TypeAlias = p.Code | _Stored
_VALUES = get_args(p.Value)
_Known: TypeAlias = dict[p.Cell, p.K | p.R | _Stored]


def _written(code: Iterable[_Written]) -> Iterator[p.Code]:
    for piece in code:
        if not isinstance(piece, _Stored):
            yield piece
        elif piece.register is None:
            yield piece.piece
        else:
            yield p.Reg(piece.register, piece.piece.value)
            yield evolve(piece.piece, value=p.R(piece.register))


@define(eq=False)
class _Inside:
    """Goes through the code of one block."""

    registers: _Registers
    slots: list[int]
    numbers: dict[int, int]
    """Cells that have held a number since before the block."""
    known: _Known = field(factory=dict)
    alias: dict[int, p.K | p.R] = field(factory=dict)
    changed: bool = False
    settling: Settling = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.settling = Settling(self.instead)

    # ---------------------------------------------------------------- values

    def instead(self, place: Place) -> p.Value:
        """What is known of a cell or register."""
        if isinstance(place, p.R):
            return self.alias.get(place.number, place)
        found = self.known.get(place)
        if found is None and not place.terms and place.base in self.numbers:
            return p.K(self.numbers[place.base])
        if not isinstance(found, _Stored):
            return place if found is None else found
        if found.register is None:
            found.register = self.registers.new()
        return p.R(found.register)

    def value(self, v: p.Value) -> p.Value:
        new = self.settling.value(v)
        self.changed = self.changed or new is not v
        return new

    def _is_fixed(self, v: p.Value) -> bool:
        """Whether a value stays what it is as long as it can be read."""
        return isinstance(v, p.K) or (isinstance(v, p.R) and v.number not in self.registers.varying)

    def _can_be_known(self, v: p.Cell) -> bool:
        return v.base not in (p.AT, p.ME) and all(self._is_index(i) for i, _ in v.terms)

    def _is_index(self, v: p.Value) -> bool:
        """Whether an index leads to the same cell as long as `me` is the same."""
        match v:
            case p.Op():
                return self._is_index(v.left) and self._is_index(v.right)
            case p.Row():
                return not v.checked and self._is_index(v.index)
            case _:
                return self._is_fixed(v) or v == _ME

    # ---------------------------------------------------------------- what becomes unknown

    def _forget(self, target: p.Cell) -> None:
        """Of the cells that may be a target nothing is known any more."""
        self.numbers.pop(target.base, None)
        first = self.slots[target.base]
        for place in list(self.known):
            if target.base == p.ME:
                gone = any(_ME in parts(index) for index, _ in place.terms)
            elif place.terms or target.terms:
                gone = self.slots[place.base] == first
            else:
                gone = place.base == target.base
            if gone:
                del self.known[place]

    def _forget_written(self, code: Iterable[p.Code]) -> None:
        for piece in pieces_of(code):
            match piece:
                case p.Set():
                    self._forget(piece.cell)
                case p.Clear():
                    self._forget_all(piece)
                case _:
                    pass

    def _forget_all(self, piece: p.Clear) -> None:
        self.numbers.pop(piece.cell.base, None)
        first = self.slots[piece.cell.base]
        for place in list(self.known):
            if self.slots[place.base] == first:
                del self.known[place]

    # ---------------------------------------------------------------- code

    def body(self, code: Iterable[p.Code]) -> list[_Written]:
        return [new for piece in code for new in self._piece(piece)]

    def _inner(self, code: Iterable[p.Code]) -> tuple[p.Code, ...]:
        return tuple(_written(self.body(code)))

    def _piece(self, piece: p.Code) -> Iterable[_Written]:
        match piece:
            case p.Set():
                return self._set(piece)
            case p.Reg():
                return self._reg(piece)
            case p.Check():
                return self._check(piece)
            case p.Cond():
                return self._cond(piece)
            case p.Loop():
                return self._loop(piece)
            case p.While():
                bound = self.value(piece.bound)
                self._forget_written(piece.body)
                condition = self.value(piece.condition)
                body = self._repeated(piece.body)
                return (evolve(piece, condition=condition, bound=bound, body=body),)
            case p.Clear():
                target = self._target(piece.cell)
                self._forget_all(piece)
                return (piece if target is piece.cell else evolve(piece, cell=target),)
            case p.Note():
                values = tuple(map(self.value, piece.values))
                same = all(new is old for new, old in zip(values, piece.values, strict=True))
                return (piece if same else evolve(piece, values=values),)

    def _target(self, target: p.Cell) -> p.Cell:
        new = self.settling.cell(target)
        self.changed = self.changed or new is not target
        return new

    def _set(self, piece: p.Set) -> Iterable[_Written]:
        target, value = self._target(piece.cell), self.value(piece.value)
        low, high = piece.low, piece.high
        if isinstance(value, p.K) and _inside(value.value, low, high):
            low = high = None
        if low is None and high is None and self._holds(target, value):
            self.changed = True
            return ()
        if target is not piece.cell or value is not piece.value or low is not piece.low:
            self.changed = True
            piece = p.Set(target, value, low, high, piece.span)
        self._forget(target)
        if not self._can_be_known(target):
            return (piece,)
        if isinstance(value, (p.K, p.R)):
            if self._is_fixed(value):
                self.known[target] = value
            return (piece,)
        stored = self.known[target] = _Stored(piece)
        return (stored,)

    def _holds(self, target: p.Cell, value: p.Value) -> bool:
        """Whether a cell is known to hold a value."""
        if isinstance(value, p.K) and not target.terms and target.base in self.numbers:
            return self.numbers[target.base] == value.value
        return self.known.get(target) == value

    def _reg(self, piece: p.Reg) -> Iterable[_Written]:
        value = self.value(piece.value)
        if piece.register not in self.registers.varying:
            if isinstance(value, (p.K, p.R)) and self._is_fixed(value):
                self.alias[piece.register] = value
                self.changed = True
                return ()
            if isinstance(value, p.Cell) and self._can_be_known(value):
                self.known[value] = p.R(piece.register)
        return (piece if value is piece.value else p.Reg(piece.register, value),)

    def _check(self, piece: p.Check) -> Iterable[_Written]:
        condition = self.value(piece.condition)
        if isinstance(condition, p.K) and condition.value:
            self.changed = True
            return ()
        return (piece if condition is piece.condition else evolve(piece, condition=condition),)

    def _cond(self, piece: p.Cond) -> Iterable[_Written]:
        condition = self.value(piece.condition)
        if isinstance(condition, p.K):
            return self.body(piece.then if condition.value else piece.otherwise)
        before = dict(self.known)
        then, after_then = self._inner(piece.then), self.known
        self.known = dict(before)
        otherwise = self._inner(piece.otherwise)
        self.known = {
            place: value
            for place, value in before.items()
            if after_then.get(place) is value and self.known.get(place) is value
        }
        return (p.Cond(condition, then, otherwise),)

    def _loop(self, piece: p.Loop) -> Iterable[_Written]:
        low, high = self.value(piece.low), self.value(piece.high)
        if isinstance(low, p.K) and isinstance(high, p.K) and high.value <= low.value + 1:
            if high.value <= low.value:
                self.changed = True
                return ()
            if piece.register not in self.registers.varying:
                self.changed = True
                self.alias[piece.register] = low
                return self.body(piece.body)
        body = self._repeated(piece.body)
        return (evolve(piece, low=low, high=high, body=body),)

    def _repeated(self, code: tuple[p.Code, ...]) -> tuple[p.Code, ...]:
        """A body that is carried out again and again: what it writes is unknown in it."""
        self._forget_written(code)
        before = dict(self.known)
        body = self._inner(code)
        self.known = before
        return body

    def end(self, end: p.End) -> p.End:
        match end:
            case p.Branch():
                condition = self.value(end.condition)
                if isinstance(condition, p.K):
                    return p.Jump(end.then if condition.value else end.otherwise)
                same = condition is end.condition
                return end if same else p.Branch(condition, end.then, end.otherwise)
            case p.Switch():
                value = self.value(end.value)
                if isinstance(value, p.K):
                    return p.Jump(dict(end.blocks)[value.value])
                return end if value is end.value else p.Switch(value, end.blocks)
            case p.Jump() | p.Halt():
                return end


_ME = cell(p.ME)


def _inside(number: int, low: int | None, high: int | None) -> bool:
    return (low is None or low <= number) and (high is None or number <= high)
