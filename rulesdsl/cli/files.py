"""Which file is meant, in words."""

from __future__ import annotations

from pathlib import Path

from rulesdsl.resources import bundled_games


def told_file(path: Path) -> str:
    """`bundled`, or the path of the file."""
    return "bundled" if path in bundled_games().values() else str(path)
