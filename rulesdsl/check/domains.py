"""Domains of loops, aggregates and parameters: their members, and how many there can be."""

from __future__ import annotations

from abc import abstractmethod
from typing import TypeAlias, assert_never

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.context import PLAYER
from rulesdsl.check.datatypes import (
    BoolType,
    IntType,
    KindType,
    LineType,
    MaybeType,
    RunType,
    SubbagType,
    Type,
)
from rulesdsl.check.derived import Derived
from rulesdsl.check.intervals import size_of
from rulesdsl.check.scopes import Scope
from rulesdsl.syntax import tree as t
from rulesdsl.text.source import Span

Found: TypeAlias = tuple[m.Domain, m.Local, tuple[int, int]]
"""The domain, the name bound to its members, and the least and greatest number of them."""


@define(eq=False, slots=False)
class Domains(Derived):
    """The part of the checker that knows domains."""

    def domain(self, node: t.Domain, binder: t.Word, scope: Scope) -> Found | None:
        """Check a domain and bind a name to its members in the scope."""
        match node:
            case t.RangeDomain():
                return self._range(node, binder, scope)
            case t.SeatsDomain():
                return self._seats(node, binder, scope)
            case t.KindsOfDomain():
                return self._of_place(node.zone, binder, scope, distinct=True)
            case t.NeighborsDomain():
                return self.neighbors(node, binder, scope)
            case t.LinesDomain():
                return self.lines(node, binder, scope)
            case t.RunsDomain():
                return self._runs(node, binder, scope)
            case t.SubbagDomain():
                return self._subbag(node, binder, scope)
            case t.NamedDomain():
                return self._named(node, binder, scope)
            case _:
                assert_never(node)

    def _range(self, node: t.RangeDomain, binder: t.Word, scope: Scope) -> Found | None:
        low, high = self.number(node.low, scope), self.number(node.high, scope)
        if low is None or high is None:
            return None
        assert isinstance(low.type, IntType)
        assert isinstance(high.type, IntType)
        if low.type.low > high.type.high:
            self.c.add(
                "empty-range",
                node.span,
                f"this is always empty: it begins at {low.type.low} or later "
                f"and ends at {high.type.high} or earlier",
            )
            return None
        if node.maybe and self._is_negative(low.type, node.span):
            return None
        type_ = IntType(low.type.low, high.type.high)
        local = self.c.new_local(binder, MaybeType(type_) if node.maybe else type_, scope)
        size = (
            max(0, high.type.low - low.type.high + 1) + node.maybe,
            high.type.high - low.type.low + 1 + node.maybe,
        )
        return m.RangeDomain(low, high, node.maybe), local, size

    def _is_negative(self, numbers: IntType, span: Span) -> bool:
        """Whether numbers that may be none can be less than 0; then it is told."""
        if numbers.low < 0:
            self.c.add("maybe-negative", span, "a number that may be none is 0 or more")
        return numbers.low < 0

    @abstractmethod
    def number(self, node: t.Expr, scope: Scope) -> m.Expr | None: ...

    def seats(self, node: t.SeatsDomain, scope: Scope) -> m.SeatsDomain | None:
        start = None
        if node.start is not None:
            start = self.expr(node.start, scope)
            if start is None or self.c.must_fit(start, PLAYER) is False:
                return None
        return m.SeatsDomain(start, node.turn == "after", node.counterclockwise)

    def _seats(self, node: t.SeatsDomain, binder: t.Word, scope: Scope) -> Found | None:
        domain = self.seats(node, scope)
        if domain is None:
            return None
        local = self.c.new_local(binder, PLAYER, scope)
        low, high = self.c.model.players
        return domain, local, (low - domain.after, high - domain.after)

    def _of_place(self, node: t.Expr, binder: t.Word, scope: Scope, distinct: bool) -> Found | None:
        bag = self.find_bag(node, scope)
        if bag is not None:
            local = self.c.new_local(binder, KindType(bag.column.kind), scope)
            return m.InBag(bag, distinct), local, self.bag_sizes(bag, distinct)
        place = self.place(node, scope)
        if place is None:
            return None
        zone = place.zone
        if len(zone.kinds) > 1:
            names = " and ".join(kind.name for kind in zone.kinds)
            note = f"{zone.name} holds {names}: loop over one of the kinds"
            self.c.add("several-kinds", node.span, note)
            return None
        kind = zone.kinds[0]
        local = self.c.new_local(binder, KindType(kind), scope)
        if distinct:
            return m.KindsOf(place, kind), local, (0, min(len(kind), zone.capacity))
        return m.ComponentsOf(place, kind), local, (0, zone.capacity)

    def _runs(self, node: t.RunsDomain, binder: t.Word, scope: Scope) -> Found | None:
        place = self.place(node.zone, scope)
        if place is None:
            return None
        zone = place.zone
        if zone.shape is not m.Shape.PILE or len(zone.kinds) > 1:
            self.c.add("no-runs", node.span, "runs are of a pile of one kind")
            return None
        column = zone.kinds[0].columns.get(node.column.text)
        if column is None:
            self.c.missing(
                node.column.span,
                node.column.text,
                zone.kinds[0].columns,
                f"{zone.kinds[0].name} has no column {node.column.text}",
            )
            return None
        self.c.use(column)
        local = self.c.new_local(binder, RunType(column), scope)
        return m.RunsOf(place), local, (0, zone.capacity)

    def _subbag(self, node: t.SubbagDomain, binder: t.Word, scope: Scope) -> Found | None:
        place = self.place(node.zone, scope)
        low, high = self.number(node.low, scope), self.number(node.high, scope)
        if place is None or low is None or high is None:
            return None
        if place.zone.shape is not m.Shape.BAG:
            self.c.add("not-a-bag", node.zone.span, "one chooses so from a bag only")
            return None
        assert isinstance(high.type, IntType)
        assert isinstance(low.type, IntType)
        most = min(high.type.high, place.zone.capacity)
        if low.type.high < 0 or most < low.type.low:
            self.c.add("empty-range", node.span, "this can never be chosen")
            return None
        local = self.c.new_local(binder, SubbagType(place.zone.kinds, max(0, most)), scope)
        return m.SubbagDomain(place, low, high), local, (0, 1)

    def _named(self, node: t.NamedDomain, binder: t.Word, scope: Scope) -> Found | None:
        """A kind, a named range, bool, `maybe` of them, or the components of a place."""
        expr, c = node.expr, self.c
        with_none = (*c.model.kinds, *c.ranges)
        if node.maybe and not (isinstance(expr, t.Name) and expr.text in with_none):
            c.add("not-a-domain", node.span, "`maybe` goes with a kind or a range here")
            return None
        bound = scope.find(expr.text) if isinstance(expr, t.Name) else None
        if isinstance(bound, m.Local) and isinstance(bound.type, LineType):
            return self.line_members(bound, binder, scope)
        if isinstance(expr, t.Name) and bound is None:
            if expr.text in c.model.kinds:
                kind = c.model.kinds[expr.text]
                c.use(kind)
                type_: Type = KindType(kind)
                if node.maybe:
                    type_ = MaybeType(KindType(kind))
                local = c.new_local(binder, type_, scope)
                number = len(kind) + node.maybe
                return m.KindDomain(kind, node.maybe), local, (number, number)
            if expr.text in ("Player", "players"):
                return self._seats(t.SeatsDomain(node.span, "", None, False), binder, scope)
            if expr.text == "bool":
                local = c.new_local(binder, BoolType(), scope)
                return m.BoolDomain(), local, (2, 2)
            if expr.text in c.ranges:
                return self._named_range(c.ranges[expr.text], node, binder, scope)
            if not self.means_something(expr.text):
                places = [name for section, name in c.model.zones if section == "shared"]
                known = [*c.model.kinds, *c.ranges, *places, "players"]
                note = f"there is no kind and no place of the name {expr.text}"
                c.missing(expr.span, expr.text, known, note)
                return None
        return self._of_place(expr, binder, scope, distinct=False)

    def _named_range(
        self, range_: IntType, node: t.NamedDomain, binder: t.Word, scope: Scope
    ) -> Found | None:
        if node.maybe and self._is_negative(range_, node.span):
            return None
        low = m.Const(node.span, IntType(range_.low, range_.low), range_.low)
        high = m.Const(node.span, IntType(range_.high, range_.high), range_.high)
        type_ = MaybeType(range_) if node.maybe else range_
        local = self.c.new_local(binder, type_, scope)
        number = size_of(type_, self.c.model.players[1])
        return m.RangeDomain(low, high, node.maybe), local, (number, number)
