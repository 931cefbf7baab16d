"""What of a model is spoken of: rounds of its flow, and the names of the arguments of moves."""

from __future__ import annotations

from functools import cached_property

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import SubbagType
from rulesdsl.check.walk import all_bodies, nodes
from rulesdsl.machine.program import Option
from rulesdsl.play.texts import Bound
from rulesdsl.text.source import Span


@define(eq=False, slots=False)
class Spoken:
    """Looked up once for a model."""

    model: m.Model

    @cached_property
    def rounds(self) -> dict[m.Local, m.Expr]:
        """The loops over numbers that stand in the flow, each with its last number."""
        return {
            node.binder: node.domain.high
            for node in nodes(self.model.flow.steps)
            if isinstance(node, m.ForStep)
            if isinstance(node.domain, m.RangeDomain)
        }

    @cached_property
    def loops(self) -> set[m.Local]:
        """The names of all loops that stand in the flow."""
        flow = nodes(self.model.flow.steps)
        return {node.binder for node in flow if isinstance(node, (m.ForStep, m.TurnsStep))}

    @cached_property
    def _parameters(self) -> dict[tuple[Span, str], tuple[m.Local, ...]]:
        found: dict[tuple[Span, str], tuple[m.Local, ...]] = {}
        for body in all_bodies(self.model):
            for node in nodes(body.steps):
                if isinstance(node, m.ChoiceOption):
                    locals_ = tuple(parameter.local for parameter in node.parameters)
                    found[node.span, node.name] = locals_
                elif isinstance(node, m.ForStep) and node.chooser is not None:
                    found[node.span, "next"] = (node.binder,)
        return found

    def arguments(self, option: Option, values: tuple[int, ...]) -> dict[m.Local, Bound]:
        """The names of the arguments of a move with what they stand for."""
        at = {parameter.register: i for i, parameter in enumerate(option.parameters)}
        names = self._parameters.get((option.span, option.name), ())
        found: dict[m.Local, Bound] = {}
        for local, argument in zip(names, option.arguments, strict=True):
            numbers = tuple(values[at[register]] for register in argument.registers)
            found[local] = numbers if isinstance(local.type, SubbagType) else numbers[0]
        return found
