"""Who plays each seat of a game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from attrs import define

from rulesdsl.agents.external import ExternalPlayer
from rulesdsl.agents.names import BUILT_IN, NoSuchAgent
from rulesdsl.agents.names import agent as named
from rulesdsl.agents.playout import Policy
from rulesdsl.agents.random import Agent
from rulesdsl.agents.roster import BEGINNER, RANDOM, Roster
from rulesdsl.agents.script import Script
from rulesdsl.agents.scripted import ScriptedAgent, blind_choices
from rulesdsl.agents.worth import Worth, by_result
from rulesdsl.machine.settings import UsageError
from rulesdsl.play.game import Game
from rulesdsl.play.moves import Move
from rulesdsl.play.state import State
from rulesdsl.text.source import Source

PROGRAM = "program:"
"""Before the command of a program that plays."""


@define
class Cast:
    """An agent for each seat, and what each is called."""

    names: tuple[str, ...]
    agents: tuple[Agent, ...]

    @classmethod
    def of(cls, game: Game, source: Source, said: Sequence[str], seed: int) -> Cast:
        """The bots that are named, `NAME` for all or `SEAT=NAME` for one, else the default.

        Raises UsageError (no such bot or seat) and RulesError (a bot has problems).
        """
        roster = Roster.of(source, game.model)
        default, seats = _named(said, game.seat_names)
        if default is None and len(seats) < game.players:
            default = BEGINNER if _beginner(roster, game) is not None else RANDOM
        names = tuple(seats.get(seat, default or RANDOM) for seat in range(game.players))
        return cls(names, agents_of(names, roster, game, seed))

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
    scripts: dict[str, Script] = {}

    def scripted(name: str) -> Script:
        if name not in scripts:
            scripts[name] = _script(name, roster, game)
        return scripts[name]

    def agent(name: str) -> Agent:
        if name.startswith(PROGRAM):
            return ExternalPlayer(name.removeprefix(PROGRAM))
        if name.partition(":")[0] not in BUILT_IN:
            return ScriptedAgent(scripted(name), seed, number)
        # those that search know from the beginner what a position is worth, and how others play
        beginner = None if name == RANDOM else _beginner(roster, game)
        worth: Worth = by_result
        policy: Policy | None = None
        if beginner is not None:
            worth = beginner.worth if beginner.has_worth else by_result
            policy = partial(ScriptedAgent, beginner)
        try:
            return named(name, seed, number, worth, policy)
        except NoSuchAgent as error:
            raise UsageError(str(error)) from error

    return tuple(map(agent, names))


def _script(name: str, roster: Roster, game: Game) -> Script:
    return Script(roster.bot(name, game.model), game.rules)


def _named(said: Sequence[str], seats: tuple[str, ...]) -> tuple[str | None, dict[int, str]]:
    """The bot for all, and those of single seats."""
    default: str | None = None
    found: dict[int, str] = {}
    folded = [seat.casefold() for seat in seats]
    for one in said:
        seat, sign, name = one.partition("=")
        if not sign:
            default = seat
        elif seat.casefold() not in folded:
            raise UsageError(f"nobody of the name {seat} plays (players: {', '.join(seats)})")
        else:
            found[folded.index(seat.casefold())] = name
    return default, found


def _beginner(roster: Roster, game: Game) -> Script | None:
    """The beginner, where there is one who knows all that he speaks of."""
    bot = roster.beginner(game.model)
    return None if bot is None else Script.fitting(bot, game.rules)
