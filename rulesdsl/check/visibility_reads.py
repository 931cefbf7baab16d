"""Which secrets an expression or a domain reads, names standing for who they stand for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, assert_never

from attrs import Factory, evolve, frozen

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import Column, KindType, PlayerType, RunType
from rulesdsl.check.owners import is_players
from rulesdsl.check.visibility_secrets import (
    EVERYBODY,
    NOBODY,
    OPEN,
    Apart,
    Audience,
    Key,
    Label,
    Secret,
    Unsaid,
    at,
    member_in,
    only,
    sees_size,
    sight_of,
    widen,
)
from rulesdsl.text.source import Span


@frozen(eq=False)
class Region:
    """A `together`: who takes part, what is written while it is open, counters from outside."""

    participant: Key
    single: bool
    written: frozenset[m.Scalar | m.Zone]
    counters: dict[m.Counter, Label]

    def disturbs(self, what: m.Scalar | m.Zone, owner: Key | None) -> bool:
        """Whether somebody else may be writing this just now."""
        mine = is_players(what) and owner == self.participant
        return not self.single and not mine and what in self.written


@frozen(eq=False)
class Ahead:
    """A loop `as many as possible`: its chooser, and what is told of the secrets that are read.

    What he may choose depends on all that the loop reads.
    """

    chooser: Key
    reads: Callable[[Label, Env], None]


@frozen(eq=False)
class Env:
    """What names stand for at a place in the rules.

    `own` are the names bound since the procedure began: what they stand for may change from one
    round of a loop to the next. `fixed` are players named by state that does not change here.
    `columns` are those that all see of a component that a name stands for.
    """

    keys: dict[m.Local, Key] = Factory(dict)
    labels: dict[m.Local, Label] = Factory(dict)
    columns: dict[m.Local, frozenset[Column]] = Factory(dict)
    counters: dict[m.Counter, Label] = Factory(dict)
    own: frozenset[m.Local] = frozenset()
    apart: Apart = frozenset()
    fixed: frozenset[Key] = frozenset()
    region: Region | None = None
    ahead: Ahead | None = None

    def bind(
        self,
        local: m.Local,
        label: Label,
        key: Key | None = None,
        columns: frozenset[Column] = frozenset(),
    ) -> Env:
        """With a name that stands for a value with these secrets, perhaps a known player."""
        return evolve(
            self,
            keys={**self.keys, local: key or Key("local", local)},
            labels={**self.labels, local: label},
            columns={**self.columns, local: columns},
            own=self.own | {local},
        )

    def differing(self, pairs: Apart) -> Env:
        return evolve(self, apart=self.apart | pairs) if pairs else self

    def stable(self, key: Key) -> bool:
        """Whether a name goes on meaning the same player."""
        return key in self.fixed or all(k.kind != "state" for k in key.parts())

    def lasting(self, label: Label) -> Label:
        """Secrets as they may be compared later, when state has changed."""
        return widen(label, lambda key: not self.stable(key))

    def entering(self) -> Env:
        """Within a procedure: nothing is bound since it began."""
        return evolve(self, own=frozenset(), counters={})


OnRead: TypeAlias = Callable[["m.Scalar | m.Zone", Span], None]


@frozen(eq=False)
class Reader:
    """Labels of expressions; `reads_other` is told of what others may be writing just now."""

    reads_other: OnRead

    def key(self, expr: m.Expr | None, env: Env) -> Key | None:
        """The player an expression names, None for none or for no player."""
        if isinstance(expr, m.MemberOf):
            return self.key(expr.player, env)
        if expr is None or not isinstance(expr.type, PlayerType):
            return None
        match expr:
            case m.LocalRead():
                return env.keys.get(expr.local, Key("local", expr.local))
            case m.Const():
                return Key("seat", expr.value)
            case m.Neighbour():
                return Key("neighbour", expr.step, self.key(expr.player, env))
            case m.ScalarRead() if (member := member_in(expr.key)) is not Unsaid.MEMBER:
                return Key("state", expr.scalar, self.key(expr.key, env), member)
            case _:
                return Key("other", id(expr))

    def lasting_key(self, expr: m.Expr, env: Env) -> Key | None:
        """The player, if the name goes on meaning the same one."""
        key = self.key(expr, env)
        return key if key is not None and env.stable(key) else None

    def state(
        self, what: m.Scalar | m.Zone, owner: m.Expr | None, sight: Audience, span: Span, env: Env
    ) -> Label:
        """What reading a piece of state tells that only `sight` see."""
        key = self.key(owner, env)
        region = env.region
        if region is not None and region.disturbs(what, key):
            self.reads_other(what, span)
        label = OPEN if owner is None else self.label(owner, env)
        if sight == EVERYBODY:
            return label
        secret = Secret(sight, what, key, False, member_in(owner), span=span)
        return label | self._read(frozenset((secret,)), env)

    @staticmethod
    def _read(label: Label, env: Env) -> Label:
        """Secrets that are read just here."""
        if env.ahead is not None:
            env.ahead.reads(label, env)
        return label

    def content(self, place: m.Place, span: Span, env: Env) -> Label:
        key = self.key(place.key, env)
        return self.state(place.zone, place.key, sight_of(place.zone, key), span, env)

    def size(self, place: m.Place, span: Span, env: Env) -> Label:
        key = self.key(place.key, env)
        return self.state(place.zone, place.key, sees_size(place.zone, key), span, env)

    def all(self, exprs: tuple[m.Expr | None, ...], env: Env) -> Label:
        label: Label = OPEN
        for expr in exprs:
            if expr is not None:
                label |= self.label(expr, env)
        return label

    def label(self, expr: m.Expr, env: Env) -> Label:
        """The secrets that an expression reads."""
        match expr:
            case m.Const() | m.OptionRead() | m.PlayerCount():
                return OPEN
            case m.LocalRead():
                return self._read(at(env.labels.get(expr.local, OPEN), expr.span), env)
            case m.SubbagSize() | m.SubbagCount() | m.RunColumn() | m.RunSize():
                member = expr.member if isinstance(expr, m.SubbagCount) else None
                own = self._read(at(env.labels.get(expr.local, OPEN), expr.span), env)
                return own | self.all((member,), env)
            case m.CounterRead():
                return self._read(at(env.counters.get(expr.counter, OPEN), expr.span), env)
            case m.MemberOf():
                return self.all((expr.player, expr.member), env)
            case m.ScalarRead():
                sight = sight_of(expr.scalar, self.key(expr.key, env))
                return self.state(expr.scalar, expr.key, sight, expr.span, env)
            case m.CountOf():
                return self.content(expr.place, expr.span, env) | self.label(expr.member, env)
            case m.SizeOf():
                return self.size(expr.place, expr.span, env)
            case m.TopOf():
                if expr.place.zone.top_seen:
                    return self.state(expr.place.zone, expr.place.key, EVERYBODY, expr.span, env)
                return self.content(expr.place, expr.span, env)
            case m.Fold() | m.Pick():
                return self._fold(expr, env)
            case m.DefineCall():
                return self._call(expr, env)
            case _:
                return self._operation(expr, env)

    def _operation(
        self,
        expr: m.ColumnRead
        | m.TableRead
        | m.Between
        | m.EndOf
        | m.Made
        | m.Turned
        | m.Toward
        | m.Converted
        | m.IsA
        | m.BagSize
        | m.BagCount
        | m.Neighbour
        | m.Negative
        | m.Not
        | m.Arithmetic
        | m.Quotient
        | m.Compare
        | m.Logic
        | m.Conditional,
        env: Env,
    ) -> Label:
        match expr:
            case m.ColumnRead():
                return self.column(expr.of, expr.column, env)
            case m.TableRead():
                return self.all(expr.arguments, env)
            case m.Between():
                return self.all((expr.left, expr.right), env)
            case m.EndOf():
                return self.all((expr.of, expr.end), env)
            case m.Made():
                return self.all(expr.arguments, env)
            case m.Turned() | m.Toward() | m.Converted() | m.IsA():
                return self.label(expr.of, env)
            case m.BagSize():
                return self.label(expr.bag.of, env)
            case m.BagCount():
                return self.all((expr.bag.of, expr.member), env)
            case m.Neighbour():
                return self.label(expr.player, env)
            case m.Negative() | m.Not():
                return self.label(expr.operand, env)
            case m.Arithmetic() | m.Quotient() | m.Compare() | m.Logic():
                return self.all((expr.left, expr.right), env)
            case m.Conditional():
                return self.all((expr.condition, expr.then, expr.otherwise), env)
            case _:
                assert_never(expr)

    def _call(self, expr: m.DefineCall, env: Env) -> Label:
        inner = env
        for local, argument in zip(expr.define.formals, expr.arguments, strict=True):
            label, key = self.label(argument, env), self.key(argument, env)
            inner = inner.bind(local, label, key, self.open_columns(argument, env))
        return at(self.label(expr.define.value, inner), expr.span)

    def _fold(self, expr: m.Fold | m.Pick, env: Env) -> Label:
        label = self._gone_through(expr, env) | self.all((expr.otherwise,), env)
        if isinstance(expr, m.Pick):
            label |= self.leaving(self.domain(expr.domain, env), expr.binder, expr.domain, env)
        return at(label, expr.span)

    def _gone_through(self, expr: m.Fold | m.Pick, env: Env) -> Label:
        """What is read on the way through a domain; what is found there is not yet told."""
        domain = self.domain(expr.domain, env)
        told, columns = domain, _columns_of(expr.domain, expr.binder)
        if columns:
            assert isinstance(expr.domain, (m.ComponentsOf, m.RunsOf))
            told = self.size(expr.domain.place, expr.domain.place.span, env)
        value = told if isinstance(expr.domain, m.RunsOf) else domain
        inner = self.member(env, expr.binder, expr.domain, expr.where, value, columns)
        parts = (expr.body,) if isinstance(expr, m.Fold) else expr.keys
        label = told | self.all((expr.where, *parts), inner)
        return self.leaving(label, expr.binder, expr.domain, env)

    # ---------------------------------------------------------------- columns that all see

    def column(self, of: m.Expr, column: Column, env: Env) -> Label:
        """The secrets that a column of a component tells, where not all see the component."""
        match of:
            case m.LocalRead() if column in env.columns.get(of.local, ()):
                return OPEN
            case m.TopOf(place=place) if column in place.zone.columns_seen:
                return self.size(place, of.span, env)
            case m.Pick(domain=m.ComponentsOf(place=place)) if column in place.zone.columns_seen:
                if place.zone.shape is m.Shape.BAG:
                    # which of several it is depends on more than their columns
                    return self.label(of, env)
                label = self._gone_through(of, env)
                if of.otherwise is not None:
                    label |= self.column(of.otherwise, column, env)
                return at(label, of.span)
            case m.Conditional():
                label = self.column(of.then, column, env) | self.column(of.otherwise, column, env)
                return label | self.label(of.condition, env)
            case _:
                return self.label(of, env)

    def open_columns(self, expr: m.Expr, env: Env) -> frozenset[Column]:
        """The columns that all see of a component, though not all see which one it is."""
        if not isinstance(expr.type, KindType):
            return frozenset()
        columns = expr.type.kind.columns.values()
        return frozenset(one for one in columns if self.column(expr, one, env) == OPEN)

    def member(
        self,
        env: Env,
        binder: m.Local,
        domain: m.Domain,
        where: m.Expr | None,
        label: Label,
        columns: frozenset[Column] = frozenset(),
    ) -> Env:
        """Within a loop, fold or choice over a domain with these secrets."""
        inner = env.bind(binder, label, columns=columns)
        pairs: set[frozenset[Key]] = set()
        if isinstance(domain, m.SeatsDomain) and domain.after and domain.start is not None:
            start = self.lasting_key(domain.start, env)
            pairs |= set() if start is None else {frozenset((Key("local", binder), start))}
        return inner.differing(frozenset(pairs) | self.unequal(where, inner))

    def unequal(self, where: m.Expr | None, env: Env) -> Apart:
        """The players that a condition says are different."""
        match where:
            case m.Logic(op="and"):
                return self.unequal(where.left, env) | self.unequal(where.right, env)
            case m.Compare(op="!="):
                left, right = self.key(where.left, env), self.key(where.right, env)
                if left is None or right is None or not (env.stable(left) and env.stable(right)):
                    return frozenset()
                return frozenset((frozenset((left, right)),))
            case _:
                return frozenset()

    def leaving(self, label: Label, binder: m.Local, domain: m.Domain, env: Env) -> Label:
        """Secrets of all members of a domain, once its name is no longer bound."""
        known = NOBODY
        if isinstance(domain, m.SeatsDomain) and domain.after and domain.start is not None:
            start = self.lasting_key(domain.start, env)
            known = NOBODY if start is None else only(start)
        return widen(label, lambda key: binder in key.locals, known)

    def domain(self, domain: m.Domain, env: Env) -> Label:
        """The secrets that say which members a domain has."""
        match domain:
            case m.RangeDomain():
                return self.all((domain.low, domain.high), env)
            case m.BoolDomain() | m.KindDomain():
                return OPEN
            case m.NeighborsOf() | m.Beside():
                return self.label(domain.of, env)
            case m.LinesOf():
                return self.all((domain.length, domain.through), env)
            case m.InLine(line=line):
                return self._read(env.labels.get(line, OPEN), env)
            case m.InBag():
                return self.label(domain.bag.of, env)
            case m.SeatsDomain():
                return self.all((domain.start,), env)
            case m.KindsOf() | m.ComponentsOf() | m.RunsOf():
                return self.content(domain.place, domain.place.span, env)
            case m.SubbagDomain():
                content = self.content(domain.place, domain.place.span, env)
                return content | self.all((domain.low, domain.high), env)
            case _:
                assert_never(domain)


def _columns_of(domain: m.Domain, binder: m.Local) -> frozenset[Column]:
    """The columns that all see of what an aggregate goes through: components, or their runs."""
    match domain:
        case m.ComponentsOf(place=place):
            return frozenset(place.zone.columns_seen)
        case m.RunsOf(place=place) if isinstance(binder.type, RunType):
            return frozenset({binder.type.column} & {*place.zone.columns_seen})
        case _:
            return frozenset()
