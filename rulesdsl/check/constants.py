"""Expressions whose value is known before the game."""

from __future__ import annotations

from rulesdsl.check import model as m
from rulesdsl.check.walk import nodes

_STATE = (m.ScalarRead, m.CounterRead, m.CountOf, m.SizeOf, m.TopOf, m.SubbagSize, m.SubbagCount)


def reads_state(expr: m.Expr) -> bool:
    """Whether an expression reads anything that changes while a game is played."""
    return any(
        isinstance(node, _STATE)
        or (isinstance(node, m.DefineCall) and reads_state(node.define.value))
        for node in nodes(expr)
    )
