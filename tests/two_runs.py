"""Two runs that look the same to one player: if he can tell them apart, a secret has leaked.

At a stop everything a player does not see is scrambled, components being conserved. Both states
then go on with the same inputs as far as that player sees them: his own moves, the moves that
others make aloud, what chance shows. Views, legal moves and logs have to stay the same, until the
rules themselves tell something (`seen`, `show`) or another player acts by his own secrets.
"""

from __future__ import annotations

from random import Random
from typing import Any

from attrs import define, field, frozen

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import IntType, KindType
from rulesdsl.check.sights import sees
from rulesdsl.check.walk import all_bodies, nodes
from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.layout import cells_of, write_cells
from rulesdsl.machine.program import Region, Stop
from rulesdsl.play.events import Event
from rulesdsl.play.game import Game
from rulesdsl.play.history import Run
from rulesdsl.play.state import State

TELLING = ("seen", "shown", "looked")


class Leak(AssertionError):
    """A player has learned what was to stay secret."""


def told_by_lines(model: m.Model) -> frozenset[str]:
    """The names of what lines with `, seen` change: the change itself is what they tell."""
    found: set[str] = set()
    for body in all_bodies(model):
        for node in nodes(body.steps):
            match node:
                case m.SetScalar(seen=True) | m.AwardStep(seen=True):
                    found.add(node.scalar.name)
                case m.Move(seen=True) | m.Deal(seen=True):
                    for zone in (node.origin.zone, node.to.place.zone):
                        found |= {zone.name, *(note.name for note in zone.notes)}
                case _:
                    pass
    return frozenset(found)


def scrambled(state: State, seat: int, random: Random) -> list[int]:
    """The record with all that a seat does not see made anew, as far as that can be."""
    record = list(state.record)
    views, layout = state.rules.views, state.rules.machine.layout
    hidden: list[Hidden] = []
    for what, key, _ in views.state():
        if sees(what, key, seat):
            continue
        cells = cells_of(layout, record, what, key)
        if isinstance(what, m.Scalar):
            if isinstance(what.type, IntType) and random.random() < 0.7:
                low, high = max(what.type.low, cells[0] - 4), min(what.type.high, cells[0] + 4)
                record[layout.slot(what).base + key] = random.randint(low, high)
            elif isinstance(what.type, KindType):
                record[layout.slot(what).base + key] = random.randrange(len(what.type.kind))
        else:
            hidden.append(Hidden(what, key, cells))
    for kinds in {tuple(map(id, one.zone.kinds)) for one in hidden}:
        _deal_anew([one for one in hidden if tuple(map(id, one.zone.kinds)) == kinds], random)
    for one in hidden:
        one.turn_about(random)
        write_cells(layout, record, one.zone, one.key, one.cells)
    return record


@frozen
class Hidden:
    """A place not seen, with its cells."""

    zone: m.Zone
    key: int
    cells: list[int]

    def tally(self) -> range:
        """The cells that count members."""
        match self.zone.shape:
            case m.Shape.BAG:
                return range(self.zone.width)
            case m.Shape.DECK:
                return range(1 + self.zone.capacity, len(self.cells))
            case _:
                return range(0)

    def spots(self) -> range:
        """The cells that hold one each."""
        if self.zone.shape is not m.Shape.PILE:
            return range(0)
        return range(1, 1 + max(0, self.cells[0] - int(self.zone.top_seen)))

    def turn_about(self, random: Random) -> None:
        """Lay what is known and unknown in a deck into another order."""
        if self.zone.shape is m.Shape.DECK:
            order = self.cells[1 : 1 + self.cells[0]]
            random.shuffle(order)
            self.cells[1 : 1 + self.cells[0]] = order


def _deal_anew(places: list[Hidden], random: Random) -> None:
    """Exchange the components of some places: as many lie in each as before.

    Where columns are seen, a component gives way only to one that agrees in them.
    """
    sites: list[m.Zone] = []
    members: list[int] = []
    for one in places:
        here = [member for member, cell in enumerate(one.tally()) for _ in range(one.cells[cell])]
        here += [one.cells[cell] for cell in one.spots()]
        sites += [one.zone] * len(here)
        members += here
    for _ in range(8 * len(sites)):
        i, j = random.randrange(len(sites)), random.randrange(len(sites))
        columns = (*sites[i].columns_seen, *sites[j].columns_seen)
        if all(column.values[members[i]] == column.values[members[j]] for column in columns):
            members[i], members[j] = members[j], members[i]
    left = iter(members)
    for one in places:
        number = sum(one.cells[cell] for cell in one.tally())
        for cell in one.tally():
            one.cells[cell] = 0
        for _ in range(number):
            one.cells[one.tally()[next(left)]] += 1
        for cell in one.spots():
            one.cells[cell] = next(left)


def opened(state: State) -> list[int] | None:
    """The record with which the region began that is open; the same list as long as it is."""
    state.log(0)
    told = state._run.told
    return None if told is None else told.opened


@define(eq=False)
class TwoRuns:
    """Two states that a seat cannot tell apart, going on in step."""

    seat: int
    random: Random
    first: State
    second: State
    excused: bool = False
    """Somebody else has acted by his own secrets since the two were last compared."""
    known: list[int] = field(factory=lambda: [0, 0])
    told: frozenset[str] = field(init=False)
    before: list[tuple[tuple[int, ...], Stop]] = field(factory=list)
    """The records and stops of both, when they were last compared."""
    steps: int = 0
    regions: list[list[int] | None] = field(factory=lambda: [None, None])
    """The records with which the regions began that are open in the two."""
    moves: list[str] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.told = told_by_lines(self.first.rules.machine.model)

    @property
    def both(self) -> tuple[State, State]:
        return self.first, self.second

    def play(self, most: int = 40) -> None:
        """Go on to the end, to something told, or for a number of steps. Raises Leak."""
        try:
            self.settle()
            while self.alike() and self.steps < most and not self.first.is_over:
                if not self.step():
                    return
                self.settle()
        except RuleFault:
            return

    # ---------------------------------------------------------------- what the seat notices

    def alike(self) -> bool:
        """Whether the seat sees the same in both; False if it has been told a difference."""
        news: list[list[Event]] = []
        for number, state in enumerate(self.both):
            log = state.log(self.seat)
            news.append(list(log[self.known[number] :]))
            self.known[number] = len(log)
        pairs = zip([*news[0], None], [*news[1], None], strict=False)
        one, other = next((pair for pair in pairs if pair[0] != pair[1]), (None, None))
        if one != other:
            if self.excused or self.tells(one) or self.tells(other):
                return False
            raise Leak(self.story("what happened", one, other))
        excused, self.excused = self.excused, False
        self.before = [(state.record, state.stop) for state in self.both]
        seen = [self.seen(state) for state in self.both]
        if seen[0] != seen[1]:
            if excused:
                return False
            raise Leak(self.story("what is seen", *seen))
        return True

    def seen(self, state: State) -> dict[str, object]:
        """The view, the own legal moves, and how it ended."""
        found: dict[str, object] = {"over": state.is_over, **state.view(self.seat)}
        found["legal"] = [move.text for move in state.legal_moves(self.seat)]
        return found

    def tells(self, event: Event | None) -> bool:
        """Whether the rules tell something by an event, or a move shows what it moves."""
        if event is None:
            return False
        names = {str(value).split(".")[-1].split("[")[0] for _, value in event.data}
        if event.kind == "moved":
            # what moves may depend on the place that it leaves
            left = str(event["from"])
            contents = [self.named_before(number)[left] for number in range(2)]
            return contents[0] != contents[1] or bool(names & self.told)
        return event.kind in TELLING or bool(names & self.told)

    def named_before(self, number: int) -> dict[str, Any]:
        """One of the two by its names, when they were last compared."""
        record, stop = self.before[number]
        named = self.first.rules.views.named(list(record), stop)["state"]
        assert isinstance(named, dict)
        return named

    def story(self, what: str, first: Any, second: Any) -> str:
        if isinstance(first, dict):
            keys = [key for key in first if first[key] != second[key]]
            first, second = ({key: one[key] for key in keys} for one in (first, second))
        path = " / ".join(self.moves[-6:])
        return f"seat {self.seat} can tell: {what} after {path}\n  {first}\n  {second}"

    # ---------------------------------------------------------------- going on

    def settle(self) -> None:
        """Up to where somebody chooses in both."""
        self.chance()
        self.join()

    def chance(self) -> None:
        """Chance, the same in both where it can be."""
        while self.first.is_chance or self.second.is_chance:
            outcome = None
            for state in self.both:
                if state.is_chance:
                    open_ = [number for _, _, number in state.chance_outcomes()]
                    if outcome is None or outcome not in open_:
                        self.excused = self.excused or outcome is not None
                        outcome = self.random.choice(open_)
                    state.apply_chance(outcome)
            self.excused = self.excused or self.first.is_chance != self.second.is_chance

    def step(self) -> bool:
        """One input for both; whether there is one."""
        self.steps += 1
        self.regions = [opened(state) for state in self.both]
        if self.in_region():
            others = [[s for s in state.to_act if s != self.seat] for state in self.both]
            if self.seat in self.first.to_act and (not any(others) or self.random.random() < 0.5):
                return self.own_move()
            for state, seats in zip(self.both, others, strict=True):
                if seats:
                    self.any_move(state, self.random.choice(seats))
            return True
        (actor,) = self.first.to_act
        if actor == self.seat:
            return self.own_move()
        return self.other_move(actor)

    def in_region(self) -> bool:
        return all(isinstance(state.stop, Region) for state in self.both)

    def join(self) -> None:
        """When others are done in one of the two they have to be done in both."""
        while True:
            still = [
                state
                for state, region in zip(self.both, self.regions, strict=True)
                if region is not None and opened(state) is region
            ]
            closed = sum(region is not None for region in self.regions) - len(still)
            # what others did at the same time is seen when all are done
            self.excused = self.excused or closed > 0
            seats = [seat for state in still for seat in state.to_act if seat != self.seat]
            if not closed or not seats:
                return
            self.any_move(still[0], self.random.choice(seats))
            self.chance()

    def own_move(self) -> bool:
        legal = self.first.legal_moves(self.seat)
        if not legal:
            return False
        text = self.random.choice(legal).text
        for state in self.both:
            state.apply(text, self.seat)
        self.moves.append(f"{self.seat} {text}")
        return True

    def any_move(self, state: State, seat: int) -> None:
        state.apply(self.random.choice(state.legal_moves(seat)))

    def other_move(self, actor: int) -> bool:
        """A move of another: the same in both if it is said aloud or can be the same."""
        texts = [[move.text for move in state.legal_moves(actor)] for state in self.both]
        common = [text for text in texts[0] if text in texts[1]]
        choice = self.first.choice(actor)
        assert choice is not None
        if common:
            text = self.random.choice(common)
            for state in self.both:
                state.apply(text, actor)
            self.moves.append(f"{actor} {text}")
        elif choice.secretly:
            for state in self.both:
                self.any_move(state, actor)
            self.moves.append(f"{actor} ...")
        else:
            return False
        self.excused = True
        return True


def look_for_leaks(game: Game, random: Random, most: int = 60) -> int:
    """Play a game at random; at some stops try two runs for each seat. How many were tried."""
    tried = 0
    state = game.start(random.randrange(2**32))
    begun = state.moves_made  # the setup may have taken many outcomes of chance
    while not state.is_over and state.moves_made - begun < most:
        if not isinstance(state.stop, Region) and random.random() < 0.4:
            seat = random.randrange(game.players)
            tried += try_two(state, seat, random)
        actor = random.choice(state.to_act)
        try:
            state.apply(random.choice(state.legal_moves(actor)))
        except RuleFault:
            return tried
    return tried


def try_two(state: State, seat: int, random: Random) -> bool:
    """Two runs from a stop: one as it is, one with what the seat does not see made anew.

    False if that comes out the same: then there is nothing that he could be told.
    """
    records = [list(state.record), scrambled(state, seat, random)]
    if records[0] == records[1]:
        return False
    states = [State(state.rules, record, Run.first(list(record))) for record in records]
    if states[0].view(seat) != states[1].view(seat):
        raise Leak("the scrambled state is seen to be another")
    if any(not one.legal_moves(actor) for one in states for actor in one.to_act):
        return False
    TwoRuns(seat, random, states[0], states[1]).play()
    return True
