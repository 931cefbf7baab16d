"""Expressions whose value is known before the game."""

from __future__ import annotations

from rulesdsl.check import model as m
from rulesdsl.check.walk import nodes

_STATIC = (
    m.Const,
    m.LocalRead,
    m.OptionRead,
    m.PlayerCount,
    m.ColumnRead,
    m.TableRead,
    m.Between,
    m.EndOf,
    m.Made,
    m.Turned,
    m.Toward,
    m.Converted,
    m.IsA,
    m.Bag,
    m.BagSize,
    m.BagCount,
    m.Neighbour,
    m.Negative,
    m.Not,
    m.Arithmetic,
    m.Quotient,
    m.Compare,
    m.Logic,
    m.Conditional,
)


def is_known(expr: m.Expr) -> bool:
    """Whether the value of an expression is the same wherever it stands, whatever happens."""
    return is_static(expr) and not any(isinstance(node, m.LocalRead) for node in nodes(expr))


def is_static(expr: m.Expr) -> bool:
    """Whether an expression is worked out from numbers, options, columns and tables alone."""
    return all(
        is_static(node.define.value)
        if isinstance(node, m.DefineCall)
        else isinstance(node, (*_STATIC, tuple)) or not isinstance(node, m.Expr)
        for node in nodes(expr)
    )
