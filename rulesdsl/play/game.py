"""A game: rules for a number of players and a choice of options, ready to be started."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rulesdsl.check.model import Model
from rulesdsl.engines.chance import Stream
from rulesdsl.machine.program import Machine
from rulesdsl.machine.settings import default_of
from rulesdsl.play.course import Watcher
from rulesdsl.play.history import Run
from rulesdsl.play.rules import Rules
from rulesdsl.play.state import State, check_of


class SaveError(ValueError):
    """A saved state is no state of these rules, or no saved state at all."""


class Game:
    """A game to be played: where states come from."""

    def __init__(self, machine: Machine, made_from: str = "") -> None:
        """`made_from` tells all that the machine is made from, for what is kept with it."""
        self.rules = Rules(machine)
        self.made_from = made_from

    @property
    def machine(self) -> Machine:
        return self.rules.machine

    @property
    def model(self) -> Model:
        return self.machine.model

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def title(self) -> str:
        return self.model.title

    @property
    def players(self) -> int:
        """How many play."""
        return self.machine.seats

    @property
    def move_count(self) -> int:
        """How many moves there are: their numbers are smaller."""
        return self.rules.move_count

    @property
    def seat_names(self) -> tuple[str, ...]:
        return self.machine.seat_names

    @property
    def options(self) -> dict[str, int | bool | str | None]:
        """The choice of options, by name."""
        return self.rules.options

    @property
    def changed_options(self) -> dict[str, int | bool | str | None]:
        """Those that were chosen otherwise than they are by default."""
        machine, declared = self.machine, self.model.options
        chosen = dict(machine.options)
        defaults = {
            name: default_of(self.model, option, machine.seats, chosen)
            for name, option in declared.items()
        }
        return {
            name: value for name, value in self.options.items() if chosen[name] != defaults[name]
        }

    @property
    def rules_hash(self) -> str:
        """Equal for files that mean the same."""
        return self.rules.hash

    def __repr__(self) -> str:
        return f"<game {self.name} for {self.players}, rules {self.rules_hash}>"

    def start(
        self, seed: int | None = None, watchers: Sequence[Watcher] = (), number: int = 0
    ) -> State:
        """A new game. With a seed chance settles itself; without, the game rests at chance.

        Games of different numbers under one seed have nothing to do with each other. Watchers
        (writers of playlogs) are told of all that happens, but not in copies.
        """
        stream = None if seed is None else Stream.of(seed, game=number)
        return self.start_at(self.machine.start, self.machine.entry, stream, watchers)

    def start_at(
        self,
        record: tuple[int, ...],
        block: int,
        stream: Stream | None = None,
        watchers: Sequence[Watcher] = (),
    ) -> State:
        """A game that begins from a record of its own at a block of the machine."""
        begin = list(record)
        state = State(self.rules, begin, Run.first(begin), stream, tuple(watchers))
        state.begin(block)
        return state

    def state_from_json(self, text: str) -> State:
        """A state saved by `to_json`, of the same rules, seats and options."""
        try:
            saved = json.loads(text)
            record, chance = saved["record"], saved.get("chance")
            stream = None if chance is None else Stream(int(chance[0]), int(chance[1]))
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise SaveError("this is no saved state") from error
        machine = self.machine
        mine = {
            "game": machine.model.name,
            "rules": self.rules_hash,
            "seats": list(machine.seat_names),
            "options": self.options,
        }
        for key, value in mine.items():
            if saved.get(key) != value:
                raise SaveError(f"the state was saved with {key} {saved.get(key)}, not {value}")
        if saved.get("check") != check_of(record):
            raise SaveError("the saved state has been damaged")
        return State(self.rules, record, Run.first(record), stream)
