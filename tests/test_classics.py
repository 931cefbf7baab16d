"""Known games against known figures: exploitability after ten rounds of regret minimisation.

Equal figures need equal trees, chances, payoffs and information sets at once.
"""

from __future__ import annotations

from functools import cached_property

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


@pytest.mark.parametrize(("name", "gap"), [("kuhn-poker", 0.137397587634), ("nim", 0.186666666667)])
def test_ten_rounds_of_regret_minimisation(name: str, gap: float) -> None:
    regrets = Regrets(Node(load(name).start()))
    for _ in range(10):
        regrets.round()
    average = regrets.average()
    best = sum(BestResponse(regrets.root, player, average).value() for player in (0, 1))
    assert best == pytest.approx(gap, abs=1e-12)
