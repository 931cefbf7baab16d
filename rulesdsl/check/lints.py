"""What is well formed but cannot be meant: unused names, unknown references."""

from __future__ import annotations

from rulesdsl.check.context import Context
from rulesdsl.syntax import tree as t


def lint(c: Context, file: t.RuleFile) -> None:
    """Told only when everything else is right."""
    _unused(c, file)


def _unused(c: Context, file: t.RuleFile) -> None:
    model = c.model
    things: list[tuple[str, object, str]] = []
    things += [(define.name, define, "definition") for define in model.defines.values()]
    things += [(proc.name, proc, "procedure") for proc in model.procedures.values()]
    things += [(phase.name, phase, "phase") for phase in model.phases.values()]
    things += [(option.name, option, "option") for option in model.options.values()]
    things += [(table.name, table, "table") for table in model.tables.values()]
    for name, what, word in things:
        if id(what) not in c.used:
            span = getattr(what, "span", None)
            if span is not None:
                c.add("unused-name", span, f"no rule uses this {word}: {name}")
