"""Triggers: weaving their bodies in after the effects they watch."""

from __future__ import annotations

from rulesdsl.check import model as m
from rulesdsl.check.owners import kind_of_pair
from rulesdsl.machine.builder import Builder
from rulesdsl.machine.fold import TRUE, both, op
from rulesdsl.machine.places import PlaceAt, player_or_member
from rulesdsl.machine.program import Cond, K, Value
from rulesdsl.machine.stopping import body_stops


def fire(b: Builder, trigger: m.Trigger, condition: Value) -> None:
    """Carry out the body of a trigger where the condition holds."""
    name = f"{trigger.span.text}"
    if not body_stops(b, trigger.body):
        with b.inner() as code, b.inside(name, trigger.cites):
            b.rule(name, trigger.span, trigger.cites)
            b.lower_body(trigger.body)
        b.emit(Cond(condition, tuple(code), ()))
        return

    def body() -> None:
        with b.inside(name, trigger.cites):
            b.rule(name, trigger.span, trigger.cites)
            b.lower_body(trigger.body)

    b.where_flow(condition, body)


def fire_change(b: Builder, trigger: m.Trigger, key: Value, changed: Value) -> None:
    event = trigger.event
    assert isinstance(event, m.AfterChange)
    _bind(b, event.owner, event.scalar, key)
    where = None if event.where is None else b.values.value(event.where)
    fire(b, trigger, both(changed, where))


def fire_move(
    b: Builder,
    trigger: m.Trigger,
    origin: PlaceAt,
    to: PlaceAt,
    member: Value,
    moved: Value = TRUE,
) -> None:
    """`member` is counted within the trigger's kind; `moved`: one of this kind has moved."""
    event = trigger.event
    assert isinstance(event, m.AfterMove)
    b.values.bind(event.binder, member)
    _bind(b, event.origin_owner, origin.zone, origin.key)
    _bind(b, event.to_owner, to.zone, to.key)
    where = None if event.where is None else b.values.value(event.where)
    fire(b, trigger, both(moved, where))


def fire_empty(b: Builder, trigger: m.Trigger, at: PlaceAt, emptied: Value) -> None:
    event = trigger.event
    assert isinstance(event, m.WhenEmpty)
    _bind(b, event.owner, at.zone, at.key)
    fire(b, trigger, emptied)


def _bind(b: Builder, owner: m.Owner | None, what: m.Scalar | m.Zone, key: Value) -> None:
    """The names of a trigger for whose something is."""
    if owner is None:
        return
    b.values.bind(owner.local, player_or_member(what, key))
    kind = kind_of_pair(what)
    if owner.member is not None and kind is not None:
        b.values.bind(owner.member, op("mod", key, K(len(kind))))
