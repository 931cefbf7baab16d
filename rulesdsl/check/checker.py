"""The checker: from the tree of a rule file to its model, all problems told at once."""

from __future__ import annotations

import attrs
from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.ahead import check_ahead
from rulesdsl.check.causes import one_per_cause, words_near
from rulesdsl.check.cites import check_cites
from rulesdsl.check.claims import check_claims, tell_claims
from rulesdsl.check.context import PLAYER, Context
from rulesdsl.check.course import check_cycles, check_phase_ends
from rulesdsl.check.datatypes import Type
from rulesdsl.check.declarations import Declarations
from rulesdsl.check.expressions import Expressions
from rulesdsl.check.lints import lint
from rulesdsl.check.measures import check_measures
from rulesdsl.check.narrowing import narrow
from rulesdsl.check.scopes import Scope
from rulesdsl.check.sizes import check_state, is_too_much, tell
from rulesdsl.check.steps import Steps
from rulesdsl.check.texts import check_texts
from rulesdsl.check.triggers import Triggers
from rulesdsl.check.types import Types
from rulesdsl.check.walk import calls_of
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Problems, Second


def check_rules(file: t.RuleFile, problems: Problems) -> m.Model | None:
    """The model of a rule file; None when there are problems."""
    found = Problems()
    checker = Checker.of(file, found)
    checker.c.unread = words_near(problems)
    checker.declare(file)
    checker.bodies(file)
    check_cites(checker.c.model, file, checker.c.unread, found)
    for problem in one_per_cause(found, file):
        problems.add(**attrs.asdict(problem, recurse=False))
    if not len(problems):
        checker.c.problems = problems
        lint(checker.c, file)
    return None if len(problems) else checker.c.model


def check_expression(
    model: m.Model,
    node: t.Expr,
    expected: Type | None,
    constants: dict[str, m.Const | m.Local],
    problems: Problems,
) -> m.Expr | None:
    """An expression outside the rules (of an example, a text): checked against a finished model."""
    checker = Checker.for_model(model, problems)
    scope = Scope(names=dict(constants))
    if expected is None:
        return checker.e.expr(node, scope)
    found = checker.e.value(node, scope, expected)
    return None if found is None else found[0]


def check_place(
    model: m.Model, node: t.Expr, constants: dict[str, m.Const | m.Local], problems: Problems
) -> m.Place | None:
    """A place outside the rules; None without a word where the expression is no place."""
    checker = Checker.for_model(model, problems)
    return checker.e.find_place(node, Scope(names=dict(constants)))


def check_call(
    model: m.Model, node: t.Do, constants: dict[str, m.Const | m.Local], problems: Problems
) -> m.CallProcedure | m.RunPhase | None:
    """A phase or procedure that an example runs."""
    checker = Checker.for_model(model, problems)
    step = checker.steps.do(node, Scope(names=dict(constants)))
    tell_claims(step, problems)
    return step


class _Expressions(Expressions):
    """Expressions whose defines are checked when they are first needed."""

    def define_type(self, name: t.Word) -> Type | None:
        define_ = self.c.model.defines[name.text]
        if name.text in self.c.broken:
            return None
        if name.text in self.c.checking:
            names = [*self.c.checking[self.c.checking.index(name.text) :], name.text]
            self.c.add(
                "recursion", name.span, "a definition cannot use itself: " + " uses ".join(names)
            )
            return None
        decl = self.c.defines_to_check.pop(name.text, None)
        if decl is not None:
            self._check_define(decl, define_)
        return None if name.text in self.c.broken else define_.type

    def _check_define(self, decl: t.DefineDecl, define_: m.Define) -> None:
        self.c.checking.append(define_.name)
        around = self.c.about
        self.c.within("definition", define_.name, define_.cites)
        scope = Scope(self.c.outer, {formal.name: formal for formal in define_.formals})
        value = self.expr(decl.value, scope)
        self.c.checking.pop()
        self.c.about = around
        if value is None:
            self.c.broken.add(define_.name)
            return
        define_.value, define_.type = value, value.type
        if is_too_much(self.c.sizes.of(define_)):
            tell(define_, self.c.problems)
            self.c.broken.add(define_.name)


@define(eq=False)
class Checker:
    """Everything that checks one file."""

    c: Context
    e: Expressions
    types: Types
    steps: Steps

    @classmethod
    def of(cls, file: t.RuleFile, problems: Problems) -> Checker:
        model = m.Model(
            file.game.text,
            file.title,
            file.about,
            file.span,
            file.players,
            tuple(word.text for word in file.seat_names) or _letters(file.players[1]),
            file.extends,
        )
        checker = cls.for_model(model, problems)
        checker.c.seats = {word.text: i for i, word in enumerate(file.seat_names)}
        return checker

    @classmethod
    def for_model(cls, model: m.Model, problems: Problems) -> Checker:
        context = Context(model, problems)
        expressions = _Expressions(context)
        return cls(context, expressions, Types(context, expressions), Steps(context, expressions))

    # ---------------------------------------------------------------- declarations

    def declare(self, file: t.RuleFile) -> None:
        """All names with their types; bodies come after."""
        declarations = Declarations(self.c, self.types)
        self._sources(file)
        declarations.kinds_and_options(file.kinds, file.options)
        declarations.tables(file.tables)
        declarations.state(file.state)
        if self.c.is_counted:
            check_state(self.c.model, self.c.problems)
        for define_ in file.defines:
            word = define_.signature.name
            if declarations.new_word(word, "definition"):
                formals = self.formals(define_.signature)
                self.c.defines_to_check[word.text] = define_
                self.c.model.defines[word.text] = m.Define(
                    word.text, formals, word.span, about=define_.about, cites=define_.cites
                )
        for procedure in file.procedures:
            word = procedure.signature.name
            if declarations.new_step(word, "procedure"):
                formals = self.formals(procedure.signature)
                self.c.model.procedures[word.text] = m.Procedure(
                    word.text, formals, word.span, about=procedure.about, cites=procedure.cites
                )
        for phase in file.phases:
            word = phase.signature.name
            if declarations.new_step(word, "phase"):
                formals = self.formals(phase.signature)
                self.c.model.phases[word.text] = m.Phase(
                    word.text, formals, word.span, about=phase.about, cites=phase.cites
                )
        if file.setup is not None:
            setup = file.setup
            self.c.model.setup = m.Phase("setup", (), setup.signature.span, cites=setup.cites)

    def _sources(self, file: t.RuleFile) -> None:
        for source in file.sources:
            sections = {word.text: "" for word in source.sections}
            sections.update({word.text: text for word, text in source.texts})
            self.c.model.sources[source.name.text] = m.SourceText(
                source.name.text, source.title, sections
            )

    def formals(self, signature: t.Signature) -> tuple[m.Local, ...]:
        """The formals of a signature; those of an unknown type are not told of again."""
        scope = Scope()
        formals: list[m.Local] = []
        for formal in signature.formals:
            type_ = self.types.type(formal.type)
            if type_ is None:
                formals.append(self.c.bind_unknown(formal.name, scope))
            else:
                formals.append(self.c.new_local(formal.name, type_, scope))
        return tuple(formals)

    # ---------------------------------------------------------------- bodies

    def bodies(self, file: t.RuleFile) -> None:
        """What the rules do, section by section."""
        for define_ in file.defines:
            name = define_.signature.name
            if name.text in self.c.model.defines:
                self.e.define_type(t.Word(name.span, name.text))
        for decl in file.procedures:
            self._procedure(decl)
        for phase_decl in file.phases:
            self._phase(phase_decl, self.c.model.phases.get(phase_decl.signature.name.text))
        if file.setup is not None:
            self._phase(file.setup, self.c.model.setup)
        self.c.within("flow", "", ())
        self.c.model.flow = self.steps.body(file.flow, Scope(in_phase=False))
        Triggers(self.c, self.e, self.steps).triggers(file.triggers)
        self._result(file.result)
        for invariant in file.invariants:
            self.c.within("invariant", invariant.name.text, ())
            value = self.e.condition(invariant.value, Scope())
            if value is not None:
                self.c.model.invariants.append(m.Invariant(invariant.name.text, value))
        self.c.model.measures = check_measures(self.e, self.types, file.measures)
        check_claims(self.c.model, self.c.problems)
        self._recursion()
        if not self._is_bounded():
            return
        check_cycles(self.c.model, self.c.problems)
        check_phase_ends(self.c.model, self.c.problems)
        check_ahead(self.c.model, self.c.problems)
        check_texts(self.c, self.e, file.texts)

    def _is_bounded(self) -> bool:
        """Whether no procedure or phase stands for too much; the first that does is told."""
        model = self.c.model
        things: list[m.Procedure | m.Phase] = [*model.procedures.values(), *model.phases.values()]
        for what in things:
            if what.body is not None and is_too_much(self.c.sizes.of(what)):
                tell(what, self.c.problems)
                return False
        return True

    def _procedure(self, decl: t.ProcedureDecl) -> None:
        procedure = self.c.model.procedures.get(decl.signature.name.text)
        if procedure is None or procedure.body is not None:
            return
        self.c.within("procedure", procedure.name, procedure.cites)
        scope = Scope(names={formal.name: formal for formal in procedure.formals})
        procedure.counters = self._counters(decl.state, scope)
        where: list[m.Expr] = []
        inner = scope
        for node in decl.where:
            condition = self.e.condition(node, inner)
            if condition is not None:
                where.append(condition)
                inner = narrow(condition, inner)
        procedure.where = tuple(where)
        procedure.body = self.steps.body(decl.body, inner)

    def _phase(self, decl: t.PhaseDecl, phase: m.Phase | None) -> None:
        if phase is None or phase.body is not None:
            return
        self.c.within("phase" if phase is not self.c.model.setup else "", phase.name, phase.cites)
        scope = Scope(names={formal.name: formal for formal in phase.formals})
        phase.counters = self._counters(decl.state, scope)
        phase.body = self.steps.body(decl.body, scope)

    def _counters(
        self, decls: tuple[tuple[t.Word, t.StateType], ...], scope: Scope
    ) -> tuple[m.Counter, ...]:
        counters: list[m.Counter] = []
        for word, node in decls:
            type_ = None if isinstance(node.type, t.PlaceType) else self.types.type(node.type)
            if isinstance(node.type, t.PlaceType):
                self.c.add("wrong-type", node.span, "places are declared in the state of the game")
            if type_ is None:
                self.c.bind_unknown(word, scope)
                continue
            counter = m.Counter(word.text, type_, word.span)
            for clause in node.clauses:
                if isinstance(clause, t.StartsAt):
                    found = self.e.value(clause.value, scope, type_)
                    counter.start = None if found is None else found[0]
                else:
                    note = "a counter of a procedure is nobody's secret and nobody's word"
                    self.c.add("wrong-clause", clause.span, note)
            self.c.check_free(word, scope)
            scope.names[word.text] = counter
            counters.append(counter)
        return tuple(counters)

    def _result(self, node: t.ResultDecl | None) -> None:
        if node is None:
            return
        self.c.within("result", "", node.cites)
        scope = Scope()
        binder = self.c.new_local(node.binder, PLAYER, scope)
        out = None if node.out is None else self.e.condition(node.out, scope)
        highest = [self.e.number(key, scope) for key in node.highest]
        terms = [(term.name.text, self.e.number(term.value, scope)) for term in node.score]
        payoff = None if node.payoff is None else self.e.number(node.payoff, scope)
        self.c.model.result = m.Result(
            node.span,
            binder,
            out,
            tuple(key for key in highest if key is not None),
            tuple(m.ScoreTerm(name, value) for name, value in terms if value is not None),
            payoff,
            node.cites,
        )

    # ---------------------------------------------------------------- recursion

    def _recursion(self) -> None:
        """Procedures and phases do not call themselves, not even by way of others."""
        done: list[m.Procedure | m.Phase] = []
        path: list[m.Procedure | m.Phase] = []

        def visit(what: m.Procedure | m.Phase) -> None:
            path.append(what)
            for called, span in calls_of(what.body):
                if called in path:
                    names = [one.name for one in (*path[path.index(called) :], called)]
                    note = "this never ends: " + " calls ".join(names)
                    second = Second(called.span, "declared here")
                    self.c.problems.add("recursion", span, note, second=second)
                elif called not in done and called.body is not None:
                    visit(called)
            done.append(path.pop())

        model = self.c.model
        every: list[m.Procedure | m.Phase] = [*model.procedures.values(), *model.phases.values()]
        for what in every:
            if what not in done and what.body is not None:
                visit(what)


def _letters(number: int) -> tuple[str, ...]:
    return tuple(chr(ord("A") + i) for i in range(number))
