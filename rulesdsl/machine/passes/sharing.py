"""Locals that never live at the same time share cells, so that the record is shorter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import define, evolve, field

from rulesdsl.machine import program as p
from rulesdsl.machine.passes.facts import Facts
from rulesdsl.machine.passes.liveness import Liveness, bits
from rulesdsl.machine.traverse import mapped


def shared(machine: p.Machine, facts: Facts) -> p.Machine:
    """The same with a shorter record. Choices know those names only whose values are still there.

    Each local gets the first cells (of its width, and shared or each seat's own) where it clashes
    with none that has them already: rather where one is that is copied to it or from it, then
    where one has its name. Those that are not mentioned get none.
    """
    flow = Liveness(machine, facts)
    clashing = Clashing(flow)
    stops = tuple(_with_known(flow, stop) for stop in machine.stops)
    return _moved(evolve(machine, stops=stops), flow, _homes(flow, clashing))


def _with_known(flow: Liveness, stop: p.Stop) -> p.Stop:
    if not isinstance(stop, p.Choose) or not stop.known:
        return stop
    kept = flow.kept_at(stop)
    known = tuple(
        (name, value)
        for name, value in stop.known
        if isinstance(value, p.K) or (isinstance(value, p.Cell) and flow.bit(value) & kept)
    )
    return evolve(stop, known=known)


# ------------------------------------------------------------------ which clash


@define(eq=False)
class Clashing:
    """For each local the others that live where it is written, and those that it is a copy of."""

    flow: Liveness
    clashes: list[int] = field(init=False)
    copies: list[int] = field(init=False)
    mentioned: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        self.clashes = [0] * len(self.flow.slots)
        self.copies = [0] * len(self.flow.slots)
        for block in self.flow.machine.blocks:
            self._block(block)

    def _block(self, block: p.Block) -> None:
        flow = self.flow
        effects = flow.effects[block.number]
        now = flow.after[block.number] | flow.ends[block.number]
        self.mentioned |= now
        for effect, source in zip(reversed(effects), reversed(self._sources(block)), strict=True):
            others = now & ~source
            if effect.touches != effect.writes:
                others |= effect.reads | effect.touches
            for index in bits(effect.touches):
                self.clashes[index] |= others
                self.copies[index] |= source
            for index in bits(source):
                self.copies[index] |= effect.touches
            self.mentioned |= effect.touches | effect.reads
            now = (now & ~effect.writes) | effect.reads

    def _sources(self, block: p.Block) -> list[int]:
        """For each piece that stores a local the others that hold the same value already."""
        same = _Same(self.flow)
        return [
            same.after(piece, effect.touches)
            for piece, effect in zip(block.code, self.flow.effects[block.number], strict=True)
        ]


@define(eq=False)
class _Same:
    """The locals that hold what is in a register, piece by piece."""

    flow: Liveness
    holds: dict[int, int] = field(factory=dict)

    def after(self, piece: p.Code, touched: int) -> int:
        """Go on behind a piece; those that hold what it stores, besides what it touches."""
        flow = self.flow
        match piece:
            case p.Set(target, p.R(register), None, None) if flow.is_single(target):
                found = self.holds.get(register, 0)
            case p.Set(target, p.Cell() as cell, None, None) if flow.is_single(target):
                found = flow.bit(cell) if flow.is_single(cell) else 0
            case p.Reg(register, value):
                single = isinstance(value, p.Cell) and flow.is_single(value)
                self.holds[register] = flow.bit(value) if single else 0  # type: ignore[arg-type]
                return 0
            case _:
                found = 0
        if touched:
            self.holds = {
                register: held | touched if held & found else held & ~touched
                for register, held in self.holds.items()
            }
        if isinstance(piece, p.Set) and isinstance(piece.value, p.R) and flow.is_single(piece.cell):
            self.holds[piece.value.number] = found | touched
        return found & ~touched


# ------------------------------------------------------------------ who lives where


def _homes(flow: Liveness, clashing: Clashing) -> list[list[int]]:
    """The locals that share each set of cells."""
    homes: list[list[int]] = []
    for index in bits(clashing.mentioned):
        fits = [home for home in homes if _fits(flow, clashing, index, home)]
        home = min(fits, key=lambda home: _distance(flow, clashing, index, home), default=None)
        if home is None:
            homes.append([index])
        else:
            home.append(index)
    return homes


def _fits(flow: Liveness, clashing: Clashing, index: int, home: list[int]) -> bool:
    slot, first = flow.slots[index], flow.slots[home[0]]
    alike = slot.width == first.width and slot.own == first.own
    clashes = clashing.clashes
    return alike and not any(
        clashes[index] >> other & 1 or clashes[other] >> index & 1 for other in home
    )


def _distance(flow: Liveness, clashing: Clashing, index: int, home: list[int]) -> int:
    if any(clashing.copies[index] >> other & 1 for other in home):
        return 0
    return 1 if flow.slots[index].name in _names(flow.slots, home) else 2


def _names(slots: list[p.Slot], home: list[int]) -> list[str]:
    return list(dict.fromkeys(slots[index].name for index in home))


# ------------------------------------------------------------------ the record laid out anew


def _moved(machine: p.Machine, flow: Liveness, homes: list[list[int]]) -> p.Machine:
    """Those that share as one slot, where the first of them was."""
    old, slots = machine.layout, flow.slots
    layout = p.Layout(old.seats, p.POINTS + old.seats, [], dict(old.state), {}, dict(old.numbers))
    sharing = {slots[home[0]].base: home for home in homes}
    moved: dict[int, int] = {}
    for slot in old.slots:
        home = sharing.get(slot.base)
        if slot.what is None and home is None:
            continue
        new = evolve(slot, base=layout.cells)
        bases = [slot.base]
        if home is not None:
            new = evolve(new, name=" / ".join(_names(slots, home)))
            bases = [slots[index].base for index in home]
        size = slot.width * slot.copies
        moved.update({base + i: new.base + i for base in bases for i in range(size)})
        layout.slots.append(new)
        layout.cells += size
        if slot.shown:
            layout.shown[id(slot.what)] = new
    return _renumbered(machine, layout, moved, flow.facts)


def _renumbered(
    machine: p.Machine, layout: p.Layout, moved: dict[int, int], facts: Facts
) -> p.Machine:
    changed = sum(1 << old for old, new in moved.items() if old != new)

    def renumbered(node: Any) -> Any:
        if not facts.of(node).cells & changed:
            return node
        node = mapped(node, renumbered)
        return _at(node, moved) if isinstance(node, p.Cell) else node

    stops = []
    for stop in machine.stops:
        stop = renumbered(stop)
        if isinstance(stop, p.Choose):
            known = tuple((name, renumbered(value)) for name, value in stop.known)
            stop = evolve(stop, known=known)
        stops.append(stop)
    locals_at = {slot.base for slot in layout.slots if slot.what is None and slot.width == 1}
    blocks = []
    for block in machine.blocks:
        code, end = [renumbered(piece) for piece in block.code], renumbered(block.end)
        code = _used(list(_without_copies(code, locals_at)), end, facts)
        blocks.append(evolve(block, code=tuple(code), end=end))
    # what is declared stays where it was, all else begins with 0
    start = machine.start[: layout.cells] + (0,) * (layout.cells - len(machine.start))
    return evolve(machine, layout=layout, start=start, blocks=tuple(blocks), stops=tuple(stops))


def _at(old: p.Cell, moved: dict[int, int]) -> p.Cell:
    return p.Cell(moved.get(old.base, old.base), old.terms)


def _without_copies(code: Iterable[p.Code], locals_at: set[int]) -> Iterator[p.Code]:
    """Without stores in locals of what they hold already."""
    holds: dict[int, p.Value] = {}
    for piece in code:
        match piece:
            case p.Set(target, value, None, None) if target.base in locals_at:
                if value == target or (isinstance(value, p.R) and holds.get(target.base) == value):
                    continue
                holds[target.base] = value
            case p.Reg(register, p.Cell(base)) if base in locals_at:
                holds[base] = p.R(register)
            case p.Reg(register) if p.R(register) in holds.values():
                holds.clear()
            case p.Set(target) if target.base != p.ME:
                pass
            case p.Check() | p.Note() | p.Reg():
                pass
            case _:
                holds.clear()
        yield piece


def _used(code: list[p.Code], end: p.End, facts: Facts) -> list[p.Code]:
    """Without registers that only such stores have read."""
    read = facts.of(end).registers
    for piece in code:
        read |= facts.of(piece).registers
    return [
        piece
        for piece in code
        if not isinstance(piece, p.Reg) or read >> piece.register & 1 or facts.of(piece.value).loud
    ]
