"""Dead cells are zero: at every stop a local that is not read again has been cleared.

Two flows are followed: of locals that all seats share, and of a seat's own locals in a region,
which live from one of its stops to the next. A shared one is cleared where it dies, which comes
to pass less often than stops; a seat's own where the seat waits.
"""

from __future__ import annotations

from attrs import define, evolve

from rulesdsl.machine import program as p
from rulesdsl.machine.builder import Builder, Draft
from rulesdsl.machine.fold import cell
from rulesdsl.machine.traverse import after_stop, parts, successors
from rulesdsl.text.source import NOWHERE


@define
class _Effect:
    """What a block does to slots (by index): reads before writing, writes, clears."""

    reads: set[int]
    writes: set[int]
    touches: set[int]


def clear_dead(b: Builder) -> list[set[int]]:
    """Add the code that clears dead locals before the next rest. Returns for each local those
    that live where it is set: with these it cannot share a cell."""
    flow = _Flow(b)
    clashes: list[set[int]] = [set() for _ in b.locals]
    kept: dict[int, set[int]] = {}
    for own in (False, True) if b.own else (False,):
        live = flow.live(own)
        needed = {
            draft.number: flow.needed_at(draft, live, own)
            for draft in b.drafts
            if flow.rests(draft, own)
        }
        flow.keep(needed, kept)
        begin, end = flow.maybe_set(own, live, needed)
        flow.clash(own, live, needed, begin, end, clashes)
        for draft in b.drafts:
            if draft.number in needed:
                for index in sorted(end[draft.number] - needed[draft.number]):
                    if flow.is_own(index) == own:
                        _clear(b, draft, index, _at_rest(draft))
            if not own:
                dead = begin[draft.number] - live[draft.number]
                for index in sorted(dead, reverse=True):
                    if not flow.is_own(index):
                        _clear(b, draft, index, 0)
    b.stops[:] = [flow.with_known(stop, kept.get(stop.number, set())) for stop in b.stops]
    return clashes


def _at_rest(draft: Draft) -> int:
    """Where a block clears before it rests."""
    # a seat that waits has given up `me` in the last two stores of its block
    gives_up = draft.waits_at is not None or draft.ends_seat
    return len(draft.code) - 2 if gives_up else len(draft.code)


def _clear(b: Builder, draft: Draft, index: int, place: int) -> None:
    slot = b.locals[index]
    own = slot.base in b.own
    target = cell(slot.base, (p.Cell(p.ME), slot.width)) if own else cell(slot.base)
    code: p.Code
    if slot.width == 1:
        code = p.Set(target, p.K(0), None, None, NOWHERE)
    else:
        code = p.Clear(target, slot.width)
    draft.code.insert(place, code)


@define(slots=False)
class _Flow:
    b: Builder

    def __attrs_post_init__(self) -> None:
        self.slot_at = {
            base: i
            for i, slot in enumerate(self.b.locals)
            for base in range(slot.base, slot.base + slot.width * slot.copies)
        }
        self.owned = [slot.base in self.b.own for slot in self.b.locals]
        self.ends = [self._slots_read(draft.end) for draft in self.b.drafts]
        self.pieces = [[self._piece(piece) for piece in draft.code] for draft in self.b.drafts]
        self.effects = [
            _one_after_another(pieces, end)
            for pieces, end in zip(self.pieces, self.ends, strict=True)
        ]
        self.asked = [frozenset(self._asked(stop)) for stop in self.b.stops]
        self.edges = {
            own: [self._edges(draft, own) for draft in self.b.drafts] for own in (False, True)
        }

    def is_own(self, index: int) -> bool:
        return self.owned[index]

    def waiting_in(self, region: p.Region) -> list[p.Stop]:
        """The stops at which a seat may wait in a region."""
        return [self.b.stops[number] for number in sorted(self.b.waits.get(region.region, ()))]

    def rests_at(self, draft: Draft) -> p.Stop | None:
        """The stop at which the game, or a seat in a region, rests after a block."""
        if draft.waits_at is not None:
            return self.b.stops[draft.waits_at]
        if isinstance(draft.end, p.Halt):
            return self.b.stops[draft.end.stop]
        return None

    def rests(self, draft: Draft, own: bool) -> bool:
        """Whether dead locals are cleared at the end of a block: a seat's own where it waits."""
        if own:
            return draft.waits_at is not None or draft.ends_seat
        return self.rests_at(draft) is not None

    # ---------------------------------------------------------------- edges

    def _edges(self, draft: Draft, own: bool) -> list[int]:
        """Where control goes from a block, for shared locals or for a seat's own."""
        if draft.end is None:
            return []
        blocks = successors(draft.end, self.b.stops)
        if draft.waits_at is not None:
            after = after_stop(self.b.stops[draft.waits_at])
            return after if own else [*blocks, *after]
        if isinstance(draft.end, p.Halt) and not own:
            stop = self.b.stops[draft.end.stop]
            if isinstance(stop, p.Region):
                for waiting in self.waiting_in(stop):
                    blocks += after_stop(waiting)
        return blocks

    def needed_at(self, draft: Draft, live: list[set[int]], own: bool) -> set[int]:
        """The slots that are read after the rest, or by what is asked there."""
        stop = self.rests_at(draft)
        if stop is None or (own and draft.ends_seat):
            return set()
        needed = set(self.asked[stop.number])
        if isinstance(stop, p.Region) and not own:
            for waiting in self.waiting_in(stop):
                needed |= self.asked[waiting.number]
        for block in self.edges[own][draft.number]:
            needed |= live[block]
        return needed

    def _asked(self, stop: p.Stop) -> set[int]:
        values: list[object] = []
        match stop:
            case p.Choose():
                values = [stop.actor, *stop.options, stop.ahead]
            case p.Draw():
                values = [stop.weight, stop.keys]
            case p.Region() | p.Over() | p.Pause():
                pass
        return {i for value in values for i in self._slots_read(value)}

    # ---------------------------------------------------------------- what is known at a choice

    def keep(self, needed: dict[int, set[int]], kept: dict[int, set[int]]) -> None:
        """Add the slots that hold their values at each stop; those of a region lie at its own."""
        for draft in self.b.drafts:
            stop = self.rests_at(draft)
            if draft.number not in needed or stop is None:
                continue
            here = needed[draft.number]
            if isinstance(stop, p.Region):
                shared = {index for index in here if not self.is_own(index)}
                for waiting in self.waiting_in(stop):
                    kept.setdefault(waiting.number, set()).update(shared)
            elif isinstance(stop, p.Choose):
                own = {i for i in here if stop.region is None or self.is_own(i)}
                kept.setdefault(stop.number, set()).update(own)

    def with_known(self, stop: p.Stop, kept: set[int]) -> p.Stop:
        """A choice with those names only whose values are still there."""
        if not isinstance(stop, p.Choose):
            return stop
        known = tuple(
            (name, value)
            for name, value in stop.known
            if isinstance(value, p.K)
            or (isinstance(value, p.Cell) and self._slot_of(value) in kept)
        )
        return evolve(stop, known=known)

    # ---------------------------------------------------------------- the two analyses

    def live(self, own: bool) -> list[set[int]]:
        """Slots read before they are written, from the beginning of each block on."""
        live: list[set[int]] = [set() for _ in self.b.drafts]
        leading: list[list[int]] = [[] for _ in self.b.drafts]
        for number, blocks in enumerate(self.edges[own]):
            for block in blocks:
                leading[block].append(number)
        waiting = dict.fromkeys(range(len(self.b.drafts)))
        while waiting:
            number, _ = waiting.popitem()
            effect = self.effects[number]
            now = effect.reads | (self._after(self.b.drafts[number], live, own) - effect.writes)
            if now != live[number]:
                live[number] = now
                waiting |= dict.fromkeys(leading[number])
        return live

    def _after(self, draft: Draft, live: list[set[int]], own: bool) -> set[int]:
        """Slots read after a block, before they are written."""
        after: set[int] = set()
        for block in self.edges[own][draft.number]:
            after |= live[block]
        stop = self.rests_at(draft)
        if stop is not None:
            after |= self.asked[stop.number]
            if isinstance(stop, p.Region) and not own:
                for waiting in self.waiting_in(stop):
                    after |= self.asked[waiting.number]
        return after

    def maybe_set(
        self, own: bool, live: list[set[int]], needed: dict[int, set[int]]
    ) -> tuple[list[set[int]], list[set[int]]]:
        """Slots that may hold something at the beginning of each block, before it clears those
        that are dead there, and at its end, before it clears for a rest."""
        begin: list[set[int]] = [set() for _ in self.b.drafts]
        end = [set(effect.touches) for effect in self.effects]
        waiting = dict.fromkeys(reversed(range(len(self.b.drafts))))
        while waiting:
            number, _ = waiting.popitem()
            lasting = begin[number] if own else begin[number] & live[number]
            end[number] |= lasting
            out = end[number] & needed[number] if number in needed else end[number]
            for block in self.edges[own][number]:
                if not out <= begin[block]:
                    begin[block] |= out
                    waiting[block] = None
        return begin, end

    def clash(
        self,
        own: bool,
        live: list[set[int]],
        needed: dict[int, set[int]],
        begin: list[set[int]],
        end: list[set[int]],
        clashes: list[set[int]],
    ) -> None:
        """Add to each slot the others that live where it is written or cleared."""
        for draft in self.b.drafts:
            number = draft.number
            if not own:
                self._add(clashes, own, begin[number], live[number])
            if number in needed:
                self._add(clashes, own, end[number], needed[number])
            now = self._after(draft, live, own) | self.ends[number]
            for effect in reversed(self.pieces[number]):
                whole = effect.writes == effect.touches
                others = now if whole else now | effect.reads | effect.touches
                self._add(clashes, own, effect.touches, others)
                now = (now - effect.writes) | effect.reads

    def _add(self, clashes: list[set[int]], own: bool, slots: set[int], others: set[int]) -> None:
        for index in slots:
            if self.owned[index] == own:
                clashes[index] |= others

    # ---------------------------------------------------------------- effects of blocks

    def _slot_of(self, target: p.Cell) -> int | None:
        return self.slot_at.get(target.base)

    def _slots_read(self, node: object) -> set[int]:
        found = {self._slot_of(part) for part in parts(node) if isinstance(part, p.Cell)}
        return {i for i in found if i is not None}

    def _piece(self, piece: p.Code) -> _Effect:
        """What a piece of code does."""
        match piece:
            case p.Set():
                target = piece.cell
                reads = self._slots_read((piece.value, target.terms))
                return self._write(target, reads, self._is_whole(target))
            case p.Clear():
                return self._write(piece.cell, self._slots_read(piece.cell.terms), True)
            case p.Cond():
                inner = [self._piece(one) for one in (*piece.then, *piece.otherwise)]
                return _perhaps(self._slots_read(piece.condition), inner)
            case p.Loop():
                inner = [self._piece(one) for one in piece.body]
                return _perhaps(self._slots_read((piece.low, piece.high)), inner)
            case p.While():
                inner = [self._piece(one) for one in piece.body]
                return _perhaps(self._slots_read((piece.condition, piece.bound)), inner)
            case p.Reg() | p.Check() | p.Note():
                return _Effect(self._slots_read(piece), set(), set())

    def _write(self, target: p.Cell, reads: set[int], certain: bool) -> _Effect:
        index = self._slot_of(target)
        touches = set() if index is None else {index}
        return _Effect(reads, touches if certain else set(), touches)

    def _is_whole(self, target: p.Cell) -> bool:
        index = self._slot_of(target)
        return index is not None and self.b.locals[index].width == 1


def _perhaps(head: set[int], pieces: list[_Effect]) -> _Effect:
    """What pieces do that need not be carried out, in any order, behind what is read first."""
    reads = head.union(*(piece.reads for piece in pieces))
    return _Effect(reads, set(), set().union(*(piece.touches for piece in pieces)))


def _one_after_another(pieces: list[_Effect], end: set[int]) -> _Effect:
    """What pieces do one after the other, and what is read behind them."""
    all_of_them = _Effect(set(), set(), set())
    for piece in pieces:
        all_of_them.reads |= piece.reads - all_of_them.writes
        all_of_them.writes |= piece.writes
        all_of_them.touches |= piece.touches
    all_of_them.reads |= end - all_of_them.writes
    return all_of_them
