"""Which cells hold a known number wherever a block begins or the game rests.

Facts flow from the start of the game along all ways that can be taken. From outside (by examples,
say) only declared state is ever set, so nothing is followed but the phase and locals that all
seats share.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import TypeAlias

from attrs import define, field

from rulesdsl.machine import program as p
from rulesdsl.machine.fold import worked_out
from rulesdsl.machine.traverse import after_stop, pieces_of, waiting_in

Numbers: TypeAlias = dict[int, int]
"""Known numbers by the cells or registers that hold them."""


@define(eq=False)
class Lasting:
    """What is known by block and by stop; None of one that is never reached."""

    machine: p.Machine
    several: set[int]
    """The registers that code sets in several places."""
    blocks: list[Numbers | None] = field(init=False)
    stops: list[Numbers | None] = field(init=False)
    _registers: dict[int, p.Value] = field(init=False)
    """Values of the registers that are set in one place, outside of all bodies."""
    _followed: set[int] = field(init=False)
    _code: list[list[p.Code]] = field(init=False)
    """By block, the stores in cells that are followed, and in registers that may be known."""
    _waiting: dict[int, list[int]] = field(init=False)
    """By the stop of a region, those at which seats may wait."""

    def __attrs_post_init__(self) -> None:
        machine = self.machine
        pieces = [piece for block in machine.blocks for piece in block.code]
        self._registers = {
            piece.register: piece.value
            for piece in pieces
            if isinstance(piece, p.Reg) and piece.register not in self.several
        }
        self._followed = self._worth_following(pieces)
        self._code = [list(filter(self._matters, block.code)) for block in machine.blocks]
        self._waiting = {
            stop.number: waiting_in(machine, stop)
            for stop in machine.stops
            if isinstance(stop, p.Region)
        }
        self.blocks, self.stops = [None] * len(machine.blocks), [None] * len(machine.stops)
        # what a local holds before it is set does not matter
        self.blocks[machine.entry] = {p.PHASE: machine.start[p.PHASE]}
        self._follow()

    # ---------------------------------------------------------------- what is followed

    def _worth_following(self, pieces: list[p.Code]) -> set[int]:
        """Those cells in which nothing is ever stored that cannot be known."""
        slots = self.machine.layout.slots
        found = {s.base for s in slots if s.what is None and not s.own and s.width == 1}
        found.add(p.PHASE)
        outside = {id(piece) for piece in pieces}
        stored: list[tuple[int, p.Value]] = []
        for piece in pieces_of(pieces):
            if isinstance(piece, (p.Set, p.Clear)) and piece.cell.base in found:
                if isinstance(piece, p.Set) and id(piece) in outside:
                    stored.append((piece.cell.base, piece.value))
                else:
                    found.discard(piece.cell.base)
        while True:
            hopeless = {base for base, value in stored if not self._may_be_known(value, found)}
            if not hopeless & found:
                return found
            found -= hopeless

    def _may_be_known(self, v: p.Value, cells: set[int]) -> bool:
        match v:
            case p.K():
                return True
            case p.R():
                value = self._registers.get(v.number)
                return value is not None and self._may_be_known(value, cells)
            case p.Cell():
                return not v.terms and v.base in cells
            case p.Op() | p.And() | p.Or():
                return self._may_be_known(v.left, cells) and self._may_be_known(v.right, cells)
            case p.Not():
                return self._may_be_known(v.operand, cells)
            case _:
                return False

    def _matters(self, piece: p.Code) -> bool:
        if isinstance(piece, p.Reg):
            return self._may_be_known(p.R(piece.register), self._followed)
        return isinstance(piece, p.Set) and piece.cell.base in self._followed

    # ---------------------------------------------------------------- ways

    def _follow(self) -> None:
        waiting = [self.machine.entry]
        while waiting:
            number = heappop(waiting)
            before = self.blocks[number]
            assert before is not None
            for block, known in self._ways(self.machine.blocks[number], dict(before)):
                if _meet(self.blocks, block, known):
                    heappush(waiting, block)

    def _ways(self, block: p.Block, known: Numbers) -> Iterator[tuple[int, Numbers]]:
        """Where a block leads, with what is known there."""
        registers: Numbers = {}
        for piece in self._code[block.number]:
            match piece:
                case p.Reg():
                    _put(registers, piece.register, _number(piece.value, known, registers))
                case p.Set():
                    _put(known, piece.cell.base, _number(piece.value, known, registers))
        match block.end:
            case p.Jump():
                yield block.end.block, known
            case p.Branch():
                met = _number(block.end.condition, known, registers)
                if met != 0:
                    yield block.end.then, known
                if not met:
                    yield block.end.otherwise, known
            case p.Switch():
                met = _number(block.end.value, known, registers)
                for value, target in block.end.blocks:
                    if met in (None, value):
                        yield target, known
            case p.Halt():
                yield from self._over(block.end.stop, known)

    def _over(self, stop: int, known: Numbers) -> Iterator[tuple[int, Numbers]]:
        if _meet(self.stops, stop, known):
            for block in after_stop(self.machine.stops[stop]):
                yield block, known
            for number in self._waiting.get(stop, ()):
                yield from self._over(number, known)


def _meet(places: list[Numbers | None], place: int, known: Numbers) -> bool:
    """Whether less is known of a place than before, now that one comes to it so."""
    before = places[place]
    if before is None:
        places[place] = known
        return True
    both = {cell: number for cell, number in before.items() if known.get(cell) == number}
    places[place] = both
    return len(both) < len(before)


def _put(numbers: Numbers, place: int, number: int | None) -> None:
    if number is None:
        numbers.pop(place, None)
    else:
        numbers[place] = number


def _number(v: p.Value, known: Numbers, registers: Numbers) -> int | None:
    """What a value is, if that is known."""
    match v:
        case p.K():
            return v.value
        case p.R():
            return registers.get(v.number)
        case p.Cell():
            return None if v.terms else known.get(v.base)
        case p.Op():
            left, right = _number(v.left, known, registers), _number(v.right, known, registers)
            return None if left is None or right is None else worked_out(v.op, left, right)
        case p.And() | p.Or():
            left, right = _number(v.left, known, registers), _number(v.right, known, registers)
            stops_at = isinstance(v, p.Or)
            if left is not None and bool(left) == stops_at:
                return int(stops_at)
            return None if left is None or right is None else int(bool(right))
        case p.Not():
            operand = _number(v.operand, known, registers)
            return None if operand is None else int(not operand)
        case _:
            return None
