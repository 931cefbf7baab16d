"""The setting of an example: its seats, options, runs, and what is given."""

from __future__ import annotations

from attrs import define, field

from rulesdsl.check import model as m
from rulesdsl.check.checker import check_call, check_expression, check_place
from rulesdsl.check.datatypes import IntType, PlayerType, Type
from rulesdsl.machine.from_model import fill, make_machine
from rulesdsl.machine.layout import copies_of
from rulesdsl.machine.places import Registers
from rulesdsl.machine.program import K, Machine
from rulesdsl.machine.settings import UsageError, settle_options
from rulesdsl.machine.values import Values
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Problems
from rulesdsl.text.source import Span
from rulesdsl.text.spelling import nearest

Constants = dict[str, m.Const | m.Local]


@define(slots=False)
class Setting:
    """One example with one column of its cases; what is wrong in it is told as problems."""

    model: m.Model
    example: t.ExampleDecl
    case: int
    problems: Problems
    constants: Constants = field(init=False)
    machine: Machine = field(init=False)
    values: Values = field(init=False)

    def prepare(self) -> bool:
        """Whether seats, options, cases and runs are all right; makes the machine."""
        before = len(self.problems)
        self.constants = {}
        self._seats()
        self._cases()
        runs = self._runs()
        options = self._options()
        if len(self.problems) != before:
            return False
        seats = len(self.example.players) or self.model.players[0]
        try:
            settled = settle_options(self.model, seats, options)
        except UsageError as error:
            self.problems.add("example-setting", self.example.name.span, str(error))
            return False
        self.machine = make_machine(self.model, *settled, runs)
        self.values = Values(
            self.model, settled[0], settled[1], self.machine.layout, Registers(used=1)
        )
        return True

    def _seats(self) -> None:
        names = self.model.seat_names
        for i, word in enumerate(self.example.players):
            if i >= len(names) or word.text != names[i]:
                here = names[i] if i < len(names) else "nobody"
                note = f"the seats are {', '.join(names)}; here sits {here}"
                self.problems.add("unknown-seat", word.span, note)
                return
        number = len(self.example.players) or self.model.players[0]
        for i, name in enumerate(names[:number]):
            self.constants[name] = m.Const(self.example.span, PlayerType(), i)

    def _cases(self) -> None:
        for word, values in self.example.cases:
            checked = check_expression(
                self.model, values[self.case], None, self.constants, self.problems
            )
            if isinstance(checked, m.Const):
                self.constants[word.text] = m.Const(word.span, checked.type, checked.value)
            elif checked is not None:
                note = "a number or a name is wanted here"
                self.problems.add("not-constant", values[self.case].span, note)

    def _options(self) -> dict[str, object]:
        options: dict[str, object] = {}
        for word, value in self.example.options:
            if word.text not in self.model.options:
                near = nearest(word.text, self.model.options)
                help_ = f"{near}: ..." if near else ""
                note = f"there is no option {word.text}"
                self.problems.add("unknown-name", word.span, note, help=help_)
                continue
            options[word.text] = value.span.text
        return options

    def _runs(self) -> list[m.Step]:
        """What the example carries out; `flow` is the whole game."""
        runs: list[m.Step] = []
        for step in self.example.play:
            if not isinstance(step, t.PlayDo):
                continue
            if step.do.name.text == "flow" and not step.do.arguments:
                runs.append(m.NamedStep(step.do.span, "flow", self.model.flow))
                continue
            call = check_call(self.model, step.do, self.constants, self.problems)
            if call is not None:
                runs.append(call)
        return runs

    # ---------------------------------------------------------------- expressions

    def check(self, node: t.Expr, expected: Type | None = None) -> m.Expr | None:
        return check_expression(self.model, node, expected, self.constants, self.problems)

    def place(self, node: t.Expr) -> tuple[m.Zone, int] | None:
        """A place with a known owner."""
        place = check_place(self.model, node, self.constants, self.problems)
        if place is None:
            return None
        key = 0 if place.key is None else self.constant(place.key)
        return None if key is None else (place.zone, key)

    def constant(self, expr: m.Expr) -> int | None:
        """The value of an expression that is known without a state."""
        value = self.values.value(expr)
        if isinstance(value, K):
            return value.value
        self.problems.add("not-constant", expr.span, "this is not known before the game")
        return None

    def counts(self, zone: m.Zone, amount: t.Amount) -> list[int] | None:
        """Components as counts by member; None after a problem."""
        counts = [0] * zone.width
        names = [member for kind in zone.kinds for member in kind.members]
        for one in amount.components:
            if one.name.text not in names:
                near = nearest(one.name.text, names)
                note = f"{zone.name} holds no {one.name.text}"
                self.problems.add("unknown-name", one.span, note, help=near or "")
                return None
            number = 1
            if one.count is not None:
                checked = self.check(one.count, IntType(0, 10_000))
                found = None if checked is None else self.constant(checked)
                if found is None:
                    return None
                number = found
            counts[names.index(one.name.text)] += number
        return counts

    # ---------------------------------------------------------------- what is given

    def record(self) -> tuple[int, ...]:
        """The record at the start, with what is given."""
        record = list(self.machine.start)
        given: dict[tuple[int, int], list[int]] = {}
        zones: dict[tuple[int, int], m.Zone] = {}
        rest: list[tuple[m.Zone, int, Span]] = []
        for pair in self.example.given:
            place = self.place(pair.place)
            if place is None:
                self._give_scalar(record, pair)
                continue
            zone, key = place
            amount = self._amount(zone, pair.value)
            if amount is None:
                continue
            if any(one.name.text in ("the rest", "rest") for one in amount.components):
                rest.append((zone, key, pair.span))
                continue
            counts = self.counts(zone, amount)
            if counts is not None:
                given[id(zone), key] = counts
                zones[id(zone), key] = zone
        self._lay(record, given, zones, rest)
        return tuple(record)

    def _amount(self, zone: m.Zone, value: t.Expr | t.Amount) -> t.Amount | None:
        """What lies in a place: a list of components, or one by its name."""
        if isinstance(value, t.Amount):
            return value
        if isinstance(value, t.Name):
            word = t.Word(value.span, value.text)
            return t.Amount(value.span, (t.Components(value.span, None, word),))
        self.problems.add("wrong-type", value.span, f"components of {zone.name} are wanted here")
        return None

    def _give_scalar(self, record: list[int], pair: t.Pair) -> None:
        target = self.check(pair.place)
        if target is None:
            return
        if not isinstance(target, m.ScalarRead) or isinstance(pair.value, t.Amount):
            self.problems.add(
                "not-given", pair.span, "only numbers of the state and places are given"
            )
            return
        value = self.check(pair.value, target.type)
        key = 0 if target.key is None else self.constant(target.key)
        number = None if value is None else self.constant(value)
        if key is not None and number is not None:
            record[self.machine.layout.slot(target.scalar).base + key] = number

    def _lay(
        self,
        record: list[int],
        given: dict[tuple[int, int], list[int]],
        zones: dict[tuple[int, int], m.Zone],
        rest: list[tuple[m.Zone, int, Span]],
    ) -> None:
        """Components come from where they start; what is left stays there, or goes to the rest."""
        left = self._starts()
        for (ident, key), counts in given.items():
            self._take(zones[ident, key], key, counts, left)
        over: dict[int, list[int]] = {}
        for (ident, key), (zone, parts) in left.items():
            if (ident, key) in given or rest:
                for kind, part in zip(zone.kinds, parts, strict=True):
                    pool = over.setdefault(id(kind), [0] * len(kind))
                    over[id(kind)] = [a + b for a, b in zip(pool, part, strict=True)]
            else:
                fill(self.machine.layout, record, zone, key, [n for part in parts for n in part])
        for (ident, key), counts in given.items():
            fill(self.machine.layout, record, zones[ident, key], key, counts)
        self._lay_rest(record, over, rest, given, left)

    def _starts(self) -> dict[tuple[int, int], tuple[m.Zone, list[list[int]]]]:
        """What lies where at the start, of every copy of a place with components."""
        return {
            (id(zone), key): (zone, [list(part) for part in zone.start])
            for zone in self.model.zones.values()
            for key in range(copies_of(zone, self.machine.seats))
            if any(any(part) for part in zone.start)
        }

    def _take(
        self,
        zone: m.Zone,
        key: int,
        counts: list[int],
        left: dict[tuple[int, int], tuple[m.Zone, list[list[int]]]],
    ) -> None:
        """Take components from where they start: first from the same owner's places."""
        order = sorted(left.items(), key=lambda item: item[0][1] != key)
        for kind in zone.kinds:
            offset = zone.offset(kind)
            for member in range(len(kind)):
                needed = counts[offset + member]
                for _, (source, parts) in order:
                    for other, part in zip(source.kinds, parts, strict=True):
                        if other is kind:
                            taken = min(needed, part[member])
                            part[member] -= taken
                            needed -= taken
                if needed:
                    note = f"there are not so many {kind.members[member]} in the game"
                    self.problems.add("too-many", self.example.name.span, note)

    def _lay_rest(
        self,
        record: list[int],
        over: dict[int, list[int]],
        rest: list[tuple[m.Zone, int, Span]],
        given: dict[tuple[int, int], list[int]],
        left: dict[tuple[int, int], tuple[m.Zone, list[list[int]]]],
    ) -> None:
        for zone, key, _ in rest:
            counts = [n for kind in zone.kinds for n in over.pop(id(kind), [0] * len(kind))]
            fill(self.machine.layout, record, zone, key, counts)
        for (ident, key), (zone, parts) in left.items():
            if (ident, key) in given:
                continue
            mine = [over.get(id(kind)) for kind in zone.kinds]
            if rest and any(mine):
                counts = [n for part in parts for n in part]
                fill(self.machine.layout, record, zone, key, counts)
                for kind in zone.kinds:
                    over.pop(id(kind), None)
        if any(any(part) for part in over.values()):
            self.problems.add(
                "left-over",
                self.example.name.span,
                "some components lie nowhere",
                help="say where they are: `PLACE: the rest`",
            )
