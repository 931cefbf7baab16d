"""Who sees what: nothing that happens depends on what some of those who see it do not see.

The walk follows the rules as they are carried out, procedures once for each way they are called.
Secrets are compared by the names of their owners. The rules, by the letters of the specification:
(L) a choice uses only what the chooser sees; (S) what is seen does not depend on a secret;
(M) a move shows what moves and how many; (V) a chooser shows his own secrets by acting;
(D) `, seen` tells a secret on purpose; (T) a procedure is as secret as its call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, assert_never

from attrs import Factory, define, evolve

from rulesdsl.check import model as m
from rulesdsl.check.visibility_effects import Effects
from rulesdsl.check.visibility_reads import Ahead, Env, Reader, Region
from rulesdsl.check.visibility_secrets import (
    EVERYBODY,
    OPEN,
    Key,
    Label,
    Secret,
    by,
    only,
    ordered,
    widen,
)
from rulesdsl.check.visibility_shown import Disclosure as Disclosure
from rulesdsl.check.visibility_shown import Here, Shown
from rulesdsl.check.visibility_together import TogetherRules, written_in
from rulesdsl.text.problems import Problems

Disclosures = tuple[Disclosure, ...]


def check_visibility(model: m.Model, problems: Problems) -> Disclosures:
    """Complain about what would tell a secret; tell what the rules tell on purpose."""
    shown = Shown(problems)
    reader = Reader(lambda what, span: together.reads(what, span))
    together = TogetherRules(problems, reader)
    walk = _Walk(model, shown, reader, together)
    walk.model_whole()
    shown.unneeded()
    return tuple(sorted(shown.disclosures.values(), key=lambda d: d.span.start))


AtChoice: TypeAlias = "Callable[[m.ChooseStep | m.ForStep, Here], None]"


def walk_choices(model: m.Model, at_choice: AtChoice) -> None:
    """Go through checked rules as they are carried out, and tell of each choice on the way."""
    shown = Shown(Problems())
    reader = Reader(lambda what, span: None)
    together = TogetherRules(Problems(), reader)
    _Walk(model, shown, reader, together, at_choice).model_whole()


def _same(label: Label) -> Label:
    return label


@define(eq=False)
class _Walk:
    """The walk over the steps of a model."""

    model: m.Model
    shown: Shown
    reader: Reader
    together: TogetherRules
    at_choice: AtChoice = lambda step, here: None
    done: set[object] = Factory(set)
    entered: set[m.Procedure | m.Phase | m.Trigger] = Factory(set)
    effects: Effects = Factory(
        lambda self: Effects(self.model, self.shown, self.reader, self.fire), takes_self=True
    )

    def model_whole(self) -> None:
        """Everything from the flow on, then what the flow does not reach."""
        here = Here(Env())
        for scalar in self.model.scalars.values():
            self.effects.start(scalar, here)
        if self.model.setup is not None:
            self.called(self.model.setup, here)
        self.body(self.model.flow, here)
        phases, procedures = self.model.phases.values(), self.model.procedures.values()
        every: list[m.Procedure | m.Phase] = [*phases, *procedures]
        for called in every:
            if called not in self.entered:
                env = here.env
                for local in called.formals:
                    env = env.bind(local, OPEN)
                self.called(called, evolve(here, env=env))

    # ---------------------------------------------------------------- bodies

    def body(self, body: m.Body, here: Here) -> None:
        """The steps of a body; each `let` holds for those after it."""
        for step, cites in zip(body.steps, body.cites, strict=True):
            here = evolve(here, cites=cites or here.cites)
            self.together.steps(step, here.env)
            if isinstance(step, m.Let):
                here = evolve(here, env=self.let(step, here.env))
            else:
                self.step(step, here)

    def let(self, step: m.Let, env: Env) -> Env:
        label = env.lasting(self.reader.label(step.value, env))
        key = self.reader.lasting_key(step.value, env)
        return env.bind(step.local, label, key, self.reader.open_columns(step.value, env))

    def step(self, step: m.Step, here: Here) -> None:
        match step:
            case m.SetScalar() | m.Roll() | m.Move() | m.Deal() | m.PassEach() | m.AwardStep():
                self.effects.step(step, here)
            case m.Shuffle() | m.Show():
                self.effects.step(step, here)
            case m.SetCounter():
                self.counter(step.counter, self.reader.label(step.value, here.env), here)
            case m.Let():
                self.let(step, here.env)
            case m.End() | m.Wins() | m.TurnPasses():
                self.ending(step, here)
            case m.CallProcedure():
                self.spoken(step.procedure, here)
                self.call(step.procedure, step.arguments, here)
            case m.RunPhase():
                self.shown.show(here.pc, EVERYBODY, f"the phase {step.phase.name}", here)
                self.call(step.phase, step.arguments, here)
            case m.ForStep() if step.chooser is not None:
                self.in_order(step, step.chooser, here)
            case m.ForStep() | m.TurnsStep():
                self.for_each(step, here)
            case m.WhileStep():
                self.while_(step, here)
            case m.RepeatStep() if step.longest:
                self.longest(step, here)
            case m.RepeatStep():
                count = by(self.reader.label(step.count, here.env), None)
                self.rounds(step.body, here, lambda: count, _same)
            case m.IfStep():
                self.if_(step, here)
            case m.DependingStep():
                value = by(self.reader.label(step.value, here.env), None)
                for case in step.cases:
                    self.body(case.body, here.under(value))
            case m.NamedStep():
                self.spoken(step, here)
                self.body(step.body, here)
            case m.TogetherStep():
                self.all_at_once(step, here)
            case m.ChooseStep():
                self.choose(step, here)
            case _:
                assert_never(step)

    def spoken(self, what: m.Procedure | m.NamedStep | m.Local, here: Here) -> None:
        """A line of the texts tells that this happens."""
        if self.model.texts.speaks_of(what.span):
            self.shown.show(here.pc, here.told_to(), f"the line about {what.name}", here)

    def counter(self, counter: m.Counter, label: Label, here: Here) -> None:
        """A counter holds the secrets of all that was ever put into it."""
        env = here.env
        kept = widen(env.lasting(label | here.pc), lambda key: bool(key.locals & env.own))
        env.counters[counter] = env.counters.get(counter, OPEN) | kept

    def ending(self, step: m.End | m.Wins | m.TurnPasses, here: Here) -> None:
        match step:
            case m.End(what=m.Ended.LOOP):
                here.leaves.update(here.pc)
            case m.End():
                self.shown.show(here.pc, EVERYBODY, f"the end of the {step.what.value}", here)
            case m.Wins():
                who = self.reader.all((step.player,), here.env)
                self.shown.show(here.pc | who, EVERYBODY, "the end of the game", here)
            case m.TurnPasses():
                to = step.to
                if isinstance(to, m.SeatsDomain):
                    who = self.reader.domain(to, here.env)
                else:
                    who = self.reader.label(to, here.env)
                self.shown.show(here.pc | who, here.told_to(), "whose turn it is", here)
            case _:
                assert_never(step)

    # ---------------------------------------------------------------- branches and loops

    def if_(self, step: m.IfStep, here: Here) -> None:
        for branch in step.branches:
            if branch.condition is not None:
                self.shown.mark(branch.span, branch.seen)
                label = self.reader.label(branch.condition, here.env)
                here = here.under(by(label, branch.span, branch.seen))
                env = here.env
                apart = self.reader.unequal(branch.condition, env)
                self.body(branch.body, evolve(here, env=env.differing(apart)))
            else:
                self.body(branch.body, here)

    def rounds(
        self,
        body: m.Body,
        here: Here,
        condition: Callable[[], Label],
        outside: Callable[[Label], Label],
    ) -> None:
        """A body again and again, until no more secrets come in through counters and `end loop`.

        `outside` tells what the secrets of one round are to the other rounds.
        """
        counters, left = here.env.counters, OPEN
        while True:
            before, leaves = dict(counters), set[Secret]()
            self.body(body, evolve(here.under(condition(), left), leaves=leaves))
            more = outside(frozenset(leaves)) - here.pc
            if more <= left and counters == before:
                return
            left |= more

    def for_each(self, step: m.ForStep | m.TurnsStep, here: Here) -> None:
        span, seen, env = step.span, step.seen, here.env
        self.shown.mark(span, seen)
        domain: m.Domain
        if isinstance(step, m.TurnsStep):
            domain = m.SeatsDomain(step.start, False, False)
        else:
            domain = step.domain
        members = by(self.reader.domain(domain, env), span, seen)
        inner = self.reader.member(env, step.binder, domain, step.where, env.lasting(members))

        def outside(label: Label) -> Label:
            return self.reader.leaving(label, step.binder, domain, env)

        def condition() -> Label:
            where = self.reader.all((step.where,), inner)
            until = outside(self.reader.all((step.until,), inner))
            return members | by(where | until, span, seen)

        self.spoken(step.binder, here.under(condition()))
        self.rounds(step.body, evolve(here, env=inner), condition, outside)

    def while_(self, step: m.WhileStep, here: Here) -> None:
        self.shown.mark(step.span, step.seen)

        def condition() -> Label:
            label = self.reader.all((step.condition, step.bound), here.env)
            return by(label, step.span, step.seen)

        self.rounds(step.body, here, condition, _same)

    def longest(self, step: m.RepeatStep, here: Here) -> None:
        """What may be chosen depends on all that the loop reads, in every round."""
        choice = next(one for one in step.body.steps if isinstance(one, m.ChooseStep))
        here = self._fixed(step.body, choice.player, here)
        chooser = self.reader.key(choice.player, here.env)
        assert chooser is not None
        count = self.reader.label(step.count, here.env)

        def reads(label: Label, env: Env) -> None:
            self.shown.guard(label, chooser, evolve(here, env=env))

        reads(count, here.env)
        env = evolve(here.env, ahead=Ahead(chooser, reads))
        self.rounds(step.body, evolve(here, env=env), lambda: by(count, None), _same)

    # ---------------------------------------------------------------- procedures, phases, triggers

    def call(
        self, called: m.Procedure | m.Phase, arguments: tuple[m.Expr, ...], here: Here
    ) -> None:
        env = here.env
        for local, argument in zip(called.formals, arguments, strict=True):
            label = here.env.lasting(self.reader.label(argument, here.env))
            env = env.bind(local, label, self.reader.lasting_key(argument, here.env))
        self.called(called, evolve(here, env=env))

    def called(self, called: m.Procedure | m.Phase, here: Here) -> None:
        """The body of a procedure or phase, whose formals are bound."""
        self.entered.add(called)
        if isinstance(called, m.Procedure) and here.env.ahead is not None:
            self.reader.all(called.where, here.env)
        labels = tuple(_listed(here.env.labels[local]) for local in called.formals)
        keys = tuple(here.env.keys[local] for local in called.formals)
        self._carry_out(called, called.body, here, (labels, keys))

    def fire(self, trigger: m.Trigger, here: Here, key: object) -> None:
        """The body of a trigger: the rules act, not the player whose act it follows."""
        self._carry_out(trigger, trigger.body, evolve(here, acting=frozenset()), key)

    def _carry_out(
        self, what: m.Procedure | m.Phase | m.Trigger, body: m.Body, here: Here, key: object
    ) -> None:
        """A body of its own, once for each way it can be reached."""
        env = here.env
        ahead = None if env.ahead is None else env.ahead.chooser
        way = (what, key, _listed(here.pc), here.acting, env.region, env.apart, env.fixed, ahead)
        if way in self.done:
            return
        self.done.add(way)
        name = what.span.text if isinstance(what, m.Trigger) else what.name
        inner = evolve(
            here,
            env=env.entering(),
            rule=name.split("\n")[0].rstrip(":"),
            cites=what.cites or here.cites,
            leaves=set(),
        )
        if not isinstance(what, m.Trigger):
            for counter in what.counters:
                self.counter(counter, self.reader.all((counter.start,), inner.env), inner)
        # A counter may be read before a later step has put a secret into it.
        self.rounds(body, inner, lambda: OPEN, _same)

    # ---------------------------------------------------------------- choices

    def all_at_once(self, step: m.TogetherStep, here: Here) -> None:
        env = here.env.bind(step.binder, OPEN)
        who = self.reader.all((step.where,), env) | self.reader.all((step.single,), here.env)
        self.shown.show(here.pc | who, EVERYBODY, "who takes part", here)
        key = Key("local", step.binder)
        written = written_in(self.model, step.body)
        region = Region(key, step.single is not None, written, env.counters)
        if step.single is not None:
            single = self.reader.lasting_key(step.single, here.env)
            if single is not None:
                env = here.env.bind(step.binder, OPEN, single)
                region = evolve(region, participant=single)
        self.body(step.body, evolve(here, env=evolve(env, region=region)))

    def choose(self, step: m.ChooseStep, here: Here) -> None:
        self.at_choice(step, here)
        chooser = self.reader.key(step.player, here.env)
        who = self.reader.all((step.player, step.bound), here.env)
        asked = f"the choice of {chooser.name if chooser else 'a player'}"
        self.shown.show(here.pc | who, here.told_to(), asked, here)
        guards: list[Label] = []
        for option in step.options:
            guards.append(self.option(option, step, chooser, here))
        if here.env.ahead is not None:
            effect = f"{asked} or the end of the loop"
            self.shown.show(OPEN.union(*guards), here.told_to(), effect, here)
        if step.otherwise is not None:
            # where one option is always possible, the others do not show
            sure = any(not option.where and not option.parameters for option in step.options)
            label = OPEN if sure else OPEN.union(*guards)
            self.shown.show(label, here.told_to(), f"{asked} or its absence", here)
            self.body(step.otherwise, here.under(by(label, None)))

    def option(
        self, option: m.ChoiceOption, step: m.ChooseStep, chooser: Key | None, here: Here
    ) -> Label:
        """One option: what it depends on, then its body, in which the chooser acts."""
        here = self._fixed(option.body, step.player, here)
        env, guards = here.env, OPEN
        hidden = step.secretly or env.region is not None
        for parameter in option.parameters:
            local, domain = parameter.local, parameter.domain
            if domain is None:
                label = self.reader.all((parameter.fixed,), env)
                env = env.bind(local, label, self.reader.key(parameter.fixed, env))
                continue
            label = self.reader.domain(domain, env)
            said = self.said(local, chooser, hidden)
            inner = self.reader.member(env, local, domain, parameter.where, said)
            guards |= label | self.reader.all((parameter.where,), inner)
            env = inner
        for where in option.where:
            guards |= self.reader.label(where, env)
            env = env.differing(self.reader.unequal(where, env))
        self.shown.guard(guards, chooser, here)
        labels = {local: env.lasting(label) for local, label in env.labels.items()}
        acting = here.acting
        # what is only looked at beforehand is no act yet
        if chooser is not None and env.stable(chooser) and env.ahead is None:
            acting |= {chooser}
        inner_here = evolve(
            here,
            env=evolve(env, labels=labels),
            acting=acting,
            cites=option.cites or here.cites,
        )
        self.body(option.body, inner_here)
        own = {parameter.local for parameter in option.parameters}
        return frozenset(secret for secret in guards if secret.what not in own)

    def said(self, local: m.Local, chooser: Key | None, hidden: bool) -> Label:
        """An argument: said aloud, or a secret of the chooser."""
        if not hidden or chooser is None:
            return OPEN
        return frozenset((Secret(only(chooser), local, chooser, False, span=local.span),))

    def _fixed(self, body: m.Body, player: m.Expr, here: Here) -> Here:
        """A player named by state remains the same while the body does not write it."""
        key = self.reader.key(player, here.env)
        if key is None:
            return here
        named = {part.what for part in key.parts() if part.kind == "state"}
        if not named or named & written_in(self.model, body):
            return here
        fixed = here.env.fixed | set(key.parts())
        return evolve(here, env=evolve(here.env, fixed=fixed))

    def in_order(self, step: m.ForStep, player: m.Expr, here: Here) -> None:
        """Each member once, in an order that a player chooses."""
        self.at_choice(step, here)
        self.shown.mark(step.span, step.seen)
        here = self._fixed(step.body, player, here)
        chooser = self.reader.key(player, here.env)
        members = by(self.reader.domain(step.domain, here.env), step.span, step.seen)
        said = self.said(step.binder, chooser, here.env.region is not None)
        env = self.reader.member(here.env, step.binder, step.domain, step.where, said)
        where = by(self.reader.all((step.where,), env), step.span, step.seen)
        who = self.reader.label(player, here.env)
        self.shown.guard(members | where, chooser, here)
        left = self.reader.leaving(where, step.binder, step.domain, here.env)
        label = here.pc | who | members | left
        self.shown.show(label, here.told_to(), "the choice of an order", here)
        acting = here.acting
        if chooser is not None and env.stable(chooser):
            acting |= {chooser}

        def outside(label: Label) -> Label:
            return self.reader.leaving(label, step.binder, step.domain, here.env)

        inner = evolve(here, env=env, acting=acting)
        self.rounds(step.body, inner, lambda: OPEN, outside)


def _listed(label: Iterable[Secret]) -> tuple[object, ...]:
    """Secrets with the places where they are read, to compare ways of reaching a body."""
    return tuple((s, s.span, s.by) for s in ordered(label))
