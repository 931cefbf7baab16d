"""Kinds whose members join two members of another kind: those linked, or every two."""

from __future__ import annotations

from itertools import combinations

from attrs import define, field

from rulesdsl.check import model as m
from rulesdsl.check.context import Context
from rulesdsl.syntax import tree as t
from rulesdsl.text.limits import JOINED, JOINING
from rulesdsl.text.problems import Second
from rulesdsl.text.source import Span


def declare_joins(c: Context, decl: t.KindDecl) -> None:
    """Declare such a kind; the one that it joins is declared already."""
    assert decl.joins is not None
    word = decl.joins.kind
    joined = kind_with_members(c, word, "joined")
    ends = None if joined is None else _Ends(c, joined)
    if ends is not None and ends.fit(len(ends.kind), JOINED, word.span):
        if isinstance(decl.joins, t.Links):
            ends.linked(decl.joins)
        else:
            ends.every_two(word)
    if joined is None or ends is None or not ends.found:
        c.broken.add(decl.name.text)
        return
    joins = m.Joins(joined, tuple(ends.found), isinstance(decl.joins, t.EveryTwo))
    kind = m.Kind(decl.name.text, tuple(ends.names), decl.name.span, {}, decl.cites, joins)
    c.model.kinds[kind.name] = kind


def kind_with_members(c: Context, word: t.Word, how: str) -> m.Kind | None:
    """The kind whose members are joined, or included."""
    kind = c.model.kinds.get(word.text)
    if kind is not None:
        c.use(kind)
    elif word.text in c.ranges or word.text in c.later:
        note = f"{word.text} is no kind with members that could be {how}"
        c.add("wrong-type", word.span, note)
    else:
        note = f"there is no kind of the name {word.text}"
        c.missing(word.span, word.text, c.model.kinds, note)
    return kind


@define(eq=False)
class _Ends:
    """What the members of a kind join, with the name of each, found one after another."""

    c: Context
    kind: m.Kind
    found: dict[tuple[int, int], Span] = field(factory=dict)
    names: dict[str, Span] = field(factory=dict)

    def every_two(self, word: t.Word) -> None:
        number = len(self.kind)
        if number < 2:
            note = f"{self.kind.name} has {number} member: there are no two to join"
            self.c.add("kind-size", word.span, note)
        elif self.fit(number * (number - 1) // 2, JOINING, word.span):
            for a, b in combinations(range(number), 2):
                self._add(a, b, word.span)

    def linked(self, links: t.Links) -> None:
        if not self.fit(sum(len(others) for _, others in links.rows), JOINING, links.kind.span):
            return
        for word, others in links.rows:
            first = self._member(word)
            for other in others:
                second = self._member(other)
                if first is None or second is None:
                    self.c.broken.update((f"{word.text}_{other.text}", f"{other.text}_{word.text}"))
                elif first == second:
                    note = f"{other.text} cannot be linked to itself"
                    self.c.add("self-link", other.span, note)
                else:
                    self._link(first, second, other)

    def fit(self, number: int, most: int, span: Span) -> bool:
        """Whether there are not too many: members that are joined, or that join them."""
        if number > most:
            what = self.kind.name if most == JOINED else "this kind"
            note = f"{what} has {number:,} members; there may be {most:,} here"
            self.c.add("kind-size", span, note)
        return number <= most

    def _member(self, word: t.Word) -> int | None:
        if word.text in self.kind.members:
            return self.kind.members.index(word.text)
        note = f"{self.kind.name} has no member {word.text}"
        self.c.missing(word.span, word.text, self.kind.members, note)
        return None

    def _link(self, a: int, b: int, word: t.Word) -> None:
        already = self.found.get((a, b)) or self.found.get((b, a))
        if already is None:
            self._add(a, b, word.span)
            return
        one, two = self.kind.members[a], self.kind.members[b]
        note = f"{one} and {two} are linked already"
        self.c.add("duplicate-name", word.span, note, second=Second(already, "here"))

    def _add(self, a: int, b: int, span: Span) -> None:
        name = f"{self.kind.members[a]}_{self.kind.members[b]}"
        if name in self.names:
            note = f"two members of this kind would be called {name}"
            second = Second(self.names[name], "the other one")
            self.c.add("duplicate-name", span, note, second=second)
            return
        if name in self.c.spans:
            self.c.taken(t.Word(span, name), self.c.spans[name])
        self.found[a, b] = self.names[name] = span
        self.c.fields.setdefault(name, span)
