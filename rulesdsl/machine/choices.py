"""Choices: options with guards and parameters, asked once, again and again, or in an order."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from attrs import define, evolve

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import NONE, SubbagType
from rulesdsl.check.walk import nodes
from rulesdsl.machine import derived, fold, grids, joins
from rulesdsl.machine.builder import Builder, Draft
from rulesdsl.machine.coming import each_comes, nth, still_to_come
from rulesdsl.machine.effects import clear_cells
from rulesdsl.machine.fold import add, both, cell, either, op
from rulesdsl.machine.program import (
    Argument,
    Branch,
    Cell,
    Choose,
    Fold,
    K,
    Option,
    Parameter,
    R,
    Reason,
    Stop,
    Value,
)
from rulesdsl.machine.stopping import body_stops
from rulesdsl.syntax.cites import Cite


def choose(b: Builder, step: m.ChooseStep) -> None:
    """One choice, or with a bound the same choice again until `done`."""
    done = b.draft("chosen")
    actor = b.keep("who", b.values.value(step.player))
    if step.bound is None:
        _ask(b, step, actor, (), lambda _: done)
        b.begin(done)
        return
    times = b.local("times")
    b.set(times, K(0))
    limit = b.keep("at most", b.values.value(step.bound))
    taken = b.local("taken", len(step.options)) if step.each_once else None
    if taken is not None:
        clear_cells(b, taken, len(step.options))
    head, again = b.draft("keeps choosing"), b.draft("again")
    b.go_on(head)
    b.finish(Branch(op("lt", times, limit), again.number, done.number))
    b.begin(again)

    def before(index: int) -> Draft:
        b.set(times, add(times, K(1)))
        if taken is not None:
            b.set(_nth(taken, index), K(1))
        return head

    guards: list[Value] = []
    if taken is not None:
        guards = [op("eq", _nth(taken, i), K(0)) for i in range(len(step.options))]
    b.loop_ends.append(done)
    _ask(b, step, actor, tuple(guards), before, done)
    b.loop_ends.pop()
    b.begin(done)


def _nth(target: Cell, index: int) -> Cell:
    return cell(target.base + index, *target.terms)


def _ask(
    b: Builder,
    step: m.ChooseStep,
    actor: Value,
    guards: tuple[Value, ...],
    before: Callable[[int], Draft],
    done: Draft | None = None,
) -> None:
    """Rest at the choice. `before` begins each option's block and tells where to go after it."""
    options: list[Option] = []
    bodies: list[tuple[Draft, m.ChoiceOption]] = []
    for i, choice in enumerate(step.options):
        block = b.draft(choice.name)
        option = lower_option(b, choice, block)
        if guards:
            once = Reason(guards[i], choice.span, choice.cites or b.cites)
            option = evolve(option, guards=(once, *option.guards))
        options.append(option)
        bodies.append((block, choice))
    if done is not None:
        family = b.families.index("done", ())
        options.append(Option("done", family, (), (), (), done.number, step.span, b.cites))
    otherwise = b.draft("otherwise") if step.otherwise is not None else None
    _stop(b, step, actor, options, otherwise)
    for i, (block, choice) in enumerate(bodies):
        b.begin(block)
        after = before(i)
        _carry_out(b, choice)
        b.jump(after)
    if otherwise is not None:
        assert step.otherwise is not None
        b.begin(otherwise)
        after = done or before(0)
        b.lower_body(step.otherwise)
        b.jump(after)


def _stop(
    b: Builder,
    step: m.ChooseStep | m.ForStep,
    actor: Value,
    options: list[Option],
    otherwise: Draft | None,
) -> None:
    secretly = isinstance(step, m.ChooseStep) and step.secretly
    ordered = tuple(sorted(options, key=lambda option: option.family))

    def make(number: int) -> Stop:
        region = None if b.region is None else b.region.number
        other = None if otherwise is None else otherwise.number
        choose = Choose(number, actor, ordered, other, region, secretly, b.where, step.span)
        choose = evolve(choose, known=b.values.lasting())
        if b.longest is None:
            return choose
        return evolve(choose, otherwise=b.longest.done.number, ahead=b.longest.ahead)

    b.rest(b.add_stop(make))


def _carry_out(b: Builder, choice: m.ChoiceOption) -> None:
    """The body of an option; arguments that live over a stop go into cells."""
    if body_stops(b, choice.body):
        for parameter in choice.parameters:
            local = parameter.local
            if id(local) in b.values.bags and isinstance(local.type, SubbagType):
                kept = [b.keep(local.name, count) for count in b.values.bags[id(local)]]
                b.values.bags[id(local)] = tuple(kept)
            else:
                b.values.bind(local, b.keep(local.name, b.values.locals[id(local)]))
    with b.inside(b.where, choice.cites):
        b.rule(choice.name, choice.span, choice.cites or b.cites)
        b.lower_body(choice.body)


# ------------------------------------------------------------------ options


@define
class _Parts:
    """What the parameters of an option come to."""

    parameters: list[Parameter]
    arguments: list[Argument]
    registers: list[int]
    bound: dict[int, int]
    """The number of parameters that must stand before a local can be used, by id() of it."""


def lower_option(b: Builder, choice: m.ChoiceOption, block: Draft) -> Option:
    """Guards, parameters and conditions; each condition is asked as early as it can be."""
    cites = choice.cites or b.cites
    parts = _Parts([], [], [], {})
    for parameter in choice.parameters:
        _lower_parameter(b, parameter, choice, cites, parts)
    guards: list[Reason] = []
    for where in choice.where:
        reason = Reason(b.values.value(where), where.span, cites)
        after = max((parts.bound.get(i, 0) for i in _locals_in(where)), default=0)
        if after == 0:
            guards.append(reason)
        else:
            last = parts.parameters[after - 1]
            parts.parameters[after - 1] = evolve(last, checks=(*last.checks, reason))
    block.registers = tuple(parts.registers)
    family = b.families.index(choice.name, tuple(p.local.type for p in choice.parameters))
    return Option(
        choice.name,
        family,
        tuple(guards),
        tuple(parts.parameters),
        tuple(parts.arguments),
        block.number,
        choice.span,
        cites,
    )


def _locals_in(expr: m.Expr) -> list[int]:
    found: list[int] = []
    for node in nodes(expr):
        if isinstance(node, (m.LocalRead, m.SubbagSize, m.SubbagCount)):
            found.append(id(node.local))
    return found


def _lower_parameter(
    b: Builder,
    parameter: m.Parameter,
    choice: m.ChoiceOption,
    cites: tuple[Cite, ...],
    parts: _Parts,
) -> None:
    local = parameter.local
    if isinstance(parameter.domain, m.SubbagDomain):
        _lower_subbag(b, local, parameter.domain, parts)
    else:
        number = b.registers.new()
        low, high, inside = _range(b, parameter, R(number))
        b.values.bind(local, R(number))
        checks = [Reason(c, choice.span, cites) for c in inside]
        parts.parameters.append(Parameter(number, low, high, tuple(checks)))
        fixed = parameter.domain is None
        parts.arguments.append(Argument(local.name, local.type, (number,), fixed))
        parts.registers.append(number)
    parts.bound[id(local)] = len(parts.parameters)
    if parameter.where is not None:
        last = parts.parameters[-1]
        reason = Reason(b.values.value(parameter.where), parameter.where.span, cites)
        parts.parameters[-1] = evolve(last, checks=(*last.checks, reason))


def _unkept(_: str, value: Value) -> Value:
    return value


def _range(
    b: Builder,
    parameter: m.Parameter,
    x: Value,
    kept: Callable[[str, Value], Value] = _unkept,
) -> tuple[Value, Value, list[Value]]:
    """The least and greatest value of a parameter, and what must hold of it besides.

    `kept` keeps what the domain depends on while the game goes on.
    """
    match parameter.domain:
        case None:
            assert parameter.fixed is not None
            value = b.values.value(parameter.fixed)
            return value, value, []
        case m.RangeDomain(maybe=True) as numbers:
            low = kept("from", b.values.value(numbers.low))
            high = op("max", b.values.value(numbers.high), K(NONE))
            return K(NONE), high, [either(op("lt", x, K(0)), op("ge", x, low))]
        case m.NeighborsOf() as linked:
            of = kept("of", b.values.value(linked.of))
            size = len(linked.joins.kind)
            return K(0), K(size - 1), [joins.are_joined(linked.by, (of, x))]
        case m.Beside() as near:
            of = kept("of", b.values.value(near.of))
            return K(0), K(len(near.kind) - 1), [grids.are_beside(near, of, x)]
        case m.InBag() as cells:
            of = kept("of", b.values.value(cells.bag.of))
            column = cells.bag.column
            inside = op("gt", derived.bag_count(column, of, x), K(0))
            return K(0), K(len(column.kind) - 1), [inside]
        case m.RangeDomain() as numbers:
            return b.values.value(numbers.low), b.values.value(numbers.high), []
        case m.BoolDomain():
            return K(0), K(1), []
        case m.KindDomain() as members:
            return K(-1 if members.maybe else 0), K(len(members.kind) - 1), []
        case m.SeatsDomain() as seats:
            other: list[Value] = []
            if seats.after and seats.start is not None:
                other = [op("ne", x, b.values.value(seats.start))]
            return K(0), K(b.seats - 1), other
        case m.KindsOf() | m.ComponentsOf() as here:
            at = b.values.place(here.place)
            offset = at.zone.offset(here.kind)
            return K(0), K(len(here.kind) - 1), [at.holds(add(x, K(offset)))]
        case m.RunsOf() | m.LinesOf() | m.InLine() | m.SubbagDomain():
            raise AssertionError("runs and lines are for aggregates")
        case _:
            assert_never(parameter.domain)


def _lower_subbag(b: Builder, local: m.Local, domain: m.SubbagDomain, parts: _Parts) -> None:
    """A register a member: between what is still needed and what is there and allowed.

    Few of many members are there, and of the others none is chosen: that is asked first. The
    last member is asked all the same: where none is there, it finds missing what is needed.
    """
    at = b.values.place(domain.place)
    low, high = b.values.value(domain.low), b.values.value(domain.high)
    chosen: Value = K(0)
    numbers: list[int] = []
    for member in range(at.zone.width):
        number = b.registers.new()
        numbers.append(number)
        later: Value = K(0)
        for other in range(member + 1, at.zone.width):
            later = add(later, at.count(K(other)))
        least = op("max", K(0), op("sub", op("sub", low, chosen), later))
        most = op("min", at.count(K(member)), op("sub", high, chosen))
        if member < at.zone.width - 1:
            here = at.holds(K(member))
            least, most = fold.choose(here, least, K(0)), fold.choose(here, most, K(0))
        parts.parameters.append(Parameter(number, least, most, ()))
        chosen = add(chosen, R(number))
    b.values.bags[id(local)] = tuple(R(number) for number in numbers)
    parts.arguments.append(Argument(local.name, local.type, tuple(numbers), False))
    parts.registers.extend(numbers)


# ------------------------------------------------------------------ in the order p chooses


def _still_open(
    b: Builder, step: m.ForStep
) -> tuple[Callable[[Value], Value], Callable[[Value], None]]:
    """Whether a member may still come, and what notes that it has; set up on entry.

    Of components so many come as there are on entry.
    """
    if each_comes(step.domain):
        coming = still_to_come(b, step.domain)

        def is_left(x: Value) -> Value:
            return op("gt", nth(coming, x), K(0))

        def take(x: Value) -> None:
            b.set(nth(coming, x), add(nth(coming, x), K(-1)))

        return is_left, take
    low, high = b.values.bounds(step.binder.type)
    taken = b.local("taken", high - low + 1)
    clear_cells(b, taken, high - low + 1)

    def flag(x: Value) -> Cell:
        return nth(taken, op("sub", x, K(low)))

    return lambda x: op("eq", flag(x), K(0)), lambda x: b.set(flag(x), K(1))


def in_chosen_order(b: Builder, step: m.ForStep) -> None:
    """Each member once, in the order of a player: `next` with one of those still to come."""
    assert step.chooser is not None
    actor = b.keep("who", b.values.value(step.chooser))
    is_open, take = _still_open(b, step)
    head, ask = b.draft("who is left"), b.draft("ask")
    after, done = b.draft("next"), b.draft("done")

    number = b.registers.new()
    b.values.bind(step.binder, R(number))
    parameter = m.Parameter(step.binder, step.domain, None, step.where)
    first, last, inside = _range(b, parameter, R(number), b.keep)
    checks = [is_open(R(number)), *(() if each_comes(step.domain) else inside)]
    if step.where is not None:
        checks.append(b.values.value(step.where))
    fixed_first, fixed_last = b.keep("first", first), b.keep("last", last)
    b.go_on(head)
    condition: Value = K(1)
    for check in checks:
        condition = both(condition, check)
    end = add(fixed_last, K(1))
    left: Value = Fold("any", number, fixed_first, end, None, condition, None, (), K(0), step.span)
    if step.seen:
        left = b.hold(left)
        b.note("seen", step.span, left, span=step.span)
    b.finish(Branch(left, ask.number, done.number))
    b.begin(ask)
    reasons = tuple(Reason(check, step.span, b.cites) for check in checks)
    option = Option(
        "next",
        b.families.index("next", (step.binder.type,)),
        (),
        (Parameter(number, fixed_first, fixed_last, reasons),),
        (Argument(step.binder.name, step.binder.type, (number,), False),),
        after.number,
        step.span,
        b.cites,
    )
    after.registers = (number,)
    _stop(b, step, actor, [option], None)
    b.begin(after)
    chosen = b.local(step.binder.name)
    b.set(chosen, R(number))
    take(chosen)
    b.values.bind(step.binder, chosen)
    b.loop_ends.append(done)
    b.note("round", step.binder, chosen)
    b.lower_body(step.body)
    b.loop_ends.pop()
    b.jump(head)
    b.begin(done)
    b.note("leave", step.binder)
