"""Who plays each seat of a game."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import define, field

from rulesdsl.agents.external import ExternalPlayer
from rulesdsl.agents.names import BUILT_IN, NoSuchAgent
from rulesdsl.agents.names import agent as named
from rulesdsl.agents.policies import policy_of
from rulesdsl.agents.random import Agent
from rulesdsl.agents.roster import BEGINNER, RANDOM, Roster
from rulesdsl.agents.script import Script
from rulesdsl.agents.scripted import ScriptedAgent, blind_choices
from rulesdsl.agents.worth import Worth, by_result
from rulesdsl.machine.policy import Policy
from rulesdsl.machine.settings import UsageError
from rulesdsl.play.game import Game
from rulesdsl.play.moves import Move
from rulesdsl.play.state import State
from rulesdsl.text.problems import RulesError

if TYPE_CHECKING:
    from rulesdsl.agents.playout import RolloutPolicy

PROGRAM = "program:"
"""Before the command of a program that plays."""


@define
class Cast:
    """An agent for each seat, and what each is called."""

    names: tuple[str, ...]
    agents: tuple[Agent, ...]

    @classmethod
    def of(cls, game: Game, said: Sequence[str], seed: int, number: int = 0) -> Cast:
        """The bots that are named, `NAME` for all or `SEAT=NAME` for one, else the default.

        Raises UsageError (no such bot or seat) and RulesError (a bot has problems).
        """
        company = Company(game, Roster.of(game.model))
        defaults, seats = named_players(said, game.seat_names)
        default = defaults[-1] if defaults else None
        if default is None and len(seats) < game.players:
            default = RANDOM if company.beginner is None else BEGINNER
        names = tuple(seats.get(seat, default or RANDOM) for seat in range(game.players))
        return cls(names, company.agents(names, seed, number))

    def choose(self, state: State, player: int) -> Move:
        """One of the legal moves of a player."""
        return self.agents[player].choose(state, player)

    def blind(self) -> str:
        """How many choices bots made without a line that told them what; nothing if none."""
        agents = [agent for agent in self.agents if isinstance(agent, ScriptedAgent)]
        return blind_choices(agents) if any(agent.blind for agent in agents) else ""

    def close(self, state: State) -> None:
        """Let programs go that have played, and tell them how it ended."""
        for agent in self.agents:
            if isinstance(agent, ExternalPlayer):
                agent.close(state)


def agents_of(
    names: Sequence[str], roster: Roster, game: Game, seed: int, number: int = 0
) -> tuple[Agent, ...]:
    """An agent for each name; those of one name share what can be shared."""
    return Company(game, roster).agents(names, seed, number)


@define(eq=False, slots=False)
class Company:
    """Who can play a game: bots are read and made ready once for all games."""

    game: Game
    roster: Roster
    _scripts: dict[str, Script] = field(factory=dict, init=False)

    def agents(self, names: Sequence[str], seed: int, number: int) -> tuple[Agent, ...]:
        """An agent for each name, for the game of this number under a seed.

        Raises UsageError (no such bot) and RulesError (a bot has problems).
        """
        return tuple(self._agent(name, seed, number) for name in names)

    def script(self, name: str) -> Script:
        """The bot of a name or a file, made ready."""
        if name not in self._scripts:
            policy = policy_of(self.game, self.roster, name)
            self._scripts[name] = Script(policy, self.game.rules)
        return self._scripts[name]

    @property
    def policies(self) -> list[Policy]:
        """What the bots that are ready prefer."""
        return [script.policy for script in self._scripts.values()]

    def measured(self, name: str, record: list[int], player: int) -> dict[str, int]:
        """What a bot measures of a player when a game is over; nothing if it is no bot file."""
        return self.script(name).measured(record, player) if is_scripted(name) else {}

    def _agent(self, name: str, seed: int, number: int) -> Agent:
        if name.startswith(PROGRAM):
            return ExternalPlayer(name.removeprefix(PROGRAM))
        if not is_built_in(name):
            return ScriptedAgent(self.script(name), seed, number)
        # those that search know from the beginner what a position is worth, and how others play
        beginner = None if name == RANDOM else self.beginner
        worth: Worth = by_result
        policy: RolloutPolicy | None = None
        if beginner is not None:
            worth = beginner.worth if beginner.has_worth else by_result
            policy = self._rollouts
        try:
            return named(name, seed, number, worth, policy)
        except NoSuchAgent as error:
            raise UsageError(str(error)) from error

    @cached_property
    def _rollouts(self) -> RolloutPolicy | None:
        """How those that search play on in mind: as the beginner."""
        from rulesdsl.agents.playout import ByScript

        return None if self.beginner is None else ByScript(self.beginner)

    @cached_property
    def beginner(self) -> Script | None:
        """The beginner, if there is one and the rules have all that it speaks of."""
        if BEGINNER in self.roster.files:
            # the bot of a game that this one extends may speak of what was taken away
            with suppress(RulesError):
                return self.script(BEGINNER)
        return None


def is_built_in(name: str) -> bool:
    """Whether it is a player that every game has, like `mcts:200`."""
    return name.partition(":")[0] in BUILT_IN


def is_scripted(name: str) -> bool:
    """Whether it is a bot file: only its lines can have nothing to say of a choice."""
    return not name.startswith(PROGRAM) and not is_built_in(name)


def named_players(said: Sequence[str], seats: tuple[str, ...]) -> tuple[list[str], dict[int, str]]:
    """The bots for all seats, and those of single ones (`SEAT=NAME`). Raises UsageError."""
    defaults: list[str] = []
    found: dict[int, str] = {}
    folded = [seat.casefold() for seat in seats]
    for one in said:
        seat, sign, name = one.partition("=")
        if not seat or (sign and not name):
            lacks = "bot" if seat or not sign else "seat"
            raise UsageError(f"{one!r} names no {lacks}; it is written beginner, or A=random")
        if not sign:
            defaults.append(seat)
        elif seat.casefold() not in folded:
            raise UsageError(f"nobody of the name {seat} plays (players: {', '.join(seats)})")
        elif folded.index(seat.casefold()) in found:
            raise UsageError(f"two bots are named for {seat}")
        else:
            found[folded.index(seat.casefold())] = name
    return defaults, found
