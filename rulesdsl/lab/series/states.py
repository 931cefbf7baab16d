"""Games played move by move through states: the way for players of every kind."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulesdsl.agents.external import ExternalPlayer
from rulesdsl.agents.random import Agent
from rulesdsl.agents.scripted import ScriptedAgent
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.finished import Finished
from rulesdsl.lab.series.ready import Ready
from rulesdsl.lab.series.series import Series
from rulesdsl.machine.program import Note, Rule
from rulesdsl.play.game import Game
from rulesdsl.play.history import Run
from rulesdsl.play.state import State


def play_states(ready: Ready, series: Series) -> Finished:
    """Play the games of a series to their ends."""
    found = Finished.of(ready.game.machine)
    for number in series.numbers:
        agents = ready.company.agents(series.names(number), series.seed, number)
        bots = tuple(series.bot(number, seat) for seat in range(series.players))
        _Play(ready.game, agents, bots, found).play(series.seed, number)
    return found


@define(eq=False)
class _Play:
    """One game, counted as it goes."""

    game: Game
    agents: Sequence[Agent]
    bots: Sequence[int]
    found: Finished
    decisions: list[int] = field(init=False)
    guesses: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.decisions = [0] * self.game.players
        self.guesses = [0] * self.game.players

    def play(self, seed: int, number: int) -> None:
        """Play it; what the rules do wrong is kept with it."""
        fault: RuleFault | None = None
        state: State | None = None
        try:
            follow = _Rules(self.game, self.found)
            state = self.game.start(seed, [follow], number)
            while not state.is_over:
                self._move(state)
        except RuleFault as error:
            fault = error
        finally:
            self._close(state)
        record = self.game.machine.start if state is None else state.record
        runs = 0 if state is None else state.moves_made
        self.found.append(number, record, fault, runs, self.decisions, self.guesses)

    def _move(self, state: State) -> None:
        """Let who acts first choose, and count what he does."""
        player = state.to_act[0]
        asked = state.asked(player)
        assert asked is not None
        agent, found = self.agents[player], self.found
        blind = _blind(agent)
        move = agent.choose(state, player)
        assert move.choice is not None
        where = self.bots[player], asked.stop.number
        if sum(map(len, asked.bundles())) > 1:
            self.decisions[player] += 1
            found.asked[where] += 1
        if _blind(agent) > blind:
            self.guesses[player] += 1
            found.guessed[where] += 1
        option = next(i for i, o in enumerate(asked.stop.options) if o is move.choice[0])
        found.taken[*where, option] += 1
        state.carry_out(move)

    def _close(self, state: State | None) -> None:
        for agent in self.agents:
            if isinstance(agent, ExternalPlayer):
                agent.close(state)


def _blind(agent: Agent) -> int:
    """How often a bot has had no line that told it what to choose."""
    return agent.blind.total() if isinstance(agent, ScriptedAgent) else 0


@define(eq=False)
class _Rules:
    """Counts the rules that are carried out: a watcher, which runs all once more with notes."""

    game: Game
    found: Finished
    _numbers: dict[int, int] = field(init=False)
    _before: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        machine = self.game.machine
        self._numbers = {id(rule): number for number, rule in enumerate(machine.rules)}
        self._before = list(machine.start)

    def __call__(self, run: Run, record: list[int]) -> None:
        run.follow(self.game.rules.engine, self._before, self._note)
        self._before = list(record)

    def _note(self, note: Note, _: tuple[int, ...]) -> None:
        if isinstance(note.subject, Rule):
            self.found.fired[self._numbers[id(note.subject)]] += 1
