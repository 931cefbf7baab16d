"""Which steps are straight code, and which may stop or jump; which triggers watch an effect."""

from __future__ import annotations

from typing import assert_never

from rulesdsl.check import model as m
from rulesdsl.check.movements import moved_kinds
from rulesdsl.machine.builder import Builder
from rulesdsl.machine.program import K


def after_move(model: m.Model, kind: m.Kind, origin: m.Zone, to: m.Zone) -> list[m.Trigger]:
    """The triggers that watch components of a kind going from one zone to another."""
    return [
        trigger
        for trigger in model.triggers
        if isinstance(event := trigger.event, m.AfterMove)
        and event.kind is kind
        and event.origin in (None, origin)
        and event.to in (None, to)
    ]


def after_change(model: m.Model, scalar: m.Scalar) -> list[m.Trigger]:
    return [
        trigger
        for trigger in model.triggers
        if isinstance(event := trigger.event, m.AfterChange) and event.scalar is scalar
    ]


def when_empty(model: m.Model, zone: m.Zone) -> list[m.Trigger]:
    return [
        trigger
        for trigger in model.triggers
        if isinstance(event := trigger.event, m.WhenEmpty) and event.zone is zone
    ]


def after_phase(model: m.Model, phase: m.Phase) -> list[m.Trigger]:
    return [
        trigger
        for trigger in model.triggers
        if isinstance(event := trigger.event, m.AfterPhase) and event.phase is phase
    ]


# ------------------------------------------------------------------ stopping


def body_stops(b: Builder, body: m.Body) -> bool:
    """Whether a body may rest at a stop or leave by a jump, so that it is not straight code."""
    key = id(body)
    if key not in b.stopping:
        b.stopping[key] = any(stops(b, step) for step in body.steps)
    return b.stopping[key]


def stops(b: Builder, step: m.Step) -> bool:
    """Whether a step may rest at a stop or leave by a jump."""
    match step:
        case (
            m.ChooseStep()
            | m.Roll()
            | m.End()
            | m.TurnPasses()
            | m.Wins()
            | m.RunPhase()
            | m.TogetherStep()
            | m.TurnsStep()
        ):
            return True
        case m.SetScalar():
            return _any_stops(b, after_change(b.model, step.scalar))
        case m.AwardStep():
            return _any_stops(b, after_change(b.model, step.scalar))
        case m.Move():
            return move_stops(b, step)
        case m.Deal():
            return deal_stops(b, step)
        case m.Show():
            return step.top is not None
        case m.SetCounter() | m.Let() | m.Shuffle() | m.PassEach():
            return False
        case m.CallProcedure():
            return body_stops(b, step.procedure.body)
        case m.ForStep():
            flowing = step.until is not None or step.chooser is not None
            return flowing or body_stops(b, step.body)
        case m.WhileStep() | m.RepeatStep() | m.NamedStep():
            return body_stops(b, step.body)
        case m.IfStep():
            return any(body_stops(b, body) for body in live_branches(b, step))
        case m.DependingStep():
            return any(body_stops(b, case.body) for case in step.cases)
        case _:
            assert_never(step)


def live_branches(b: Builder, step: m.IfStep) -> list[m.Body]:
    """The bodies that the options chosen leave possible."""
    bodies: list[m.Body] = []
    for branch in step.branches:
        known = None if branch.condition is None else constant(b, branch.condition)
        if known == 0:
            continue
        bodies.append(branch.body)
        if branch.condition is None or known is not None:
            break
    return bodies


def constant(b: Builder, expr: m.Expr) -> int | None:
    """The value of an expression of options, seat count and numbers only, else None."""
    match expr:
        case m.Const() | m.OptionRead() | m.PlayerCount():
            value = b.values.value(expr)
        case m.Not():
            known = constant(b, expr.operand)
            return None if known is None else int(not known)
        case m.Logic():
            # decided from the left only: what stands there may be a fault
            left, decided = constant(b, expr.left), int(expr.op == "or")
            return left if left in (None, decided) else constant(b, expr.right)
        case m.Compare():
            if constant(b, expr.left) is None or constant(b, expr.right) is None:
                return None
            value = b.values.value(expr)
        case _:
            return None
    return value.value if isinstance(value, K) else None


def watching(b: Builder, step: m.Move | m.Deal) -> list[m.Trigger]:
    """The triggers on the components that a step moves to where it says."""
    return watched(b, moved_kinds(step), step.origin.zone, step.to.place.zone)


def watched(b: Builder, kinds: tuple[m.Kind, ...], origin: m.Zone, to: m.Zone) -> list[m.Trigger]:
    """The triggers on components of some kinds going from one zone to another."""
    return [trigger for kind in kinds for trigger in after_move(b.model, kind, origin, to)]


def move_stops(b: Builder, step: m.Move) -> bool:
    woven = [*watching(b, step), *when_empty(b.model, step.origin.zone)]
    return step.to.way is m.Way.RANDOM or from_deck(step) or _any_stops(b, woven)


def deal_stops(b: Builder, step: m.Deal) -> bool:
    """Dealing is one component at a time; only from a pile or slot is nothing left to chance."""
    woven = [*watching(b, step), *when_empty(b.model, step.origin.zone)]
    drawn = step.origin.zone.shape in (m.Shape.BAG, m.Shape.DECK)
    return drawn or step.to.way is m.Way.RANDOM or _any_stops(b, woven)


def from_deck(step: m.Move) -> bool:
    return step.origin.zone.shape is m.Shape.DECK


def _any_stops(b: Builder, triggers: list[m.Trigger]) -> bool:
    return any(body_stops(b, trigger.body) for trigger in triggers)
