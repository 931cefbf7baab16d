"""Draws of components and of places: where the game rests until chance has come out."""

from __future__ import annotations

from collections.abc import Callable

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import IntType
from rulesdsl.machine.builder import Builder
from rulesdsl.machine.effects import owner_of
from rulesdsl.machine.fold import add, both, op
from rulesdsl.machine.places import PlaceAt
from rulesdsl.machine.program import Draw, K, R, Stop, Value
from rulesdsl.text.source import Span


def draw(
    b: Builder,
    origin: PlaceAt,
    to: PlaceAt | None,
    count: int,
    weight: Callable[[Value], Value],
    span: Span,
) -> Value:
    """Rest at a draw; the outcome (a member of the origin) is in the register returned."""
    number = b.registers.new()
    after = b.draft("drawn")
    after.registers = (number,)
    keys = (owner_of(origin), K(-1) if to is None else owner_of(to))

    def make(stop: int) -> Stop:
        target = None if to is None else to.zone
        return Draw(
            stop, number, count, weight(R(number)), after.number, origin.zone, target, keys, span
        )

    b.rest(b.add_stop(make))
    b.begin(after)
    return R(number)


def draw_place(b: Builder, origin: PlaceAt, to: PlaceAt, target: m.Target, span: Span) -> Value:
    """Rest at a draw of one of the places low..high counted from the top, each as likely.

    The outcome, in the register returned, is how many components will lie above.
    """
    assert target.low is not None
    assert target.high is not None
    low = b.keep("from place", b.values.value(target.low))
    high = b.keep("to place", b.values.value(target.high))
    places = to.zone.capacity + 1
    number = b.registers.new()
    after = b.draft("place drawn")
    after.registers = (number,)
    # what only changes its place inside does not lie below itself
    itself = op("eq", origin.key, to.key) if origin.zone is to.zone else K(0)
    room = op("sub", to.length, itself)
    place = add(R(number), K(1))
    likely = both(both(op("ge", place, low), op("le", place, high)), op("le", R(number), room))
    scalar = m.Scalar("place", "shared", IntType(1, places), span)

    def make(stop: int) -> Stop:
        return Draw(
            stop, number, places, likely, after.number, scalar, to.zone, (K(-1), owner_of(to)), span
        )

    b.rest(b.add_stop(make))
    b.begin(after)
    return R(number)
