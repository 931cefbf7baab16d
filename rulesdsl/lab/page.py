"""A game on one page: players, components, options, course, scoring, rulings."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

import attrs

from rulesdsl.check import model as m
from rulesdsl.machine.settings import allowed
from rulesdsl.syntax import tree as t
from rulesdsl.syntax.print_steps import print_branch_head, print_signature, print_step_head
from rulesdsl.syntax.printer import print_expr

WIDTH = 90


def page(tree: t.RuleFile, model: m.Model) -> str:
    """The page, as plain text."""
    lines = [model.title, ""]
    if model.about:
        lines += [*wrap(" ".join(model.about.split()), WIDTH), ""]
    least, most = model.players
    lines.append(f"Players      {least if least == most else f'{least} to {most}'}")
    lines += _section("Components", _components(model))
    lines += _section("Options", _options(tree, model))
    lines += _section("Course", _course(tree))
    lines += _section("Choices", _choices(tree))
    lines += _section("Scoring", _scoring(tree, model))
    lines += _section("Measures", _measures(tree))
    lines += _section("Rulings", _rulings(model))
    lines += _section("Changes of what it extends", _changes(tree))
    return "\n".join(lines) + "\n"


def _shown(model: m.Model, name: str) -> str:
    return model.texts.names.get(name, name.replace("_", " ")).partition("/")[0]


def _section(title: str, lines: Iterator[str]) -> Iterator[str]:
    found = list(lines)
    if found:
        yield ""
        yield title
        yield from found


def _filled(head: str, text: str) -> list[str]:
    return wrap(f"  {head:<18} {text}", WIDTH, subsequent_indent=" " * 21)


def _components(model: m.Model) -> Iterator[str]:
    """Each kind that lies anywhere, with how many of each member there are."""
    totals: dict[int, list[int]] = {}
    for zone in model.zones.values():
        for kind, part in zip(zone.kinds, zone.start, strict=True):
            seen = totals.setdefault(id(kind), [0] * len(kind))
            totals[id(kind)] = [a + b for a, b in zip(seen, part, strict=True)]
    for kind in model.kinds.values():
        counts = totals.get(id(kind))
        shown = [_member(model, kind, index) for index in range(len(kind))]
        if counts is not None:
            shown = [
                f"{count} {name}" if count != 1 else name
                for name, count in zip(shown, counts, strict=True)
            ]
        elif kind.joins is not None and kind.joins.every:
            shown = [f"every two of {kind.joins.kind.name}"]
        elif kind.grid is not None:
            size = f"{kind.grid.rows} rows of {kind.grid.columns}"
            shown = [f"{size}, from {kind.members[0]} to {kind.members[-1]}"]
        elif kind.made:
            shown = ["each of " + ", ".join(f"{x.name} {x.type}" for x in kind.made)]
        elif kind.includes:
            own = len(kind) - sum(map(len, kind.includes))
            shown = [one.name for one in kind.includes] + shown[len(kind) - own :]
        yield from _filled(kind.name, ", ".join(shown))


def _member(model: m.Model, kind: m.Kind, index: int) -> str:
    """A member as it is shown; of one that joins others or is made of them, these."""
    if not kind.has_parts or kind.members[index] in model.texts.names:
        return _shown(model, kind.members[index])
    between, parts = kind.parts_of(index)
    return between.join(_shown(model, part) for part in parts)


def _options(tree: t.RuleFile, model: m.Model) -> Iterator[str]:
    for decl in tree.options:
        option = model.options[decl.name.text]
        text = f"{allowed(option.type)}; default {print_expr(decl.default)}"
        if option.about:
            text += f". {option.about}"
        yield from _filled(decl.name.text, text + _cited(decl.cites))


def _cited(cites: tuple[t.Cite, ...]) -> str:
    return f"   ({', '.join(f'{cite.source} {cite.section}' for cite in cites)})" if cites else ""


def _course(tree: t.RuleFile) -> Iterator[str]:
    """The flow, as it stands, each phase with its sections."""
    cites = {phase.signature.name.text: phase.cites for phase in tree.phases}
    if tree.setup is not None:
        cites["setup"] = tree.setup.cites
    yield from _steps(tree.flow, cites, "  ")


def _steps(body: t.Body, cites: dict[str, tuple[t.Cite, ...]], indent: str) -> Iterator[str]:
    for step in body.steps:
        match step:
            case t.IfStep():
                for i, branch in enumerate(step.branches):
                    yield f"{indent}{print_branch_head(branch, 'elif' if i else 'if')}"
                    yield from _steps(branch.body, cites, indent + "  ")
            case t.Do():
                head = print_step_head(step)
                yield f"{indent}{head:<20}{_cited(cites.get(step.name.text, ()))}".rstrip()
            case t.For() | t.Turns() | t.While() | t.Repeat() | t.Together() | t.Named():
                yield f"{indent}{print_step_head(step)}"
                yield from _steps(step.body, cites, indent + "  ")
            case _:
                yield f"{indent}{print_step_head(step)}"


def _choices(tree: t.RuleFile) -> Iterator[str]:
    """What players choose, by the procedure or phase in which they do."""
    things = [(p.signature.name.text, p.body, p.cites) for p in tree.procedures]
    things += [(phase.signature.name.text, phase.body, phase.cites) for phase in tree.phases]
    for name, body, cites in things:
        options = [option.name.text for step in _all(body) for option in _offered(step)]
        if options:
            yield from _filled(name, ", ".join(dict.fromkeys(options)) + _cited(cites))


def _offered(step: t.Step) -> tuple[t.Option, ...]:
    return step.options if isinstance(step, t.Chooses) else ()


def _all(body: t.Body) -> Iterator[t.Step]:
    for step in body.steps:
        yield step
        match step:
            case t.IfStep():
                for branch in step.branches:
                    yield from _all(branch.body)
            case t.Chooses():
                for option in step.options:
                    yield from _all(option.body)
            case t.Depending():
                for case_ in step.cases:
                    yield from _all(case_.body)
            case (
                t.For()
                | t.Turns()
                | t.While()
                | t.Repeat()
                | t.Together()
                | t.Secretly()
                | t.Named()
            ):
                yield from _all(step.body)
            case _:
                pass


def _scoring(tree: t.RuleFile, model: m.Model) -> Iterator[str]:
    result = tree.result
    if result is None:
        return
    if result.out is not None:
        yield from _filled("out", print_expr(result.out))
    for term in result.score:
        yield from _filled(term.name.text, print_expr(term.value))
    for i, key in enumerate(result.highest):
        yield from _filled("highest" if i == 0 else "then", print_expr(key))
    if result.payoff is not None:
        yield from _filled("payoff", print_expr(result.payoff))


def _measures(tree: t.RuleFile) -> Iterator[str]:
    for one in tree.measures:
        about = f"   ({one.about})" if one.about else ""
        yield from _filled(print_signature(one.signature), print_expr(one.value) + about)


def _changes(tree: t.RuleFile) -> Iterator[str]:
    for change in tree.changes:
        because = f" (since {change.because})" if change.because else ""
        yield from wrap(
            f"  {change.words}{because}{_cited(change.cites)}", WIDTH, subsequent_indent="    "
        )


def _rulings(model: m.Model) -> Iterator[str]:
    for source in model.sources.values():
        for name, text in source.sections.items():
            if text:
                yield from _filled(name, text)


# ------------------------------------------------------------------ the flow as a graph


def graph(tree: t.RuleFile, form: str) -> str:
    """Phases and procedures, and which calls which: `mermaid` or `dot`."""
    things = [("flow", tree.flow)]
    if tree.setup is not None:
        things.append(("setup", tree.setup.body))
    things += [(phase.signature.name.text, phase.body) for phase in tree.phases]
    things += [(p.signature.name.text, p.body) for p in tree.procedures]
    edges = [
        (name, step.name.text)
        for name, body in things
        for step in _all(body)
        if isinstance(step, t.Do)
    ]
    edges = list(dict.fromkeys(edges))
    if form == "dot":
        body = "".join(f'  "{a}" -> "{b}";\n' for a, b in edges)
        return f"digraph {{\n  rankdir=LR;\n{body}}}\n"
    return "flowchart LR\n" + "".join(f"  {a} --> {b}\n" for a, b in edges)


# ------------------------------------------------------------------ the tree as it was written


def outline(node: object, indent: str = "") -> Iterator[str]:
    """A tree as indented lines: classes, and the plain values in them, but for data files."""
    if isinstance(node, tuple):
        for item in node:
            yield from outline(item, indent)
        return
    span = getattr(node, "span", None)
    if not attrs.has(type(node)) or (span is not None and span.source.part_of is not None):
        return
    plain, deep = [], []
    for field in attrs.fields(type(node)):  # type: ignore[arg-type]
        value = getattr(node, field.name)
        if field.name == "span" or value in ((), None, ""):
            continue
        if isinstance(value, t.Word):
            plain.append(f"{field.name} {value.text}")
        elif isinstance(value, (str, int)):
            plain.append(f"{field.name} {value}")
        else:
            deep.append(value)
    yield f"{indent}{type(node).__name__} {', '.join(plain)}".rstrip()
    for value in deep:
        yield from outline(value, indent + "  ")
