"""Examples: each is a little game whose flow is its own list of what is played."""

from __future__ import annotations

from typing import assert_never

from attrs import define, field

from rulesdsl.check import model as m
from rulesdsl.engines.faults import RuleFault
from rulesdsl.lab import plan as p
from rulesdsl.lab.checks import Checks
from rulesdsl.lab.given import record_of
from rulesdsl.lab.planning import plans_of
from rulesdsl.lab.results import Failure, Results
from rulesdsl.lab.scripted import CannotCome, Script
from rulesdsl.machine.from_model import make_machine
from rulesdsl.play.faults import MoveError
from rulesdsl.play.game import Game
from rulesdsl.play.state import State
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Problems
from rulesdsl.text.source import Span


def run_examples(model: m.Model, file: t.RuleFile, problems: Problems) -> Results:
    """Run the examples of a file that are well formed; what is wrong with others is told."""
    results, listed = Results(), Results()
    fails = {one.title for one in file.fails}
    planned = set()
    for plan in plans_of(model, file, problems):
        machine = make_machine(model, plan.seats, plan.options, plan.runs)
        record = tuple(record_of(plan, machine))
        state = Game(machine).start_at(record, machine.entry)
        title = plan.example.name.span
        planned.add(title)
        _Run(plan, listed if title in fails else results, state, Checks(state, record)).run()
    failed = {failure.title for failure in listed.failures}
    for example in file.examples:
        title = example.name.span
        if title not in fails:
            results.examples += 1
        elif title in failed or title not in planned:
            results.on_purpose += 1
        else:
            _holds_after_all(example, file, results)
    return results


def _holds_after_all(example: t.ExampleDecl, file: t.RuleFile, results: Results) -> None:
    """An example that is said to fail holds; that is a failure of the file that says so."""
    results.examples += 1
    for one in file.fails:
        if one.strict and one.title == example.name.span:
            name, title = example.name.text, example.name.span
            note = "this holds, though it is listed as failing: take the line away"
            failure = Failure(name, title, example.cites, "", one.span, note)
            results.failures.append(failure)


class _Broken(Exception):
    """The example does not go on: where, and why."""

    def __init__(self, span: Span, note: str) -> None:
        self.span = span
        self.note = note
        super().__init__(note)


@define
class _Run:
    """One example being played."""

    plan: p.Plan
    results: Results
    state: State
    checks: Checks
    script: Script = field(factory=Script)

    def run(self) -> None:
        span = self.plan.example.name.span
        try:
            for number, step in enumerate(self.plan.steps):
                span = getattr(step, "span", span)
                if isinstance(step, p.Begin | p.MakeMove):
                    self._chance(self.plan.steps[number + 1 :])
                self._step(step)
            self._end()
        except (_Broken, CannotCome) as error:
            self._fail(error.span, error.note)
        except RuleFault as fault:
            self._fail(span, f"the rules fail here: {fault}")

    def _fail(self, span: Span, what: str, expected: str = "", got: str = "") -> None:
        example = self.plan.example
        self.results.failures.append(
            Failure(
                example.name.text,
                example.name.span,
                example.cites,
                self.plan.case,
                span,
                what,
                expected,
                got,
            )
        )

    def _step(self, step: p.Step) -> None:
        match step:
            case p.Begin():
                self._begin(step)
            case p.MakeMove():
                self._move(step)
            case p.Dealt() | p.Stop():
                pass
            case (
                p.Compare()
                | p.Holds()
                | p.Legal()
                | p.Illegal()
                | p.SeesValue()
                | p.SeesSize()
                | p.SeesPlace()
                | p.SeesColumns()
                | p.Noted()
                | p.Ranked()
            ):
                self.results.checks += 1
                for difference in self.checks.check(step):
                    self._fail(*difference)
            case _:
                assert_never(step)

    def _chance(self, following: tuple[p.Step, ...]) -> None:
        """Note what the lines right behind this step say that chance brings."""
        for step in following:
            if not isinstance(step, p.Dealt):
                return
            self.script.add(step)

    def _begin(self, step: p.Begin) -> None:
        if self.state.is_over:
            raise _Broken(step.span, "the game is over, so this does not begin")
        if not self.state.is_paused:
            raise _Broken(step.span, f"this does not begin while {self._waiting()}")
        self.state.resume()
        self._settle()

    def _move(self, step: p.MakeMove) -> None:
        try:
            self.state.apply(step.text, step.seat)
        except MoveError as error:
            raise _Broken(step.span, error.message) from None
        self._settle()

    def _settle(self) -> None:
        self.script.settle(self.state)
        self.checks.invariants()

    def _end(self) -> None:
        """What was begun is done or left by `stop`, and all that was written down was dealt."""
        for line in self.script.lines:
            self._fail(line.span, "this never came: nothing more was dealt here")
        stopped = any(isinstance(step, p.Stop) for step in self.plan.steps)
        if not (stopped or self.state.is_over or self.state.is_paused):
            note = f"the example ends while {self._waiting()}; `stop` leaves it there"
            self._fail(self.plan.example.name.span, note)

    def _waiting(self) -> str:
        """`B has to choose`."""
        names = [self.state.rules.words.seats[seat] for seat in self.state.to_act]
        return f"{' and '.join(names)} {'has' if len(names) == 1 else 'have'} to choose"
