"""Prizes by rank, and places that go round the table."""

from __future__ import annotations

from itertools import pairwise

from rulesdsl.check import model as m
from rulesdsl.machine.builder import Builder
from rulesdsl.machine.effects import loop, note_move, set_scalar, when
from rulesdsl.machine.fold import add, both, cell, op
from rulesdsl.machine.places import PlaceAt, place_at, state_cell
from rulesdsl.machine.program import K, Value
from rulesdsl.machine.stopping import after_change, body_stops


def award(b: Builder, step: m.AwardStep) -> None:
    """Prizes by rank; everything is read before anything is given."""
    seats = b.seats
    keys: list[Value] = []
    for seat in range(seats):
        b.values.bind(step.binder, K(seat))
        where: Value = K(1) if step.where is None else b.values.value(step.where)
        taking_part = b.hold(where)
        keys.append(taking_part)
        keys.append(b.hold(b.values.value(step.by)))
    prizes = [b.hold(b.values.value(prize)) for prize in step.prizes]
    shares = [b.hold(_share(b, step.ties, prizes, keys, seat)) for seat in range(seats)]
    asking = any(body_stops(b, trigger.body) for trigger in after_change(b.model, step.scalar))
    if asking:
        keys = [b.keep("key", key) for key in keys]
        shares = [b.keep("share", share) for share in shares]
    for seat, share in enumerate(shares):

        def give(seat: int = seat, share: Value = share) -> None:
            target = state_cell(b.layout, step.scalar, K(seat))
            set_scalar(b, step.scalar, K(seat), add(target, share), step.span)

        if asking:
            b.where_flow(keys[2 * seat], give)
        else:
            when(b, keys[2 * seat], give)


def _share(b: Builder, ties: m.Ties, prizes: list[Value], keys: list[Value], seat: int) -> Value:
    """What one of the seats gets; 0 where it takes no part."""
    mine = keys[2 * seat + 1]
    better: Value = K(0)
    equal: Value = K(0)
    for other in range(len(keys) // 2):
        taking_part, key = keys[2 * other], keys[2 * other + 1]
        better = add(better, both(taking_part, op("gt", key, mine)))
        equal = add(equal, both(taking_part, op("eq", key, mine)))
    better, equal = b.hold(better), b.hold(equal)
    if ties is m.Ties.USED_UP:
        return _nth(prizes, better)
    if ties is m.Ties.NONE_SKIPPED:
        return _nth(prizes, _different_better(b, keys, mine))
    total: Value = K(0)
    for place, prize in enumerate(prizes):
        at = both(op("le", better, K(place)), op("gt", add(better, equal), K(place)))
        total = add(total, op("mul", at, prize))
    way = "ceildiv" if ties is m.Ties.SPLIT_UP else "floordiv"
    return op(way, total, op("max", equal, K(1)))


def _different_better(b: Builder, keys: list[Value], mine: Value) -> Value:
    """How many different greater keys there are."""
    number: Value = K(0)
    for i in range(len(keys) // 2):
        first = both(keys[2 * i], op("gt", keys[2 * i + 1], mine))
        for j in range(i):
            same = both(keys[2 * j], op("eq", keys[2 * j + 1], keys[2 * i + 1]))
            first = both(first, op("eq", same, K(0)))
        number = add(number, first)
    return number


def _nth(prizes: list[Value], index: Value) -> Value:
    total: Value = K(0)
    for place, prize in enumerate(prizes):
        total = add(total, op("mul", op("eq", index, K(place)), prize))
    return total


def pass_each(b: Builder, step: m.PassEach) -> None:
    """Every place moves to the neighbour, cell by cell, all at once."""
    slot = b.layout.slot(step.zone)
    seats = b.seats
    for seat in range(seats):
        origin = place_at(b.layout, step.zone, K(seat), b.registers)
        to = origin.of(K((seat + step.step) % seats))

        def tell(r: Value, origin: PlaceAt = origin, to: PlaceAt = to) -> None:
            note_move(b, origin, to, r, origin.count(r), step.span)

        loop(b, K(0), K(step.zone.width), tell)

    def rotate(r: Value) -> None:
        at = [cell(slot.base + seat * slot.width, (r, 1)) for seat in range(seats)]
        order = list(range(seats))[:: -step.step]
        kept = b.hold(at[order[0]])
        for here, there in pairwise(order):
            b.set(at[here], at[there])
        b.set(at[order[-1]], kept)

    loop(b, K(0), K(slot.width), rotate)
