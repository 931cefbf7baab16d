"""Without stores and registers that nobody reads."""

from __future__ import annotations

from attrs import define, evolve, field

from rulesdsl.machine import program as p
from rulesdsl.machine.passes.facts import Facts
from rulesdsl.machine.passes.liveness import Liveness, bits


def without_dead_stores(machine: p.Machine, facts: Facts) -> p.Machine:
    """The same without stores of locals that are not read again before they are written, stores
    of any cell that the same block overwrites before it reads it, and registers not read.

    What may fault or takes steps stays.
    """
    flow, together = Liveness(machine, facts), _together(machine)
    blocks = []
    for block in machine.blocks:
        code = _Backwards(flow, together, block).code()
        blocks.append(block if len(code) == len(block.code) else evolve(block, code=tuple(code)))
    return evolve(machine, blocks=tuple(blocks))


@define(eq=False)
class _Backwards:
    """Goes through the code of one block from its end."""

    flow: Liveness
    together: list[int]
    block: p.Block
    live: int = field(init=False)
    registers: int = field(default=0, init=False)
    """Those that are read later on."""
    overwritten: int = field(default=0, init=False)
    """Cells that are written later on, and not read before."""

    def code(self) -> list[p.Code]:
        """The pieces that are left."""
        flow, number = self.flow, self.block.number
        self.live = flow.after[number] | flow.ends[number]
        self._reads(self.block.end)
        kept: list[p.Code] = []
        for piece, effect in zip(
            reversed(self.block.code), reversed(flow.effects[number]), strict=True
        ):
            if self._is_dead(piece):
                continue
            kept.append(piece)
            self.live = (self.live & ~effect.writes) | effect.reads
            if isinstance(piece, p.Set):
                if not piece.cell.terms:
                    self.overwritten |= 1 << piece.cell.base
                self._reads(piece.value)
                self._reads(piece.cell.terms)
            else:
                self._reads(piece)
        return kept[::-1]

    def _is_dead(self, piece: p.Code) -> bool:
        facts = self.flow.facts
        match piece:
            case p.Reg():
                read = self.registers >> piece.register & 1
                return not read and not facts.of(piece.value).loud
            case p.Set(target, value, None, None):
                bit = self.flow.bit(target)
                dead = bool(bit) and not bit & self.live
                if not target.terms and self.overwritten >> target.base & 1:
                    dead = True
                return dead and not facts.of(value).loud and not facts.of(target.terms).loud
            case _:
                return False

    def _reads(self, node: object) -> None:
        fact = self.flow.facts.of(node)
        self.registers |= fact.registers
        if self.overwritten:
            # a base stands for all cells that an index may lead to
            for base in bits(fact.cells):
                self.overwritten &= ~self.together[base]


def _together(machine: p.Machine) -> list[int]:
    """For each cell the set of those of its slot."""
    points = ((1 << machine.seats) - 1) << p.POINTS
    found = [1 << base for base in range(p.POINTS)] + [points] * machine.seats
    found += [0] * (machine.layout.cells - len(found))
    for slot in machine.layout.slots:
        size = slot.width * slot.copies
        found[slot.base : slot.base + size] = [((1 << size) - 1) << slot.base] * size
    return found
