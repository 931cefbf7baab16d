"""Effects: components that move, counters that change, and the triggers woven in after them."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import IntType
from rulesdsl.machine import triggers
from rulesdsl.machine.builder import Builder
from rulesdsl.machine.fold import add, both, cell, op
from rulesdsl.machine.notes import clear_notes, shift_notes
from rulesdsl.machine.places import PlaceAt, Stores, parts, state_cell, translate
from rulesdsl.machine.program import (
    UNKNOWN,
    Cell,
    Check,
    Clear,
    Code,
    Cond,
    K,
    Loop,
    R,
    Value,
)
from rulesdsl.machine.stopping import after_change, body_stops
from rulesdsl.text.source import Span


def place_now(b: Builder, place: m.Place) -> PlaceAt:
    """A place whose owner is worked out here and now."""
    at = b.values.place(place)
    return at.of(b.hold(at.key))


def store(b: Builder, stores: Stores) -> None:
    """Carry out the stores of a place, one after the other."""
    for target, value in stores:
        b.set(target, value)


def loop(b: Builder, low: Value, high: Value, body: Callable[[Value], None]) -> None:
    """Straight code for each x in low..<high."""
    number = b.registers.new()
    with b.inner() as code:
        body(R(number))
    b.emit(Loop(number, low, high, tuple(code)))


def when(b: Builder, condition: Value, body: Callable[[], None]) -> None:
    """Straight code under a condition."""
    if isinstance(condition, K):
        if condition.value:
            body()
        return
    with b.inner() as code:
        body()
    if code:
        b.emit(Cond(condition, tuple(code), ()))


# ------------------------------------------------------------------ counters


def set_scalar(
    b: Builder, scalar: m.Scalar, key: Value, value: Value, span: Span, proved: bool = False
) -> None:
    """Store, note it, and do what is to be done after a change."""
    key = b.hold(key)
    target = state_cell(b.layout, scalar, key)
    value = b.hold(value)
    low = high = None
    if isinstance(scalar.type, IntType):
        if scalar.capped:
            value = b.hold(op("min", op("max", value, K(scalar.type.low)), K(scalar.type.high)))
        elif not proved:
            low, high = scalar.type.low, scalar.type.high
    owner = K(-1) if scalar.per == "shared" else key
    b.note("set", scalar, owner, target, value, span=span)
    woven = after_change(b.model, scalar)
    changed = op("ne", target, value) if woven else K(0)
    if any(body_stops(b, trigger.body) for trigger in woven):
        key, changed = b.keep("whose", key), b.keep("changed", changed)
    else:
        changed = b.hold(changed)
    b.set(target, value, low, high, span)
    for trigger in woven:
        triggers.fire_change(b, trigger, key, changed)


# ------------------------------------------------------------------ putting and taking


def check_room(b: Builder, at: PlaceAt, count: Value, span: Span) -> None:
    """A fault where so many more have no room in a place that holds at most so many."""
    if at.zone.at_most is not None:
        room = b.values.value(at.zone.at_most)
        b.emit(Check(op("le", add(at.size(), count), room), "full", span))


def put(b: Builder, at: PlaceAt, member: Value, way: m.Way, span: Span) -> None:
    """Put one component into a place (on top of a pile; a known place of a deck)."""
    check_room(b, at, K(1), span)
    match at.zone.shape:
        case m.Shape.BAG:
            store(b, at.put_loose(member, K(1)))
        case m.Shape.SLOT:
            b.emit(Check(op("eq", at.length, K(0)), "full", span))
            store(b, at.put_placed(member))
            b.set(at.length, add(member, K(1)))
        case m.Shape.PILE | m.Shape.DECK if way is m.Way.UNDER:
            put_at(b, at, K(0), member)
        case m.Shape.PILE:
            put_at(b, at, at.length, member)
        case m.Shape.DECK if way is m.Way.ONTO:
            put_at(b, at, at.length, member)
        case m.Shape.DECK:
            store(b, at.put_loose(member, K(1)))
            _insert(b, at, at.length, K(UNKNOWN))
            shuffle(b, at)


def put_at(b: Builder, at: PlaceAt, index: Value, member: Value) -> None:
    """Put a known component at a place of a pile or deck; what is there and above moves up."""
    store(b, at.put_placed(member))
    _insert(b, at, index, member)


def _insert(b: Builder, at: PlaceAt, index: Value, member: Value) -> None:
    index = b.hold(index)

    def up(r: Value) -> None:
        spot = op("sub", op("sub", add(at.length, index), K(1)), r)
        b.set(at.spot(add(spot, K(1))), at.spot(spot))
        shift_notes(b, at, spot, add(spot, K(1)))

    loop(b, index, at.length, up)
    b.set(at.spot(index), member)
    clear_notes(b, at, index)
    b.set(at.length, add(at.length, K(1)))


def take_at(b: Builder, at: PlaceAt, index: Value) -> None:
    """Take away what is at a place of a pile or deck; what is above moves down."""

    def down(r: Value) -> None:
        b.set(at.spot(op("sub", r, K(1))), at.spot(r))
        shift_notes(b, at, r, op("sub", r, K(1)))

    loop(b, add(b.hold(index), K(1)), at.length, down)
    b.set(at.length, op("sub", at.length, K(1)))
    b.set(at.spot(at.length), K(0))
    clear_notes(b, at, at.length)


def take(b: Builder, at: PlaceAt, member: Value, span: Span) -> None:
    """Take one component of a member: of a pile the uppermost."""
    match at.zone.shape:
        case m.Shape.BAG:
            b.emit(Check(at.holds(member), "missing", span))
            store(b, at.take_loose(member, K(1)))
        case m.Shape.SLOT:
            b.emit(Check(op("eq", at.length, add(member, K(1))), "missing", span))
            b.set(at.length, K(0))
        case m.Shape.PILE | m.Shape.DECK:
            found = b.hold(_uppermost(at, member))
            b.emit(Check(op("ge", found, K(0)), "missing", span))
            take_at(b, at, found)


def take_any(b: Builder, at: PlaceAt, member: Value, span: Span) -> None:
    """Take one of a member out of a bag or deck; in a deck rather one of those that are unknown.

    It leaves its place among the unknown ones, of which the uppermost is gone.
    """
    if at.zone.shape is m.Shape.BAG:
        store(b, at.take_loose(member, K(1)))
        return
    with b.inner() as unknown:
        store(b, at.take_loose(member, K(1)))
        take_at(b, at, b.hold(_uppermost(at, K(UNKNOWN))))
    with b.inner() as known:
        take(b, at, member, span)
    b.emit(Cond(op("gt", at.loose(member), K(0)), tuple(unknown), tuple(known)))


def _uppermost(at: PlaceAt, member: Value) -> Value:
    """The highest spot of a pile or deck that holds a member; -1 for none."""

    def here(r: Value) -> Value:
        return op("eq", at.spot(r), member)

    return at.fold("max", K(0), at.length, lambda r: r, where=here, empty=K(-1))


def shuffle(b: Builder, at: PlaceAt) -> None:
    """All places of a deck become unknown."""

    def forget(r: Value) -> None:
        def pool() -> None:
            store(b, at.put_loose(at.spot(r), K(1)))
            b.set(at.spot(r), K(UNKNOWN))

        when(b, at.is_known(r), pool)

    loop(b, K(0), at.length, forget)


# ------------------------------------------------------------------ moving


def note_move(
    b: Builder,
    origin: PlaceAt,
    to: PlaceAt,
    member: Value,
    count: Value,
    span: Span,
) -> None:
    """Note that components of one member (counted over the origin's kinds) have moved."""
    for kind, offset in parts(origin.zone):
        inside: Value = K(1)
        if len(origin.zone.kinds) > 1:
            above = op("ge", member, K(offset))
            inside = both(above, op("lt", member, K(offset + len(kind))))
        local = op("sub", member, K(offset))

        def tell(kind: m.Kind = kind, local: Value = local) -> None:
            subject = (kind, origin.zone, to.zone)
            keys = (owner_of(origin), owner_of(to))
            b.note("move", subject, local, count, *keys, span=span)

        when(b, inside, tell)


def owner_of(at: PlaceAt) -> Value:
    return K(-1) if at.zone.per == "shared" else at.key


def transfer(
    b: Builder,
    origin: PlaceAt,
    to: PlaceAt,
    way: m.Way,
    member: Value,
    count: Value,
    span: Span,
    moved: Cell | None,
) -> None:
    """Move `count` components of one member; `moved` counts them by member where wanted."""
    count = b.hold(count)
    target = b.hold(translate(member, origin.zone, to.zone))
    if to.zone.at_most is not None:
        b.emit(Check(op("le", count, origin.count(member)), "missing", span))
    note_move(b, origin, to, member, count, span)
    if origin.zone.shape is m.Shape.BAG and to.zone.shape is m.Shape.BAG:
        b.emit(Check(op("le", count, origin.loose(member)), "missing", span))
        itself = op("eq", origin.key, to.key) if origin.zone is to.zone else K(0)
        check_room(b, to, op("mul", count, op("sub", K(1), itself)), span)
        store(b, origin.take_loose(member, count))
        store(b, to.put_loose(target, count))
    else:

        def one(_: Value) -> None:
            take(b, origin, member, span)
            put(b, to, target, way, span)

        loop(b, K(0), count, one)
    if moved is not None:
        tally = cell(moved.base, *moved.terms, (member, 1))
        b.set(tally, add(tally, count))


def move_straight(
    b: Builder, step: m.Move, origin: PlaceAt, to: PlaceAt, moved: Cell | None
) -> None:
    """A move without a draw; what must happen after it is not yet done."""
    way, span = step.to.way, step.span

    def some(member: Value, count: Value) -> None:
        transfer(b, origin, to, way, member, count, span, moved)

    match step.moved:
        case m.MoveAll() as all_:
            _move_all(b, all_, origin, to, some, step, moved)
        case m.MoveMember():
            offset = origin.zone.offset(step.moved.kind)
            member = b.hold(add(b.values.value(step.moved.member), K(offset)))
            count = step.moved.count
            some(member, origin.count(member) if count is None else b.values.value(count))
        case m.MoveWhere() as chosen:
            offset = origin.zone.offset(chosen.kind)

            def each(r: Value) -> None:
                b.values.bind(chosen.binder, r)
                member = add(r, K(offset))
                condition = b.values.value(chosen.where)
                when(b, condition, lambda: some(member, origin.count(member)))

            loop(b, K(0), K(len(chosen.kind)), each)
        case m.MoveTop():
            _move_top(b, step.moved, origin, to, way, span, moved)
        case m.MoveSubbag():
            counts = b.values.bags[id(step.moved.local)]
            for i, chosen_count in enumerate(counts):
                left = op("sub", origin.count(K(i)), chosen_count)
                some(K(i), left if step.moved.but else chosen_count)
        case _:
            assert_never(step.moved)


def _move_all(
    b: Builder,
    all_: m.MoveAll,
    origin: PlaceAt,
    to: PlaceAt,
    some: Callable[[Value, Value], None],
    step: m.Move,
    moved: Cell | None,
) -> None:
    """Everything (or some kinds): bags by member, piles in their order."""
    if origin.zone.shape is m.Shape.PILE and len(all_.kinds) == len(origin.zone.kinds):
        count = b.hold(origin.length)
        _in_order(b, origin, to, step.to.way, count, step.span, moved)
        return
    for kind, offset in parts(origin.zone):
        if not any(kind is other for other in all_.kinds):
            continue

        def each(r: Value, offset: int = offset) -> None:
            member = add(r, K(offset))
            count = b.hold(origin.count(member))
            when(b, op("gt", count, K(0)), lambda: some(member, count))

        loop(b, K(0), K(len(kind)), each)


def _in_order(
    b: Builder,
    origin: PlaceAt,
    to: PlaceAt,
    way: m.Way,
    count: Value,
    span: Span,
    moved: Cell | None,
) -> None:
    """The uppermost `count` components of a pile, so that their order stays."""
    start = b.hold(op("sub", origin.length, count))

    def one(_: Value) -> None:
        # onto: the lowest first, so that it lies lowest again; under: the uppermost first
        index = op("sub", origin.length, K(1)) if way is m.Way.UNDER else start
        member = b.hold(origin.spot(index))
        note_move(b, origin, to, member, K(1), span)
        take_at(b, origin, index)
        put(b, to, b.hold(translate(member, origin.zone, to.zone)), way, span)
        if moved is not None:
            tally = cell(moved.base, *moved.terms, (member, 1))
            b.set(tally, add(tally, K(1)))

    loop(b, K(0), count, one)


def _move_top(
    b: Builder,
    moved_top: m.MoveTop,
    origin: PlaceAt,
    to: PlaceAt,
    way: m.Way,
    span: Span,
    moved: Cell | None,
) -> None:
    count = b.hold(b.values.value(moved_top.count))
    b.emit(Check(op("le", count, origin.size()), "missing", span))
    if origin.zone.shape is m.Shape.SLOT:
        member = b.hold(op("sub", origin.length, K(1)))
        when(
            b,
            op("gt", count, K(0)),
            lambda: transfer(b, origin, to, way, member, K(1), span, moved),
        )
        return
    _in_order(b, origin, to, way, count, span, moved)


def clear_cells(b: Builder, target: Cell, count: int) -> None:
    code: Code = Clear(target, count)
    b.emit(code)
