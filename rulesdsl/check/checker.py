"""The checker: from the tree of a rule file to its model, all problems told at once."""

from __future__ import annotations

import re

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.cites import check_cites
from rulesdsl.check.context import PLAYER, Context
from rulesdsl.check.datatypes import IntType, Type
from rulesdsl.check.declarations import Declarations
from rulesdsl.check.expressions import Expressions
from rulesdsl.check.lints import lint
from rulesdsl.check.scopes import Scope
from rulesdsl.check.steps import Steps
from rulesdsl.check.triggers import Triggers
from rulesdsl.check.types import Types
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Problems
from rulesdsl.text.source import Span


def check_rules(file: t.RuleFile, problems: Problems) -> m.Model | None:
    """The model of a rule file; None when there are problems."""
    checker = Checker.of(file, problems)
    checker.declare(file)
    checker.bodies(file)
    check_cites(checker.c.model, file, problems)
    if not len(problems):
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
    return checker.steps.do(node, Scope(names=dict(constants)))


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
        scope = Scope(names={formal.name: formal for formal in define_.formals})
        value = self.expr(decl.value, scope)
        self.c.checking.pop()
        if value is None:
            self.c.broken.add(define_.name)
            return
        define_.value, define_.type = value, value.type


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
        )
        checker = cls.for_model(model, problems)
        checker.c.seats = {word.text: i for i, word in enumerate(file.seat_names)}
        checker.c.unread = words_near(problems)
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
        declarations.kinds(file.kinds)
        declarations.options(file.options)
        declarations.tables(file.tables)
        declarations.state(file.state)
        for define_ in file.defines:
            word = define_.signature.name
            if declarations.new_word(word, "definition"):
                formals = self._formals(define_.signature)
                self.c.defines_to_check[word.text] = define_
                self.c.model.defines[word.text] = m.Define(
                    word.text, formals, word.span, about=define_.about, cites=define_.cites
                )
        for procedure in file.procedures:
            word = procedure.signature.name
            if declarations.new_step(word, "procedure"):
                formals = self._formals(procedure.signature)
                self.c.model.procedures[word.text] = m.Procedure(
                    word.text, formals, word.span, about=procedure.about, cites=procedure.cites
                )
        for phase in file.phases:
            if declarations.new_step(phase.name, "phase"):
                self.c.model.phases[phase.name.text] = m.Phase(
                    phase.name.text, phase.name.span, about=phase.about, cites=phase.cites
                )
        if file.setup is not None:
            setup = file.setup
            self.c.model.setup = m.Phase("setup", setup.name.span, cites=setup.cites)
            self.c.use(self.c.model.setup)

    def _sources(self, file: t.RuleFile) -> None:
        for source in file.sources:
            sections = {word.text: "" for word in source.sections}
            sections.update({word.text: text for word, text in source.texts})
            self.c.model.sources[source.name.text] = m.SourceText(
                source.name.text, source.title, sections
            )

    def _formals(self, signature: t.Signature) -> tuple[m.Local, ...]:
        formals: list[m.Local] = []
        for formal in signature.formals:
            type_ = self.types.type(formal.type)
            if type_ is None:
                type_ = IntType(0, 0)
                self.c.broken.add(formal.name.text)
            formals.append(m.Local(formal.name.text, type_, formal.name.span))
        return tuple(formals)

    # ---------------------------------------------------------------- bodies

    def bodies(self, file: t.RuleFile) -> None:
        for define_ in file.defines:
            name = define_.signature.name
            if name.text in self.c.model.defines:
                self.e.define_type(t.Word(name.span, name.text))
        for decl in file.procedures:
            procedure = self.c.model.procedures.get(decl.signature.name.text)
            if procedure is not None and procedure.body is None:
                scope = Scope(names={formal.name: formal for formal in procedure.formals})
                procedure.counters = self._counters(decl.state, scope)
                where = [self.e.condition(node, scope) for node in decl.where]
                procedure.where = tuple(node for node in where if node is not None)
                procedure.body = self.steps.body(decl.body, scope)
        for decl_ in (*file.phases, *([file.setup] if file.setup else [])):
            phase = self.c.model.phases.get(decl_.name.text)
            if decl_ is file.setup:
                phase = self.c.model.setup
            if phase is not None and phase.body is None:
                scope = Scope()
                phase.counters = self._counters(decl_.state, scope)
                phase.body = self.steps.body(decl_.body, scope)
        self.c.model.flow = self.steps.body(file.flow, Scope())
        Triggers(self.c, self.e, self.steps).triggers(file.triggers)
        self._result(file.result)
        for invariant in file.invariants:
            value = self.e.condition(invariant.value, Scope())
            if value is not None:
                self.c.model.invariants.append(m.Invariant(invariant.name.text, value))
        self._texts(file)
        self._recursion()

    def _counters(
        self, decls: tuple[tuple[t.Word, t.StateType], ...], scope: Scope
    ) -> tuple[m.Counter, ...]:
        counters: list[m.Counter] = []
        for word, node in decls:
            type_ = None if isinstance(node.type, t.PlaceType) else self.types.type(node.type)
            if isinstance(node.type, t.PlaceType):
                self.c.add(
                    "wrong-type", node.span, "places are declared in the state of the game"
                )
            if type_ is None:
                self.c.broken.add(word.text)
                continue
            counter = m.Counter(word.text, type_, word.span)
            for clause in node.clauses:
                if isinstance(clause, t.StartsAt):
                    found = self.e.value(clause.value, scope, type_)
                    counter.start = None if found is None else found[0]
                else:
                    self.c.add(
                        "wrong-clause", clause.span, "a counter of a procedure is nobody's secret"
                    )
            scope.names[word.text] = counter
            counters.append(counter)
        return tuple(counters)

    def _result(self, node: t.ResultDecl | None) -> None:
        if node is None:
            return
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

    def _texts(self, file: t.RuleFile) -> None:
        for entry in file.texts:
            path = (entry.section, *(word.text for word in entry.path))
            self.c.model.texts[path] = entry.template

    # ---------------------------------------------------------------- recursion

    def _recursion(self) -> None:
        """Procedures and phases do not call themselves, not even by way of others."""
        from rulesdsl.check.walk import calls_of

        state: dict[int, int] = {}
        path: list[str] = []

        def visit(what: m.Procedure | m.Phase, span: Span) -> None:
            if state.get(id(what)) == 2:
                return
            if state.get(id(what)) == 1:
                names = [*path[path.index(what.name) :], what.name]
                self.c.add("recursion", span, "this never ends: " + " calls ".join(names))
                return
            state[id(what)] = 1
            path.append(what.name)
            for called, at in calls_of(what.body):
                visit(called, at)
            path.pop()
            state[id(what)] = 2

        things: list[m.Procedure | m.Phase] = [*self.c.model.procedures.values()]
        things += self.c.model.phases.values()
        for what in things:
            visit(what, what.span)


def words_near(problems: Problems) -> frozenset[str]:
    """The words of lines with problems: names that they declare are not known."""
    words: set[str] = set()
    for problem in problems:
        source = problem.span.source
        last = source.position(max(problem.span.start, problem.span.end - 1))[0]
        for number in range(problem.span.line, last + 1):
            words.update(re.findall(r"\w+", source.line(number)))
    return frozenset(words)


def _letters(number: int) -> tuple[str, ...]:
    return tuple(chr(ord("A") + i) for i in range(number))
