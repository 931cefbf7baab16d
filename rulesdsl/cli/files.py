"""Which file is meant, in words, and where the last playlog is kept."""

from __future__ import annotations

from pathlib import Path

from rulesdsl.resources import bundled_games
from rulesdsl.text.kept import user_folder


def told_file(path: Path) -> str:
    """`bundled`, or the path of the file."""
    return "bundled" if path in bundled_games().values() else str(path)


def kept_playlog() -> Path:
    """Where the playlog of the last game is kept; beside it stands which file was played."""
    return user_folder() / "last.jsonl"
