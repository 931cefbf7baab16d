"""The course of a game: what it waits for, and how it goes on, all or nothing."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from attrs import define, field

from rulesdsl.engines.chance import Stream
from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.program import AT, ME, RUNNING, Choose, Draw, Pause, Stop
from rulesdsl.play.asking import Asked
from rulesdsl.play.history import Drawn, Run
from rulesdsl.play.moves import Move
from rulesdsl.play.rules import Rules
from rulesdsl.play.views import where_waiting
from rulesdsl.play.working import rules_at_work
from rulesdsl.text.limits import MOVES_PER_GAME, STEPS_PER_MOVE

Watcher: TypeAlias = Callable[[Run, list[int]], None]
"""Told of each run of the machine, with the record after it, once all that follows went well."""


@define(eq=False, repr=False)
class Course:
    """A record that goes on from stop to stop. With a stream, chance is settled at once."""

    rules: Rules
    _record: list[int]
    _run: Run
    _stream: Stream | None = None
    _watchers: tuple[Watcher, ...] = ()
    _waiting: list[tuple[Stop, int | None]] | None = field(default=None, init=False)
    _actors: dict[int, Choose] | None = field(default=None, init=False)
    _offer: object = field(factory=object, init=False)
    """Stands for the record: moves that carry it are legal now."""
    _left: int = field(default=STEPS_PER_MOVE, init=False)
    _done: list[tuple[Run, list[int]]] = field(factory=list, init=False)

    # ---------------------------------------------------------------- what it waits for

    @property
    def stop(self) -> Stop:
        """The stop the record rests at."""
        return self.rules.stop(self._record)

    def waiting(self) -> list[tuple[Stop, int | None]]:
        """The stop; in a region those of the seats that wait there, with the seats."""
        if self._waiting is None:
            self._waiting = where_waiting(self.rules.machine, self._record, self.stop)
        return self._waiting

    def draw(self) -> tuple[Draw, int | None] | None:
        """What chance has to settle first, and the seat in whose part of a region it is."""
        for stop, seat in self.waiting():
            if isinstance(stop, Draw):
                return stop, seat
        return None

    def actors(self) -> dict[int, Choose]:
        """Who may act, and the choice each is at; nobody while chance is next."""
        if self._actors is None:
            waiting = self.waiting()
            chance = any(isinstance(stop, Draw) for stop, _ in waiting)
            self._actors = {
                self._actor(stop) if seat is None else seat: stop
                for stop, seat in waiting
                if isinstance(stop, Choose) and not chance
            }
        return self._actors

    def _actor(self, stop: Choose) -> int:
        return self.rules.engine.evaluate(stop.actor, self._record)

    def scene(self, seat: int | None) -> list[int]:
        """A record to ask conditions in: in a region a copy in which the seat runs."""
        if seat is None:
            return self._record
        record = self._record.copy()
        record[ME] = seat
        return record

    def asked(self, player: int) -> Asked | None:
        """What a player is asked, if it may act."""
        stop = self.actors().get(player)
        return None if stop is None else self._asked(player, stop)

    def _asked(self, player: int, stop: Choose) -> Asked:
        return Asked(self.rules, player, stop, self.scene(_inside(stop, player)), self._offer)

    def weights(self, draw: Draw, seat: int | None) -> list[int]:
        """The weight of each outcome of a draw."""
        return self.rules.engine.weights(draw, self.scene(seat))

    def outcomes(self) -> list[tuple[str, Fraction, int]]:
        """What chance may bring next: label, probability, outcome."""
        drawn = self.draw()
        if drawn is None:
            return []
        weights = self.weights(*drawn)
        return [
            (self.rules.label(drawn[0], number), Fraction(weight, sum(weights)), number)
            for number, weight in enumerate(weights)
            if weight
        ]

    # ---------------------------------------------------------------- going on

    def begin(self, block: int) -> None:
        """Run from a block that no stop leads to: the start of a game, or of a piece of it."""
        self._wholly(lambda: self._go(block, ()))

    def carry_out(self, move: Move) -> None:
        """Make a legal move of one of the actors."""
        assert move.choice is not None
        option, values = move.choice
        stop = self.actors()[move.player]
        registers = tuple(
            (p.register, number) for p, number in zip(option.parameters, values, strict=True)
        )
        seat = _inside(stop, move.player)
        secret = stop.secretly or seat is not None
        self._wholly(lambda: self._go(option.block, registers, seat, move, secret))

    def carry_out_chance(self, outcome: int) -> None:
        """Let chance come out so."""
        drawn = self.draw()
        assert drawn is not None
        self._wholly(lambda: self._chance(*drawn, outcome))

    def carry_on(self) -> None:
        """Go on after a pause."""
        stop = self.stop
        assert isinstance(stop, Pause)
        block = stop.block
        self._wholly(lambda: self._go(block, ()))

    def _wholly(self, go: Callable[[], None]) -> None:
        """Go on until somebody has to decide, or stay where it was; all steps count together."""
        before = self._record, self._run, self._stream.copy() if self._stream else None
        self._left, self._done = STEPS_PER_MOVE, []
        try:
            go()
            self._settle()
        except BaseException:
            self._record, self._run, self._stream = before
            self._moved()
            raise
        for watcher in self._watchers:
            for run, record in self._done:
                watcher(run, record)

    def _settle(self) -> None:
        """What nobody decides: chance (with a stream), and players without an option."""
        while True:
            drawn = self.draw()
            if drawn is None:
                if not self._otherwise():
                    return
            elif self._stream is None:
                return
            else:
                self._chance(*drawn, self._stream.pick(self.weights(*drawn)))

    def _otherwise(self) -> bool:
        """Go on for a player without an option, if there is one."""
        for player, stop in self.actors().items():
            if self._asked(player, stop).has_option():
                continue
            if stop.otherwise is None:
                detail = f"{self.rules.words.seats[player]} in {stop.where}"
                raise RuleFault("no-option", stop.span, detail)
            self._go(stop.otherwise, (), _inside(stop, player))
            return True
        return False

    def _chance(self, draw: Draw, seat: int | None, outcome: int) -> None:
        drawn = Drawn(draw, outcome, self.rules.label(draw, outcome))
        self._go(draw.block, ((draw.register, outcome),), seat, drawn)

    def _go(
        self,
        block: int,
        registers: tuple[tuple[int, int], ...],
        seat: int | None = None,
        cause: Move | Drawn | None = None,
        secret: bool = False,
    ) -> None:
        """Run the machine from a block to the next stop."""
        engine, before = self.rules.engine, self._record
        run = Run(self._run, self._run.length + 1, block, registers, seat, cause, secret)
        if run.length > MOVES_PER_GAME:
            detail = f"more than {MOVES_PER_GAME} moves and outcomes of chance"
            raise RuleFault("endless", self.rules.machine.model.span, detail)
        record = before.copy()
        numbers = engine.registers(self._left)
        run.prepare(record, numbers)
        try:
            engine.run(record, block, numbers)
        except RuleFault as fault:
            stop = None if before[AT] == RUNNING else self.stop
            raise fault.within(rules_at_work(engine, before, run, stop)) from None
        self._left = numbers[-1]
        self._record, self._run = record, run
        self._moved()
        self._done.append((run, record))

    def _moved(self) -> None:
        """What was known of the record before is not true of this one."""
        self._waiting = self._actors = None
        self._offer = object()


def _inside(stop: Choose, player: int) -> int | None:
    """The seat that has to be set as the one that runs, if the choice is inside a region."""
    return None if stop.region is None else player
