"""Players that every game has, by name: `random`, `greedy`, `mcts:200`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from attrs import frozen

from rulesdsl.agents.random import Agent, RandomAgent
from rulesdsl.agents.worth import Worth, by_result
from rulesdsl.text.spelling import nearest

if TYPE_CHECKING:
    from rulesdsl.agents.playout import RolloutPolicy

MOST_PLAYOUTS = 1_000_000
MOST_SECONDS = 3_600.0


class NoSuchAgent(ValueError):
    """A name that no player has, or a budget that none can have."""


@frozen
class Table:
    """What a player is made with."""

    seed: int
    game: int
    worth: Worth
    policy: RolloutPolicy | None
    """By which those that search play on in mind."""


Factory: TypeAlias = Callable[[str, Table], Agent]
"""Makes a player from what stands after the colon (`200` of `mcts:200`; else nothing)."""


def _random(budget: str, table: Table) -> Agent:
    _no_budget("random", budget)
    return RandomAgent(table.seed, table.game)


def _greedy(budget: str, table: Table) -> Agent:
    # most games are played by others, and those that search take long to import
    from rulesdsl.agents.greedy import GreedyAgent

    _no_budget("greedy", budget)
    return GreedyAgent(table.seed, table.game, table.worth)


def _mcts(budget: str, table: Table) -> Agent:
    """`mcts`, `mcts:500` (playouts), `mcts:2s` (seconds)."""
    from rulesdsl.agents.mcts import MctsAgent

    playouts, seconds = 200, None if not budget.endswith("s") else 0.0
    if budget.endswith("s"):
        seconds = _number(budget[:-1], MOST_SECONDS, budget)
    elif budget:
        playouts = int(_number(budget if budget.isdecimal() else "", MOST_PLAYOUTS, budget))
    return MctsAgent(playouts, table.seed, table.game, seconds, table.worth, table.policy)


def _no_budget(name: str, budget: str) -> None:
    if budget:
        raise NoSuchAgent(f"{name} has no budget; it is written {name}, not {name}:{budget}")


def _number(text: str, most: float, budget: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= most:
        message = f"mcts:{budget} is no budget; it is written mcts:200 (playouts) or mcts:2s"
        raise NoSuchAgent(message)
    return number


BUILT_IN: Mapping[str, Factory] = {"random": _random, "greedy": _greedy, "mcts": _mcts}


def agent(
    said: str,
    seed: int = 0,
    game: int = 0,
    worth: Worth = by_result,
    policy: RolloutPolicy | None = None,
) -> Agent:
    """The player of a name like `mcts:200`. Raises NoSuchAgent.

    `worth` is what positions are worth to those that search, `policy` how they play on in mind.
    """
    name, _, budget = said.partition(":")
    if name not in BUILT_IN:
        near = nearest(name, BUILT_IN)
        hint = f"; did you mean {near}?" if near else ""
        raise NoSuchAgent(f"there is no player {name}{hint} (players: {', '.join(BUILT_IN)})")
    return BUILT_IN[name](budget, Table(seed, game, worth, policy))
