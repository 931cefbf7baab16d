"""The command `compare`: what a change of rules or options does to the same deals."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import frozen

from rulesdsl.cli.many import MOST_GAMES, STOPPED, workers
from rulesdsl.cli.playing import LARGEST_SEED, any_seed, given_options
from rulesdsl.cli.progress import progress
from rulesdsl.resources import find_game
from rulesdsl.text.kept import user_folder

if TYPE_CHECKING:
    from rulesdsl.lab.compare.comparison import Comparison
    from rulesdsl.lab.compare.plan import Plan, Side, Wish
    from rulesdsl.lab.series.work import Bench

GAMES = 1000
"""Pairs of games, unless another number is given."""


@frozen
class _Wanted:
    """What was typed."""

    games: tuple[str, ...]
    b_options: tuple[str, ...]
    a_options: tuple[str, ...]
    number: int | None
    players: int | None
    bots: tuple[str, ...]
    seed: int | None

    @property
    def is_nothing(self) -> bool:
        lists = (self.games, self.b_options, self.a_options, self.bots)
        return not any(lists) and self.number is self.players is self.seed is None

    def wish(self) -> Wish:
        """Raises UsageError and GameNotFound."""
        from rulesdsl.lab.compare.plan import Wish

        if not 1 <= len(self.games) <= 2:
            raise click.UsageError("name two games, or one game and what B has otherwise: --with")
        a, b = self.games[0], self.games[-1]
        seed = any_seed() if self.seed is None else self.seed
        number = self.number or GAMES
        sides = _side(a, self.a_options), _side(b, self.b_options)
        return Wish(*sides, number, self.players, tuple(map(_whole_path, self.bots)), seed)


def _side(game: str, options: tuple[str, ...]) -> Side:
    from rulesdsl.lab.compare.plan import Side

    given = {name: str(value) for name, value in given_options(options).items()}
    return Side(game, str(find_game(game).resolve()), given)


def _whole_path(bot: str) -> str:
    """A bot by a name that means the same in another folder."""
    return str(Path(bot).resolve()) if bot.endswith((".yaml", ".yml")) else bot


@click.command("compare")
@click.argument("games", nargs=-1, metavar="A [B]")
@click.option("--with", "options", multiple=True, help="an option of B: starting_money=70")
@click.option("--a-with", "a_options", multiple=True, help="an option of A")
@click.option(
    "-n",
    "--games",
    "number",
    type=click.IntRange(1, MOST_GAMES),
    help=f"pairs of games, for each kind of bot (default: {GAMES})",
)
@click.option("--players", type=click.IntRange(1), help="how many play (default: the most)")
@click.option(
    "--bot", "bots", multiple=True, help="who plays at all seats; of two, one after the other"
)
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), help="the seed of chance and bots")
@click.option("--again", metavar="NAME", help="repeat a comparison, by the name that it gave")
@click.option("--jobs", type=click.IntRange(1, 1000), help="processes (default: one each core)")
@click.option("--cluster", help="the address of a Ray cluster that plays; `local` begins one here")
@click.option(
    "--json", "as_json", metavar="FILE", help="write all figures to a file; -: print them"
)
@click.option(
    "--report", "page", metavar="FILE", type=click.Path(path_type=Path), help="a page with plots"
)
def compare_command(
    games: tuple[str, ...],
    options: tuple[str, ...],
    a_options: tuple[str, ...],
    number: int | None,
    players: int | None,
    bots: tuple[str, ...],
    seed: int | None,
    again: str | None,
    jobs: int | None,
    cluster: str | None,
    as_json: str | None,
    page: Path | None,
) -> None:
    """Play the same deals under A and under B, and tell what is otherwise.

    A and B are games or rule files; without B it is A once more, with the options of --with.
    Ctrl-C ends early and tells of what was played.
    """
    from rulesdsl.lab.compare.again import described, find, keep
    from rulesdsl.lab.compare.plan import are_alike, plan
    from rulesdsl.lab.compare.text import report
    from rulesdsl.lab.series.work import Bench

    wanted = _Wanted(games, options, a_options, number, players, bots, seed)
    if again is not None and not wanted.is_nothing:
        raise click.UsageError(
            "--again repeats a run as it was; --jobs, --cluster, --json and --report may go with it"
        )
    kept = None if again is None else find(again, kept_runs())
    wish, bench = wanted.wish() if kept is None else kept.wish, Bench()
    made = plan(wish, bench)
    if are_alike(made, bench):
        note = "A and B mean the same rules with the same options: there is nothing to compare"
        if len(games) == 2 and len({side.file for side in wish.sides}) == 1:
            note = f"A and B are the same file, {wish.a.file}, with the same options"
        raise click.UsageError(f"{note} (--with OPTION=VALUE gives B an option)")
    run = described(wish, made, bench)
    with ExitStack() as stack:
        files = _Files(stack, as_json, page)
        found = _play(wish, made, bench, jobs, cluster)
        name = keep(run, kept_runs())
        for line in [] if kept is None else kept.changes_since(run):
            click.echo(f"Not the same run: {line}.", err=as_json == "-")
        if as_json != "-":
            for line in report(found, name):
                click.echo(line)
        files.write(found, run, name)
    if found.run.stopped:
        raise SystemExit(STOPPED)
    if found.run.failed or any(b.a.table.broken or b.b.table.broken for b in found.bouts):
        raise SystemExit(1)


def _play(
    wish: Wish, made: Plan, bench: Bench, jobs: int | None, cluster: str | None
) -> Comparison:
    from rulesdsl.lab.compare.comparison import compare

    first = made.duels[0]
    rules = {one.file: bench.ready(one).game.rules_hash for one in (first.a, first.b)}
    others = workers(jobs, cluster, rules)
    with progress(sum(one.games for one in made.series), "games") as tell:
        return compare(wish, made, bench, tell, others, at_once=cluster is not None)


def kept_runs() -> Path:
    """Where comparisons are kept, so that they can be repeated."""
    return user_folder() / "compared"


class _Files:
    """Where figures go, made sure of before anything is played."""

    def __init__(self, stack: ExitStack, as_json: str | None, page: Path | None) -> None:
        from rulesdsl.cli.outputs import JSON, Outputs

        outputs = Outputs(stack)
        self._json = None if as_json is None else outputs.text(as_json, JSON, "JSON file")
        self._page = None
        if page is not None:
            from rulesdsl.lab.report.plots import Plots

            self._page, self._plots = outputs.page(page), Plots.ready()

    def write(self, found: Comparison, run: dict[str, object], name: str) -> None:
        """Write what was wanted."""
        from rulesdsl.lab.compare.as_json import to_json

        if self._json is not None:
            with self._json() as file:
                json.dump(to_json(found, run, name), file, ensure_ascii=False, indent=2)
                file.write("\n")
        if self._page is not None:
            from rulesdsl.lab.report.comparison import page

            self._page.write_text(page(found, name, self._plots), encoding="utf-8", newline="\n")
            click.echo(f"Page with plots: {self._page}", err=True)
