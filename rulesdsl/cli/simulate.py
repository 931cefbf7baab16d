"""The command `simulate`: figures of many games."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulesdsl.cli.many import MOST_GAMES, STOPPED, workers
from rulesdsl.cli.playing import LARGEST_SEED, any_seed, given_options
from rulesdsl.cli.progress import progress
from rulesdsl.resources import find_game

if TYPE_CHECKING:
    from rulesdsl.cli.outputs import File, Opened
    from rulesdsl.lab.report.plots import Plots
    from rulesdsl.lab.series.plan import Plan, Wish
    from rulesdsl.lab.series.simulation import Simulation
    from rulesdsl.lab.series.work import Bench


@click.command("simulate")
@click.argument("game")
@click.option(
    "-n", "--games", "number", type=click.IntRange(1, MOST_GAMES), default=1000,
    show_default=True, help="so many games, for each value of --vary",
)  # fmt: skip
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
@click.option("--csv", "as_csv", metavar="FILE", help="a row for each game; -: print them")
@click.option(
    "--parquet", metavar="FILE", type=click.Path(path_type=Path), help="a row for each game"
)
@click.option(
    "--report", "page", metavar="FILE", type=click.Path(path_type=Path), help="a page with plots"
)
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
    as_csv: str | None,
    parquet: Path | None,
    page: Path | None,
) -> None:
    """Play many games of GAME with bots, and tell what comes of it.

    Ctrl-C ends early and tells of what was played.
    """
    from rulesdsl.cli.outputs import PRINTED
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
        if PRINTED not in (as_json, as_csv):
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
    """What is written beside the report, each kind of figures to a file of its own."""

    def __init__(
        self,
        stack: ExitStack,
        as_json: str | None,
        as_csv: str | None,
        parquet: Path | None,
        page: Path | None,
    ) -> None:
        from rulesdsl.cli.outputs import CSV, JSON, PARQUET, Outputs
        from rulesdsl.lab.series.files import parquet_writer, write_csv, write_json

        outputs = Outputs(stack)
        self._writers: list[Callable[[Simulation], None]] = []
        if as_json is not None:
            self._writers.append(_writer(outputs.text(as_json, JSON, "JSON file"), write_json))
        if as_csv is not None:
            self._writers.append(_writer(outputs.text(as_csv, CSV, "table of games"), write_csv))
        if parquet is not None:
            write = parquet_writer()
            self._writers.append(_writer(outputs.octets(parquet, PARQUET, "Parquet file"), write))
        if page is not None:
            from rulesdsl.lab.report.plots import Plots

            self._writers.append(partial(_write_page, outputs.page(page), Plots.ready()))

    def write(self, found: Simulation) -> None:
        """Write what was wanted."""
        for write in self._writers:
            write(found)


def _writer(
    opened: Opened[File], write: Callable[[File, Simulation], None]
) -> Callable[[Simulation], None]:
    """What fills a file."""

    def fill(found: Simulation) -> None:
        with opened() as file:
            write(file, found)

    return fill


def _write_page(file: Path, plots: Plots, found: Simulation) -> None:
    from rulesdsl.lab.report.simulation import page

    file.write_text(page(found, plots), encoding="utf-8", newline="\n")
    click.echo(f"Page with plots: {file}", err=True)
