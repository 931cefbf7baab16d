"""Expressions of the model as values of the machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, assert_never

from attrs import Factory, define

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import (
    NONE,
    IntType,
    KindType,
    MaybeType,
    PlayerType,
    RunType,
    Type,
)
from rulesdsl.machine import derived, fold, grids, joins
from rulesdsl.machine.fold import add, both, choose, op, with_none
from rulesdsl.machine.indexed import Listed, indexed
from rulesdsl.machine.places import PlaceAt, Registers, held, place_at, read, state_cell
from rulesdsl.machine.program import Cell, Fold, K, Layout, R, Value, With
from rulesdsl.machine.rows import table_row

COMPARE = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "min": "min", "max": "max"}
Finish: TypeAlias = Callable[
    [Value, Value, int, Value | None, Callable[[Value], Value], Value | None], Value
]
"""Makes a value of a domain: see `domain`."""


@define
class Values:
    """Lowers expressions for one seat count and choice of options.

    `locals` says what each bound name is: a value; `bags` what each choice of components is:
    a value a member of its place; `runs` the place and start of each run, `lines` each line.
    """

    model: m.Model
    seats: int
    options: dict[str, int]
    layout: Layout
    registers: Registers
    locals: dict[int, Value] = Factory(dict)
    named: dict[int, m.Local | m.Counter] = Factory(dict)
    """The bound names themselves, by the same numbers."""
    bags: dict[int, tuple[Value, ...]] = Factory(dict)
    runs: dict[int, tuple[PlaceAt, Value]] = Factory(dict)
    lines: dict[int, grids.Line] = Factory(dict)

    def bind(self, local: m.Local | m.Counter, value: Value) -> None:
        self.locals[id(local)] = value
        self.named[id(local)] = local

    def lasting(self) -> tuple[tuple[m.Local | m.Counter, Value], ...]:
        """The names that stand for constants and cells: they may outlast a stop."""
        return tuple(
            (self.named[key], value)
            for key, value in self.locals.items()
            if isinstance(value, (K, Cell))
        )

    def place(self, place: m.Place) -> PlaceAt:
        """A place; its key is worked out each time it is asked."""
        key = K(0) if place.key is None else self.value(place.key)
        return place_at(self.layout, place.zone, key, self.registers)

    def with_place(self, place: m.Place, use: Callable[[PlaceAt], Value]) -> Value:
        """Ask something of a place, its key worked out once."""
        at = self.place(place)
        return held(self.registers, at.key, lambda key: use(at.of(key)))

    def value(self, expr: m.Expr) -> Value:
        match expr:
            case m.Const():
                return K(expr.value)
            case m.LocalRead():
                return self.locals[id(expr.local)]
            case m.CounterRead():
                return self.locals[id(expr.counter)]
            case m.OptionRead():
                return K(self.options[expr.option.name])
            case m.PlayerCount():
                return K(self.seats)
            case m.MemberOf():
                player = op("mul", self.value(expr.player), K(len(expr.kind)))
                return add(player, self.value(expr.member))
            case m.ScalarRead():
                key = K(0) if expr.key is None else self.value(expr.key)
                return state_cell(self.layout, expr.scalar, key)
            case m.ColumnRead():
                return read(expr.column, self.value(expr.of))
            case m.TableRead():
                return self._table(expr)
            case m.Between():
                ends = self.value(expr.left), self.value(expr.right)
                return joins.between(expr.kind, ends, self.registers, expr.span)
            case m.EndOf():
                of, end = self.value(expr.of), self.value(expr.end)
                return joins.is_end(expr.kind, of, end, self.registers)
            case m.Made() | m.Turned() | m.Converted() | m.IsA() | m.BagSize() | m.BagCount():
                return self._derived(expr)
            case m.Toward():
                return grids.toward(expr, self.value(expr.of))
            case m.CountOf() | m.SizeOf() | m.TopOf():
                return self._measure(expr)
            case m.SubbagSize() | m.SubbagCount():
                return self._subbag(expr)
            case m.RunColumn() | m.RunSize():
                return self._run(expr)
            case m.Neighbour():
                return op("mod", add(self.value(expr.player), K(expr.step)), K(self.seats))
            case m.Fold() | m.Pick():
                return self._fold(expr)
            case m.DefineCall():
                return self._call(expr)
            case _:
                return self._operation(expr)

    def _operation(
        self,
        expr: m.Negative | m.Not | m.Arithmetic | m.Quotient | m.Compare | m.Logic | m.Conditional,
    ) -> Value:
        match expr:
            case m.Negative():
                return op("sub", K(0), self.value(expr.operand))
            case m.Not():
                return fold.negate(self.value(expr.operand))
            case m.Arithmetic():
                return op(ARITHMETIC[expr.op], self.value(expr.left), self.value(expr.right))
            case m.Quotient():
                way = "ceildiv" if expr.up else "floordiv"
                return op(way, self.value(expr.left), self.value(expr.right))
            case m.Compare():
                return op(COMPARE[expr.op], self.value(expr.left), self.value(expr.right))
            case m.Logic():
                join = both if expr.op == "and" else fold.either
                return join(self.value(expr.left), self.value(expr.right))
            case m.Conditional():
                condition = self.value(expr.condition)
                return choose(condition, self.value(expr.then), self.value(expr.otherwise))
            case _:
                assert_never(expr)

    def _derived(
        self, expr: m.Made | m.Turned | m.Converted | m.IsA | m.BagSize | m.BagCount
    ) -> Value:
        match expr:
            case m.Made():
                arguments = [self.value(argument) for argument in expr.arguments]
                return derived.made(expr, arguments, self.registers)
            case m.Turned():
                return derived.turned(expr, self.value(expr.of))
            case m.Converted():
                return derived.converted(expr, self.value(expr.of), self.registers)
            case m.IsA():
                return derived.is_a(expr, self.value(expr.of), self.registers)
            case m.BagSize():
                return derived.bag_size(expr.bag.column, self.value(expr.bag.of))
            case m.BagCount():
                of, member = self.value(expr.bag.of), self.value(expr.member)
                return derived.bag_count(expr.bag.column, of, member)
            case _:
                assert_never(expr)

    def _measure(self, expr: m.CountOf | m.SizeOf | m.TopOf) -> Value:
        match expr:
            case m.CountOf():
                start = expr.place.zone.offset(expr.kind)
                member = add(self.value(expr.member), K(start))
                return self.with_place(
                    expr.place,
                    lambda at: held(self.registers, member, at.count),
                )
            case m.SizeOf():
                return self.with_place(expr.place, lambda at: at.size())
            case m.TopOf():
                return self.with_place(expr.place, lambda at: at.top(expr.span, expr.maybe))
            case _:
                assert_never(expr)

    def _subbag(self, expr: m.SubbagSize | m.SubbagCount) -> Value:
        counts = self.bags[id(expr.local)]
        if isinstance(expr, m.SubbagSize):
            total: Value = K(0)
            for count in counts:
                total = add(total, count)
            return total
        start = 0
        for kind in m.subbag_of(expr.local).kinds:
            if kind is expr.kind:
                break
            start += len(kind)
        member = self.value(expr.member)
        result: Value = K(0)
        for i in range(len(expr.kind)):
            result = choose(op("eq", member, K(i)), counts[start + i], result)
        return result

    def _run(self, expr: m.RunColumn | m.RunSize) -> Value:
        at, start = self.runs[id(expr.local)]
        run = expr.local.type
        assert isinstance(run, RunType)
        if isinstance(expr, m.RunColumn):
            return read(run.column, at.spot(start))
        return at.run_size(start, run.column)

    def _table(self, expr: m.TableRead) -> Value:
        arguments = [self.value(argument) for argument in expr.arguments]
        bounds = [self.bounds(domain) for domain in expr.table.domains]
        return table_row(expr, arguments, bounds, self.registers)

    def bounds(self, type: Type) -> tuple[int, int]:
        """The least and the greatest value of a type."""
        match type:
            case IntType():
                return type.low, type.high
            case KindType():
                return 0, len(type.kind) - 1
            case PlayerType():
                return 0, self.seats - 1
            case MaybeType():
                return NONE, self.bounds(type.inner)[1]
            case _:
                return 0, 1

    def _call(self, expr: m.DefineCall) -> Value:
        values = [self.value(argument) for argument in expr.arguments]

        def use(rest: list[m.Local], index: int) -> Value:
            if not rest:
                return self.value(expr.define.value)

            def bound(value: Value) -> Value:
                self.bind(rest[0], value)
                return use(rest[1:], index + 1)

            return held(self.registers, values[index], bound)

        return use(list(expr.define.formals), 0)

    # ---------------------------------------------------------------- folds

    def _fold(self, expr: m.Fold | m.Pick) -> Value:
        empty = None if expr.otherwise is None else self.value(expr.otherwise)
        if isinstance(expr, m.Fold):
            name = "sum" if expr.op == "count" else expr.op
            keys: tuple[m.Expr, ...] = ()
            if name in ("sum", "any", "all"):
                empty = K(int(name == "all"))
        else:
            name, keys = expr.op, expr.keys

        def finish(
            low: Value,
            high: Value,
            number: int,
            extra: Value | None,
            wrap: Callable[[Value], Value],
            weight: Value | None,
        ) -> Value:
            where = both(extra, None if expr.where is None else self.value(expr.where))
            body = self._image(expr)
            return Fold(
                name,
                number,
                low,
                high,
                None if where == fold.TRUE else wrap(where),
                wrap(body),
                weight if name == "sum" else None,
                tuple(wrap(self.value(key)) for key in keys),
                empty,
                expr.span,
            )

        return self.domain(expr.domain, expr.binder, finish)

    def _image(self, expr: m.Fold | m.Pick) -> Value:
        if isinstance(expr, m.Pick):
            return self.locals[id(expr.binder)]
        return K(1) if expr.body is None else self.value(expr.body)

    def domain(self, domain: m.Domain, binder: m.Local, finish: Finish) -> Value:
        """Bind a name to the members of a domain and finish with the range that stands for it.

        `finish` gets low, high (excluded), the register, a condition of membership, a wrapper
        that binds what must be worked out per member, and how often a member counts.
        """
        number = self.registers.new()
        x = R(number)

        def plain(value: Value) -> Value:
            return value

        match domain:
            case m.RangeDomain() if domain.maybe:
                low_end, high_end = self.value(domain.low), self.value(domain.high)
                return self._indexed(
                    low_end, lambda low: with_none(low, high_end), binder, number, finish
                )
            case m.NeighborsOf() | m.Beside() | m.InBag():
                of, members = indexed(domain)
                return self._indexed(self.value(of), members, binder, number, finish)
            case m.LinesOf():
                return self._lines(domain, binder, number, finish)
            case m.InLine():
                line = self.lines[id(domain.line)]
                self.bind(binder, line.member(x))
                return finish(K(0), K(line.length), number, None, plain, None)
            case m.RangeDomain():
                self.bind(binder, x)
                high = add(self.value(domain.high), K(1))
                return finish(self.value(domain.low), high, number, None, plain, None)
            case m.BoolDomain():
                self.bind(binder, x)
                return finish(K(0), K(2), number, None, plain, None)
            case m.KindDomain():
                self.bind(binder, x)
                low = K(NONE if domain.maybe else 0)
                return finish(low, K(len(domain.kind)), number, None, plain, None)
            case m.SeatsDomain():
                return self._seats(domain, binder, number, finish)
            case m.KindsOf() | m.ComponentsOf():
                return self.with_place(
                    domain.place,
                    lambda at: self._components(domain, binder, at, number, finish),
                )
            case m.RunsOf():

                def runs(at: PlaceAt) -> Value:
                    self.runs[id(binder)] = (at, x)
                    run = binder.type
                    assert isinstance(run, RunType)
                    begins = at.run_begins(x, run.column)
                    return finish(K(0), at.length, number, begins, plain, None)

                return self.with_place(domain.place, runs)
            case m.SubbagDomain():
                raise AssertionError("a choice of components is a parameter only")
            case _:
                assert_never(domain)

    def _indexed(
        self,
        on: Value,
        members: Callable[[Value], Listed],
        binder: m.Local,
        number: int,
        finish: Finish,
    ) -> Value:
        """A domain whose members stand for indexes; it depends on one value."""

        def use(known: Value) -> Value:
            first, end, at = members(known)
            self.bind(binder, at(R(number)))
            return finish(first, end, number, None, lambda value: value, None)

        return held(self.registers, on, use)

    def _lines(self, domain: m.LinesOf, binder: m.Local, number: int, finish: Finish) -> Value:
        length = self.value(domain.length)

        def use(through: Value | None) -> Value:
            first, end, line = grids.lines(domain, length, through)
            self.lines[id(binder)] = line(R(number))
            return finish(first, end, number, None, lambda value: value, None)

        if domain.through is None:
            return use(None)
        return held(self.registers, self.value(domain.through), use)

    def _seats(
        self,
        domain: m.SeatsDomain,
        binder: m.Local,
        number: int,
        finish: Finish,
    ) -> Value:
        low = K(int(domain.after))
        if domain.start is None and not domain.counterclockwise:
            self.bind(binder, R(number))
            return finish(low, K(self.seats), number, None, lambda value: value, None)

        def from_start(start: Value) -> Value:
            seat = self.registers.new()
            self.bind(binder, R(seat))
            way = "sub" if domain.counterclockwise else "add"
            turned = op("mod", op(way, start, R(number)), K(self.seats))
            return finish(
                low, K(self.seats), number, None, lambda value: With(seat, turned, value), None
            )

        start = K(0) if domain.start is None else self.value(domain.start)
        return held(self.registers, start, from_start)

    def _components(
        self,
        domain: m.KindsOf | m.ComponentsOf,
        binder: m.Local,
        at: PlaceAt,
        number: int,
        finish: Finish,
    ) -> Value:
        x = R(number)
        start = at.zone.offset(domain.kind)
        if isinstance(domain, m.ComponentsOf) and at.zone.shape is m.Shape.PILE:
            member = op("sub", at.spot(x), K(start))
            self.bind(binder, member)
            inside = None
            if len(at.zone.kinds) > 1:
                inside = both(op("ge", member, K(0)), op("lt", member, K(len(domain.kind))))
            return finish(K(0), at.length, number, inside, lambda value: value, None)
        self.bind(binder, x)
        member = add(x, K(start))
        each = isinstance(domain, m.ComponentsOf)
        return finish(
            K(0),
            K(len(domain.kind)),
            number,
            at.holds(member),
            lambda value: value,
            at.weight(member) if each else None,
        )
