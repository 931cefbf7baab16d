"""A player that does what a bot file says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from attrs import define, field

from rulesdsl.agents.random import any_move
from rulesdsl.agents.script import Script
from rulesdsl.engines.chance import Stream
from rulesdsl.machine.program import Choose
from rulesdsl.play.moves import Move
from rulesdsl.play.state import State


@define
class ScriptedAgent:
    """Chooses by the lines of a bot, by chance among equally good moves.

    Where no line leads to a move, every legal one is as likely, and the choice is counted as a
    blind one. Where only one move is legal there is no decision.
    """

    script: Script
    seed: int = 0
    game: int = 0
    decisions: Counter[str] = field(factory=Counter, init=False)
    blind: Counter[str] = field(factory=Counter, init=False)
    _streams: dict[int, Stream] = field(factory=dict, init=False)

    def choose(self, state: State, player: int) -> Move:
        asked = state.asked(player)
        if asked is None:
            raise ValueError(f"player {player} is not to act")
        bundles, stream = asked.bundles(), self._stream(player)
        if sum(map(len, bundles)) == 1:
            return any_move(asked, bundles, stream)
        name = address(asked.stop)
        self.decisions[name] += 1
        preferred = self.script.preferred(asked, bundles)
        if not preferred:
            self.blind[name] += 1
        return any_move(asked, preferred or bundles, stream)

    def _stream(self, player: int) -> Stream:
        if player not in self._streams:
            self._streams[player] = Stream.of(self.seed, player + 1, self.game)
        return self._streams[player]


def address(stop: Choose) -> str:
    """How a choice is called: by its part of the rules, and by the option that stands first."""
    first = min(stop.options, key=lambda option: option.span.start)
    return f"{stop.where or 'flow'} / {first.name}"


def blind_choices(agents: Iterable[ScriptedAgent]) -> str:
    """How many choices were blind, and which: `4 of 90 choices blind: sell_lot / pass 4 of 9`."""
    decisions: Counter[str] = Counter()
    blind: Counter[str] = Counter()
    for agent in agents:
        decisions += agent.decisions
        blind += agent.blind
    told = f"{blind.total():,} of {decisions.total():,} choices blind"
    each = ", ".join(f"{name} {n:,} of {decisions[name]:,}" for name, n in blind.most_common())
    return f"{told}: {each}" if each else told
