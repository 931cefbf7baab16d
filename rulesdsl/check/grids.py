"""What is said of grids: steps in a direction, what lies beside a member, lines."""

from __future__ import annotations

from typing import TypeAlias

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.constants import is_known
from rulesdsl.check.datatypes import (
    NONE,
    IntType,
    KindType,
    LineType,
    MaybeType,
    Type,
)
from rulesdsl.check.joined import Joined
from rulesdsl.check.scopes import Scope
from rulesdsl.syntax import tree as t

Found: TypeAlias = tuple[m.Domain, m.Local, tuple[int, int]]
_BY = ("sides", "corners")


@define(eq=False, slots=False)
class Grids(Joined):
    """The part of the checker that knows grids."""

    def toward(self, node: t.Call, of: m.Expr) -> m.Expr | None:
        """`north of c`."""
        kind = self._grid_of(of)
        if kind is None or kind.grid is None:
            return None
        type_ = MaybeType(KindType(kind))
        if isinstance(of, m.Const):
            member = kind.grid.toward(of.value, node.name.text)
            return m.Const(node.span, type_, NONE if member is None else member)
        return m.Toward(node.span, type_, kind, of, node.name.text)

    def neighbors(self, node: t.NeighborsDomain, binder: t.Word, scope: Scope) -> Found | None:
        """`neighbors of c`, `neighbors(c by sides or corners)` in a grid, else by links."""
        words = [word for word in (node.by, node.also) if word is not None]
        if node.also is None and (not words or words[0].text not in _BY):
            known = len(self.c.problems)
            of = self.expr(node.of, scope) if node.by is None and self._has_grids() else None
            if len(self.c.problems) > known:
                return None
            if of is None or not _is_in_grid(_certain(of.type)):
                return super().neighbors(node, binder, scope)
            return self._beside(of, binder, scope, _BY[:1])
        for word in words:
            if word.text not in _BY:
                note = "in a grid there are neighbors by sides, by corners, or by sides or corners"
                self.c.add("not-a-domain", word.span, note)
                return None
        of = self.expr(node.of, scope)
        by = tuple(word.text for word in words)
        return None if of is None else self._beside(of, binder, scope, by)

    def _has_grids(self) -> bool:
        return any(kind.grid is not None for kind in self.c.model.kinds.values())

    def _beside(
        self, of: m.Expr, binder: t.Word, scope: Scope, by: tuple[str, ...]
    ) -> Found | None:
        kind = self._grid_of(of)
        if kind is None or kind.grid is None:
            return None
        self.c.use(kind)
        sides, corners = (word in by for word in _BY)
        members = (of.value,) if isinstance(of, m.Const) else range(len(kind))
        numbers = [len(kind.grid.beside(x, sides=sides, corners=corners)) for x in members]
        local = self.c.new_local(binder, KindType(kind), scope)
        return m.Beside(kind, of, sides, corners), local, (min(numbers), max(numbers))

    # ---------------------------------------------------------------- lines

    def lines(self, node: t.LinesDomain, binder: t.Word, scope: Scope) -> Found | None:
        """`lines of 4 in Cell`, `lines of 4 through c`."""
        length, through = self._length(node.length, scope), None
        if node.grid is not None:
            kind = self._grid_named(node.grid)
        else:
            assert node.through is not None
            through = self.expr(node.through, scope)
            kind = None if through is None else self._grid_of(through)
        if length is None or kind is None or kind.grid is None:
            return None
        assert isinstance(length.type, IntType)
        low, high = length.type.low, min(length.type.high, max(kind.grid.rows, kind.grid.columns))
        if high < low:
            note = f"no line in {kind.name} is so long"
            self.c.add("empty-range", node.length.span, note)
            return None
        self.c.use(kind)
        numbers = (len(kind.grid.lines(high)), len(kind.grid.lines(low)))
        if through is not None:
            here = range(len(kind))
            if isinstance(through, m.Const):
                here = range(through.value, through.value + 1)
            least, most = (kind.grid.lines_through(n) for n in (high, low))
            numbers = min(len(least[x]) for x in here), max(len(most[x]) for x in here)
        if length.type.high > high:
            numbers = 0, numbers[1]
        local = self.c.new_local(binder, LineType(kind, high), scope)
        return m.LinesOf(kind, length, through), local, numbers

    def _length(self, node: t.Expr, scope: Scope) -> m.Expr | None:
        length = self.expr(node, scope)
        if length is None:
            return None
        if not isinstance(length.type, IntType):
            self.c.wrong_type(length.span, length.type, "a number")
        elif not is_known(length):
            note = "how long a line is must be known before the game: a number or an option"
            self.c.add("not-constant", length.span, note)
        elif length.type.low < 2:
            self.c.add("out-of-range", length.span, "a line has two members or more")
        else:
            return length
        return None

    def line_members(self, line: m.Local, binder: t.Word, scope: Scope) -> Found:
        """`c in line`."""
        assert isinstance(line.type, LineType)
        self.c.use(line)
        local = self.c.new_local(binder, KindType(line.type.kind), scope)
        return m.InLine(line), local, (2, line.type.most)

    # ---------------------------------------------------------------- which grid

    def _grid_named(self, word: t.Word) -> m.Kind | None:
        kind = self.c.model.kinds.get(word.text)
        if kind is not None and kind.grid is not None:
            return kind
        if kind is not None or word.text in self.c.ranges:
            self.c.add("wrong-type", word.span, f"{word.text} is no grid")
            return None
        known = [name for name, one in self.c.model.kinds.items() if one.grid is not None]
        self.c.missing(word.span, word.text, known, f"there is no grid of the name {word.text}")
        return None

    def _grid_of(self, of: m.Expr) -> m.Kind | None:
        """The grid in which a member stands; told where there is none."""
        if _is_in_grid(of.type):
            assert isinstance(of.type, KindType)
            return of.type.kind
        if _is_in_grid(_certain(of.type)):
            self.c.may_be_none(of)
        else:
            self.c.wrong_type(of.span, of.type, "a member of a grid")
        return None


def _certain(type_: Type) -> Type:
    """A type without `none`."""
    return type_.inner if isinstance(type_, MaybeType) else type_


def _is_in_grid(type_: Type) -> bool:
    return isinstance(type_, KindType) and type_.kind.grid is not None
