"""What is kept between runs: whole, the user's own, and not too much."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulesdsl.text import kept
from rulesdsl.text.kept import Kept

THINGS = Kept("thing")
GOOD = b"what was made" * 20


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULESDSL_CACHE", str(tmp_path))
    THINGS.write("a text", GOOD)
    (file,) = (tmp_path / "thing").iterdir()
    return file


def test_what_is_kept_comes_back(file: Path) -> None:
    assert THINGS.read("a text") == GOOD
    assert THINGS.read("another text") is None
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "other"])
def test_what_is_damaged_does_not_count(file: Path, damage: str) -> None:
    good = file.read_bytes()
    changed = bytes([*good[:-1], good[-1] ^ 1])
    bad = {"cut": good[:-9], "changed": changed, "empty": b"", "other": b"x" * 200}[damage]
    file.write_bytes(bad)
    assert THINGS.read("a text") is None
    THINGS.write("a text", GOOD)
    assert THINGS.read("a text") == GOOD


def test_what_others_may_write_is_not_trusted(file: Path) -> None:
    file.chmod(0o620)
    assert THINGS.read("a text") is None
    file.chmod(0o600)
    assert THINGS.read("a text") == GOOD
    file.parent.chmod(0o777)
    assert THINGS.read("a text") is None
    file.parent.chmod(0o700)
    real = file.rename(file.with_suffix(".real"))
    file.symlink_to(real)
    assert THINGS.read("a text") is None


def test_what_belongs_to_somebody_else_is_not_trusted(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: me + 1)
    assert THINGS.read("a text") is None
    before = file.read_bytes()
    THINGS.write("a text", b"anything")
    assert file.read_bytes() == before


def test_where_nothing_can_be_kept_nothing_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("RULESDSL_CACHE", str(tmp_path / "file"))
    THINGS.write("a text", GOOD)
    assert THINGS.read("a text") is None


def test_old_files_go(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "KEPT", 2)
    os.utime(file, (30, 30))
    for seconds, text in ((10, "b"), (20, "c")):
        THINGS.write(text, GOOD)
        found = THINGS.file_of(text)
        assert found is not None
        os.utime(found, (seconds, seconds))
    THINGS.write("d", GOOD)
    assert [THINGS.read(text) is not None for text in ("a text", "b", "c", "d")] == [
        True,
        False,
        False,
        True,
    ]
