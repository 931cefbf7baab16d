"""Why a player may choose what he may: conditions and bounds with the numbers in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.walk import all_bodies, nodes
from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.program import Choose
from rulesdsl.play.narrate import Narrator
from rulesdsl.play.reading import normal, split_name
from rulesdsl.play.sheltered import Unseen
from rulesdsl.syntax.cites import Cite
from rulesdsl.text.source import Span


def why(narrator: Narrator, choice: Choose, player: int, text: str) -> list[str]:
    """The options at a choice, or the one that a text begins with, each with its reasons."""
    step = _step_of(narrator.rules.machine.model, choice)
    if step is None:
        return []
    named = [one for one in step.options if split_name(normal(text), one.name) is not None]
    seat = None if choice.region is None else player
    explained = _Why(narrator, seat)
    lines: list[str] = []
    for option in named or step.options:
        lines += explained.option(option, option.cites or choice_cites(choice, option))
    return lines


def choice_cites(choice: Choose, option: m.ChoiceOption) -> tuple[Cite, ...]:
    """The references of the place where an option stands."""
    return next((one.cites for one in choice.options if one.span == option.span), ())


def _step_of(model: m.Model, choice: Choose) -> m.ChooseStep | None:
    for body in all_bodies(model):
        for node in nodes(body.steps):
            if isinstance(node, m.ChooseStep) and node.span == choice.span:
                return node
    return None


@define(eq=False)
class _Why:
    narrator: Narrator
    seat: int | None

    def option(self, option: m.ChoiceOption, cites: tuple[Cite, ...]) -> Iterator[str]:
        yield f"{_line(option.span).rstrip(':')}{_told(cites, option.span)}"
        inside = {parameter.local for parameter in option.parameters}
        said: list[m.Define] = []
        for parameter in option.parameters:
            yield from self._parameter(parameter, said)
        for condition in option.where:
            if not _uses(condition, inside):
                yield from self._condition(condition, said)

    def _parameter(self, parameter: m.Parameter, said: list[m.Define]) -> Iterator[str]:
        domain, name = parameter.domain, parameter.local.name
        if isinstance(domain, m.RangeDomain):
            low, high = self._value(domain.low, {}), self._value(domain.high, {})
            if low is not None and high is not None:
                words = f"{domain.low.span.text} to {domain.high.span.text}"
                values = f"{low} to {high}"
                yield f"  {name}: {values if words == values else f'{words} = {values}'}"
                yield from self._definitions((domain.low, domain.high), said)
                return
        if parameter.where is not None:
            yield from self._definitions((parameter.where,), said)

    def _condition(self, condition: m.Expr, said: list[m.Define]) -> Iterator[str]:
        holds = self._value(condition, {})
        verdict = {None: "", 0: " does not hold"}.get(holds, " holds")
        yield f"  {_line(condition.span)}{verdict}{self._leaves(condition, {})}"
        yield from self._definitions((condition,), said)

    def _definitions(self, exprs: tuple[m.Expr, ...], said: list[m.Define]) -> Iterator[str]:
        """The definitions that were used, with their values, each once."""
        for expr in exprs:
            for call in nodes(expr):
                if not isinstance(call, m.DefineCall) or call.define in said:
                    continue
                said.append(call.define)
                arguments = [self._value(argument, {}) for argument in call.arguments]
                value = self._value(call, {})
                if value is None or any(argument is None for argument in arguments):
                    continue
                bound = zip(call.define.formals, arguments, strict=True)
                names = {local: number for local, number in bound if number is not None}
                shown = self.narrator.wording.number(call.type, value)[0]
                inner = call.define.value
                place = _told(call.define.cites, call.define.span)
                leaves = self._leaves(inner, names)
                yield f"  {_line(call.span)} = {shown}: {_line(inner.span)}{leaves}{place}"

    def _leaves(self, expr: m.Expr, names: Mapping[m.Local, int]) -> str:
        """`, with p.money 55, p.loans 0`: what is read of the state."""
        found: dict[str, str] = {}
        for node in nodes(expr):
            if isinstance(node, (m.ScalarRead, m.SizeOf)) and node is not expr:
                value = self._value(node, names)
                if value is not None:
                    shown = self.narrator.wording.number(node.type, value)[0]
                    found[_line(node.span)] = shown
        return ", with " + ", ".join(f"{a} {b}" for a, b in found.items()) if found else ""

    def _value(self, expr: m.Expr, names: Mapping[m.Local, int]) -> int | None:
        """A value now; None where it needs names or secrets that are not there."""
        try:
            return self.narrator.value(expr, self.seat, names)
        except (Unseen, RuleFault):
            return None


def _uses(expr: m.Expr, locals_: set[m.Local]) -> bool:
    return any(isinstance(node, m.LocalRead) and node.local in locals_ for node in nodes(expr))


def _line(span: Span) -> str:
    return " ".join(span.text.split())


def _told(cites: tuple[Cite, ...], span: Span) -> str:
    said = ", ".join(f"{cite.source} {cite.section}" for cite in cites)
    place = f"{PurePath(span.source.name).name}:{span.line}"
    return f"   {said} ({place})" if said else f"   ({place})"
