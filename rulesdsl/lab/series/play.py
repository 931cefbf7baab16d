"""The games of a series played: the one place where the way to play them is chosen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from attrs import frozen

from rulesdsl.agents.cast import PROGRAM, is_built_in
from rulesdsl.agents.roster import RANDOM
from rulesdsl.engines import wasm
from rulesdsl.engines.finished import Finished
from rulesdsl.engines.many import play_many
from rulesdsl.lab.series.ready import Ready
from rulesdsl.lab.series.series import Series
from rulesdsl.lab.series.states import play_states
from rulesdsl.lab.series.table import Table, read_table
from rulesdsl.machine.policy import Policy


@frozen
class Way:
    """A way to play series. All give the same for the same series."""

    name: str
    play: Callable[[Ready, Series], Finished]


def _by_records(ready: Ready, series: Series) -> Finished:
    cast = _policies(ready, series)
    engine = ready.game.rules.engine
    return play_many(engine, cast, series.seed, series.numbers, series.rotate)


def _by_wasm(ready: Ready, series: Series) -> Finished:
    cast = _policies(ready, series)
    engine = ready.wasm([policy for policy in cast if policy is not None])
    return engine.play_many(cast, series.seed, series.numbers, series.rotate)


STATES = Way("move by move", play_states)
"""For players of every kind."""
RECORDS = Way("Python engine; for more: pip install 'rulesdsl[fast]'", _by_records)
"""For random players and bots of files."""
WASM = Way("WebAssembly engine", _by_wasm)
"""For the same; needs wasmtime."""

TOLD = 6
"""Of so many broken games, the first, it is told which rules were at work."""


def fastest(series: Series) -> Way:
    """The fastest way there is for those who play."""
    if not all(_has_policy(name) for name in series.cast):
        return STATES
    return WASM if wasm.is_installed() else RECORDS


def play_table(ready: Ready, series: Series) -> Table:
    """Play the games of a series and keep what is read of them."""
    finished = fastest(series).play(ready, series)
    return read_table(ready.game, finished, partial(_of_bots, ready, series))


def tell_faults(ready: Ready, series: Series, table: Table) -> None:
    """Tell the first faults of a series with the rules that were at work, which states know."""
    if fastest(series) is STATES:
        return
    for at, bad in enumerate(table.broken[:TOLD]):
        # a game that goes on and on would do so again
        if bad.kind != "endless":
            again = play_states(ready, series.part(bad.number, 1))
            (table.broken[at],) = read_table(ready.game, again).broken


def _has_policy(name: str) -> bool:
    """Whether a player is random or a bot of a file, and no search and no program."""
    return name == RANDOM or not (is_built_in(name) or name.startswith(PROGRAM))


def _policies(ready: Ready, series: Series) -> tuple[Policy | None, ...]:
    company = ready.company
    return tuple(None if name == RANDOM else company.script(name).policy for name in series.cast)


def _of_bots(ready: Ready, series: Series, number: int, record: list[int]) -> dict[str, list[int]]:
    """What the bots of a game measure, each of the seats that it has."""
    found: dict[str, list[int]] = {}
    for seat, bot in enumerate(series.names(number)):
        for name, value in ready.company.measured(bot, record, seat).items():
            found.setdefault(f"{bot}: {name}", []).append(value)
    return found
