"""What a step moves from where to where: what it names, and what goes aside when it comes up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from rulesdsl.check import model as m
from rulesdsl.check.owners import key_beside

Moving: TypeAlias = "m.Move | m.Deal"


def asides(step: Moving) -> Iterator[tuple[m.Kind, m.Target]]:
    """The kinds that do not take part in a deal but go elsewhere, with where they go."""
    if isinstance(step, m.Move) and not isinstance(step.moved, m.MoveTop):
        return
    if isinstance(step, m.Deal) and step.chosen is not None:
        return
    origin = step.origin
    for kind, zone in origin.zone.asides:
        yield kind, m.Target(m.Place(origin.span, zone, key_beside(zone, origin)), m.Way.IN)


def moved_kinds(step: Moving) -> tuple[m.Kind, ...]:
    """The kinds whose components a step can move to where it says."""
    match step:
        case m.Move(moved=m.MoveAll(kinds=kinds)):
            return kinds
        case (
            m.Move(moved=m.MoveMember(kind=kind) | m.MoveWhere(kind=kind))
            | m.Deal(chosen=m.MoveWhere(kind=kind))
        ):
            return (kind,)
        case _:
            aside = [kind for kind, _ in asides(step)]
            return tuple(kind for kind in step.origin.zone.kinds if kind not in aside)


def movements(step: Moving) -> Iterator[tuple[tuple[m.Kind, ...], m.Target]]:
    """All that can move: kinds, and where they go."""
    yield moved_kinds(step), step.to
    for kind, to in asides(step):
        yield (kind,), to
