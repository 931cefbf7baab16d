"""Written types as types: ranges with constant ends, kinds, players, maybe."""

from __future__ import annotations

from typing import assert_never

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.context import BOOL, PLAYER, Context
from rulesdsl.check.datatypes import (
    INT_HIGH,
    INT_LOW,
    IntType,
    KindType,
    MaybeType,
    PlayerType,
    Type,
)
from rulesdsl.check.expressions import Expressions
from rulesdsl.check.scopes import Scope
from rulesdsl.syntax import tree as t


@define(eq=False)
class Types:
    """Reads types against a context."""

    c: Context
    expressions: Expressions

    def type(self, node: t.TypeExpr) -> Type | None:
        match node:
            case t.NamedType():
                return self._named(node)
            case t.RangeType():
                return self._range(node)
            case t.MaybeType():
                inner = self.type(node.inner)
                if inner is None:
                    return None
                if isinstance(inner, (IntType, KindType, PlayerType)):
                    if isinstance(inner, IntType) and inner.low < 0:
                        self.c.add(
                            "maybe-negative", node.span, "a number that may be none is 0 or more"
                        )
                        return None
                    return MaybeType(inner)
                self.c.add("wrong-type", node.span, "maybe is of a number, kind or player")
                return None
            case t.WordsType():
                return KindType(self.words(node, "one of its words"))
            case t.PlaceType():
                self.c.add("wrong-type", node.span, "a place cannot stand here")
                return None
            case _:
                assert_never(node)

    def words(self, node: t.WordsType, name: str) -> m.Kind:
        """The kind of an option that is one of some words."""
        return m.Kind(name, tuple(word.text for word in node.words), node.span)

    def _named(self, node: t.NamedType) -> Type | None:
        name, model = node.name, self.c.model
        simple: dict[str, Type] = {
            "int": IntType(INT_LOW, INT_HIGH),
            "bool": BOOL,
            "Player": PLAYER,
            "players": PLAYER,
        }
        if name in simple:
            return simple[name]
        if name in self.c.ranges:
            return self.c.ranges[name]
        if name in model.kinds:
            self.c.use(model.kinds[name])
            return KindType(model.kinds[name])
        self.c.missing(
            node.span,
            name,
            [*simple, *self.c.ranges, *model.kinds],
            f"there is no kind or type of the name {name}",
        )
        return None

    def _range(self, node: t.RangeType) -> Type | None:
        low = self.expressions.number(node.low, Scope())
        high = None if node.high is None else self.expressions.number(node.high, Scope())
        if low is None or (node.high is not None and high is None):
            return None
        assert isinstance(low.type, IntType)
        top = INT_HIGH
        if high is not None:
            assert isinstance(high.type, IntType)
            top = high.type.high
        if top < low.type.low:
            self.c.add("empty-range", node.span, "this range holds no number")
            return None
        return IntType(low.type.low, top)
