"""Small games: rulesdsl from its rule files beside OpenSpiel, RLCard and PettingZoo.

python -m benchmarks.classics
"""

from __future__ import annotations

from functools import cache, partial

from attrs import frozen

from benchmarks import ours, peers
from benchmarks.harness import Row, Section, measure, rates, speed_aim
from rulesdsl.play.game import Game
from rulesdsl.play.loading import load

ROLLOUTS, STEPPED = "OpenSpiel C++, rollouts", "OpenSpiel C++, stepped"
SECONDS, ROUNDS = 0.2, 5
NOTES = f"""
Two random players: each legal move is as likely. A playout is a game from its start to its end.

- `{ROLLOUTS}` are made by `RandomRolloutEvaluator` inside one call of a search:
  nothing is done in Python. They begin after the first deal, which the others make too; so poker is
  a little easier for this row. Their decisions are those of a game on average.
- `OpenSpiel C++, bots` is one call of `evaluate_bots` for each game.
- `stepped` rows ask and move from Python: who acts, what is legal, take one.
- RLCard and PettingZoo make an observation after each move, which the others do not. Of these games
  RLCard has only Leduc poker; in both it has somewhat other rules, so decisions a second tell more
  there than playouts.
- Rows of rulesdsl hand out each finished game with its record; those of OpenSpiel hand out payoffs.
"""


@frozen
class Classic:
    """A game by the names that it has elsewhere; none where it is not to be had."""

    ours: str
    title: str
    spiel: str
    board: bool = False
    """Nothing is drawn and nothing is hidden."""
    python: bool = False
    rlcard: str | None = None
    zoo: str | None = None


CLASSICS = (
    Classic("tic-tac-toe", "Tic-tac-toe", "tic_tac_toe", True, True, zoo="tictactoe-v3"),
    Classic("connect-four", "Connect four", "connect_four", True, zoo="connect_four-v3"),
    Classic("kuhn-poker", "Kuhn poker", "kuhn_poker", python=True),
    Classic(
        "leduc-poker", "Leduc poker", "leduc_poker", rlcard="leduc-holdem", zoo="leduc_holdem-v4"
    ),
)


@cache
def game(name: str) -> Game:
    return load(name, players=2)


def rows(one: Classic) -> list[Row]:
    found = [
        Row(ROLLOUTS, "many games in one call", partial(peers.rollouts, one.spiel)),
        Row("OpenSpiel C++, bots", "one game in one call", partial(peers.bots, one.spiel)),
        Row(STEPPED, "a call for each question", partial(peers.stepped, one.spiel)),
    ]
    if one.python:
        start = partial(peers.python_game, one.spiel)
        found.append(Row("OpenSpiel Python, stepped", "the same, a game in Python", start))
    if one.rlcard is not None:
        start = partial(peers.rlcard, one.rlcard)
        found.append(Row("RLCard", "an environment's steps", start))
    if one.zoo is not None:
        start = partial(peers.pettingzoo, one.zoo)
        found.append(Row("PettingZoo", "an environment's steps", start))
    return [*ours.rows(partial(game, one.ours)), *found]


def sections() -> list[Section]:
    tables, aims = [], []
    for one in CLASSICS:
        timed = measure(rows(one), ROUNDS, SECONDS)
        tables.append(rates(one.title, timed, [ROLLOUTS, STEPPED]))
        what = f"{one.title}: generated Python, beside {STEPPED}"
        aims.append(speed_aim(what, 1, timed, ours.PYTHON, STEPPED))
        if one.board:
            what = f"{one.title}: wasm, beside {ROLLOUTS}"
            aims.append(speed_aim(what, 1.5, timed, ours.WASM, ROLLOUTS))
    return [Section("Small games, beside others", NOTES, tuple(tables), tuple(aims))]


if __name__ == "__main__":
    print(*sections(), sep="\n\n")
