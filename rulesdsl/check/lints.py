"""What is well formed but cannot be meant: what is never used, never holds, never ends well."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulesdsl.check import model as m
from rulesdsl.check.cites import called
from rulesdsl.check.context import Context
from rulesdsl.check.course import never_set_off
from rulesdsl.check.datatypes import IntType
from rulesdsl.check.narrowing import cut
from rulesdsl.check.walk import all_bodies, nodes
from rulesdsl.check.written import cites_in, names_in
from rulesdsl.syntax import tree as t
from rulesdsl.text.source import Span


def lint(c: Context, file: t.RuleFile) -> None:
    """Told only when everything else is right."""
    _unused(c, file)
    _unused_locals(c)
    _unused_ranges(c, file)
    _unused_texts(c, file)
    _never_true(c)
    for trigger in never_set_off(c.model):
        c.problems.add("never-reached", trigger.span, "nothing makes this happen")
    if file.result is None and not any(isinstance(node, m.Wins) for node in _steps(c.model)):
        note = "nothing in this file says who wins"
        c.problems.add("nobody-wins", file.game.span, note, help="result: ...")


def _steps(model: m.Model) -> Iterator[object]:
    for body in all_bodies(model):
        yield from nodes(body.steps)


def _phases(model: m.Model) -> list[m.Phase]:
    return [*([] if model.setup is None else [model.setup]), *model.phases.values()]


# ------------------------------------------------------------------ unused


def _unused(c: Context, file: t.RuleFile) -> None:
    """Declarations that no rule, text or example uses."""
    model = c.model
    groups: list[tuple[str, list[tuple[str, Span, object]]]] = [
        ("definition", [(x.name, x.span, x) for x in model.defines.values()]),
        ("procedure", [(x.name, x.span, x) for x in model.procedures.values()]),
        ("phase", [(x.name, x.span, x) for x in _phases(model)]),
        ("option", [(x.name, x.span, x) for x in model.options.values()]),
        ("table", [(x.name, x.span, x) for x in model.tables.values()]),
        ("piece of state", [(x.name, x.span, x) for x in model.scalars.values()]),
        ("place", [(x.name, x.span, x) for x in model.zones.values()]),
        ("note", [(x.name, x.span, x) for zone in model.zones.values() for x in zone.notes]),
        ("kind", [(x.name, x.span, x) for x in model.kinds.values()]),
    ]
    told = names_in((file.examples, file.texts))
    for what, things in groups:
        for name, span, thing in things:
            if id(thing) not in c.used and name not in told:
                c.problems.add("unused-name", span, f"nothing uses this {what}: {name}")


def _unused_locals(c: Context) -> None:
    """Lets, formals and counters that nothing reads."""
    model = c.model
    lets = [(node.local, "name") for node in _steps(model) if isinstance(node, m.Let)]
    with_state: list[m.Procedure | m.Phase] = [*model.procedures.values(), *model.phases.values()]
    callables: list[m.Define | m.Procedure | m.Phase] = [*model.defines.values(), *with_state]
    formals = [(formal, "argument") for one in callables for formal in one.formals]
    formals += [(one.player, "argument") for one in model.measures.values() if one.player]
    counters = [(counter, "counter") for one in with_state for counter in one.counters]
    things: list[tuple[m.Local | m.Counter, str]] = [*lets, *formals, *counters]
    for thing, what in things:
        if id(thing) not in c.used:
            note = f"nothing uses this {what}: {thing.name}"
            c.problems.add("unused-name", thing.span, note)


def _unused_texts(c: Context, file: t.RuleFile) -> None:
    """Rulings that nothing cites."""
    cited = {(cite.source, cite.section) for cite in cites_in(file)}
    for source in file.sources:
        word = called(c.model.sources[source.name.text])
        for name, _ in source.texts:
            if (word, name.text) not in cited:
                c.problems.add("unused-name", name.span, f"nothing cites this: {word} {name.text}")


def _unused_ranges(c: Context, file: t.RuleFile) -> None:
    """Named ranges that nothing is of."""
    ranges = [kind for kind in file.kinds if kind.range is not None]
    if not ranges:
        return
    others = attrs.evolve(file, kinds=())
    told = names_in((others, tuple((kind.columns, kind.made, kind.grid) for kind in file.kinds)))
    for kind in ranges:
        if kind.name.text not in told:
            note = f"nothing uses this range: {kind.name.text}"
            c.problems.add("unused-name", kind.name.span, note)


# ------------------------------------------------------------------ conditions


def _never_true(c: Context) -> None:
    """Comparisons that can never hold, whatever happens."""
    model = c.model
    pieces: list[object] = [body.steps for body in all_bodies(model)]
    pieces += [define.value for define in model.defines.values()]
    pieces += [measure.value for measure in model.measures.values()]
    pieces += [procedure.where for procedure in model.procedures.values()]
    for piece in pieces:
        for node in nodes(piece):
            for condition in _conditions(node):
                if isinstance(condition, m.Const) and not condition.value:
                    c.problems.add("never-true", condition.span, "this never holds")
            if isinstance(node, m.Compare) and _is_never(node):
                left, right = node.left.type, node.right.type
                note = f"this never holds: {left} {node.op} {right}"
                c.problems.add("never-true", node.span, note)


def _conditions(node: object) -> Iterator[m.Expr]:
    """The conditions on which a node hangs."""
    match node:
        case m.Branch(condition=condition) | m.WhileStep(condition=condition) if condition:
            yield condition
        case m.ChoiceOption(where=where):
            yield from where
        case (
            m.ForStep(where=where)
            | m.TurnsStep(where=where)
            | m.Parameter(where=where)
            | m.Fold(where=where)
            | m.Pick(where=where)
        ) if where:
            yield where
        case _:
            pass


def _is_never(node: m.Compare) -> bool:
    left, right = node.left.type, node.right.type
    if isinstance(left, IntType) and isinstance(right, IntType):
        return cut(left, node.op, right) is None
    if isinstance(node.left, m.Const) and isinstance(node.right, m.Const):
        return (node.left.value == node.right.value) != (node.op == "==")
    return False
