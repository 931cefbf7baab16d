"""Together: each participant runs unseen to his first stop; what changed is seen at the end."""

from __future__ import annotations

from rulesdsl.check import model as m
from rulesdsl.check.model import Sight
from rulesdsl.check.walk import all_bodies, nodes, reached
from rulesdsl.machine.builder import Builder, RegionAt
from rulesdsl.machine.effects import clear_cells, loop
from rulesdsl.machine.fold import cell, op
from rulesdsl.machine.layout import add_shown, with_kinds
from rulesdsl.machine.program import (
    DONE,
    ME,
    POINTS,
    READY,
    WAITING,
    Branch,
    Cell,
    Fold,
    K,
    R,
    Region,
    Value,
)
from rulesdsl.text.source import NOWHERE


def together(b: Builder, step: m.TogetherStep) -> None:
    """The scheduler of a region around its body."""
    number = b.regions
    b.regions += 1
    _take_part(b, step)
    written = with_kinds(b.layout, written_and_seen(b.model))
    shown = [add_shown(b.layout, what) for what in written]
    for what, slot in zip(written, shown, strict=True):
        source = b.layout.slot(what).base

        def copy(r: Value, base: int = slot.base, source: int = source) -> None:
            b.set(cell(base, (r, 1)), cell(source, (r, 1)))

        loop(b, K(0), K(slot.width * slot.copies), copy)
    b.note("region", number, K(1), span=step.span)
    scheduler, run = b.draft("who is next"), b.draft("begin seat")
    wait, rest, join = b.draft("who waits"), b.draft("all wait"), b.draft("all done")
    b.go_on(scheduler)
    b.finish(Branch(_some(b, READY, READY), run.number, wait.number))
    b.begin(run)
    b.set(Cell(ME), _first_ready(b))
    b.region = RegionAt(number, scheduler)
    ends, b.loop_ends = b.loop_ends, []
    b.values.bind(step.binder, Cell(ME))
    b.note("round", step.binder, Cell(ME))
    b.lower_body(step.body)
    b.loop_ends = ends
    b.region = None
    b.set(cell(POINTS, (Cell(ME), 1)), K(DONE))
    b.set(Cell(ME), K(0))
    b.jump(scheduler)
    b.begin(wait)
    b.finish(Branch(_some(b, WAITING, 2**30), rest.number, join.number))
    b.begin(rest)
    b.rest(b.add_stop(lambda stop: Region(stop, number)))
    b.begin(join)
    for seat in range(b.seats):
        b.set(cell(POINTS + seat), K(0))
    for slot in shown:
        clear_cells(b, cell(slot.base), slot.width * slot.copies)
    b.note("region", number, K(0), span=step.span)


def _take_part(b: Builder, step: m.TogetherStep) -> None:
    """Participants are ready, the others done."""
    single = None if step.single is None else b.hold(b.values.value(step.single))
    for seat in range(b.seats):
        b.values.bind(step.binder, K(seat))
        part: Value = K(1)
        if single is not None:
            part = op("eq", single, K(seat))
        elif step.where is not None:
            part = b.values.value(step.where)
        # done, or one less: ready
        b.set(cell(POINTS + seat), op("sub", K(DONE), op("ne", part, K(0))))
    assert DONE == READY + 1


def _some(b: Builder, low: int, high: int) -> Value:
    number = b.registers.new()
    point = cell(POINTS, (R(number), 1))
    inside = op("ge", point, K(low))
    if high == low:
        inside = op("eq", point, K(low))
    return Fold("any", number, K(0), K(b.seats), None, inside, None, (), K(0), NOWHERE)


def _first_ready(b: Builder) -> Value:
    number = b.registers.new()
    ready = op("eq", cell(POINTS, (R(number), 1)), K(READY))
    return Fold("first", number, K(0), K(b.seats), ready, R(number), None, (), K(0), NOWHERE)


def written_and_seen(model: m.Model) -> list[m.Scalar | m.Zone | m.PlaceNote]:
    """What may change in any region and somebody besides the owner sees (or sees the size of).

    All regions copy the same: what a view shows does not depend on which one is open.
    """
    found: dict[int, m.Scalar | m.Zone | m.PlaceNote] = {}

    def add_to(what: m.Scalar | m.Zone) -> None:
        if isinstance(what, m.Zone):
            seen = what.sight is not Sight.OWNER or what.size_seen or what.top_seen
        else:
            seen = what.sight in (Sight.ALL, Sight.OTHERS)
        if seen:
            found.setdefault(id(what), what)
        for note in what.notes if isinstance(what, m.Zone) else ():
            found.setdefault(id(note), note)

    inside = [
        step.body
        for body in all_bodies(model)
        for step in nodes(body.steps)
        if isinstance(step, m.TogetherStep)
    ]
    for node in (node for body in inside for node in reached(model, body)):
        match node:
            case m.SetScalar() | m.Roll() | m.AwardStep():
                add_to(node.scalar)
            case m.Move() | m.Deal():
                add_to(node.origin.zone)
                add_to(node.to.place.zone)
                for zone in node.origin.zone.refills:
                    add_to(zone)
            case m.PassEach():
                add_to(node.zone)
            case m.Shuffle():
                add_to(node.place.zone)
            case _:
                pass
    return list(found.values())
