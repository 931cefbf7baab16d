"""The tree of a search: what a player sees happen after a move, and what it was worth so far.

The tree is of what he sees: an edge is a move that he makes or hears; what others do in secret is
left to the playout. A move is weighed against how often it was possible, since in another state
that fits what he knows it may not be.
"""

from __future__ import annotations

import math
from contextlib import suppress

from attrs import define, field

from rulesdsl.agents.playout import OptionsAgent, any_option, play_on
from rulesdsl.agents.worth import Utility
from rulesdsl.engines.chance import Stream
from rulesdsl.engines.choices import Bundle
from rulesdsl.engines.faults import RuleFault
from rulesdsl.play.asking import Asked
from rulesdsl.play.moves import Move
from rulesdsl.play.state import State

EXPLORE = 0.7
"""The weight of what has been tried little."""
WIDEN = 2.0
"""Of n visits so many times the root of n moves are tried."""


@define(eq=False)
class Node:
    """What a player sees has happened since a move; its edges by player and move."""

    visits: int = 0
    available: int = 0
    total: float = 0.0
    """Of the utilities of who made the move that leads here."""
    edges: dict[tuple[int, int], Node] = field(factory=dict)

    def bound(self) -> float:
        """The upper confidence bound of the move that leads here."""
        if not self.visits:
            return math.inf
        return self.total / self.visits + EXPLORE * math.sqrt(
            math.log(max(2, self.available)) / self.visits
        )


@define(eq=False)
class Tree:
    """Grows by one node a playout; beyond it all play at random."""

    player: int
    utility: Utility

    def playout(self, root: Node, state: State, move: Move, seed: int) -> list[float]:
        """A move, down from its node to a new one, on to the end: the utilities of all seats."""
        stream = Stream.of(seed, self.player + 1)
        path: list[tuple[Node, int]] = []
        with suppress(RuleFault):
            state.carry_out(move)
            self._grow(root, state, stream, path)
            play_on(state, OptionsAgent(seed))
        utilities = self.utility.of(state)
        root.visits += 1
        for node, actor in path:
            node.visits += 1
            node.total += utilities[actor]
        return utilities

    def _grow(self, node: Node, state: State, stream: Stream, path: list[tuple[Node, int]]) -> None:
        """Go down to a new node; what is hidden from the player is chosen at random."""
        grown = False
        while not state.is_over and not grown:
            asking = state.asking()
            actor = self.player if self.player in asking else min(asking)
            asked = asking[actor]
            hidden = asked.stop.secretly or asked.stop.region is not None
            if hidden and actor != self.player:
                state.carry_out(any_option(asked, asked.bundles(), stream))
            else:
                node, move, grown = _down(node, asked, stream)
                path.append((node, actor))
                state.carry_out(move)


def _down(node: Node, asked: Asked, stream: Stream) -> tuple[Node, Move, bool]:
    """The move that promises most, or a new one; the node it leads to, and whether it is new.

    Availability: every move of the tree that is possible here counts, taken or not.
    """
    bundles, actor = asked.bundles(), asked.player
    known: list[tuple[Node, Move]] = []
    for bundle in bundles:
        first = asked.nth(bundle, 0).number
        for index in range(len(bundle)):
            edge = node.edges.get((actor, first + index))
            if edge is not None:
                edge.available += 1
                known.append((edge, asked.nth(bundle, index)))
    if len(known) < min(sum(map(len, bundles)), WIDEN * math.sqrt(node.visits + 1)):
        move = _new_move(asked, bundles, {move.number for _, move in known}, stream)
        edge = node.edges[actor, move.number] = Node(available=1)
        return edge, move, True
    edge, move = max(known, key=lambda one: one[0].bound())
    return edge, move, False


def _new_move(asked: Asked, bundles: list[Bundle], taken: set[int], stream: Stream) -> Move:
    """A move not tried here yet."""
    for _ in range(30):
        move = any_option(asked, bundles, stream)
        if move.number not in taken:
            return move
    return next(move for move in asked.moves() if move.number not in taken)
