"""The course of a game: what it waits for, and how it goes on, all or nothing."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
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

    A record is never changed, so copies share it: each run makes a new one. Its last run stands
    for it too: moves that carry that run are legal now.
    """

    rules: Rules
    _record: list[int]
    _run: Run
    _stream: Stream | None = None
    _watchers: tuple[Watcher, ...] = ()
    _asking: dict[int, Asked] | None = None
    _left: int = field(default=STEPS_PER_MOVE, init=False)
    _done: list[tuple[Run, list[int]]] = field(factory=list, init=False)

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
        if self._asking is None:
            self._asking = self._who_is_asked()
        return self._asking

    def _who_is_asked(self) -> dict[int, Asked]:
        engine, stop = self.rules.engine, self.stop
        if isinstance(stop, Choose):
            choices = engine.choices(stop)
            player = choices.actor(self._record, {-1: STEPS_PER_MOVE})
            return {player: Asked(self.rules, player, choices, self._record, self._run)}
        found: dict[int, Asked] = {}
        if isinstance(stop, Region):
            for one, seat in where_waiting(self.rules.machine, self._record, stop):
                if isinstance(one, Draw):
                    return {}
                if isinstance(one, Choose) and seat is not None:
                    choices, scene = engine.choices(one), self.scene(seat)
                    found[seat] = Asked(self.rules, seat, choices, scene, self._run)
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
        return self.asking().get(player)

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
            (self.rules.drawn(drawn[0], number).label, Fraction(weight, total), number)
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
        stop = self.asking()[player].stop
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
        while True:
            found = None if isinstance(self.stop, Choose) else self.draw()
            if found is None:
                if not self._otherwise():
                    return
            elif self._stream is None:
                return
            else:
                draw, seat = found
                outcome = self._stream.pick(self.weights(draw, seat))
                self._go(draw.block, (outcome,), seat, self.rules.drawn(draw, outcome))

    def _otherwise(self) -> bool:
        """Go on for a player without an option, if there is one."""
        for player, asked in self.asking().items():
            if asked.has_option():
                continue
            stop = asked.stop
            if stop.otherwise is None:
                detail = f"{self.rules.words.seats[player]} in {stop.where}"
                raise RuleFault("no-option", stop.span, detail)
            self._go(stop.otherwise, (), None if stop.region is None else player)
            return True
        return False

    def _go(
        self,
        block: int,
        values: tuple[int, ...],
        seat: int | None,
        cause: Move | Drawn | None = None,
        secret: bool = False,
    ) -> None:
        """Run the machine from a block to the next stop."""
        engine, before = self.rules.engine, self._record
        run = Run(self._run, self._run.length + 1, block, values, seat, cause, secret)
        if run.length > MOVES_PER_GAME:
            detail = f"more than {MOVES_PER_GAME} moves and outcomes of chance"
            raise RuleFault("endless", self.rules.machine.model.span, detail)
        try:
            self._record, self._left = engine.after(before, block, values, seat, self._left)
        except RuleFault as fault:
            stop = None if before[AT] == RUNNING else self.stop
            raise fault.within(rules_at_work(engine, before, run, stop)) from None
        self._run, self._asking = run, None
        if self._watchers:
            self._done.append((run, self._record))
