"""Many games from their starts to their ends, on records alone.

They are those that a State would play with random and scripted agents of the same seed and
number; where several players may act, the lowest seat acts first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, field

from rulesdsl.engines.chance import MASK, STEP, Stream
from rulesdsl.engines.choices import Bundle
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.finished import Finished
from rulesdsl.engines.preferring import Preferring
from rulesdsl.engines.python.bulk import Tally
from rulesdsl.engines.python.engine import FAILURES
from rulesdsl.engines.reference import Engine, WholeGame
from rulesdsl.engines.values import Numbers
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
    for number in numbers:
        many.play(number)
    finished = many.end()
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
    _whole: _Whole | None = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.finished = Finished.of(self.engine.machine)
        self._preferring = [
            None if policy is None else Preferring(policy, self.engine.function)
            for policy in self.cast
        ]
        function = self.engine.whole_games() if self.start is None else None
        self._whole = None if function is None else _Whole(self.engine, function, self._preferring)

    def play(self, number: int) -> None:
        """One game, by code for whole games if there is such and it does not get stuck."""
        seats = self.engine.machine.seats
        bots = [(seat + number) % seats if self.rotate else seat for seat in range(seats)]
        if self._whole is None or not self._whole.play(self.finished, bots, self.seed, number):
            game = _Game(self.engine, self.start, self._preferring, bots, self.seed, number)
            game.play(self.finished)

    def end(self) -> Finished:
        if self._whole is not None:
            self._whole.add_to(self.finished)
        return self.finished


@define(eq=False)
class _Whole:
    """Games by a function that plays them whole."""

    engine: Engine
    function: WholeGame
    preferring: list[Preferring | None]
    tally: Tally = field(init=False)
    tallies: list[list[int]] = field(init=False)
    """By bot."""
    _bots: list[int] = field(factory=list, init=False)
    _streams: list[int] = field(factory=list, init=False)
    _decisions: list[int] = field(factory=list, init=False)
    _guesses: list[int] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self.tally = Tally(self.engine.machine)
        self.tallies = [[0] * self.tally.size for _ in self.preferring]

    def play(self, finished: Finished, bots: list[int], seed: int, number: int) -> bool:
        """One game; False if it got stuck, and nothing of it was kept."""
        machine, engine = self.engine.machine, self.engine
        record, seats = list(machine.start), range(machine.seats)
        self._bots, self._decisions, self._guesses = bots, [0] * len(seats), [0] * len(seats)
        self._streams = [Stream.of(seed, seat + 1, number).key for seat in seats]
        fired, tallies = engine.fired.copy(), [tally.copy() for tally in self.tallies]
        try:
            runs = self.function(
                record,
                Stream.of(seed, game=number).key,
                self._streams,
                [self.preferring[bot] for bot in bots],
                [self.choose] * len(seats),
                [self.tallies[bot] for bot in bots],
                self._decisions,
            )
        except FAILURES:
            engine.fired[:], self.tallies = fired, tallies
            return False
        finished.append(number, record, None, runs, self._decisions, self._guesses)
        return True

    def choose(self, number: int, record: Numbers, seat: int) -> tuple[int, tuple[int, ...]]:
        """The option a player takes, with its parameters; -1 if there is none."""
        stop, bot = self.engine.machine.stops[number], self._bots[seat]
        assert isinstance(stop, Choose)
        bundles = self.engine.choices(stop).bundles(record, {-1: STEPS_PER_MOVE})
        if not bundles:
            return -1, ()
        tally, at = self.tallies[bot], self.tally.at[number]
        if len(bundles) > 1 or len(bundles[0]) > 1:
            self._decisions[seat] += 1
            tally[at] += 1
            preferring = self.preferring[bot]
            if preferring is not None:
                preferred = preferring.preferred(number, record, seat, bundles)
                if not preferred:
                    self._guesses[seat] += 1
                    tally[at + 1] += 1
                bundles = preferred or bundles
        stream = Stream(self._streams[seat])
        bundle, values = any_of(bundles, stream)
        self._streams[seat] = (stream.key + stream.position * STEP) & MASK
        option = next(i for i, one in enumerate(stop.options) if one is bundle.option)
        tally[at + 2 + option] += 1
        return option, values

    def add_to(self, finished: Finished) -> None:
        """Count what was asked, guessed and taken."""
        for bot, tally in enumerate(self.tallies):
            for stop, at in self.tally.at.items():
                asked, guessed, *taken = tally[at : at + 2 + self._options(stop)]
                if asked:
                    finished.asked[bot, stop] += asked
                if guessed:
                    finished.guessed[bot, stop] += guessed
                for option, times in enumerate(taken):
                    if times:
                        finished.taken[bot, stop, option] += times

    def _options(self, number: int) -> int:
        stop = self.engine.machine.stops[number]
        return len(stop.options) if isinstance(stop, Choose) else 0


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
        bundle, values = any_of(bundles, self._streams[player])
        option = next(i for i, one in enumerate(stop.options) if one is bundle.option)
        finished.taken[bot, stop.number, option] += 1
        self._left = STEPS_PER_MOVE
        self._go(bundle.option.block, values, seat)


def any_of(bundles: list[Bundle], stream: Stream) -> tuple[Bundle, tuple[int, ...]]:
    """One of the moves, each as likely: its bundle and its parameters."""
    index = stream.below(sum(map(len, bundles)))
    for bundle in bundles:
        if index < len(bundle):
            return bundle, bundle.values(index)
        index -= len(bundle)
    raise AssertionError("there is a move")


def no_option(machine: Machine, stop: Choose, player: int) -> RuleFault:
    return RuleFault("no-option", stop.span, f"{machine.seat_names[player]} in {stop.where}")


def endless(machine: Machine) -> RuleFault:
    detail = f"more than {MOVES_PER_GAME} moves and outcomes of chance"
    return RuleFault("endless", machine.model.span, detail)
