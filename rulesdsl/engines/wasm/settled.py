"""Sums with checks that come out the same in all rounds: they are asked once, before the first."""

from __future__ import annotations

from attrs import evolve, frozen

from rulesdsl.machine import program as p
from rulesdsl.machine.traverse import is_quiet, mapped, parts


@frozen
class Settled:
    """A sum without checks, which is the same where `condition` holds. In rounds that do not count
    it looks at the first number of a table. `worked_out` is its body, tables aside."""

    condition: p.Value
    fold: p.Fold
    worked_out: p.Value


def settled(v: p.Fold) -> Settled | None:
    """A sum made so, if all its checks are such."""
    bound = {p.R(part.register) for part in parts(v) if isinstance(part, (p.Fold, p.With))}
    checks = [part.condition for part in parts(v.body) if isinstance(part, p.Checked)]
    if not checks or any(part in bound for check in checks for part in parts(check)):
        return None
    body = _without_checks(v.body, v.where)
    if not is_quiet((body, v.where, v.weight, *checks)):
        return None
    condition, *others = dict.fromkeys(checks)
    for other in others:
        condition = p.And(condition, other)
    return Settled(condition, evolve(v, body=body), _indexes(_without_checks(v.body, None)))


def _without_checks(v: p.Value, where: p.Value | None) -> p.Value:
    """The value where its checks hold, tables being read as far as `where` holds."""
    match v:
        case p.Checked():
            return _without_checks(v.value, where)
        case p.Row():
            index = _without_checks(v.index, where)
            return evolve(v, index=index if where is None else p.Choice(where, index, p.K(0)))
        case _:
            inside: p.Value = mapped(v, lambda part: _without_checks(part, where))
            return inside


def _indexes(v: p.Value) -> p.Value:
    """The value with the indexes of tables instead of what stands there."""
    if isinstance(v, p.Row):
        return _indexes(v.index)
    inside: p.Value = mapped(v, _indexes)
    return inside
