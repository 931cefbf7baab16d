"""Choices: who chooses, options, their parameters and conditions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import comb

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.context import Context
from rulesdsl.check.datatypes import IntType, LineType, RunType, SubbagType
from rulesdsl.check.expressions import Expressions
from rulesdsl.check.intervals import size_of
from rulesdsl.check.scopes import Scope
from rulesdsl.syntax import tree as t
from rulesdsl.text.limits import FAMILY_SIZE
from rulesdsl.text.problems import Second


@define(eq=False, slots=False)
class Choices(ABC):
    """The part of the checker that knows choices."""

    c: Context
    e: Expressions

    @abstractmethod
    def body(self, node: t.Body, scope: Scope) -> m.Body: ...

    def chooses(self, node: t.Chooses, scope: Scope) -> m.Step | None:
        player = self.e.player(node.player, scope)
        bound: m.Expr | None = None
        ok = player is not None
        if node.bound is not None:
            bound = self.e.number(node.bound, scope)
            ok = ok and bound is not None
        inner = scope.child()
        if node.bound is not None:
            inner.loops += 1
            self.check_bound(bound)
        if not node.options and not self.c.unread:
            self.c.add("no-options", node.player.span, "there is nothing to choose from")
            ok = False
        options: list[m.ChoiceOption] = []
        seen: dict[str, t.Option] = {}
        for option in node.options:
            if option.name.text in seen:
                self.c.add(
                    "duplicate-name",
                    option.name.span,
                    f"there is an option {option.name.text} already",
                    second=Second(seen[option.name.text].name.span, "here"),
                )
                continue
            if node.bound is not None and option.name.text == "done":
                self.c.add(
                    "duplicate-name",
                    option.name.span,
                    "`keeps choosing` has an option done already",
                )
                continue
            seen[option.name.text] = option
            checked = self._option(option, inner)
            if checked is None:
                ok = False
            else:
                options.append(checked)
        otherwise = None if node.otherwise is None else self.body(node.otherwise, inner)
        if not ok or player is None:
            return None
        return m.ChooseStep(
            node.span, player, node.secretly, bound, node.each_once, tuple(options), otherwise
        )

    def check_bound(self, bound: m.Expr | None) -> None:
        """A number of times that can be more than 0."""
        if bound is not None and isinstance(bound.type, IntType) and bound.type.high < 1:
            self.c.add("never-reached", bound.span, "what stands below is never done")

    def _option(self, node: t.Option, scope: Scope) -> m.ChoiceOption | None:
        inner = scope.child()
        parameters: list[m.Parameter] = []
        ok = True
        for parameter in node.parameters:
            checked = self._parameter(parameter, inner)
            if checked is None:
                ok = False
                self.c.bind_unknown(parameter.name, inner)
                continue
            parameters.append(checked[0])
            inner = checked[1]
        where: list[m.Expr] = []
        body_scope = inner
        for condition in node.where:
            reason = self.e.condition(condition, body_scope)
            if reason is None:
                ok = False
                continue
            where.append(reason)
            body_scope = self._inside(reason, body_scope)
        body = self.body(node.body, body_scope)
        if not ok or not self._small_enough(node, parameters):
            return None
        return m.ChoiceOption(
            node.span,
            node.name.text,
            tuple(parameters),
            tuple(where),
            body,
            node.cites,
            node.about,
        )

    @abstractmethod
    def _inside(self, where: m.Expr, scope: Scope) -> Scope: ...

    def _parameter(self, node: t.Parameter, scope: Scope) -> tuple[m.Parameter, Scope] | None:
        """A parameter and the scope of what stands behind it."""
        if node.domain is None:
            return self._fixed(node, scope)
        found = self.e.domain(node.domain, node.name, scope)
        if found is None:
            return None
        domain, local, _ = found
        if isinstance(local.type, (RunType, LineType)):
            self.c.wrong_type(node.domain.span, local.type, "a choice of values")
            return None
        if node.where is None:
            return m.Parameter(local, domain, None, None), scope
        where = self.e.condition(node.where, scope)
        if where is None:
            return None
        return m.Parameter(local, domain, None, where), self._inside(where, scope)

    def _fixed(self, node: t.Parameter, scope: Scope) -> tuple[m.Parameter, Scope] | None:
        """A bare argument: a name that is known here, shown with the move."""
        value = self.e.expr(t.Name(node.name.span, node.name.text), scope)
        if value is None:
            return None
        if isinstance(value.type, SubbagType):
            self.c.wrong_type(node.name.span, value.type, "a value")
            return None
        local = m.Local(node.name.text, value.type, node.name.span)
        self.c.use(local)
        return m.Parameter(local, None, value, None), scope

    def _small_enough(self, node: t.Option, parameters: list[m.Parameter]) -> bool:
        """The moves of an option can be numbered."""
        size = 1
        for parameter in parameters:
            type_ = parameter.local.type
            if isinstance(type_, SubbagType):
                size *= comb(sum(map(len, type_.kinds)) + type_.most, type_.most)
            else:
                size *= size_of(type_, self.c.model.players[1])
        if size > FAMILY_SIZE and self.c.is_counted:
            self.c.add(
                "too-many-moves",
                node.span,
                f"this option has more than {FAMILY_SIZE:,} moves",
                help="give its parameters smaller ranges",
            )
            return False
        return True
