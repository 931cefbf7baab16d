"""Prizes by rank, and places that go round the table."""

from __future__ import annotations

from itertools import pairwise

from attrs import frozen

from rulesdsl.check import model as m
from rulesdsl.machine.builder import Builder
from rulesdsl.machine.effects import loop, note_move, set_scalar, store, when
from rulesdsl.machine.fold import add, both, cell, either, op
from rulesdsl.machine.places import PlaceAt, ToldPlace, place_at, state_cell
from rulesdsl.machine.program import K, Slot, Value
from rulesdsl.machine.stopping import after_change, body_stops


@frozen
class _Player:
    """Whether a player takes part, and what ranks it, the weightiest first."""

    taking_part: Value
    keys: tuple[Value, ...]

    def is_over(self, other: _Player) -> Value:
        """Whether the first key that differs is greater than the other's."""
        over: Value = K(0)
        for mine, theirs in zip(reversed(self.keys), reversed(other.keys), strict=True):
            over = either(op("gt", mine, theirs), both(op("eq", mine, theirs), over))
        return both(self.taking_part, over)

    def is_level(self, other: _Player) -> Value:
        level: Value = self.taking_part
        for mine, theirs in zip(self.keys, other.keys, strict=True):
            level = both(level, op("eq", mine, theirs))
        return level


def award(b: Builder, step: m.AwardStep) -> None:
    """Prizes by rank; everything is read before anything is given."""
    players = [_player(b, step, seat) for seat in range(b.seats)]
    prizes = [b.hold(b.values.value(prize)) for prize in step.prizes]
    shares = [b.hold(_share(b, step.ties, prizes, players, mine)) for mine in players]
    asking = any(body_stops(b, trigger.body) for trigger in after_change(b.model, step.scalar))
    takers = [player.taking_part for player in players]
    if asking:
        takers = [b.keep("takes part", taker) for taker in takers]
        shares = [b.keep("share", share) for share in shares]
    for seat, share in enumerate(shares):

        def give(seat: int = seat, share: Value = share) -> None:
            target = state_cell(b.layout, step.scalar, K(seat))
            set_scalar(b, step.scalar, K(seat), add(target, share), step.span)

        if asking:
            b.where_flow(takers[seat], give)
        else:
            when(b, takers[seat], give)


def _player(b: Builder, step: m.AwardStep, seat: int) -> _Player:
    b.values.bind(step.binder, K(seat))
    where: Value = K(1) if step.where is None else b.values.value(step.where)
    taking_part = b.hold(where)
    return _Player(taking_part, tuple(b.hold(b.values.value(key)) for key in step.by))


def _share(
    b: Builder, ties: m.Ties, prizes: list[Value], players: list[_Player], mine: _Player
) -> Value:
    """What one of the players gets; of no use where it takes no part."""
    better: Value = K(0)
    equal: Value = K(0)
    for other in players:
        better = add(better, other.is_over(mine))
        equal = add(equal, other.is_level(mine))
    better, equal = b.hold(better), b.hold(equal)
    if ties is m.Ties.USED_UP:
        return _nth(prizes, better)
    if ties is m.Ties.NONE_SKIPPED:
        return _nth(prizes, b.hold(_different_better(b, players, mine)))
    total: Value = K(0)
    for place, prize in enumerate(prizes):
        at = both(op("le", better, K(place)), op("gt", add(better, equal), K(place)))
        total = add(total, op("mul", at, prize))
    way = "ceildiv" if ties is m.Ties.SPLIT_UP else "floordiv"
    return op(way, total, op("max", equal, K(1)))


def _different_better(b: Builder, players: list[_Player], mine: _Player) -> Value:
    """How many different ranks there are above."""
    number: Value = K(0)
    for i, player in enumerate(players):
        first = player.is_over(mine)
        for other in players[:i]:
            first = both(first, op("eq", other.is_level(player), K(0)))
        number = add(number, first)
    return number


def _nth(prizes: list[Value], index: Value) -> Value:
    total: Value = K(0)
    for place, prize in enumerate(prizes):
        total = add(total, op("mul", op("eq", index, K(place)), prize))
    return total


def pass_each(b: Builder, step: m.PassEach) -> None:
    """Every place moves to the neighbour, cell by cell, all at once."""
    seats = b.seats
    for seat in range(seats):
        origin = place_at(b.layout, step.zone, K(seat), b.registers)
        to = origin.of(K((seat + step.step) % seats))

        def tell(r: Value, origin: PlaceAt = origin, to: PlaceAt = to) -> None:
            note_move(b, origin, to, r, origin.count(r), step.span)

        loop(b, K(0), K(step.zone.width), tell)

    for slot in (b.layout.slot(step.zone), *map(b.layout.slot, step.zone.notes)):

        def rotate(r: Value, slot: Slot = slot) -> None:
            at = [cell(slot.base + seat * slot.width, (r, 1)) for seat in range(seats)]
            order = list(range(seats))[:: -step.step]
            kept = b.hold(at[order[0]])
            for here, there in pairwise(order):
                b.set(at[here], at[there])
            b.set(at[order[-1]], kept)

        loop(b, K(0), K(slot.width), rotate)
    passing = place_at(b.layout, step.zone, K(0), b.registers)
    if isinstance(passing, ToldPlace):
        loop(b, K(0), K(step.zone.width), lambda r: store(b, passing.pass_on(r, step.step)))
