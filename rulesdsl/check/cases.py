"""`depending on`: each value has one case."""

from __future__ import annotations

from abc import ABC, abstractmethod

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.context import Context, in_words, spelled
from rulesdsl.check.datatypes import (
    NONE,
    BoolType,
    IntType,
    KindType,
    MaybeType,
    PlayerType,
    Type,
)
from rulesdsl.check.expressions import Expressions
from rulesdsl.check.scopes import Scope
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Second

_MOST_VALUES = 10_000


@define(eq=False, slots=False)
class Cases(ABC):
    """The part of the checker that knows cases."""

    c: Context
    e: Expressions

    @abstractmethod
    def body(self, node: t.Body, scope: Scope) -> m.Body: ...

    def depending(self, node: t.Depending, scope: Scope) -> m.Step | None:
        """`depending on e:` with the cases below it."""
        value = self.e.expr(node.value, scope)
        if value is None or self._too_many(value):
            for case in node.cases:
                self.body(case.body, scope)
            return None
        cases: list[m.Case] = []
        taken: dict[int, t.Case] = {}
        rest: t.Case | None = None
        for case in node.cases:
            values = None if case.key.is_else else self._values(case.key, value.type)
            body = self.body(case.body, self._known(value, case.key, values, taken, scope))
            if case.key.is_else:
                rest = self._only_rest(case, rest)
            elif values is None:
                continue
            else:
                self._take(case, values, taken, value.type)
            cases.append(m.Case(case.span, values, body))
        self._complete(node, value.type, taken, rest)
        return m.DependingStep(node.span, value, tuple(cases))

    def _too_many(self, value: m.Expr) -> bool:
        type_ = value.type
        if isinstance(type_, IntType) and type_.high - type_.low < _MOST_VALUES:
            return False
        if isinstance(type_, (BoolType, KindType, PlayerType, MaybeType)):
            return False
        self.c.wrong_type(value.span, type_, f"a value with at most {_MOST_VALUES:,} cases")
        return True

    def _only_rest(self, case: t.Case, first: t.Case | None) -> t.Case:
        if first is not None:
            second = Second(first.key.span, "here already")
            self.c.add("case-twice", case.key.span, "there is an `else` already", second=second)
        return first or case

    def _take(
        self, case: t.Case, values: tuple[int, int], taken: dict[int, t.Case], type_: Type
    ) -> None:
        every = range(values[0], values[1] + 1)
        twice = [value for value in every if value in taken]
        if twice:
            second = Second(taken[twice[0]].key.span, "here already")
            note = f"{case.key.span.text} has a case already"
            if len(every) > 1:
                words = _words(type_.inner if isinstance(type_, MaybeType) else type_, self.c.model)
                note = f"{words[twice[0]] if words else twice[0]} has a case already"
            self.c.add("case-twice", case.key.span, note, second=second)
        taken.update(dict.fromkeys(every, case))

    def _values(self, key: t.RowKey, type_: Type) -> tuple[int, int] | None:
        """The values of a case; None (and a problem) where they are none of the type."""
        if key.kind is not None:
            return self._any(key.kind, type_)
        if key.word is not None:
            value = self._word(key.word, type_)
            if value is not None:
                return value, value
            known = _words(type_, self.c.model)
            if known:
                note = f"{key.word} is no value of {spelled(type_)}"
                self.c.missing(key.span, key.word, known, note)
            else:
                self.c.add("wrong-type", key.span, f"{in_words(type_)} is wanted here")
            return None
        inner = type_.inner if isinstance(type_, MaybeType) else type_
        if not isinstance(inner, IntType) or key.low is None:
            note = f"a number is no value of {spelled(type_)}"
            self.c.add("wrong-type", key.span, note)
            return None
        high = inner.high if key.open else (key.low if key.high is None else key.high)
        if key.low < inner.low or high > inner.high or high < key.low:
            note = f"what is looked at is {spelled(inner)}, so this never holds"
            self.c.add("never-true", key.span, note)
            return None
        return key.low, high

    def _any(self, word: t.Word, type_: Type) -> tuple[int, int] | None:
        """The members of a kind that the kind of the value includes."""
        inner = type_.inner if isinstance(type_, MaybeType) else type_
        if not isinstance(inner, KindType):
            self.c.add("wrong-type", word.span, f"{in_words(type_)} is no member of a kind")
            return None
        found = self.e.part_of(word, inner.kind)
        return None if found is None else (found[1], found[1] + len(found[0]) - 1)

    def _word(self, word: str, type_: Type) -> int | None:
        if isinstance(type_, MaybeType):
            return NONE if word == "none" else self._word(word, type_.inner)
        known = _words(type_, self.c.model)
        return known.index(word) if word in known else None

    def _complete(
        self, node: t.Depending, type_: Type, taken: dict[int, t.Case], rest: t.Case | None
    ) -> None:
        """Every value has a case, and `else` has a value."""
        inner = type_.inner if isinstance(type_, MaybeType) else type_
        words = _words(inner, self.c.model)
        every = range(len(words))
        if isinstance(inner, IntType):
            every = range(inner.low, inner.high + 1)
        missing = [words[value] if words else str(value) for value in every if value not in taken]
        if isinstance(type_, MaybeType) and NONE not in taken:
            missing.insert(0, "none")
        if missing and rest is None:
            note = "there is no case for " + ", ".join(missing[:5])
            more = ", ..." if len(missing) > 5 else ""
            help_ = f"`{missing[0]}: nothing`, or `else: ...` for the rest"
            self.c.add("case-gap", node.value.span, note + more, help=help_)
        if not missing and rest is not None:
            self.c.add("never-reached", rest.key.span, "each value has its case already")

    def _known(
        self,
        value: m.Expr,
        key: t.RowKey,
        values: tuple[int, int] | None,
        taken: dict[int, t.Case],
        scope: Scope,
    ) -> Scope:
        """What a case tells about a name that it looks at."""
        local = m.name_read(value)
        if local is None:
            return scope
        inner = scope.child()
        known = value.type
        if isinstance(known, MaybeType) and (
            NONE in taken if values is None else values[0] != NONE
        ):
            inner.narrowed[id(local)] = known.inner
        if isinstance(known, IntType) and values is not None:
            inner.narrowed[id(local)] = IntType(*values)
        if key.kind is not None and values is not None:
            inner.narrowed[id(local)] = KindType(self.c.model.kinds[key.kind.text])
        return inner


def _words(type_: Type, model: m.Model) -> list[str]:
    """The values of a type that are words, in their order."""
    match type_:
        case KindType(kind):
            return list(kind.members)
        case BoolType():
            return ["false", "true"]
        case PlayerType():
            return list(model.seat_names)
        case MaybeType(inner):
            return ["none", *_words(inner, model)]
        case _:
            return []
