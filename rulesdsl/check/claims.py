"""What is spoken binds nobody: no rule reads it."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.check import model as m
from rulesdsl.check.walk import all_bodies, nodes
from rulesdsl.text.problems import Problems, Second
from rulesdsl.text.source import Span


def check_claims(model: m.Model, problems: Problems) -> None:
    """Tell of every place in the rules that reads what is spoken."""
    for piece in _rules(model):
        tell_claims(piece, problems)
    for trigger in model.triggers:
        event = trigger.event
        if isinstance(event, m.AfterChange) and event.scalar.spoken:
            _tell(event.scalar, trigger.span, "nothing follows from what is said", problems)


def tell_claims(piece: object, problems: Problems) -> None:
    """Tell where a piece of the rules, or a call of an example, reads what is spoken."""
    for node in nodes(piece):
        match node:
            case m.ScalarRead() if node.scalar.spoken:
                note = f"{node.scalar.name} is spoken: it binds nobody, so no rule reads it"
                _tell(node.scalar, node.span, note, problems)
            case m.AwardStep() if node.scalar.spoken:
                note = f"{node.scalar.name} is spoken; a prize is added to a number that counts"
                _tell(node.scalar, node.span, note, problems)
            case m.Roll() if node.scalar.spoken:
                note = f"{node.scalar.name} is spoken: a player says it, no die does"
                _tell(node.scalar, node.span, note, problems)
            case _:
                pass


def _tell(scalar: m.Scalar, span: Span, note: str, problems: Problems) -> None:
    declared = scalar.span.source.line(scalar.span.line).strip()
    second = Second(scalar.span, "declared here; without `, spoken` rules may read it")
    help_ = declared.replace(", spoken", "")
    problems.add("spoken-read", span, note, second=second, help=help_)


def _rules(model: m.Model) -> Iterator[object]:
    """All of the rules; texts and examples are none."""
    yield from all_bodies(model)
    for define in model.defines.values():
        yield define.value
    callables: list[m.Procedure | m.Phase] = [*model.procedures.values(), *model.phases.values()]
    if model.setup is not None:
        callables.append(model.setup)
    for what in callables:
        yield tuple(counter.start for counter in what.counters)
        if isinstance(what, m.Procedure):
            yield what.where
    for trigger in model.triggers:
        yield trigger.event
    yield model.result
    for invariant in model.invariants:
        yield invariant.value
