"""Looking ahead in the walker: all ways to go on are played, each on a copy (see meaning.py)."""

from __future__ import annotations

from typing import Any, Protocol

from rulesdsl.check import model as m
from tests.meaning_effects import Running
from tests.meaning_values import Env, Fault, Pile


class Walking(Protocol):
    """What is needed of the walker."""

    scalars: dict[m.Scalar, list[int]]
    zones: dict[m.Zone, list[Pile]]

    def step(self, step: m.Step, env: Env) -> Running: ...

    def possible(self, choice: m.ChooseStep, env: Env) -> list[Any]: ...

    def carry_out(self, choice: m.ChooseStep, move: Any, env: Env) -> Running: ...


def halves(loop: m.RepeatStep) -> tuple[list[m.Step], m.ChooseStep, list[m.Step]]:
    """What stands before the choice of a round, the choice, and what stands behind it."""
    steps = list(loop.body.steps)
    at = next(i for i, step in enumerate(steps) if isinstance(step, m.ChooseStep))
    choice = steps[at]
    assert isinstance(choice, m.ChooseStep)
    return steps[:at], choice, steps[at + 1 :]


def best(
    walk: Walking, loop: m.RepeatStep, left: int, env: Env, leaving: type[Exception]
) -> list[Any]:
    """The moves with which the most rounds begin; `env` holds what stands before the choice."""
    moves = walk.possible(halves(loop)[1], env)
    rounds = [_rounds(walk, loop, move, left, env, leaving) for move in moves]
    return [move for move, n in zip(moves, rounds, strict=True) if n == max(rounds)]


def _rounds(
    walk: Walking, loop: m.RepeatStep, move: Any, left: int, env: Env, leaving: type[Exception]
) -> int:
    """How many rounds there can be, this move being the first; a fault is the end of them."""
    before, choice, after = halves(loop)
    scalars, zones = walk.scalars, walk.zones
    walk.scalars = {scalar: [*numbers] for scalar, numbers in scalars.items()}
    walk.zones = {zone: [_copy(pile) for pile in piles] for zone, piles in zones.items()}
    inner = {**env}
    try:
        _quietly(walk.carry_out(choice, move, inner))
        for step in after:
            _quietly(walk.step(step, inner))
        if left == 1:
            return 1
        for step in before:
            _quietly(walk.step(step, inner))
        further = [
            _rounds(walk, loop, other, left - 1, inner, leaving)
            for other in walk.possible(choice, inner)
        ]
        return 1 + max(further, default=0)
    except (Fault, leaving):
        return 1
    finally:
        walk.scalars, walk.zones = scalars, zones


def _copy(pile: Pile) -> Pile:
    return Pile([*pile.order], pile.pool.copy())


def _quietly(running: Running) -> None:
    for stop in running:
        raise AssertionError(f"a loop that is looked ahead waits for {stop}")
