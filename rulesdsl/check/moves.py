"""Moves: what goes from where to where."""

from __future__ import annotations

from attrs import define, evolve

from rulesdsl.check import model as m
from rulesdsl.check.context import Context, replaced
from rulesdsl.check.datatypes import IntType, KindType, SubbagType
from rulesdsl.check.expressions import Expressions
from rulesdsl.check.including import as_one_of
from rulesdsl.check.movements import moved_kinds
from rulesdsl.check.scopes import Scope
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Second
from rulesdsl.text.source import Span


@define(eq=False, slots=False)
class Moves:
    """The part of the checker that knows movements of components."""

    c: Context
    e: Expressions

    def moving(self, node: t.Move | t.Deal | t.Shuffle | t.PassEach, scope: Scope) -> m.Step | None:
        match node:
            case t.Move():
                return self._move(node, scope)
            case t.Deal():
                return self._deal(node, scope)
            case t.Shuffle():
                place = self.e.place(node.zone, scope)
                if place is None:
                    return None
                if place.zone.shape is not m.Shape.DECK:
                    note = (
                        f"{place.zone.name} is a {place.zone.shape.value}; only a deck is shuffled"
                    )
                    self.c.add("not-a-deck", node.zone.span, note)
                    return None
                return m.Shuffle(node.span, place)
            case t.PassEach():
                return self._pass_each(node)

    def _pass_each(self, node: t.PassEach) -> m.Step | None:
        zone = self.c.zone("player", node.field.text)
        if zone is None:
            known = [name for section, name in self.c.model.zones if section == "player"]
            note = f"a player has no place of the name {node.field.text}"
            self.c.missing(node.field.span, node.field.text, known, note)
            return None
        if not self.c.is_one_each(zone, node.field.span):
            return None
        return m.PassEach(node.span, zone, 1 if node.side == "left" else -1)

    def _deal(self, node: t.Deal, scope: Scope) -> m.Step | None:
        origin, to = self.e.place(node.origin, scope), self._target(node.to, scope)
        count = self.e.value(node.count, scope, IntType(0, 2**30))
        chosen = None
        if node.binder is not None and origin is not None:
            chosen = self._dealt_where(node, node.binder, origin, scope)
            if chosen is None:
                return None
        if origin is None or to is None or count is None:
            return None
        step = m.Deal(node.span, count[0], node.up_to, origin, to, node.seen, chosen=chosen)
        if not self._same_kinds(step, node.to):
            return None
        if not self._goes_elsewhere(node, origin, to):
            return None
        if not self._has_room(count[0], node.count.span, to):
            return None
        return step

    def _dealt_where(
        self, node: t.Deal, name: t.Word, origin: m.Place, scope: Scope
    ) -> m.MoveWhere | None:
        """The components of a place from which chance takes one."""
        zone = origin.zone
        if zone.shape not in (m.Shape.BAG, m.Shape.DECK):
            note = f"{zone.name} is a {zone.shape.value}, from which nothing comes by chance"
            help_ = f"move all {name.text} where ... from {node.origin.span.text} to ..."
            self.c.add("no-chance", node.origin.span, note, help=help_)
            return None
        aside = [kind for kind, _ in zone.asides]
        kinds = [kind for kind in zone.kinds if kind not in aside]
        if len(kinds) > 1:
            self.c.add("several-kinds", name.span, f"{zone.name} holds several kinds")
            return None
        assert node.where is not None
        return self._where(kinds[0], name, node.where, scope)

    def _target(self, node: t.Destination, scope: Scope) -> m.Target | None:
        place = self.e.place(node.zone, scope)
        if place is None:
            return None
        way = m.Way(node.way)
        shape = place.zone.shape
        if way is not m.Way.IN and shape in (m.Shape.BAG, m.Shape.SLOT):
            self.c.add(
                "no-order",
                node.span,
                f"{place.zone.name} is a {shape.value}: it has no top and no bottom",
                help=replaced(node.span, f"to {node.zone.span.text}"),
            )
            return None
        if way is not m.Way.RANDOM:
            return m.Target(place, way)
        assert node.low is not None
        assert node.high is not None
        low, high = self.e.number(node.low, scope), self.e.number(node.high, scope)
        if low is None or high is None:
            return None
        return m.Target(place, way, low, high)

    def _move(self, node: t.Move, scope: Scope) -> m.Step | None:
        origin, to = self.e.place(node.origin, scope), self._target(node.to, scope)
        if origin is None:
            self._look_at(node.moved, scope)
            return None
        moved = self._moved(node, origin, scope)
        if to is None:
            return None
        if moved is None:
            return None
        step = m.Move(node.span, moved, origin, to, node.seen)
        if not self._same_kinds(step, node.to):
            return None
        if origin.zone.shape is m.Shape.DECK and not isinstance(moved, (m.MoveTop, m.MoveAll)):
            self.c.add(
                "deck-order",
                node.moved.span,
                "from a deck one takes the top, or everything",
                help="deal 1 from " + node.origin.span.text + " to ...",
            )
            return None
        if not self._fits_slot(moved, node.moved, to) or not self._goes_elsewhere(node, origin, to):
            return None
        if to.way is m.Way.RANDOM and not self._is_one(moved):
            self.c.add(
                "one-at-a-time", node.moved.span, "one component at a time goes to a random place"
            )
            return None
        return evolve(step, noting=self._noting(node, moved, to, scope))

    def _noting(
        self, node: t.Move, moved: m.Moved, to: m.Target, scope: Scope
    ) -> tuple[m.Noting, ...]:
        """What is said about what moves, in notes that its place has."""
        if node.noting and not self._is_one(moved):
            note = "notes are said about one component, and here more than one may move"
            self.c.add("one-at-a-time", node.moved.span, note)
        zone, said = to.place.zone, list[m.Noting]()
        for one in node.noting:
            note_of = next((n for n in zone.notes if n.name == one.name.text), None)
            if note_of is None:
                missing = f"{zone.name} has no note of the name {one.name.text}"
                known = {n.name: n.span for n in zone.notes}
                self.c.missing(one.name.span, one.name.text, known, missing, places=known)
                continue
            self.c.use(note_of)
            found = self.e.value(one.value, scope, note_of.type)
            if any(other.note is note_of for other in said):
                self.c.add("duplicate-name", one.name.span, f"{note_of.name} is noted twice")
            elif found is not None:
                said.append(m.Noting(note_of, *found))
        return tuple(said)

    def _look_at(self, node: t.Moved, scope: Scope) -> None:
        """What is moved from a place that is wrong, for problems of its own."""
        if isinstance(node, t.MovedSome) and node.count is not None:
            self.e.number(node.count, scope)
        if isinstance(node, (t.MovedSome, t.MovedAllOf)) and node.what is not None:
            what = node.what
            chosen = self._subbag(what, scope) is not None
            named = isinstance(what, t.Name) and what.text in self.c.model.kinds
            known = isinstance(what, t.Name) and self.c.kinds_with(what.text)
            if not (chosen or named or known):
                self.e.expr(what, scope)

    def _fits_slot(self, moved: m.Moved, node: t.Moved, to: m.Target) -> bool:
        """Whether a place can take what is moved there."""
        count = moved.count if isinstance(moved, (m.MoveMember, m.MoveTop)) else None
        return self._has_room(count, node.span, to)

    def _has_room(self, count: m.Expr | None, span: Span, to: m.Target) -> bool:
        """Whether so many have room in a place where nothing lies."""
        zone = to.place.zone
        room = None if zone.at_most is None else zone.at_most.type
        if isinstance(room, IntType) and isinstance(count, m.Const) and count.value > room.high:
            second = Second(zone.span, "declared here")
            note = f"{zone.name} has room for {room.high}"
            self.c.add("no-room", span, note, second=second)
            return False
        many = isinstance(count, m.Const) and count.value > 1
        if many and to.place.zone.shape is m.Shape.SLOT:
            second = Second(to.place.zone.span, "declared here")
            self.c.add("slot-full", span, "a slot holds one component", second=second)
            return False
        return True

    def _goes_elsewhere(self, node: t.Move | t.Deal, origin: m.Place, to: m.Target) -> bool:
        """Whether components leave their place: else a pile would be turned over, or nothing."""
        if node.origin.span.text == node.to.zone.span.text and to.way is not m.Way.UNDER:
            self.c.add("same-place", node.to.zone.span, "it goes where it is")
            return False
        return True

    def _is_one(self, moved: m.Moved) -> bool:
        count: m.Expr | None = None
        if isinstance(moved, (m.MoveMember, m.MoveTop)):
            count = moved.count
        return isinstance(count, m.Const) and count.value == 1

    def _same_kinds(self, step: m.Move | m.Deal, node: t.Destination) -> bool:
        """Whether everything that moves may lie where it goes."""
        allowed = step.to.place.zone.kinds
        if step.origin.zone.name in self.c.broken:
            return True
        for kind in moved_kinds(step):
            if not any(kind is other for other in allowed):
                names = " or ".join(other.name for other in allowed)
                self.c.add(
                    "wrong-kind",
                    node.zone.span,
                    f"{step.to.place.zone.name} holds {names}, not {kind.name}",
                    second=Second(step.origin.zone.span, f"{kind.name} comes from here"),
                )
                return False
        return True

    # ---------------------------------------------------------------- what is moved

    def _moved(self, node: t.Move, origin: m.Place, scope: Scope) -> m.Moved | None:
        match node.moved:
            case t.MovedAll():
                return m.MoveAll(origin.zone.kinds)
            case t.MovedAllBut():
                local = self._subbag(node.moved.what, scope)
                if local is None and self._is_unsound(node.moved.what, scope):
                    return None
                if local is None:
                    self.c.add(
                        "not-chosen",
                        node.moved.span,
                        "`all but` is followed by a choice of components",
                    )
                    return None
                return m.MoveSubbag(local, but=True)
            case t.MovedAllOf():
                return self._all_of(node.moved, origin, scope)
            case t.MovedAllWhere():
                return self._all_where(node.moved, origin, scope)
            case t.MovedSome():
                return self._some(node.moved, origin, scope)

    def _subbag(self, node: t.Expr, scope: Scope) -> m.Local | None:
        if isinstance(node, t.Name):
            bound = scope.find(node.text)
            if isinstance(bound, m.Local) and isinstance(bound.type, SubbagType):
                self.c.use(bound)
                return bound
        return None

    def _is_unsound(self, node: t.Expr, scope: Scope) -> bool:
        bound = scope.find(node.text) if isinstance(node, t.Name) else None
        return isinstance(bound, m.Local) and self.c.is_unsound(bound)

    def _all_of(self, node: t.MovedAllOf, origin: m.Place, scope: Scope) -> m.Moved | None:
        kinds = self.c.model.kinds
        if isinstance(node.what, t.Name) and node.what.text in kinds:
            kind = kinds[node.what.text]
            if not any(kind is other for other in origin.zone.kinds):
                self.c.add("wrong-kind", node.what.span, f"{origin.zone.name} holds no {kind.name}")
                return None
            return m.MoveAll((kind,))
        member = self._member(node.what, origin, scope)
        return None if member is None else m.MoveMember(member[1], member[0], None)

    def _all_where(self, node: t.MovedAllWhere, origin: m.Place, scope: Scope) -> m.Moved | None:
        if len(origin.zone.kinds) > 1:
            self.c.add("several-kinds", node.span, f"{origin.zone.name} holds several kinds")
            return None
        return self._where(origin.zone.kinds[0], node.binder, node.where, scope)

    def _where(
        self, kind: m.Kind, name: t.Word, condition: t.Expr, scope: Scope
    ) -> m.MoveWhere | None:
        inner = scope.child()
        binder = self.c.new_local(name, KindType(kind), inner)
        where = self.e.condition(condition, inner)
        return None if where is None else m.MoveWhere(kind, binder, where)

    def _some(self, node: t.MovedSome, origin: m.Place, scope: Scope) -> m.Moved | None:
        """`2 grain`, `grain`, `cards`, `3`, `n of` a member, or the component of a slot."""
        count: m.Expr | None = None
        if node.count is not None:
            found = self.e.value(node.count, scope, IntType(0, 2**30))
            if found is None:
                return None
            count = found[0]
        if node.what is None:
            assert count is not None
            return self._top(node, count, origin)
        local = self._subbag(node.what, scope)
        if local is not None and count is None:
            return m.MoveSubbag(local, but=False)
        what = self._what(node.what, origin, scope)
        if what is None:
            return None
        if count is None and isinstance(what.type, IntType):
            return self._top(node, what, origin)
        member = self._of_place(what, origin)
        if member is None:
            return None
        one = m.Const(node.span, IntType(1, 1), 1)
        return m.MoveMember(member[1], member[0], count or one)

    def _top(self, node: t.MovedSome, count: m.Expr, origin: m.Place) -> m.Moved | None:
        """So many from the top."""
        if origin.zone.shape is m.Shape.BAG:
            self.c.add(
                "which-component",
                node.span,
                f"{origin.zone.name} is a bag: say which components",
                help="`deal` takes them from a bag by chance; `move all` takes everything",
            )
            return None
        return m.MoveTop(count)

    def _member(self, node: t.Expr, origin: m.Place, scope: Scope) -> tuple[m.Expr, m.Kind] | None:
        member = self._what(node, origin, scope)
        return None if member is None else self._of_place(member, origin)

    def _what(self, node: t.Expr, origin: m.Place, scope: Scope) -> m.Expr | None:
        """A member, of one of the kinds of a place where it is a bare word."""
        expected = KindType(origin.zone.kinds[0])
        if isinstance(node, t.Name):
            for kind in origin.zone.kinds:
                if node.text in kind.members:
                    expected = KindType(kind)
        return self.e.expr(node, scope, expected)

    def _of_place(self, member: m.Expr, origin: m.Place) -> tuple[m.Expr, m.Kind] | None:
        """A member as one of a kind that lies in the place."""
        found = as_one_of(member, origin.zone.kinds)
        if found is not None:
            return found
        names = " or a ".join(kind.name for kind in origin.zone.kinds)
        self.c.wrong_type(member.span, member.type, f"a {names}")
        return None
