"""Blocks as Python: what only one way leads to stands where it is led to, the rest are roots."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from attrs import define

from rulesdsl.engines.python.code import Statements, place
from rulesdsl.machine.program import (
    Block,
    Branch,
    Choose,
    Draw,
    Halt,
    Jump,
    Machine,
    Note,
    Pause,
    Reg,
    Set,
    Switch,
)
from rulesdsl.machine.traverse import after_stop
from rulesdsl.text.source import NOWHERE, Span

DEEPEST = 60
"""So deep a block may stand inside others."""
SHORT_BLOCK = 4
"""A block with so few stores is shorter than the way to it."""
LONGEST_TAIL = 8
"""A block with so few stores that comes to a stop is written wherever it is led to."""


def targets(block: Block) -> list[int]:
    """The blocks to which the end of a block leads without a stop."""
    match block.end:
        case Jump():
            return [block.end.block]
        case Branch():
            return [block.end.then, block.end.otherwise]
        case Switch():
            return [target for _, target in block.end.blocks]
        case Halt():
            return []


def is_short(block: Block) -> bool:
    """Whether a block only stores a few things and goes on elsewhere."""
    stores = all(isinstance(piece, (Set, Note)) for piece in block.code)
    leads = isinstance(block.end, Jump) and block.end.block != block.number
    return stores and leads and len(block.code) <= SHORT_BLOCK


def is_tail(block: Block) -> bool:
    """Whether a block only stores a few things and comes to a stop."""
    stores = all(isinstance(piece, (Set, Reg, Note)) for piece in block.code)
    return stores and isinstance(block.end, Halt) and len(block.code) <= LONGEST_TAIL


def ways_in(machine: Machine) -> list[int]:
    """How many ways lead to each block, from blocks, stops, and the start."""
    ways = [0] * len(machine.blocks)
    ways[machine.entry] += 1
    for block in machine.blocks:
        for target in targets(block):
            ways[target] += 1
    for stop in machine.stops:
        for target in after_stop(stop):
            ways[target] += 1
    return ways


def entries(machine: Machine) -> set[int]:
    """The blocks that are begun from outside: the first, and those after a stop."""
    found = {machine.entry}
    for stop in machine.stops:
        if isinstance(stop, (Choose, Draw, Pause)):
            found.update(after_stop(stop))
    return found


def tree_transfers(machine: Machine, number: int, is_root: Callable[[int], bool]) -> set[int]:
    """The roots to which a root leads."""
    found: set[int] = set()
    waiting = [number]
    while waiting:
        for target in targets(machine.blocks[waiting.pop()]):
            if is_root(target):
                found.add(target)
            else:
                waiting.append(target)
    return found


def block_place(block: Block) -> Span:
    """A place in the rules for a block."""
    spans = (getattr(piece, "span", NOWHERE) for piece in block.code)
    return next((span for span in spans if span is not NOWHERE), NOWHERE)


@define
class Trees:
    """Writes blocks with all that only they lead to."""

    machine: Machine
    statements: Statements
    is_root: Callable[[int], bool]
    transfer: Callable[[int, int], None]
    """Writes how it goes on with a root, given the steps that are owed."""
    halt: Callable[[int, int], None]
    """Writes what happens at a stop, given the steps that are owed."""

    def tree(self, number: int) -> None:
        """A block and what follows, to the ends of all ways."""
        block, out = self.machine.blocks[number], self.statements
        out.pay(1)
        where = place(block_place(block))
        out.writer.put(f"# block {number}: {block.name}{f', {where}' if where else ''}")
        out.code(block.code)
        match block.end:
            case Jump(target):
                self._go(target)
            case Halt(stop):
                self._end(self.halt, stop)
            case Branch(condition, then, otherwise):
                met = out.truth(condition)
                if isinstance(met, int):
                    self._go(then if met else otherwise)
                    return
                self._arm(f"if {met}:", then)
                self._go(otherwise)
            case Switch(value, ways):
                self._switch(out.number(value), ways)
            case _:
                assert_never(block.end)

    def _switch(self, value: int | str, ways: tuple[tuple[int, int], ...]) -> None:
        if isinstance(value, int):
            for number, target in ways:
                if number == value:
                    self._go(target)
                    return
        value = self.statements.simple(value)
        for number, target in ways:
            self._arm(f"if {value} == {number}:", target)
        self.statements.writer.put("raise Stuck")

    def _arm(self, head: str, target: int) -> None:
        """One of several ways on; each pays for itself and what lies before it."""
        out = self.statements
        owed, bound = out.owed, dict(out.bound)
        with out.writer.inside(head):
            self._go(target)
        out.owed, out.bound = owed, bound

    def _go(self, target: int) -> None:
        if self.is_root(target) or self.statements.writer.depth > DEEPEST:
            self._end(self.transfer, target)
        else:
            self.tree(target)

    def _end(self, write: Callable[[int, int], None], number: int) -> None:
        owed, self.statements.owed = self.statements.owed, 0
        write(number, owed)
