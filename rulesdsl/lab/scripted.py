"""Chance in examples: first what is written down, then a fixed seed."""

from __future__ import annotations

from attrs import define, field

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import IntType
from rulesdsl.engines.chance import Stream
from rulesdsl.lab.plan import Component, Dealt
from rulesdsl.machine.program import Draw
from rulesdsl.play.state import State
from rulesdsl.text.source import Span


@define
class _Line:
    """One line of the script: what it still brings."""

    what: m.Zone | m.Scalar
    key: int
    values: list[Component | int]
    span: Span


class CannotCome(Exception):
    """Chance cannot bring what is written down."""

    def __init__(self, span: Span, note: str) -> None:
        self.span = span
        self.note = note
        super().__init__(note)


@define
class Script:
    """What the draws of an example bring."""

    stream: Stream = field(factory=lambda: Stream.of(0))
    lines: list[_Line] = field(factory=list)

    def add(self, dealt: Dealt) -> None:
        if dealt.values:
            self.lines.append(_Line(dealt.what, dealt.key, list(dealt.values), dealt.span))

    def settle(self, state: State) -> None:
        """Let chance come out until somebody has to decide. Raises CannotCome."""
        while (drawn := state.draw()) is not None:
            draw, seat = drawn
            weights = state.weights(draw, seat)
            line = self._line(state, draw, seat)
            if line is None:
                state.apply_chance(self.stream.pick(weights))
                continue
            value = line.values.pop(0)
            if not line.values:
                self.lines.remove(line)
            state.apply_chance(_outcome(state, draw, line, value, weights))

    def _line(self, state: State, draw: Draw, seat: int | None) -> _Line | None:
        """The line that speaks of a draw: where it goes, or what is looked at or rolled."""
        if draw.target is None:
            what: m.Zone | m.Scalar = draw.subject
            owner = draw.keys[0]
        elif isinstance(draw.subject, m.Zone):
            what, owner = draw.target, draw.keys[1]
        else:
            return None
        key = max(state.rules.engine.evaluate(owner, state.scene(seat)), 0)
        return next((line for line in self.lines if (line.what, line.key) == (what, key)), None)


def _outcome(
    state: State, draw: Draw, line: _Line, value: Component | int, weights: list[int]
) -> int:
    """The number of an outcome: of a roll, or a member as the origin counts them."""
    if isinstance(value, int):
        assert isinstance(draw.subject, m.Scalar)
        low = draw.subject.type.low if isinstance(draw.subject.type, IntType) else 0
        number, name = value - low, str(value)
        note = f"{name} cannot be rolled here"
    else:
        assert isinstance(draw.subject, m.Zone)
        kind, index = value
        inside = any(kind is one for one in draw.subject.kinds)
        number = draw.subject.offset(kind) + index if inside else -1
        name = kind.members[index]
        note = f"no {name} can be dealt here: {draw.subject.name} holds none that may come"
    if not (0 <= number < len(weights) and weights[number]):
        raise CannotCome(line.span, note)
    return number
