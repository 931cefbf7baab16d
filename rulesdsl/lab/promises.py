"""Invariants of a base that are said not to hold any more: whether they do fail."""

from __future__ import annotations

from attrs import evolve

from rulesdsl.check.checker import check_rules
from rulesdsl.lab.results import Failure
from rulesdsl.lab.trial import play_at_random
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Problems


def promises_kept(file: t.RuleFile, games: int) -> list[Failure]:
    """The invariants that are listed as failing, and were never seen to fail in so many games."""
    kept = []
    for one in file.fails:
        if one.invariant is not None and one.strict and games and _is_kept(file, one, games):
            note = f"this held in {games} random games, though it is listed as failing"
            name = one.invariant.name
            kept.append(Failure(name.text, name.span, (), "", one.span, note))
    return kept


def _is_kept(file: t.RuleFile, fails: t.FailsDecl, games: int) -> bool:
    assert fails.invariant is not None
    with_it = evolve(file, invariants=(fails.invariant,))
    model = check_rules(with_it, Problems())
    # what cannot even be said any more does not hold
    if model is None:
        return False
    faults = play_at_random(model, games).faults
    return all(fault.fault.kind != "invariant" for fault in faults)
