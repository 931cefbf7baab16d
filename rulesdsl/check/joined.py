"""What kinds say that join the members of others: neighbors, what is between two, the ends."""

from __future__ import annotations

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.context import in_words, replaced
from rulesdsl.check.datatypes import NONE, IntType, KindType, Type
from rulesdsl.check.names import Names
from rulesdsl.check.scopes import Scope
from rulesdsl.syntax import tree as t


@define(eq=False, slots=False)
class Joined(Names):
    """The part of the checker that knows kinds that join others."""

    def neighbors(
        self, node: t.NeighborsDomain, binder: t.Word, scope: Scope
    ) -> tuple[m.Domain, m.Local, tuple[int, int]] | None:
        """`neighbors of p`, `neighbors(p by Route)`."""
        linking = [kind for kind in self.c.model.kinds.values() if kind.joins is not None]
        linking = [kind for kind in linking if kind.joins is not None and not kind.joins.every]
        only = linking[0] if len(linking) == 1 else None
        by = only if node.by is None else self._joining(node.by)
        if node.by is not None and by is None:
            return None
        joins = None if by is None else by.joins
        of = self.expr(node.of, scope, None if joins is None else KindType(joins.kind))
        if of is None:
            return None
        if by is None or (node.by is None and not _joins(by, of.type)):
            by = self._linking(node, of, [kind for kind in linking if _joins(kind, of.type)])
        if by is None or by.joins is None:
            return None
        found = self.c.fit(of, KindType(by.joins.kind))
        if found is None:
            return None
        of = found[0]
        self.c.use(by)
        local = self.c.new_local(binder, KindType(by.joins.kind), scope)
        members = range(len(by.joins.kind)) if not isinstance(of, m.Const) else (of.value,)
        degrees = [len(by.joins.neighbors(member)) for member in members]
        return m.NeighborsOf(by, of), local, (min(degrees), max(degrees))

    def _linking(self, node: t.NeighborsDomain, of: m.Expr, linking: list[m.Kind]) -> m.Kind | None:
        """The one kind that links those of the type of a value."""
        if len(linking) == 1:
            return linking[0]
        what = in_words(of.type)
        if not linking:
            note = f"this is {what}; no kind links it to others"
            self.c.add("not-a-domain", node.of.span, note)
            return None
        names = " and ".join(kind.name for kind in linking)
        note = f"{names} link {what} to others: say by which"
        help_ = replaced(node.span, f"neighbors({node.of.span.text} by {linking[0].name})")
        self.c.add("not-a-domain", node.span, note, help=help_)
        return None

    def _joining(self, word: t.Word) -> m.Kind | None:
        """A kind that joins others, by its name."""
        kinds = self.c.model.kinds
        kind = kinds.get(word.text)
        if kind is None and word.text not in self.c.ranges:
            known = [name for name, kind in kinds.items() if kind.joins is not None]
            note = f"there is no kind of the name {word.text}"
            self.c.missing(word.span, word.text, known, note)
            return None
        if kind is None or kind.joins is None:
            note = f"the members of {word.text} join no others"
            self.c.add("wrong-type", word.span, note)
            return None
        self.c.use(kind)
        return kind

    def between(self, node: t.Between, scope: Scope) -> m.Expr | None:
        """`Route between a and b`: worked out here where both are known."""
        kind = self._joining(node.kind)
        if kind is None or kind.joins is None:
            return None
        wanted = KindType(kind.joins.kind)
        left, right = self.value(node.left, scope, wanted), self.value(node.right, scope, wanted)
        if left is None or right is None:
            return None
        a, b = left[0], right[0]
        if not (isinstance(a, m.Const) and isinstance(b, m.Const)):
            return m.Between(node.span, KindType(kind), kind, a, b)
        member = kind.joins.between(a.value, b.value)
        if member == NONE:
            names = f"{wanted.kind.members[a.value]} and {wanted.kind.members[b.value]}"
            self.c.add("not-linked", node.span, f"no {kind.name} joins {names}")
            return None
        return m.Const(node.span, KindType(kind), member)

    def end_of(self, node: t.Index, of: m.Expr, joins: m.Joins, scope: Scope) -> m.Expr | None:
        """`pair[s]`: whether a member joins this one, as a number."""
        assert isinstance(of.type, KindType)
        if len(node.arguments) != 1:
            self.c.add("wrong-number", node.span, "one member is wanted in the brackets")
            return None
        end = self.value(node.arguments[0], scope, KindType(joins.kind))
        if end is None:
            return None
        return m.EndOf(node.span, IntType(0, 1), of.type.kind, of, end[0])


def _joins(kind: m.Kind, type_: Type) -> bool:
    """Whether a kind joins the values of a type."""
    return (
        kind.joins is not None and isinstance(type_, KindType) and kind.joins.kind.holds(type_.kind)
    )
