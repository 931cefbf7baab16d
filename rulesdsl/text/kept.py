"""What is kept between runs, in the user's folder for such things.

What is read back is trusted: a file counts only if it and its folder belong to the user and
nobody else may write them, and if it is whole. Where this cannot be known, nothing is kept.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from attrs import frozen

KEPT = 64
"""Files of a kind that are kept; beyond that the oldest go."""
_DIGEST = 32


def user_folder() -> Path:
    """The folder of this package among those that the system has for a user's lasting files."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    usual = "Library/Caches" if sys.platform == "darwin" else ".cache"
    return (Path(base) if base else Path.home() / usual) / "rulesdsl"


@frozen
class Kept:
    """Files of a kind, each under the name of what it is made from."""

    kind: str

    def folder(self) -> Path | None:
        """In `RULESDSL_CACHE`, or where the system keeps such things; None where files do not
        tell whose they are."""
        if not hasattr(os, "getuid"):
            return None
        chosen = os.environ.get("RULESDSL_CACHE")
        return (Path(chosen) if chosen else user_folder()) / self.kind

    def file_of(self, made_from: str) -> Path | None:
        """The file for what is made from a text."""
        folder = self.folder()
        name = blake2b(made_from.encode(), digest_size=20).hexdigest()
        return None if folder is None else folder / f"{name}.{self.kind}"

    def read(self, made_from: str) -> bytes | None:
        """What is kept of it, if it can be trusted."""
        file = self.file_of(made_from)
        if file is None:
            return None
        try:
            if not _is_mine(os.lstat(file.parent), stat.S_ISDIR):
                return None
            with open(os.open(file, os.O_RDONLY | os.O_NOFOLLOW), "rb") as opened:
                if not _is_mine(os.fstat(opened.fileno()), stat.S_ISREG):
                    return None
                octets = opened.read()
        except OSError:
            return None
        content = octets[_DIGEST:]
        return content if _digest(content) == octets[:_DIGEST] else None

    def write(self, made_from: str, content: bytes) -> None:
        """Keep it; where that is not possible nothing happens."""
        file = self.file_of(made_from)
        if file is None:
            return
        with suppress(OSError):
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_mine(os.lstat(file.parent), stat.S_ISDIR):
                return
            handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=".new-")
            try:
                with open(handle, "wb") as opened:
                    opened.write(_digest(content) + content)
                os.replace(temporary, file)
            except OSError:
                os.unlink(temporary)
                raise
            self._prune(file.parent)

    def _prune(self, folder: Path) -> None:
        files = [file for file in folder.iterdir() if file.suffix == f".{self.kind}"]
        by_age = sorted(files, key=lambda file: file.stat().st_mtime)
        for file in by_age[: max(len(files) - KEPT, 0)]:
            file.unlink(missing_ok=True)


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=_DIGEST).digest()


def _is_mine(found: os.stat_result, is_kind: Callable[[int], bool]) -> bool:
    """Whether a file or folder is the user's, and only his to write."""
    others = stat.S_IWGRP | stat.S_IWOTH
    own = found.st_uid == os.getuid() and not found.st_mode & others
    return own and is_kind(found.st_mode)
