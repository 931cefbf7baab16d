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


def clear_dead(b: Builder) -> None:
    """Add the code that clears dead locals before the next rest."""
    flow = _Flow(b)
    kept: dict[int, set[int]] = {}
    for own in (False, True):
        live = flow.live(own)
        needed = {
            draft.number: flow.needed_at(draft, live, own)
            for draft in b.drafts
            if flow.rests(draft, own)
        }
        flow.keep(needed, kept)
        begin, end = flow.maybe_set(own, live, needed)
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


def _at_rest(draft: Draft) -> int:
    """Where a block clears before it rests."""
    # a seat that waits has given up `me` in the last two stores of its block
    gives_up = draft.waits_at is not None or draft.ends_seat
    return len(draft.code) - 2 if gives_up else len(draft.code)


def _clear(b: Builder, draft: Draft, index: int, place: int) -> None:
    slot = b.locals[index]
    own = slot.copies > 1
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
        self.effects = [self._effect(draft) for draft in self.b.drafts]
        self.asked = [frozenset(self._asked(stop)) for stop in self.b.stops]
        self.region_stops = [
            stop for stop in self.b.stops if isinstance(stop, p.Choose) and stop.region is not None
        ]

    def is_own(self, index: int) -> bool:
        return self.b.locals[index].copies > 1

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

    def edges(self, draft: Draft, own: bool) -> list[int]:
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
                for choose in self.region_stops:
                    if isinstance(choose, p.Choose) and choose.region == stop.region:
                        blocks += after_stop(choose)
        return blocks

    def needed_at(self, draft: Draft, live: list[set[int]], own: bool) -> set[int]:
        """The slots that are read after the rest, or by what is asked there."""
        stop = self.rests_at(draft)
        if stop is None or (own and draft.ends_seat):
            return set()
        needed = set(self.asked[stop.number])
        if isinstance(stop, p.Region) and not own:
            for choose in self.region_stops:
                needed |= self.asked[choose.number]
        for block in self.edges(draft, own):
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
                for choose in self.region_stops:
                    if choose.region == stop.region:
                        shared = {index for index in here if not self.is_own(index)}
                        kept.setdefault(choose.number, set()).update(shared)
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
        changed = True
        while changed:
            changed = False
            for draft in reversed(self.b.drafts):
                after: set[int] = set()
                for block in self.edges(draft, own):
                    after |= live[block]
                stop = self.rests_at(draft)
                if stop is not None:
                    after |= self.asked[stop.number]
                    if isinstance(stop, p.Region) and not own:
                        for choose in self.region_stops:
                            after |= self.asked[choose.number]
                effect = self.effects[draft.number]
                now = effect.reads | (after - effect.writes)
                if now != live[draft.number]:
                    live[draft.number] = now
                    changed = True
        return live

    def maybe_set(
        self, own: bool, live: list[set[int]], needed: dict[int, set[int]]
    ) -> tuple[list[set[int]], list[set[int]]]:
        """Slots that may hold something at the beginning of each block, before it clears those
        that are dead there, and at its end, before it clears for a rest."""
        begin: list[set[int]] = [set() for _ in self.b.drafts]
        end = [set(effect.touches) for effect in self.effects]
        waiting = list(self.b.drafts)
        while waiting:
            draft = waiting.pop()
            number = draft.number
            lasting = begin[number] if own else begin[number] & live[number]
            end[number] |= lasting
            out = end[number] & needed[number] if number in needed else end[number]
            for block in self.edges(draft, own):
                if not out <= begin[block]:
                    begin[block] |= out
                    waiting.append(self.b.drafts[block])
        return begin, end

    # ---------------------------------------------------------------- effects of blocks

    def _slot_of(self, target: p.Cell) -> int | None:
        return self.slot_at.get(target.base)

    def _slots_read(self, node: object) -> set[int]:
        found = {self._slot_of(part) for part in parts(node) if isinstance(part, p.Cell)}
        return {i for i in found if i is not None}

    def _effect(self, draft: Draft) -> _Effect:
        effect = _Effect(set(), set(), set())
        self._code(draft.code, effect, certain=True)
        if draft.end is not None:
            effect.reads |= self._slots_read(draft.end) - effect.writes
        return effect

    def _code(
        self, code: list[p.Code] | tuple[p.Code, ...], effect: _Effect, certain: bool
    ) -> None:
        for piece in code:
            match piece:
                case p.Set():
                    read = self._slots_read(piece.value) | self._slots_read(piece.cell.terms)
                    effect.reads |= read - effect.writes
                    self._write(piece.cell, effect, certain and self._is_whole(piece.cell))
                case p.Clear():
                    effect.reads |= self._slots_read(piece.cell.terms) - effect.writes
                    self._write(piece.cell, effect, certain)
                case p.Cond():
                    effect.reads |= self._slots_read(piece.condition) - effect.writes
                    self._code(piece.then, effect, certain=False)
                    self._code(piece.otherwise, effect, certain=False)
                case p.Loop() | p.While():
                    self._loop(piece, effect)
                case p.Reg() | p.Check() | p.Note():
                    effect.reads |= self._slots_read(piece) - effect.writes

    def _loop(self, piece: p.Loop | p.While, effect: _Effect) -> None:
        heads = (
            (piece.low, piece.high) if isinstance(piece, p.Loop) else (piece.condition, piece.bound)
        )
        effect.reads |= self._slots_read(heads) - effect.writes
        self._code(piece.body, effect, certain=False)

    def _write(self, target: p.Cell, effect: _Effect, certain: bool) -> None:
        index = self._slot_of(target)
        if index is None:
            return
        effect.touches.add(index)
        if certain:
            effect.writes.add(index)

    def _is_whole(self, target: p.Cell) -> bool:
        index = self._slot_of(target)
        return index is not None and self.b.locals[index].width == 1
