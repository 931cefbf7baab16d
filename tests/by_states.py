"""Games played move by move through states: what engines that play many at once are held to."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulesdsl.agents.random import Agent, RandomAgent
from rulesdsl.agents.script import Script
from rulesdsl.agents.scripted import ScriptedAgent
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.finished import Finished
from rulesdsl.machine.program import Note, Rule
from rulesdsl.play.game import Game
from rulesdsl.play.history import Run
from rulesdsl.play.state import State


def play_by_states(
    game: Game, cast: Sequence[Script | None], seed: int, numbers: range, rotate: bool = False
) -> Finished:
    """Whole games; None in the cast plays at random."""
    found = Finished.of(game.machine)
    for number in numbers:
        bots = [(seat + number) % game.players if rotate else seat for seat in range(game.players)]
        _Played(game, [cast[bot] for bot in bots], bots, found).play(seed, number)
    return found


@define(eq=False)
class _Played:
    game: Game
    scripts: list[Script | None]
    bots: list[int]
    found: Finished
    decisions: list[int] = field(init=False)
    guesses: list[int] = field(init=False)
    before: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.decisions = [0] * self.game.players
        self.guesses = [0] * self.game.players
        self.before = list(self.game.machine.start)

    def play(self, seed: int, number: int) -> None:
        agents: list[Agent] = [
            RandomAgent(seed, number) if script is None else ScriptedAgent(script, seed, number)
            for script in self.scripts
        ]
        state: State | None = None
        fault: RuleFault | None = None
        try:
            state = self.game.start(seed, [self._watch], number)
            while not state.is_over:
                self._move(state, agents)
        except RuleFault as error:
            fault = error
        record = self.game.machine.start if state is None else state.record
        runs = 0 if state is None else state.moves_made
        self.found.append(number, record, fault, runs, self.decisions, self.guesses)

    def _move(self, state: State, agents: list[Agent]) -> None:
        player = state.to_act[0]
        asked, agent = state.asked(player), agents[player]
        assert asked is not None
        blind = agent.blind.total() if isinstance(agent, ScriptedAgent) else 0
        move = agent.choose(state, player)
        where = self.bots[player], asked.stop.number
        if sum(map(len, asked.bundles())) > 1:
            self.decisions[player] += 1
            self.found.asked[where] += 1
        if isinstance(agent, ScriptedAgent) and agent.blind.total() > blind:
            self.guesses[player] += 1
            self.found.guessed[where] += 1
        assert move.choice is not None
        option = next(i for i, o in enumerate(asked.stop.options) if o is move.choice[0])
        self.found.taken[*where, option] += 1
        state.carry_out(move)

    def _watch(self, run: Run, record: list[int]) -> None:
        """Rules are counted once all that a move leads to went well."""
        run.follow(self.game.rules.engine, self.before, self._note)
        self.before = list(record)

    def _note(self, note: Note, _: tuple[int, ...]) -> None:
        if isinstance(note.subject, Rule):
            rules = self.game.machine.rules
            self.found.fired[next(i for i, r in enumerate(rules) if r is note.subject)] += 1


def same_games(one: Finished, other: Finished) -> None:
    """Whether everything that is kept is equal."""
    assert one.numbers == other.numbers
    for i, number in enumerate(one.numbers):
        mine, theirs = (
            (
                _told(found.faults[i]),
                found.runs[i],
                found.records[i],
                found.decisions[i],
                found.guesses[i],
            )
            for found in (one, other)
        )
        assert mine == theirs, f"game {number}"
    assert one.asked == other.asked
    assert one.guessed == other.guessed
    assert one.taken == other.taken
    assert one.fired == other.fired


def _told(fault: RuleFault | None) -> tuple[object, ...] | None:
    return None if fault is None else (fault.kind, fault.span, fault.detail)
