"""Files that figures go to, made sure of before anything is played."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import BinaryIO, TextIO, TypeAlias, TypeVar

import click
from attrs import Factory, define

PRINTED = "-"
"""In place of a file: what would be in it is printed."""
BEGINNING = 4096
"""So much of a file is looked at to see what it is."""
CSV, JSON, PARQUET, PLAYLOG = "game,winners,", '{\n  "', "PAR1", '{"playlog"'
"""What stands at the beginning of a file of each kind."""

File = TypeVar("File", TextIO, BinaryIO)
Opened: TypeAlias = Callable[[], AbstractContextManager[File]]
"""What gives a file to be filled, empty and open."""


def free(file: Path, mark: str, kind: str, undone: str = "nothing was played") -> Path:
    """A file that may be written: a new one, or one with the mark of its kind. Raises UsageError.

    So a slip of the hand never costs somebody his rules; `undone` says what came of it.
    """
    if str(file) == PRINTED:
        raise click.UsageError(f"a {kind} cannot be printed: name a file, not -")
    if not file.exists():
        if not file.parent.is_dir():
            raise click.UsageError(f"there is no folder {file.parent}; {undone}")
    elif file.is_dir():
        raise click.UsageError(f"{file} is a folder: name a file for the {kind}; {undone}")
    elif not _gives_way(file, mark):
        raise click.UsageError(f"{file} is there already and is no such {kind}; {undone}")
    return file


def _gives_way(file: Path, mark: str) -> bool:
    """Whether it may be written anew; a device or a pipe has nothing in it that could be lost."""
    if not file.is_file():
        return True
    with file.open("rb") as octets:
        beginning = octets.read(BEGINNING).decode("utf-8", "replace")
    return not beginning or mark in beginning


@define
class Outputs:
    """Opens each file before anything is played; what is in it stays until it is filled."""

    _stack: ExitStack
    _named: set[Path] = Factory(set)

    def text(self, file: str, mark: str, kind: str) -> Opened[TextIO]:
        """A file of text, or `-`: it is printed."""
        if file == PRINTED:
            self._once(Path(file))
            return lambda: nullcontext(sys.stdout)
        path = self._once(free(Path(file), mark, kind))
        opened = self._stack.enter_context(path.open("a", encoding="utf-8", newline=""))
        return lambda: _filled(opened)

    def octets(self, file: Path, mark: str, kind: str) -> Opened[BinaryIO]:
        """A file that is no text."""
        opened = self._stack.enter_context(self._once(free(file, mark, kind)).open("ab"))
        return lambda: _filled(opened)

    def page(self, file: Path) -> Path:
        """A page, which gives way to pages alone."""
        from rulesdsl.lab.report.page import MARK

        return self._once(free(file, MARK, "page"))

    def _once(self, file: Path) -> Path:
        """Two kinds of figures in one file would spoil each other."""
        place = file if file.exists() and not file.is_file() else file.resolve()
        if place in self._named:
            raise click.UsageError(f"{file} is named twice: give each kind of figures its own file")
        self._named.add(place)
        return file


@contextmanager
def _filled(file: File) -> Iterator[File]:
    """A file that is emptied, then filled; an error tells which file it is about."""
    try:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.seek(0)
            file.truncate()
        yield file
        file.flush()
    except OSError as error:
        error.filename = error.filename or file.name
        with suppress(OSError):
            file.close()
        raise
