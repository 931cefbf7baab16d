"""Many games from their starts to their ends, on records alone.

They are those that a State would play with random and scripted agents of the same seed and
number; where several players may act, the lowest seat acts first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, field

from rulesdsl.engines.chance import Stream
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.finished import Finished
from rulesdsl.engines.preferring import Preferring
from rulesdsl.engines.reference import Engine
from rulesdsl.engines.values import Numbers
from rulesdsl.engines.whole import Log, Whole, any_of
from rulesdsl.machine.policy import Policy
from rulesdsl.machine.program import (
    AT,
    ME,
    OVER,
    POINTS,
    WAITING,
    Choose,
    Draw,
    Machine,
    Over,
    Region,
    Stop,
)
from rulesdsl.text.limits import MOVES_PER_GAME, STEPS_PER_MOVE


def play_many(
    engine: Engine, cast: Sequence[Policy | None], seed: int, numbers: range, rotate: bool
) -> Finished:
    """Play the games of these numbers. A bot for each seat, None for a random player; with
    `rotate` seat s of game number n is played by bot (s + n) mod seats, else by bot s."""
    return _played(engine, None, cast, seed, numbers, rotate)


def play_on(
    engine: Engine,
    record: Sequence[int],
    cast: Sequence[Policy | None],
    seed: int,
    numbers: range,
    rotate: bool = False,
) -> Finished:
    """Games from a record, at rest at a stop, on to their ends."""
    return _played(engine, record, cast, seed, numbers, rotate)


def _played(
    engine: Engine,
    start: Sequence[int] | None,
    cast: Sequence[Policy | None],
    seed: int,
    numbers: range,
    rotate: bool,
) -> Finished:
    if len(cast) != engine.machine.seats:
        raise ValueError(f"{len(cast)} bots cannot play for {engine.machine.seats} seats")
    many = _Many(engine, start, tuple(cast), seed, rotate)
    before = engine.fired.copy()
    finished = many.play(numbers)
    for rule, (now, then) in enumerate(zip(engine.fired, before, strict=True)):
        if now > then:
            finished.fired[rule] += now - then
    return finished


@define(eq=False)
class _Many:
    engine: Engine
    start: Sequence[int] | None
    """The record that all games go on from; None: from the start of the game."""
    cast: tuple[Policy | None, ...]
    seed: int
    rotate: bool
    finished: Finished = field(init=False)
    _preferring: list[Preferring | None] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.finished = Finished.of(self.engine.machine)
        self._preferring = [
            None if policy is None else Preferring(policy, self.engine.function)
            for policy in self.cast
        ]

    def play(self, numbers: range) -> Finished:
        """By code for whole games, if there is such."""
        bots = any(policy is not None for policy in self.cast)
        function = self.engine.whole_games(bots) if self.start is None else None
        if function is None:
            for number in numbers:
                self.by_stops(number)
        else:
            cast = [Log(policy) for policy in self._preferring]
            whole = Whole(self.engine, function, cast, self.seed, self.finished)
            whole.play(numbers, self.rotate, self.by_stops)
        return self.finished

    def by_stops(self, number: int) -> None:
        """One game, stop by stop."""
        seats = self.engine.machine.seats
        bots = [(seat + number) % seats if self.rotate else seat for seat in range(seats)]
        game = _Game(self.engine, self.start, self._preferring, bots, self.seed, number)
        game.play(self.finished)


@define(eq=False)
class _Game:
    """One game, stop by stop."""

    engine: Engine
    start: Sequence[int] | None
    preferring: list[Preferring | None]
    bots: list[int]
    """By seat, as in the cast."""
    seed: int
    number: int
    record: Numbers = field(init=False)
    runs: int = field(default=0, init=False)
    _left: int = field(default=STEPS_PER_MOVE, init=False)
    _chance: Stream = field(init=False)
    _streams: list[Stream] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.record = list(self.machine.start if self.start is None else self.start)
        self._chance = Stream.of(self.seed, game=self.number)
        self._streams = [
            Stream.of(self.seed, seat + 1, self.number) for seat in range(self.machine.seats)
        ]

    @property
    def machine(self) -> Machine:
        return self.engine.machine

    def play(self, finished: Finished) -> None:
        """To the end or into a fault; with one the record is that before it."""
        decisions, guesses = [0] * self.machine.seats, [0] * self.machine.seats
        kept, runs, fault = self.record, 0, None
        fired = self.engine.fired.copy()
        try:
            if self.start is None:
                self._go(self.machine.entry, (), None)
            self._settle()
            while True:
                kept, runs, fired = self.record, self.runs, self.engine.fired.copy()
                found = next(self._waiting())
                if isinstance(found[0], Over):
                    break
                self._decide(finished, decisions, guesses)
                self._settle()
        except RuleFault as error:
            fault = error
            self.engine.fired[:] = fired
        finished.append(self.number, kept, fault, runs, decisions, guesses)

    # ---------------------------------------------------------------- what it waits for

    def _waiting(self) -> Iterator[tuple[Stop, int | None]]:
        """The stop; in a region those of the seats that wait there, with the seats."""
        stops = self.machine.stops
        if self.record[AT] == OVER:
            yield next(stop for stop in stops if isinstance(stop, Over)), None
            return
        stop = stops[self.record[AT] - 1]
        if not isinstance(stop, Region):
            yield stop, None
            return
        for seat in range(self.machine.seats):
            point = self.record[POINTS + seat]
            if point >= WAITING:
                yield stops[point - WAITING], seat

    def _scene(self, seat: int | None) -> Numbers:
        """A record to ask conditions in: in a region a copy in which the seat runs."""
        if seat is None:
            return self.record
        record = self.record.copy()
        record[ME] = seat
        return record

    def _actors(self) -> Iterator[tuple[int, Choose, int | None]]:
        """Who may act, each with his choice and the seat that runs in a region."""
        for stop, seat in self._waiting():
            if isinstance(stop, Choose):
                actor = self.engine.evaluate(stop.actor, self.record) if seat is None else seat
                yield actor, stop, seat

    # ---------------------------------------------------------------- what nobody decides

    def _settle(self) -> None:
        """Chance, and players without an option."""
        while self._draw() or self._otherwise():
            pass

    def _draw(self) -> bool:
        for stop, seat in self._waiting():
            if isinstance(stop, Draw):
                weights = self.engine.weights(stop, self._scene(seat))
                outcome = self._chance.pick(weights)
                self._go(stop.block, (outcome,), seat)
                return True
        return False

    def _otherwise(self) -> bool:
        for player, stop, seat in self._actors():
            choices = self.engine.choices(stop)
            if choices.any(self._scene(seat), {-1: STEPS_PER_MOVE}):
                continue
            if stop.otherwise is None:
                raise no_option(self.machine, stop, player)
            self._go(stop.otherwise, (), seat)
            return True
        return False

    def _go(self, block: int, values: tuple[int, ...], seat: int | None) -> None:
        if self.runs >= MOVES_PER_GAME:
            raise endless(self.machine)
        self.record, self._left = self.engine.after(self.record, block, values, seat, self._left)
        self.runs += 1

    # ---------------------------------------------------------------- what a player decides

    def _decide(self, finished: Finished, decisions: list[int], guesses: list[int]) -> None:
        player, stop, seat = min(self._actors(), key=lambda found: found[0])
        bot = self.bots[player]
        scene = self._scene(seat)
        bundles = self.engine.choices(stop).bundles(scene, {-1: STEPS_PER_MOVE})
        preferring = self.preferring[bot]
        if sum(map(len, bundles)) > 1:
            decisions[player] += 1
            finished.asked[bot, stop.number] += 1
            if preferring is not None:
                preferred = preferring.preferred(stop.number, scene, player, bundles)
                if not preferred:
                    guesses[player] += 1
                    finished.guessed[bot, stop.number] += 1
                bundles = preferred or bundles
        bundle, values = any_of(bundles, self._streams[player].below)
        option = next(i for i, one in enumerate(stop.options) if one is bundle.option)
        finished.taken[bot, stop.number, option] += 1
        self._left = STEPS_PER_MOVE
        self._go(bundle.option.block, values, seat)


def no_option(machine: Machine, stop: Choose, player: int) -> RuleFault:
    return RuleFault("no-option", stop.span, f"{machine.seat_names[player]} in {stop.where}")


def endless(machine: Machine) -> RuleFault:
    detail = f"more than {MOVES_PER_GAME} moves and outcomes of chance"
    return RuleFault("endless", machine.model.span, detail)
