"""Commands that play: run, replay."""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, TextIO

import click
from attrs import frozen

from rulesdsl.cli.files import kept_playlog
from rulesdsl.resources import find_game, told_file

if TYPE_CHECKING:
    from rulesdsl.agents.cast import Cast
    from rulesdsl.play.course import Watcher
    from rulesdsl.play.game import Game
    from rulesdsl.play.state import State

LARGEST_SEED = 2**64 - 1
EVERYWHERE = {
    "random": "each legal move is as likely",
    "greedy": "the move after which it stands best",
    "mcts:200": "compares moves in 200 games that it plays on in its mind; mcts:2s: for 2 s",
    "program:COMMAND": "a program of yours that reads and writes JSON",
}
"""Bots of every game."""


OTHER_GAME = "another game under the same seed, by its number in `simulate`"


@frozen
class Deal:
    """The seed of a game, and which of the games under this seed it is."""

    seed: int
    number: int = 0

    def __str__(self) -> str:
        return f"seed {self.seed}, game {self.number}" if self.number else f"seed {self.seed}"


def any_seed() -> int:
    """A seed that nobody has chosen, short enough to be typed."""
    return int.from_bytes(os.urandom(3), "big")


@click.command("run")
@click.argument("game")
@click.option("--players", type=click.IntRange(1), help="how many play (default: the most)")
@click.option(
    "--bot",
    "bots",
    multiple=True,
    help='who plays: beginner, random, a file; of one seat: A=random, A="program:python bot.py"',
)
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), help="the seed of chance and bots")
@click.option("--game", "number", type=click.IntRange(0), default=0, help=OTHER_GAME)
@click.option("--with", "options", multiple=True, help="an option: full_price, starting_money=60")
@click.option("--log", type=click.Path(path_type=Path), help="write the playlog to this file")
@click.option("--as", "seat", help="tell only what this player sees")
@click.option("--json", "as_json", is_flag=True, help="only the outcome, as JSON")
def run_command(
    game: str,
    players: int | None,
    bots: tuple[str, ...],
    seed: int | None,
    number: int,
    options: tuple[str, ...],
    log: Path | None,
    seat: str | None,
    as_json: bool,
) -> None:
    """Watch bots play one game of GAME, a bundled game or a rule file."""
    from rulesdsl.agents.cast import Cast
    from rulesdsl.play.rulebook import Rulebook

    path = find_game(game)
    book = Rulebook.of(path)
    played = book.game(players or book.model.players[1], given_options(options))
    viewer = seat_number(played.seat_names, seat)
    deal = Deal(any_seed() if seed is None else seed, number)
    cast = Cast.of(played, bots, deal.seed, number)
    with ExitStack() as stack:
        files = [file for file in (log and _opened(log), _kept(path)) if file]
        for file in files:
            stack.enter_context(file)
        if as_json:
            state = _play(played, deal, files, [], cast)
            print_json(path, played, state, deal, list(cast.names))
        else:
            print_game(game, path, played, viewer, deal, cast, files)


def print_game(
    game: str,
    path: Path,
    played: Game,
    viewer: int | None,
    deal: Deal,
    cast: Cast,
    files: list[TextIO],
) -> None:
    """Play a game and tell it as it goes."""
    from rulesdsl.cli.printing import head
    from rulesdsl.play.ending import ending
    from rulesdsl.play.narrate import Narrator
    from rulesdsl.play.page import WIDTH

    narrator = Narrator(played.rules, viewer, click.echo)
    for line in head(played, narrator, told_file(path), list(cast.names), str(deal)):
        click.echo(line)
    with narrator:
        state = _play(played, deal, files, [narrator], cast)
    narrator.finish()
    click.echo()
    for line in ending(narrator, list(state.record)):
        click.echo(line)
    if blind := cast.blind():
        click.echo("\n" + fill(blind, WIDTH, subsequent_indent="  "))
    last, change = played.seat_names[-1], f"rulesdsl new mine.yaml --copy {game}"
    if told_file(path) != "bundled":
        change = f"rulesdsl test {game}"
    following = [
        (f"rulesdsl replay last --as {last}", f"the same game as {last} saw it"),
        (f"rulesdsl show {game}", "the game on one page, with its options"),
        (change, "whether its examples hold" if change.split()[1] == "test" else "one of your own"),
    ]
    for begins, (command, about) in zip(
        ("\nNext:  ", "       ", "       "), following, strict=True
    ):
        click.echo(f"{begins}{command:<42} {about}")


def print_json(path: Path, played: Game, state: State, deal: Deal, bots: list[str]) -> None:
    """The outcome of a game as JSON, with all it takes to play it again."""
    assert state.outcome is not None
    found = {
        "game": played.name,
        "file": str(path),
        "rules": played.rules_hash,
        "options": played.options,
        "players": played.players,
        "bots": bots,
        "seed": deal.seed,
        "number": deal.number,
        **state.outcome.to_json(),
    }
    click.echo(json.dumps(found, ensure_ascii=False, indent=2))


def _play(
    game: Game, deal: Deal, files: list[TextIO], watchers: list[Watcher], cast: Cast
) -> State:
    """Play a game with bots, told and written down as it goes."""
    from rulesdsl.play.playlog import PlaylogWriter

    writers = [
        PlaylogWriter(game, file, deal.seed, bots=cast.names, number=deal.number) for file in files
    ]
    state = game.start(deal.seed, [*watchers, *writers], deal.number)
    try:
        while not state.is_over:
            state.apply(cast.choose(state, state.to_act[0]))
    finally:
        cast.close(state)
    return state


def given_options(texts: tuple[str, ...]) -> dict[str, object]:
    """`full_price`, `starting_money=60` as names and values. Raises UsageError."""
    found: dict[str, object] = {}
    for text in texts:
        for one in text.split(","):
            name, sign, value = (part.strip() for part in one.partition("="))
            if not name or (sign and not value):
                lacks = "has no value" if name else "names no option"
                raise click.UsageError(
                    f"{one.strip()!r} {lacks}; it is written full_price or starting_money=60"
                )
            if name in found:
                raise click.UsageError(f"the option {name} is given twice")
            found[name] = value if sign else "true"
    return found


def seat_number(names: tuple[str, ...], seat: str | None) -> int | None:
    """The seat of a name."""
    if seat is None:
        return None
    folded = [name.casefold() for name in names]
    if seat.casefold() not in folded:
        raise click.UsageError(f"nobody of the name {seat} plays (players: {', '.join(names)})")
    return folded.index(seat.casefold())


@click.command("bots")
@click.argument("game", required=False)
def bots_command(game: str | None) -> None:
    """The bots that come with rulesdsl: for all games, or for GAME."""
    from rulesdsl.agents.bot_files import read_bots
    from rulesdsl.agents.roster import Roster
    from rulesdsl.play.rulebook import Rulebook
    from rulesdsl.resources import bundled_bots, bundled_games

    if game is None:
        files = {
            f"{one} {name}": path
            for one in bundled_games()
            for name, path in bundled_bots(one).items()
        }
    else:
        files = Roster.of(Rulebook.of(find_game(game)).model).files
    width = max(map(len, [*files, *EVERYWHERE]))
    for name, path in files.items():
        about = read_bots(path)[0].about.split(". ")[0].removesuffix(".")
        click.echo(f"{name:<{width}} {about}")
    for name, about in EVERYWHERE.items():
        click.echo(f"{name:<{width}} {about}; for every game")


# ------------------------------------------------------------------ playlogs


def _kept(path: Path) -> TextIO | None:
    """The file for the last playlog; a cache that cannot be written to is no reason to stop."""
    kept = kept_playlog()
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.with_suffix(".file").write_text(str(path.resolve()), encoding="utf-8")
        return kept.open("w", encoding="utf-8")
    except (OSError, RuntimeError):
        return None


def _opened(log: Path) -> TextIO:
    from rulesdsl.cli.outputs import PLAYLOG, free

    return free(log, PLAYLOG, "playlog").open("w", encoding="utf-8")


@click.command("replay")
@click.argument("log")
@click.option("--game", help="the rule file (default: the one played, or the bundled game)")
@click.option("--at", type=click.IntRange(0), help="only so many moves and outcomes of chance")
@click.option("--as", "seat", help="tell only what this player sees")
@click.option("--html", "page", type=click.Path(path_type=Path), help="write a page to this file")
@click.option("--verify", "checked", is_flag=True, help="only say whether rules and log agree")
def replay_command(
    log: str,
    game: str | None,
    at: int | None,
    seat: str | None,
    page: Path | None,
    checked: bool,
) -> None:
    """Tell a game again from its playlog; `last` is the last one that was run."""
    from rulesdsl.cli.paging import write_page
    from rulesdsl.cli.printing import stands
    from rulesdsl.play.ending import ending
    from rulesdsl.play.loading import load_for
    from rulesdsl.play.narrate import Narrator
    from rulesdsl.play.playlog import read_playlog, replay, verify
    from rulesdsl.play.resampling.retold import retold

    path = Path(log)
    if log == "last" and not path.exists():
        path = kept_playlog()
        if not path.exists():
            raise click.UsageError("no game has been run yet: rulesdsl run ostia")
        kept = path.with_suffix(".file")
        game = game or (kept.read_text(encoding="utf-8") if kept.exists() else None)
    with path.open(encoding="utf-8", errors="replace") as file:
        playlog = read_playlog(file)
    played = load_for(playlog, game)
    viewer = seat_number(played.seat_names, seat)
    if playlog.player is not None:
        saw = seat_number(played.seat_names, playlog.player)
        if checked or viewer not in (None, saw):
            raise click.UsageError(
                f"only {playlog.player} saw what this playlog tells; "
                "for the rest there is the referee's"
            )
        playlog, viewer, at = retold(played, playlog, at), saw, None
    if checked:
        verify(played, playlog)
        click.echo(f"{path}: rules and playlog agree ({len(playlog.records)} records)")
        return
    if page is not None:
        click.echo(write_page(played, playlog, at, viewer, page))
        return
    narrator = Narrator(played.rules, viewer, click.echo)
    click.echo(f"{played.title}, from {path}")
    with narrator:
        state = replay(played, playlog, at, [narrator])
    if state.is_over:
        narrator.finish()
        click.echo()
        for line in ending(narrator, list(state.record)):
            click.echo(line)
    else:
        narrator.leave()
        for line in stands(state, narrator):
            click.echo(line)
    if playlog.torn and at is None:
        click.echo("The last line of the playlog was cut off; it is left out.")
