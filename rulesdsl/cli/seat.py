"""The command play: people in the terminal, against bots or at the same screen."""

from __future__ import annotations

import os
import shlex
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulesdsl.cli.files import kept_playlog, told_file
from rulesdsl.cli.playing import LARGEST_SEED, given_options, seat_number
from rulesdsl.resources import find_game

if TYPE_CHECKING:
    from rulesdsl.agents.random import Agent
    from rulesdsl.play.game import Game
    from rulesdsl.play.playlog import Playlog


@click.command("play")
@click.argument("game", required=False)
@click.option("--as", "seats", default="", help="your seat, or several at this screen: A,C")
@click.option("--players", type=click.IntRange(1), help="how many play (default: the most)")
@click.option("--seat", "programs", multiple=True, help='B="python bot.py": a program plays B')
@click.option("--seed", type=click.IntRange(0, LARGEST_SEED), help="the seed of chance and bots")
@click.option("--with", "options", multiple=True, help="an option: full_price, starting_money=60")
@click.option("--log", type=click.Path(path_type=Path), help="write the playlog to this file")
@click.option("--resume", help="go on with a playlog; `last` is the game played last")
def play_command(
    game: str | None,
    seats: str,
    players: int | None,
    programs: tuple[str, ...],
    seed: int | None,
    options: tuple[str, ...],
    log: Path | None,
    resume: str | None,
) -> None:
    """Take a seat in GAME, a bundled game or a rule file."""
    from rulesdsl.cli.sitting import Sitting
    from rulesdsl.cli.table import Table

    before, file_played = (None, None) if resume is None else _read(resume)
    path = _file(game, file_played, before)
    played = _game(path, players, options, before)
    number = _seed(seed, before)
    people = _people(seats, played)
    agents = _agents(played, people, programs, number)
    target = log or _new_file(played.name)
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("x+" if log is None else "w+", encoding="utf-8") as file:
        target.with_suffix(".file").write_text(str(path.resolve()), encoding="utf-8")
        table = Table(played, agents, file, number)
        click.echo(f"{played.title}   rules {played.rules_hash} ({told_file(path)}), seed {number}")
        names = " and ".join(played.seat_names[seat] for seat in table.people)
        click.echo(
            f"You are {names} of {' '.join(played.seat_names)}. ? lists moves, help the rest."
        )
        back = ["rulesdsl", "play", "--resume", str(target), *(("--as", seats) if seats else ())]
        back += [part for program in programs for part in ("--seat", program)]
        sitting = Sitting(table, target, shlex.join(back))
        if before is not None:
            sitting.resume(before)
        sitting.play()


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
    from rulesdsl.compile import check_source
    from rulesdsl.machine.from_model import make_machine
    from rulesdsl.machine.settings import settle_options
    from rulesdsl.play.game import Game
    from rulesdsl.play.loading import load_for
    from rulesdsl.text.files import read_source

    if before is not None:
        return load_for(before, str(path))
    model = check_source(read_source(path))
    settled = settle_options(model, players or model.players[1], given_options(options))
    return Game(make_machine(model, *settled))


def _seed(seed: int | None, before: Playlog | None) -> int:
    if before is not None and isinstance(before.header.get("seed"), int):
        return int(before.header["seed"])
    return int.from_bytes(os.urandom(3), "big") if seed is None else seed


def _people(text: str, game: Game) -> set[int]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    seats = [seat_number(game.seat_names, name) for name in names] or [0]
    return {seat for seat in seats if seat is not None}


def _agents(game: Game, people: set[int], programs: tuple[str, ...], seed: int) -> dict[int, Agent]:
    """Who plays the other seats."""
    from rulesdsl.agents.external import ExternalPlayer
    from rulesdsl.agents.random import RandomAgent

    others = RandomAgent(seed)
    agents: dict[int, Agent] = {seat: others for seat in range(game.players) if seat not in people}
    for text in programs:
        name, sign, command = text.partition("=")
        if not sign or not command.strip():
            raise click.UsageError(f'a seat and its program are written B="python bot.py": {text}')
        seat = seat_number(game.seat_names, name.strip())
        if seat in people or seat is None:
            raise click.UsageError(f"{name.strip()} is your seat; a program can play another one")
        agents[seat] = ExternalPlayer(command)
    return agents


# ------------------------------------------------------------------ playlogs


def _folder() -> Path:
    return kept_playlog().parent / "played"


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
