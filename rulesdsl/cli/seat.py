"""The command play: people in the terminal, against bots or at the same screen."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulesdsl.cli.playing import LARGEST_SEED, given_options, seat_number
from rulesdsl.resources import find_game, told_file
from rulesdsl.text.kept import user_folder

if TYPE_CHECKING:
    from rulesdsl.play.game import Game
    from rulesdsl.play.playlog import Playlog

PERSON = "person"
"""Who plays a seat, in the playlog of a game with people."""


@click.command("play")
@click.argument("game", required=False)
@click.option("--as", "seats", default="", help="your seat, or several at this screen: A,C")
@click.option("--players", type=click.IntRange(1), help="how many play (default: the most)")
@click.option(
    "--bot",
    "bots",
    multiple=True,
    help="who plays the others: beginner, random, a file; of one seat: B=random, "
    'B="program:python bot.py"',
)
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), help="the seed of chance and bots")
@click.option("--with", "options", multiple=True, help="an option: full_price, starting_money=60")
@click.option("--log", type=click.Path(path_type=Path), help="write the playlog to this file")
@click.option("--resume", help="go on with a playlog; `last` is the game played last")
def play_command(
    game: str | None,
    seats: str,
    players: int | None,
    bots: tuple[str, ...],
    seed: int | None,
    options: tuple[str, ...],
    log: Path | None,
    resume: str | None,
) -> None:
    """Take a seat in GAME, a bundled game or a rule file."""
    from rulesdsl.agents.cast import Cast
    from rulesdsl.cli.outputs import PLAYLOG, free
    from rulesdsl.cli.sitting import Sitting
    from rulesdsl.cli.table import Table

    before, file_played = (None, None) if resume is None else _read(resume)
    path = _file(game, file_played, before)
    played = _game(path, players, options, before)
    number = _seed(seed, before)
    people = _people(seats, played, before)
    cast = Cast.of(played, [*_bots_of(before), *bots], number)
    agents = {seat: agent for seat, agent in enumerate(cast.agents) if seat not in people}
    names = tuple(PERSON if i in people else name for i, name in enumerate(cast.names))
    target = _new_file(played.name) if log is None else free(log, PLAYLOG, "playlog")
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("x+" if log is None else "w+", encoding="utf-8") as file:
        target.with_suffix(".file").write_text(str(path.resolve()), encoding="utf-8")
        table = Table(played, agents, file, number, names)
        click.echo(f"{played.title}   rules {played.rules_hash} ({told_file(path)}), seed {number}")
        for line in _who(played.seat_names, names):
            click.echo(line)
        sitting = Sitting(table, target)
        if before is not None:
            sitting.resume(before)
        try:
            sitting.play()
        finally:
            cast.close(table.state)


def _who(seats: tuple[str, ...], names: tuple[str, ...]) -> Iterator[str]:
    """Who sits where."""
    people = [seat for seat, name in zip(seats, names, strict=True) if name == PERSON]
    others = [f"{s} {n}" for s, n in zip(seats, names, strict=True) if n != PERSON]
    yield f"You are {' and '.join(people)}; {', '.join(others) or 'nobody else plays'}."
    yield "? lists your moves, help tells the rest."


def _file(name: str | None, played: str | None, before: Playlog | None) -> Path:
    """The rule file: the one that is named, else the one that was played."""
    if name is None and before is None:
        raise click.UsageError("which game? (rulesdsl games lists them)")
    if name is None and played is None:
        assert before is not None
        return find_game(str(before.header.get("game")))
    return find_game(str(name or played))


def _game(
    path: Path, players: int | None, options: tuple[str, ...], before: Playlog | None
) -> Game:
    from rulesdsl.play.loading import load_for
    from rulesdsl.play.rulebook import Rulebook

    if before is not None:
        return load_for(before, str(path))
    book = Rulebook.of(path)
    return book.game(players or book.model.players[1], given_options(options))


def _seed(seed: int | None, before: Playlog | None) -> int:
    if before is not None and isinstance(before.header.get("seed"), int):
        return int(before.header["seed"])
    return int.from_bytes(os.urandom(3), "big") if seed is None else seed


def _people(text: str, game: Game, before: Playlog | None) -> set[int]:
    """The seats that are named, else those of people in a playlog, else the first."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    found = {seat_number(game.seat_names, name) for name in names}
    if not found and before is not None:
        found = {seat for seat, name in enumerate(_played_by(before)) if name == PERSON}
    return {seat for seat in found if seat is not None} or {0}


def _played_by(before: Playlog) -> list[str]:
    bots = before.header.get("bots")
    return list(map(str, bots)) if isinstance(bots, list) else []


def _bots_of(before: Playlog | None) -> list[str]:
    """The bots of a playlog, each with its seat."""
    if before is None:
        return []
    named = zip(before.header.get("seats", []), _played_by(before), strict=False)
    return [f"{seat}={name}" for seat, name in named if name != PERSON]


# ------------------------------------------------------------------ playlogs


def _folder() -> Path:
    return user_folder() / "played"


def _new_file(name: str) -> Path:
    """A file for this game, whose name sorts behind those of earlier ones."""
    stamp = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    names = [f"{stamp}-{name}", *(f"{stamp}-{name}-{n}" for n in range(2, 100))]
    return next(path for n in names if not (path := _folder() / f"{n}.jsonl").exists())


def _read(resume: str) -> tuple[Playlog, str | None]:
    """A playlog to go on with, and the rule file that was played, if that is known."""
    from rulesdsl.play.playlog import read_playlog

    path = Path(resume)
    if resume == "last" and not path.exists():
        kept = sorted(_folder().glob("*.jsonl"))
        if not kept:
            raise click.UsageError("no game has been played yet: rulesdsl play ostia")
        path = kept[-1]
    with path.open(encoding="utf-8", errors="replace") as file:
        playlog = read_playlog(file)
    if playlog.player is not None:
        raise click.UsageError(f"only {playlog.player} saw what this playlog tells")
    name = None
    with suppress(OSError):
        name = path.with_suffix(".file").read_text(encoding="utf-8")
    return playlog, name
