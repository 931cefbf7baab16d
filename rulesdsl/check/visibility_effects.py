"""Steps that change state or tell something: who sees it happen, and what it may depend on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, assert_never

from attrs import evolve, frozen

from rulesdsl.check import model as m
from rulesdsl.check.movements import Moving, movements
from rulesdsl.check.visibility_reads import Reader
from rulesdsl.check.visibility_secrets import (
    EVERYBODY,
    OPEN,
    Audience,
    Key,
    Label,
    Secret,
    by,
    member_in,
    only,
    sees_size,
    sight_of,
)
from rulesdsl.check.visibility_shown import Here, Shown
from rulesdsl.check.visibility_together import added
from rulesdsl.text.source import Span

Fire: TypeAlias = Callable[[m.Trigger, Here, object], None]


@frozen(eq=False)
class Effects:
    """The steps that change state; `fire` carries out the triggers that follow."""

    model: m.Model
    shown: Shown
    reader: Reader
    fire: Fire

    def step(
        self,
        step: m.SetScalar
        | m.Roll
        | m.Move
        | m.Deal
        | m.PassEach
        | m.AwardStep
        | m.Shuffle
        | m.Show,
        here: Here,
    ) -> None:
        env = here.env
        match step:
            case m.SetScalar():
                self.shown.mark(step.span, step.seen)
                value = None if env.region is None else added(step)
                label = self.reader.all((value or step.value, step.key), env)
                label = by(label, step.span, step.seen)
                self.change(step.scalar, self.reader.key(step.key, env), label, step.span, here)
            case m.Roll():
                label = by(self.reader.all((step.key,), env), None)
                self.change(step.scalar, self.reader.key(step.key, env), label, step.span, here)
            case m.Move() | m.Deal():
                self.moving(step, here)
            case m.PassEach():
                effect = f"the passing on of {step.zone.name}"
                self.shown.show(here.pc, EVERYBODY, effect, here)
            case m.AwardStep():
                self.award(step, here)
            case m.Shuffle():
                label = here.pc | self.reader.all((step.place.key,), env)
                effect = f"the shuffling of {step.place.zone.name}"
                self.shown.show(label, here.told_to(), effect, here)
            case m.Show():
                self.show(step, here)
            case _:
                assert_never(step)

    def start(self, scalar: m.Scalar, here: Here) -> None:
        """The value a piece of state begins with."""
        if scalar.start is None:
            return
        env, key = here.env, None
        if scalar.owner is not None:
            env = env.bind(scalar.owner, OPEN)
            key = self.reader.key(m.LocalRead(scalar.span, scalar.owner.type, scalar.owner), env)
        label = self.reader.label(scalar.start, env)
        effect = f"what {scalar.name} is at the start"
        self.shown.show(label, sight_of(scalar, key), effect, here)

    def change(
        self, scalar: m.Scalar, key: Key | None, label: Label, span: Span, here: Here
    ) -> None:
        """A piece of state changes: those who see it learn what the change depends on."""
        sight = sight_of(scalar, key)
        self.shown.show(here.pc | label, sight, f"a change of {scalar.name}", here)
        hidden: Label = OPEN
        if sight != EVERYBODY:
            hidden = frozenset((Secret(sight, scalar, key, False, span=span),))
        for trigger in self.model.triggers:
            event = trigger.event
            if isinstance(event, m.AfterChange) and event.scalar is scalar:
                self._follow(trigger, _bound(event.owner, key), {}, event.where, hidden, here)

    def award(self, step: m.AwardStep, here: Here) -> None:
        """Everybody's rank depends on everybody's values."""
        self.shown.mark(step.span, step.seen)
        seats = m.SeatsDomain(None, False, False)
        env = self.reader.member(here.env, step.binder, seats, step.where, OPEN)
        label = self.reader.all((step.where, *step.by, *step.prizes), env)
        label = by(label, step.span, step.seen)
        label = self.reader.leaving(label, step.binder, seats, here.env)
        self.change(step.scalar, Key("local", step.binder), label, step.span, here)

    def show(self, step: m.Show, here: Here) -> None:
        """Something is told on purpose; that it is told, and to whom, is seen by the same."""
        env = here.env
        to = self.reader.key(step.to, env)
        viewers = EVERYBODY if to is None else only(to)
        how = self.reader.all((step.to, step.top), env)
        if isinstance(step.what, m.Place):
            how |= self.reader.all((step.what.key,), env)
            what = self.reader.content(step.what, step.what.span, env)
        else:
            what = self.reader.label(step.what, env)
        everybody = EVERYBODY if step.top is not None else viewers
        self.shown.show(here.pc | how, everybody, "what is shown", here)
        self.shown.tell(what, viewers, step.span, here)

    # ---------------------------------------------------------------- components

    def moving(self, step: Moving, here: Here) -> None:
        self.shown.mark(step.span, step.seen)
        for kinds, to in movements(step):
            self._moves(step, kinds, to, here)

    def _moves(self, step: Moving, kinds: tuple[m.Kind, ...], target: m.Target, here: Here) -> None:
        """Whoever sees either end sees what moves, whoever sees either size how many."""
        env = here.env
        origin, to = step.origin, target.place
        ends = [(origin.zone, self.reader.key(origin.key, env))]
        ends.append((to.zone, self.reader.key(to.key, env)))
        viewers = [sight_of(zone, key) for zone, key in ends]
        viewers += [sees_size(zone, key) for zone, key in ends]
        viewers += [EVERYBODY for zone, _ in ends if zone.top_seen]
        whose = by(self.reader.all((origin.key, to.key), env), step.span, step.seen)
        chosen = by(self._chosen(step, target, here), step.span, step.seen)
        if env.ahead is not None:
            # where components go, and whether there is room, depends on what lies there
            places = (origin, to) if to.zone.shape is m.Shape.SLOT else (origin,)
            for place in places:
                self.reader.content(place, step.span, env)
        effect = f"the move from {origin.zone.name} to {to.zone.name}"
        for audience in viewers:
            self.shown.show(here.pc | whose, audience, effect, here)
            self.shown.show(chosen, audience, effect, here, "secret-moves")
        if to.zone.columns_seen and to.zone.shape is m.Shape.PILE and _by_members(step):
            content = by(self.reader.content(origin, step.span, env), step.span, step.seen)
            effect = f"the order in which they come to {to.zone.name}"
            # the one who acts means to show the columns, and can choose the order otherwise
            nobody = evolve(here, acting=frozenset())
            self.shown.show(content, EVERYBODY, effect, nobody, "secret-moves")
        if target is step.to:
            self._notes(step, here)
        # what goes aside does so because of what it is
        uniform = len(kinds) == 1 and target is step.to
        self._after_move(step, kinds, uniform, ends, here)

    def _notes(self, step: Moving, here: Here) -> None:
        """All hear what is noted, and all see which notes go with what leaves a pile."""
        env, (origin, to) = here.env, (step.origin, step.to.place)
        if step.noting:
            values = tuple(noting.value for noting in step.noting)
            said = by(self.reader.all(values, env), step.span, step.seen)
            effect = f"what is said about what comes to {to.zone.name}"
            self.shown.show(here.pc | said, EVERYBODY, effect, here)
        if origin.zone.notes and isinstance(step, m.Move) and not _in_order(step):
            spots = self._chosen(step, step.to, here)
            spots |= self.reader.content(origin, origin.span, env)
            effect = f"whose notes leave {origin.zone.name}"
            label = by(spots, step.span, step.seen)
            self.shown.show(label, EVERYBODY, effect, here, "secret-moves")

    def _chosen(self, step: Moving, to: m.Target, here: Here) -> Label:
        """What the choice of components depends on, besides the place they leave."""
        env, origin = here.env, step.origin
        owner = self.reader.key(origin.key, env)
        label = self.reader.all((to.low, to.high), env)
        if isinstance(step, m.Deal):
            label |= self.reader.label(step.count, env)
            if step.chosen is not None:
                inner = env.bind(step.chosen.binder, OPEN)
                label |= self.reader.label(step.chosen.where, inner)
        else:
            match step.moved:
                case m.MoveAll():
                    pass
                case m.MoveMember():
                    label |= self.reader.all((step.moved.member, step.moved.count), env)
                case m.MoveWhere():
                    inner = env.bind(step.moved.binder, OPEN)
                    label |= self.reader.label(step.moved.where, inner)
                case m.MoveTop():
                    label |= self.reader.label(step.moved.count, env)
                case m.MoveSubbag():
                    label |= env.labels.get(step.moved.local, OPEN)
                case _:
                    assert_never(step.moved)
        return frozenset(s for s in label if not s.lies_in(origin, owner))

    def _after_move(
        self,
        step: Moving,
        kinds: tuple[m.Kind, ...],
        uniform: bool,
        ends: list[tuple[m.Zone, Key | None]],
        here: Here,
    ) -> None:
        """The triggers that follow; `uniform`: that one moves does not depend on what it is."""
        (origin, origin_key), (to, to_key) = ends
        content = sight_of(origin, origin_key) | sight_of(to, to_key)
        number = sees_size(origin, origin_key) | sees_size(to, to_key)
        component = self._hidden(content, step, origin_key)
        happened = self._hidden(number, step, origin_key)
        if not uniform:
            happened |= component
        for trigger in self.model.triggers:
            event = trigger.event
            if isinstance(event, m.AfterMove):
                if event.origin not in (None, origin) or event.to not in (None, to):
                    continue
                if event.kind not in kinds:
                    continue
                owners = _bound(event.origin_owner, origin_key) | _bound(event.to_owner, to_key)
                moved = {event.binder: component}
                self._follow(trigger, owners, moved, event.where, happened, here)
            elif isinstance(event, m.WhenEmpty) and event.zone is origin:
                size = sees_size(origin, origin_key)
                hidden = self._hidden(size, step, origin_key)
                self._follow(trigger, _bound(event.owner, origin_key), {}, None, hidden, here)

    @staticmethod
    def _hidden(sight: Audience, step: Moving, owner: Key | None) -> Label:
        """What is not seen of a move by all but these: what lies where it comes from."""
        if sight == EVERYBODY:
            return OPEN
        place, span = step.origin, step.span
        member = member_in(place.key)
        return frozenset((Secret(sight, place.zone, owner, False, member, span=span),))

    def _follow(
        self,
        trigger: m.Trigger,
        owners: dict[m.Local, Key | None],
        values: dict[m.Local, Label],
        where: m.Expr | None,
        happened: Label,
        here: Here,
    ) -> None:
        """Carry out a trigger: under what has happened, if its condition holds."""
        env = here.env
        for local, key in owners.items():
            env = env.bind(local, OPEN, key if key is not None and env.stable(key) else None)
        for local, label in values.items():
            env = env.bind(local, env.lasting(label))
        condition = by(happened | self.reader.all((where,), env), None)
        if env.ahead is not None:
            env.ahead.reads(happened, env)
        reached = evolve(here, env=env).under(condition)
        keys = tuple(env.keys[local] for local in owners)
        self.fire(trigger, reached, (keys, tuple(values.values())))


def _in_order(step: m.Move) -> bool:
    """Whether what moves lies on top, or is everything: that tells nothing of what it is."""
    all_ = isinstance(step.moved, m.MoveAll) and len(step.moved.kinds) == len(
        step.origin.zone.kinds
    )
    return all_ or isinstance(step.moved, m.MoveTop)


def _by_members(step: Moving) -> bool:
    """Whether different components may move at once, in the order of the members of their kind."""
    if isinstance(step, m.Deal):
        return False
    zone = step.origin.zone
    match step.moved:
        case m.MoveWhere() | m.MoveSubbag():
            return zone.shape is not m.Shape.SLOT
        case m.MoveAll(kinds=kinds):
            return zone.shape is m.Shape.BAG or len(kinds) < len(zone.kinds)
        case m.MoveMember() | m.MoveTop():
            return False
        case _:
            assert_never(step.moved)


def _bound(owner: m.Owner | None, key: Key | None) -> dict[m.Local, Key | None]:
    """The names of a trigger for whose something is, with the player."""
    if owner is None:
        return {}
    return {owner.local: key} | ({} if owner.member is None else {owner.member: None})
