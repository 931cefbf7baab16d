"""A replayed game as a page in a file."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import click

from rulesdsl.play.game import Game
from rulesdsl.play.html import Pages, is_page
from rulesdsl.play.playlog import Playlog, replay

HEAD = 12
"""In so many lines a page tells what it is."""


def write_page(game: Game, playlog: Playlog, at: int | None, viewer: int | None, file: Path) -> str:
    """Write the page of a game; what was written, in words. Nothing but such a page gives way."""
    _check(file)
    pages = Pages(game, viewer)
    replay(game, playlog, at, pages.films)
    text = pages.page()
    file.write_text(text, encoding="utf-8", newline="\n")
    decisions = len(pages.films[0].steps) - 1
    seen = "a tab for the referee and for each seat"
    if viewer is not None:
        seen = f"only what {game.seat_names[viewer]} saw"
    size = f"{len(text.encode()) / 1000:,.0f} kB"
    torn = "; the last line of the playlog was cut off" if playlog.torn and at is None else ""
    return f"{file}: {game.title}, {decisions} steps, {seen} ({size}{torn})"


def _check(file: Path) -> None:
    if not file.exists():
        return
    with file.open(encoding="utf-8", errors="replace") as lines:
        if not is_page(islice(lines, HEAD)):
            raise click.UsageError(
                f"{file} is there already and is no such page; nothing was written"
            )
