"""The course of a game: what it waits for, and how it goes on, all or nothing."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from attrs import define, field

from rulesdsl.engines.chance import Stream
from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.program import AT, ME, RUNNING, Choose, Draw, Pause, Region, Stop
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
    """A record that goes on from stop to stop. With a stream, chance is settled at once.

    A record is never changed, so copies share it: each run makes a new one. They share what is
    asked, too.
    """

    rules: Rules
    _record: list[int]
    _run: Run
    _stream: Stream | None = None
    _watchers: tuple[Watcher, ...] = ()
    _asking: dict[int, Asked] = field()
    _left: int = field(default=STEPS_PER_MOVE, init=False)
    _done: list[tuple[Run, list[int]]] = field(factory=list, init=False)

    @_asking.default
    def _asked_now(self) -> dict[int, Asked]:
        """What is asked at the stop that the record rests at, if it rests at one."""
        stop = self.rules.stops.get(self._record[AT])
        if isinstance(stop, Choose):
            asked = self._asked_at(stop)
            return {asked.player: asked}
        return self._asked_in(stop, {}) if isinstance(stop, Region) else {}

    # ---------------------------------------------------------------- what it waits for

    @property
    def stop(self) -> Stop:
        """The stop the record rests at."""
        return self.rules.stops[self._record[AT]]

    def draw(self) -> tuple[Draw, int | None] | None:
        """What chance has to settle first, and the seat in whose part of a region it is."""
        stop = self.stop
        if isinstance(stop, Draw):
            return stop, None
        if isinstance(stop, Region):
            for waiting, seat in where_waiting(self.rules.machine, self._record, stop):
                if isinstance(waiting, Draw):
                    return waiting, seat
        return None

    def asking(self) -> dict[int, Asked]:
        """Who may act by seat, and what each is asked; nobody while chance is next."""
        return self._asking

    def _asked_at(self, stop: Choose) -> Asked:
        """What is asked at a choice outside of regions."""
        rules, record = self.rules, self._record
        choices = rules.engine.choices(stop)
        player = choices.actor(record, {-1: STEPS_PER_MOVE})
        return Asked(rules, player, choices, record, self._run)

    def _asked_in(self, region: Region, known: dict[int, Asked]) -> dict[int, Asked]:
        """What is asked in a region, of some seats `known` before: it does not depend on what
        anybody else does meanwhile."""
        rules = self.rules
        found: dict[int, Asked] = {}
        for stop, seat in where_waiting(rules.machine, self._record, region):
            if isinstance(stop, Draw):
                return {}
            if isinstance(stop, Choose) and seat is not None:
                asked = known.get(seat)
                if asked is None or asked.stop is not stop:
                    choices, scene = rules.engine.choices(stop), self.scene(seat)
                    asked = Asked(rules, seat, choices, scene, self._run)
                found[seat] = asked
        return found

    def scene(self, seat: int | None) -> list[int]:
        """A record to ask conditions in: in a region a copy in which the seat runs."""
        if seat is None:
            return self._record
        record = self._record.copy()
        record[ME] = seat
        return record

    def asked(self, player: int) -> Asked | None:
        """What a player is asked, if it may act."""
        return self._asking.get(player)

    def weights(self, draw: Draw, seat: int | None) -> list[int]:
        """The weight of each outcome of a draw."""
        return self.rules.engine.weights(draw, self.scene(seat))

    def outcomes(self) -> list[tuple[str, Fraction, int]]:
        """What chance may bring next: label, probability, outcome."""
        drawn = self.draw()
        if drawn is None:
            return []
        weights = self.weights(*drawn)
        total = sum(weights)
        return [
            (self.rules.drawn(drawn[0], number).label, _chance(weight, total), number)
            for number, weight in enumerate(weights)
            if weight
        ]

    # ---------------------------------------------------------------- going on

    def begin(self, block: int) -> None:
        """Run from a block that no stop leads to: the start of a game, or of a piece of it."""
        self._wholly(block)

    def carry_out(self, move: Move) -> None:
        """Make a legal move of one of the actors."""
        form, player = move.form, move.player
        assert form is not None
        stop = self._asking[player].choices.stop
        if stop.region is None:
            self._wholly(form.option.block, move.values, None, move, stop.secretly)
        else:
            self._wholly(form.option.block, move.values, player, move, True)

    def carry_out_chance(self, outcome: int) -> None:
        """Let chance come out so."""
        found = self.draw()
        assert found is not None
        draw, seat = found
        self._wholly(draw.block, (outcome,), seat, self.rules.drawn(draw, outcome))

    def carry_on(self) -> None:
        """Go on after a pause."""
        stop = self.stop
        assert isinstance(stop, Pause)
        self._wholly(stop.block)

    def _wholly(
        self,
        block: int,
        values: tuple[int, ...] = (),
        seat: int | None = None,
        cause: Move | Drawn | None = None,
        secret: bool = False,
    ) -> None:
        """Go on until somebody has to decide, or stay where it was; all steps count together."""
        before, stream = (self._record, self._run, self._asking), self._stream
        position = 0 if stream is None else stream.position
        self._left = STEPS_PER_MOVE
        try:
            self._go(block, values, seat, cause, secret)
            self._settle()
        except BaseException:
            self._record, self._run, self._asking = before
            self._done = []
            if stream is not None:
                stream.position = position
            raise
        if self._watchers:
            done, self._done = self._done, []
            for watcher in self._watchers:
                for run, record in done:
                    watcher(run, record)

    def _settle(self) -> None:
        """What nobody decides: chance (with a stream), and players without an option."""
        stops = self.rules.stops
        while True:
            stop = stops[self._record[AT]]
            if isinstance(stop, Choose):
                asked = self._asked_at(stop)
                self._asking = {asked.player: asked}
            elif isinstance(stop, Region):
                self._asking = self._asked_in(stop, self._asking)
            else:
                self._asking = {}
            for asked in self._asking.values():
                if not asked.has_option():
                    self._otherwise(asked)
                    break
            else:
                if self._asking or not self._draw():
                    return

    def _draw(self) -> bool:
        """Go on with an outcome of chance, if it is next and there is a stream."""
        found = None if self._stream is None else self.draw()
        if found is None or self._stream is None:
            return False
        draw, seat = found
        outcome = self._stream.pick(self.weights(draw, seat))
        self._go(draw.block, (outcome,), seat, self.rules.drawn(draw, outcome))
        return True

    def _otherwise(self, asked: Asked) -> None:
        """Go on for a player without an option."""
        stop, player = asked.stop, asked.player
        if stop.otherwise is None:
            detail = f"{self.rules.words.seats[player]} in {stop.where}"
            raise RuleFault("no-option", stop.span, detail)
        self._go(stop.otherwise, (), None if stop.region is None else player)

    def _go(
        self,
        block: int,
        values: tuple[int, ...],
        seat: int | None,
        cause: Move | Drawn | None = None,
        secret: bool = False,
    ) -> None:
        """Run the machine from a block to the next stop."""
        engine, before, length = self.rules.engine, self._record, self._run.length + 1
        run = Run(self._run, length, block, values, seat, cause, secret)
        if length > MOVES_PER_GAME:
            detail = f"more than {MOVES_PER_GAME} moves and outcomes of chance"
            raise RuleFault("endless", self.rules.machine.model.span, detail)
        try:
            self._record, self._left = engine.after(before, block, values, seat, self._left)
        except RuleFault as fault:
            stop = None if before[AT] == RUNNING else self.stop
            raise fault.within(rules_at_work(engine, before, run, stop)) from None
        self._run = run
        if seat is not None:
            asking = self._asking
            self._asking = {other: asking[other] for other in asking if other != seat}
        if self._watchers:
            self._done.append((run, self._record))


_chance = lru_cache(maxsize=1024)(Fraction)
"""Fractions take long to make, and the same ones are asked for again and again."""
