"""A player that does not think."""

from __future__ import annotations

from typing import Protocol

from attrs import define, field

from rulesdsl.engines.chance import Stream
from rulesdsl.engines.choices import Bundle
from rulesdsl.play.asking import Asked
from rulesdsl.play.moves import Move
from rulesdsl.play.state import State


class Agent(Protocol):
    """Whoever plays a seat."""

    def choose(self, state: State, player: int) -> Move:
        """One of the legal moves of a player, who is to act. The state must not be changed."""
        ...


@define
class RandomAgent:
    """Each legal move is as likely; the same seed chooses the same, whatever chance does."""

    seed: int = 0
    game: int = 0
    _streams: dict[int, Stream] = field(factory=dict, init=False)

    def choose(self, state: State, player: int) -> Move:
        asked = state.asked(player)
        if asked is None:
            raise ValueError(f"player {player} is not to act")
        return any_move(asked, asked.bundles(), self._stream(player))

    def _stream(self, player: int) -> Stream:
        if player not in self._streams:
            self._streams[player] = Stream.of(self.seed, player + 1, self.game)
        return self._streams[player]


def any_move(asked: Asked, bundles: list[Bundle], stream: Stream) -> Move:
    """One of the moves, each as likely."""
    total = 0
    for bundle in bundles:
        total += len(bundle.lasts)
    index = stream.below(total)
    for bundle in bundles:
        count = len(bundle.lasts)
        if index < count:
            return asked.nth(bundle, index)
        index -= count
    raise AssertionError("there is a move")
