"""Engine and tree walker play the same game, and are compared at every stop."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from attrs import define, field

from rulesdsl.check.datatypes import unsaid
from rulesdsl.check.model import Model, PlaceNote, Scalar, Shape, Zone
from rulesdsl.check.owners import section_of
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.python.engine import GeneratedEngine
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.layout import cells_of
from rulesdsl.machine.program import UNKNOWN, Machine
from rulesdsl.play.game import Game
from rulesdsl.play.state import State
from rulesdsl.text.source import Span
from tests.meaning import Walk
from tests.meaning_values import Fault


class Difference(AssertionError):
    """Engine and walker do not agree."""


def generated(model: Model, seats: int, options: dict[str, int]) -> Game:
    """A game in the engine that writes code, from the first move on."""
    game = Game(make_machine(model, seats, options))
    game.rules.engine = GeneratedEngine(game.machine, patience=0)
    return game


@define(eq=False)
class Lockstep:
    """One game of a model, played at random in both. `stops` counts the stops compared.

    Whoever plays several may make the game in the engine once.
    """

    model: Model
    seats: int
    options: dict[str, int]
    random: Random
    game: Game = field()
    stops: int = 0
    path: list[str] = field(factory=list)
    fault: tuple[str, Span] | None = None
    state: State = field(init=False)
    walk: Walk = field(init=False)

    @game.default
    def _made(self) -> Game:
        return generated(self.model, self.seats, self.options)

    @property
    def machine(self) -> Machine:
        return self.game.machine

    def __attrs_post_init__(self) -> None:
        self.walk = Walk(self.model, self.seats, self.options)

    def play(self, most: int = 10_000) -> Lockstep:
        """Compare from the start to the end, a fault in both, or the number of stops."""

        def begin() -> None:
            self.state = self.game.start()

        going = self.both(begin, lambda: self.walk.start())
        while going and self.stops < most:
            self.compare()
            if self.walk.over:
                return self
            going = self.step()
        return self

    def both(self, engine: Callable[[], object], walker: Callable[[], object]) -> bool:
        """Do something in both; whether both go on. A fault in one has to be one in the other."""
        mine = theirs = None
        try:
            engine()
            for seat in self.state.to_act:
                self.state.legal_moves(seat)
        except RuleFault as fault:
            mine = (fault.kind, fault.span)
        if mine is not None and mine[0] == "limit":
            return False
        try:
            walker()
        except Fault as fault:
            theirs = (fault.kind, fault.span)
        self.agree("fault", mine, theirs)
        self.fault = mine
        return mine is None

    def agree(self, what: str, engine: object, walker: object) -> None:
        if engine != walker:
            path = " / ".join(self.path[-12:])
            raise Difference(f"{what} after {path}:\n  engine {engine}\n  walker {walker}")

    def step(self) -> bool:
        """One random move or outcome of chance in both."""
        if self.walk.chances():
            label, _, outcome = self.random.choice(self.state.chance_outcomes())
            self.path.append(f"[{label}]")
            return self.both(
                lambda: self.state.apply_chance(outcome), lambda: self.walk.draw(label)
            )
        seat = self.random.choice(self.state.to_act)
        move = self.random.choice(self.state.legal_moves(seat))
        self.path.append(f"{seat} {move.text}")
        return self.both(lambda: self.state.apply(move), lambda: self.walk.choose(seat, move.text))

    def compare(self) -> None:
        """Everything that can be seen from outside, and the state by its names."""
        self.stops += 1
        self.agree("over", self.state.is_over, self.walk.over)
        self.agree("state", named(self.machine, self.state.record), self.walk.state())
        outcomes = self.state.chance_outcomes()
        weights = self.walk.chances()
        shares = {label: chance * sum(weights.values()) for label, chance, _ in outcomes}
        self.agree("chance", shares, weights)
        self.agree("actors", self.state.to_act, tuple(sorted(self.walk.legal())))
        for seat, moves in self.walk.legal().items():
            legal = [move.text for move in self.state.legal_moves(seat)]
            self.agree("legal moves", sorted(legal), sorted(moves))
            for name in dict.fromkeys(text.split()[0] for text in moves):
                mine, theirs = ([t for t in ts if t.split()[0] == name] for ts in (legal, moves))
                self.agree("order of moves", mine, theirs)
        if self.walk.over:
            outcome = self.state.outcome
            assert outcome is not None
            ranking, winners, terms = self.walk.outcome()
            self.agree("ranking", [list(group) for group in outcome.ranking], ranking)
            self.agree("winners", list(outcome.winners), winners)
            scores = [
                {name: outcome.scores[name][seat] for name in terms[seat]}
                for seat in range(self.seats)
            ]
            self.agree("scores", scores, terms)
            for name in self.machine.measures:
                for seat in range(self.seats):
                    self.measure(name, seat)

    def measure(self, name: str, seat: int) -> None:
        """The value of a measure, or the fault in it."""
        engine, record = self.state.rules.engine, list(self.state.record)
        found: list[object] = []
        try:
            found.append(engine.evaluate(self.machine.measures[name], record, seat))
        except RuleFault as fault:
            found.append((fault.kind, fault.span))
        try:
            found.append(self.walk.measured(name, seat))
        except Fault as fault:
            found.append((fault.kind, fault.span))
        self.agree(f"measure {name} of seat {seat}", *found)


def named(machine: Machine, record: tuple[int, ...]) -> dict[tuple[str, int], object]:
    """The state of a record by names and owners."""
    found: dict[tuple[str, int], object] = {}
    for slot in machine.layout.state.values():
        what = slot.what
        if isinstance(what, PlaceNote):
            found |= _notes(machine, record, what)
        if not isinstance(what, (Scalar, Zone)):
            continue
        for copy in range(slot.copies):
            cells = cells_of(machine.layout, record, what, copy)
            value: object = cells[0] if isinstance(what, Scalar) else _place(what, cells)
            found[f"{section_of(what)} {what.name}", copy] = value
    return found


def _notes(
    machine: Machine, record: tuple[int, ...], note: PlaceNote
) -> dict[tuple[str, int], object]:
    """A note on every copy of its place; above the top nothing is said."""
    found: dict[tuple[str, int], object] = {}
    zone, layout = note.zone, machine.layout
    for copy in range(layout.slot(note).copies):
        size = cells_of(layout, record, zone, copy)[0]
        said = cells_of(layout, record, note, copy)
        if any(value != unsaid(note.type) for value in said[size:]):
            raise Difference(f"{note.name} says something above the top of {zone.name}")
        found[f"{section_of(zone)} {zone.name} {note.name}", copy] = said[:size]
    return found


def _place(zone: Zone, cells: list[int]) -> object:
    """The components in order (None where unknown), and those without a place by name."""
    plain = [name for kind in zone.kinds for name in kind.members]
    full = [f"{kind.name}.{name}" for kind in zone.kinds for name in kind.members]
    names = [f if plain.count(p) > 1 else p for p, f in zip(plain, full, strict=True)]
    pool: dict[str, int] = {}
    order: list[str | None] = []
    match zone.shape:
        case Shape.BAG:
            pool = dict(zip(names, cells, strict=True))
        case Shape.SLOT:
            order = [names[cells[0] - 1]] if cells[0] else []
        case Shape.PILE | Shape.DECK:
            lying = cells[1 : 1 + cells[0]]
            order = [None if one == UNKNOWN else names[one] for one in lying]
            if any(cells[1 + cells[0] : 1 + zone.capacity]):
                raise Difference(f"{zone.name} holds something above its top")
            if zone.shape is Shape.DECK:
                pool = dict(zip(names, cells[1 + zone.capacity :], strict=True))
    return order, {name: count for name, count in pool.items() if count}
