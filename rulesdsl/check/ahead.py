"""Loops `as many as possible`: they begin with one open choice, and the rest can be looked through.

What such a loop does is tried out on the quiet before anybody chooses. So nothing in it may ask,
be left to chance, tell something or end what is around the loop.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import Factory, define

from rulesdsl.check import model as m
from rulesdsl.check.course import sets_off
from rulesdsl.check.datatypes import IntType
from rulesdsl.check.visibility_together import written_in
from rulesdsl.check.walk import all_bodies, nodes
from rulesdsl.text.limits import ROUNDS_AHEAD
from rulesdsl.text.problems import Problems, Second
from rulesdsl.text.source import Span


def check_ahead(model: m.Model, problems: Problems) -> None:
    """Complain about loops that cannot be looked through."""
    for body in all_bodies(model):
        for node in nodes(body.steps):
            if isinstance(node, m.RepeatStep) and node.longest:
                _Loop(model, problems, node).check()


@define
class _Loop:
    """One loop; `entered` are the procedures and triggers that have been looked at."""

    model: m.Model
    problems: Problems
    loop: m.RepeatStep
    entered: list[m.Procedure | m.Trigger] = Factory(list)

    def check(self) -> None:
        count = self.loop.count
        if isinstance(count.type, IntType) and count.type.high > ROUNDS_AHEAD:
            note = f"at most {ROUNDS_AHEAD} rounds are looked ahead: this may be {count.type.high}"
            help_ = f"repeat min({ROUNDS_AHEAD}, {count.span.text}), as many as possible:"
            self.problems.add("look-ahead", count.span, note, help=help_)
        choice = self._choice()
        if choice is None:
            return
        for step in self.loop.body.steps:
            if isinstance(step, m.ChooseStep) and step is choice:
                for option in step.options:
                    self._look(option.body)
            else:
                self._step(step)

    def _choice(self) -> m.ChooseStep | None:
        """The choice with which each round begins."""
        first = next((s for s in self.loop.body.steps if not isinstance(s, m.Let)), None)
        if not isinstance(first, m.ChooseStep):
            span = self.loop.span if first is None else first.span
            self._no_choice(span, "each round begins with a choice; only `let` may stand before it")
            return None
        if first.secretly:
            self._no_choice(first.span, "how far somebody comes is seen by all: the choice is open")
        if first.bound is not None:
            self._no_choice(first.span, "the loop itself goes on: one choice a round is enough")
        if first.otherwise is not None:
            note = "where no option is possible the loop ends: this is never done"
            self.problems.add("never-reached", first.otherwise.span, note)
        if not self._is_the_same(first.player):
            note = "the same player has to choose in all rounds"
            help_ = f"write `let q = {first.player.span.text}` before the loop, and `q chooses:`"
            self.problems.add("one-choice", first.player.span, note, help=help_)
        return first

    def _is_the_same(self, player: m.Expr) -> bool:
        """Whether an expression names one player as long as the loop goes on."""
        bound = {step.local for step in self.loop.body.steps if isinstance(step, m.Let)}
        written = written_in(self.model, self.loop.body)
        for node in nodes(player):
            match node:
                case m.LocalRead():
                    if node.local in bound:
                        return False
                case m.ScalarRead():
                    if node.scalar in written:
                        return False
                case m.DefineCall() | m.Pick() | m.Conditional() | m.CounterRead():
                    return False
                case _:
                    pass
        return True

    def _no_choice(self, span: Span, note: str) -> None:
        self.problems.add("one-choice", span, note, second=self._here())

    def _here(self) -> Second:
        return Second(self.loop.span, "looked ahead from here")

    # ---------------------------------------------------------------- what is looked through

    def _look(self, body: m.Body) -> None:
        for step in body.steps:
            self._step(step)

    def _step(self, step: m.Step) -> None:
        """A step with all below it, and what it calls and sets off."""
        for node in nodes(step):
            if not isinstance(node, m.Step | m.Branch):
                continue
            note = _obstacle(node)
            if note:
                self.problems.add("look-ahead", node.span, note, second=self._here())
            elif isinstance(node, m.ChooseStep):
                self._no_choice(node.span, "a round has one choice, at its beginning")
            for other in self._followed(node):
                if other not in self.entered:
                    self.entered.append(other)
                    self._look(other.body)

    def _followed(self, node: m.Step | m.Branch) -> Iterator[m.Procedure | m.Trigger]:
        if isinstance(node, m.CallProcedure):
            yield node.procedure
        elif not isinstance(node, m.Branch):
            yield from (t for t in self.model.triggers if sets_off(node, t.event))


def _obstacle(node: m.Step | m.Branch) -> str:
    """Why a step cannot be looked through, if it cannot."""
    match node:
        case m.Roll() | m.Shuffle():
            return "this is left to chance, and cannot be looked at beforehand"
        case m.Move() | m.Deal() if _is_drawn(node):
            return "what moves is left to chance, and cannot be looked at beforehand"
        case m.Show():
            return "this would be told before it happens"
        case m.ForStep() if node.chooser is not None:
            return "a round asks nothing but its one choice"
        case m.End(what=m.Ended.PHASE | m.Ended.GAME) | m.Wins() | m.TurnPasses():
            return "from a loop that is looked ahead nothing around it is ended or passed on"
        case m.RunPhase() | m.TogetherStep() | m.TurnsStep() | m.PassEach() | m.AwardStep():
            return "this is too much to look ahead at"
        case (
            m.SetScalar(seen=True)
            | m.Move(seen=True)
            | m.Deal(seen=True)
            | m.Branch(seen=True)
            | m.ForStep(seen=True)
            | m.WhileStep(seen=True)
        ):
            return "what may be chosen would tell this secret before it is told"
        case _:
            return ""


def _is_drawn(step: m.Move | m.Deal) -> bool:
    zone = step.origin.zone
    drawn = isinstance(step, m.Deal) and zone.shape is m.Shape.BAG
    return drawn or zone.shape is m.Shape.DECK or step.to.way is m.Way.RANDOM
