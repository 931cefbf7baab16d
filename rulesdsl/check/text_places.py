"""Where a rule file can be spoken of: phases, procedures, steps, rounds, choices and moves."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import Factory, define, frozen

from rulesdsl.check import model as m
from rulesdsl.check.model import Sight
from rulesdsl.check.visibility_reads import Env, Reader
from rulesdsl.check.walk import all_bodies, nodes
from rulesdsl.text.source import Span

Names = dict[str, m.Local]


@frozen
class Spot:
    """Something with a name: its place, and the names that a text about it may use."""

    owner: str
    name: str
    span: Span
    names: Names


@define
class Spots:
    """All of a model: what lines, moves and prompts may be about."""

    lines: list[Spot] = Factory(list)
    moves: list[Spot] = Factory(list)
    choices: list[Spot] = Factory(list)
    """A choice stands here under the name of each of its options."""

    @classmethod
    def of(cls, model: m.Model) -> Spots:
        found = cls()
        parts: list[m.Phase | m.Procedure] = [*model.phases.values(), *model.procedures.values()]
        if model.setup is not None:
            parts.insert(0, model.setup)
        for part in parts:
            names = {local.name: local for local in part.formals}
            found.lines.append(Spot("", part.name, part.span, names))
            if part.body is not None:
                found._body(part.body, part.name, names)
        found._body(model.flow, "flow", {})
        for trigger in model.triggers:
            found._body(trigger.body, trigger.span.text, {})
        return found

    def _body(self, body: m.Body, owner: str, names: Names) -> None:
        for step in body.steps:
            self._step(step, owner, names)

    def _step(self, step: m.Step, owner: str, names: Names) -> None:
        match step:
            case m.ForStep() | m.TurnsStep():
                inner = _with(names, step.binder)
                if owner == "flow":
                    self.lines.append(Spot(owner, step.binder.name, step.binder.span, inner))
                if isinstance(step, m.ForStep) and step.chooser is not None:
                    self.moves.append(Spot(owner, "next", step.span, inner))
                self._body(step.body, owner, inner)
            case m.TogetherStep():
                self._body(step.body, owner, _with(names, step.binder))
            case m.NamedStep():
                self.lines.append(Spot(owner, step.name, step.span, names))
                self._body(step.body, owner, names)
            case m.IfStep():
                for branch in step.branches:
                    self._body(branch.body, owner, names)
            case m.DependingStep():
                for case in step.cases:
                    self._body(case.body, owner, names)
            case m.WhileStep() | m.RepeatStep():
                self._body(step.body, owner, names)
            case m.ChooseStep():
                self._choice(step, owner, names)
            case _:
                pass

    def _choice(self, step: m.ChooseStep, owner: str, names: Names) -> None:
        for option in step.options:
            inner = _with(names, *(parameter.local for parameter in option.parameters))
            self.moves.append(Spot(owner, option.name, option.span, inner))
            self.choices.append(Spot(owner, option.name, step.span, names))
            self._body(option.body, owner, inner)
        if step.bound is not None:
            self.moves.append(Spot(owner, "done", step.span, names))
        if step.otherwise is not None:
            self._body(step.otherwise, owner, names)


def _with(names: Names, *locals_: m.Local) -> Names:
    return {**names, **{local.name: local for local in locals_}}


# ------------------------------------------------------------------ names that may hold a secret


def private_names(model: m.Model) -> set[m.Local]:
    """The names whose values may come from what not all see; rather too many than too few."""
    found: set[m.Local] = set()
    bindings = [pair for body in all_bodies(model) for pair in _bindings(body)]
    while True:
        before = len(found)
        for local, sources in bindings:
            if local not in found and any(_tells(source, found) for source in sources):
                found.add(local)
        if len(found) == before:
            return found


def _bindings(body: m.Body) -> Iterator[tuple[m.Local, tuple[object, ...]]]:
    """Names with what their values come from; what is chosen unseen comes from `_UNSEEN`."""
    for node in nodes(body.steps):
        match node:
            case m.Let():
                yield node.local, (node.value,)
            case m.ForStep():
                yield node.binder, (node.domain, node.where, node.until)
            case m.CallProcedure():
                yield from (
                    (local, (argument,))
                    for local, argument in zip(node.procedure.formals, node.arguments, strict=True)
                )
            case m.RunPhase():
                yield from (
                    (local, (argument,))
                    for local, argument in zip(node.phase.formals, node.arguments, strict=True)
                )
            case m.ChooseStep() if node.secretly:
                for option in node.options:
                    yield from ((one.local, (_UNSEEN,)) for one in option.parameters)
            case m.TogetherStep():
                inside = [n for n in nodes(node.body.steps) if isinstance(n, m.ChooseStep)]
                for choice in inside:
                    for option in choice.options:
                        yield from ((one.local, (_UNSEEN,)) for one in option.parameters)
            case _:
                pass


_UNSEEN = object()


def _tells(source: object, private: set[m.Local]) -> bool:
    """Whether a value may tell what not all see."""
    if source is _UNSEEN:
        return True
    for node in nodes(source):
        match node:
            case m.ScalarRead():
                hidden = node.scalar.sight is not Sight.ALL
            case m.SizeOf():
                zone = node.place.zone
                hidden = zone.sight in (Sight.OWNER, Sight.OTHERS) and not zone.size_seen
            case m.CountOf() | m.TopOf() | m.KindsOf() | m.ComponentsOf() | m.SubbagDomain():
                hidden = _hides(node.place.zone, source)
            case m.RunsOf():
                hidden = _hides(node.place.zone, source)
            case m.LocalRead() | m.SubbagSize() | m.SubbagCount() | m.RunColumn() | m.RunSize():
                hidden = node.local in private
            case m.InLine():
                hidden = node.line in private
            case m.CounterRead():
                hidden = True
            case m.DefineCall():
                hidden = _tells(node.define.value, private)
            case _:
                hidden = False
        if hidden:
            return True
    return False


def _hides(zone: m.Zone, source: object) -> bool:
    """Whether a value tells more of what lies in a place than all see."""
    if zone.sight is Sight.ALL:
        return False
    if not zone.columns_seen or not isinstance(source, m.Expr):
        return True
    read = Reader(lambda what, span: None).label(source, Env())
    return any(secret.what is zone for secret in read)
