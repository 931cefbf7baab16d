"""What effects do: counters change, components move, triggers follow (see meaning.py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from typing import Any, TypeAlias, assert_never

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import IntType
from rulesdsl.text.source import Span
from tests.meaning_values import Component, Env, Fault, Pile, Values, members, name_in

Running: TypeAlias = Generator[Any, Any, None]
"""Rules being carried out: yields what it waits for, is sent the answer."""


@define(eq=False)
class Chance:
    """An outcome has to be drawn; weights by outcome, outcomes in words."""

    weights: dict[Any, int]
    words: dict[Any, str]


@define(eq=False)
class Effects(Values):
    """Steps that change state. `fire` is the carrying out of a body."""

    def body(self, body: m.Body, env: Env) -> Running:
        raise NotImplementedError

    # ---------------------------------------------------------------- counters

    def set_scalar(self, scalar: m.Scalar, owner: int, value: int, span: Span) -> Running:
        if isinstance(scalar.type, IntType):
            low, high = scalar.type.low, scalar.type.high
            if scalar.capped:
                value = max(low, min(value, high))
            if not low <= value <= high:
                raise Fault("range", span)
        before = self.scalars[scalar][owner]
        self.scalars[scalar][owner] = value
        for trigger in self.model.triggers:
            event = trigger.event
            if isinstance(event, m.AfterChange) and event.scalar is scalar:
                env: Env = {}
                self.bind_owner(event.owner, scalar, owner, env)
                if before != value and self.truth(event.where, env):
                    yield from self.body(trigger.body, env)

    def award(self, step: m.AwardStep, env: Env) -> Running:
        keys: dict[int, tuple[int, ...]] = {}
        for seat in range(self.seats):
            env[step.binder] = seat
            if self.truth(step.where, env):
                keys[seat] = tuple(self.value(key, env) for key in step.by)
        prizes = [self.value(prize, env) for prize in step.prizes]
        shares = {seat: share(step.ties, prizes, list(keys.values()), keys[seat]) for seat in keys}
        for seat, prize in shares.items():
            total = self.scalars[step.scalar][seat] + prize
            yield from self.set_scalar(step.scalar, seat, total, step.span)

    # ---------------------------------------------------------------- one component

    def take(self, zone: m.Zone, place: Pile, component: Component, span: Span) -> None:
        """Out of a place; of equal ones in order the uppermost."""
        if zone.shape is m.Shape.BAG:
            if not place.pool[component]:
                raise Fault("missing", span)
            place.pool[component] -= 1
            return
        if component not in place.order:
            raise Fault("missing", span)
        place.pop(max(i for i, other in enumerate(place.order) if other == component))

    def need_room(self, zone: m.Zone, place: Pile, span: Span) -> None:
        """A place that holds at most so many takes one more."""
        if zone.at_most is not None and self.size(zone, place) >= self.value(zone.at_most, {}):
            raise Fault("full", span)

    def put(self, to: m.Target, place: Pile, component: Component, span: Span) -> None:
        zone = to.place.zone
        self.need_room(zone, place, span)
        if zone.shape is m.Shape.BAG:
            place.pool[component] += 1
        elif zone.shape is m.Shape.SLOT:
            if place.order:
                raise Fault("full", span)
            place.append(component)
        elif to.way is m.Way.UNDER:
            place.insert(0, component)
        elif zone.shape is m.Shape.DECK and to.way is m.Way.IN:
            place.append(component)
            shuffle(place)
        else:
            place.append(component)

    def spot(self, origin: Pile, to: m.Target, env: Env) -> Generator[Any, Any, int | None]:
        """Where a component will lie, from the top (1), if chance says so: low to high as likely.

        It still lies where it was; in the same place it does not lie below itself.
        """
        if to.way is not m.Way.RANDOM:
            return None
        assert to.low is not None
        assert to.high is not None
        low, high = self.value(to.low, env), self.value(to.high, env)
        place = self.at(to.place, env)
        room = len(place.order) + 1 - (place is origin)
        places = range(max(low, 1), min(high, room) + 1)
        spot: int = yield Chance(dict.fromkeys(places, 1), {n: str(n) for n in places})
        return spot

    def arrive(
        self, to: m.Target, component: Component, spot: int | None, span: Span, env: Env
    ) -> None:
        place = self.at(to.place, env)
        if spot is None:
            self.put(to, place, component, span)
        else:
            self.need_room(to.place.zone, place, span)
            place.insert(len(place.order) + 1 - spot, component)

    # ---------------------------------------------------------------- moves

    def move(self, step: m.Move, env: Env) -> Running:
        origin, to = fixed(self, step.origin, env), fixed_target(self, step.to, env)
        zone, place = origin.zone, self.at(origin, env)
        if zone.shape is m.Shape.DECK:
            if isinstance(step.moved, m.MoveTop):
                count = self.value(step.moved.count, env)
                noting = step.noting
                yield from self.deal_some(count, False, origin, to, step.span, env, noting)
                return
            assert isinstance(step.moved, m.MoveAll)
            count = len(place.order)
            yield from self.deal_some(count, False, origin, to, step.span, env, whole=True)
            return
        if to.way is m.Way.RANDOM:
            component = self._one(step, place, env)
            if not self.count(place, component):
                raise Fault("missing", step.span)
            spot = yield from self.spot(place, to, env)
            said = self.noted(step.noting, env)
            self.take(zone, place, component, step.span)
            self.arrive(to, component, spot, step.span, env)
            self.say(to, said, spot, step.span, env)
            yield from self.after_moves(origin, to.place, [component], True, env)
            return
        said = self.noted(step.noting, env)
        there = self.size(zone, place) > 0
        components, lifted = self._moving(step, zone, place, env)
        target = self.at(to.place, env)
        for component in components:
            if not lifted:
                self.take(zone, place, component, step.span)
            self.put(to, target, component, step.span)
        self.say(to, said, None, step.span, env)
        ordered = [c for c in members(zone.kinds) for _ in range(components.count(c))]
        yield from self.after_moves(origin, to.place, ordered, there, env)

    def noted(self, noting: tuple[m.Noting, ...], env: Env) -> dict[m.PlaceNote, int]:
        return {one.note: self.value(one.value, env) for one in noting}

    def say(
        self, to: m.Target, said: dict[m.PlaceNote, int], spot: int | None, span: Span, env: Env
    ) -> None:
        """What is said of the one component that has come."""
        place = self.at(to.place, env)
        for note, value in said.items():
            if isinstance(note.type, IntType) and not note.type.low <= value <= note.type.high:
                raise Fault("range", span)
            index = -spot if spot is not None else 0 if to.way is m.Way.UNDER else -1
            place.said[index][note.name] = value

    def _one(self, step: m.Move, place: Pile, env: Env) -> Component:
        if isinstance(step.moved, m.MoveMember):
            return step.moved.kind, self.value(step.moved.member, env)
        if not place.order:
            raise Fault("missing", step.span)
        component = place.order[-1]
        assert component is not None
        return component

    def _moving(
        self, step: m.Move, zone: m.Zone, place: Pile, env: Env
    ) -> tuple[list[Component], bool]:
        """What moves, one after another, and whether it has been lifted out of its place."""
        moved = step.moved
        match moved:
            case m.MoveAll():
                if zone.shape is m.Shape.PILE and len(moved.kinds) == len(zone.kinds):
                    return self._lift(len(place.order), step.to.way, place), True
                wanted = Counter(
                    {c: self.count(place, c) for c in members(zone.kinds) if c[0] in moved.kinds}
                )
            case m.MoveMember():
                component = (moved.kind, self.value(moved.member, env))
                count = self.count(place, component)
                if moved.count is not None:
                    wanted_count = self.value(moved.count, env)
                    if wanted_count > count:
                        raise Fault("missing", step.span)
                    count = wanted_count
                wanted = Counter({component: count})
            case m.MoveWhere():
                wanted = Counter()
                for i in range(len(moved.kind)):
                    env[moved.binder] = i
                    if self.truth(moved.where, env):
                        wanted[moved.kind, i] = self.count(place, (moved.kind, i))
            case m.MoveTop():
                count = self.value(moved.count, env)
                if count > self.size(zone, place):
                    raise Fault("missing", step.span)
                return self._lift(count, step.to.way, place), True
            case m.MoveSubbag():
                wanted = Counter(env[moved.local])
                if moved.but:
                    there = {c: self.count(place, c) for c in members(zone.kinds)}
                    wanted = Counter({c: n - wanted[c] for c, n in there.items()})
            case _:
                assert_never(moved)
        return [c for c in members(zone.kinds) for _ in range(wanted[c])], False

    @staticmethod
    def _lift(count: int, way: m.Way, place: Pile) -> list[Component]:
        """The uppermost components of a pile, in the order in which they keep their order."""
        start = len(place.order) - max(count, 0)
        lifted = [component for component in place.order[start:] if component is not None]
        del place.order[start:], place.said[start:]
        return lifted[::-1] if way is m.Way.UNDER else lifted

    def deal_some(
        self,
        count: int,
        up_to: bool,
        origin: m.Place,
        to: m.Target,
        span: Span,
        env: Env,
        noting: tuple[m.Noting, ...] = (),
        whole: bool = False,
    ) -> Running:
        """Components one at a time: of a bag any, else the uppermost.

        Some go elsewhere when they come up, and do not count; not where the `whole` place moves.
        """
        zone, place = origin.zone, self.at(origin, env)
        while count > 0:
            if not self.size(zone, place):
                self._refill(origin, span, env)
            if not self.size(zone, place):
                if up_to:
                    return
                raise Fault("nothing-left", span)
            if zone.shape is m.Shape.BAG:
                component = yield from self.drawn(zone, place)
            else:
                component = yield from self.look(zone, place, len(place.order) - 1)
            aside = None if whole else dict(zone.asides).get(component[0])
            goal = to
            if aside is not None:
                copy = self._beside(aside, origin, env)
                key = m.Const(span, IntType(copy, copy), copy)
                goal = m.Target(m.Place(span, aside, key), m.Way.IN)
            spot = yield from self.spot(place, goal, env)
            said = self.noted(noting if aside is None else (), env)
            if zone.shape is m.Shape.BAG:
                place.pool[component] -= 1
            else:
                place.pop()
            self.arrive(goal, component, spot, span, env)
            self.say(goal, said, spot, span, env)
            count -= aside is None
            yield from self.after_moves(origin, goal.place, [component], True, env)

    def deal_chosen(
        self,
        count: int,
        step: m.Deal,
        chosen: m.MoveWhere,
        origin: m.Place,
        to: m.Target,
        env: Env,
    ) -> Running:
        """One after another of those that a condition allows, wherever they lie."""
        zone, place = origin.zone, self.at(origin, env)
        for _ in range(count):
            if not self.size(zone, place):
                self._refill(origin, step.span, env)
            weights: dict[Component, int] = {}
            for index in range(len(chosen.kind)):
                env[chosen.binder] = index
                component = chosen.kind, index
                if self.truth(chosen.where, env) and self.count(place, component):
                    weights[component] = self.count(place, component)
            if not weights:
                if step.up_to:
                    return
                raise Fault("nothing-left", step.span)
            drawn = yield Chance(weights, {c: name_in(zone.kinds, c) for c in weights})
            spot = yield from self.spot(place, to, env)
            if place.pool[drawn]:
                place.pool[drawn] -= 1
                if zone.shape is m.Shape.DECK:
                    del place.order[max(i for i, c in enumerate(place.order) if c is None)]
            else:
                self.take(zone, place, drawn, step.span)
            self.arrive(to, drawn, spot, step.span, env)
            yield from self.after_moves(origin, to.place, [drawn], True, env)

    def drawn(self, zone: m.Zone, place: Pile) -> Generator[Any, Any, Component]:
        weights = {c: n for c in members(zone.kinds) if (n := place.pool[c])}
        component: Component = yield Chance(weights, {c: name_in(zone.kinds, c) for c in weights})
        return component

    def look(self, zone: m.Zone, place: Pile, index: int) -> Generator[Any, Any, Component]:
        """What lies at a place; it is drawn there, unless it is known."""
        component = place.order[index]
        if component is None:
            component = yield from self.drawn(zone, place)
            place.pool[component] -= 1
            place.order[index] = component
        return component

    def _refill(self, origin: m.Place, span: Span, env: Env) -> None:
        place = self.at(origin, env)
        for zone in origin.zone.refills:
            source = self.zones[zone][self._beside(zone, origin, env)]
            components = [*source.pool.elements(), *(c for c in source.order if c is not None)]
            source.pool, source.order, source.said = Counter(), [], []
            target = m.Target(origin, m.Way.IN)
            for component in components:
                self.put(target, place, component, span)

    def _beside(self, zone: m.Zone, origin: m.Place, env: Env) -> int:
        """Which copy of a zone goes with a place: of the same owner, or the shared one."""
        if zone.per == "shared":
            return 0
        copy, per = self.owner(origin.key, env), origin.zone.per
        if zone.per == "player" and isinstance(per, m.PlayerAnd):
            return copy // len(per.kind)
        return copy

    def pass_each(self, step: m.PassEach) -> None:
        places = self.zones[step.zone]
        self.zones[step.zone] = [
            places[(seat - step.step) % self.seats] for seat in range(self.seats)
        ]

    # ---------------------------------------------------------------- triggers

    def after_moves(
        self, origin: m.Place, to: m.Place, moved: list[Component], there: bool, env: Env
    ) -> Running:
        """The triggers on each component, then those on a place that has become empty."""
        for component in moved:
            for event, trigger in self._watching(component, origin, to):
                inner: Env = {event.binder: component[1]}
                self.bind_owner(event.origin_owner, origin.zone, self.owner(origin.key, env), inner)
                self.bind_owner(event.to_owner, to.zone, self.owner(to.key, env), inner)
                if self.truth(event.where, inner):
                    yield from self.body(trigger.body, inner)
        for trigger in self.model.triggers:
            event_empty = trigger.event
            if isinstance(event_empty, m.WhenEmpty) and event_empty.zone is origin.zone:
                empty = not self.size(origin.zone, self.at(origin, env))
                if there and empty:
                    names: Env = {}
                    copy = self.owner(origin.key, env)
                    self.bind_owner(event_empty.owner, origin.zone, copy, names)
                    yield from self.body(trigger.body, names)

    def _watching(
        self, component: Component, origin: m.Place, to: m.Place
    ) -> Iterator[tuple[m.AfterMove, m.Trigger]]:
        for trigger in self.model.triggers:
            event = trigger.event
            if (
                isinstance(event, m.AfterMove)
                and event.kind is component[0]
                and event.origin in (None, origin.zone)
                and event.to in (None, to.zone)
            ):
                yield event, trigger


def shuffle(place: Pile) -> None:
    """All components of a deck lie anywhere."""
    place.pool.update(c for c in place.order if c is not None)
    place.order = [None] * len(place.order)


def fixed(values: Values, place: m.Place, env: Env) -> m.Place:
    """The place with its owner as it is now."""
    if place.key is None:
        return place
    key = m.Const(place.span, place.key.type, values.value(place.key, env))
    return m.Place(place.span, place.zone, key)


def fixed_target(values: Values, to: m.Target, env: Env) -> m.Target:
    return m.Target(fixed(values, to.place, env), to.way, to.low, to.high)


def share(
    ties: m.Ties, prizes: list[int], keys: list[tuple[int, ...]], mine: tuple[int, ...]
) -> int:
    """What a player with this key gets among all keys."""
    better = sum(key > mine for key in keys)
    equal = keys.count(mine)
    match ties:
        case m.Ties.USED_UP:
            return sum(prizes[better : better + 1])
        case m.Ties.NONE_SKIPPED:
            place = len({key for key in keys if key > mine})
            return sum(prizes[place : place + 1])
        case m.Ties.SPLIT_DOWN:
            return sum(prizes[better : better + equal]) // equal
        case m.Ties.SPLIT_UP:
            return -(-sum(prizes[better : better + equal]) // equal)
        case _:
            assert_never(ties)
