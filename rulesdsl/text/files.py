"""Reading files: the one place where the package reads rule files and their data files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import blake2b
from pathlib import Path
from typing import TypeAlias

from attrs import frozen

from rulesdsl.text.limits import DATA_BYTES, FILE_BYTES
from rulesdsl.text.problems import Problem, RulesError
from rulesdsl.text.source import Source, Span
from rulesdsl.text.spelling import nearest

_SHOWN = 60
"""Characters of a name that are shown."""


def read_source(path: Path) -> Source:
    """The text of a rule file, of a bounded size. Raises RulesError if it is no text."""
    content = _bytes_of(path, FILE_BYTES)
    try:
        return Source(str(path), content.decode("utf-8"), path.parent)
    except UnicodeDecodeError as error:
        if len(content) > FILE_BYTES:
            return Source(str(path), content.decode("utf-8", "replace"), path.parent)
        place = _first_wrong(str(path), content, error)
        note = "from here on this is not UTF-8 text; save the file as UTF-8"
        raise RulesError([Problem("not-utf8", place, note)]) from None


_read: ContextVar[list[tuple[Path, bytes]] | None] = ContextVar("_read", default=None)


@contextmanager
def files_read() -> Iterator[list[tuple[Path, bytes]]]:
    """A list that grows by each file that is read inside, with its content."""
    found: list[tuple[Path, bytes]] = []
    token = _read.set(found)
    try:
        yield found
    finally:
        _read.reset(token)


Digests: TypeAlias = list[tuple[str, bytes]]
"""The names of files with the digests of what they hold."""


def digests_of(read: list[tuple[Path, bytes]]) -> Digests:
    """What was read, as it can be compared later."""
    return [(str(path), _digest(content)) for path, content in read]


def are_unchanged(files: Digests) -> bool:
    """Whether all files still hold what was read."""
    return all(_digest_of(Path(name)) == digest for name, digest in files)


def _digest_of(path: Path) -> bytes:
    try:
        return _digest(path.read_bytes())
    except OSError:
        return b""


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).digest()


def _bytes_of(path: Path, most: int) -> bytes:
    with path.open("rb") as file:
        # one byte more shows that the file is too large, which its reader then tells
        content = file.read(most + 1)
    found = _read.get()
    if found is not None:
        found.append((path, content))
    return content


def _first_wrong(name: str, content: bytes, error: UnicodeDecodeError) -> Span:
    """Where a content stops being text."""
    source = Source(name, content[: error.start].decode("utf-8"))
    end = len(source.text)
    return Span(source, end, end)


# ------------------------------------------------------------------ data files


@frozen
class NoDataFile(Exception):
    """A data file cannot be read: a problem to be, at the place that names the file."""

    code: str
    note: str
    help: str
    near: str = ""
    place: Span | None = None


def read_data(rules: Source, folder: Path, name: str, most: int) -> tuple[Source, int]:
    """The text of a data file of at most so many bytes, by its name, and how many it has."""
    path = find_data(folder, name)
    try:
        content = _bytes_of(path, most)
    except OSError as error:
        raise _unreadable(name, error) from None
    if len(content) > most:
        note = f"with {_told(name)} the data files have more than {DATA_BYTES:,} bytes together"
        raise NoDataFile("file-too-large", note, "leave out what the game does not need")
    try:
        return Source(str(path), content.decode("utf-8"), part_of=rules), len(content)
    except UnicodeDecodeError as error:
        note = f"{_told(name)} is not UTF-8 text"
        help = "save it as UTF-8; spreadsheets call it CSV UTF-8"
        place = _first_wrong(str(path), content, error)
        raise NoDataFile("not-utf8", note, help, place=place) from None


def find_data(folder: Path, name: str) -> Path:
    """The path of a data file: in the folder or below it, each part as it is spelt there."""
    _check_name(name)
    path = folder
    for part in name.split("/"):
        if part in ("", "."):
            continue
        path = _step(folder, path, part, name)
    if os.path.isdir(path):
        raise NoDataFile("no-data-file", f"{_told(name)} is a folder", "name a file in it")
    if not os.path.isfile(path):
        raise NoDataFile("no-data-file", f"{_told(name)} is no file", "name a file with rows")
    return path


def _check_name(name: str) -> None:
    """Refuse a name that leads elsewhere."""
    if "\\" in name:
        note = "folders are separated by `/`"
        raise NoDataFile("no-data-file", note, "", name.replace("\\", "/"))
    help = "copy the file into the folder of the rule file, and name it from there"
    if name.startswith("/") or name[1:2] == ":":
        note = "a file is named from the folder of the rule file, not by a whole path"
        raise NoDataFile("file-outside", note, help)
    if ".." in name.split("/"):
        note = "`..` leads out of the folder; what is named stands in the rule file's or below it"
        raise NoDataFile("file-outside", note, help)


def _step(folder: Path, path: Path, part: str, name: str) -> Path:
    """One part of a name further down. Listing the folder minds how the name is spelt."""
    try:
        names = os.listdir(path)
        found = path / part
        if part in names and not _is_inside(found, folder):
            note = f"{_told(name)} is a link that leads out of the folder of the rule file"
            raise NoDataFile("file-outside", note, "copy the file to the place of the link")
    except NotADirectoryError:
        note = f"{_told(path.name)} is a file, and nothing stands in it"
        raise NoDataFile("no-data-file", note, f"name {_told(path.name)} alone") from None
    except OSError as error:
        raise _unreadable(name, error) from None
    if part not in names:
        where = "beside the rule file" if path == folder else f"in {_told(path.name)}"
        near = nearest(part, names)
        meant = f"; did you mean `{near}`?" if near else ""
        note = f"there is no {_told(part)} {where}{meant}"
        help = "" if near else f"write a file of this name, or name one that is {where}"
        raise NoDataFile("no-data-file", note, help, name.replace(part, near) if near else "")
    return found


def _is_inside(path: Path, folder: Path) -> bool:
    """Whether a path still lies in a folder when all links are followed."""
    # realpath, since Path.resolve raises on links in a circle with some versions of Python
    inner, outer = os.path.realpath(path), os.path.realpath(folder)
    return inner == outer or inner.startswith(outer.rstrip(os.sep) + os.sep)


def _unreadable(name: str, error: OSError) -> NoDataFile:
    note = f"{_told(name)} cannot be read: {error.strerror}"
    return NoDataFile("no-data-file", note, "see who may read the file")


def _told(name: str) -> str:
    return f"`{name}`" if len(name) <= _SHOWN else f"`{name[:_SHOWN]}...`"
