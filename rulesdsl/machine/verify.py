"""The verifier: what must hold of every machine. A failure is ours, not the author's."""

from __future__ import annotations

from rulesdsl.machine import program as p
from rulesdsl.machine.traverse import children
from rulesdsl.text.problems import InternalError


def verify(machine: p.Machine) -> p.Machine:
    """The machine itself, if it keeps the rules of its form; raises InternalError."""
    _layout(machine)
    for block in machine.blocks:
        _block(machine, block)
    for stop in machine.stops:
        _stop(machine, stop)
    return machine


def _fail(what: str) -> None:
    raise InternalError(f"the machine is not well formed: {what}")


def _layout(machine: p.Machine) -> None:
    """Every cell has one name."""
    named = [False] * machine.layout.cells
    for slot in machine.layout.slots:
        for cell in range(slot.base, slot.base + slot.width * slot.copies):
            if named[cell]:
                _fail(f"cell {cell} belongs to two slots, one of them {slot.name}")
            named[cell] = True
    first = p.POINTS + machine.seats
    if not all(named[first:]):
        _fail(f"cell {named.index(False, first)} has no name")
    if len(machine.start) != machine.layout.cells:
        _fail("the record at the start is not as long as the layout")


def _block(machine: p.Machine, block: p.Block) -> None:
    known = set(block.registers)
    for piece in block.code:
        _code(machine, piece, known, block)
    _reads(block.end, known, block)
    targets: list[int] = []
    match block.end:
        case p.Jump():
            targets = [block.end.block]
        case p.Branch():
            targets = [block.end.then, block.end.otherwise]
        case p.Switch():
            targets = [target for _, target in block.end.blocks]
        case p.Halt():
            if not 0 <= block.end.stop < len(machine.stops):
                _fail(f"block {block.name} rests at stop {block.end.stop}, which is not there")
    if any(not 0 <= target < len(machine.blocks) for target in targets):
        _fail(f"block {block.name} leads to a block that is not there")


def _code(machine: p.Machine, piece: p.Code, known: set[int], block: p.Block) -> None:
    """Registers are set before use; a register of a loop lives in the loop."""
    match piece:
        case p.Reg():
            _reads(piece.value, known, block)
            known.add(piece.register)
        case p.Cond():
            _reads(piece.condition, known, block)
            for branch in (piece.then, piece.otherwise):
                inner = set(known)
                for other in branch:
                    _code(machine, other, inner, block)
        case p.Loop():
            _reads((piece.low, piece.high), known, block)
            inner = known | {piece.register}
            for other in piece.body:
                _code(machine, other, inner, block)
        case p.While():
            _reads((piece.condition, piece.bound), known, block)
            inner = set(known)
            for other in piece.body:
                _code(machine, other, inner, block)
        case p.Set() | p.Check() | p.Clear() | p.Note():
            _reads(piece, known, block)


def _reads(node: object, known: set[int], block: p.Block) -> None:
    unknown = free_registers(node) - known
    if unknown:
        _fail(f"block {block.name} reads register {min(unknown)} before it is set")


def free_registers(node: object) -> set[int]:
    """The registers that a value reads and does not set itself."""
    if isinstance(node, p.R):
        return {node.number}
    if isinstance(node, p.With):
        return free_registers(node.value) | (free_registers(node.body) - {node.register})
    if isinstance(node, p.Fold):
        inner = free_registers((node.where, node.body, node.weight, node.keys))
        return free_registers((node.low, node.high, node.empty)) | (inner - {node.register})
    found: set[int] = set()
    for child in children(node):
        found |= free_registers(child)
    return found


def _stop(machine: p.Machine, stop: p.Stop) -> None:
    """Blocks of options begin with the registers that their parameters set."""
    blocks = machine.blocks
    match stop:
        case p.Choose():
            for option in stop.options:
                given = {parameter.register for parameter in option.parameters}
                if not set(blocks[option.block].registers) <= given:
                    _fail(f"option {option.name} does not set what its block reads")
            if stop.ahead is not None and (stop.otherwise is None or stop.region is not None):
                _fail(f"stop {stop.number} looks ahead without an end, or where several act")
        case p.Draw():
            if not set(blocks[stop.block].registers) <= {stop.register}:
                _fail(f"draw {stop.number} does not set what its block reads")
        case p.Region() | p.Over() | p.Pause():
            pass
