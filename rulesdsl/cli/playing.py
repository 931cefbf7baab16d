"""Commands that play: run, replay."""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulesdsl.resources import bundled_games, find_game

if TYPE_CHECKING:
    from rulesdsl.play.course import Watcher
    from rulesdsl.play.game import Game
    from rulesdsl.play.state import State

BOTS = ("random",)


@click.command("run")
@click.argument("game")
@click.option("--players", type=click.IntRange(1), help="how many play (default: the most)")
@click.option("--bots", default="random", help="who plays: one name for all, or one a seat: a,b")
@click.option("--seed", type=click.IntRange(0), help="the seed of chance and bots")
@click.option("--with", "options", multiple=True, help="an option: full_price, starting_money=60")
@click.option("--log", type=click.Path(path_type=Path), help="write the playlog to this file")
@click.option("--as", "seat", help="what this player sees only")
@click.option("--json", "as_json", is_flag=True, help="the outcome as JSON")
def run_command(
    game: str,
    players: int | None,
    bots: str,
    seed: int | None,
    options: tuple[str, ...],
    log: Path | None,
    seat: str | None,
    as_json: bool,
) -> None:
    """Watch bots play one game."""
    from rulesdsl.cli.printing import ending, head
    from rulesdsl.lab.reading import read_game
    from rulesdsl.machine.from_model import make_machine
    from rulesdsl.machine.settings import settle_options
    from rulesdsl.play.game import Game
    from rulesdsl.play.narrate import Narrator

    path = find_game(game)
    model = read_game(path).model
    settled = settle_options(model, players or model.players[1], given_options(options))
    played = Game(make_machine(model, *settled))
    viewer = seat_number(played.seat_names, seat)
    number = int.from_bytes(os.urandom(3), "big") if seed is None else seed
    names = bots_of(bots, played.players)
    with ExitStack() as stack:
        narrator = None
        if not as_json:
            narrator = Narrator(played.rules, viewer, click.echo)
            for line in head(played, viewer, where(path), names, number):
                click.echo(line)
        state = play_one(played, number, log, narrator, stack)
    if as_json:
        found = {"game": played.name, "seed": number, "options": played.options}
        assert state.outcome is not None
        click.echo(json.dumps(found | state.outcome.to_json(), ensure_ascii=False, indent=2))
    elif narrator is not None:
        narrator.finish()
        for line in ending(played, state, viewer):
            click.echo(line)
        click.echo(
            f"\nNext:  rulesdsl run {game} --players {played.players} --seed {number} --as "
            f"{played.seat_names[0]}     the same game as one player saw it"
        )
        click.echo("       rulesdsl replay last --verify     play it again from its playlog")


def play_one(
    game: Game, seed: int, log: Path | None, narrator: Watcher | None, stack: ExitStack
) -> State:
    """Play a game with random bots, told and written down as it goes."""
    from rulesdsl.agents.random import RandomAgent
    from rulesdsl.play.playlog import PlaylogWriter

    files = [last_playlog()]
    if log is not None:
        files.append(log)
    watchers: list[Watcher] = [narrator] if narrator is not None else []
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        opened = stack.enter_context(file.open("w", encoding="utf-8"))
        watchers.append(PlaylogWriter(game, opened, seed))
    state = game.start(seed, watchers)
    agent = RandomAgent(seed)
    while not state.is_over:
        state.apply(agent.choose(state, state.to_act[0]))
    return state


def given_options(texts: tuple[str, ...]) -> dict[str, object]:
    """`full_price`, `starting_money=60` as names and values."""
    found: dict[str, object] = {}
    for text in texts:
        for one in text.split(","):
            name, sign, value = one.strip().partition("=")
            found[name.strip()] = value.strip() if sign else "true"
    return found


def bots_of(text: str, seats: int) -> list[str]:
    """The bot of each seat."""
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in BOTS:
            raise click.UsageError(f"there is no bot {name} (bots: {', '.join(BOTS)})")
    if len(names) == 1:
        names *= seats
    if len(names) != seats:
        raise click.UsageError(f"{seats} players, but {len(names)} bots are named")
    return names


def seat_number(names: tuple[str, ...], seat: str | None) -> int | None:
    if seat is None:
        return None
    folded = [name.casefold() for name in names]
    if seat.casefold() not in folded:
        raise click.UsageError(f"nobody of the name {seat} plays (players: {', '.join(names)})")
    return folded.index(seat.casefold())


def where(path: Path) -> str:
    """Which file runs, in words."""
    return "bundled" if path in bundled_games().values() else str(path)


def last_playlog() -> Path:
    """Where the playlog of the last game is kept."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    folder = Path(base) if base else Path.home() / ".cache"
    return folder / "rulesdsl" / "last.jsonl"


@click.command("replay")
@click.argument("log")
@click.option("--game", help="the rule file, if it is not a bundled game")
@click.option("--at", type=click.IntRange(0), help="stop after so many moves and outcomes")
@click.option("--as", "seat", help="what this player sees only")
@click.option("--verify", "checked", is_flag=True, help="only check that rules and log agree")
def replay_command(
    log: str, game: str | None, at: int | None, seat: str | None, checked: bool
) -> None:
    """Play a game again from its playlog (`last` is the last one run)."""
    from rulesdsl.cli.printing import ending, table
    from rulesdsl.play.loading import load_for
    from rulesdsl.play.narrate import Narrator
    from rulesdsl.play.playlog import read_playlog, replay, verify

    path = last_playlog() if log == "last" else Path(log)
    with path.open(encoding="utf-8", errors="replace") as file:
        playlog = read_playlog(file)
    if playlog.player is not None:
        raise click.UsageError("this is one player's playlog; only the referee's can be replayed")
    played = load_for(playlog, game)
    if checked:
        verify(played, playlog)
        click.echo(f"{path}: rules and log agree, {len(playlog.records)} records")
        return
    viewer = seat_number(played.seat_names, seat)
    narrator = Narrator(played.rules, viewer, click.echo)
    state = replay(played, playlog, at, [narrator])
    narrator.finish()
    lines = ending if state.is_over else table
    for line in lines(played, state, viewer):
        click.echo(line)
