"""How often a player beats others at a game: each seat in turn, the rest of the table alike.

python benchmarks/strength.py ostia mcts:50 beginner --games 8 --players 3
"""

from __future__ import annotations

import argparse
import math
import time

from attrs import frozen

from rulesdsl.agents.cast import agents_of
from rulesdsl.agents.random import Agent
from rulesdsl.agents.roster import Roster
from rulesdsl.agents.worth import share
from rulesdsl.machine.settings import UsageError
from rulesdsl.play.game import Game
from rulesdsl.play.loading import load
from rulesdsl.resources import GameNotFound


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="nim")
    parser.add_argument("player", nargs="?", default="mcts:50")
    parser.add_argument("others", nargs="?", default="random")
    parser.add_argument("--players", type=int)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--seed", type=int, default=1)
    said = parser.parse_args()
    try:
        run(said)
    except (UsageError, GameNotFound) as error:
        parser.error(str(error))


def run(said: argparse.Namespace) -> None:
    """Play the games that are asked for, and say how each ended."""
    game = load(said.game, said.players)
    roster = Roster.of(game.model)
    played = []
    for number in range(said.first, said.first + said.games):
        seat = number % game.players
        names = [said.player if one == seat else said.others for one in range(game.players)]
        played.append(play(game, agents_of(names, roster, game, said.seed, number), seat, number))
        print(f"game {number}: {played[-1]}", flush=True)
    print(f"{game.name}, {game.players} players: {said.player} against {said.others}")
    print(summary(played, game.players))


@frozen
class Played:
    """A game: what the player won and how long it thought (CPU seconds)."""

    win: float
    """1, or less if others won as well."""
    share: float
    """Of the others, how many are behind it; equal ones count half."""
    decisions: int
    blind: int
    seconds: float

    def __str__(self) -> str:
        return f"{'won' if self.win else 'lost'}, {self.decisions} decisions, {self.seconds:.0f} s"


def play(game: Game, agents: tuple[Agent, ...], seat: int, number: int) -> Played:
    """Play a game; decisions with one legal move do not count."""
    state = game.start(seed=number + 1)
    decisions, seconds = 0, 0.0
    while not state.is_over:
        actor = state.to_act[0]
        start = time.process_time()
        move = agents[actor].choose(state, actor)
        if actor == seat:
            seconds += time.process_time() - start
            decisions += sum(map(len, state.legal_ranges(seat))) > 1
        state.apply(move)
    found = state.outcome
    assert found is not None
    win = (seat in found.winners) / max(1, len(found.winners))
    blind = getattr(agents[seat], "blind", 0)
    blind = blind if isinstance(blind, int) else sum(blind.values())
    return Played(win, share(found, seat), decisions, blind, seconds)


def summary(played: list[Played], players: int) -> str:
    """Wins with the 95 % interval of Wilson, beside what is due to chance."""
    n, wins = len(played), sum(one.win for one in played)
    rate, z = wins / n, 1.96
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    decisions = max(1, sum(one.decisions for one in played))
    return (
        f"wins {wins:g} of {n} ({rate:.0%}, interval {middle - half:.0%} to {middle + half:.0%}; "
        f"by chance {1 / players:.0%}), others behind {sum(one.share for one in played) / n:.0%}, "
        f"{sum(one.seconds for one in played) / decisions:.2f} CPU seconds a decision, "
        f"{sum(one.blind for one in played)} of {decisions} blind"
    )


if __name__ == "__main__":
    main()
