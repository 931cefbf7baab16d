"""What the parts of the checker share: the model so far, problems, and the wording of a few."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import Factory, define

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import (
    INT_HIGH,
    INT_LOW,
    BoolType,
    IntType,
    KindType,
    MaybeType,
    NoneType,
    PlayerType,
    Type,
)
from rulesdsl.check.including import widened
from rulesdsl.check.intervals import fits
from rulesdsl.check.owners import copies_of, kind_of_pair
from rulesdsl.check.scopes import Scope
from rulesdsl.check.sizes import Sizes
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Problems, Second
from rulesdsl.text.source import Span
from rulesdsl.text.spelling import nearest

UNCOUNTED = 1_000
"""How many components there may be where what is declared of them is wrong."""

BOOL = BoolType()
PLAYER = PlayerType()


@define(eq=False)
class Context:
    """The model while it is built, and where each name is declared."""

    model: m.Model
    problems: Problems
    spans: dict[str, Span] = Factory(dict)
    fields: dict[str, Span] = Factory(dict)
    """Where members, columns, and what belongs to players or members are declared."""
    sizes: Sizes = Factory(Sizes)
    used: set[int] = Factory(set)
    """The declarations and locals that something refers to, by id()."""
    defines_to_check: dict[str, t.DefineDecl] = Factory(dict)
    checking: list[str] = Factory(list)
    locals: list[m.Local] = Factory(list)
    broken: set[str] = Factory(set)
    """Names whose own declaration is wrong: what uses them is not told again."""
    unsound: list[m.Local] = Factory(list)
    """Names of a body that stand for something wrong."""
    lost: set[str] = Factory(set)
    """Options and named steps of steps that are wrong: texts may speak of them."""
    unread: frozenset[str] = frozenset()
    """The words of lines that could not be read: what they declare is not known."""
    called: dict[str, Span] = Factory(dict)
    """Where procedures and phases are declared; they have names of their own."""
    seats: dict[str, int] = Factory(dict)
    """The names that the file gives to seats."""
    step_names: dict[str, Span] = Factory(dict)
    """The named steps of the rule that is looked at."""
    later: set[str] = Factory(set)
    """Options that are not known yet."""
    outer: Scope | None = None
    """Names that all definitions may use: those of a bot know who it is."""
    rule: str = ""
    about: str = ""

    @property
    def ranges(self) -> dict[str, IntType]:
        """The named ranges."""
        return self.model.ranges

    def use(self, what: object) -> None:
        self.used.add(id(what))

    def copies(self, zone: m.Zone) -> int:
        """How many there are of a place, with the most players."""
        return copies_of(zone, self.model.players[1])

    def components(self, kind: m.Kind) -> tuple[int, ...]:
        """How many components there are of each member of a kind, in all places together."""
        totals = [0] * len(kind)
        for zone in self.model.zones.values():
            for other, part in zip(zone.kinds, zone.start, strict=False):
                if other is kind:
                    copies = self.copies(zone)
                    totals = [n + count * copies for n, count in zip(totals, part, strict=True)]
        return tuple(totals)

    @property
    def is_counted(self) -> bool:
        """Whether all components are known: nothing of the state is wrong."""
        return not self.broken and not self.unread

    def most_of(self, kind: m.Kind, member: m.Expr) -> int:
        """How many components of a member can be in one place."""
        counts = self.components(kind)
        if not self.is_counted:
            return UNCOUNTED
        return counts[member.value] if isinstance(member, m.Const) else max(counts)

    # ---------------------------------------------------------------- names

    def per(self, type_: Type) -> str | None:
        """The section of the state that belongs to values of a type."""
        match type_:
            case PlayerType():
                return "player"
            case KindType(kind):
                return kind.name
            case _:
                return None

    def zone(self, section: str, name: str) -> m.Zone | None:
        zone = self.model.zones.get((section, name))
        if zone is not None:
            self.use(zone)
        return zone

    def is_one_each(self, what: m.Scalar | m.Zone, span: Span) -> bool:
        """Whether each player has one of it; else it is told that he has several."""
        kind = kind_of_pair(what)
        if kind is not None:
            note = f"each player has a {what.name} for each {kind.name}; one each is wanted here"
            second = Second(what.span, "declared here")
            self.add("field-without-owner", span, note, second=second)
        return kind is None

    def scalar(self, section: str, name: str) -> m.Scalar | None:
        scalar = self.model.scalars.get((section, name))
        if scalar is not None:
            self.use(scalar)
        return scalar

    def kinds_with(self, member: str) -> list[m.Kind]:
        """The kinds that have a member of this name, those of options too."""
        kinds = list(self.model.kinds.values())
        for option in self.model.options.values():
            if isinstance(option.type, KindType) and option.type.kind not in kinds:
                kinds.append(option.type.kind)
        return [kind for kind in kinds if member in kind.members]

    def declared(self) -> list[str]:
        """Every name of the file that could stand in an expression."""
        model = self.model
        names = [*model.options, *model.kinds, *model.tables, *model.defines]
        names += [name for _, name in (*model.scalars, *model.zones)]
        for kind in model.kinds.values():
            names += kind.members
            names += [*kind.columns, *kind.bags]
        return names

    def taken(self, word: t.Word, first: Span) -> None:
        """A member that is called like something else."""
        note = f"{word.text} is the name of a member and of something else"
        self.add("duplicate-name", word.span, note, second=Second(first, "here already"))

    def unknown(self, span: Span, name: str, scope: Scope) -> None:
        """Told once: a name means nothing, and the one that was probably meant."""
        if not self.seats and name in self.model.seat_names:
            note = "seats have no names in rules, unless they are named under `players`"
            help_ = replaced(span, f"(seat {self.model.seat_names.index(name) + 1})")
            self.add("unknown-name", span, note, help=help_)
            return
        candidates = [*scope.all_names(), *self.seats, *self.declared()]
        self.missing(span, name, candidates, f"there is nothing of the name {name}", scope)

    def missing(
        self,
        span: Span,
        name: str,
        known: Iterable[str],
        note: str,
        scope: Scope | None = None,
        places: Mapping[str, Span] | None = None,
    ) -> None:
        """Told once: none of the known names; not where its own declaration is wrong already."""
        if name in self.broken or name in self.lost:
            return
        if any(word.startswith(name) for word in self.unread):
            return
        near = nearest(name, [candidate for candidate in known if candidate != name])
        bound = scope.find(near or "") if scope is not None else None
        declared = None if bound is None else bound.span
        for known_places in (places or {}, self.spans, self.fields, self.called):
            declared = declared or known_places.get(near or "")
        second = None if declared is None else Second(declared, "did you mean this one?")
        help_ = replaced(span, near) if near else ""
        self.add("unknown-name", span, note, second=second, help=help_)

    def add(
        self,
        code: str,
        span: Span,
        note: str,
        *,
        second: Second | None = None,
        about: str = "",
        help: str = "",
    ) -> None:
        """A problem; without a word of its own it is told in which rule it is."""
        self.problems.add(code, span, note, second=second, about=about or self.about, help=help)

    def within(self, what: str, name: str, cites: tuple[t.Cite, ...]) -> None:
        """From here on problems are told to be in this rule."""
        self.step_names = {}
        self.rule = name
        places = ", ".join(f"{cite.source} {cite.section}" for cite in cites)
        self.about = f"{what} {name}".strip() + (f", {places}" if places else "")

    # ---------------------------------------------------------------- types

    def wrong_type(self, span: Span, got: Type, wanted: str) -> None:
        self.add("wrong-type", span, f"this is {in_words(got)}; {wanted} is wanted here")

    def may_be_none(self, expr: m.Expr) -> None:
        """A value that may be none, used as if it were there."""
        if isinstance(expr, m.LocalRead):
            help_ = f"if {expr.local.name} != none:"
        else:
            help_ = f"let NAME = {expr.span.text}, then `if NAME != none:` around what needs it"
        self.add("may-be-none", expr.span, "this may be none here", help=help_)

    def must_fit(self, expr: m.Expr, wanted: Type) -> bool | None:
        """Whether a value fits: True proved, None checked in play; a problem and False if never."""
        result = fits(expr.type, wanted)
        if result is False:
            if isinstance(expr.type, IntType) and isinstance(wanted, IntType):
                note = f"this is {numbers(expr.type)}; only {spelled(wanted)} is allowed here"
                self.add("out-of-range", expr.span, note)
            elif isinstance(expr.type, MaybeType) and fits(expr.type.inner, wanted) is not False:
                self.may_be_none(expr)
            else:
                self.wrong_type(expr.span, expr.type, in_words(wanted))
        return result

    def fit(self, expr: m.Expr, wanted: Type) -> tuple[m.Expr, bool] | None:
        """A value as one of a type, and whether it is proved to be; None and a problem if never."""
        fitting = self.must_fit(expr, wanted)
        return None if fitting is False else (widened(expr, wanted), fitting is True)

    def new_local(self, name: t.Word, type_: Type, scope: Scope) -> m.Local:
        """Bind a name; nothing is shadowed."""
        local = m.Local(name.text, type_, name.span)
        self.locals.append(local)
        self.check_free(name, scope)
        scope.names[name.text] = local
        return local

    def check_free(self, name: t.Word, scope: Scope) -> None:
        """Tell where a name is bound that means something already."""
        bound = scope.find(name.text)
        member = name.text in self._member_names()
        if bound is not None or name.text in self.spans or name.text in self.seats or member:
            span = self.spans.get(name.text) if bound is None else bound.span
            span = span or (self.fields.get(name.text) if member else None)
            second = Second(span, "it is the name of this already") if span else None
            self.add(
                "shadowed-name",
                name.span,
                f"the name {name.text} is taken",
                second=second,
                help=replaced(name.span, f"{name.text}_2"),
            )

    def bind_unknown(self, name: t.Word, scope: Scope) -> m.Local:
        """A name whose value is wrong: what uses it is not told again."""
        local = m.Local(name.text, NoneType(), name.span)
        self.unsound.append(local)
        scope.names.setdefault(name.text, local)
        return local

    def is_unsound(self, local: m.Local) -> bool:
        """Whether what a name stands for is wrong already."""
        return any(local is other for other in self.unsound)

    def _member_names(self) -> set[str]:
        return {member for kind in self.model.kinds.values() for member in kind.members}


def in_words(type_: Type) -> str:
    """A type as people say it."""
    match type_:
        case IntType():
            return "a number"
        case BoolType():
            return "true or false"
        case KindType(kind):
            return f"a {kind.name}"
        case PlayerType():
            return "a player"
        case _:
            return str(type_)


def spelled(type_: Type) -> str:
    """A type as it is written, open ranges in words."""
    if isinstance(type_, IntType) and type_.low > INT_LOW and type_.high == INT_HIGH:
        return f"{type_.low} and more"
    return str(type_)


def numbers(type_: IntType) -> str:
    return str(type_.low) if type_.low == type_.high else f"{type_.low} to {type_.high}"


def replaced(span: Span, text: str) -> str:
    """The author's line with a piece replaced."""
    line = span.source.line(span.line)
    start = span.column - 1
    return (line[:start] + text + line[start + span.end - span.start :]).strip()
