"""A plan carried out: what was played under each choice of options, and the few games for skill."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from rulesdsl.lab.series.plan import Plan, Wish
from rulesdsl.lab.series.play import fastest
from rulesdsl.lab.series.run import Played, Run, Tell, run
from rulesdsl.lab.series.work import Bench, Workers
from rulesdsl.play.game import Game


@frozen(eq=False)
class Row:
    """A choice of options: the value of what is varied (if anything is), and its games."""

    value: str
    game: Game
    played: tuple[Played, ...]


@frozen(eq=False)
class Simulation:
    """What was wanted, what came of it."""

    wish: Wish
    plan: Plan
    run: Run
    way: str
    """How it was played: the engine."""
    rows: tuple[Row, ...]
    skill: dict[str, Played]
    """Of each bot the games in which it meets random players."""

    @property
    def game(self) -> Game:
        return self.rows[0].game

    @property
    def played(self) -> list[Played]:
        """All but the games for skill."""
        return [one for row in self.rows for one in row.played]


def simulate(
    wish: Wish,
    made: Plan,
    bench: Bench,
    tell: Tell = lambda games: None,
    others: Callable[[], Workers] | None = None,
    at_once: bool = False,
) -> Simulation:
    """Carry out a plan; `others` are given what takes long, or everything `at_once`."""
    done = run(made.series, bench, tell, others, at_once)
    left = iter(done.played)
    rows = tuple(
        Row(
            setting.value,
            bench.ready(setting.series[0]).game,
            tuple(next(left) for _ in setting.series),
        )
        for setting in made.settings
    )
    way = fastest(made.series[0]).name
    return Simulation(wish, made, done, way, rows, dict(zip(made.skill, left, strict=True)))
