"""Calls and indexes: functions of the language, defines, tables, counts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.context import PLAYER, replaced
from rulesdsl.check.datatypes import IntType, KindType, RunType, SubbagType, Type, joins_of
from rulesdsl.check.derived import Derived
from rulesdsl.check.geometry import DIRECTIONS
from rulesdsl.check.including import as_one_of
from rulesdsl.check.intervals import arithmetic
from rulesdsl.check.scopes import Scope
from rulesdsl.check.vocabulary import FOLDS, FOREIGN
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Second
from rulesdsl.text.source import Span


@define(eq=False, slots=False)
class Functions(Derived):
    """The part of the checker that knows what can be called and indexed."""

    def call(self, node: t.Call, scope: Scope, expected: Type | None) -> m.Expr | None:
        """`credit(p)`, `size of z`, `left of p`, `max(a, b)`, `number of players`."""
        name, model = node.name.text, self.c.model
        functions: dict[str, Callable[[t.Call, Scope], m.Expr | None]] = {
            "size": self._size,
            "top": self._top,
            "left": self._neighbour,
            "right": self._neighbour,
            "next": self._turned,
            "previous": self._turned,
            "number": self._number_of,
            "max": self._extreme,
            "min": self._extreme,
            **dict.fromkeys(DIRECTIONS, self._toward),
        }
        if name in model.defines:
            return self.define_call(node.span, node.name, node.arguments, scope)
        if name in model.tables:
            return self._table(node.span, model.tables[name], node.arguments, scope)
        if name in functions:
            return functions[name](node, scope)
        if name in model.kinds and not node.of:
            return self.made(node, model.kinds[name], scope)
        if self._told_otherwise(node, scope):
            return None
        known = [*functions, *model.defines, *model.tables]
        self.c.missing(
            node.name.span, name, known, f"there is no function or definition of the name {name}"
        )
        return None

    def _told_otherwise(self, node: t.Call, scope: Scope) -> bool:
        """Tell of what is no function but is written in another way."""
        name, what = node.name.text, ""
        argument = node.arguments[0].span.text
        help_ = ""
        if name in ("sum", "count", "any", "all"):
            form = next(word.signature for word in FOLDS if word.name == name)
            what = f"`{name}` goes through a domain: {form}"
        elif name in FOREIGN:
            form, what = FOREIGN[name]
            help_ = replaced(node.span, form.format(argument)) if form else ""
        elif name in self.c.model.procedures or name in self.c.model.phases:
            what = f"{name} does something; it has no value"
        elif isinstance(scope.find(name), m.Local):
            what = f"{name} is a value, not a function"
        if what:
            self.c.add("unknown-name", node.name.span, what, help=help_)
        return bool(what)

    def _one(self, node: t.Call) -> t.Expr | None:
        if len(node.arguments) == 1:
            return node.arguments[0]
        self.c.add("wrong-number", node.span, f"{node.name.text} takes one argument")
        return None

    def _size(self, node: t.Call, scope: Scope) -> m.Expr | None:
        argument = self._one(node)
        if argument is None:
            return None
        if isinstance(argument, t.Name):
            bound = scope.find(argument.text)
            if isinstance(bound, m.Local) and isinstance(bound.type, SubbagType):
                self.c.use(bound)
                return m.SubbagSize(node.span, IntType(0, bound.type.most), bound)
            if isinstance(bound, m.Local) and isinstance(bound.type, RunType):
                self.c.use(bound)
                return m.RunSize(node.span, IntType(1, self.most_components()), bound)
        if isinstance(argument, t.Name) and argument.text == "players":
            help_ = replaced(node.span, "number of players")
            self.c.add("wrong-type", argument.span, "the players are no place", help=help_)
            return None
        bag = self.find_bag(argument, scope)
        if bag is not None:
            return self.bag_size(node.span, bag)
        place = self.place(argument, scope)
        if place is None:
            return None
        return m.SizeOf(node.span, IntType(0, place.zone.capacity), place)

    def most_components(self) -> int:
        return max((zone.capacity for zone in self.c.model.zones.values()), default=1)

    def _top(self, node: t.Call, scope: Scope) -> m.Expr | None:
        argument = self._one(node)
        place = None if argument is None else self.place(argument, scope)
        if place is None:
            return None
        zone = place.zone
        if zone.shape is not m.Shape.PILE:
            note = f"{zone.name} is a {zone.shape.value}; only a pile has a top that rules can read"
            self.c.add("no-top", node.span, note)
            return None
        if len(zone.kinds) > 1:
            self.c.add("no-top", node.span, f"{zone.name} holds several kinds")
            return None
        return m.TopOf(node.span, KindType(zone.kinds[0]), place, False)

    def _neighbour(self, node: t.Call, scope: Scope) -> m.Expr | None:
        argument = self._one(node)
        player = None if argument is None else self.expr(argument, scope)
        if player is None or self.c.must_fit(player, PLAYER) is False:
            return None
        return m.Neighbour(node.span, PLAYER, player, 1 if node.name.text == "left" else -1)

    def _turned(self, node: t.Call, scope: Scope) -> m.Expr | None:
        argument = self._one(node)
        of = None if argument is None else self.expr(argument, scope)
        return None if of is None else self.turned(node, of)

    def _toward(self, node: t.Call, scope: Scope) -> m.Expr | None:
        argument = self._one(node)
        of = None if argument is None else self.expr(argument, scope)
        return None if of is None else self.toward(node, of)

    def _number_of(self, node: t.Call, scope: Scope) -> m.Expr | None:
        match node.arguments:
            case (t.Name(text="players"),):
                low, high = self.c.model.players
                return m.PlayerCount(node.span, IntType(low, high))
        self.c.add("unknown-name", node.span, "only `number of players` is known")
        return None

    def _extreme(self, node: t.Call, scope: Scope) -> m.Expr | None:
        if len(node.arguments) < 2:
            self.c.add("wrong-number", node.span, f"{node.name.text} takes two or more")
            return None
        numbers = [self.number(argument, scope) for argument in node.arguments]
        checked = [number for number in numbers if number is not None]
        if len(checked) < len(numbers):
            return None
        result = checked[0]
        for number in checked[1:]:
            assert isinstance(result.type, IntType)
            assert isinstance(number.type, IntType)
            type_ = arithmetic(node.name.text, result.type, number.type)
            result = m.Arithmetic(node.span, type_, node.name.text, result, number)
        return result

    @abstractmethod
    def number(self, node: t.Expr, scope: Scope) -> m.Expr | None: ...

    # ---------------------------------------------------------------- defines

    def define_call(
        self, span: Span, name: t.Word, arguments: tuple[t.Expr, ...], scope: Scope
    ) -> m.Expr | None:
        define = self.c.model.defines[name.text]
        self.c.use(define)
        checked = self.arguments(span, define, arguments, scope)
        type_ = self.define_type(name)
        if checked is None or type_ is None:
            return None
        return m.DefineCall(span, type_, define, checked)

    @abstractmethod
    def define_type(self, name: t.Word) -> Type | None:
        """The type of a define, checked when it is first needed."""

    def arguments(
        self,
        span: Span,
        called: m.Define | m.Procedure | m.Phase,
        given: tuple[t.Expr, ...],
        scope: Scope,
    ) -> tuple[m.Expr, ...] | None:
        """The arguments of a call, one a formal, each of its type."""
        formals = called.formals
        if len(given) != len(formals):
            wanted = ", ".join(formal.name for formal in formals) or "nothing"
            note = f"{called.name} takes {len(formals)} ({wanted}), here are {len(given)}"
            second = Second(called.span, "declared here")
            names = f"({wanted})" if formals else ""
            help_ = replaced(span, f"{called.name}{names}")
            self.c.add("wrong-number", span, note, second=second, help=help_)
            return None
        checked: list[m.Expr] = []
        for formal, argument in zip(formals, given, strict=True):
            expr = self.expr(argument, scope, formal.type)
            if expr is None or self.c.is_unsound(formal):
                continue
            found = self.c.fit(expr, formal.type)
            if found is not None:
                checked.append(found[0])
        return tuple(checked) if len(checked) == len(given) else None

    # ---------------------------------------------------------------- indexes

    def index(self, node: t.Index, scope: Scope) -> m.Expr | None:
        """`deck[g]`, `senate_value[current, g]`, `stones[h]`, `cards[g]`."""
        if isinstance(node.base, t.Name):
            name, model = node.base.text, self.c.model
            bound = scope.find(name)
            if isinstance(bound, m.Local) and isinstance(bound.type, SubbagType):
                return self._subbag_count(node, bound, bound.type, scope)
            if bound is None and name in model.tables:
                return self._table(node.span, model.tables[name], node.arguments, scope)
            owner = None if bound is not None else self._owner_of(name)
            if owner is not None and len(node.arguments) == 1:
                return self._owned(node, name, owner, scope)
            if bound is None and name not in self.c.broken and not self.means_something(name):
                state = [other for section, other in model.scalars if section in model.kinds]
                known = [*model.tables, *state, *(other for _, other in model.zones)]
                note = f"there is no table and no place of the name {name}"
                self.c.missing(node.base.span, name, known, note)
                return None
        of_member = self.of_member(node, scope)
        if of_member is not None:
            return self._of_one(node.span, *of_member)
        slot = self.find_place(node, scope)
        if slot is not None:
            return self.component(slot)
        bag = self.find_bag(node.base, scope)
        if bag is not None:
            found = self._member_of(node, (bag.column.kind,), scope)
            return None if found is None else self.bag_count(node.span, bag, found[0])
        counted = self.counted(node.base, scope)
        if counted is None:
            return None
        if isinstance(counted, m.Place):
            return self._count(node, counted, scope)
        joins = joins_of(counted.type)
        assert joins is not None
        return self.end_of(node, counted, joins, scope)

    def _of_one(self, span: Span, what: m.Scalar | m.Zone, key: m.MemberOf | None) -> m.Expr | None:
        """A number or place that a player has for a member: `p.stock[r]`."""
        if key is None:
            return None
        if isinstance(what, m.Scalar):
            return m.ScalarRead(span, what.type, what, key)
        return self.component(m.Place(span, what, key))

    def _owned(self, node: t.Index, name: str, owner: m.Kind, scope: Scope) -> m.Expr | None:
        """A number or place of each member: `stones[h]`."""
        scalar, zone = self.c.scalar(owner.name, name), self.c.zone(owner.name, name)
        found = self.value(node.arguments[0], scope, KindType(owner))
        if found is None:
            return None
        if scalar is not None:
            return m.ScalarRead(node.span, scalar.type, scalar, found[0])
        assert zone is not None
        return self.component(m.Place(node.span, zone, found[0]))

    def _count(self, node: t.Index, place: m.Place, scope: Scope) -> m.Expr | None:
        found = self._member_of(node, place.zone.kinds, scope)
        if found is None:
            return None
        member, kind = found
        most = min(place.zone.capacity, self.c.most_of(kind, member))
        return m.CountOf(node.span, IntType(0, most), place, kind, member)

    def _subbag_count(
        self, node: t.Index, local: m.Local, type_: SubbagType, scope: Scope
    ) -> m.Expr | None:
        found = self._member_of(node, type_.kinds, scope)
        if found is None:
            return None
        self.c.use(local)
        member, kind = found
        most = min(type_.most, self.c.most_of(kind, member))
        return m.SubbagCount(node.span, IntType(0, most), local, kind, member)

    def _member_of(
        self, node: t.Index, kinds: tuple[m.Kind, ...], scope: Scope
    ) -> tuple[m.Expr, m.Kind] | None:
        if len(node.arguments) != 1:
            self.c.add("wrong-number", node.span, "one member is wanted in the brackets")
            return None
        expected = KindType(kinds[0])
        argument = node.arguments[0]
        if isinstance(argument, t.Name):
            for kind in kinds:
                if argument.text in kind.members:
                    expected = KindType(kind)
        member = self.expr(argument, scope, expected)
        if member is None:
            return None
        found = as_one_of(member, kinds)
        if found is not None:
            return found
        self.c.wrong_type(
            member.span, member.type, "a " + " or a ".join(kind.name for kind in kinds)
        )
        return None

    def _table(
        self, span: Span, table: m.Table, arguments: tuple[t.Expr, ...], scope: Scope
    ) -> m.Expr | None:
        self.c.use(table)
        if len(arguments) != len(table.domains):
            note = f"{table.name} is read by {len(table.domains)}, here are "
            second = Second(table.span, "declared here")
            self.c.add("wrong-number", span, note + str(len(arguments)), second=second)
            return None
        checked: list[m.Expr] = []
        proved = True
        for argument, domain in zip(arguments, table.domains, strict=True):
            found = self.value(argument, scope, domain)
            if found is not None:
                checked.append(found[0])
                proved = proved and found[1]
        if len(checked) < len(arguments):
            return None
        return m.TableRead(span, table.type, table, tuple(checked), not proved)
