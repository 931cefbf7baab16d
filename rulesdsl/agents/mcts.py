"""A player that plays a game on in his mind: information-set Monte Carlo tree search.

Each playout begins from a state that fits the log of the player. The tree is of what he sees: an
edge is a move that he makes or hears; what others do in secret is left to the playout. A move is
weighed against how often it was possible, since in another state that fits it may not be.
"""

from __future__ import annotations

import math
import time

from attrs import define, field

from rulesdsl.agents.belief import Beliefs
from rulesdsl.agents.greedy import settle
from rulesdsl.agents.random import Agent, RandomAgent
from rulesdsl.agents.worth import Utility, Worth, by_result
from rulesdsl.engines.chance import Stream
from rulesdsl.engines.choices import Bundle
from rulesdsl.engines.faults import RuleFault
from rulesdsl.play.moves import Move
from rulesdsl.play.state import State

PURPOSE = 2_000
"""Streams of searching players, apart from those of others."""
EXPLORE = 0.7
"""The weight of what has been tried little."""
WIDEN = 2.0
"""Of n visits so many times the root of n moves are tried."""


@define(eq=False)
class Node:
    """What a player sees has happened since the search began; its edges by player and move."""

    visits: int = 0
    available: int = 0
    total: float = 0.0
    """Of the utilities of who made the move that leads here."""
    edges: dict[tuple[int, int], Node] = field(factory=dict)

    def bound(self) -> float:
        """The upper confidence bound of the move that leads here."""
        return self.total / self.visits + EXPLORE * math.sqrt(
            math.log(max(2, self.available)) / self.visits
        )


@define
class MctsAgent:
    """Searches for a number of playouts, or (`seconds`) for some time.

    A playout goes on at random, or as `rollout` plays, for at most `depth` decisions; then the
    state is judged by `worth`. With a number of playouts the same seed chooses the same. `blind`
    counts the choices made without a search, since no state was found that fits the log.
    """

    playouts: int = 200
    seed: int = 0
    game: int = 0
    seconds: float | None = None
    worth: Worth = by_result
    depth: int = 12
    rollout: Agent | None = None
    samples: int = 8
    blind: int = 0
    _beliefs: Beliefs = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._beliefs = Beliefs(PURPOSE, self.seed, self.game, self.samples, 2)

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
        root = self._search(samples, player, stream)
        tried = [move for move in moves if (player, move.number) in root.edges]

        def merit(move: Move) -> tuple[int, float]:
            node = root.edges[player, move.number]
            return node.visits, node.total

        return max(tried, key=merit) if tried else moves[stream.below(len(moves))]

    def _search(self, samples: list[State], player: int, stream: Stream) -> Node:
        root = Node()
        search = Search(self, player, stream, Utility(self.worth))
        until = None if self.seconds is None else time.monotonic() + self.seconds
        number = 0
        while number < self.playouts if until is None else time.monotonic() < until:
            search.playout(root, samples[number % len(samples)].unseeded())
            number += 1
        return root


@define(eq=False)
class Search:
    """One search of a player."""

    agent: MctsAgent
    player: int
    stream: Stream
    utility: Utility

    def playout(self, root: Node, state: State) -> None:
        """Down the tree to a new node, on to an end, and back up with what it was worth."""
        path: list[tuple[Node, int]] = []
        node, grown = root, False
        try:
            settle(state, self.stream)
            while not state.is_over and not grown:
                actor = self._actor(state)
                if self._is_hidden(state, actor):
                    self._go_on(state, actor)
                else:
                    node, grown = self._down(node, state, actor)
                    path.append((node, actor))
                settle(state, self.stream)
            self._play_on(state)
        except RuleFault:
            return
        worth = self.utility.of(state)
        root.visits += 1
        for node, actor in path:
            node.visits += 1
            node.total += worth[actor]

    def _actor(self, state: State) -> int:
        actors = state.to_act
        return self.player if self.player in actors else actors[0]

    def _is_hidden(self, state: State, actor: int) -> bool:
        """Whether the player is not told what another one chooses."""
        choice = state.choice(actor)
        hidden = choice is not None and (choice.secretly or choice.region is not None)
        return hidden and actor != self.player

    def _down(self, node: Node, state: State, actor: int) -> tuple[Node, bool]:
        """Make the move that promises most, or a new one; the node it leads to, and if it is new.

        Availability: every move of the tree that is possible here counts, taken or not.
        """
        asked = state.asked(actor)
        assert asked is not None
        bundles = asked.bundles()
        number = sum(map(len, bundles))
        known: list[tuple[Node, Move]] = []
        for bundle in bundles:
            first = asked.nth(bundle, 0).number
            for index in range(len(bundle)):
                edge = node.edges.get((actor, first + index))
                if edge is not None:
                    known.append((edge, asked.nth(bundle, index)))
        for edge, _ in known:
            edge.available += 1
        if len(known) < number and len(known) < WIDEN * math.sqrt(node.visits + 1):
            taken = {move.number for _, move in known}
            move = self._new_move(state, actor, bundles, taken)
            edge = node.edges.setdefault((actor, move.number), Node())
            edge.available = max(1, edge.available)
            state.carry_out(move)
            return edge, True
        edge, move = max(known, key=lambda one: one[0].bound() if one[0].visits else math.inf)
        state.carry_out(move)
        return edge, False

    def _new_move(self, state: State, actor: int, bundles: list[Bundle], taken: set[int]) -> Move:
        """A move not tried here yet: first the one that a player of the rollouts would make."""
        if not taken and self.agent.rollout is not None:
            return self.agent.rollout.choose(state, actor)
        for _ in range(30):
            move = self._random_move(state, actor, bundles)
            if move.number not in taken:
                return move
        asked = state.asked(actor)
        assert asked is not None
        return next(move for move in asked.moves() if move.number not in taken)

    # ---------------------------------------------------------------- outside of the tree

    def _go_on(self, state: State, actor: int) -> None:
        """A move of the rollouts."""
        if self.agent.rollout is None:
            self._at_random(state, actor)
        else:
            state.carry_out(self.agent.rollout.choose(state, actor))

    def _play_on(self, state: State) -> None:
        """Play on to the end, or as deep as one looks."""
        left = self.agent.depth
        while not state.is_over and left:
            self._go_on(state, self._actor(state))
            settle(state, self.stream)
            left -= 1

    def _at_random(self, state: State, actor: int) -> None:
        asked = state.asked(actor)
        assert asked is not None
        state.carry_out(self._random_move(state, actor, asked.bundles()))

    def _random_move(self, state: State, actor: int, bundles: list[Bundle]) -> Move:
        """A random move: first what is done, then with what; else bids would crowd out passing."""
        asked = state.asked(actor)
        assert asked is not None
        options = list({id(bundle.option): bundle.option for bundle in bundles}.values())
        option = options[self.stream.below(len(options))]
        fitting = [bundle for bundle in bundles if bundle.option is option]
        index = self.stream.below(sum(map(len, fitting)))
        for bundle in fitting:
            if index < len(bundle):
                return asked.nth(bundle, index)
            index -= len(bundle)
        raise AssertionError("the options of a choice have moves")
