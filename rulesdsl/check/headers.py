"""Headers: conditions, loops, turns, acting together, awards, choices, cases."""

from __future__ import annotations

from typing import assert_never

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.cases import Cases
from rulesdsl.check.choices import Choices
from rulesdsl.check.context import PLAYER, Context, replaced
from rulesdsl.check.datatypes import IntType
from rulesdsl.check.expressions import Expressions
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
class Headers(Choices, Cases):
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
                return self._named(node, scope)
            case t.Chooses():
                return self.chooses(node, scope)
            case t.Depending():
                return self.depending(node, scope)
            case _:
                assert_never(node)

    def _named(self, node: t.Named, scope: Scope) -> m.Step | None:
        first = self.c.step_names.setdefault(node.name.text, node.name.span)
        if first != node.name.span:
            note = f"there is a step {node.name.text} already"
            second = Second(first, "here already")
            self.c.add("duplicate-name", node.name.span, note, second=second)
        return m.NamedStep(node.span, node.name.text, self.body(node.body, scope))

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
        if seats:
            inner.turns = 0 if chooser is not None else 1
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
        if isinstance(domain, (m.RunsOf, m.LinesOf)):
            what = "runs" if isinstance(domain, m.RunsOf) else "lines"
            self.c.add("runs-loop", node.domain.span, f"{what} are for sums and counts only")
            return False
        if isinstance(domain, m.SubbagDomain):
            self.c.add(
                "not-a-domain", node.domain.span, "`any ... of` is for the parameters of an option"
            )
            return False
        if isinstance(domain, m.ComponentsOf) and domain.place.zone.shape is m.Shape.DECK:
            note = f"{domain.place.zone.name} is a deck: nobody knows its order"
            self.c.add("deck-order", node.domain.span, note)
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
        body = self.body(node.body, inner if where is None else narrow(where, inner))
        if not ok or not fine or (node.start is not None and start is None):
            return None
        return m.TurnsStep(node.span, local, start, where, until, node.seen, body)

    def _while(self, node: t.While, scope: Scope) -> m.Step | None:
        condition = self.e.condition(node.condition, scope)
        bound = self.e.number(node.bound, scope)
        self.check_bound(bound)
        inner = scope.child() if condition is None else narrow(condition, scope)
        inner.loops = scope.loops + 1
        body = self.body(node.body, inner)
        if condition is None or bound is None:
            return None
        return m.WhileStep(node.span, condition, bound, node.strict, node.seen, body)

    def _repeat(self, node: t.Repeat, scope: Scope) -> m.Step | None:
        count = self.e.number(node.count, scope)
        self.check_bound(count)
        inner = scope.child()
        inner.loops += 1
        body = self.body(node.body, inner)
        return None if count is None else m.RepeatStep(node.span, count, node.longest, body)

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

    # ---------------------------------------------------------------- together, awards

    def _together(self, node: t.Together, scope: Scope) -> m.Step | None:
        inner = scope.child()
        found = self.e.domain(node.domain, node.binder, inner)
        if found is None:
            self.c.bind_unknown(node.binder, inner)
            self.body(node.body, inner)
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
        body = self.body(node.body, inner if where is None else narrow(where, inner))
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
        if not self.c.is_one_each(scalar, node.field.span):
            return None
        inner = scope.child()
        found = self.e.domain(node.domain, node.binder, inner)
        if found is None:
            self.c.bind_unknown(node.binder, inner)
        elif found[0] != m.SeatsDomain(None, False, False):
            note = "prizes go to players, and who is best is told by their rank"
            help_ = replaced(node.domain.span, "players")
            self.c.add("not-a-domain", node.domain.span, note, help=help_)
            return None
        where, ok = self._optional(node.where, inner)
        narrowed = inner if where is None else narrow(where, inner)
        by = [self.e.number(key, narrowed) for key in node.by]
        prizes = [self.e.number(prize, scope) for prize in node.prizes]
        if found is None or not ok or None in by or None in prizes:
            return None
        return m.AwardStep(
            node.span,
            scalar,
            found[1],
            where,
            tuple(key for key in by if key is not None),
            tuple(prize for prize in prizes if prize is not None),
            _TIES[node.ties],
            node.seen,
        )
