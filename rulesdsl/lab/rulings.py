"""Each ruling with all that rests on it and where that stands, to be corrected one by one."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from attrs import frozen

from rulesdsl.syntax import tree as t
from rulesdsl.syntax.print_steps import print_event, print_step_head
from rulesdsl.syntax.printer import (
    print_expr,
    print_grid,
    print_row_key,
    print_state_type,
    print_type,
)
from rulesdsl.text.source import Span

WIDTH = 90


@frozen
class _Resting:
    """A piece of the rules with its references, and the figures in it."""

    what: str
    span: Span
    cites: tuple[t.Cite, ...]
    figures: tuple[str, ...] = ()


def rulings_page(tree: t.RuleFile) -> Iterator[str]:
    """The rulings in the order of the file, as lines; a ruling may be spelt out in a base."""
    found = list(_resting(tree))
    for source in tree.sources:
        for ruling, text in source.texts:
            yield from wrap(f"{ruling.text}: {text}", WIDTH, subsequent_indent="  ")
            for piece in found:
                if any(ruling.text == c.section and c.source in _NAMES for c in piece.cites):
                    yield from _lines(piece)
            yield ""


_NAMES = ("ruling", "rulings")


def _lines(piece: _Resting) -> Iterator[str]:
    place = f"{piece.span.source.name}:{piece.span.line}"
    yield f"  {place:<24}  {piece.what}"
    for figure in piece.figures:
        yield from wrap(figure, WIDTH, initial_indent="      ", subsequent_indent="        ")


def _resting(tree: t.RuleFile) -> Iterator[_Resting]:
    """All that has references: declarations, parts of bodies, examples, changes."""
    for option in tree.options:
        default = (print_expr(option.default),)
        yield _Resting(f"option {option.name.text}", option.name.span, option.cites, default)
    for kind in tree.kinds:
        yield _Resting(f"kind {kind.name.text}", kind.name.span, kind.cites, _kind(kind))
    for table in tree.tables:
        yield _Resting(f"table {table.name.text}", table.name.span, table.cites, _table(table))
    for state in tree.state:
        figures = (print_state_type(state.type),)
        yield _Resting(f"state {state.name.text}", state.name.span, state.cites, figures)
    for define in tree.defines:
        name, value = define.signature.name, (print_expr(define.value),)
        yield _Resting(f"define {name.text}", name.span, define.cites, value)
    yield from _bodies(tree)
    if tree.result is not None:
        yield _Resting("result", tree.result.span, tree.result.cites)
    for example in tree.examples:
        yield _Resting(f"example {example.name.text}", example.name.span, example.cites)
    for change in tree.changes:
        yield _Resting(change.words, change.span, change.cites)


def _kind(kind: t.KindDecl) -> tuple[str, ...]:
    if kind.made is not None:
        return tuple(f"{name.text}: {print_type(type_)}" for name, type_ in kind.made.parts)
    if kind.grid is not None:
        return (print_grid(kind.grid),)
    if not kind.columns:
        return (", ".join(name.text for name, _ in kind.rows),)
    columns = [f"{name.text} {print_type(type_)}" for name, type_ in kind.columns]
    rows = [f"{name.text}: {', '.join(map(_cell, cells))}" for name, cells in kind.rows]
    return ("columns: " + ", ".join(columns), *rows)


def _cell(cell: t.Cell) -> str:
    if isinstance(cell, t.BagCell):
        return "[" + ", ".join(map(print_expr, cell.items)) + "]"
    return print_expr(cell)


def _table(table: t.TableDecl) -> tuple[str, ...]:
    rows = [f"{print_row_key(key)}: {', '.join(map(print_expr, row))}" for key, row in table.rows]
    if table.columns:
        rows.insert(0, "columns: " + ", ".join(map(print_row_key, table.columns)))
    return tuple(rows)


# ------------------------------------------------------------------ bodies


def _bodies(tree: t.RuleFile) -> Iterator[_Resting]:
    if tree.setup is not None:
        yield _Resting("setup", tree.setup.signature.name.span, tree.setup.cites)
        yield from _steps(tree.setup.body, "setup")
    yield from _steps(tree.flow, "flow")
    for word, things in (("phase", tree.phases), ("procedure", tree.procedures)):
        for one in things:
            name = one.signature.name
            yield _Resting(f"{word} {name.text}", name.span, one.cites)
            yield from _steps(one.body, f"{word} {name.text}")
    for trigger in tree.triggers:
        event = f"trigger {print_event(trigger.event)}"
        yield _Resting(event, trigger.event.span, trigger.cites)
        yield from _steps(trigger.body, event)


def _steps(body: t.Body, where: str) -> Iterator[_Resting]:
    """What stands below a reference in a body, and options with references of their own."""
    for i, step in enumerate(body.steps):
        match step:
            case t.CiteHere():
                after = tuple(map(print_step_head, body.steps[i + 1 :]))
                yield _Resting(where, step.span, step.cites, after)
            case t.Chooses():
                for option in step.options:
                    inside = f"{where} / {option.name.text}"
                    yield _Resting(inside, option.span, option.cites, _conditions(option))
                    yield from _steps(option.body, inside)
            case t.Named():
                yield from _steps(step.body, f"{where} / step {step.name.text}")
            case t.IfStep():
                for branch in step.branches:
                    yield from _steps(branch.body, where)
            case t.Depending():
                for case_ in step.cases:
                    yield from _steps(case_.body, f"{where} / {print_row_key(case_.key)}")
            case t.For() | t.Turns() | t.While() | t.Repeat() | t.Together() | t.Secretly():
                yield from _steps(step.body, where)
            case _:
                pass


def _conditions(option: t.Option) -> tuple[str, ...]:
    return tuple(f"where {print_expr(condition)}" for condition in option.where)
