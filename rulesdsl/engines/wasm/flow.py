"""Blocks as functions that call each other at their ends."""

from __future__ import annotations

from collections import Counter
from typing import assert_never

from attrs import define, field

from rulesdsl.engines.code import span_of
from rulesdsl.engines.wasm.code import Codes
from rulesdsl.engines.wasm.memory import UNTIL
from rulesdsl.engines.wasm.values import CELL
from rulesdsl.engines.wasm.writing import Body, Sites
from rulesdsl.machine import program as p
from rulesdsl.machine.traverse import after_stop

SHORT = 24
"""Pieces of a block that is written out wherever control comes to it."""


@define(eq=False)
class Flow:
    """Writes the functions of blocks.

    A block is part of the function from which alone control comes to it; short ones are written
    out wherever it comes from. A function gets the address of the record and the steps that are
    left, then the registers with which its block begins. At a stop it goes on with `$usual_K`, or
    leaves the steps in the global `left` and goes on with `$rest_K`; while one looks ahead it
    returns the stop, or UNTIL.
    """

    machine: p.Machine
    codes: Codes
    sites: Sites
    usual: frozenset[int]
    """The stops with a function for the usual case, `$usual_K`."""
    _entries: set[int] = field(init=False)
    _ends: set[int] = field(init=False)
    _ways: Counter[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._entries = {self.machine.entry}
        for stop in self.machine.stops:
            self._entries.update(after_stop(stop))
        self._ends = {
            stop.otherwise
            for stop in self.machine.stops
            if isinstance(stop, p.Choose) and stop.ahead is not None and stop.otherwise is not None
        }
        self._ways = Counter(
            target for block in self.machine.blocks for target in _targets(block.end)
        )

    def functions(self) -> list[str]:
        """The functions of all blocks that control can come to."""
        found: list[str] = []
        waiting, seen = sorted(self._entries), set(self._entries)
        while waiting:
            number = waiting.pop()
            function = _Function(self, self.machine.blocks[number])
            found.append(function.text())
            for target in sorted(function.called - seen):
                seen.add(target)
                waiting.append(target)
        return found

    def is_inside(self, number: int) -> bool:
        """Whether a block is written out where control comes to it."""
        if number in self._entries:
            return False
        block = self.machine.blocks[number]
        size = self.codes.values.knowing.of(block.code).size
        return self._ways[number] == 1 or (
            size <= SHORT and isinstance(block.end, (p.Jump, p.Halt))
        )

    @property
    def looks_ahead(self) -> bool:
        """Whether anybody looks ahead."""
        return bool(self._ends)

    def is_end(self, number: int) -> bool:
        """Whether those that look ahead stop when they come to a block."""
        return number in self._ends


@define(eq=False)
class _Function:
    """A function while it is written."""

    flow: Flow
    block: p.Block
    called: set[int] = field(factory=set, init=False)
    _f: Body = field(init=False)
    _again: bool = field(default=False, init=False)

    def text(self) -> str:
        block = self.block
        registers = [f"$r{register}" for register in block.registers]
        self._f = Body(self.flow.sites, f"$b{block.number}", ("$s", "$n", *registers))
        if self.flow.is_end(block.number):
            self._f.put("global.get $until", f"i32.const {block.number}", "i32.eq")
            self._f.put("if", "local.get $n", "global.set $left", f"i32.const {UNTIL}", "return")
            self._f.put("end")
        self._block(block, frozenset({block.number}))
        if self._again:
            self._f.lines.insert(0, "loop $again")
            self._f.put("end")
        return self._f.text()

    def _block(self, block: p.Block, path: frozenset[int]) -> None:
        f, codes = self._f, self.flow.codes
        f.put(f";; {block.number} {block.name}")
        f.owe(1, span_of(block.code))
        codes.sequence(f, block.code)
        end = block.end
        match end:
            case p.Jump():
                self._go(end.block, path)
            case p.Branch():
                codes.kept.read(f, end.condition)
                codes.values.value(f, end.condition)
                owed = f.owes
                f.put("if")
                with f.holding():
                    self._go(end.then, path)
                f.put("end")
                f.owe_again(owed)
                self._go(end.otherwise, path)
            case p.Switch():
                self._switch(end, path)
            case p.Halt():
                f.pay()
                stop = self.flow.machine.stops[end.stop]
                at = p.OVER if isinstance(stop, p.Over) else end.stop + 1
                f.put("local.get $s", f"i32.const {at}", f"i32.store offset={p.AT * CELL}")
                if self.flow.looks_ahead:
                    f.put("global.get $until", "i32.const -1", "i32.ne")
                    f.put("if", "local.get $n", "global.set $left")
                    f.put(f"i32.const {end.stop}", "return", "end")
                if end.stop in self.flow.usual:
                    f.put("local.get $s", "local.get $n", f"return_call $usual_{end.stop}")
                else:
                    f.put("local.get $n", "global.set $left")
                    f.put("local.get $s", f"return_call $rest_{end.stop}")
            case _:
                assert_never(end)

    def _go(self, number: int, path: frozenset[int]) -> None:
        """On to a block: here, around, or in another function."""
        if self.flow.is_inside(number) and number not in path:
            self._block(self.flow.machine.blocks[number], path | {number})
            return
        self._f.pay()
        if number == self.block.number and not self.block.registers:
            self._again = True
            self._f.put("br $again")
        else:
            self.called.add(number)
            self._f.put("local.get $s", "local.get $n", f"return_call $b{number}")

    def _switch(self, end: p.Switch, path: frozenset[int]) -> None:
        """A table of the values; any other is our fault."""
        f = self._f
        f.pay()
        ways = dict(end.blocks)
        low = min(ways)
        labels = {value: f.label("way") for value in sorted(ways)}
        nowhere = f.label("nowhere")
        f.put(f"block {nowhere}", *(f"block {labels[value]}" for value in reversed(labels)))
        self.flow.codes.values.value(f, end.value)
        f.pay()
        table = [labels.get(value, nowhere) for value in range(low, max(ways) + 1)]
        f.put(f"i32.const {low}", "i32.sub", f"br_table {' '.join(table)} {nowhere}")
        for value in labels:
            f.put("end")
            with f.holding():
                self._go(ways[value], path)
        f.put("end", "unreachable")


def _targets(end: p.End) -> set[int]:
    """The blocks to which an end leads without a stop."""
    match end:
        case p.Jump():
            return {end.block}
        case p.Branch():
            return {end.then, end.otherwise}
        case p.Switch():
            return {block for _, block in end.blocks}
        case p.Halt():
            return set()
        case _:
            assert_never(end)
