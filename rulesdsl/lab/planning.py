"""From an example as written to its plan; everything that can be told without playing is told."""

from __future__ import annotations

from typing import assert_never

from attrs import define, field

from rulesdsl.check import model as m
from rulesdsl.check.checker import check_call
from rulesdsl.check.datatypes import INT_HIGH, INT_LOW, IntType
from rulesdsl.lab import plan as p
from rulesdsl.lab.given import Table
from rulesdsl.lab.move_texts import MoveTexts, Options
from rulesdsl.lab.seen_columns import planned_columns, sees_columns
from rulesdsl.lab.setting import REST, UNSEEN, Setting
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Problems


def check_examples(model: m.Model, file: t.RuleFile, problems: Problems) -> None:
    """Tell what is wrong with the examples of a file as far as it shows without playing."""
    plans_of(model, file, problems)


def plans_of(model: m.Model, file: t.RuleFile, problems: Problems) -> list[p.Plan]:
    """The plans of all examples that are right, one a column of cases; the problems of others."""
    plans: list[p.Plan] = []
    options = Options.of(model)
    fails = {one.title for one in file.fails}
    for example in file.examples:
        columns = len(example.cases[0][1]) if example.cases else 1
        # of what is said to fail it may be just this that is wrong
        told = Problems() if example.name.span in fails else problems
        for column in range(columns):
            before = len(told)
            setting = Setting(model, file, example, column, told)
            plan = _Planner(setting, MoveTexts(setting, options)).plan()
            if len(told) == before:
                plans.append(plan)
    return plans


@define
class _Planner:
    """Makes the plan of one example."""

    setting: Setting
    texts: MoveTexts
    runs: list[m.Step] = field(factory=list)

    @property
    def problems(self) -> Problems:
        return self.setting.problems

    def plan(self) -> p.Plan:
        example = self.setting.example
        given = [self._given(pair) for pair in example.given]
        places = [one for one in given if isinstance(one, p.GivenPlace)]
        steps = [found for step in example.play for found in self._step(step)]
        self._order(example.play)
        self._checks(example)
        laid = self._table().lay(places, example.name.span)
        notes = tuple(one for one in given if isinstance(one, p.GivenNotes))
        self._are_noted(notes, laid)
        return p.Plan(
            example,
            self.setting.case,
            len(self.setting.names),
            self.setting.options,
            tuple(self.runs),
            laid,
            tuple(one for one in given if isinstance(one, p.GivenScalar)),
            notes,
            tuple(steps),
        )

    def _table(self) -> Table:
        setting = self.setting
        return Table(setting.model, len(setting.names), setting.problems, setting.constant)

    # ---------------------------------------------------------------- the whole

    def _checks(self, example: t.ExampleDecl) -> None:
        """An example without a check shows nothing."""
        for step in example.play:
            match step:
                case t.PlayExpect(pairs=pairs) | t.PlaySees(pairs=pairs) if pairs:
                    return
                case t.PlayLegal() | t.PlayIllegal() | t.PlayRanking():
                    return
                case _:
                    pass
        note = "this example checks nothing"
        help_ = "expect: {...}, change: {...}, or `legal for`, `illegal`, `sees` in what is played"
        self.problems.add("checks-nothing", example.name.span, note, help=help_)

    def _order(self, steps: tuple[t.PlayStep, ...]) -> None:
        """Nothing is played after `stop`, and chance stands right behind what brings it."""
        stopped = False
        before: t.PlayStep | None = None
        for step in steps:
            match step:
                case t.PlayDo(do=t.Do(span=span)) | t.PlayMove(span=span) if stopped:
                    note = "after `stop` nothing is played"
                    self.problems.add("after-stop", span, note)
                case t.PlayDealt() if not isinstance(before, t.PlayDo | t.PlayMove | t.PlayDealt):
                    note = "this stands right behind the move or run that brings it"
                    self.problems.add("dealt-late", step.span, note)
                case t.PlayStop():
                    stopped = True
                case _:
                    pass
            before = step

    # ---------------------------------------------------------------- what is given

    def _are_noted(self, notes: tuple[p.GivenNotes, ...], laid: tuple[p.Laid, ...]) -> None:
        """There is a note for each component that lies in the place, and no other."""
        for one in notes:
            place = (one.note.zone, one.key)
            there = sum(len(each.members) for each in laid if (each.zone, each.key) == place)
            if there != len(one.values):
                note = f"notes for {len(one.values)} components; {there} lie there"
                self.problems.add("not-given", one.span, note)

    def _given(self, pair: t.Pair) -> p.GivenPlace | p.GivenScalar | p.GivenNotes | None:
        known = len(self.problems)
        noted = self._noted(pair, None)
        if noted is not None:
            found = [p.GivenNotes(one.span, one.note, one.key, one.values) for one in noted]
            return found[0] if found else None
        place = self.setting.place(pair.place)
        if place is not None:
            return self._given_place(pair, place)
        target = self.setting.check(pair.place) if len(self.problems) == known else None
        if target is None:
            return None
        if not isinstance(target, m.ScalarRead):
            note = "only what lies in a place and single values of the state are given"
            self.problems.add("not-given", pair.place.span, note)
            return None
        if isinstance(pair.value, t.Amount | t.ValueList):
            self._no_place(pair.place)
            return None
        key = self.setting.key(target.key)
        value = self.setting.known(pair.value, target.type)
        if key is None or value is None:
            return None
        return p.GivenScalar(target.scalar, key, value)

    def _given_place(self, pair: t.Pair, place: m.Place) -> p.GivenPlace | None:
        key = self.setting.key(place.key)
        contents = self.setting.contents(place.zone, pair.value, REST)
        if key is None or contents is None:
            return None
        return p.GivenPlace(pair.span, place.zone, key, contents)

    def _no_place(self, node: t.Expr) -> None:
        note = "this is no place, so no components lie there"
        self.problems.add("not-a-place", node.span, note)

    # ---------------------------------------------------------------- what is played

    def _step(self, step: t.PlayStep) -> list[p.Step]:
        match step:
            case t.PlayDo():
                return self._do(step.do)
            case t.PlayMove():
                seat, text = self.setting.seat(step.seat), self.texts.one(step.move)
                return [] if seat is None or text is None else [p.MakeMove(step.span, seat, text)]
            case t.PlayExpect():
                return [found for pair in step.pairs for found in self._expect(pair, step.change)]
            case t.PlayLegal():
                return self._legal(step)
            case t.PlayIllegal():
                seat, text = self.setting.seat(step.seat), self.texts.one(step.move)
                if seat is None or text is None:
                    return []
                return [p.Illegal(step.move.span, seat, text, step.because)]
            case t.PlaySees():
                seat = self.setting.seat(step.seat)
                if seat is None:
                    return []
                return [found for pair in step.pairs for found in self._sees(pair, seat)]
            case t.PlayDealt():
                return self._dealt(step)
            case t.PlayRanking():
                return self._ranked(step)
            case t.PlayStop():
                return [p.Stop()]
            case _:
                assert_never(step)

    def _do(self, do: t.Do) -> list[p.Step]:
        """A phase or a procedure; `flow` is the whole game."""
        model = self.setting.model
        run: m.Step | None
        if do.name.text == "flow" and not do.arguments:
            run = m.NamedStep(do.span, "flow", model.flow)
        else:
            run = check_call(model, do, self.setting.constants, self.problems)
        if run is None:
            return []
        self.runs.append(run)
        return [p.Begin(do.span)]

    def _legal(self, step: t.PlayLegal) -> list[p.Step]:
        seat = self.setting.seat(step.seat)
        moves = []
        for word in step.moves:
            moves += [(text, word.span) for text in self.texts.all(word) or ()]
        return [] if seat is None else [p.Legal(step.span, seat, tuple(moves), step.count)]

    def _ranked(self, step: t.PlayRanking) -> list[p.Step]:
        seats = [self.setting.seat(word) for word in step.seats]
        found = tuple(seat for seat in seats if seat is not None)
        return [p.Ranked(step.span, step.winners, found)] if len(found) == len(seats) else []

    # ---------------------------------------------------------------- what is expected

    def _expect(self, pair: t.Pair, change: bool) -> list[p.Step]:
        name = pair.place.text if isinstance(pair.place, t.Name) else ""
        if name in ("ranking", "winners") and isinstance(pair.value, t.Amount):
            words = tuple(one.name for one in pair.value.components)
            return self._ranked(t.PlayRanking(pair.span, name == "winners", words))
        known = len(self.problems)
        noted = self._noted(pair, None)
        if noted and change:
            self.problems.add("wrong-type", pair.place.span, "only numbers change by something")
        if noted is not None:
            return [*noted]
        place = self.setting.place(pair.place)
        if place is None:
            return self._compare(pair, change) if len(self.problems) == known else []
        if change:
            note = "a change is a number; how many components lie there is `size of`"
            help_ = f"size of {pair.place.span.text}"
            self.problems.add("wrong-type", pair.place.span, note, help=help_)
            return []
        key = self.setting.key(place.key)
        contents = self.setting.contents(place.zone, pair.value)
        if key is None or contents is None:
            return []
        return [p.Holds(pair.span, place.zone, key, contents)]

    def _compare(self, pair: t.Pair, change: bool) -> list[p.Step]:
        left = self.setting.check(pair.place)
        if left is None:
            return []
        if isinstance(pair.value, t.Amount | t.ValueList):
            self._no_place(pair.place)
            return []
        if change and not isinstance(left.type, IntType):
            self.problems.add("wrong-type", pair.place.span, "only numbers change by something")
            return []
        wanted = IntType(INT_LOW, INT_HIGH) if change else left.type
        right = self.setting.check(pair.value, wanted)
        return [] if right is None else [p.Compare(pair.span, left, right, change)]

    def _noted(self, pair: t.Pair, seat: int | None) -> list[p.Noted] | None:
        """The notes on a place; None where this is something else."""
        found = self.setting.note(pair.place)
        if found is None:
            return None
        note, key = found
        values = self.setting.values_of(note.type, pair.value)
        return [] if values is None else [p.Noted(pair.span, seat, note, key, values)]

    # ---------------------------------------------------------------- what is seen

    def _sees(self, pair: t.Pair, seat: int) -> list[p.Step]:
        known = len(self.problems)
        unseen = isinstance(pair.value, t.Name) and pair.value.text == UNSEEN
        noted = self._noted(pair, seat)
        if noted is not None:
            return [*noted]
        place = self.setting.place(pair.place)
        if place is not None:
            key = self.setting.key(place.key)
            if not unseen and key is not None and sees_columns(place.zone, key, seat):
                return planned_columns(self.setting, pair, seat, place.zone, key)
            contents = None if unseen else self.setting.contents(place.zone, pair.value, UNSEEN)
            if key is None or (contents is None and not unseen):
                return []
            return [p.SeesPlace(pair.span, seat, place.zone, key, contents)]
        left = self.setting.check(pair.place) if len(self.problems) == known else None
        match left:
            case m.SizeOf(place=m.Place(zone=zone, key=owner)):
                key, value = self.setting.key(owner), self._seen(pair, left)
                if key is None or (value is None and not unseen):
                    return []
                return [p.SeesSize(pair.span, seat, zone, key, value)]
            case m.ScalarRead(scalar=scalar, key=owner):
                key, value = self.setting.key(owner), self._seen(pair, left)
                if key is None or (value is None and not unseen):
                    return []
                return [p.SeesValue(pair.span, seat, scalar, key, value)]
            case None:
                return []
            case _:
                note = "what somebody sees are values of the state, places and their sizes"
                self.problems.add("not-seen", pair.place.span, note)
                return []

    def _seen(self, pair: t.Pair, left: m.SizeOf | m.ScalarRead) -> int | None:
        """The value that is seen; None for `unseen`, and after a problem."""
        if isinstance(pair.value, t.Amount | t.ValueList):
            self._no_place(pair.place)
            return None
        if isinstance(pair.value, t.Name) and pair.value.text == UNSEEN:
            return None
        return self.setting.known(pair.value, left.type)

    # ---------------------------------------------------------------- chance

    def _dealt(self, step: t.PlayDealt) -> list[p.Step]:
        known = len(self.problems)
        if isinstance(step.value, t.Amount):
            place = self.setting.place(step.place)
            if place is None:
                if len(self.problems) == known and self.setting.check(step.place) is not None:
                    self._no_place(step.place)
                return []
            key = self.setting.key(place.key)
            wider = self._coming_up(place.zone)
            contents = self.setting.contents(wider, step.value)
            if key is None or contents is None:
                return []
            components = tuple(p.component_of(wider, member) for member in contents.members)
            return [p.Dealt(step.span, place.zone, key, components)]
        target = self.setting.check(step.place)
        if target is None:
            return []
        if not isinstance(target, m.ScalarRead):
            note = "what is rolled is a number of the state"
            self.problems.add("not-a-die", step.place.span, note)
            return []
        key = self.setting.key(target.key)
        value = self.setting.known(step.value, target.type)
        if key is None or value is None:
            return []
        return [p.Dealt(step.span, target.scalar, key, (value,))]

    def _coming_up(self, zone: m.Zone) -> m.Zone:
        """A place that holds what a place does, and what may come up when it is dealt there."""
        origins = [
            origin
            for origin in self.setting.model.zones.values()
            if any(kind in zone.kinds for kind in origin.kinds)
        ]
        kinds = [kind for origin in origins for kind, _ in origin.asides]
        return m.Zone(
            zone.name,
            zone.per,
            zone.shape,
            tuple(dict.fromkeys((*zone.kinds, *kinds))),
            zone.span,
        )
