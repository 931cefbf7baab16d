"""A player that looks one move ahead."""

from __future__ import annotations

from attrs import define, field

from rulesdsl.agents.belief import Beliefs
from rulesdsl.agents.random import RandomAgent
from rulesdsl.agents.worth import Worth, by_result
from rulesdsl.engines.chance import Stream
from rulesdsl.engines.faults import RuleFault
from rulesdsl.play.faults import MoveError
from rulesdsl.play.moves import Move
from rulesdsl.play.state import State

PURPOSE = 1_000
"""Streams of greedy players, apart from those of others."""


@define
class GreedyAgent:
    """Takes the move after which a state is worth most to him, over states that fit his log.

    Of equal ones each is as likely; the same seed chooses the same. `blind` counts the choices
    made without a state, since none was found that fits.
    """

    seed: int = 0
    game: int = 0
    worth: Worth = by_result
    samples: int = 3
    blind: int = 0
    _beliefs: Beliefs = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._beliefs = Beliefs(PURPOSE, self.seed, self.game, self.samples, 1)

    def choose(self, state: State, player: int) -> Move:
        moves = state.legal_moves(player)
        if not moves:
            raise ValueError(f"player {player} is not to act")
        if len(moves) == 1:
            return moves[0]
        samples, stream = self._beliefs.of(state, player)
        if not samples:
            self.blind += 1
            return RandomAgent(self.seed, self.blind).choose(state, player)
        totals = [sum(self._after(sample, move, stream) for sample in samples) for move in moves]
        best = [move for move, total in zip(moves, totals, strict=True) if total == max(totals)]
        return best[stream.below(len(best))]

    def _after(self, sample: State, move: Move, stream: Stream) -> int:
        """What a sample is worth after a move, chance having come out somehow."""
        child = sample.reseeded(Stream(stream.next()))
        try:
            child.apply(move, move.player)
        except (MoveError, RuleFault):
            return self.worth(sample, move.player)
        return self.worth(child, move.player)
