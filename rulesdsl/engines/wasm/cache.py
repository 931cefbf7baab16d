"""Compiled modules kept between runs, in the user's folder for such things.

What is kept is native code, which is run as it is: a file counts only if it and its folder belong
to the user and nobody else may write them, and if it is whole. Where this cannot be known, nothing
is kept.
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

KEPT = 64
"""Files that are kept; beyond that the oldest go."""
_DIGEST = 32
_SUFFIX = ".native"


def name_of(text: str) -> str:
    """The name of what is made from a text."""
    return blake2b(text.encode(), digest_size=20).hexdigest() + _SUFFIX


def folder() -> Path | None:
    """The folder: `RULESDSL_CACHE`, or where the system keeps such things; None where files do
    not tell whose they are."""
    if not hasattr(os, "getuid"):
        return None
    chosen = os.environ.get("RULESDSL_CACHE")
    if chosen:
        return Path(chosen) / "wasm"
    usual = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
    base = os.environ.get("XDG_CACHE_HOME") or Path(usual).expanduser()
    return Path(base) / "rulesdsl" / "wasm"


def read(name: str) -> bytes | None:
    """What is kept under a name, if it can be trusted."""
    place = folder()
    if place is None:
        return None
    try:
        if not _is_mine(os.lstat(place), stat.S_ISDIR):
            return None
        with open(os.open(place / name, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
            if not _is_mine(os.fstat(file.fileno()), stat.S_ISREG):
                return None
            octets = file.read()
    except OSError:
        return None
    content = octets[_DIGEST:]
    whole = blake2b(content, digest_size=_DIGEST).digest() == octets[:_DIGEST]
    return content if whole else None


def write(name: str, content: bytes) -> None:
    """Keep something under a name; where that is not possible nothing happens."""
    place = folder()
    if place is None:
        return
    with suppress(OSError):
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_mine(os.lstat(place), stat.S_ISDIR):
            return
        handle, temporary = tempfile.mkstemp(dir=place, prefix=".new-")
        try:
            with open(handle, "wb") as file:
                file.write(blake2b(content, digest_size=_DIGEST).digest() + content)
            os.replace(temporary, place / name)
        except OSError:
            os.unlink(temporary)
            raise
        _prune(place)


def _is_mine(found: os.stat_result, is_kind: Callable[[int], bool]) -> bool:
    """Whether a file or folder is the user's, and only his to write."""
    others = stat.S_IWGRP | stat.S_IWOTH
    own = found.st_uid == os.getuid() and not found.st_mode & others
    return own and is_kind(found.st_mode)


def _prune(place: Path) -> None:
    files = [file for file in place.iterdir() if file.suffix == _SUFFIX]
    files.sort(key=lambda file: file.stat().st_mtime)
    for file in files[:-KEPT]:
        file.unlink()
