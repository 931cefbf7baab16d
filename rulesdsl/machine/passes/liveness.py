"""Which locals live where: whose values are read again before they are written.

Two flows are followed at once: of locals that all seats share, and of a seat's own locals in a
region, which live from one of its stops to the next. Sets of locals are whole numbers: bit i is
the local i.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, field, frozen

from rulesdsl.machine import program as p
from rulesdsl.machine.passes.facts import Facts
from rulesdsl.machine.traverse import after_stop, seat_point, successors, waiting_in


@frozen
class Effect:
    """What code does to locals: reads before writing, writes for sure, writes at all."""

    reads: int
    writes: int
    touches: int


def locals_of(machine: p.Machine) -> list[p.Slot]:
    """The locals of a machine: slots that belong to no declared state."""
    return [slot for slot in machine.layout.slots if slot.what is None]


@define(eq=False)
class Liveness:
    """The locals that live at each place of a machine."""

    machine: p.Machine
    facts: Facts
    slots: list[p.Slot] = field(init=False)
    own: int = field(init=False)
    """The locals of which each seat in a region has its own."""
    effects: list[list[Effect]] = field(init=False)
    """By block, what each piece of its code does."""
    ends: list[int] = field(init=False)
    """By block, what its end reads."""
    live: list[int] = field(init=False)
    """By block, what lives where it begins."""
    after: list[int] = field(init=False)
    """By block, what is read behind it (its end not counted)."""
    _bit_at: dict[int, int] = field(init=False)
    _cells: int = field(init=False)
    _waiting: dict[int, list[int]] = field(init=False)
    _asked: list[int] = field(init=False)
    _shared_ways: list[list[int]] = field(init=False)
    _own_ways: list[list[int]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.slots = locals_of(self.machine)
        self.own = sum(1 << i for i, slot in enumerate(self.slots) if slot.own)
        self._bit_at = {
            base: 1 << i
            for i, slot in enumerate(self.slots)
            for base in range(slot.base, slot.base + slot.width * slot.copies)
        }
        self._cells = sum(1 << base for base in self._bit_at)
        blocks = self.machine.blocks
        self.effects = [[self._effect(piece) for piece in block.code] for block in blocks]
        self.ends = [self.read(block.end) for block in blocks]
        self._asked = [self._asked_at(stop) for stop in self.machine.stops]
        self._find_ways()
        self._solve()

    # ---------------------------------------------------------------- where control goes

    def rest_of(self, block: p.Block) -> p.Stop | None:
        """The stop at which the game, or a seat in a region, rests after a block."""
        point = seat_point(block)
        if point is not None and point >= p.WAITING:
            return self.machine.stops[point - p.WAITING]
        return self.machine.stops[block.end.stop] if isinstance(block.end, p.Halt) else None

    def waiting_at(self, stop: p.Stop | None) -> list[p.Stop]:
        """The stops at which seats may wait while the game rests at that of a region."""
        if not isinstance(stop, p.Region):
            return []
        return [self.machine.stops[number] for number in self._waiting[stop.number]]

    def _find_ways(self) -> None:
        stops = self.machine.stops
        self._waiting = {
            stop.number: waiting_in(self.machine, stop)
            for stop in stops
            if isinstance(stop, p.Region)
        }
        self._shared_ways, self._own_ways = [], []
        for block in self.machine.blocks:
            rest = self.rest_of(block)
            shared = successors(block.end, list(stops))
            own = shared
            if seat_point(block) is not None:
                own = [] if rest is None else after_stop(rest)
                shared = shared + own
            for waiting in self.waiting_at(rest):
                shared = shared + after_stop(waiting)
            self._shared_ways.append(shared)
            self._own_ways.append(own)

    def ways(self, number: int) -> Iterator[tuple[int, int]]:
        """Where a block leads, with the locals that take this way; a seat that is done leads
        to nothing of its own."""
        for block in self._shared_ways[number]:
            yield block, ~self.own
        for block in self._own_ways[number]:
            yield block, self.own

    # ---------------------------------------------------------------- what lives

    def _solve(self) -> None:
        blocks = self.machine.blocks
        pairs = zip(self.effects, self.ends, strict=True)
        whole = [in_a_row(effects, end) for effects, end in pairs]
        asked = [self._asked_after(block) for block in blocks]
        self.live, self.after = [0] * len(blocks), list(asked)
        changed = True
        while changed:
            changed = False
            for number in range(len(blocks) - 1, -1, -1):
                after = asked[number]
                for block, mask in self.ways(number):
                    after |= self.live[block] & mask
                self.after[number] = after
                now = whole[number].reads | (after & ~whole[number].writes)
                if now != self.live[number]:
                    self.live[number] = now
                    changed = True

    def _asked_after(self, block: p.Block) -> int:
        """What is read by what is asked at the rest after a block."""
        rest = self.rest_of(block)
        if rest is None:
            return 0
        asked = self._asked[rest.number]
        for waiting in self.waiting_at(rest):
            asked |= self._asked[waiting.number] & ~self.own
        return asked

    def kept_at(self, stop: p.Choose) -> int:
        """The locals that hold their values wherever a choice is made."""
        kept = 0
        for block in self.machine.blocks:
            rest = self.rest_of(block)
            if rest is stop:
                # what is shared lives on while others are asked
                kept |= self.after[block.number] & (self.own if stop.region is not None else -1)
            elif isinstance(rest, p.Region) and rest.region == stop.region:
                kept |= self.after[block.number] & ~self.own
        return kept

    def _asked_at(self, stop: p.Stop) -> int:
        match stop:
            case p.Choose():
                return self.read(stop.actor) | self.read(stop.options) | self.read(stop.ahead)
            case p.Draw():
                return self.read(stop.weight) | self.read(stop.keys)
            case p.Region() | p.Over() | p.Pause():
                return 0

    # ---------------------------------------------------------------- what code does

    def bit(self, target: p.Cell) -> int:
        """The local of a cell; 0 if it is none."""
        return self._bit_at.get(target.base, 0)

    def is_single(self, target: p.Cell) -> bool:
        """Whether a cell is all that there is of a local (of a seat's own)."""
        bit = self.bit(target)
        return bool(bit) and self.slots[bit.bit_length() - 1].width == 1

    def read(self, node: object) -> int:
        """The locals that a node reads."""
        found = 0
        for base in bits(self.facts.of(node).cells & self._cells):
            found |= self._bit_at[base]
        return found

    def _effect(self, piece: p.Code) -> Effect:
        match piece:
            case p.Set():
                reads = self.read(piece.value) | self.read(piece.cell.terms)
                bit = self.bit(piece.cell)
                return Effect(reads, bit if self.is_single(piece.cell) else 0, bit)
            case p.Clear():
                bit = self.bit(piece.cell)
                return Effect(self.read(piece.cell.terms), bit, bit)
            case p.Cond():
                return self._perhaps(self.read(piece.condition), (*piece.then, *piece.otherwise))
            case p.Loop():
                head = self.read(piece.low) | self.read(piece.high)
                return self._perhaps(head, piece.body)
            case p.While():
                head = self.read(piece.condition) | self.read(piece.bound)
                return self._perhaps(head, piece.body)
            case p.Reg() | p.Check() | p.Note():
                return Effect(self.read(piece), 0, 0)

    def _perhaps(self, reads: int, code: Sequence[p.Code]) -> Effect:
        """What code does that need not be carried out, in any order, behind what is read first."""
        touches = 0
        for piece in code:
            effect = self._effect(piece)
            reads |= effect.reads
            touches |= effect.touches
        return Effect(reads, 0, touches)


def in_a_row(effects: Sequence[Effect], end: int = 0) -> Effect:
    """What pieces do one after the other, and what is read behind them."""
    reads = writes = touches = 0
    for effect in effects:
        reads |= effect.reads & ~writes
        writes |= effect.writes
        touches |= effect.touches
    return Effect(reads | end & ~writes, writes, touches)


def bits(found: int) -> Iterator[int]:
    """The numbers of the locals of a set."""
    while found:
        low = found & -found
        yield low.bit_length() - 1
        found ^= low
