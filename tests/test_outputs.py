"""Files that commands write: what is in the way stays, and each message names the file."""

from __future__ import annotations

import csv
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulesdsl.cli.failing import tell
from rulesdsl.cli.main import group

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "games" / "classics" / "nim.yaml"
SIMULATE = ("simulate", "mine.yaml", "-n", "3", "--seed", "1", "--jobs", "1")
COMPARE = ("compare", "mine.yaml", "--with", "last_stone_loses=no", "-n", "3", "--seed", "1")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copyfile(RULES, tmp_path / "mine.yaml")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def rulesdsl(*arguments: str) -> tuple[int, str, str]:
    """Exit code and what was printed."""
    done = CliRunner().invoke(group, arguments)
    if isinstance(done.exception, Exception):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ((*SIMULATE, "--csv", "mine.yaml"), "table of games"),
        ((*SIMULATE, "--json", "mine.yaml"), "JSON file"),
        ((*SIMULATE, "--parquet", "mine.yaml"), "Parquet file"),
        ((*SIMULATE, "--report", "mine.yaml"), "page"),
        ((*COMPARE, "--json", "mine.yaml"), "JSON file"),
        (("run", "mine.yaml", "--log", "mine.yaml"), "playlog"),
    ],
)
def test_no_file_of_another_kind_is_written_over(
    arguments: tuple[str, ...], kind: str, folder: Path
) -> None:
    code, out, err = rulesdsl(*arguments)
    assert (code, out) == (2, "")
    assert f"mine.yaml is there already and is no such {kind}; nothing was played" in err
    assert (folder / "mine.yaml").read_bytes() == RULES.read_bytes()


def test_a_game_at_the_screen_writes_over_no_other_file(folder: Path) -> None:
    code, out, err = rulesdsl("play", "mine.yaml", "--log", "mine.yaml")
    assert (code, out) == (2, "")
    assert "mine.yaml is there already and is no such playlog; nothing was played" in err
    assert (folder / "mine.yaml").read_bytes() == RULES.read_bytes()


@pytest.mark.parametrize("command", [("run", "nim", "--log"), ("play", "nim", "--log")])
def test_a_playlog_is_not_printed(command: tuple[str, ...], folder: Path) -> None:
    code, _, err = rulesdsl(*command, "-")
    assert code == 2
    assert "a playlog cannot be printed: name a file, not -" in err
    assert not (folder / "-").exists()


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("-", "a page cannot be printed: name a file, not -"),
        ("mine.yaml", "mine.yaml is there already and is no such page; nothing was written"),
        ("nowhere/page.html", "there is no folder nowhere; nothing was written"),
    ],
)
def test_the_page_of_a_game_keeps_to_the_same_rules(file: str, said: str, folder: Path) -> None:
    assert rulesdsl("run", "mine.yaml", "--seed", "1", "--log", "game.jsonl", "--json")[0] == 0
    code, out, err = rulesdsl("replay", "game.jsonl", "--html", file)
    assert (code, out) == (2, "")
    assert said in err
    assert (folder / "mine.yaml").read_bytes() == RULES.read_bytes()
    assert not (folder / "-").exists()


@pytest.mark.parametrize("option", ["--csv", "--json", "--parquet", "--report"])
def test_a_folder_is_no_file(option: str, folder: Path) -> None:
    code, out, err = rulesdsl(*SIMULATE, option, "")
    assert (code, out) == (2, "")
    assert ". is a folder: name a file for the " in err


def test_files_of_the_same_kind_are_written_anew(folder: Path) -> None:
    kinds = ("--csv", "a.csv", "--json", "a.json", "--parquet", "a.parquet", "--report", "a.html")
    varied = ("--vary", "last_stone_loses=yes,no")
    for more in ((), varied, ()):
        assert rulesdsl(*SIMULATE, *kinds, *more)[0] == 0
        sizes = [(folder / name).stat().st_size for name in kinds[1::2]]
    first = [(folder / name).read_bytes() for name in ("a.csv", "a.parquet")]
    assert rulesdsl(*COMPARE, "--json", "a.json")[0] == 0
    assert rulesdsl(*SIMULATE, *kinds)[0] == 0
    assert [(folder / name).read_bytes() for name in ("a.csv", "a.parquet")] == first
    assert len(sizes) == 4
    assert all(sizes)


def test_one_file_holds_one_kind_of_figures(folder: Path) -> None:
    for arguments in (
        (*SIMULATE, "--csv", "a.txt", "--json", "./a.txt"),
        (*SIMULATE, "--csv", "-", "--json", "-"),
        (*SIMULATE, "--csv", "a.txt", "--report", "a.txt"),
        (*COMPARE, "--json", "a.txt", "--report", "a.txt"),
    ):
        code, out, err = rulesdsl(*arguments)
        assert (code, out) == (2, "")
        assert "is named twice: give each kind of figures its own file" in err


def test_figures_are_printed_or_have_a_file(folder: Path) -> None:
    code, out, _ = rulesdsl(*SIMULATE, "--csv", "-")
    rows = [*csv.DictReader(io.StringIO(out))]
    assert (code, [row["game"] for row in rows]) == (0, ["0", "1", "2"])
    for option, kind in (("--report", "page"), ("--parquet", "Parquet file")):
        code, out, err = rulesdsl(*SIMULATE, option, "-")
        assert (code, out) == (2, "")
        assert f"a {kind} cannot be printed: name a file, not -" in err
    assert not (folder / "-").exists()


def test_what_was_printed_before_into_a_file_stays(folder: Path) -> None:
    command = [sys.executable, "-m", "rulesdsl", *SIMULATE, "--json", "-"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with (folder / "all.txt").open("a", encoding="utf-8") as out:
        out.write("before\n")
        out.flush()
        subprocess.run(command, env=environment, stdout=out, timeout=60, check=True)
    text = (folder / "all.txt").read_text(encoding="utf-8")
    assert text.startswith("before\n{")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_devices_and_full_disks(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--csv", "--json", "--parquet"):
        assert rulesdsl(*SIMULATE, option, "/dev/null")[0] == 0
        with pytest.raises(OSError, match="No space left") as error:
            rulesdsl(*SIMULATE, option, "/dev/full")
        assert tell(error.value) == 2
        assert capsys.readouterr().err == "/dev/full: No space left on device.\n"


def test_a_folder_that_is_not_there(folder: Path) -> None:
    for option in ("--csv", "--json", "--parquet", "--report"):
        code, out, err = rulesdsl(*SIMULATE, option, "no/x")
        assert (code, out) == (2, "")
        assert "there is no folder no; nothing was played" in err
