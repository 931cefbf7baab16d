"""Where the last playlog is kept."""

from __future__ import annotations

from pathlib import Path

from rulesdsl.text.kept import user_folder


def kept_playlog() -> Path:
    """Where the playlog of the last game is kept; beside it stands which file was played."""
    return user_folder() / "last.jsonl"
