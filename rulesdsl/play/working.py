"""Which rules were at work when a fault came up."""

from __future__ import annotations

from contextlib import suppress

from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.reference import Engine
from rulesdsl.machine.program import Choose, Note, Rule, Stop
from rulesdsl.play.history import Run

DEEPEST = 32
"""Of more rules than this the outermost are left out."""


def rules_at_work(
    engine: Engine, before: list[int], run: Run, stop: Stop | None
) -> tuple[Rule, ...]:
    """Run into the fault once more, following the notes: the rules begun and not ended."""
    rules = [rule for rule in engine.machine.rules if _stands_in(rule, stop)]

    def follow(note: Note, _: tuple[int, ...]) -> None:
        if isinstance(note.subject, Rule):
            rules.append(note.subject)
        elif note.kind == "end":
            while any(rule.name == note.subject for rule in rules):
                if rules.pop().name == note.subject:
                    break

    with suppress(RuleFault):
        run.follow(engine, before.copy(), follow)
    return tuple(rules[-DEEPEST:])


def _stands_in(rule: Rule, stop: Stop | None) -> bool:
    """Whether a rule is the one whose choice the game rested at."""
    return isinstance(stop, Choose) and rule.name == stop.where
