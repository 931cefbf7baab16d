"""Play over many choices of players and options: faults, and what never came up."""

from __future__ import annotations

import io
import json

from attrs import Factory, define, field, frozen

from rulesdsl.agents.mixed import MixedAgent
from rulesdsl.agents.random import Agent, RandomAgent
from rulesdsl.agents.script import Script
from rulesdsl.agents.scripted import ScriptedAgent
from rulesdsl.check.bots import Bot
from rulesdsl.check.model import Model
from rulesdsl.engines.chance import Stream
from rulesdsl.engines.faults import RuleFault
from rulesdsl.lab.coverage import Coverage, Piece
from rulesdsl.lab.covering import Choice, covering
from rulesdsl.play.course import Watcher
from rulesdsl.play.game import Game
from rulesdsl.play.moves import Move
from rulesdsl.play.playlog import PlaylogWriter
from rulesdsl.play.state import State, check_invariants

_ORDER = 1_000
"""The purpose of the stream that says who of several acts first."""
_LOOK = 8
"""At every so manieth decision all kinds of legal moves are tried."""
_TRIED = 12
"""The moves tried there."""
MIX = ("random", "beginner", "beginner with a random move in ten")
"""Who plays, one game after the other, where there is a bot."""


@frozen
class Fault:
    """The rules fail in play. The playlog (JSON lines) leads there, its last line into it."""

    fault: RuleFault
    choice: str
    seed: int
    playlog: str

    def __str__(self) -> str:
        return f"{self.fault}   ({self.choice}, seed {self.seed})"


@define
class Trial:
    """What play has shown. What was never reached may be reached in other games."""

    games: int = 0
    decisions: int = 0
    choices: int = 0
    checks: int = 0
    """Invariants looked at, and legal moves that were tried and could be made."""
    faults: list[Fault] = Factory(list)
    pieces: int = 0
    never: list[Piece] = Factory(list)


def play_at_random(
    model: Model, games: int, first_seed: int = 0, beginner: Bot | None = None
) -> Trial:
    """Play so many games, the choices of players and options in turn.

    The players are random; with a bot these, the bot, and the bot with random moves in turn.
    """
    trial, coverage = Trial(games), Coverage.of(model)
    choices = covering(model)[: max(games, 1)]
    trial.choices = min(games, len(choices))
    made: list[Game] = []
    scripts: list[Script | None] = []
    for number in range(games):
        if number < len(choices):
            made.append(choices[number].game(model))
            scripts.append(None if beginner is None else Script.fitting(beginner, made[-1].rules))
        index = number % len(choices)
        # over all choices each kind of player comes in turn
        kind = (number + number // len(choices)) % len(MIX)
        player = _RandomGame(made[index], first_seed + number, scripts[index], kind)
        try:
            player.play([coverage.watcher(made[index])], coverage)
        except RuleFault as fault:
            if all(fault.span != known.fault.span for known in trial.faults):
                trial.faults.append(_fault(player, fault, choices[index], model))
        trial.decisions += player.decisions
        trial.checks += player.checks
    trial.pieces, trial.never = len(coverage.pieces), coverage.never_reached()
    return trial


def _fault(player: _RandomGame, fault: RuleFault, choice: Choice, model: Model) -> Fault:
    """Play the same once more and write it down."""
    file = io.StringIO()
    again = _RandomGame(player.game, player.seed, player.script, player.kind)
    writer = PlaylogWriter(player.game, file, player.seed)
    try:
        again.play([writer], None)
    except RuleFault:
        if again.next is not None:
            file.write(json.dumps(again.next, ensure_ascii=False) + "\n")
    return Fault(fault, choice.text(model), player.seed, file.getvalue())


@define
class _RandomGame:
    """One game; the same seed plays the same."""

    game: Game
    seed: int
    script: Script | None = None
    kind: int = 0
    """Which of the mix plays, if there is a bot."""
    decisions: int = 0
    checks: int = 0
    next: dict[str, str] | None = None
    """The move or outcome that is being carried out, as a line of a playlog."""
    chance: Stream = field(init=False)
    order: Stream = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.chance = Stream.of(self.seed)
        self.order = Stream.of(self.seed, _ORDER)

    def play(self, watchers: list[Watcher], coverage: Coverage | None) -> None:
        """Play to the end. Raises RuleFault."""
        agent = self._agent()
        state = self.game.start(watchers=watchers)
        while not state.is_over:
            if state.is_chance:
                self._chance(state)
                continue
            self._look(state, coverage)
            player = state.to_act[self.order.below(len(state.to_act))]
            move = agent.choose(state, player)
            self._now(move)
            state.apply(move)
            self.next = None
            self.decisions += 1
        self._look(state, coverage)

    def _agent(self) -> Agent:
        if self.script is None or not self.kind:
            return RandomAgent(self.seed)
        bot = ScriptedAgent(self.script, self.seed)
        return bot if self.kind == 1 else MixedAgent(bot, self.seed)

    def _look(self, state: State, coverage: Coverage | None) -> None:
        """What holds wherever the game rests; now and then also what every move leads to."""
        check_invariants(state)
        self.checks += len(self.game.machine.invariants)
        if self.decisions % _LOOK:
            return
        if coverage is not None:
            coverage.look(state)
        for player in state.to_act:
            moves = state.legal_moves(player)
            for move in moves[:: max(1, len(moves) // _TRIED)]:
                self._now(move)
                state.child(move)
                self.checks += 1
        self.next = None

    def _now(self, move: Move) -> None:
        self.next = {"move": move.text, "by": self.game.seat_names[move.player]}

    def _chance(self, state: State) -> None:
        drawn = state.draw()
        assert drawn is not None
        outcome = self.chance.pick(state.weights(*drawn))
        label = self.game.rules.label(drawn[0], outcome)
        self.next = {"chance": label, "of": drawn[0].subject.name}
        state.carry_out_chance(outcome)
        self.next = None
