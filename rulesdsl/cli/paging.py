"""A replayed game as a page in a file."""

from __future__ import annotations

from pathlib import Path

from rulesdsl.cli.outputs import free
from rulesdsl.play.game import Game
from rulesdsl.play.html import MARK, Pages
from rulesdsl.play.playlog import Playlog, replay


def write_page(game: Game, playlog: Playlog, at: int | None, viewer: int | None, file: Path) -> str:
    """Write the page of a game; what was written, in words. Nothing but such a page gives way."""
    free(file, MARK, "page", "nothing was written")
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
