"""Procedures and phases: in place where they are straight code, else lowered once and called."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulesdsl.check import model as m
from rulesdsl.machine import triggers
from rulesdsl.machine.builder import Builder, Draft, Instance
from rulesdsl.machine.program import PHASE, Cell, Check, Jump, K, R, Reg, Switch
from rulesdsl.machine.stopping import after_phase, body_stops


def call(b: Builder, step: m.CallProcedure) -> None:
    procedure = step.procedure
    if not body_stops(b, procedure.body):
        for local, argument in zip(procedure.formals, step.arguments, strict=True):
            b.values.bind(local, b.hold(b.values.value(argument)))
        _preconditions(b, procedure)
        with b.inside(procedure.name, procedure.cites):
            begin(b, procedure)
            _counters(b, procedure, stopping=False)
            b.lower_body(procedure.body)
            b.note("end", procedure.name)
        return
    values = [b.hold(b.values.value(argument)) for argument in step.arguments]
    instance, formals = _instance(b, procedure)
    for target, value in zip(formals, values, strict=True):
        b.set(target, value)
    _enter(b, instance)


def _preconditions(b: Builder, procedure: m.Procedure) -> None:
    for condition in procedure.where:
        b.emit(Check(b.values.value(condition), "where", condition.span))


def begin(b: Builder, what: m.Procedure | m.Phase) -> None:
    """Note that a procedure or phase begins, with its arguments."""
    b.rule(what.name, what.span, what.cites)
    arguments = [b.values.locals[id(local)] for local in what.formals]
    b.note("begin", what.name, *arguments, span=what.span)


def _counters(b: Builder, what: m.Procedure | m.Phase, stopping: bool) -> None:
    """Counters of its own begin anew on entry: in cells, or in registers of straight code."""
    for counter in what.counters:
        start = K(0) if counter.start is None else b.values.value(counter.start)
        if stopping:
            target = b.local(counter.name)
            b.set(target, start)
            b.values.bind(counter, target)
        else:
            number = b.registers.new()
            b.emit(Reg(number, start))
            b.values.bind(counter, R(number))


def _instance(b: Builder, procedure: m.Procedure) -> tuple[Instance, list[Cell]]:
    """The one lowering of a procedure that stops (in this region), and the cells of its formals."""
    key = (id(procedure), None if b.region is None else b.region.number)
    if key in b.instances:
        instance = b.instances[key]
        return instance, instance.formals
    formals = [b.local(local.name) for local in procedure.formals]
    instance = Instance(
        b.draft(procedure.name), b.draft(f"leave {procedure.name}"), b.local("return"), formals
    )
    b.instances[key] = instance
    with _aside(b, instance.entry):
        for local, target in zip(procedure.formals, formals, strict=True):
            b.values.bind(local, target)
        with b.inside(procedure.name, procedure.cites):
            _preconditions(b, procedure)
            begin(b, procedure)
            _counters(b, procedure, stopping=True)
            b.lower_body(procedure.body)
            b.note("end", procedure.name)
        b.jump(instance.leave)
    return instance, formals


@contextmanager
def _aside(b: Builder, entry: Draft) -> Iterator[None]:
    """Lower something of its own, then go on where we were."""
    before = b.current, b.code, b.loop_ends, b.turns
    b.loop_ends, b.turns = [], []
    b.begin(entry)
    try:
        yield
    finally:
        b.current, b.code, b.loop_ends, b.turns = before


def _enter(b: Builder, instance: Instance) -> None:
    """Call: note the site, jump in, and go on behind it."""
    site = b.draft("back")
    instance.sites.append(site)
    b.set(instance.back, K(len(instance.sites)))
    b.jump(instance.entry)
    b.begin(site)


def close_instances(b: Builder) -> None:
    """The ends of procedures and phases: back to the site that called."""
    for instance in b.instances.values():
        b.begin(instance.leave)
        if len(instance.sites) == 1:
            b.jump(instance.sites[0])
            continue
        targets = tuple((i + 1, site.number) for i, site in enumerate(instance.sites))
        b.finish(Switch(instance.back, targets))


def run_phase(b: Builder, step: m.RunPhase) -> None:
    values = [b.hold(b.values.value(argument)) for argument in step.arguments]
    instance = _phase(b, step.phase)
    for target, value in zip(instance.formals, values, strict=True):
        b.set(target, value)
    _enter(b, instance)


def _phase(b: Builder, phase: m.Phase) -> Instance:
    """The one lowering of a phase."""
    key = (id(phase), None)
    if key not in b.instances:
        exit_ = b.draft(f"exit {phase.name}")
        formals = [b.local(local.name) for local in phase.formals]
        instance = Instance(
            b.draft(phase.name), b.draft(f"leave {phase.name}"), b.local("return"), formals
        )
        b.instances[key] = instance
        if phase.name not in b.phase_names:
            b.phase_names.append(phase.name)
        number = b.phase_names.index(phase.name)
        b.phase_exits[number] = exit_
        with _aside(b, instance.entry), b.inside(phase.name, phase.cites):
            for local, target in zip(phase.formals, formals, strict=True):
                b.values.bind(local, target)
            around = b.local("phase around")
            b.set(around, Cell(PHASE))
            b.set(Cell(PHASE), K(number))
            begin(b, phase)
            _counters(b, phase, stopping=True)
            b.lower_body(phase.body)
            b.jump(exit_)
            b.begin(exit_)
            b.note("end", phase.name, span=phase.span)
            b.set(Cell(PHASE), around)
            for trigger in after_phase(b.model, phase):
                triggers.fire(b, trigger, K(1))
            b.jump(instance.leave)
    return b.instances[key]


def close_phases(b: Builder) -> None:
    """`end phase` goes to the exit of the phase that is on."""
    b.begin(b.end_phase)
    targets = tuple((number, block.number) for number, block in b.phase_exits.items())
    if targets:
        b.finish(Switch(Cell(PHASE), targets))
    else:
        b.finish(Jump(b.over.number))
