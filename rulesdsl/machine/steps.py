"""Steps of the model as code and blocks: straight code where nothing stops, blocks elsewhere."""

from __future__ import annotations

from typing import assert_never

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import IntType
from rulesdsl.machine import choices, loops, moves, procedures, regions
from rulesdsl.machine.awards import award, pass_each
from rulesdsl.machine.builder import Builder, Draft
from rulesdsl.machine.effects import place_now, set_scalar, shuffle
from rulesdsl.machine.fold import both, op
from rulesdsl.machine.program import (
    WINNER,
    Branch,
    Cell,
    Check,
    Cond,
    Draw,
    K,
    R,
    Reg,
    Stop,
    Value,
)
from rulesdsl.machine.stopping import stops


def lower_body(b: Builder, body: m.Body) -> None:
    """The steps of a body one after another; what stands behind an end is not reached."""
    before = b.cites
    for i, (step, cites) in enumerate(zip(body.steps, body.cites, strict=True)):
        if b.current is None:
            break
        b.cites = cites or before
        if isinstance(step, m.Let):
            later = any(stops(b, other) for other in body.steps[i + 1 :])
            _let(b, step, later)
        else:
            lower_step(b, step)
    b.cites = before


def _let(b: Builder, step: m.Let, stopping: bool) -> None:
    value = b.values.value(step.value)
    kept = b.keep(step.local.name, value) if stopping else b.hold(value)
    b.values.bind(step.local, kept)


def lower_step(b: Builder, step: m.Step) -> None:
    match step:
        case m.SetScalar():
            key: Value = K(0) if step.key is None else b.values.value(step.key)
            value = b.values.value(step.value)
            set_scalar(b, step.scalar, key, value, step.span, step.proved)
        case m.SetCounter():
            _set_counter(b, step)
        case m.Let():
            _let(b, step, stopping=False)
        case m.Move():
            moves.move(b, step)
        case m.Deal():
            moves.deal(b, step)
        case m.Shuffle():
            at = place_now(b, step.place)
            shuffle(b, at)
            b.note("shuffle", at.zone, at.key, span=step.span)
        case m.Roll():
            _roll(b, step)
        case m.PassEach():
            pass_each(b, step)
        case m.AwardStep():
            _tell_seen(b, step.seen, step)
            award(b, step)
        case m.Show():
            _show(b, step)
        case m.CallProcedure():
            procedures.call(b, step)
        case m.NamedStep():
            b.note("begin", step.name, span=step.span)
            lower_body(b, step.body)
            b.note("end", step.name, span=step.span)
        case m.IfStep():
            _if(b, step)
        case m.DependingStep():
            _depending(b, step)
        case m.End() | m.Wins() | m.TurnPasses() | m.RunPhase():
            _jumping(b, step)
        case m.ChooseStep():
            choices.choose(b, step)
        case m.TogetherStep():
            regions.together(b, step)
        case m.ForStep() | m.TurnsStep() | m.WhileStep() | m.RepeatStep():
            loops.loop_step(b, step)
        case _:
            assert_never(step)


def _tell_seen(b: Builder, seen: bool, step: m.AwardStep) -> None:
    if seen:
        b.note("seen", step.span, K(1), span=step.span)


def _set_counter(b: Builder, step: m.SetCounter) -> None:
    target = b.values.locals[id(step.counter)]
    value = b.values.value(step.value)
    low = high = None
    if isinstance(step.counter.type, IntType) and not step.proved:
        low, high = step.counter.type.low, step.counter.type.high
    if isinstance(target, Cell):
        b.set(target, value, low, high, step.span)
        return
    assert isinstance(target, R)
    b.emit(Reg(target.number, value))
    if low is not None and high is not None:
        inside = both(op("ge", target, K(low)), op("le", target, K(high)))
        b.emit(Check(inside, "range", step.span))


def _show(b: Builder, step: m.Show) -> None:
    if step.top is not None:
        moves.show_top(b, step)
        return
    viewer = K(-1) if step.to is None else b.values.value(step.to)
    if isinstance(step.what, m.Place):
        at = place_now(b, step.what)
        b.note("show", at.zone, viewer, at.key, span=step.span)
    else:
        b.note("show", step.what.type, viewer, b.values.value(step.what), span=step.span)


def _roll(b: Builder, step: m.Roll) -> None:
    type_ = step.scalar.type
    low, high = b.values.bounds(type_)
    key: Value = K(0)
    if step.key is not None:
        key = b.keep("whose roll", b.values.value(step.key))
    number = b.registers.new()
    after = b.draft("rolled")
    after.registers = (number,)

    def make(stop: int) -> Stop:
        owner = K(-1) if step.key is None else key
        count = high - low + 1
        return Draw(
            stop, number, count, K(1), after.number, step.scalar, None, (owner, K(-1)), step.span
        )

    b.rest(b.add_stop(make))
    b.begin(after)
    set_scalar(b, step.scalar, key, op("add", R(number), K(low)), step.span, proved=True)


# ------------------------------------------------------------------ branches


def _if(b: Builder, step: m.IfStep) -> None:
    if not stops(b, step):
        _straight_if(b, step.branches)
        return
    done = b.draft("after if")
    for branch in step.branches:
        condition: Value = K(1)
        if branch.condition is not None:
            condition = b.values.value(branch.condition)
        if isinstance(condition, K) and not condition.value:
            continue
        if isinstance(condition, K):
            _taken(b, branch)
            b.jump(done)
            break
        if branch.seen:
            condition = b.hold(condition)
            b.note("seen", branch.span, condition, span=branch.span)
        body, other = b.draft("then"), b.draft("else")
        b.finish(Branch(condition, body.number, other.number))
        b.begin(body)
        _taken(b, branch)
        b.jump(done)
        b.begin(other)
    b.jump(done)
    b.begin(done)


def _taken(b: Builder, branch: m.Branch) -> None:
    b.rule("else" if branch.condition is None else "if", branch.span, b.cites)
    lower_body(b, branch.body)


def _straight_if(b: Builder, branches: tuple[m.Branch, ...]) -> None:
    if not branches:
        return
    branch, rest = branches[0], branches[1:]
    condition: Value = K(1)
    if branch.condition is not None:
        condition = b.values.value(branch.condition)
    if isinstance(condition, K):
        if condition.value:
            _taken(b, branch)
        else:
            _straight_if(b, rest)
        return
    if branch.seen:
        condition = b.hold(condition)
        b.note("seen", branch.span, condition, span=branch.span)
    with b.inner() as then:
        _taken(b, branch)
    with b.inner() as otherwise:
        _straight_if(b, rest)
    b.emit(Cond(condition, tuple(then), tuple(otherwise)))


def _depending(b: Builder, step: m.DependingStep) -> None:
    flowing = stops(b, step)
    value = b.values.value(step.value)
    value = b.keep("case", value) if flowing else b.hold(value)
    done = b.draft("after cases") if flowing else None
    _cases(b, value, step.cases, done)
    if done is not None:
        b.jump(done)
        b.begin(done)


def _cases(b: Builder, value: Value, cases: tuple[m.Case, ...], done: Draft | None) -> None:
    if not cases:
        return
    case, rest = cases[0], cases[1:]
    hit: Value = K(1)
    if case.values is not None:
        low, high = case.values
        hit = both(op("ge", value, K(low)), op("le", value, K(high)))
    if isinstance(hit, K):
        if hit.value:
            _hit(b, case)
        else:
            _cases(b, value, rest, done)
        return
    if done is None:
        with b.inner() as then:
            _hit(b, case)
        with b.inner() as otherwise:
            _cases(b, value, rest, done)
        b.emit(Cond(hit, tuple(then), tuple(otherwise)))
        return
    body, other, after = b.draft("case"), b.draft("other cases"), b.draft("case done")
    b.finish(Branch(hit, body.number, other.number))
    b.begin(body)
    _hit(b, case)
    b.jump(after)
    b.begin(other)
    _cases(b, value, rest, done)
    b.jump(after)
    b.begin(after)


def _hit(b: Builder, case: m.Case) -> None:
    b.rule("case", case.span, b.cites)
    lower_body(b, case.body)


# ------------------------------------------------------------------ jumps


def _jumping(b: Builder, step: m.End | m.Wins | m.TurnPasses | m.RunPhase) -> None:
    match step:
        case m.End():
            _end(b, step)
        case m.Wins():
            player = K(1) if step.player is None else op("add", b.values.value(step.player), K(2))
            b.set(Cell(WINNER), player)
            b.jump(b.over)
        case m.TurnPasses():
            loops.turn_passes(b, step)
        case m.RunPhase():
            procedures.run_phase(b, step)
        case _:
            assert_never(step)


def _end(b: Builder, step: m.End) -> None:
    match step.what:
        case m.Ended.GAME:
            b.jump(b.over)
        case m.Ended.LOOP:
            b.jump(b.loop_ends[-1])
        case m.Ended.PHASE:
            b.jump(b.end_phase)
        case _:
            assert_never(step.what)
