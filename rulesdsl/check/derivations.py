"""Kinds derived from others: those that join their members, are made of them, or include them."""

from __future__ import annotations

from itertools import product
from math import prod
from string import ascii_lowercase

from attrs import frozen

from rulesdsl.check import model as m
from rulesdsl.check.context import Context
from rulesdsl.check.datatypes import IntType, KindType, Type
from rulesdsl.check.geometry import Grid
from rulesdsl.check.intervals import size_of
from rulesdsl.check.joins import declare_joins, kind_with_members
from rulesdsl.check.types import Types
from rulesdsl.check.written import names_in
from rulesdsl.syntax import tree as t
from rulesdsl.text.limits import JOINING
from rulesdsl.text.problems import Second
from rulesdsl.text.source import Span


def is_derived(decl: t.KindDecl) -> bool:
    return bool(decl.joins or decl.made or decl.grid or decl.includes)


@frozen
class Derivations:
    """Declares derived kinds, those first from which others are derived."""

    c: Context
    types: Types

    def declare(self, decls: list[t.KindDecl]) -> None:
        waiting = decls
        while waiting:
            names = {decl.name.text for decl in waiting}
            later = [decl for decl in waiting if any(w.text in names for w in _from(decl))]
            if len(later) == len(waiting):
                self._round(waiting, names)
                return
            for decl in waiting:
                if decl not in later:
                    self._declare(decl)
            waiting = later

    def _round(self, decls: list[t.KindDecl], names: set[str]) -> None:
        """Tell of kinds that are derived from themselves."""
        for decl in decls:
            what = "the members of a kind cannot join its own"
            if decl.made is not None or decl.grid is not None:
                what = "a kind cannot be made of itself"
            elif decl.includes:
                what = "a kind cannot include itself"
            word = next(word for word in _from(decl) if word.text in names)
            self.c.add("recursion", word.span, f"{what}, not even by way of others")
        self.c.broken.update(names)

    def _declare(self, decl: t.KindDecl) -> None:
        self.c.within("kind", decl.name.text, decl.cites)
        if decl.joins is not None:
            declare_joins(self.c, decl)
        elif decl.made is not None:
            self._made(decl, decl.made)
        elif decl.grid is not None:
            self._grid(decl, decl.grid)
        else:
            self._including(decl)
        if decl.name.text not in self.c.broken:
            self.c.model.kinds[decl.name.text].ring = decl.ring

    # ---------------------------------------------------------------- made of parts

    def _made(self, decl: t.KindDecl, made: t.MadeOf) -> None:
        parts = [(word, self._part(node)) for word, node in made.parts]
        types = [type_ for _, type_ in parts if type_ is not None]
        self._twice([word for word, _ in parts])
        if not parts or len(types) < len(parts) or not self._fits(made, types):
            self.c.broken.update((decl.name.text, *(word.text for word, _ in parts)))
            return
        rows = list(product(*map(_values, types)))
        members = tuple("_".join(name for name, _ in row) for row in rows)
        self._of_parts(decl, [word for word, _ in parts], types, members, None)

    def _of_parts(
        self,
        decl: t.KindDecl,
        words: list[t.Word],
        types: list[Type],
        members: tuple[str, ...],
        grid: Grid | None,
    ) -> None:
        """Declare a kind that has a column for each part."""
        rows = list(product(*map(_values, types)))
        columns = tuple(
            m.Column(word.text, type_, tuple(row[i][1] for row in rows))
            for i, (word, type_) in enumerate(zip(words, types, strict=True))
        )
        for word in words:
            self.c.fields.setdefault(word.text, word.span)
        if not self._are_free(members, words[0].span):
            self.c.broken.add(decl.name.text)
            return
        own = {column.name: column for column in columns}
        self.c.model.kinds[decl.name.text] = m.Kind(
            decl.name.text,
            members,
            decl.name.span,
            own,
            decl.cites,
            made=columns,
            grid=grid,
        )

    def _part(self, node: t.TypeExpr) -> Type | None:
        type_ = self.types.type(node)
        if type_ is None or isinstance(type_, KindType):
            return type_
        if isinstance(type_, IntType) and type_.low >= 0:
            return type_
        note = "a part is a kind, or a range of numbers from 0 on"
        self.c.add("wrong-type", node.span, note)
        return None

    def _fits(self, made: t.MadeOf, types: list[Type]) -> bool:
        """Whether the members can be named, and are not too many."""
        if not isinstance(types[0], KindType):
            note = "the first part is a kind: a name does not begin with a number"
            self.c.add("wrong-type", made.parts[0][0].span, note)
            return False
        number = prod(size_of(type_, 0) for type_ in types)
        if number > JOINING:
            note = f"this kind has {number:,} members; there may be {JOINING:,} here"
            self.c.add("kind-size", made.parts[0][0].span, note)
        return number <= JOINING

    def _are_free(self, members: tuple[str, ...], span: Span) -> bool:
        """Whether no name is that of two members, or of something else."""
        for name in members:
            if name in self.c.spans:
                self.c.taken(t.Word(span, name), self.c.spans[name])
            self.c.fields.setdefault(name, span)
        twice = sorted(name for name in set(members) if members.count(name) > 1)
        for name in twice[:1]:
            note = f"two members of this kind would be called {name}"
            self.c.add("duplicate-name", span, note)
        return not twice

    def _twice(self, words: list[t.Word]) -> None:
        for i, word in enumerate(words):
            if any(word.text == other.text for other in words[:i]):
                self.c.add("duplicate-name", word.span, f"the part {word.text} stands here twice")

    # ---------------------------------------------------------------- grids

    def _grid(self, decl: t.KindDecl, grid: t.GridOf) -> None:
        """Rows and columns; members are called like the squares of a chessboard: `a1`, `b1`."""
        rows, columns = self._side(grid.rows), self._side(grid.columns)
        if rows is None or columns is None or not self._fits_grid(grid, rows, columns):
            self.c.broken.add(decl.name.text)
            return
        across = [name for name, _ in _values(columns)]
        if isinstance(columns, IntType):
            across = list(ascii_lowercase[: columns.high])
        join = "_" if isinstance(rows, KindType) else ""
        members = tuple(f"{x}{join}{y}" for y, _ in _values(rows) for x in across)
        words = [t.Word(grid.span, "row"), t.Word(grid.span, "column")]
        size = Grid(size_of(rows, 0), size_of(columns, 0))
        self._of_parts(decl, words, [rows, columns], members, size)

    def _side(self, side: t.Int | t.Word) -> IntType | KindType | None:
        if isinstance(side, t.Int):
            type_: Type | None = IntType(1, side.value)
        elif side.text in self.c.later:
            note = "a grid is of one size in all games: give a number, or make a variant"
            self.c.add("not-constant", side.span, note)
            return None
        else:
            type_ = self.types.type(t.NamedType(side.span, side.text))
        if isinstance(type_, KindType) or (isinstance(type_, IntType) and type_.low == 1):
            return type_
        if type_ is not None:
            note = "a side of a grid is a number, a kind, or a range of numbers from 1 on"
            self.c.add("wrong-type", side.span, note)
        return None

    def _fits_grid(self, grid: t.GridOf, rows: Type, columns: Type) -> bool:
        """Whether there are members, not too many, with letters for their columns."""
        number = size_of(rows, 0) * size_of(columns, 0)
        if not 0 < number <= JOINING:
            note = f"this grid has {number:,} members; there may be 1 to {JOINING:,}"
        elif isinstance(columns, IntType) and columns.high > len(ascii_lowercase):
            note = "columns are called a to z; more than 26 are a kind with names of their own"
        else:
            return True
        self.c.add("kind-size", grid.span, note)
        return False

    # ---------------------------------------------------------------- members of others

    def _including(self, decl: t.KindDecl) -> None:
        """The members of the included kinds in their order, then its own."""
        found = [kind_with_members(self.c, word, "included") for word in decl.includes]
        kinds = [kind for kind in found if kind is not None]
        members: dict[str, t.Word] = {}
        for word, kind in zip(decl.includes, found, strict=True):
            for member in () if kind is None else kind.members:
                self._add(t.Word(word.span, member), word, members)
        for word, _ in decl.rows:
            self.c.fields.setdefault(word.text, word.span)
            if word.text in self.c.spans:
                self.c.taken(word, self.c.spans[word.text])
            self._add(word, word, members)
        if len(kinds) < len(found):
            self.c.broken.update((decl.name.text, *(word.text for word, _ in decl.rows)))
            return
        self.c.model.kinds[decl.name.text] = m.Kind(
            decl.name.text, tuple(members), decl.name.span, {}, decl.cites, includes=tuple(kinds)
        )

    def _add(self, member: t.Word, at: t.Word, members: dict[str, t.Word]) -> None:
        if member.text in members:
            note = f"this kind has a member {member.text} already"
            second = Second(members[member.text].span, "from here")
            self.c.add("duplicate-name", at.span, note, second=second)
        members.setdefault(member.text, at)


def _from(decl: t.KindDecl) -> list[t.Word]:
    """The kinds from which one is derived."""
    if decl.joins is not None:
        return [decl.joins.kind]
    if decl.made is not None:
        return [t.Word(node.span, n) for _, node in decl.made.parts for n in names_in(node)]
    if decl.grid is not None:
        return [side for side in (decl.grid.rows, decl.grid.columns) if isinstance(side, t.Word)]
    return list(decl.includes)


def _values(type_: Type) -> list[tuple[str, int]]:
    """The values of a part, each as it stands in the names of members."""
    if isinstance(type_, KindType):
        return [(name, value) for value, name in enumerate(type_.kind.members)]
    assert isinstance(type_, IntType)
    return [(str(value), value) for value in range(type_.low, type_.high + 1)]
