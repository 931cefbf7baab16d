"""Loops: straight code, or blocks with their counters in cells; turns round the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from rulesdsl.check import model as m
from rulesdsl.check.walk import turn_passes_in
from rulesdsl.machine import choices
from rulesdsl.machine.builder import Builder, Draft, Longest, Turns
from rulesdsl.machine.coming import one_by_one
from rulesdsl.machine.fold import add, both, either, op, with_none
from rulesdsl.machine.indexed import indexed
from rulesdsl.machine.program import (
    Ahead,
    Branch,
    Cell,
    Check,
    Cond,
    K,
    Loop,
    R,
    Value,
    While,
)
from rulesdsl.machine.stopping import body_stops


def loop_step(b: Builder, step: m.ForStep | m.TurnsStep | m.WhileStep | m.RepeatStep) -> None:
    match step:
        case m.TurnsStep():
            _turns(b, step)
        case m.WhileStep():
            _while(b, step)
        case m.RepeatStep():
            _repeat(b, step)
        case m.ForStep() if step.chooser is not None:
            choices.in_chosen_order(b, step)
        case m.ForStep() if isinstance(step.domain, m.SeatsDomain) and (
            step.until is not None or turn_passes_in(step.body)
        ):
            _turns(b, step)
        case m.ForStep():
            _for(b, step)
        case _:
            assert_never(step)


def _repeat(b: Builder, step: m.RepeatStep) -> None:
    if step.longest:
        _as_many_as_possible(b, step)
        return
    count = b.values.value(step.count)
    if body_stops(b, step.body):
        _blocks(b, K(0), count, lambda _: b.lower_body(step.body))
        return
    number = b.registers.new()
    with b.inner() as code:
        b.lower_body(step.body)
    b.emit(Loop(number, K(0), count, tuple(code)))


def _as_many_as_possible(b: Builder, step: m.RepeatStep) -> None:
    """The number of rounds left, which the choice in the body looks ahead by, is in a cell."""
    left = b.local("rounds left")
    b.set(left, b.values.value(step.count))
    head, inside, done = b.draft("longest"), b.draft("body"), b.draft("done")
    b.go_on(head)
    b.finish(Branch(op("gt", left, K(0)), inside.number, done.number))
    b.begin(inside)
    b.loop_ends.append(done)
    b.longest = Longest(Ahead(left, step.span, b.cites), done)
    b.lower_body(step.body)
    b.longest = None
    b.loop_ends.pop()
    b.set(left, op("sub", left, K(1)))
    b.jump(head)
    b.begin(done)


def _blocks(b: Builder, low: Value, high: Value, body: Callable[[Value], None]) -> None:
    """Blocks for each x in low..<high, both worked out at entry."""
    limit = b.keep("to", high)
    index = b.local("i")
    b.set(index, low)
    head, inside = b.draft("loop"), b.draft("body")
    after, done = b.draft("next"), b.draft("done")
    b.go_on(head)
    b.finish(Branch(op("lt", index, limit), inside.number, done.number))
    b.begin(inside)
    b.loop_ends.append(done)
    body(index)
    b.loop_ends.pop()
    b.jump(after)
    b.begin(after)
    b.set(index, add(index, K(1)))
    b.jump(head)
    b.begin(done)


def _for(b: Builder, step: m.ForStep) -> None:
    flowing = body_stops(b, step.body)
    if isinstance(step.domain, m.SeatsDomain):
        _tell_start(b, step, step.domain.start)
    low, high, member, inside = _members(b, step.domain, flowing)
    if not isinstance(high, K):
        high = _told(b, step, high)
    listed = isinstance(step.domain, (m.ComponentsOf, m.InBag, m.NeighborsOf, m.Beside))

    def guarded(x: Value) -> None:
        value = _told(b, step, member(x)) if listed else member(x)
        b.values.bind(step.binder, b.keep(step.binder.name, value) if flowing else b.hold(value))
        where = None if step.where is None else b.values.value(step.where)
        condition = _told(b, step, both(inside(x), where))
        _under(b, condition, step, flowing)

    if flowing:
        _blocks(b, low, high, guarded)
    else:
        number = b.registers.new()
        with b.inner() as code:
            guarded(R(number))
        b.emit(Loop(number, low, high, tuple(code)))
    b.note("leave", step.binder)


def _told(b: Builder, step: m.ForStep | m.TurnsStep | m.WhileStep, value: Value) -> Value:
    """The value, told to all if the loop is `seen`."""
    if step.seen:
        value = b.hold(value)
        b.note("seen", step.span, value, span=step.span)
    return value


def _tell_start(b: Builder, step: m.ForStep | m.TurnsStep, start: m.Expr | None) -> None:
    if start is not None:
        _told(b, step, b.values.value(start))


def _under(b: Builder, condition: Value, step: m.ForStep, flowing: bool) -> None:
    """The body of a loop under a condition."""

    def body() -> None:
        b.note("round", step.binder, b.values.locals[id(step.binder)])
        b.lower_body(step.body)

    if condition == K(1):
        body()
    elif flowing:
        b.where_flow(condition, body)
    else:
        with b.inner() as code:
            body()
        b.emit(Cond(condition, tuple(code), ()))


def _members(
    b: Builder, domain: m.Domain, flowing: bool
) -> tuple[Value, Value, Callable[[Value], Value], Callable[[Value], Value]]:
    """The range that stands for a domain, the member of an index, and whether it belongs."""
    fixed = b.keep if flowing else (lambda _name, value: b.hold(value))

    def same(x: Value) -> Value:
        return x

    def always(_: Value) -> Value:
        return K(1)

    match domain:
        case m.RangeDomain() if domain.maybe:
            from_, to_end, number = with_none(
                fixed("from", b.values.value(domain.low)), b.values.value(domain.high)
            )
            return from_, to_end, number, always
        case m.NeighborsOf() | m.Beside() | m.InBag():
            of, members = indexed(domain)
            return *members(b.values.value(of)), always
        case m.RangeDomain():
            high = add(b.values.value(domain.high), K(1))
            return b.values.value(domain.low), high, same, always
        case m.BoolDomain():
            return K(0), K(2), same, always
        case m.KindDomain():
            return K(-1 if domain.maybe else 0), K(len(domain.kind)), same, always
        case m.SeatsDomain():
            start: Value = K(0) if domain.start is None else b.values.value(domain.start)
            start = fixed("from", start)
            way = "sub" if domain.counterclockwise else "add"
            if domain.start is None and not domain.counterclockwise:
                return K(0), K(b.seats), same, always
            return (
                K(int(domain.after)),
                K(b.seats),
                lambda x: op("mod", op(way, start, x), K(b.seats)),
                always,
            )
        case m.ComponentsOf() if domain.place.zone.shape is not m.Shape.PILE:
            all_of_them, taken = one_by_one(b, domain)
            return K(0), all_of_them, taken, always
        case m.KindsOf() | m.ComponentsOf():
            at = b.values.place(domain.place)
            at = at.of(fixed("whose", at.key))
            offset = K(at.zone.offset(domain.kind))
            if isinstance(domain, m.ComponentsOf) and at.zone.shape is m.Shape.PILE:
                return K(0), at.length, lambda x: op("sub", at.spot(x), offset), always
            size = K(len(domain.kind))
            return K(0), size, same, lambda x: at.holds(add(x, offset))
        case m.RunsOf() | m.LinesOf() | m.InLine() | m.SubbagDomain():
            raise AssertionError("these are for aggregates, or for parameters")
        case _:
            assert_never(domain)


def _while(b: Builder, step: m.WhileStep) -> None:
    condition = b.values.value(step.condition)
    bound = b.values.value(step.bound)
    if not body_stops(b, step.body):
        with b.inner() as code:
            _told(b, step, K(1))
            b.lower_body(step.body)
        b.emit(While(condition, bound, step.strict, tuple(code), step.span))
        _told(b, step, K(0))
        return
    limit = b.keep("at most", bound)
    times = b.local("times")
    b.set(times, K(0))
    head, body, over, done = b.draft("while"), b.draft("body"), b.draft("over"), b.draft("done")
    b.go_on(head)
    if step.strict:
        again, more = b.draft("again"), condition
        b.finish(Branch(more, again.number, over.number))
        b.begin(again)
        b.emit(Check(op("lt", times, limit), "bound", step.span))
        b.jump(body)
    else:
        b.finish(Branch(both(op("lt", times, limit), condition), body.number, over.number))
    b.begin(over)
    _told(b, step, K(0))
    b.jump(done)
    b.begin(body)
    _told(b, step, K(1))
    b.set(times, add(times, K(1)))
    b.loop_ends.append(done)
    b.lower_body(step.body)
    b.loop_ends.pop()
    b.jump(head)
    b.begin(done)


# ------------------------------------------------------------------ turns


def _turns(b: Builder, step: m.TurnsStep | m.ForStep) -> None:
    """Seats one after another: `coming` is next, `left` how many are still to come (-1: no end)."""
    coming, left, skipped = b.local("coming"), b.local("left"), b.local("skipped")
    way: Value = K(1)
    number: Value = K(-1)
    start: Value = K(0)
    if isinstance(step, m.TurnsStep):
        _tell_start(b, step, step.start)
        start = K(0) if step.start is None else b.values.value(step.start)
    else:
        assert isinstance(step.domain, m.SeatsDomain)
        _tell_start(b, step, step.domain.start)
        first, number, way = _first_and_number(b, step.domain)
        start = first
    b.set(coming, start)
    b.set(left, number)
    b.set(skipped, K(0))
    around = way
    if _turns_round(step.body, way):
        way = b.local("way")
        b.set(way, around)
    head, done = b.draft("turns"), b.draft("turns over")
    b.go_on(head)
    _leave_when(b, either(op("eq", left, K(0)), op("eq", skipped, K(b.seats))), done)
    if step.until is not None:
        _leave_when(b, _told(b, step, b.values.value(step.until)), done)
    player = b.local(step.binder.name)
    b.set(player, coming)
    b.values.bind(step.binder, player)
    b.set(coming, op("mod", add(coming, way), K(b.seats)))
    b.set(left, op("sub", left, op("gt", left, K(0))))
    if step.where is not None:
        turn, skip = b.draft("turn"), b.draft("skip")
        condition = _told(b, step, b.values.value(step.where))
        b.finish(Branch(condition, turn.number, skip.number))
        b.begin(skip)
        b.set(skipped, add(skipped, K(1)))
        b.jump(head)
        b.begin(turn)
    b.set(skipped, K(0))
    b.loop_ends.append(done)
    b.turns.append(Turns(coming, left, way, around))
    b.note("round", step.binder, player)
    b.lower_body(step.body)
    b.turns.pop()
    b.loop_ends.pop()
    b.jump(head)
    b.begin(done)
    b.note("leave", step.binder)


def _turns_round(body: m.Body, way: Value) -> bool:
    """Whether turns may go on the other way round after a turn is passed."""
    passed = [step.to for step in turn_passes_in(body) if isinstance(step.to, m.SeatsDomain)]
    return any(_way(seats) != way for seats in passed)


def _leave_when(b: Builder, condition: Value, done: Draft) -> None:
    on = b.draft("go on")
    b.finish(Branch(condition, done.number, on.number))
    b.begin(on)


def _first_and_number(b: Builder, seats: m.SeatsDomain) -> tuple[Value, Value, Value]:
    """The first seat of a domain, how many seats, and the way round (1 or -1)."""
    way = _way(seats)
    start: Value = K(0) if seats.start is None else b.values.value(seats.start)
    if not seats.after:
        return start, K(b.seats), way
    return op("mod", add(start, way), K(b.seats)), K(b.seats - 1), way


def _way(seats: m.SeatsDomain) -> Value:
    return K(-1 if seats.counterclockwise else 1)


def turn_passes(b: Builder, step: m.TurnPasses) -> None:
    """Replace who is still to come."""
    turns = b.turns[-1]
    number: Value = K(-1)
    way = turns.around
    if isinstance(step.to, m.SeatsDomain):
        first, number, way = _first_and_number(b, step.to)
    else:
        first = b.values.value(step.to)
    b.set(turns.coming, first)
    b.set(turns.left, number)
    if isinstance(turns.way, Cell):
        b.set(turns.way, way)
