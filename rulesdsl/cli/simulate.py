"""The command `simulate`: figures of many games."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from rulesdsl.cli.many import MOST_GAMES, STOPPED, free_for_page, workers
from rulesdsl.cli.playing import LARGEST_SEED, any_seed, given_options
from rulesdsl.cli.progress import progress
from rulesdsl.resources import find_game

if TYPE_CHECKING:
    from rulesdsl.lab.report.plots import Plots
    from rulesdsl.lab.series.plan import Plan, Wish
    from rulesdsl.lab.series.simulation import Simulation
    from rulesdsl.lab.series.work import Bench


@click.command("simulate")
@click.argument("game")
@click.option(
    "-n", "--games", "number", type=click.IntRange(1, MOST_GAMES), default=1000, show_default=True
)
@click.option("--players", type=click.IntRange(1), help="how many play (default: the most)")
@click.option(
    "--bot",
    "bots",
    multiple=True,
    help="who plays, as in `run`; several sit at one table and their seats rotate "
    "(default: two bots of the game, half of the games each)",
)
@click.option("--with", "options", multiple=True, help="an option: full_price, starting_money=60")
@click.option("--vary", help='values of an option, a row for each: "starting_money=40..80 step 5"')
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), help="the seed of chance and bots")
@click.option("--jobs", type=click.IntRange(1, 1000), help="processes (default: one each core)")
@click.option("--cluster", help="the address of a Ray cluster that plays; `local` begins one here")
@click.option("--all", "everything", is_flag=True, help="also each decision, option and rule")
@click.option(
    "--json", "as_json", metavar="FILE", help="write all figures to a file; -: print them"
)
@click.option("--csv", "as_csv", type=click.Path(path_type=Path), help="a row for each game")
@click.option("--report", "page", type=click.Path(path_type=Path), help="write a page with plots")
@click.option("--parquet", type=click.Path(path_type=Path), help="a row for each game")
def simulate_command(
    game: str,
    number: int,
    players: int | None,
    bots: tuple[str, ...],
    options: tuple[str, ...],
    vary: str | None,
    seed: int | None,
    jobs: int | None,
    cluster: str | None,
    everything: bool,
    as_json: str | None,
    as_csv: Path | None,
    page: Path | None,
    parquet: Path | None,
) -> None:
    """Play many games of GAME with bots, and tell what comes of it.

    Ctrl-C ends early and tells of what was played.
    """
    from rulesdsl.lab.series.plan import Wish, plan
    from rulesdsl.lab.series.report import report
    from rulesdsl.lab.series.work import Bench

    bench, path = Bench(), str(find_game(game))
    most = bench.book(path).model.players[1]
    given = {name: str(value) for name, value in given_options(options).items()}
    wish = Wish(
        game, path, number, players or most, any_seed() if seed is None else seed, bots, given, vary
    )
    made = plan(wish, bench)
    with ExitStack() as stack:
        files = _Files(stack, as_json, as_csv, parquet, page)
        found = _play(wish, made, bench, jobs, cluster)
        if as_json != "-":
            for line in report(found, everything):
                click.echo(line)
        files.write(found)
    if found.run.stopped:
        raise SystemExit(STOPPED)
    if found.run.failed or any(one.table.broken for one in found.played):
        raise SystemExit(1)


def _play(
    wish: Wish, made: Plan, bench: Bench, jobs: int | None, cluster: str | None
) -> Simulation:
    from rulesdsl.lab.series.simulation import simulate

    rules = {wish.file: bench.ready(made.series[0]).game.rules_hash}
    others = workers(jobs, cluster, rules)
    with progress(sum(one.games for one in made.series), "games") as tell:
        return simulate(wish, made, bench, tell, others, at_once=cluster is not None)


class _Files:
    """Files opened before anything is played, so that no figures have nowhere to go.

    What is in them stays there until the figures come.
    """

    def __init__(
        self,
        stack: ExitStack,
        as_json: str | None,
        as_csv: Path | None,
        parquet: Path | None,
        page: Path | None,
    ) -> None:
        from rulesdsl.lab.series.files import parquet_writer, write_csv, write_json

        def opened(path: Path | str) -> TextIO:
            return stack.enter_context(Path(path).open("a", encoding="utf-8", newline=""))

        self._writers: list[Callable[[Simulation], None]] = []
        if as_json == "-":
            self._writers.append(partial(write_json, sys.stdout))
        elif as_json is not None:
            self._writers.append(partial(write_json, opened(as_json)))
        if as_csv is not None:
            self._writers.append(partial(write_csv, opened(as_csv)))
        if parquet is not None:
            write = parquet_writer()
            self._writers.append(partial(write, stack.enter_context(parquet.open("ab"))))
        if page is not None:
            from rulesdsl.lab.report.plots import Plots

            self._writers.append(partial(_write_page, free_for_page(page), Plots.ready()))

    def write(self, found: Simulation) -> None:
        """Write what was wanted."""
        for write in self._writers:
            write(found)


def _write_page(file: Path, plots: Plots, found: Simulation) -> None:
    from rulesdsl.lab.report.simulation import page

    file.write_text(page(found, plots), encoding="utf-8", newline="\n")
    click.echo(f"Page with plots: {file}", err=True)
