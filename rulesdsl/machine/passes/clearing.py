"""Dead cells are zero: at every stop a local that is not read again has been cleared.

A shared one is cleared where it dies, which comes to pass less often than stops; a seat's own
where the seat waits.
"""

from __future__ import annotations

from attrs import evolve

from rulesdsl.machine import program as p
from rulesdsl.machine.fold import cell
from rulesdsl.machine.passes.facts import Facts
from rulesdsl.machine.passes.liveness import Liveness, bits, in_a_row
from rulesdsl.machine.traverse import seat_point
from rulesdsl.text.source import NOWHERE


def cleared(machine: p.Machine, facts: Facts) -> p.Machine:
    """The same with code that clears dead locals before the next rest."""
    flow = Liveness(machine, facts)
    does = [in_a_row(effects) for effects in flow.effects]
    rests = [_cleared_at_rest(flow, block) for block in machine.blocks]
    begin, end = _maybe_set(flow, [effect.touches for effect in does], rests)
    blocks = []
    for block in machine.blocks:
        number = block.number
        code = list(block.code)
        place = len(code) - 2 if seat_point(block) is not None else len(code)
        left = end[number] & rests[number] & ~flow.after[number]
        code[place:place] = [_clear(flow.slots[index]) for index in bits(left)]
        dead = begin[number] & ~flow.live[number] & ~flow.own & ~does[number].writes
        code[:0] = [_clear(flow.slots[index]) for index in bits(dead)]
        blocks.append(evolve(block, code=tuple(code)) if left or dead else block)
    return evolve(machine, blocks=tuple(blocks))


def _cleared_at_rest(flow: Liveness, block: p.Block) -> int:
    """The locals that are cleared at the end of a block, where they are dead."""
    shared = 0 if flow.rest_of(block) is None else ~flow.own
    return shared if seat_point(block) is None else shared | flow.own


def _maybe_set(flow: Liveness, touches: list[int], rests: list[int]) -> tuple[list[int], list[int]]:
    """Locals that may hold something at the beginning of each block, before it clears those
    that are dead there, and at its end, before it clears for a rest."""
    begin, end = [0] * len(touches), list(touches)
    waiting = list(range(len(touches)))
    while waiting:
        number = waiting.pop()
        end[number] |= begin[number] & (flow.live[number] | flow.own)
        out = end[number] & (flow.after[number] | ~rests[number])
        for block, mask in flow.ways(number):
            if out & mask & ~begin[block]:
                begin[block] |= out & mask
                waiting.append(block)
    return begin, end


def _clear(slot: p.Slot) -> p.Code:
    target = cell(slot.base, (p.Cell(p.ME), slot.width)) if slot.own else cell(slot.base)
    if slot.width == 1:
        return p.Set(target, p.K(0), None, None, NOWHERE)
    return p.Clear(target, slot.width)
