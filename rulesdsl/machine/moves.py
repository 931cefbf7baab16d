"""Moves and deals whole: draws, refills, and the triggers that follow each component."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from attrs import evolve, frozen

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import IntType
from rulesdsl.check.movements import asides, moved_kinds
from rulesdsl.machine import triggers
from rulesdsl.machine.builder import Builder, Draft
from rulesdsl.machine.drawing import draw, draw_place
from rulesdsl.machine.effects import (
    check_room,
    clear_cells,
    loop,
    move_straight,
    note_move,
    owner_of,
    place_now,
    put,
    put_at,
    store,
    take,
    take_any,
    take_at,
    transfer,
    when,
)
from rulesdsl.machine.fold import add, both, cell, choose, op
from rulesdsl.machine.notes import lay_notes, say
from rulesdsl.machine.places import (
    PlaceAt,
    of_kind,
    parts,
    place_at,
    player_or_member,
    translate,
)
from rulesdsl.machine.program import (
    UNKNOWN,
    Branch,
    Cell,
    Check,
    K,
    Value,
)
from rulesdsl.machine.stopping import (
    after_move,
    deal_stops,
    from_deck,
    move_stops,
    watched,
    watching,
    when_empty,
)
from rulesdsl.text.source import Span


def move(b: Builder, step: m.Move) -> None:
    """A move with all that belongs to it."""
    if from_deck(step):
        _deal(b, _as_deal(step), moved_kinds(step), asides(step))
        return
    if step.to.way is m.Way.RANDOM:
        _move_to_random_place(b, step)
        return
    stopping = move_stops(b, step)
    origin, to = place_now(b, step.origin), place_now(b, step.to.place)
    if stopping:
        origin, to = _kept(b, origin), _kept(b, to)
    emptying = when_empty(b.model, origin.zone)
    before: Value = K(0)
    if emptying:
        held = op("gt", origin.size(), K(0))
        before = b.keep("was there", held) if stopping else b.hold(held)
    woven = watching(b, step)
    moved = b.local("moved", origin.zone.width) if woven else None
    said = say(b, step)
    move_straight(b, step, origin, to, moved)
    lay_notes(b, to, said, step.to.way, None, step.span)
    if moved is not None:
        _fire_each(b, woven, origin, to, moved, stopping)
        clear_cells(b, moved, origin.zone.width)
    for trigger in emptying:
        emptied = both(before, op("eq", origin.size(), K(0)))
        triggers.fire_empty(b, trigger, origin, emptied)


def _as_deal(step: m.Move) -> m.Deal:
    """From a deck components come one at a time from the top, as in a deal."""
    zone = step.origin.zone
    count: m.Expr
    if isinstance(step.moved, m.MoveTop):
        count = step.moved.count
    else:
        count = m.SizeOf(step.span, IntType(0, zone.capacity), step.origin)
    return m.Deal(step.span, count, False, step.origin, step.to, step.seen, step.noting)


def _kept(b: Builder, at: PlaceAt) -> PlaceAt:
    return at.of(b.keep(f"whose {at.zone.name}", at.key))


def _fire_each(
    b: Builder,
    woven: list[m.Trigger],
    origin: PlaceAt,
    to: PlaceAt,
    moved: Cell,
    stopping: bool,
) -> None:
    """The triggers of each component that has moved, kinds in order."""

    def one(member: Value, kind: m.Kind) -> None:
        for trigger in woven:
            event = trigger.event
            if isinstance(event, m.AfterMove) and event.kind is kind:
                triggers.fire_move(b, trigger, origin, to, member)

    for kind, offset in parts(origin.zone):
        tally = lambda r, offset=offset: cell(moved.base, *moved.terms, (add(r, K(offset)), 1))  # noqa: E731
        if stopping:
            flow_loop(
                b,
                K(len(kind)),
                lambda r, kind=kind, tally=tally: flow_loop(  # type: ignore[misc]
                    b, tally(r), lambda _: one(r, kind)
                ),
            )
        else:
            loop(
                b,
                K(0),
                K(len(kind)),
                lambda r, kind=kind, tally=tally: loop(  # type: ignore[misc]
                    b, K(0), tally(r), lambda _: one(r, kind)
                ),
            )


def flow_loop(b: Builder, count: Value, body: Callable[[Value], None]) -> None:
    """Blocks that carry out a body `count` times, with the index in a cell."""
    index = b.local("i")
    limit = b.keep("to", count)
    b.set(index, K(0))
    head, inside, done = b.draft("loop"), b.draft("body"), b.draft("done")
    b.go_on(head)
    b.finish(Branch(op("lt", index, limit), inside.number, done.number))
    b.begin(inside)
    body(index)
    b.set(index, add(index, K(1)))
    b.jump(head)
    b.begin(done)


# ------------------------------------------------------------------ deals


def deal(b: Builder, step: m.Deal) -> None:
    """Components one at a time; refill, draw, put, triggers."""
    if deal_stops(b, step):
        _deal(b, step, moved_kinds(step), asides(step))
        return
    origin, to = place_now(b, step.origin), place_now(b, step.to.place)
    count = b.hold(b.values.value(step.count))

    def one(_: Value) -> None:
        there = op("gt", origin.size(), K(0))
        if not step.up_to:
            b.emit(Check(there, "nothing-left", step.span))
        when(b, there, lambda: _take_top(b, origin, to, step))

    loop(b, K(0), count, one)


def _take_top(b: Builder, origin: PlaceAt, to: PlaceAt, step: m.Deal) -> None:
    if origin.zone.shape is m.Shape.SLOT:
        member = b.hold(op("sub", origin.length, K(1)))
        transfer(b, origin, to, step.to.way, member, K(1), step.span, None)
    else:
        member = b.hold(origin.spot(op("sub", origin.length, K(1))))
        note_move(b, origin, to, member, K(1), step.span)
        take_at(b, origin, op("sub", origin.length, K(1)))
        put(b, to, b.hold(translate(member, origin.zone, to.zone)), step.to.way, step.span)
    _after_one(b, origin, to, member, moved_kinds(step))


def _after_one(
    b: Builder, origin: PlaceAt, to: PlaceAt, member: Value, kinds: tuple[m.Kind, ...]
) -> None:
    """The triggers after one component of these kinds, counted over the origin's kinds."""
    for kind in kinds:
        offset = origin.zone.offset(kind)
        inside = K(1) if len(kinds) == 1 else of_kind(member, kind, origin.zone)
        for trigger in after_move(b.model, kind, origin.zone, to.zone):
            local = op("sub", member, K(offset))
            triggers.fire_move(b, trigger, origin, to, local, inside)
    for trigger in when_empty(b.model, origin.zone):
        triggers.fire_empty(b, trigger, origin, op("eq", origin.size(), K(0)))


@frozen
class _Dealing:
    """A deal under way; `again` takes the next component in place of one that went aside."""

    step: m.Deal
    origin: PlaceAt
    to: PlaceAt
    kinds: tuple[m.Kind, ...]
    asides: tuple[tuple[m.Kind, m.Target], ...]
    again: Draft


def _deal(
    b: Builder,
    step: m.Deal,
    kinds: tuple[m.Kind, ...],
    aside: Iterable[tuple[m.Kind, m.Target]],
) -> None:
    origin, to = _kept(b, place_now(b, step.origin)), _kept(b, place_now(b, step.to.place))
    dealing = _Dealing(step, origin, to, kinds, tuple(aside), b.draft("deal again"))
    count, done = b.values.value(step.count), b.draft("dealt")
    # where to go on when one is dealt
    head = done
    if count != K(1):
        left, head, one = b.local("left to deal"), b.draft("deal"), b.draft("deal one")
        b.set(left, count)
        b.go_on(head)
        b.finish(Branch(op("gt", left, K(0)), one.number, done.number))
        b.begin(one)
        b.set(left, op("sub", left, K(1)))
    if dealing.asides:
        b.go_on(dealing.again)
    _refill(b, origin, step.span)
    there = _wanted(b, step, origin)
    if step.up_to:
        some, none = b.draft("there is one"), b.draft("nothing left")
        b.finish(Branch(there, some.number, none.number))
        b.begin(none)
        b.jump(done)
        b.begin(some)
    else:
        b.emit(Check(there, "nothing-left", step.span))
    _draw_one(b, dealing)
    b.jump(head)
    b.begin(done)


def _beside(b: Builder, zone: m.Zone, at: PlaceAt) -> PlaceAt:
    """A zone that goes with a place: of the same owner, or shared."""
    key: Value = K(0)
    if zone.per == "player":
        key = player_or_member(at.zone, at.key)
    elif zone.per != "shared":
        key = at.key
    return place_at(b.layout, zone, key, b.registers)


def _refill(b: Builder, origin: PlaceAt, span: Span) -> None:
    """When one is wanted and none is there, the places it is refilled from come in, shuffled."""
    if not origin.zone.refills:
        return

    def fill() -> None:
        for zone in origin.zone.refills:
            source = _beside(b, zone, origin)

            def each(r: Value, source: PlaceAt = source) -> None:
                count = b.hold(source.count(r))
                some = op("gt", count, K(0))
                when(
                    b,
                    some,
                    lambda: transfer(b, source, origin, m.Way.IN, r, count, span, None),
                )

            loop(b, K(0), K(zone.width), each)

    when(b, op("eq", origin.size(), K(0)), fill)


def _draw_one(b: Builder, dealing: _Dealing) -> None:
    """One component: drawn from a bag, from the top of a deck (drawn if it is unknown)."""
    origin, to, step = dealing.origin, dealing.to, dealing.step
    if step.chosen is not None:
        likely = partial(_likely, b, step.chosen, origin)
        member = draw(b, origin, to, origin.zone.width, likely, step.span)
        _comes_up(b, dealing, member, lambda here: take_any(b, origin, here, step.span))
        return
    if origin.zone.shape is m.Shape.DECK:
        last = op("sub", origin.length, K(1))
        reveal(b, origin, to, last, step.span)
        member = b.hold(origin.spot(last))
        _comes_up(b, dealing, member, lambda _: take_at(b, origin, last))
        return
    if origin.zone.shape is not m.Shape.BAG:
        top = b.draft("take the top")
        b.go_on(top)
        _take_top_flow(b, origin, to, step)
        return
    member = draw(b, origin, to, origin.zone.width, origin.loose, step.span)

    def leave(member: Value) -> None:
        store(b, origin.take_loose(member, K(1)))

    _comes_up(b, dealing, member, leave)


def _wanted(b: Builder, step: m.Deal, origin: PlaceAt) -> Value:
    """Whether there is one of those that may be dealt."""
    chosen = step.chosen
    if chosen is None:
        return op("gt", origin.size(), K(0))
    low = origin.zone.offset(chosen.kind)
    high = low + len(chosen.kind)
    # all of them are looked at, so that a fault comes before the draw
    number = origin.fold("sum", K(low), K(high), partial(_likely, b, chosen, origin))
    return op("gt", number, K(0))


def _likely(b: Builder, chosen: m.MoveWhere, origin: PlaceAt, member: Value) -> Value:
    """How likely a member is in a deal by a condition: as many as there are, if it holds."""
    b.values.bind(chosen.binder, op("sub", member, K(origin.zone.offset(chosen.kind))))
    fits = both(of_kind(member, chosen.kind, origin.zone), b.values.value(chosen.where))
    return choose(fits, origin.count(member), K(0))


def _comes_up(b: Builder, dealing: _Dealing, member: Value, leave: Callable[[Value], None]) -> None:
    """One component arrives, or goes aside and another one comes up."""
    origin, step = dealing.origin, dealing.step
    if dealing.asides:
        member = b.keep("what comes up", member)
    for kind, target in dealing.asides:
        aside, other = b.draft("goes aside"), b.draft("does not")
        b.finish(Branch(of_kind(member, kind, origin.zone), aside.number, other.number))
        b.begin(aside)
        to = _beside(b, target.place.zone, origin)
        _arrive(b, origin, to, member, leave, evolve(step, to=target, noting=()), (kind,))
        b.jump(dealing.again)
        b.begin(other)
    _arrive(b, origin, dealing.to, member, leave, step, dealing.kinds)


def _take_top_flow(b: Builder, origin: PlaceAt, to: PlaceAt, step: m.Deal) -> None:
    slot = origin.zone.shape is m.Shape.SLOT
    last = op("sub", origin.length, K(1))
    member = b.hold(last if slot else origin.spot(last))

    def leave(_: Value) -> None:
        if slot:
            b.set(origin.length, K(0))
        else:
            take_at(b, origin, last)

    _arrive(b, origin, to, member, leave, step, moved_kinds(step))


def reveal(b: Builder, deck: PlaceAt, to: PlaceAt | None, index: Value, span: Span) -> None:
    """What lies at a place of a deck is drawn there, unless it is known already."""
    ask, known = b.draft("unknown"), b.draft("known")
    b.finish(Branch(op("eq", deck.spot(index), K(UNKNOWN)), ask.number, known.number))
    b.begin(ask)
    member = draw(b, deck, to, deck.zone.width, deck.loose, span)
    store(b, deck.take_loose(member, K(1)))
    store(b, deck.put_placed(member))
    b.set(deck.spot(index), member)
    b.go_on(known)


def _arrive(
    b: Builder,
    origin: PlaceAt,
    to: PlaceAt,
    member: Value,
    leave: Callable[[Value], None],
    step: m.Deal | m.Move,
    kinds: tuple[m.Kind, ...],
) -> None:
    """One component of these kinds leaves its place and is put; then what is to be done after it.

    A place left to chance is drawn while the component still lies where it was, so that it lies
    somewhere at every stop.
    """
    following = [*watched(b, kinds, origin.zone, to.zone), *when_empty(b.model, origin.zone)]
    random = step.to.way is m.Way.RANDOM
    if following or random:
        member = b.keep("what moves", member)
    place = draw_place(b, origin, to, step.to, step.span) if random else None
    said = say(b, step)
    note_move(b, origin, to, member, K(1), step.span)
    leave(member)
    there = b.hold(translate(member, origin.zone, to.zone))
    if place is None:
        put(b, to, there, step.to.way, step.span)
    else:
        check_room(b, to, K(1), step.span)
        put_at(b, to, op("sub", to.length, place), there)
    lay_notes(b, to, said, step.to.way, place, step.span)
    if following:
        _after_one(b, origin, to, member, kinds)


# ------------------------------------------------------------------ random places


def _move_to_random_place(b: Builder, step: m.Move) -> None:
    """One component out of its place, and into a pile or deck at a place left to chance."""
    origin, to = _kept(b, place_now(b, step.origin)), _kept(b, place_now(b, step.to.place))
    if isinstance(step.moved, m.MoveMember):
        offset = origin.zone.offset(step.moved.kind)
        member = b.hold(add(b.values.value(step.moved.member), K(offset)))
        b.emit(Check(origin.holds(member), "missing", step.span))
    else:
        b.emit(Check(op("gt", origin.size(), K(0)), "missing", step.span))
        last = op("sub", origin.length, K(1))
        member = b.hold(last if origin.zone.shape is m.Shape.SLOT else origin.spot(last))
    kinds = moved_kinds(step)
    _arrive(b, origin, to, member, lambda here: take(b, origin, here, step.span), step, kinds)


def show_top(b: Builder, step: m.Show) -> None:
    """Look at the top of a deck: the places looked at are drawn and known from then on."""
    assert isinstance(step.what, m.Place)
    assert step.top is not None
    deck = _kept(b, place_now(b, step.what))
    viewer = K(-1) if step.to is None else b.keep("who looks", b.values.value(step.to))
    count = b.keep("how many", op("min", b.values.value(step.top), deck.length))

    def one(index: Value) -> None:
        reveal(b, deck, None, op("sub", op("sub", deck.length, K(1)), index), step.span)

    flow_loop(b, count, one)
    b.note("look", deck.zone, viewer, count, owner_of(deck), span=step.span)
