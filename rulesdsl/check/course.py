"""The course of a game: what sets off which trigger, and which phase is going on."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.check import model as m
from rulesdsl.check.movements import movements
from rulesdsl.check.walk import all_bodies, calls_of, nodes
from rulesdsl.text.problems import Problems, Second


def check_cycles(model: m.Model, problems: Problems) -> None:
    """No trigger sets itself off, not even by way of others."""
    follows = {
        id(trigger): [
            (other, step)
            for step in _reached(trigger.body)
            for other in model.triggers
            if sets_off(step, other.event)
        ]
        for trigger in model.triggers
    }
    told: set[int] = set()
    for trigger in model.triggers:
        path = _cycle(trigger, trigger, follows, [])
        if path is None or any(id(one) in told for one in path):
            continue
        told.update(id(one) for one in path)
        names = [one.span.text for one in (*path, trigger)]
        step = next(step for other, step in follows[id(path[-1])] if other is trigger)
        problems.add(
            "trigger-cycle",
            step.span,
            "this never ends: `" + "` sets off `".join(names) + "`",
            second=Second(trigger.span, "the trigger"),
        )


def _cycle(
    trigger: m.Trigger,
    goal: m.Trigger,
    follows: dict[int, list[tuple[m.Trigger, m.Step]]],
    path: list[m.Trigger],
) -> list[m.Trigger] | None:
    """The triggers on a way back to the first one."""
    path = [*path, trigger]
    for other, _ in follows[id(trigger)]:
        if other is goal:
            return path
        if other not in path:
            found = _cycle(other, goal, follows, path)
            if found is not None:
                return found
    return None


def _reached(body: m.Body) -> Iterator[m.Step]:
    """All steps that a body can lead to, without triggers."""
    seen: list[m.Body] = []

    def enter(inner: m.Body) -> Iterator[m.Step]:
        if inner is None or any(inner is one for one in seen):
            return
        seen.append(inner)
        yield from (node for node in nodes(inner.steps) if isinstance(node, m.Step))
        for called, _ in calls_of(inner):
            yield from enter(called.body)

    yield from enter(body)


def sets_off(step: m.Step, event: m.Event) -> bool:
    """Whether a step can make an event happen."""
    match event, step:
        case m.AfterMove(), m.Move() | m.Deal():
            return event.origin in (None, step.origin.zone) and any(
                event.kind in kinds and event.to in (None, to.place.zone)
                for kinds, to in movements(step)
            )
        case m.AfterChange(), m.SetScalar() | m.Roll() | m.AwardStep():
            return event.scalar is step.scalar
        case m.WhenEmpty(), m.Move() | m.Deal():
            return event.zone is step.origin.zone
        case m.AfterPhase(), m.RunPhase():
            return event.phase is step.phase
        case _:
            return False


def never_set_off(model: m.Model) -> Iterator[m.Trigger]:
    """The triggers whose event nothing makes happen."""
    steps = [
        node for body in all_bodies(model) for node in nodes(body.steps) if isinstance(node, m.Step)
    ]
    for trigger in model.triggers:
        if not any(sets_off(step, trigger.event) for step in steps):
            yield trigger


def check_phase_ends(model: m.Model, problems: Problems) -> None:
    """`end phase` in a procedure that the flow calls itself, outside of any phase."""
    seen: list[m.Procedure] = []
    waiting = [call for call in calls_of(model.flow) if isinstance(call[0], m.Procedure)]
    while waiting:
        procedure, span = waiting.pop()
        if not isinstance(procedure, m.Procedure) or procedure in seen or procedure.body is None:
            continue
        seen.append(procedure)
        waiting += list(calls_of(procedure.body))
        for node in nodes(procedure.body.steps):
            if isinstance(node, m.End) and node.what is m.Ended.PHASE:
                note = "no phase is going on when this is called from the flow"
                problems.add("no-phase", node.span, note, second=Second(span, "called here"))
