"""Names in expressions: locals, state, members, columns, options; and places."""

from __future__ import annotations

from abc import abstractmethod

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.context import BOOL, PLAYER, Context, in_words, replaced
from rulesdsl.check.datatypes import (
    NONE,
    KindType,
    LineType,
    MaybeType,
    NoneType,
    RunType,
    SubbagType,
    Type,
    joins_of,
)
from rulesdsl.check.including import widened
from rulesdsl.check.intervals import fits
from rulesdsl.check.owned import Owned
from rulesdsl.check.owners import kind_of_pair
from rulesdsl.check.scopes import Scope
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Second
from rulesdsl.text.source import Span

_WORDS: dict[str, tuple[Type, int]] = {
    "true": (BOOL, 1),
    "false": (BOOL, 0),
    "none": (NoneType(), NONE),
}


@define(eq=False, slots=False)
class Names(Owned):
    """The part of the checker that binds names."""

    c: Context

    def name(self, node: t.Name, scope: Scope, expected: Type | None) -> m.Expr | None:
        """A bare word: what it means depends on what is declared and on the type expected."""
        name, span, model = node.text, node.span, self.c.model
        if name in _WORDS:
            type_, value = _WORDS[name]
            return m.Const(span, type_, value)
        bound = scope.find(name)
        if bound is not None:
            return self._bound(bound, span, scope)
        if name in self.c.broken:
            return None
        if name in self.c.later:
            self.c.add(
                "not-constant", span, f"the option {name} is not known yet where this stands"
            )
            return None
        member = self._member(name, span, expected)
        if member is not None:
            return member
        if ("shared", name) in model.scalars:
            scalar = self.c.scalar("shared", name)
            assert scalar is not None
            return m.ScalarRead(span, scalar.type, scalar, None)
        if ("shared", name) in model.zones:
            place = self.place(node, scope)
            return None if place is None else self.component(place)
        if name in model.defines:
            return self.define_call(node.span, t.Word(span, name), (), scope)
        if name in model.options:
            option = model.options[name]
            self.c.use(option)
            return m.OptionRead(span, option.type, option)
        if name in self.c.seats:
            return m.Const(span, PLAYER, self.c.seats[name])
        return self._loose_member(node, scope)

    def _bound(
        self, bound: m.Local | m.Counter | m.Const, span: Span, scope: Scope
    ) -> m.Expr | None:
        self.c.use(bound)
        match bound:
            case m.Const():
                return m.Const(span, bound.type, bound.value)
            case m.Counter():
                return m.CounterRead(span, bound.type, bound)
            case m.Local() if self.c.is_unsound(bound):
                return None
            case m.Local():
                type_ = scope.type_of(bound)
                if isinstance(type_, (SubbagType, RunType, LineType)):
                    help_ = f"size of {bound.name}"
                    if isinstance(type_, LineType):
                        help_ = f"all(... for cell in {bound.name})"
                    self.c.add("wrong-type", span, f"this is {type_}, not a value", help=help_)
                    return None
                return _as_narrow(m.LocalRead(span, type_, bound))

    def _member(self, name: str, span: Span, expected: Type | None) -> m.Expr | None:
        """A member of the kind that is expected here."""
        if isinstance(expected, MaybeType):
            expected = expected.inner
        if isinstance(expected, KindType) and name in expected.kind.members:
            self.c.use(expected.kind)
            return m.Const(span, expected, expected.kind.members.index(name))
        return None

    def _loose_member(self, node: t.Name, scope: Scope) -> m.Expr | None:
        """A member where no kind is expected: of the only kind that has it of its own."""
        kinds = self.c.kinds_with(node.text)
        kinds = [one for one in kinds if not any(one.start_of(k) is not None for k in kinds)]
        if len(kinds) == 1:
            self.c.use(kinds[0])
            return m.Const(node.span, KindType(kinds[0]), kinds[0].members.index(node.text))
        if kinds:
            names = " and ".join(kind.name for kind in kinds)
            self.c.add(
                "ambiguous-member",
                node.span,
                f"{names} have a member of this name",
                help=replaced(node.span, f"{kinds[0].name}.{node.text}"),
            )
            return None
        self._not_here(node, scope)
        return None

    def _not_here(self, node: t.Name, scope: Scope) -> None:
        """Why a word means nothing here."""
        name, model = node.text, self.c.model
        state: dict[tuple[str, str], m.Scalar | m.Zone] = {**model.scalars, **model.zones}
        owned = [(s, thing) for (s, n), thing in state.items() if n == name and s != "shared"]
        if owned:
            self.whose(node, *owned[0], scope)
        elif name in model.kinds:
            self.c.add("wrong-type", node.span, f"{name} is a kind, not a value")
        elif name in model.tables:
            self.c.add("wrong-type", node.span, f"{name} is a table: say which row, {name}[...]")
        else:
            self.c.unknown(node.span, name, scope)

    def is_bare_member(self, node: t.Expr, scope: Scope) -> bool:
        """Whether a word has a meaning only as a member of a kind."""
        if not isinstance(node, t.Name) or node.text in _WORDS:
            return False
        model = self.c.model
        return not (
            scope.find(node.text)
            or ("shared", node.text) in model.scalars
            or ("shared", node.text) in model.zones
            or node.text in model.defines
            or node.text in model.options
        )

    # ---------------------------------------------------------------- what belongs to something

    def dot(self, node: t.Dot, scope: Scope) -> m.Expr | None:
        """`p.money`, `g.minimum`, `Kind.member`, `run.good`."""
        kinds = self.c.model.kinds
        if isinstance(node.base, t.Name) and node.base.text in kinds:
            kind = kinds[node.base.text]
            self.c.use(kind)
            if node.name.text in kind.members:
                return m.Const(node.span, KindType(kind), kind.members.index(node.name.text))
            self._no_such(node.name, f"{kind.name} has no member", list(kind.members))
            return None
        run = self._run(node.base, scope)
        if run is not None:
            return self._run_column(node, run)
        if self._reads_note(node, scope):
            return None
        base = self.expr(node.base, scope)
        if base is None:
            return None
        return self.field(base, node.name, node.span)

    def _reads_note(self, node: t.Dot, scope: Scope) -> bool:
        """A note on a place, which rules and texts do not read; told."""
        name = node.name.text
        if not any(name == n.name for zone in self.c.model.zones.values() for n in zone.notes):
            return False
        place = self.find_place(node.base, scope)
        notes = () if place is None else place.zone.notes
        note = next((n for n in notes if n.name == name), None)
        if note is None:
            return False
        told = (
            f"{name} is a note on what lies in {note.zone.name}: it binds nobody, no rule reads it"
        )
        second = Second(note.span, "said here about each component")
        self.c.add("spoken-read", node.span, told, second=second)
        return True

    def field(self, base: m.Expr, name: t.Word, span: Span) -> m.Expr | None:
        """A column of a member, or what belongs to a player or member in the state."""
        if isinstance(base.type, KindType) and name.text in base.type.kind.columns:
            column = base.type.kind.columns[name.text]
            self.c.use(column)
            return m.ColumnRead(span, column.type, column, base)
        if isinstance(base.type, KindType) and name.text in base.type.kind.bags:
            self._no_value(name.text, "bag", span)
            return None
        base = self._owning(base, name.text)
        section = self.c.per(base.type)
        if section is None:
            self._has_no(base, name)
            return None
        scalar, zone = self.c.scalar(section, name.text), self.c.zone(section, name.text)
        found = scalar or zone
        kind = None if found is None else kind_of_pair(found)
        if found is not None and kind is not None:
            self.say_which(span, found, kind)
            return None
        if scalar is not None:
            return m.ScalarRead(span, scalar.type, scalar, base)
        if zone is not None:
            return self.component(m.Place(span, zone, base))
        known = [n for s, n in (*self.c.model.scalars, *self.c.model.zones) if s == section]
        if isinstance(base.type, KindType):
            known += [*base.type.kind.columns, *base.type.kind.bags]
        who = "a player" if section == "player" else f"a {section}"
        self._no_such(name, f"{who} has no", known)
        return None

    def _owning(self, base: m.Expr, name: str) -> m.Expr:
        """A member as one of the kind each member of which has something of this name."""
        if not isinstance(base.type, KindType):
            return base
        own, model = base.type.kind, self.c.model
        owners = [own, *(kind for kind in model.kinds.values() if kind.start_of(own) is not None)]
        for kind in sorted(owners, key=len):
            if (kind.name, name) in model.scalars or (kind.name, name) in model.zones:
                return widened(base, KindType(kind))
        return base

    def _has_no(self, base: m.Expr, name: t.Word) -> None:
        if isinstance(base.type, MaybeType):
            self.c.may_be_none(base)
            return
        self.c.wrong_type(base.span, base.type, f"something that has a {name.text}")

    def _no_such(self, name: t.Word, note: str, known: list[str]) -> None:
        self.c.missing(name.span, name.text, known, f"{note} {name.text}")

    # ---------------------------------------------------------------- runs

    def _run(self, node: t.Expr, scope: Scope) -> m.Local | None:
        if not isinstance(node, t.Name):
            return None
        bound = scope.find(node.text)
        if isinstance(bound, m.Local) and isinstance(bound.type, RunType):
            self.c.use(bound)
            return bound
        return None

    def _run_column(self, node: t.Dot, run: m.Local) -> m.Expr | None:
        assert isinstance(run.type, RunType)
        column = run.type.column
        if node.name.text != column.name:
            self._no_such(node.name, "a run has no", [column.name])
            return None
        return m.RunColumn(node.span, column.type, run)

    # ---------------------------------------------------------------- places

    def component(self, place: m.Place) -> m.Expr | None:
        """A slot read as its component."""
        zone = place.zone
        if zone.shape is m.Shape.SLOT and len(zone.kinds) == 1:
            return m.TopOf(place.span, KindType(zone.kinds[0]), place, False)
        self._no_value(zone.name, zone.shape.value, place.span)
        return None

    def _no_value(self, name: str, what: str, span: Span) -> None:
        help_ = f"size of {span.text}, or {span.text}[a member]"
        self.c.add("place-not-value", span, f"{name} is a {what}, not a value", help=help_)

    def find_bag(self, node: t.Expr, scope: Scope) -> m.Bag | None:
        """A bag in a column, or None without a word where this is something else."""
        kinds = self.c.model.kinds
        if not isinstance(node, t.Dot) or self._run(node.base, scope) is not None:
            return None
        if not any(node.name.text in kind.bags for kind in kinds.values()):
            return None
        if isinstance(node.base, t.Name) and node.base.text in kinds:
            return None
        base = self.expr(node.base, scope)
        if base is None or not isinstance(base.type, KindType):
            return None
        column = base.type.kind.bags.get(node.name.text)
        if column is None:
            return None
        self.c.use(column)
        return m.Bag(node.span, column, base)

    def place(self, node: t.Expr, scope: Scope) -> m.Place | None:
        """A place: `deck`, `p.hand`, `row[r]`."""
        return self._only_place(self._place_or_value(node, scope))

    def _only_place(self, found: m.Place | m.Expr | None) -> m.Place | None:
        if found is None or isinstance(found, m.Place):
            return found
        note = f"this is {in_words(found.type)}; a place for components is wanted here"
        self.c.add("not-a-place", found.span, note)
        return None

    def counted(self, node: t.Expr, scope: Scope) -> m.Place | m.Expr | None:
        """A place, or a member that joins others: how many of something are in it."""
        found = self._place_or_value(node, scope)
        if found is None or isinstance(found, m.Place):
            return found
        if isinstance(found.type, MaybeType) and joins_of(found.type.inner) is not None:
            self.c.may_be_none(found)
            return None
        return found if joins_of(found.type) is not None else self._only_place(found)

    def _place_or_value(self, node: t.Expr, scope: Scope) -> m.Place | m.Expr | None:
        found = self.find_place(node, scope)
        if found is not None:
            return found
        if isinstance(node, t.Name):
            bound = scope.find(node.text)
            if isinstance(bound, m.Local) and self.c.is_unsound(bound):
                return None
        if isinstance(node, t.Name) and scope.find(node.text) is None:
            if node.text in self.c.broken:
                return None
            zones = [name for section, name in self.c.model.zones if section == "shared"]
            owners = [s for s, name in self.c.model.zones if name == node.text]
            if owners:
                self._not_here(node, scope)
                return None
            if not self.means_something(node.text):
                self.c.missing(
                    node.span, node.text, zones, f"there is no place of the name {node.text}"
                )
                return None
        if isinstance(node, t.Dot):
            base = self.expr(node.base, scope)
            if base is None:
                return None
            base = self._owning(base, node.name.text)
            if isinstance(base.type, KindType) and node.name.text in base.type.kind.bags:
                note = f"{node.name.text} is a bag in a column, which never changes"
                self.c.add("not-a-place", node.span, note)
                return None
            section = self.c.per(base.type)
            columns = base.type.kind.columns if isinstance(base.type, KindType) else {}
            known_as = (section or "", node.name.text)
            state = (*self.c.model.scalars, *self.c.model.zones)
            if section and known_as not in state and known_as[1] not in columns:
                known = [name for s, name in self.c.model.zones if s == section]
                self._no_such(node.name, "there is no place", known)
                return None
        return self.expr(node, scope)

    def means_something(self, name: str) -> bool:
        model = self.c.model
        return (
            any(name == other for _, other in (*model.scalars, *model.zones))
            or name in self.c.seats
            or name in model.defines
            or name in model.options
            or name in model.kinds
            or name in model.tables
            or bool(self.c.kinds_with(name))
        )

    def find_place(self, node: t.Expr, scope: Scope) -> m.Place | None:
        """A place, or None without a word where this is something else."""
        match node:
            case t.Name() if scope.find(node.text) is None:
                zone = self.c.zone("shared", node.text)
                return None if zone is None else m.Place(node.span, zone, None)
            case t.Dot():
                if not any(name == node.name.text for _, name in self.c.model.zones):
                    return None
                if self._run(node.base, scope) is not None:
                    return None
                if isinstance(node.base, t.Name) and node.base.text in self.c.model.kinds:
                    return None
                base = self.expr(node.base, scope)
                base = None if base is None else self._owning(base, node.name.text)
                section = None if base is None else self.c.per(base.type)
                zone = None if section is None else self.c.zone(section, node.name.text)
                if zone is None or kind_of_pair(zone) is not None:
                    return None
                return m.Place(node.span, zone, base)
            case t.Index(base=t.Name() as base, arguments=(argument,)):
                return self._indexed_place(node, base, argument, scope)
            case t.Index():
                what, key = self.of_member(node, scope) or (None, None)
                if not isinstance(what, m.Zone) or key is None:
                    return None
                return m.Place(node.span, what, key)
            case _:
                return None

    def _indexed_place(
        self, node: t.Index, base: t.Name, argument: t.Expr, scope: Scope
    ) -> m.Place | None:
        owner = self._owner_of(base.text) if scope.find(base.text) is None else None
        zone = None if owner is None else self.c.zone(owner.name, base.text)
        if owner is None or zone is None:
            return None
        key = self.expr(argument, scope, KindType(owner))
        if key is None or fits(key.type, KindType(owner)) is not True:
            return None
        return m.Place(node.span, zone, widened(key, KindType(owner)))

    def _owner_of(self, name: str) -> m.Kind | None:
        """The kind each member of which has a number or place of this name."""
        model = self.c.model
        for section, other in (*model.scalars, *model.zones):
            if other == name and section in model.kinds and ("shared", name) not in model.zones:
                return model.kinds[section]
        return None

    @abstractmethod
    def define_call(
        self, span: Span, name: t.Word, arguments: tuple[t.Expr, ...], scope: Scope
    ) -> m.Expr | None: ...


def _as_narrow(read: m.LocalRead) -> m.Expr:
    """A name that is known to be of a kind which its own kind includes, as a member of that."""
    own = read.local.type
    own = own.inner if isinstance(own, MaybeType) else own
    if not isinstance(own, KindType) or not isinstance(read.type, KindType):
        return read
    start = own.kind.start_of(read.type.kind)
    if start is None:
        return read
    return m.Converted(read.span, read.type, m.LocalRead(read.span, own, read.local), -start)
