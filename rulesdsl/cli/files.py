"""Which file is meant, in words, and where the last playlog is kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from rulesdsl.resources import bundled_games


def told_file(path: Path) -> str:
    """`bundled`, or the path of the file."""
    return "bundled" if path in bundled_games().values() else str(path)


def kept_playlog() -> Path:
    """Where the playlog of the last game is kept; beside it stands which file was played."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    if not base and sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    return (Path(base) if base else Path.home() / ".cache") / "rulesdsl" / "last.jsonl"
