"""A player that plays the game on in his mind and compares how it ends.

Each playout begins from a state that fits the log of the player. Some of his moves are tried in
the same states with the same luck, the better half of them twice as often, and so on (sequential
halving). Where a policy is known that plays well, all play on by it, and another move than its own
is taken only if it is better beyond doubt. Where none is known a tree grows.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from itertools import repeat

from attrs import define, field

from rulesdsl.agents.belief import Beliefs
from rulesdsl.agents.playout import RolloutPolicy, any_option, played_on
from rulesdsl.agents.tree import Node, Tree
from rulesdsl.agents.worth import Utility, Worth, by_result
from rulesdsl.engines.chance import Stream
from rulesdsl.play.asking import Asked
from rulesdsl.play.moves import Move
from rulesdsl.play.state import State

PURPOSE = 2_000
"""Streams of searching players, apart from those of others."""
DOUBT = 1.0
"""So many standard errors a move must be better than that of the policy."""
TRIED = 16
"""How many moves are tried when the time is given, not the number of playouts."""


@define(eq=False)
class Candidate:
    """A move that is tried, and the utility of each playout with it."""

    move: Move
    utilities: list[float] = field(factory=list)
    node: Node = field(factory=Node)

    def mean(self) -> float:
        return sum(self.utilities) / len(self.utilities)

    def gain(self, over: Candidate) -> float:
        """How much better it is than another one, in the same playouts, at least."""
        pairs = zip(self.utilities, over.utilities, strict=True)
        gains = [mine - other for mine, other in pairs]
        number = len(gains)
        if number < 2:
            return 0.0
        mean = sum(gains) / number
        variance = sum((gain - mean) ** 2 for gain in gains) / (number - 1)
        return mean - DOUBT * math.sqrt(variance / number)


@define
class Budget:
    """Playouts, or a time at which to stop."""

    playouts: int
    until: float | None

    @property
    def is_over(self) -> bool:
        """Whether there was a time to stop at, and it has come."""
        return self.until is not None and time.monotonic() >= self.until

    def rows(self, rounds: int, width: int) -> Iterator[None]:
        """Once for each row of so many playouts that the next of so many rounds may have."""
        if self.until is None:
            number = max(1, self.playouts // rounds // width)
            self.playouts -= number * width
            yield from repeat(None, number)
            return
        now = time.monotonic()
        end = now + (self.until - now) / rounds
        yield
        while time.monotonic() < end:
            yield


@define
class MctsAgent:
    """Searches for a number of playouts, or (`seconds`) for some time.

    With a number of playouts the same seed chooses the same. A playout that comes to no end is
    judged by `worth`. `blind` counts the choices made without a search, since no state was found
    (in time) that fits the log.
    """

    playouts: int = 200
    seed: int = 0
    game: int = 0
    seconds: float | None = None
    worth: Worth = by_result
    policy: RolloutPolicy | None = None
    samples: int = 8
    blind: int = 0
    _beliefs: Beliefs = field(init=False)
    _utility: Utility = field(init=False)

    def __attrs_post_init__(self) -> None:
        # a row of playouts begins from one state and has at least two of them
        rows = self.samples if self.seconds is not None else max(1, self.playouts // 2)
        most = min(self.samples, rows)
        self._beliefs = Beliefs(PURPOSE, self.seed, self.game, most, min(2, most))
        self._utility = Utility(self.worth)

    def choose(self, state: State, player: int) -> Move:
        asked = state.asked(player)
        if asked is None:
            raise ValueError(f"player {player} is not to act")
        bundles = asked.bundles()
        if sum(map(len, bundles)) == 1:
            return asked.nth(bundles[0], 0)
        now = time.monotonic()
        until = None if self.seconds is None else now + self.seconds
        # half of the time is for states, the other half for playouts
        half = None if self.seconds is None else now + self.seconds / 2
        samples, stream = self._beliefs.of(state, player, half)
        usual = self._usual(state, asked, stream)
        if not samples:
            self.blind += 1
            return usual
        tried = [Candidate(usual)]
        tried += [Candidate(move) for move in self._others(state, asked, usual, stream)]
        return usual if len(tried) == 1 else self._search(tried, samples, stream, until)

    # ---------------------------------------------------------------- which moves are tried

    def _usual(self, state: State, asked: Asked, stream: Stream) -> Move:
        """What the policy does; without one any move."""
        if self.policy is None:
            return any_option(asked, asked.bundles(), stream)
        return self.policy.agent(stream.next()).choose(state, asked.player)

    def _others(self, state: State, asked: Asked, usual: Move, stream: Stream) -> list[Move]:
        """All other moves if they are few; else what the policy does with other luck, and any."""
        most = TRIED if self.seconds is not None else max(2, math.isqrt(self.playouts))
        bundles = asked.bundles()
        if sum(map(len, bundles)) <= most:
            return [move for move in asked.moves() if move.number != usual.number]
        found = {usual.number: usual}
        for trial in range(4 * most):
            if trial < most // 2:
                move = self._usual(state, asked, stream)
            else:
                move = any_option(asked, bundles, stream)
            found.setdefault(move.number, move)
            if len(found) == most:
                break
        return list(found.values())[1:]

    # ---------------------------------------------------------------- comparing them

    def _search(
        self, tried: list[Candidate], samples: list[State], stream: Stream, until: float | None
    ) -> Move:
        usual, alive = tried[0], tried
        rounds = max(1, math.ceil(math.log2(len(tried))))
        budget, row = Budget(self.playouts, until), 0
        for left in range(rounds, 0, -1):
            for _ in budget.rows(left, len(alive)):
                self._row(alive, samples[row % len(samples)], stream.next(), budget)
                row += 1
            # of the first row there may have been time for some
            alive = [one for one in alive if one.utilities]
            if budget.is_over:
                break
            if left > 1:
                alive = sorted(alive, key=Candidate.mean, reverse=True)[: (len(alive) + 1) // 2]
                if self.policy is not None and usual not in alive:
                    alive.append(usual)
        if self.policy is None:
            return max(alive, key=Candidate.mean).move
        best = max(alive, key=lambda one: one.gain(usual))
        return best.move if best.gain(usual) > 0 else usual.move

    def _row(self, alive: list[Candidate], sample: State, seed: int, budget: Budget) -> None:
        """A playout with each move, from one state and with one luck.

        A row for which the time is too short does not count, or some would be favoured by its luck;
        of the first one there is what there was time for.
        """
        rows = len(alive[0].utilities)
        for one in alive:
            state, player = sample.reseeded(Stream.of(seed)), one.move.player
            if self.policy is None:
                utilities = Tree(player, self._utility).playout(one.node, state, one.move, seed)
            else:
                utilities = self._utility.of(played_on(state, one.move, self.policy, seed))
            one.utilities.append(utilities[player])
            if budget.is_over and one is not alive[-1]:
                for each in alive:
                    del each.utilities[max(1, rows) :]
                return
