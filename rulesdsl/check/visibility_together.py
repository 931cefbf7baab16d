"""The rules of `together`: only own things are written, and nothing is drawn or told."""

from __future__ import annotations

from attrs import frozen

from rulesdsl.check import model as m
from rulesdsl.check.owners import is_players
from rulesdsl.check.visibility_reads import Env, Reader, Region
from rulesdsl.check.walk import reached
from rulesdsl.text.problems import Problems, Second
from rulesdsl.text.source import Span


def written_in(model: m.Model, body: m.Body) -> frozenset[m.Scalar | m.Zone]:
    """The state that carrying out a body may change."""
    found: set[m.Scalar | m.Zone] = set()
    for node in reached(model, body):
        match node:
            case m.SetScalar() | m.Roll() | m.AwardStep():
                found.add(node.scalar)
            case m.Move() | m.Deal():
                found |= {node.origin.zone, node.to.place.zone, *node.origin.zone.refills}
            case m.PassEach():
                found.add(node.zone)
            case m.Shuffle():
                found.add(node.place.zone)
            case _:
                pass
    return frozenset(found)


def added(step: m.SetScalar) -> m.Expr | None:
    """What a step adds to what is there (`x += e`, `x -= e`), None if it does anything else."""
    value = step.value
    if not isinstance(value, m.Arithmetic) or value.op not in ("+", "-") or step.scalar.capped:
        return None
    left = value.left
    if not isinstance(left, m.ScalarRead) or left.scalar is not step.scalar:
        return None
    return value.right if left.key == step.key else None


@frozen(eq=False)
class TogetherRules:
    """Complaints about steps inside a `together`; outside of one all is well."""

    problems: Problems
    reader: Reader

    def steps(self, step: m.Step, env: Env) -> None:
        """What may not stand inside a `together` at all, or only for oneself."""
        region = env.region
        if region is None:
            return
        match step:
            case m.SetScalar():
                adding = not is_players(step.scalar) and added(step) is not None
                self._own(step.scalar, step.key, adding, step.span, env, region)
            case m.SetCounter() if env.counters is region.counters:
                self._writes(step.counter, step.span, region)
            case m.Move():
                self._own(step.origin.zone, step.origin.key, False, step.span, env, region)
                self._into(step.to, step.span, env, region)
                if step.origin.zone.shape is m.Shape.DECK or step.to.way is m.Way.RANDOM:
                    self._draws(step.span)
            case m.Deal():
                drawn = step.origin.zone.shape in (m.Shape.BAG, m.Shape.DECK)
                if drawn or step.to.way is m.Way.RANDOM:
                    self._draws(step.span)
                else:
                    self._own(step.origin.zone, step.origin.key, False, step.span, env, region)
                    self._into(step.to, step.span, env, region)
            case m.Shuffle():
                self._own(step.place.zone, step.place.key, False, step.span, env, region)
            case m.Roll():
                if self.reader.key(step.key, env) != region.participant:
                    self._draws(step.span)
            case m.PassEach():
                self._writes(step.zone, step.span, region)
            case m.AwardStep():
                self._writes(step.scalar, step.span, region)
            case m.RepeatStep(longest=True):
                self._add("look-ahead", step.span, "while all act at once, nobody looks ahead")
            case m.TogetherStep():
                self._add("together-inside", step.span, "all are acting at once already")
            case m.ChooseStep() | m.ForStep():
                chooser = step.player if isinstance(step, m.ChooseStep) else step.chooser
                if chooser is not None and self.reader.key(chooser, env) != region.participant:
                    who = region.participant.name
                    self._add("together-asks-others", chooser.span, f"here only {who} is asked")
            case m.Show():
                if step.top is not None:
                    self._draws(step.span)
                if self.reader.key(step.to, env) != region.participant:
                    note = "nobody sees anything until all are done"
                    self._add("together-shows", step.span, note)
            case m.End(what=m.Ended.PHASE | m.Ended.GAME) | m.Wins() | m.RunPhase():
                self._add("together-ends", step.span, "the others have not acted yet")
            case _:
                pass

    def _into(self, to: m.Target, span: Span, env: Env, region: Region) -> None:
        zone = to.place.zone
        unordered = zone.shape is m.Shape.BAG or (zone.shape is m.Shape.DECK and to.way is m.Way.IN)
        self._own(zone, to.place.key, not is_players(zone) and unordered, span, env, region)

    def _own(
        self,
        what: m.Scalar | m.Zone,
        key: m.Expr | None,
        adding: bool,
        span: Span,
        env: Env,
        region: Region,
    ) -> None:
        mine = is_players(what) and self.reader.key(key, env) == region.participant
        if not mine and not adding:
            self._writes(what, span, region)

    def _writes(self, what: m.Scalar | m.Zone | m.Counter, span: Span, region: Region) -> None:
        note = f"while all act at once, {region.participant.name} changes only what is his own"
        second = Second(what.span, f"{what.name} is not his alone")
        self._add("together-writes-others", span, note, second)

    def _draws(self, span: Span) -> None:
        note = "while all act at once, nothing is left to chance but one's own roll"
        self._add("together-draws", span, note)

    def reads(self, what: m.Scalar | m.Zone, span: Span) -> None:
        """Complain that something is read which another one may be changing."""
        note = f"somebody else may be changing {what.name} at this moment"
        self._add("together-reads-others", span, note, Second(what.span, "changed in here"))

    def _add(self, code: str, span: Span, note: str, second: Second | None = None) -> None:
        self.problems.add(code, span, note, second=second)
