"""Examples: each is a little game whose flow is its own list of what is played."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import assert_never

from attrs import define, field

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import IntType
from rulesdsl.engines.faults import RuleFault
from rulesdsl.lab.results import Failure, Results
from rulesdsl.lab.setting import Setting
from rulesdsl.machine.program import Draw
from rulesdsl.play.chance import Stream
from rulesdsl.play.faults import IllegalMove, MoveError
from rulesdsl.play.game import Game
from rulesdsl.play.outcome import outcome
from rulesdsl.play.state import State
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Problems
from rulesdsl.text.source import Span

_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)$")


def run_examples(model: m.Model, file: t.RuleFile, problems: Problems) -> Results:
    """Run all examples of a file. What is wrong in their writing goes to the problems."""
    results = Results()
    for example in file.examples:
        columns = len(example.cases[0][1]) if example.cases else 1
        for case in range(columns):
            results.examples += 1
            setting = Setting(model, example, case, problems)
            if setting.prepare():
                _Run(setting, results).run()
    return results


class _Broken(Exception):
    """The example does not go on after this failure."""


@define(slots=False)
class _Run:
    """One example being played."""

    setting: Setting
    results: Results
    state: State = field(init=False)
    chance: Stream = field(init=False)
    script: list[tuple[m.Zone | m.Scalar, int, list[int], Span]] = field(factory=list)
    first: tuple[int, ...] = ()

    def run(self) -> None:
        before, example = self.results.checks, self.setting.example
        record = self.setting.record()
        self.first = record
        self.chance = Stream.of(0)
        self.state = Game(self.setting.machine).start_at(record, self.setting.machine.entry)
        steps = list(example.play)
        try:
            for i, step in enumerate(steps):
                if isinstance(step, (t.PlayDo, t.PlayMove)):
                    self._script(steps[i + 1 :])
                self._step(step)
            self._finished(steps)
        except _Broken:
            return
        except RuleFault as fault:
            self._fail(example.name.span, f"the rules fail: {fault}")
            return
        if self.results.checks == before:
            self._fail(example.name.span, "this example checks nothing")

    def _fail(self, span: Span, note: str) -> None:
        self.results.failures.append(Failure(self.setting.example.name.text, span, note))

    def _must(self, holds: bool, span: Span, note: str) -> None:
        self.results.checks += 1
        if not holds:
            self._fail(span, note)

    def _finished(self, steps: list[t.PlayStep]) -> None:
        """What was begun is finished, or the example says stop."""
        if self.script:
            self._fail(self.script[0][3], "this was never dealt")
        stopped = any(isinstance(step, t.PlayStop) for step in steps)
        if not (stopped or self.state.is_over or self.state.is_paused):
            names = " and ".join(self.setting.machine.seat_names[s] for s in self.state.to_act)
            note = f"the example ends while {names} has to choose; end it with `stop` if it may"
            self._fail(self.setting.example.name.span, note)

    # ---------------------------------------------------------------- going on

    def _step(self, step: t.PlayStep) -> None:
        match step:
            case t.PlayDo():
                self._begin(step)
            case t.PlayMove():
                self._move(step)
            case t.PlayExpect():
                for pair in step.pairs:
                    self._expect(pair, step.change)
            case t.PlayLegal():
                self._legal(step)
            case t.PlayIllegal():
                self._illegal(step)
            case t.PlaySees():
                self._sees(step)
            case t.PlayRanking():
                self._ranking(step)
            case t.PlayDealt() | t.PlayStop():
                pass
            case _:
                assert_never(step)

    def _begin(self, step: t.PlayDo) -> None:
        if not self.state.is_paused:
            names = " and ".join(self.setting.machine.seat_names[s] for s in self.state.to_act)
            self._fail(step.do.span, f"this cannot begin while {names} has to choose")
            raise _Broken
        self.state.resume()
        self._settle()

    def _move(self, step: t.PlayMove) -> None:
        try:
            self.state.apply(step.move.text, self._seat(step.seat))
        except MoveError as error:
            self._fail(step.span, str(error))
            raise _Broken from None
        self.results.checks += 1
        self._settle()

    def _seat(self, word: t.Word) -> int:
        names = self.setting.machine.seat_names
        if word.text not in names:
            self._fail(word.span, f"nobody of the name {word.text} plays here")
            raise _Broken
        return names.index(word.text)

    # ---------------------------------------------------------------- chance

    def _script(self, following: list[t.PlayStep]) -> None:
        """What the lines right behind this one say that chance brings."""
        for step in following:
            if not isinstance(step, t.PlayDealt):
                return
            self.script.append(self._dealt(step))

    def _dealt(self, step: t.PlayDealt) -> tuple[m.Zone | m.Scalar, int, list[int], Span]:
        place = self.setting.place(step.place)
        if place is not None and isinstance(step.value, t.Amount):
            counts = self.setting.counts(place[0], step.value)
            if counts is None:
                raise _Broken
            members = [i for i, number in enumerate(counts) for _ in range(number)]
            return place[0], place[1], members, step.span
        target = self.setting.check(step.place)
        if isinstance(target, m.ScalarRead) and not isinstance(step.value, t.Amount):
            value = self.setting.check(step.value, target.type)
            number = None if value is None else self.setting.constant(value)
            key = 0 if target.key is None else self.setting.constant(target.key)
            if number is not None and key is not None:
                return target.scalar, key, [number], step.span
        raise _Broken

    def _settle(self) -> None:
        """Chance as the script says, else by a fixed seed."""
        while (drawn := self.state.draw()) is not None:
            draw, seat = drawn
            weights = self.state.weights(draw, seat)
            number = self._scripted(draw, weights)
            if number is None:
                number = self.chance.pick(weights)
            self.state.apply_chance(number)

    def _scripted(self, draw: Draw, weights: list[int]) -> int | None:
        record = list(self.state.record)
        engine = self.state.rules.engine
        goal: m.Zone | m.Scalar | None = draw.target
        key = engine.evaluate(draw.keys[1], record)
        if isinstance(draw.subject, m.Scalar) and draw.target is None:
            goal, key = draw.subject, engine.evaluate(draw.keys[0], record)
        for i, (what, owner, values, span) in enumerate(self.script):
            if what is not goal or owner != max(key, 0):
                continue
            value = values.pop(0)
            if not values:
                del self.script[i]
            number = self._outcome(draw, what, value)
            if not 0 <= number < len(weights) or not weights[number]:
                self._fail(span, "chance cannot bring this here: none is left")
                raise _Broken
            return number
        return None

    def _outcome(self, draw: Draw, what: m.Zone | m.Scalar, value: int) -> int:
        """The number of an outcome: a value of a roll, or a member counted as the origin does."""
        if isinstance(what, m.Scalar) or isinstance(draw.subject, m.Scalar):
            low = what.type.low if isinstance(what.type, IntType) else 0  # type: ignore[union-attr]
            return value - low
        for kind in what.kinds:
            offset = what.offset(kind)
            if offset <= value < offset + len(kind) and any(kind is k for k in draw.subject.kinds):
                return draw.subject.offset(kind) + value - offset
        return -1

    # ---------------------------------------------------------------- checks

    def _expect(self, pair: t.Pair, change: bool) -> None:
        name = pair.place.text if isinstance(pair.place, t.Name) else ""
        if isinstance(pair.value, t.Amount) and name in ("ranking", "winners"):
            seats = tuple(one.name for one in pair.value.components)
            self._ranking(t.PlayRanking(pair.span, name == "winners", seats))
        elif isinstance(pair.value, t.Amount):
            self._expect_components(pair, pair.value)
        else:
            self._expect_value(pair, pair.value, change)

    def _expect_value(self, pair: t.Pair, value: t.Expr, change: bool) -> None:
        left = self.setting.check(pair.place)
        if left is None:
            raise _Broken
        right = self.setting.check(value, None if change else left.type)
        if right is None:
            raise _Broken
        if self._maybe_slot(left):
            left = self._as_maybe(left)
        now = self._value(left)
        wanted = self._value(right)
        words = self.state.rules.words
        if change:
            found = now - self._value(left, list(self.first))
            note = f"{pair.place.span.text}   expected to change by {wanted:+}, got {found:+}"
            self._must(found == wanted, pair.span, note)
            return
        shown, hoped = words.value(left.type, now), words.value(left.type, wanted)
        note = f"{pair.place.span.text}   expected {hoped}, got {shown}"
        self._must(now == wanted, pair.span, note)

    def _maybe_slot(self, expr: m.Expr) -> bool:
        return isinstance(expr, m.TopOf) and expr.place.zone.shape is m.Shape.SLOT

    def _as_maybe(self, expr: m.Expr) -> m.Expr:
        assert isinstance(expr, m.TopOf)
        return m.TopOf(expr.span, expr.type, expr.place, True)

    def _value(self, expr: m.Expr, record: list[int] | None = None) -> int:
        value = self.setting.values.value(expr)
        now = list(self.state.record) if record is None else record
        return self.state.rules.engine.evaluate(value, now)

    def _expect_components(self, pair: t.Pair, amount: t.Amount) -> None:
        place = self.setting.place(pair.place)
        if place is None:
            note = "this is no place, so no components lie there"
            self.setting.problems.add("not-a-place", pair.place.span, note)
            raise _Broken
        zone, key = place
        wanted = self.setting.counts(zone, amount)
        if wanted is None:
            raise _Broken
        cells = self._cells(zone, key)
        words = self.state.rules.words
        found = [0] * zone.width
        for member in words.held(zone, cells) if zone.shape is not m.Shape.BAG else ():
            found[member] += 1
        if zone.shape is m.Shape.BAG:
            found = cells
        note = (
            f"{pair.place.span.text}   expected {_listed(zone, wanted)}, got {_listed(zone, found)}"
        )
        self._must(found == wanted, pair.span, note)

    def _cells(self, zone: m.Zone, key: int) -> list[int]:
        slot = self.setting.machine.layout.slot(zone)
        start = slot.base + key * slot.width
        return list(self.state.record[start : start + slot.width])

    def _legal(self, step: t.PlayLegal) -> None:
        seat = self._seat(step.seat)
        found = {move.text for move in self.state.legal_moves(seat)}
        if step.count is not None:
            note = f"expected {step.count} legal moves, got {len(found)}"
            self._must(len(found) == step.count, step.span, note)
            return
        wanted: set[str] = set()
        for word in step.moves:
            for text in _spread(word.text):
                try:
                    wanted.add(self.state.move(text, seat).text)
                except MoveError as error:
                    self._must(False, word.span, str(error))
                    return
        more = sorted(found - wanted)
        note = f"these are legal too: {', '.join(more[:6])}" if more else ""
        self._must(not more, step.span, note)

    def _illegal(self, step: t.PlayIllegal) -> None:
        seat = self._seat(step.seat)
        try:
            self.state.move(step.move.text, seat)
        except MoveError as error:
            self._because(step, error)
            return
        self._must(False, step.span, f"{step.move.text} is legal here")

    def _because(self, step: t.PlayIllegal, error: MoveError) -> None:
        because = step.because
        if because is None:
            self._must(True, step.span, "")
            return
        cites = error.cites if isinstance(error, IllegalMove) else ()
        named = {(cite.source, cite.section) for cite in cites}
        told = ", ".join(f"{source} {section}" for source, section in sorted(named)) or "no rule"
        note = f"{error}; the reason is {told}"
        holds = (because.source, because.section) in named or not isinstance(error, IllegalMove)
        self._must(holds, because.span, note)

    def _sees(self, step: t.PlaySees) -> None:
        view = self.state.view(self._seat(step.seat))
        state = view["state"]
        assert isinstance(state, dict)
        for pair in step.pairs:
            place = self.setting.place(pair.place)
            if place is not None:
                path = self.state.rules.words.path(*place)
                if path in state:
                    self._sees_place(pair, place, state[path])
                else:
                    text = pair.value.text if isinstance(pair.value, t.Name) else ""
                    self._must(text == "unseen", pair.span, f"{path} is not seen at all: unseen")
                continue
            left = self.setting.check(pair.place)
            if isinstance(left, m.SizeOf):
                self._sees_size(pair, left, state)
            elif isinstance(left, m.ScalarRead):
                key = 0 if left.key is None else self.setting.constant(left.key) or 0
                path = self.state.rules.words.path(left.scalar, key)
                self._sees_value(pair, left, state, path)
            elif left is not None:
                note = "what somebody sees are numbers of the state, places and their sizes"
                self.setting.problems.add("not-seen", pair.place.span, note)

    def _sees_value(
        self, pair: t.Pair, left: m.ScalarRead, state: dict[str, object], path: str
    ) -> None:
        if isinstance(pair.value, t.Name) and pair.value.text == "unseen":
            self._must(path not in state, pair.span, f"{path} is seen: {state.get(path)}")
            return
        assert not isinstance(pair.value, t.Amount)
        wanted = self.setting.check(pair.value, left.type)
        if wanted is None:
            raise _Broken
        hoped = self.state.rules.words.value(left.type, self._value(wanted))
        found = state.get(path, "unseen")
        self._must(found == hoped, pair.span, f"{path}   expected {hoped}, got {found}")

    def _sees_size(self, pair: t.Pair, left: m.SizeOf, state: dict[str, object]) -> None:
        assert not isinstance(pair.value, t.Amount)
        key = 0 if left.place.key is None else self.setting.constant(left.place.key) or 0
        found = state.get(self.state.rules.words.path(left.place.zone, key))
        size = sum(found.values()) if isinstance(found, dict) else len(found or ())  # type: ignore[arg-type]
        wanted = self.setting.check(pair.value)
        if wanted is None:
            raise _Broken
        note = f"{pair.place.span.text}   expected {self._value(wanted)}, got {size}"
        self._must(size == self._value(wanted), pair.span, note)

    def _sees_place(self, pair: t.Pair, place: tuple[m.Zone, int], found: object) -> None:
        """Components by name, and how many are unseen."""
        wanted: dict[str, int] = {}
        if isinstance(pair.value, t.Amount):
            for one in pair.value.components:
                count = 1 if one.count is None else int(one.count.span.text)
                wanted[one.name.text] = wanted.get(one.name.text, 0) + count
        elif isinstance(pair.value, t.Name):
            wanted = {} if pair.value.text in ("none", "nothing") else {pair.value.text: 1}
        seen: dict[str, int] = {}
        if isinstance(found, dict):
            seen = {name: number for name, number in found.items() if number}
        elif isinstance(found, str):
            seen = {found: 1}
        elif isinstance(found, list):
            for name in found:
                seen[str(name)] = seen.get(str(name), 0) + 1
        note = f"{pair.place.span.text}   expected {_said(wanted)}, got {_said(seen)}"
        self._must(seen == wanted, pair.span, note)

    def _ranking(self, step: t.PlayRanking) -> None:
        rules = self.state.rules
        result = outcome(rules.machine, rules.engine, list(self.state.record))
        names = self.setting.machine.seat_names
        if not self.state.is_over and not self.state.is_paused:
            self._must(False, step.span, "the game is not over")
            return
        if step.winners:
            found = [names[seat] for seat in result.winners]
            wanted = [word.text for word in step.seats]
            note = f"winners   expected {', '.join(wanted)}, got {', '.join(found) or 'nobody'}"
            self._must(sorted(found) == sorted(wanted), step.span, note)
            return
        order = [names[seat] for group in result.ranking for seat in group]
        wanted = [word.text for word in step.seats]
        note = f"ranking   expected {', '.join(wanted)}, got {', '.join(order)}"
        self._must(order == wanted, step.span, note)


def _spread(text: str) -> Iterator[str]:
    """`bid 8..10` stands for bid 8, bid 9, bid 10."""
    match = _RANGE.search(text)
    if match is None:
        yield text
        return
    for number in range(int(match[1]), int(match[2]) + 1):
        yield f"{text[: match.start()]}{number}"


def _listed(zone: m.Zone, counts: list[int]) -> str:
    names = [member for kind in zone.kinds for member in kind.members]
    return _said({name: n for name, n in zip(names, counts, strict=True) if n})


def _said(counts: dict[str, int]) -> str:
    return ", ".join(f"{n} {name}" if n != 1 else name for name, n in counts.items()) or "nothing"
