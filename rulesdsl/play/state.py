"""A state of a game: who has to act, what is legal, what happens then, who sees what."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from hashlib import blake2b

from attrs import define

from rulesdsl.engines.chance import Stream
from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.program import AT, OVER, Choose, Pause
from rulesdsl.play.course import Course, Watcher
from rulesdsl.play.events import Event
from rulesdsl.play.faults import NotYourTurn
from rulesdsl.play.history import Run
from rulesdsl.play.logs import log
from rulesdsl.play.moves import Move, MoveRange
from rulesdsl.play.narrate import Narrator
from rulesdsl.play.outcome import Outcome, outcome, returns
from rulesdsl.play.page import plain


@define(eq=False, repr=False)
class State(Course):
    """Where a game stands. States of one game with equal records are equal.

    Players are numbers, from 0. A state started with a seed settles chance itself; one started
    without rests at each outcome of chance for `apply_chance`.
    """

    # ---------------------------------------------------------------- where the game is

    @property
    def is_over(self) -> bool:
        return self._record[AT] == OVER

    @property
    def is_chance(self) -> bool:
        return self.draw() is not None

    @property
    def is_paused(self) -> bool:
        """Whether it rests between two runs of an example; `resume` goes on."""
        return isinstance(self.stop, Pause)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The players that may act, in any order: none if chance is next or the game is over."""
        return tuple(self._asking)

    @property
    def moves_made(self) -> int:
        """How many times the game has gone on: moves and outcomes of chance."""
        return self._run.length

    @property
    def last_run(self) -> Run:
        """The last of what has happened; those before it hang on it."""
        return self._run

    @property
    def record(self) -> tuple[int, ...]:
        """The whole state as numbers."""
        return tuple(self._record)

    def choice(self, player: int) -> Choose | None:
        """The choice at which a player is asked, or None."""
        asked = self.asking().get(player)
        return None if asked is None else asked.stop

    # ---------------------------------------------------------------- moves

    def sentence(self, move: Move | int | str, player: int | None = None) -> str:
        """A legal move as the texts of the rules say it: `B pays 3`."""
        found = self.move(move, player)
        narrator = Narrator(self.rules, found.player, lambda line: None)
        for run in self._run.path():
            narrator(run, self._record)
        inside = self.asking()[found.player].stop.region
        return plain(narrator.sentence(found, None if inside is None else found.player))

    def legal_moves(self, player: int) -> list[Move]:
        """The legal moves of a player by number; none if it may not act."""
        asked = self.asked(player)
        return [] if asked is None else asked.moves()

    def legal_numbers(self, player: int) -> list[int]:
        """The numbers of the legal moves of a player, ascending; none if it may not act."""
        asked = self.asked(player)
        return [] if asked is None else asked.numbers()

    def legal_ranges(self, player: int) -> list[MoveRange]:
        """The same moves, those that differ in a last number only as a range."""
        asked = self.asked(player)
        return [] if asked is None else asked.ranges()

    def move(self, move: Move | int | str, player: int | None = None) -> Move:
        """The legal move meant; a MoveError says why it is none.

        A number or text is a move of `player`, who need not be given if only one may act.
        """
        who = move.player if isinstance(move, Move) else player
        asking = self.asking()
        if who is None and len(asking) == 1:
            who = next(iter(asking))
        if who is None or who not in asking:
            text = move.text if isinstance(move, Move) else str(move)
            raise NotYourTurn(text, self._whose_turn(who))
        return asking[who].resolve(move)

    def _whose_turn(self, who: int | None) -> str:
        seats = self.rules.words.seats
        if self.is_over:
            return "the game is over"
        if self.is_chance:
            return "chance is next"
        if not self.to_act:
            return "nobody is asked anything now"
        names = " and ".join(seats[actor] for actor in self.to_act)
        if who is None:
            return f"{names} may act; it has to be said whose move this is"
        if who not in range(len(seats)):
            return f"there is no player {who}; players are 0 to {len(seats) - 1}"
        return f"{seats[who]} may not act now; it is for {names} to act"

    def apply(self, move: Move | int | str, player: int | None = None) -> None:
        """Make a move, given as it is, by its number or in words. On any error the state stays
        as it was."""
        if isinstance(move, Move):
            asked = self._asking.get(move.player)
            if asked is not None and move.offer is asked.offer:
                self.carry_out(move)
                return
        self.carry_out(self.move(move, player))

    def apply_chance(self, outcome: int) -> None:
        """Let chance come out so: the last of a triple of `chance_outcomes`."""
        drawn = self.draw()
        weights = [] if drawn is None else self.weights(*drawn)
        if outcome not in range(len(weights)) or not weights[outcome]:
            raise ValueError(f"chance cannot come out {outcome} here")
        self.carry_out_chance(outcome)

    def chance_outcomes(self) -> list[tuple[str, Fraction, int]]:
        """What chance may bring: label, probability, outcome; nothing if it is not next."""
        return self.outcomes()

    def resume(self) -> None:
        """Go on after a pause between two runs of an example."""
        if not self.is_paused:
            raise ValueError("the game is not paused")
        self.carry_on()

    # ---------------------------------------------------------------- copies

    def clone(self, watchers: Sequence[Watcher] = ()) -> State:
        """A copy that goes on by itself; with a seed, chance comes out the same in both."""
        stream = self._stream.copy() if self._stream else None
        return self._copied(stream, tuple(watchers))

    def unseeded(self) -> State:
        """A copy that does not know how chance will come out: for search."""
        return self._copied(None)

    def reseeded(self, stream: Stream) -> State:
        """A copy for which chance comes out by another stream: for playing on in mind."""
        return self._copied(stream)

    def _copied(self, stream: Stream | None, watchers: tuple[Watcher, ...] = ()) -> State:
        return State(self.rules, self._record, self._run, stream, watchers, self._asking)

    def child(self, move: Move | int | str, player: int | None = None) -> State:
        """The state after a move, without the seed: it rests where chance is next."""
        state = self.unseeded()
        state.apply(move, player)
        return state

    def chance_child(self, outcome: int) -> State:
        """The state after an outcome of chance, without the seed."""
        state = self.unseeded()
        state.apply_chance(outcome)
        return state

    # ---------------------------------------------------------------- equality, saving

    @property
    def hash(self) -> int:
        """Over the record."""
        return hash(self.record)

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self._record == other._record and self.rules.same(other.rules)

    def __repr__(self) -> str:
        game = self.rules.machine.model.name
        if self.is_over:
            return f"<{game}: over>"
        seats = [self.rules.words.seats[seat] for seat in self.to_act]
        return f"<{game}: {' and '.join(seats) or 'chance'} to act>"

    def named_hash(self) -> str:
        """Over everything by its names and where the game is: it outlives a new layout."""
        return self.rules.named_hash(self._record)

    def to_json(self) -> str:
        """The state as text. What lasts longer, with its history, is a playlog."""
        machine = self.rules.machine
        saved: dict[str, object] = {
            "game": machine.model.name,
            "rules": self.rules.hash,
            "seats": list(machine.seat_names),
            "options": self.rules.options,
            "record": self._record,
            "check": check_of(self._record),
        }
        if self._stream is not None:
            saved["chance"] = [self._stream.key, self._stream.position]
        return json.dumps(saved)

    # ---------------------------------------------------------------- who sees what

    def named(self) -> dict[str, object]:
        """Everything, by names: for the referee only."""
        return self.rules.views.named(self._record, self.stop)

    def view(self, player: int) -> dict[str, object]:
        """What a player sees: the state by its paths (as far as it is seen), where the game is."""
        return self.rules.views.view(self._record, self.stop, player, self.to_act)

    def log(self, player: int) -> tuple[Event, ...]:
        """What a player has seen happen, from the start (or from where the state was loaded).

        This is its information state: what the player knows are all histories with this log.
        """
        return log(self._run, player, self.rules.engine, self.rules.views)

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended; None before."""
        if not self.is_over:
            return None
        return outcome(self.rules.machine, self.rules.engine, self._record)

    @property
    def returns(self) -> tuple[int, ...] | None:
        """What each player has got in the end: payoffs, or 1 for who wins and -1 for who does not.
        None before."""
        if not self.is_over:
            return None
        return returns(self.rules.machine, self.rules.engine, self._record)


def check_of(record: object) -> str:
    """A hash that tells a damaged record."""
    return blake2b(json.dumps(record).encode(), digest_size=8).hexdigest()


def check_invariants(state: State) -> None:
    """Raise the fault `invariant` if what the rules promise does not hold here."""
    for name, promise, span in state.rules.machine.invariants:
        if not state.rules.engine.evaluate(promise, list(state.record)):
            raise RuleFault("invariant", span, name)
