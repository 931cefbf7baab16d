"""What kinds say that are derived from others, and columns that hold bags."""

from __future__ import annotations

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.context import BOOL, in_words, replaced
from rulesdsl.check.datatypes import IntType, KindType, MaybeType, PlayerType
from rulesdsl.check.grids import Grids
from rulesdsl.check.scopes import Scope
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Second
from rulesdsl.text.source import Span


@define(eq=False, slots=False)
class Derived(Grids):
    """The part of the checker that knows members made of parts, rings, included kinds, bags."""

    def made(self, node: t.Call, kind: m.Kind, scope: Scope) -> m.Expr | None:
        """`Leg(gallia, 3)`: worked out here where all parts are known."""
        self.c.use(kind)
        if len(node.arguments) != len(kind.made):
            parts = ", ".join(column.name for column in kind.made)
            here = len(node.arguments)
            note = f"{kind.name} is made of {len(kind.made)} ({parts}), here are {here}"
            if not kind.made:
                note = f"{kind.name} is a kind that is not made of parts; a member has one name"
            second = Second(kind.span, "declared here")
            self.c.add("wrong-number", node.span, note, second=second)
            return None
        proved, arguments = True, list[m.Expr]()
        for argument, column in zip(node.arguments, kind.made, strict=True):
            found = self.value(argument, scope, column.type)
            if found is not None:
                arguments.append(found[0])
                proved = proved and found[1]
        if len(arguments) < len(kind.made):
            return None
        values = [argument.value for argument in arguments if isinstance(argument, m.Const)]
        if len(values) == len(arguments):
            rows = list(zip(*(column.values for column in kind.made), strict=True))
            return m.Const(node.span, KindType(kind), rows.index(tuple(values)))
        return m.Made(node.span, KindType(kind), kind, tuple(arguments), not proved)

    def turned(self, node: t.Call, of: m.Expr) -> m.Expr | None:
        """`next of s`, `previous of s`."""
        word, step = node.name.text, 1 if node.name.text == "next" else -1
        if isinstance(of.type, KindType) and of.type.kind.ring:
            kind = of.type.kind
            if isinstance(of, m.Const):
                return m.Const(node.span, of.type, (of.value + step) % len(kind))
            return m.Turned(node.span, of.type, kind, of, step)
        if isinstance(of.type, MaybeType) and isinstance(of.type.inner, KindType):
            self.c.may_be_none(of)
        elif isinstance(of.type, PlayerType):
            side = "left" if step == 1 else "right"
            note = f"the {word} player round the table is on the {side}"
            help_ = replaced(node.span, f"{side} of {of.span.text}")
            self.c.add("wrong-type", node.span, note, help=help_)
        elif isinstance(of.type, KindType):
            note = f"the members of {of.type.kind.name} do not stand in a ring"
            second = Second(of.type.kind.span, "`order: ring` would stand here")
            self.c.add("wrong-type", of.span, note, second=second)
        else:
            self.c.wrong_type(of.span, of.type, "a member of a kind that is a ring")
        return None

    # ---------------------------------------------------------------- included kinds

    def is_a(self, node: t.IsA, scope: Scope) -> m.Expr | None:
        """`b is a Resource`."""
        value = self.expr(node.value, scope)
        if value is None:
            return None
        inner = value.type.inner if isinstance(value.type, MaybeType) else value.type
        found = self.part_of(node.kind, inner.kind if isinstance(inner, KindType) else None)
        if not isinstance(inner, KindType):
            self.c.wrong_type(value.span, value.type, "a member of a kind")
            return None
        if found is None:
            return None
        kind, low = found
        if kind is inner.kind and inner is value.type:
            note = f"this is always {in_words(value.type)}"
            self.c.add("never-true", node.span, f"{note}, so nothing depends on it")
            return None
        return m.IsA(node.span, BOOL, value, kind, low, low + len(kind) - 1)

    def part_of(self, word: t.Word, whole: m.Kind | None) -> tuple[m.Kind, int] | None:
        """A kind that another includes, and where its members begin among those of the other."""
        kind = self.c.model.kinds.get(word.text)
        if kind is None:
            note = f"there is no kind of the name {word.text}"
            self.c.missing(word.span, word.text, self.c.model.kinds, note)
            return None
        self.c.use(kind)
        if whole is None or kind is whole:
            return kind, 0
        start = whole.start_of(kind)
        if start is None:
            note = f"{whole.name} does not include {kind.name}, so this never holds"
            second = Second(whole.span, "declared here")
            self.c.add("never-true", word.span, note, second=second)
            return None
        return kind, start

    # ---------------------------------------------------------------- bags in columns

    def bag_sizes(self, bag: m.Bag, distinct: bool = False) -> tuple[int, int]:
        """How many there can be in a bag, or how many different ones."""
        sizes = [
            sum(1 if distinct else number for number in counts if number)
            for counts in self._rows(bag)
        ]
        return min(sizes), max(sizes)

    def bag_size(self, span: Span, bag: m.Bag) -> m.Expr:
        """`size of tile.gives`."""
        low, high = self.bag_sizes(bag)
        if isinstance(bag.of, m.Const):
            return m.Const(span, IntType(low, high), low)
        return m.BagSize(span, IntType(low, high), bag)

    def bag_count(self, span: Span, bag: m.Bag, member: m.Expr) -> m.Expr:
        """`tile.gives[wood]`."""
        members = range(len(bag.column.kind))
        if isinstance(member, m.Const):
            members = range(member.value, member.value + 1)
        counts = [row[x] for row in self._rows(bag) for x in members]
        type_ = IntType(min(counts), max(counts))
        if isinstance(bag.of, m.Const) and isinstance(member, m.Const):
            return m.Const(span, type_, counts[0])
        return m.BagCount(span, type_, bag, member)

    @staticmethod
    def _rows(bag: m.Bag) -> tuple[tuple[int, ...], ...]:
        if isinstance(bag.of, m.Const):
            return (bag.column.counts[bag.of.value],)
        return bag.column.counts
