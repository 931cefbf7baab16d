"""How often a player beats others at a game: each seat in turn, the rest of the table alike.

python benchmarks/strength.py ostia mcts:50 beginner --games 8 --players 3
"""

from __future__ import annotations

import argparse
import time

from rulesdsl.agents.cast import agents_of
from rulesdsl.agents.roster import Roster
from rulesdsl.agents.worth import share
from rulesdsl.compile import check_source
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.settings import settle_options
from rulesdsl.play.game import Game
from rulesdsl.resources import find_game
from rulesdsl.text.files import read_source


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="nim")
    parser.add_argument("player", nargs="?", default="mcts:50")
    parser.add_argument("others", nargs="?", default="random")
    parser.add_argument("--players", type=int)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    said = parser.parse_args()
    source = read_source(find_game(said.game))
    model = check_source(source)
    roster = Roster.of(source, model)
    game = Game(make_machine(model, *settle_options(model, said.players, {})))
    wins = shares = 0.0
    blind = decisions = 0
    start = time.process_time()
    for number in range(said.games):
        seat = number % game.players
        names = [said.player if one == seat else said.others for one in range(game.players)]
        agents = agents_of(names, roster, game, said.seed, number)
        state = game.start(seed=said.seed + number)
        while not state.is_over:
            actor = state.to_act[0]
            decisions += actor == seat
            state.apply(agents[actor].choose(state, actor))
        found = state.outcome
        assert found is not None
        wins += (seat in found.winners) / max(1, len(found.winners))
        shares += share(found, seat)
        one = getattr(agents[seat], "blind", 0)
        blind += one if isinstance(one, int) else sum(one.values())
    taken = time.process_time() - start
    print(
        f"{game.name}, {game.players} players: {said.player} against {said.others}, "
        f"{said.games} games: wins {wins:g} (by chance {said.games / game.players:.1f}), "
        f"share of others behind {shares / said.games:.2f}, "
        f"{taken / max(1, decisions):.2f} s a decision, {blind} of {decisions} blind"
    )


if __name__ == "__main__":
    main()
