"""What expressions mean, worked out straight from the checked model (see meaning.py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeAlias, assert_never

from attrs import Factory, define

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import (
    IntType,
    KindType,
    MaybeType,
    PlayerType,
    RunType,
    SubbagType,
    Type,
)
from rulesdsl.text.source import Span
from tests import meaning_grids as grids

Component: TypeAlias = tuple[m.Kind, int]
Env: TypeAlias = dict[Any, Any]
"""What names stand for: a number; for components chosen a Counter; for a run (column, members);
for a line its members."""


class Fault(Exception):
    """The rules cannot go on."""

    def __init__(self, kind: str, span: Span) -> None:
        super().__init__(f"{kind} at {span}")
        self.kind = kind
        self.span = span


@define(eq=False)
class Pile:
    """Components in a place: in order from the bottom if it has one, in a deck None if unknown."""

    order: list[Component | None] = Factory(list)
    pool: Counter[Component] = Factory(Counter)
    """The components without a known place: all of a bag, the unknown ones of a deck."""
    said: list[dict[str, int]] = Factory(list)
    """What is said about each component in order."""

    def insert(self, index: int, component: Component | None) -> None:
        self.order.insert(index, component)
        self.said.insert(index, {})

    def append(self, component: Component | None) -> None:
        self.insert(len(self.order), component)

    def pop(self, index: int = -1) -> Component | None:
        self.said.pop(index)
        return self.order.pop(index)


def members(kinds: tuple[m.Kind, ...]) -> list[Component]:
    return [(kind, i) for kind in kinds for i in range(len(kind))]


def name_in(kinds: tuple[m.Kind, ...], component: Component) -> str:
    """The name of a component, with its kind where two kinds of the place have it."""
    kind, i = component
    name = kind.members[i]
    alike = sum(name in other.members for other in kinds)
    return f"{kind.name}.{name}" if alike > 1 else name


def joins(kind: m.Kind) -> m.Joins:
    assert kind.joins is not None
    return kind.joins


def kind_of(type_: Type) -> m.Kind:
    inner = type_.inner if isinstance(type_, MaybeType) else type_
    assert isinstance(inner, KindType)
    return inner.kind


def bounds(type_: Type, seats: int) -> tuple[int, int]:
    match type_:
        case IntType():
            return type_.low, type_.high
        case KindType():
            return 0, len(type_.kind) - 1
        case PlayerType():
            return 0, seats - 1
        case MaybeType():
            return -1, bounds(type_.inner, seats)[1]
        case _:
            return 0, 1


@define(eq=False)
class Values:
    """The state by its declarations, and what can be asked of it."""

    model: m.Model
    seats: int
    options: dict[str, int]
    scalars: dict[m.Scalar, list[int]] = Factory(dict)
    zones: dict[m.Zone, list[Pile]] = Factory(dict)

    def copies(self, what: m.Scalar | m.Zone) -> int:
        match what.per:
            case m.Kind():
                return len(what.per)
            case m.PlayerAnd():
                return self.seats * len(what.per.kind)
            case _:
                return self.seats if what.per == "player" else 1

    @staticmethod
    def bind_owner(owner: m.Owner | None, what: m.Scalar | m.Zone, copy: int, env: Env) -> None:
        """The names of a trigger for whose something is."""
        if owner is None:
            return
        env[owner.local] = copy
        if isinstance(what.per, m.PlayerAnd):
            env[owner.local], env[owner.member] = divmod(copy, len(what.per.kind))

    def begin(self) -> None:
        """Everything as it is before the game."""
        for scalar in self.model.scalars.values():
            self.scalars[scalar] = [self._start(scalar, i) for i in range(self.copies(scalar))]
        for zone in self.model.zones.values():
            self.zones[zone] = [self._filled(zone) for _ in range(self.copies(zone))]

    def _start(self, scalar: m.Scalar, copy: int) -> int:
        if scalar.start is not None:
            own = copy
            if isinstance(scalar.per, m.PlayerAnd):
                own = copy % len(scalar.per.kind)
            return self.value(scalar.start, {scalar.owner: own})
        return self.unsaid(scalar.type)

    def _filled(self, zone: m.Zone) -> Pile:
        place = Pile()
        counts = [n for part in zone.start for n in part]
        lying = [c for c, n in zip(members(zone.kinds), counts, strict=False) for _ in range(n)]
        if zone.shape in (m.Shape.BAG, m.Shape.DECK):
            place.pool.update(lying)
        if zone.shape is not m.Shape.BAG:
            for component in lying:
                place.append(None if zone.shape is m.Shape.DECK else component)
        return place

    def unsaid(self, type_: Type) -> int:
        """The value nearest to 0, or none."""
        low, high = bounds(type_, self.seats)
        return -1 if isinstance(type_, MaybeType) else max(low, min(0, high))

    # ---------------------------------------------------------------- places

    def at(self, place: m.Place, env: Env) -> Pile:
        return self.zones[place.zone][self.owner(place.key, env)]

    def owner(self, key: m.Expr | None, env: Env) -> int:
        return 0 if key is None else self.value(key, env)

    @staticmethod
    def size(zone: m.Zone, place: Pile) -> int:
        return place.pool.total() if zone.shape is m.Shape.BAG else len(place.order)

    @staticmethod
    def count(place: Pile, component: Component) -> int:
        return place.pool[component] + place.order.count(component)

    def top(self, expr: m.TopOf, env: Env) -> int:
        order = self.at(expr.place, env).order
        if order:
            assert order[-1] is not None
            return order[-1][1]
        if expr.maybe:
            return -1
        raise Fault("empty", expr.span)

    # ---------------------------------------------------------------- expressions

    def truth(self, expr: m.Expr | None, env: Env) -> bool:
        """A condition; none at all always holds."""
        return expr is None or self.value(expr, env) != 0

    def value(self, expr: m.Expr, env: Env) -> int:
        match expr:
            case m.Const():
                return expr.value
            case m.LocalRead():
                return int(env[expr.local])
            case m.CounterRead():
                return int(env[expr.counter])
            case m.OptionRead():
                return self.options[expr.option.name]
            case m.PlayerCount():
                return self.seats
            case m.MemberOf():
                before = len(expr.kind) * self.value(expr.player, env)
                return before + self.value(expr.member, env)
            case m.ScalarRead():
                return self.scalars[expr.scalar][self.owner(expr.key, env)]
            case m.ColumnRead():
                return expr.column.values[self.value(expr.of, env)]
            case m.TableRead():
                return self._table(expr, env)
            case m.Between():
                return self._between(expr, env)
            case m.EndOf():
                pair = joins(expr.kind).ends[self.value(expr.of, env)]
                return int(self.value(expr.end, env) in pair)
            case m.Made() | m.Turned() | m.Converted() | m.IsA() | m.BagSize() | m.BagCount():
                return self._derived(expr, env)
            case m.Toward():
                return grids.toward(expr.kind, self.value(expr.of, env), expr.direction)
            case m.CountOf():
                place = self.at(expr.place, env)
                return self.count(place, (expr.kind, self.value(expr.member, env)))
            case m.SizeOf():
                return self.size(expr.place.zone, self.at(expr.place, env))
            case m.TopOf():
                return self.top(expr, env)
            case m.SubbagSize():
                return int(env[expr.local].total())
            case m.SubbagCount():
                return int(env[expr.local][expr.kind, self.value(expr.member, env)])
            case m.RunColumn():
                column, run = env[expr.local]
                return int(column.values[run[0]])
            case m.RunSize():
                return len(env[expr.local][1])
            case m.Neighbour():
                return (self.value(expr.player, env) + expr.step) % self.seats
            case m.Fold():
                return self._fold(expr, env)
            case m.Pick():
                return self._pick(expr, env)
            case m.DefineCall():
                arguments = [self.value(argument, env) for argument in expr.arguments]
                env.update(zip(expr.define.formals, arguments, strict=True))
                return self.value(expr.define.value, env)
            case _:
                return self._operation(expr, env)

    def _operation(
        self,
        expr: m.Negative | m.Not | m.Arithmetic | m.Quotient | m.Compare | m.Logic | m.Conditional,
        env: Env,
    ) -> int:
        match expr:
            case m.Negative():
                return -self.value(expr.operand, env)
            case m.Not():
                return int(not self.truth(expr.operand, env))
            case m.Logic():
                if self.truth(expr.left, env) == (expr.op == "or"):
                    return int(expr.op == "or")
                return int(self.truth(expr.right, env))
            case m.Conditional():
                chosen = expr.then if self.truth(expr.condition, env) else expr.otherwise
                return self.value(chosen, env)
            case m.Quotient():
                left, right = self.value(expr.left, env), self.value(expr.right, env)
                return -(-left // right) if expr.up else left // right
            case m.Compare() | m.Arithmetic():
                left, right = self.value(expr.left, env), self.value(expr.right, env)
                return _binary(expr.op, left, right)
            case _:
                assert_never(expr)

    def _derived(
        self,
        expr: m.Made | m.Turned | m.Converted | m.IsA | m.BagSize | m.BagCount,
        env: Env,
    ) -> int:
        """By the names of members, not by their numbers."""
        match expr:
            case m.Made():
                wanted = [self.value(argument, env) for argument in expr.arguments]
                for member in range(len(expr.kind)):
                    if [column.values[member] for column in expr.kind.made] == wanted:
                        return member
                raise Fault("row", expr.span)
            case m.Turned():
                members = range(len(expr.kind))
                return members[(self.value(expr.of, env) + expr.step) % len(members)]
            case m.Converted():
                member = self.value(expr.of, env)
                if member < 0:
                    return member
                return kind_of(expr.type).members.index(kind_of(expr.of.type).members[member])
            case m.IsA():
                member = self.value(expr.of, env)
                return int(
                    member >= 0 and kind_of(expr.of.type).members[member] in expr.kind.members
                )
            case m.BagSize():
                return len(list(self.bag(expr.bag, env)))
            case m.BagCount():
                return list(self.bag(expr.bag, env)).count(self.value(expr.member, env))
            case _:
                assert_never(expr)

    def bag(self, bag: m.Bag, env: Env) -> list[int]:
        """What is in a bag of a column, equal ones beside each other."""
        counts = bag.column.counts[self.value(bag.of, env)]
        return [x for x, number in enumerate(counts) for _ in range(number)]

    def _table(self, expr: m.TableRead, env: Env) -> int:
        key = [self.value(argument, env) for argument in expr.arguments]
        if expr.table.open_from is not None:
            key[0] = min(key[0], expr.table.open_from)
        if tuple(key) not in expr.table.cells:
            raise Fault("row", expr.span)
        return expr.table.cells[tuple(key)]

    def _between(self, expr: m.Between, env: Env) -> int:
        two = {self.value(expr.left, env), self.value(expr.right, env)}
        for member, ends in enumerate(joins(expr.kind).ends):
            if two == set(ends):
                return member
        raise Fault("row", expr.span)

    # ---------------------------------------------------------------- folds

    def _fold(self, expr: m.Fold, env: Env) -> int:
        def bodies() -> Iterator[tuple[int, int]]:
            for member, times in self.bound(expr.domain, expr.binder, env):
                env[expr.binder] = member
                if self.truth(expr.where, env):
                    yield (1 if expr.body is None else self.value(expr.body, env)), times

        if expr.op in ("sum", "count"):
            return sum(value * times for value, times in bodies())
        if expr.op == "any":
            return int(any(value for value, _ in bodies()))
        if expr.op == "all":
            return int(all(value for value, _ in bodies()))
        found = [value for value, _ in bodies()]
        if not found:
            return self._nothing(expr, env)
        return max(found) if expr.op == "max" else min(found)

    def _pick(self, expr: m.Pick, env: Env) -> int:
        best: tuple[tuple[int, ...], int] | None = None
        for member, _ in self.bound(expr.domain, expr.binder, env):
            env[expr.binder] = member
            if not self.truth(expr.where, env):
                continue
            if expr.op == "first":
                return int(member)
            keys = tuple(self.value(key, env) for key in expr.keys)
            if best is None or keys > best[0]:
                best = keys, member
        return self._nothing(expr, env) if best is None else int(best[1])

    def _nothing(self, expr: m.Fold | m.Pick, env: Env) -> int:
        if expr.otherwise is None:
            raise Fault("empty", expr.span)
        return self.value(expr.otherwise, env)

    def bound(self, domain: m.Domain, binder: m.Local, env: Env) -> Iterator[tuple[Any, int]]:
        if isinstance(domain, m.RunsOf):
            assert isinstance(binder.type, RunType)
            yield from ((run, 1) for run in runs(binder.type.column, self.at(domain.place, env)))
        else:
            yield from self.domain(domain, env)

    def domain(self, domain: m.Domain, env: Env) -> Iterator[tuple[Any, int]]:
        """The members of a domain in order, each with how often it counts."""
        match domain:
            case m.RangeDomain():
                low, high = self.value(domain.low, env), self.value(domain.high, env)
                if domain.maybe:
                    yield -1, 1
                yield from ((x, 1) for x in range(low, high + 1))
            case m.NeighborsOf():
                here, links = self.value(domain.of, env), joins(domain.by).ends
                for x in range(len(joins(domain.by).kind)):
                    if any({here, x} == set(ends) for ends in links):
                        yield x, 1
            case m.Beside():
                yield from ((x, 1) for x in grids.beside(domain, self.value(domain.of, env)))
            case m.LinesOf():
                for line in grids.lines(domain.kind, self.value(domain.length, env)):
                    if domain.through is None or self.value(domain.through, env) in line:
                        yield line, 1
            case m.InLine():
                yield from ((x, 1) for x in env[domain.line])
            case m.BoolDomain():
                yield from ((0, 1), (1, 1))
            case m.KindDomain():
                yield from ((x, 1) for x in range(-int(domain.maybe), len(domain.kind)))
            case m.SeatsDomain():
                yield from ((seat, 1) for seat in self.round(domain, env))
            case m.KindsOf():
                place = self.at(domain.place, env)
                for i in range(len(domain.kind)):
                    if self.count(place, (domain.kind, i)):
                        yield i, 1
            case m.InBag(distinct=True):
                yield from ((x, 1) for x in dict.fromkeys(self.bag(domain.bag, env)))
            case m.InBag():
                yield from ((x, 1) for x in self.bag(domain.bag, env))
            case m.ComponentsOf():
                yield from self._components(domain, self.at(domain.place, env))
            case m.RunsOf():
                raise AssertionError("runs are asked for with their column")
            case m.SubbagDomain():
                yield from self._subbags(domain, env)
            case _:
                assert_never(domain)

    def round(self, seats: m.SeatsDomain, env: Env) -> list[int]:
        """Seats once round the table."""
        start = 0 if seats.start is None else self.value(seats.start, env)
        step = -1 if seats.counterclockwise else 1
        return [(start + step * i) % self.seats for i in range(int(seats.after), self.seats)]

    @staticmethod
    def _components(domain: m.ComponentsOf, place: Pile) -> Iterator[tuple[int, int]]:
        if domain.place.zone.shape is m.Shape.PILE:
            for component in list(place.order):
                if component is not None and component[0] is domain.kind:
                    yield component[1], 1
            return
        for i in range(len(domain.kind)):
            number = Values.count(place, (domain.kind, i))
            if number:
                yield i, number

    def _subbags(self, domain: m.SubbagDomain, env: Env) -> Iterator[tuple[Any, int]]:
        """Choices of components, few of the first member before many."""
        low, high = self.value(domain.low, env), self.value(domain.high, env)
        place = self.at(domain.place, env)
        choices: list[Counter[Component]] = [Counter()]
        for component in members(domain.place.zone.kinds):
            there = self.count(place, component)
            choices = [
                choice + Counter({component: n})
                for choice in choices
                for n in range(there + 1)
                if choice.total() + n <= high
            ]
        yield from ((choice, 1) for choice in choices if choice.total() >= low)


def runs(column: m.Column, place: Pile) -> list[tuple[m.Column, list[int]]]:
    """The stretches of neighbours in a pile that are equal in a column."""
    found: list[tuple[m.Column, list[int]]] = []
    for component in place.order:
        assert component is not None
        i = component[1]
        if found and column.values[found[-1][1][0]] == column.values[i]:
            found[-1][1].append(i)
        else:
            found.append((column, [i]))
    return found


def _binary(op: str, left: int, right: int) -> int:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "min":
            return min(left, right)
        case "max":
            return max(left, right)
        case "==":
            return int(left == right)
        case "!=":
            return int(left != right)
        case "<":
            return int(left < right)
        case "<=":
            return int(left <= right)
        case ">":
            return int(left > right)
        case _:
            assert op == ">="
            return int(left >= right)


def label(name: str, arguments: list[tuple[str, str]]) -> str:
    """A move as it is written: the first argument bare, the others with their names."""
    parts = [value if i == 0 else f"{key} {value}" for i, (key, value) in enumerate(arguments)]
    return " ".join([name, ", ".join(parts)]) if parts else name


def say(type_: Type, value: Any, seat_names: tuple[str, ...]) -> str:
    """A value in words."""
    match type_:
        case SubbagType():
            parts = [
                (name if n == 1 else f"{n} {name}")
                for component in members(type_.kinds)
                if (n := value[component])
                for name in [name_in(type_.kinds, component)]
            ]
            return " ".join(parts) or "nothing"
        case KindType():
            return type_.kind.members[int(value)]
        case PlayerType():
            return seat_names[int(value)]
        case MaybeType():
            return "none" if value < 0 else say(type_.inner, value, seat_names)
        case IntType():
            return str(value)
        case _:
            return "true" if value else "false"
