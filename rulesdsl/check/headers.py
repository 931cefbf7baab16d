"""Headers: conditions, loops, turns, acting together, awards, choices, cases."""

from __future__ import annotations

from typing import assert_never

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.choices import Choices
from rulesdsl.check.context import PLAYER, Context, replaced
from rulesdsl.check.datatypes import BoolType, IntType, KindType, Type
from rulesdsl.check.expressions import Expressions
from rulesdsl.check.intervals import size_of
from rulesdsl.check.narrowing import narrow
from rulesdsl.check.scopes import Scope
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Second

_TIES = {
    "split rounded down": m.Ties.SPLIT_DOWN,
    "split rounded up": m.Ties.SPLIT_UP,
    "each gets the prize, places are used up": m.Ties.USED_UP,
    "each gets the prize, none is skipped": m.Ties.NONE_SKIPPED,
}


@define(eq=False, slots=False)
class Headers(Choices):
    """The part of the checker that knows steps with bodies."""

    c: Context
    e: Expressions

    def header(
        self,
        node: t.For
        | t.Turns
        | t.IfStep
        | t.While
        | t.Repeat
        | t.Together
        | t.Secretly
        | t.Award
        | t.Named
        | t.Chooses
        | t.Depending,
        scope: Scope,
    ) -> m.Step | None:
        match node:
            case t.For():
                return self._for(node, scope)
            case t.Turns():
                return self._turns(node, scope)
            case t.IfStep():
                return self._if(node, scope)
            case t.While():
                return self._while(node, scope)
            case t.Repeat():
                return self._repeat(node, scope)
            case t.Together():
                return self._together(node, scope)
            case t.Secretly():
                return self._secretly(node, scope)
            case t.Award():
                return self._award(node, scope)
            case t.Named():
                return m.NamedStep(node.span, node.name.text, self.body(node.body, scope))
            case t.Chooses():
                return self.chooses(node, scope)
            case t.Depending():
                return self._depending(node, scope)
            case _:
                assert_never(node)

    def _optional(self, node: t.Expr | None, scope: Scope) -> tuple[m.Expr | None, bool]:
        """A condition that may be absent, and whether all is well."""
        if node is None:
            return None, True
        condition = self.e.condition(node, scope)
        return condition, condition is not None

    # ---------------------------------------------------------------- loops

    def _for(self, node: t.For, scope: Scope) -> m.Step | None:
        inner = scope.child()
        chooser = None
        if node.chooser is not None:
            chooser = self.e.player(node.chooser, scope)
        found = self.e.domain(node.domain, node.binder, inner)
        if found is None:
            self.c.bind_unknown(node.binder, inner)
            self.body(node.body, inner)
            return None
        domain, local, _ = found
        if not self._loopable(node, domain, local):
            return None
        where, ok = self._optional(node.where, inner)
        until, fine = self._optional(node.until, inner)
        seats = isinstance(domain, m.SeatsDomain)
        inner.loops += 1
        inner.turns = 1 if seats and chooser is None else 0
        body_scope = inner if where is None else self._inside(where, inner)
        body = self.body(node.body, body_scope)
        if not ok or not fine or (node.chooser is not None and chooser is None):
            return None
        if until is not None and not seats:
            self.c.add(
                "until-without-seats", until.span, "`until` stands in loops over players and turns"
            )
            return None
        return m.ForStep(node.span, local, domain, where, until, chooser, node.seen, body)

    def _inside(self, where: m.Expr, scope: Scope) -> Scope:
        inner = narrow(where, scope)
        inner.loops, inner.turns = scope.loops, scope.turns
        return inner

    def _loopable(self, node: t.For, domain: m.Domain, local: m.Local) -> bool:
        """Loops run over what keeps its order while the loop runs."""
        if isinstance(domain, m.RunsOf):
            self.c.add("runs-loop", node.domain.span, "runs are for sums and counts only")
            return False
        if isinstance(domain, m.SubbagDomain):
            self.c.add(
                "not-a-domain", node.domain.span, "`any ... of` is for the parameters of an option"
            )
            return False
        if isinstance(domain, m.ComponentsOf) and domain.place.zone.shape is not m.Shape.PILE:
            text = node.domain.span.text
            self.c.add(
                "bag-loop",
                node.domain.span,
                "the components of a bag have no order to go through",
                help=replaced(node.domain.span, f"kinds of {text}"),
            )
            return False
        return True

    def _turns(self, node: t.Turns, scope: Scope) -> m.Step | None:
        start = None
        if node.start is not None:
            start = self.e.player(node.start, scope)
        inner = scope.child()
        local = self.c.new_local(node.binder, PLAYER, inner)
        where, ok = self._optional(node.where, inner)
        until, fine = self._optional(node.until, scope)
        inner.loops += 1
        inner.turns = 2
        body = self.body(node.body, inner)
        if not ok or not fine or (node.start is not None and start is None):
            return None
        return m.TurnsStep(node.span, local, start, where, until, node.seen, body)

    def _while(self, node: t.While, scope: Scope) -> m.Step | None:
        condition = self.e.condition(node.condition, scope)
        bound = self.e.number(node.bound, scope)
        inner = scope.child() if condition is None else narrow(condition, scope)
        inner.loops = scope.loops + 1
        inner.turns = 0
        body = self.body(node.body, inner)
        if condition is None or bound is None:
            return None
        return m.WhileStep(node.span, condition, bound, node.strict, node.seen, body)

    def _repeat(self, node: t.Repeat, scope: Scope) -> m.Step | None:
        count = self.e.number(node.count, scope)
        inner = scope.child()
        inner.loops += 1
        inner.turns = 0
        body = self.body(node.body, inner)
        return None if count is None else m.RepeatStep(node.span, count, body)

    # ---------------------------------------------------------------- conditions

    def _if(self, node: t.IfStep, scope: Scope) -> m.Step | None:
        branches: list[m.Branch] = []
        whole = True
        rest = scope
        for branch in node.branches:
            condition, ok = self._optional(branch.condition, rest)
            whole = whole and ok
            inner = rest if condition is None else narrow(condition, rest)
            body = self.body(branch.body, inner)
            if condition is not None:
                rest = narrow(condition, rest, holds=False)
            branches.append(m.Branch(branch.span, condition, branch.seen, body))
        return m.IfStep(node.span, tuple(branches)) if whole else None

    def _depending(self, node: t.Depending, scope: Scope) -> m.Step | None:
        value = self.e.expr(node.value, scope)
        cases: list[m.Case] = []
        taken: dict[int, t.Case] = {}
        rest = False
        for case in node.cases:
            body = self.body(case.body, scope)
            if value is None:
                continue
            if case.key.is_else:
                rest = True
                cases.append(m.Case(case.span, None, body))
                continue
            values = self._case_values(case.key, value.type)
            if values is None:
                continue
            for number in range(values[0], min(values[1], values[0] + 1000) + 1):
                if number in taken:
                    self.c.add(
                        "case-twice",
                        case.key.span,
                        "this case stands here twice",
                        second=Second(taken[number].key.span, "here already"),
                    )
                    break
                taken[number] = case
            cases.append(m.Case(case.span, values, body))
        if value is None:
            return None
        if not rest:
            self._all_cases(node, value.type, taken)
        return m.DependingStep(node.span, value, tuple(cases))

    def _case_values(self, key: t.RowKey, type_: Type) -> tuple[int, int] | None:
        if key.word is not None:
            if isinstance(type_, KindType) and key.word in type_.kind.members:
                number = type_.kind.members.index(key.word)
                return number, number
            if isinstance(type_, BoolType) and key.word in ("true", "false"):
                return (1, 1) if key.word == "true" else (0, 0)
            members = type_.kind.members if isinstance(type_, KindType) else ()
            self.c.missing(key.span, key.word, members, f"{key.word} is no value of {type_}")
            return None
        if not isinstance(type_, IntType):
            self.c.add("wrong-type", key.span, f"a number is no value of {type_}")
            return None
        assert key.low is not None
        high = type_.high if key.open else (key.low if key.high is None else key.high)
        return key.low, high

    def _all_cases(self, node: t.Depending, type_: Type, taken: dict[int, t.Case]) -> None:
        """Every value has a case."""
        if isinstance(type_, KindType):
            missing = [m_ for i, m_ in enumerate(type_.kind.members) if i not in taken]
        elif isinstance(type_, IntType) and size_of(type_, 0) <= 1000:
            missing = [str(i) for i in range(type_.low, type_.high + 1) if i not in taken]
        else:
            missing = ["else"] if not isinstance(type_, BoolType) or len(taken) < 2 else []
        if missing:
            self.c.add(
                "case-gap",
                node.span,
                "there is no case for " + ", ".join(missing[:5]),
                help=f"{missing[0]}: nothing",
            )

    # ---------------------------------------------------------------- together, awards

    def _together(self, node: t.Together, scope: Scope) -> m.Step | None:
        inner = scope.child()
        found = self.e.domain(node.domain, node.binder, inner)
        if found is None:
            return None
        domain, local, _ = found
        if domain != m.SeatsDomain(None, False, False):
            self.c.add(
                "together-order",
                node.domain.span,
                "all act at the same time: there is no order among them",
                help=replaced(node.domain.span, "players"),
            )
            return None
        where, ok = self._optional(node.where, inner)
        inner.loops = inner.turns = 0
        body = self.body(node.body, inner)
        return m.TogetherStep(node.span, local, where, None, body) if ok else None

    def _secretly(self, node: t.Secretly, scope: Scope) -> m.Step | None:
        player = self.e.player(node.player, scope)
        if player is None:
            return None
        inner = scope.child()
        inner.loops = inner.turns = 0
        local = m.Local("the one", PLAYER, node.player.span)
        if isinstance(player, m.LocalRead):
            # inside, the name of the player is the one who acts: the same player
            local = m.Local(player.local.name, PLAYER, player.local.span)
            inner.names[player.local.name] = local
        body = self.body(node.body, inner)
        return m.TogetherStep(node.span, local, None, player, body)

    def _award(self, node: t.Award, scope: Scope) -> m.Step | None:
        scalar = self.c.scalar("player", node.field.text)
        if scalar is None or not isinstance(scalar.type, IntType):
            known = [name for section, name in self.c.model.scalars if section == "player"]
            self.c.missing(
                node.field.span,
                node.field.text,
                known,
                f"a player has no number of the name {node.field.text}",
            )
            return None
        inner = scope.child()
        found = self.e.domain(node.domain, node.binder, inner)
        if found is None:
            return None
        where, ok = self._optional(node.where, inner)
        by = self.e.number(node.by, inner)
        prizes = [self.e.number(prize, scope) for prize in node.prizes]
        if not ok or by is None or any(prize is None for prize in prizes):
            return None
        return m.AwardStep(
            node.span,
            scalar,
            found[1],
            where,
            by,
            tuple(prize for prize in prizes if prize is not None),
            _TIES[node.ties],
            node.seen,
        )
