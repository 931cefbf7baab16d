"""Small games beside OpenSpiel's, step by step: the same players, chances, moves and payoffs.

python -m benchmarks.against_open_spiel
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from attrs import define, frozen

from benchmarks.harness import NotThere, Section, Table
from benchmarks.peers import pyspiel
from rulesdsl.play.loading import load
from rulesdsl.play.state import State

GAMES = 500
NOTES = """
Before speeds are compared: random games are walked in both at once. At each step it is compared
whether the game is over, who acts or whether chance does, what chance may bring and how likely,
what is legal, and at the end what each gets.
"""


class Differs(AssertionError):
    """Both are not the same here."""


@frozen
class Pair:
    """A game in both, and what their labels of moves and of chance are in common words."""

    ours: str
    theirs: str
    our_move: Callable[[str], str]
    their_move: Callable[[str], str]
    our_chance: Callable[[str], str] = str
    their_chance: Callable[[str], str] = str


def _after_colon(label: str) -> str:
    return label.rpartition(":")[2]


def _our_cell(text: str) -> str:
    """`mark b1` is in the first row, second column: `0,1`."""
    cell = text.removeprefix("mark ")
    return f"{int(cell[1]) - 1},{'abc'.index(cell[0])}"


def _our_card(label: str) -> str:
    """Cards by number, two of each rank: `queen_spades` is `3`."""
    rank, suit = label.split("_")
    return str(2 * ("jack", "queen", "king").index(rank) + ("hearts", "spades").index(suit))


PAIRS = (
    Pair(
        "tic-tac-toe",
        "tic_tac_toe",
        our_move=_our_cell,
        their_move=lambda text: text[2:-1],
    ),
    Pair(
        "connect-four",
        "connect_four",
        our_move=lambda text: str("abcdefg".index(text.removeprefix("drop "))),
        their_move=lambda text: text[1:],
    ),
    Pair(
        "kuhn-poker",
        "kuhn_poker",
        our_move={"pass": "Pass", "bet": "Bet", "call": "Bet"}.__getitem__,
        their_move=str,
        our_chance={"jack": "0", "queen": "1", "king": "2"}.__getitem__,
        their_chance=_after_colon,
    ),
    Pair(
        "leduc-poker",
        "leduc_poker",
        our_move=str.title,
        their_move=str,
        our_chance=_our_card,
        their_chance=_after_colon,
    ),
)


@define
class Walk:
    """A game that goes on in both at once."""

    pair: Pair
    ours: State
    theirs: Any

    def check(self, what: str, mine: object, other: object) -> None:
        if mine != other:
            where = ", ".join(map(str, self.theirs.history())) or "the start"
            raise Differs(f"{self.pair.ours} after {where}: {what} {mine}, not {other}")

    def step(self, random: Random) -> None:
        """Compare, and go on in both by the same label."""
        self.check("chance is next:", self.ours.is_chance, self.theirs.is_chance_node())
        if self.ours.is_chance:
            self.chance(random)
        else:
            self.move(random)

    def chance(self, random: Random) -> None:
        outcomes = self.ours.chance_outcomes()
        mine = {self.pair.our_chance(label): number for label, _, number in outcomes}
        other = {self._their_label(action): action for action, _ in self.theirs.chance_outcomes()}
        likely = [(self.pair.our_chance(label), round(float(p), 9)) for label, p, _ in outcomes]
        theirs = [(self._their_label(a), round(p, 9)) for a, p in self.theirs.chance_outcomes()]
        self.check("outcomes of chance are", sorted(likely), sorted(theirs))
        label = random.choice(sorted(mine))
        self.ours.apply_chance(mine[label])
        self.theirs.apply_action(other[label])

    def move(self, random: Random) -> None:
        seat = self.theirs.current_player()
        self.check("to act is", self.ours.to_act, (seat,))
        mine = {self.pair.our_move(move.text): move for move in self.ours.legal_moves(seat)}
        other = {self._their_label(action): action for action in self.theirs.legal_actions()}
        self.check("legal is", sorted(mine), sorted(other))
        label = random.choice(sorted(mine))
        self.ours.apply(mine[label])
        self.theirs.apply_action(other[label])

    def _their_label(self, action: int) -> str:
        player = self.theirs.current_player()
        text = self.theirs.action_to_string(player, action)
        chance = self.theirs.is_chance_node()
        return (self.pair.their_chance if chance else self.pair.their_move)(text)

    def end(self) -> None:
        self.check("the returns are", list(self.ours.returns or ()), self.theirs.returns())


def walk(pair: Pair, games: int = GAMES, seed: int = 0) -> int:
    """Games in both; how many steps they had. Raises Differs."""
    mine, theirs = load(pair.ours, players=2), pyspiel().load_game(pair.theirs)
    random = Random(seed)
    steps = 0
    for _ in range(games):
        one = Walk(pair, mine.start(), theirs.new_initial_state())
        while True:
            one.check("the game is over:", one.ours.is_over, one.theirs.is_terminal())
            if one.ours.is_over:
                break
            one.step(random)
            steps += 1
        one.end()
    return steps


def sections() -> list[Section]:
    """All pairs; that both are the same is a condition of comparing their speed."""
    lines = []
    for pair in PAIRS:
        try:
            said = f"equal, {walk(pair):,} steps"
        except (NotThere, Differs) as error:
            said = str(error)
        lines.append((pair.ours, pair.theirs, f"{GAMES}", said))
    head = ("rulesdsl", "OpenSpiel", "games", "found")
    return [Section("The same games", NOTES, (Table("Step by step", head, tuple(lines), texts=2),))]


if __name__ == "__main__":
    print(*sections(), sep="\n\n")
