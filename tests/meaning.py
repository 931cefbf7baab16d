"""What a rule file means, worked out a second time and in the plainest way.

A walker over the checked model: state by its names, generators for the flow, no cells, no
machine. It shares no code with the lowering and the engines, which are compared with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from contextlib import suppress
from itertools import count as count_up
from typing import Any, assert_never

from attrs import define, evolve, field

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import IntType
from rulesdsl.check.owners import section_of
from rulesdsl.text.source import Span
from tests.meaning_ahead import best, halves
from tests.meaning_effects import Chance, Effects, Running, fixed, fixed_target, shuffle
from tests.meaning_values import Env, Fault, bounds, label, name_in, say

__all__ = ["Fault", "Walk"]

DONE = "done"
TURNS = "turns"
"""Under this name the loop over seats around a step is found among the names."""


class _Over(Exception):
    """The game has ended; `winner` is a seat, None for nobody, -1 where the result decides."""

    def __init__(self, winner: int | None) -> None:
        super().__init__()
        self.winner = winner


class _EndLoop(Exception):
    pass


class _EndPhase(Exception):
    pass


@define(eq=False)
class _Move:
    """A legal move: the option (None: `done`) and what its parameters are."""

    text: str
    option: int | None
    values: tuple[Any, ...] = ()


@define(eq=False)
class _Ask:
    """A player has to choose."""

    seat: int
    span: Span
    moves: list[_Move]
    has_otherwise: bool


@define(eq=False)
class _Region:
    """Several players act at once; each waits for a choice or for chance."""

    waiting: dict[int, _Ask | Chance]


class _Turns:
    """Who is still to come in a loop over seats."""

    def __init__(self, coming: Iterator[int], step: int, seats: int) -> None:
        self.coming = coming
        self.step = step
        self.seats = seats

    def pass_to(self, seat: int) -> None:
        self.coming = ((seat + self.step * i) % self.seats for i in count_up())


@define(eq=False)
class Walk(Effects):
    """A game of the rules. It rests at a choice, at chance, or at the end."""

    asks: dict[int, _Ask] = field(factory=dict, init=False)
    winner: int | None = field(default=-1, init=False)
    over: bool = field(default=False, init=False)
    _chance: tuple[int | None, Chance] | None = field(default=None, init=False)
    _in_region: bool = field(default=False, init=False)
    _run: Running = field(default=None, init=False)

    def start(self) -> Walk:
        """Begin, up to the first stop."""
        self.begin()
        self._run = self.body(self.model.flow, {})
        self._go_on(None)
        return self

    # ---------------------------------------------------------------- stops

    def legal(self) -> dict[int, list[str]]:
        """The legal moves of each player who may act; nobody while chance is next."""
        return {seat: [move.text for move in ask.moves] for seat, ask in self.asks.items()}

    def chances(self) -> dict[str, int]:
        """The weights of what chance may bring, by name."""
        if self._chance is None:
            return {}
        chance = self._chance[1]
        return {chance.words[outcome]: n for outcome, n in chance.weights.items()}

    def choose(self, seat: int, text: str) -> None:
        move = next(move for move in self.asks[seat].moves if move.text == text)
        self._answer(seat, move)

    def draw(self, word: str) -> None:
        assert self._chance is not None
        seat, chance = self._chance
        self._answer(seat, next(o for o in chance.weights if chance.words[o] == word))

    def _answer(self, seat: int | None, answer: Any) -> None:
        self._go_on((seat, answer) if self._in_region else answer)

    def _go_on(self, answer: Any) -> None:
        """Run to the next stop. Who has no option goes on without being asked."""
        self.asks, self._chance = {}, None
        while True:
            try:
                stop = self._run.send(answer)
            except (StopIteration, _Over) as end:
                self.over = True
                self.winner = end.winner if isinstance(end, _Over) else -1
                return
            self._in_region = isinstance(stop, _Region)
            waiting: dict[Any, Any] = {None: stop}
            if isinstance(stop, _Region):
                waiting = {**stop.waiting}
            draws = [(seat, one) for seat, one in waiting.items() if isinstance(one, Chance)]
            if draws:
                self._chance = draws[0]
                return
            asks = [(seat, one) for seat, one in waiting.items() if isinstance(one, _Ask)]
            stuck = next(((seat, ask) for seat, ask in asks if not ask.moves), None)
            if stuck is None:
                self.asks = {ask.seat: ask for _, ask in asks}
                return
            if not stuck[1].has_otherwise:
                raise Fault("no-option", stuck[1].span)
            answer = (stuck[0], None) if self._in_region else None

    # ---------------------------------------------------------------- bodies

    def body(self, body: m.Body, env: Env) -> Running:
        for step in body.steps:
            yield from self.step(step, env)

    def step(self, step: m.Step, env: Env) -> Running:
        match step:
            case m.SetScalar():
                owner = self.owner(step.key, env)
                value = self.value(step.value, env)
                yield from self.set_scalar(step.scalar, owner, value, step.span)
            case m.SetCounter():
                self._set_counter(step.counter, self.value(step.value, env), step.span, env)
            case m.Let():
                env[step.local] = self.value(step.value, env)
            case m.Move():
                yield from self.move(step, env)
            case m.Deal():
                origin, to = fixed(self, step.origin, env), fixed_target(self, step.to, env)
                number = self.value(step.count, env)
                if step.chosen is not None:
                    yield from self.deal_chosen(number, step, step.chosen, origin, to, env)
                else:
                    yield from self.deal_some(number, step.up_to, origin, to, step.span, env)
            case m.Shuffle():
                shuffle(self.at(step.place, env))
            case m.Roll():
                yield from self._roll(step, env)
            case m.PassEach():
                self.pass_each(step)
            case m.AwardStep():
                yield from self.award(step, env)
            case m.Show():
                yield from self._show(step, env)
            case m.End() | m.Wins() | m.TurnPasses():
                self._ending(step, env)
            case m.CallProcedure():
                yield from self._call(step, env)
            case m.RunPhase():
                yield from self._phase(step, env)
            case m.NamedStep():
                yield from self.body(step.body, env)
            case m.IfStep() | m.DependingStep():
                yield from self.body(self._branch(step, env), env)
            case m.ForStep() | m.TurnsStep() | m.WhileStep() | m.RepeatStep():
                with suppress(_EndLoop):
                    yield from self._loop(step, env)
            case m.ChooseStep():
                try:
                    yield from self._choose(step, env)
                except _EndLoop:
                    if step.bound is None:
                        raise
            case m.TogetherStep():
                yield from self._together(step, env)
            case _:
                assert_never(step)

    def _set_counter(self, counter: m.Counter, value: int, span: Span, env: Env) -> None:
        type_ = counter.type
        if isinstance(type_, IntType) and not type_.low <= value <= type_.high:
            raise Fault("range", span)
        env[counter] = value

    def _roll(self, step: m.Roll, env: Env) -> Running:
        owner = self.owner(step.key, env)
        low, high = bounds(step.scalar.type, self.seats)
        words = {n: say(step.scalar.type, n, self.names) for n in range(low, high + 1)}
        rolled = yield Chance(dict.fromkeys(words, 1), words)
        yield from self.set_scalar(step.scalar, owner, rolled, step.span)

    def _show(self, step: m.Show, env: Env) -> Running:
        if step.top is None:
            return
        assert isinstance(step.what, m.Place)
        zone, place = step.what.zone, self.at(step.what, env)
        for i in range(min(self.value(step.top, env), len(place.order))):
            yield from self.look(zone, place, len(place.order) - 1 - i)

    def _ending(self, step: m.End | m.Wins | m.TurnPasses, env: Env) -> None:
        match step:
            case m.Wins():
                raise _Over(None if step.player is None else self.value(step.player, env))
            case m.TurnPasses():
                if isinstance(step.to, m.SeatsDomain):
                    env[TURNS].coming = iter(self.round(step.to, env))
                else:
                    env[TURNS].pass_to(self.value(step.to, env))
            case m.End(what=m.Ended.LOOP):
                raise _EndLoop
            case m.End(what=m.Ended.PHASE):
                raise _EndPhase
            case m.End():
                raise _Over(-1)
            case _:
                assert_never(step)

    def _branch(self, step: m.IfStep | m.DependingStep, env: Env) -> m.Body:
        """The body of the branch or case that holds."""
        if isinstance(step, m.IfStep):
            for branch in step.branches:
                if self.truth(branch.condition, env):
                    return branch.body
        else:
            value = self.value(step.value, env)
            for case in step.cases:
                if case.values is None or case.values[0] <= value <= case.values[1]:
                    return case.body
        return m.Body(step.span, (), ())

    # ---------------------------------------------------------------- procedures, phases

    def _call(self, step: m.CallProcedure, env: Env) -> Running:
        procedure = step.procedure
        arguments = [self.value(argument, env) for argument in step.arguments]
        env.update(zip(procedure.formals, arguments, strict=True))
        for condition in procedure.where:
            if not self.truth(condition, env):
                raise Fault("where", condition.span)
        self._reset(procedure.counters, env)
        yield from self.body(procedure.body, env)

    def _phase(self, step: m.RunPhase, around: Env) -> Running:
        phase = step.phase
        arguments = [self.value(argument, around) for argument in step.arguments]
        env: Env = dict(zip(phase.formals, arguments, strict=True))
        self._reset(phase.counters, env)
        with suppress(_EndPhase):
            yield from self.body(phase.body, env)
        for trigger in self.model.triggers:
            if isinstance(trigger.event, m.AfterPhase) and trigger.event.phase is phase:
                yield from self.body(trigger.body, {})

    def _reset(self, counters: tuple[m.Counter, ...], env: Env) -> None:
        for counter in counters:
            env[counter] = 0 if counter.start is None else self.value(counter.start, env)

    # ---------------------------------------------------------------- loops

    def _loop(
        self, step: m.ForStep | m.TurnsStep | m.WhileStep | m.RepeatStep, env: Env
    ) -> Running:
        match step:
            case m.RepeatStep() if step.longest:
                yield from self._longest(step, env)
            case m.RepeatStep():
                for _ in range(self.value(step.count, env)):
                    yield from self.body(step.body, env)
            case m.WhileStep():
                bound, times = self.value(step.bound, env), 0
                while (step.strict or times < bound) and self.truth(step.condition, env):
                    if times >= bound:
                        raise Fault("bound", step.span)
                    times += 1
                    yield from self.body(step.body, env)
            case m.TurnsStep():
                turns = _Turns(iter(()), 1, self.seats)
                turns.pass_to(0 if step.start is None else self.value(step.start, env))
                yield from self._seats(step, turns, env)
            case m.ForStep() if step.chooser is not None:
                yield from self._in_order(step, step.chooser, env)
            case m.ForStep() if isinstance(step.domain, m.SeatsDomain):
                way = -1 if step.domain.counterclockwise else 1
                turns = _Turns(iter(self.round(step.domain, env)), way, self.seats)
                yield from self._seats(step, turns, env)
            case m.ForStep():
                for member in self._coming(step.domain, env):
                    env[step.binder] = member
                    if self.truth(step.where, env):
                        yield from self.body(step.body, env)
            case _:
                assert_never(step)

    def _longest(self, step: m.RepeatStep, env: Env) -> Running:
        """Only what begins the most rounds can be chosen."""
        before, choice, after = halves(step)
        for left in range(self.value(step.count, env), 0, -1):
            for one in before:
                yield from self.step(one, env)
            moves = best(self, step, left, env, _EndLoop)
            if not moves:
                return
            move = yield _Ask(self.value(choice.player, env), choice.span, moves, False)
            yield from self.carry_out(choice, move, env)
            for one in after:
                yield from self.step(one, env)

    def _coming(self, domain: m.Domain, env: Env) -> Iterator[Any]:
        """Bounds and components are fixed on entry, `kinds of` looked at as each comes."""
        if isinstance(domain, m.RangeDomain):
            yield from ([-1] if domain.maybe else [])
            yield from range(self.value(domain.low, env), self.value(domain.high, env) + 1)
        elif isinstance(domain, m.ComponentsOf):
            yield from [x for x, n in self.domain(domain, env) for _ in range(n)]
        elif isinstance(domain, m.KindsOf):
            here = fixed(self, domain.place, env)
            for i in range(len(domain.kind)):
                if self.count(self.at(here, env), (domain.kind, i)):
                    yield i
        else:
            yield from [x for x, _ in self.domain(domain, env)]

    def _seats(self, step: m.ForStep | m.TurnsStep, turns: _Turns, env: Env) -> Running:
        """Seats one after another, until none qualifies."""
        around, skipped = env.get(TURNS), 0
        try:
            while skipped < self.seats:
                if step.until is not None and self.truth(step.until, env):
                    return
                seat = next(turns.coming, None)
                if seat is None:
                    return
                env[step.binder] = seat
                skipped += 1
                if self.truth(step.where, env):
                    skipped = 0
                    env[TURNS] = turns
                    yield from self.body(step.body, env)
        finally:
            env[TURNS] = around

    # ---------------------------------------------------------------- choices

    def _choose(self, step: m.ChooseStep, env: Env) -> Running:
        seat = self.value(step.player, env)
        bound = 1 if step.bound is None else self.value(step.bound, env)
        taken: set[int] = set()
        for _ in range(bound):
            moves = self.possible(step, env, taken if step.each_once else set())
            if step.bound is not None:
                moves.append(_Move(DONE, None))
            move = yield _Ask(seat, step.span, moves, step.otherwise is not None)
            if move is None:
                assert step.otherwise is not None
                yield from self.body(step.otherwise, env)
                continue
            if move.option is None:
                return
            taken.add(move.option)
            yield from self.carry_out(step, move, env)

    def possible(self, step: m.ChooseStep, env: Env, taken: Set[int] = frozenset()) -> list[_Move]:
        """The moves of the options that are not taken."""
        return [
            move
            for i, option in enumerate(step.options)
            if i not in taken
            for move in self._moves(option, i, env)
        ]

    def carry_out(self, step: m.ChooseStep, move: _Move, env: Env) -> Running:
        """Carry out a move of an option."""
        assert move.option is not None
        option = step.options[move.option]
        env.update(zip((p.local for p in option.parameters), move.values, strict=True))
        yield from self.body(option.body, env)

    def _moves(self, option: m.ChoiceOption, index: int, env: Env) -> list[_Move]:
        """The legal moves of an option, in the order of its arguments."""
        locals_ = [parameter.local for parameter in option.parameters]
        found: list[_Move] = []

        def bind(i: int) -> None:
            if i == len(locals_):
                if all(self.truth(where, env) for where in option.where):
                    values = tuple(env[local] for local in locals_)
                    said = [(p.name, say(p.type, env[p], self.names)) for p in locals_]
                    found.append(_Move(label(option.name, said), index, values))
                return
            parameter = option.parameters[i]
            for value in self._arguments(parameter, env):
                env[parameter.local] = value
                if self.truth(parameter.where, env):
                    bind(i + 1)

        early = [where for where in option.where if not _mentions(where, set(locals_))]
        if all(self.truth(where, env) for where in early):
            bind(0)
        return found

    def _arguments(self, parameter: m.Parameter, env: Env) -> list[Any]:
        if parameter.domain is None:
            assert parameter.fixed is not None
            return [self.value(parameter.fixed, env)]
        values = [value for value, _ in self.domain(parameter.domain, env)]
        if isinstance(parameter.domain, m.SubbagDomain):
            return values
        return sorted(set(values))

    def _in_order(self, step: m.ForStep, chooser: m.Expr, env: Env) -> Running:
        seat = self.value(chooser, env)
        domain = step.domain
        if isinstance(domain, m.RangeDomain):
            low, high = (
                m.Const(step.span, end.type, self.value(end, env))
                for end in (domain.low, domain.high)
            )
            domain = m.RangeDomain(low, high, domain.maybe)
        if isinstance(domain, m.NeighborsOf):
            here = m.Const(step.span, domain.of.type, self.value(domain.of, env))
            domain = m.NeighborsOf(domain.by, here)
        if isinstance(domain, m.Beside):
            here = m.Const(step.span, domain.of.type, self.value(domain.of, env))
            domain = evolve(domain, of=here)
        if isinstance(domain, m.InBag):
            of = m.Const(step.span, domain.bag.of.type, self.value(domain.bag.of, env))
            domain = m.InBag(m.Bag(step.span, domain.bag.column, of), domain.distinct)
        each = isinstance(domain, m.ComponentsOf) or (
            isinstance(domain, m.InBag) and not domain.distinct
        )
        coming = [x for x, n in self.domain(domain, env) for _ in range(n)] if each else []
        taken: list[Any] = []
        while True:
            moves: list[_Move] = []
            there = coming if each else [value for value, _ in self.domain(domain, env)]
            for member in sorted(set(there)):
                env[step.binder] = member
                most = coming.count(member) if each else 1
                if taken.count(member) < most and self.truth(step.where, env):
                    said = say(step.binder.type, member, self.names)
                    moves.append(_Move(f"next {said}", 0, (member,)))
            if not moves:
                return
            move = yield _Ask(seat, step.span, moves, False)
            (env[step.binder],) = move.values
            taken.append(env[step.binder])
            yield from self.body(step.body, env)

    def _together(self, step: m.TogetherStep, env: Env) -> Running:
        """Each participant up to where he waits; then one after another, as they answer."""
        taking_part: list[int] = []
        for seat in range(self.seats):
            env[step.binder] = seat
            if self.truth(step.where, env):
                taking_part.append(seat)
        if step.single is not None:
            taking_part = [self.value(step.single, env)]
        runs: dict[int, Running] = {}
        waiting: dict[int, Any] = {}
        for seat in taking_part:
            runs[seat] = self.body(step.body, {**env, step.binder: seat})
        for seat in taking_part:
            self._part(seat, runs[seat], None, waiting)
        while waiting:
            seat, answer = yield _Region(dict(sorted(waiting.items())))
            self._part(seat, runs[seat], answer, waiting)

    @staticmethod
    def _part(seat: int, run: Running, answer: Any, waiting: dict[int, Any]) -> None:
        waiting.pop(seat, None)
        with suppress(StopIteration):
            waiting[seat] = run.send(answer)

    # ---------------------------------------------------------------- what can be compared

    @property
    def names(self) -> tuple[str, ...]:
        return self.model.seat_names[: self.seats]

    def state(self) -> dict[tuple[str, int], object]:
        """Everything by its name and the number of its owner."""
        found: dict[tuple[str, int], object] = {}
        for scalar, numbers in self.scalars.items():
            for owner, number in enumerate(numbers):
                found[self._name(scalar), owner] = number
        for zone, places in self.zones.items():
            for owner, place in enumerate(places):
                order = [None if c is None else name_in(zone.kinds, c) for c in place.order]
                pool = {name_in(zone.kinds, c): n for c, n in place.pool.items() if n}
                found[self._name(zone), owner] = (order, pool)
                for note in zone.notes:
                    values = [said.get(note.name, self.unsaid(note.type)) for said in place.said]
                    found[f"{self._name(zone)} {note.name}", owner] = values
        return found

    @staticmethod
    def _name(what: m.Scalar | m.Zone) -> str:
        return f"{section_of(what)} {what.name}"

    def outcome(self) -> tuple[list[list[int]], list[int], list[dict[str, int]]]:
        """The ranking, the winners, and the terms of each player's score."""
        everybody = list(range(self.seats))
        keys, out, terms = self._results()
        if self.winner is None:
            return [everybody], [], terms
        if self.winner >= 0:
            others = [seat for seat in everybody if seat != self.winner]
            return [[self.winner], *([others] if others else [])], [self.winner], terms
        inside = [seat for seat in everybody if seat not in out]
        ranking = [
            [seat for seat in group if keys[seat] == key]
            for group in (inside, out)
            for key in sorted({keys[seat] for seat in group}, reverse=True)
        ]
        judged = self.model.result is not None and bool(inside)
        return ranking, ranking[0] if judged else [], terms

    def _results(self) -> tuple[list[tuple[int, ...]], list[int], list[dict[str, int]]]:
        keys: list[tuple[int, ...]] = []
        out: list[int] = []
        terms: list[dict[str, int]] = []
        result = self.model.result
        for seat in range(self.seats):
            if result is None:
                keys.append(())
                terms.append({})
                continue
            env: Env = {result.binder: seat}
            score = {term.name: self.value(term.value, env) for term in result.score}
            key = [sum(score.values())] if score else []
            if result.payoff is not None:
                key = [self.value(result.payoff, env)]
            keys.append((*key, *(self.value(expr, env) for expr in result.highest)))
            terms.append(score)
            if result.out is not None and self.truth(result.out, env):
                out.append(seat)
        return keys, out, terms

    def measured(self, name: str, seat: int) -> int:
        """What a measure asks for, of a player or of the table."""
        measure = self.model.measures[name]
        env: Env = {} if measure.player is None else {measure.player: seat}
        return int(self.value(measure.value, env))


def _mentions(expr: object, names: set[m.Local]) -> bool:
    """Whether an expression reads one of the names."""
    if isinstance(expr, (m.LocalRead, m.SubbagSize, m.SubbagCount)) and expr.local in names:
        return True
    if isinstance(expr, tuple):
        return any(_mentions(part, names) for part in expr)
    slots = getattr(type(expr), "__slots__", ()) if type(expr).__module__ == m.__name__ else ()
    return any(
        _mentions(getattr(expr, slot), names)
        for slot in slots
        if slot not in ("span", "type", "define", "local", "zone", "scalar", "__weakref__")
    )
