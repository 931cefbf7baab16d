"""Where the choices of a model stand, with all names that are bound there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from attrs import frozen

from rulesdsl.check import model as m
from rulesdsl.text.source import Span

Names: TypeAlias = "dict[str, m.Local | m.Counter]"


@frozen(eq=False)
class ChoiceOption:
    """An option of a choice: its name, place and arguments."""

    name: str
    span: Span
    parameters: tuple[m.Parameter, ...]


@frozen(eq=False)
class ChoicePlace:
    """A choice: the part of the rules it stands in, what may be chosen, and the names there."""

    owner: str
    step: m.ChooseStep | m.ForStep
    options: tuple[ChoiceOption, ...]
    names: Names

    @property
    def span(self) -> Span:
        return self.step.span

    @property
    def chooser(self) -> m.Expr:
        """Who chooses."""
        if isinstance(self.step, m.ChooseStep):
            return self.step.player
        assert self.step.chooser is not None
        return self.step.chooser

    @property
    def address(self) -> str:
        """How the choice is called: by its part of the rules and its first option."""
        return f"{self.owner} / {self.options[0].name}"

    def option(self, name: str) -> ChoiceOption | None:
        return next((option for option in self.options if option.name == name), None)


def choices_of(model: m.Model) -> list[ChoicePlace]:
    """All choices of a model, in the order of its sections."""
    parts: list[m.Phase | m.Procedure] = [*model.phases.values(), *model.procedures.values()]
    if model.setup is not None:
        parts.insert(0, model.setup)
    found: list[ChoicePlace] = []
    for part in parts:
        names: Names = {local.name: local for local in part.formals}
        names |= {counter.name: counter for counter in part.counters}
        if part.body is not None:
            found += _body(part.body, part.name, names)
    found += _body(model.flow, "flow", {})
    for trigger in model.triggers:
        found += _body(trigger.body, trigger.span.text, {})
    return found


def _body(body: m.Body, owner: str, names: Names) -> Iterator[ChoicePlace]:
    for step in body.steps:
        if isinstance(step, m.Let):
            names = {**names, step.local.name: step.local}
        else:
            yield from _step(step, owner, names)


def _step(step: m.Step, owner: str, names: Names) -> Iterator[ChoicePlace]:
    match step:
        case m.ForStep():
            if step.chooser is not None:
                parameter = m.Parameter(step.binder, step.domain, None, step.where)
                option = ChoiceOption("next", step.span, (parameter,))
                yield ChoicePlace(owner, step, (option,), names)
            yield from _body(step.body, owner, _with(names, step.binder))
        case m.TurnsStep() | m.TogetherStep():
            yield from _body(step.body, owner, _with(names, step.binder))
        case m.NamedStep() | m.WhileStep() | m.RepeatStep():
            yield from _body(step.body, owner, names)
        case m.IfStep():
            for branch in step.branches:
                yield from _body(branch.body, owner, names)
        case m.DependingStep():
            for case in step.cases:
                yield from _body(case.body, owner, names)
        case m.ChooseStep():
            yield from _choice(step, owner, names)
        case _:
            pass


def _choice(step: m.ChooseStep, owner: str, names: Names) -> Iterator[ChoicePlace]:
    options = [ChoiceOption(o.name, o.span, o.parameters) for o in step.options]
    if step.bound is not None:
        options.append(ChoiceOption("done", step.span, ()))
    yield ChoicePlace(owner, step, tuple(options), names)
    for option in step.options:
        inner = _with(names, *(parameter.local for parameter in option.parameters))
        yield from _body(option.body, owner, inner)
    if step.otherwise is not None:
        yield from _body(step.otherwise, owner, names)


def _with(names: Names, *locals_: m.Local) -> Names:
    return {**names, **{local.name: local for local in locals_}}
