"""From the checked model to the machine: one seat count, one choice of options."""

from __future__ import annotations

from collections.abc import Iterable

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import unsaid
from rulesdsl.check.owners import copies_of, told_of_start
from rulesdsl.machine import procedures, steps
from rulesdsl.machine.builder import Builder, Draft
from rulesdsl.machine.families import families_of
from rulesdsl.machine.layout import fill, lay_out
from rulesdsl.machine.passes.improve import improved
from rulesdsl.machine.places import Registers
from rulesdsl.machine.program import (
    AT,
    Block,
    Halt,
    Jump,
    K,
    Layout,
    Machine,
    Over,
    Pause,
    R,
    Stop,
    Value,
)
from rulesdsl.machine.values import Values
from rulesdsl.text.source import Span


def make_machine(
    model: m.Model,
    seats: int,
    options: dict[str, int],
    runs: Iterable[m.Step] | None = None,
    layout: Layout | None = None,
) -> Machine:
    """The machine of a model. `options` are complete, by name, as values; the layout is the
    shortest one, unless another is given.

    With `runs` (of an example) the machine runs these instead of the flow, and pauses before
    each of them and at the end.
    """
    return improved(lower(model, seats, options, runs, layout))


def lower(
    model: m.Model,
    seats: int,
    options: dict[str, int],
    runs: Iterable[m.Step] | None = None,
    layout: Layout | None = None,
) -> Machine:
    """The machine as it is built, before any pass: dead locals keep their values."""
    layout = layout or lay_out(model, seats)
    values = Values(model, seats, options, layout, Registers(used=1))
    b = Builder(values, layout, values.registers, families_of(model))
    b.lower_body = lambda body: steps.lower_body(b, body)
    start = _start_record(values)
    entry, b.over, b.end_phase = b.draft("start"), b.draft("over"), b.draft("end phase")
    over = b.add_stop(Over)
    b.begin(entry)
    if runs is None:
        steps.lower_body(b, model.flow)
    else:
        _runs(b, runs)
    b.jump(b.over)
    b.begin(b.over)
    b.finish(Halt(over.number))
    procedures.close_phases(b)
    procedures.close_instances(b)
    start += (0,) * (layout.cells - len(start))
    # these take registers too, so they come before the registers are counted
    scores, invariants, measures = _scores(values), _invariants(values), _measures(values)
    return Machine(
        model,
        seats,
        model.seat_names[:seats],
        dict(options),
        layout,
        start,
        entry.number,
        tuple(map(_block, b.drafts)),
        tuple(b.stops),
        b.families.finish(),
        tuple(b.rules),
        values.registers.used,
        tuple(b.phase_names),
        scores,
        invariants,
        measures,
    )


def _block(draft: Draft) -> Block:
    # nothing leads to one that was never begun
    end = Jump(draft.number) if draft.end is None else draft.end
    return Block(draft.number, draft.name, tuple(draft.code), end, draft.registers)


def _runs(b: Builder, runs: Iterable[m.Step]) -> None:
    for run in runs:
        _pause(b)
        steps.lower_step(b, run)
    _pause(b)


def _pause(b: Builder) -> None:
    after = b.draft("go on")

    def make(number: int) -> Stop:
        return Pause(number, after.number)

    b.rest(b.add_stop(make))
    b.begin(after)


# ------------------------------------------------------------------ the record at the start


def _start_record(values: Values) -> tuple[int, ...]:
    """The record before the first block: everything where it starts."""
    record = [0] * values.layout.cells
    record[AT] = 0
    for scalar in values.model.scalars.values():
        base = values.layout.slot(scalar).base
        for copy in range(copies_of(scalar, values.seats)):
            record[base + copy] = start_of(values, scalar, copy)
    for zone in values.model.zones.values():
        counts = [count for part in zone.start for count in part]
        members = [member for member, count in enumerate(counts) for _ in range(count)]
        for copy in range(copies_of(zone, values.seats)):
            fill(values.layout, record, zone, copy, members)
        for note in zone.notes:
            slot = values.layout.slot(note)
            cells = slot.width * slot.copies
            record[slot.base : slot.base + cells] = [unsaid(note.type)] * cells
    return tuple(record)


def start_of(values: Values, scalar: m.Scalar, copy: int) -> int:
    """What a scalar is before the game."""
    if scalar.start is not None:
        if scalar.owner is not None:
            values.bind(scalar.owner, K(told_of_start(scalar, copy)))
        value = values.value(scalar.start)
        assert isinstance(value, K), "a start is known before the game"
        return value.value
    return unsaid(scalar.type)


# ------------------------------------------------------------------ result, invariants, measures


def _scores(values: Values) -> dict[str, Value]:
    """The values of the result; the player is in register 0."""
    result = values.model.result
    if result is None:
        return {}
    values.bind(result.binder, R(0))
    scores: dict[str, Value] = {}
    if result.out is not None:
        scores["out"] = values.value(result.out)
    for term in result.score:
        scores[f"score {term.name}"] = values.value(term.value)
    for i, key in enumerate(result.highest, start=1):
        scores[f"highest {i}"] = values.value(key)
    if result.payoff is not None:
        scores["payoff"] = values.value(result.payoff)
    return scores


def _invariants(values: Values) -> tuple[tuple[str, Value, Span], ...]:
    return tuple(
        (invariant.name, values.value(invariant.value), invariant.value.span)
        for invariant in values.model.invariants
    )


def _measures(values: Values) -> dict[str, Value]:
    """The values of the measures; of whom one is asked is in register 0."""
    found: dict[str, Value] = {}
    for name, measure in values.model.measures.items():
        if measure.player is not None:
            values.bind(measure.player, R(0))
        found[name] = values.value(measure.value)
    return found
