"""Known games against known figures: positions, trees, exploitability after ten rounds of regret
minimisation.

Equal figures of the last need equal trees, chances, payoffs and information sets at once.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, cached_property
from random import Random

import pytest
from attrs import define, field

from rulesdsl.play.loading import load
from rulesdsl.play.state import State

Strategy = dict[object, list[float]]


class Node:
    """A state of a two-player game with its children, worked out once."""

    def __init__(self, state: State) -> None:
        self.state = state

    @cached_property
    def payoff(self) -> float | None:
        """What the first player gets, at the end of the game."""
        outcome = self.state.outcome
        if outcome is None:
            return None
        if outcome.payoffs is not None:
            return float(outcome.payoffs[0])
        return 1.0 if outcome.winners == (0,) else -1.0

    @cached_property
    def chances(self) -> list[float]:
        return [float(chance) for _, chance, _ in self.state.chance_outcomes()]

    @cached_property
    def player(self) -> int:
        (player,) = self.state.to_act
        return player

    @cached_property
    def information(self) -> object:
        return self.player, self.state.log(self.player)

    @cached_property
    def children(self) -> list[Node]:
        state = self.state
        if state.is_chance:
            return [Node(state.chance_child(number)) for _, _, number in state.chance_outcomes()]
        return [Node(state.child(move)) for move in state.legal_moves(self.player)]


@define
class Regrets:
    """Counterfactual regret minimisation, the players updated one after the other."""

    root: Node
    regrets: Strategy = field(factory=dict)
    played: Strategy = field(factory=dict)

    def round(self) -> None:
        for player in (0, 1):
            current = {key: matching(regrets) for key, regrets in self.regrets.items()}
            self.visit(self.root, player, (1.0, 1.0), 1.0, current)

    def visit(
        self, node: Node, mine: int, reach: tuple[float, float], chance: float, current: Strategy
    ) -> float:
        """The value for the first player, gathering the regrets of one player."""
        if node.payoff is not None:
            return node.payoff
        if node.state.is_chance:
            return sum(
                likely * self.visit(child, mine, reach, chance * likely, current)
                for likely, child in zip(node.chances, node.children, strict=True)
            )
        if not reach[0] and not reach[1]:
            return 0.0
        player, key, count = node.player, node.information, len(node.children)
        strategy = current.get(key) or [1 / count] * count
        values = []
        for likely, child in zip(strategy, node.children, strict=True):
            ahead = (reach[0] * likely, reach[1]) if player == 0 else (reach[0], reach[1] * likely)
            values.append(self.visit(child, mine, ahead, chance, current))
        value = sum(a * b for a, b in zip(strategy, values, strict=True))
        if player == mine:
            sign, others = (1 if player == 0 else -1), reach[1 - player] * chance
            regrets = self.regrets.setdefault(key, [0.0] * count)
            played = self.played.setdefault(key, [0.0] * count)
            for i in range(count):
                regrets[i] += others * sign * (values[i] - value)
                played[i] += reach[player] * strategy[i]
        return value

    def average(self) -> Strategy:
        return {key: matching(played) for key, played in self.played.items()}


def matching(weights: list[float]) -> list[float]:
    """Shares of the positive weights; even ones where there are none."""
    total = sum(max(0.0, weight) for weight in weights)
    if not total:
        return [1 / len(weights)] * len(weights)
    return [max(0.0, weight) / total for weight in weights]


@define
class BestResponse:
    """The value for a player who knows the strategy of the other."""

    root: Node
    player: int
    other: Strategy
    groups: dict[object, list[tuple[Node, float]]] = field(factory=dict)
    chosen: dict[object, int] = field(factory=dict)

    def value(self) -> float:
        self.gather(self.root, 1.0)
        return self.worth(self.root)

    def shares(self, node: Node) -> list[float]:
        return node.chances if node.state.is_chance else self.other[node.information]

    def gather(self, node: Node, reach: float) -> None:
        """The nodes of each of the player's information sets, with their weights."""
        if node.payoff is not None:
            return
        if not node.state.is_chance and node.player == self.player:
            self.groups.setdefault(node.information, []).append((node, reach))
            for child in node.children:
                self.gather(child, reach)
            return
        for share, child in zip(self.shares(node), node.children, strict=True):
            self.gather(child, reach * share)

    def worth(self, node: Node) -> float:
        if node.payoff is not None:
            return node.payoff if self.player == 0 else -node.payoff
        if node.state.is_chance or node.player != self.player:
            shares = zip(self.shares(node), node.children, strict=True)
            return sum(share * self.worth(child) for share, child in shares if share)
        return self.worth(node.children[self.choice(node)])

    def choice(self, node: Node) -> int:
        key = node.information
        if key not in self.chosen:
            values = [
                sum(weight * self.worth(one.children[i]) for one, weight in self.groups[key])
                for i in range(len(node.children))
            ]
            self.chosen[key] = values.index(max(values))
        return self.chosen[key]


@cache
def root(name: str) -> Node:
    return Node(load(name).start())


GAPS = {"kuhn-poker": 0.137397587634, "nim": 0.186666666667, "leduc-poker": 1.777157966338}


@pytest.mark.parametrize("name", GAPS)
def test_ten_rounds_of_regret_minimisation(name: str) -> None:
    regrets = Regrets(root(name))
    for _ in range(10):
        regrets.round()
    average = regrets.average()
    best = sum(BestResponse(regrets.root, player, average).value() for player in (0, 1))
    assert best == pytest.approx(GAPS[name], abs=1e-12)


@define
class Tree:
    """How many nodes there are of each sort, and of what sets of information."""

    nodes: Counter[str] = field(factory=Counter)
    information: set[object] = field(factory=set)

    def worth(self, node: Node) -> float:
        """The value for the first player where all choices are as likely."""
        if node.payoff is not None:
            self.nodes["end"] += 1
            return node.payoff
        if node.state.is_chance:
            self.nodes["chance"] += 1
            chances = zip(node.chances, node.children, strict=True)
            return sum(chance * self.worth(child) for chance, child in chances)
        self.nodes["choice"] += 1
        self.information.add(node.information)
        return sum(map(self.worth, node.children)) / len(node.children)


def test_the_tree_of_leduc_poker() -> None:
    tree = Tree()
    assert tree.worth(root("leduc-poker")) == pytest.approx(-0.078125, abs=1e-12)
    assert tree.nodes == {"chance": 157, "choice": 3_780, "end": 5_520}
    assert len(tree.information) == 936


# ------------------------------------------------------------------ boards


def board(state: State) -> tuple[object, ...]:
    """What the cells of a board hold."""
    found = state.named()["state"]
    assert isinstance(found, dict)
    return tuple(found.values())


def after(states: dict[object, State]) -> dict[object, State]:
    """The different positions one move later."""
    going = [state for state in states.values() if not state.is_over]
    children = [state.child(move) for state in going for move in state.legal_moves(state.to_act[0])]
    return {board(child): child for child in children}


def test_all_positions_of_tic_tac_toe() -> None:
    positions, ended = 0, Counter[tuple[int, ...]]()
    here: dict[object, State] = {(): load("tic-tac-toe").start()}
    while here:
        positions += len(here)
        for state in here.values():
            if state.outcome is not None:
                ended[state.outcome.winners] += 1
        here = after(here)
    assert positions == 5_478
    assert ended == {(0,): 626, (1,): 316, (): 16}


def test_positions_of_connect_four() -> None:
    here: dict[object, State] = {(): load("connect-four").start()}
    numbers = []
    for _ in range(4):
        here = after(here)
        numbers.append(len(here))
    assert numbers == [7, 49, 238, 1_120]


@pytest.mark.soak
def test_more_positions_of_connect_four() -> None:
    """A game is over with four in a row: from the seventh move on it is so in some positions."""
    here: dict[object, State] = {(): load("connect-four").start()}
    numbers = []
    for _ in range(8):
        here = after(here)
        numbers.append(len(here))
    assert numbers[4:] == [4_263, 16_422, 54_859, 184_275]


def four(discs: list[list[int]], column: int) -> bool:
    """Whether the uppermost disc of a column is one of four in a row."""
    row, who = len(discs[column]) - 1, discs[column][-1]
    mine = {(x, y) for x, pile in enumerate(discs) for y, disc in enumerate(pile) if disc == who}
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        line = "".join(
            "x" if (column + right * i, row + up * i) in mine else "." for i in range(-3, 4)
        )
        if "xxxx" in line:
            return True
    return False


@pytest.mark.parametrize("seed", range(40))
def test_connect_four_beside_its_rules_in_plain_python(seed: int) -> None:
    random, state = Random(seed), load("connect-four").start()
    discs: list[list[int]] = [[] for _ in range(7)]
    for turn in range(42):
        assert state.to_act == (turn % 2,)
        moves = [move.text for move in state.legal_moves(turn % 2)]
        assert moves == [f"drop {'abcdefg'[x]}" for x in range(7) if len(discs[x]) < 6]
        text = random.choice(moves)
        column = "abcdefg".index(text[-1])
        discs[column].append(turn % 2)
        state.apply(text)
        if four(discs, column):
            assert state.outcome is not None
            assert state.outcome.winners == (turn % 2,)
            return
        assert state.is_over == (turn == 41)
    assert state.outcome is not None
    assert state.outcome.winners == ()
