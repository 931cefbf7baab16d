"""The command line as people use it: what it says, and the exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NIM = str(ROOT / "games" / "classics" / "nim.yaml")


def rulesdsl(*arguments: str, cwd: Path = ROOT, cache: Path | None = None) -> tuple[int, str, str]:
    """Run the command as a process: exit code, output, error output."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    if cache is not None:
        env["XDG_CACHE_HOME"] = str(cache)
    done = subprocess.run(
        [sys.executable, "-m", "rulesdsl", *arguments],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


def test_alone_it_says_what_can_be_done() -> None:
    code, out, _ = rulesdsl()
    assert code == 0
    assert "rulesdsl run ostia" in out
    assert "rulesdsl test mine.yaml" in out


def test_help_lists_the_commands() -> None:
    code, out, _ = rulesdsl("--help")
    assert code == 0
    for name in ("games", "show", "new", "validate", "test", "run", "replay", "help"):
        assert name in out


@pytest.mark.parametrize(
    ("command", "meant"), [("check", "validate"), ("lint", "validate"), ("valdate", "validate")]
)
def test_an_unknown_command_names_the_one_meant(command: str, meant: str) -> None:
    code, _, err = rulesdsl(command)
    assert code == 2
    assert f"rulesdsl {meant}" in err


def test_an_unknown_game_names_the_nearest() -> None:
    code, _, err = rulesdsl("run", "ostai")
    assert code == 2
    assert "did you mean ostia" in err


def test_games_lists_them() -> None:
    code, out, _ = rulesdsl("games")
    assert code == 0
    assert "Ostia: The Harbor of Rome" in out


def test_validate_a_good_file() -> None:
    code, out, _ = rulesdsl("validate", NIM)
    assert code == 0
    assert "well formed" in out


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """Nim with a misspelt name."""
    file = tmp_path / "wrong.yaml"
    text = Path(NIM).read_text(encoding="utf-8")
    file.write_text(text.replace("heap.stones -= number", "heap.stonse -= number"), "utf-8")
    return file


def test_validate_a_wrong_file(wrong: Path) -> None:
    code, out, err = rulesdsl("validate", str(wrong))
    assert code == 1
    assert "unknown-name" in out + err
    assert "stonse" in out + err
    assert "help: " in out + err


def test_validate_for_programs(wrong: Path) -> None:
    code, out, _ = rulesdsl("validate", str(wrong), "--format", "json")
    assert code == 1
    found = json.loads(out)
    assert found[0]["code"] == "unknown-name"
    code, out, _ = rulesdsl("validate", str(wrong), "--format", "sarif")
    assert code == 1
    assert json.loads(out)["version"] == "2.1.0"


def test_running_a_wrong_file_tells_the_same(wrong: Path) -> None:
    code, out, err = rulesdsl("run", str(wrong))
    assert code == 1
    assert "unknown-name" in out + err


@pytest.mark.parametrize("name", ["no-such-file.yaml", "games"])
def test_what_is_no_rule_file(name: str) -> None:
    code, out, err = rulesdsl("validate", name)
    assert code in (1, 2)
    assert out + err


def test_a_binary_file(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_bytes(b"\xff\xfe\x00binary\x00")
    code, _, err = rulesdsl("validate", str(file))
    assert code in (1, 2)
    assert "game.yaml" in err or code == 1


def test_run_prints_a_game_and_replay_verifies_it(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    code, out, _ = rulesdsl("run", "nim", "--seed", "3", "--log", str(log), cache=tmp_path)
    assert code == 0
    assert "Nim" in out
    assert "wins" in out
    code, out, _ = rulesdsl("replay", str(log), "--verify", cache=tmp_path)
    assert code == 0
    code, out, _ = rulesdsl("replay", "last", "--verify", cache=tmp_path)
    assert code == 0


def test_the_same_seed_is_the_same_game(tmp_path: Path) -> None:
    first = rulesdsl("run", "ostia", "--players", "3", "--seed", "5", "--json", cache=tmp_path)
    again = rulesdsl("run", "ostia", "--players", "3", "--seed", "5", "--json", cache=tmp_path)
    assert first[0] == 0
    assert first == again
    assert json.loads(first[1])["ranking"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--players", "9"),
        ("--with", "no_such_option"),
        ("--with", "full_price=perhaps"),
        ("--bots", "clever"),
        ("--bots", "random,random"),
        ("--as", "Nobody"),
    ],
)
def test_wrong_settings_are_usage_errors(arguments: tuple[str, ...], tmp_path: Path) -> None:
    code, _, err = rulesdsl("run", "ostia", *arguments, cache=tmp_path)
    assert code == 2
    assert err


def test_a_torn_playlog_is_read_up_to_its_last_line(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    rulesdsl("run", "nim", "--seed", "3", "--log", str(log), cache=tmp_path)
    text = log.read_text(encoding="utf-8")
    log.write_text(text[:-20], encoding="utf-8")
    code, _, _ = rulesdsl("replay", str(log), cache=tmp_path)
    assert code == 0


def test_new_copies_a_game_and_never_overwrites(tmp_path: Path) -> None:
    code, _, _ = rulesdsl("new", "mine.yaml", "--copy", "nim", cwd=tmp_path)
    assert code == 0
    code, out, _ = rulesdsl("test", "mine.yaml", "--games", "4", cwd=tmp_path)
    assert code == 0
    assert "examples" in out
    code, _, err = rulesdsl("new", "mine.yaml", "--copy", "nim", cwd=tmp_path)
    assert code == 2
    assert "there already" in err


def test_a_file_here_wins_over_the_bundled_game(tmp_path: Path) -> None:
    text = Path(NIM).read_text(encoding="utf-8").replace("title: Nim", "title: My own Nim")
    (tmp_path / "nim.yaml").write_text(text, encoding="utf-8")
    code, out, _ = rulesdsl("run", "nim", "--seed", "1", cwd=tmp_path, cache=tmp_path)
    assert code == 0
    assert "My own Nim" in out
    assert "nim.yaml" in out


@pytest.mark.parametrize("stage", ["page", "tree", "model", "machine", "graph"])
def test_show(stage: str) -> None:
    code, out, _ = rulesdsl("show", "ostia", "--as", stage)
    assert code == 0
    assert "harbor" in out.casefold()


def test_show_what_is_told_of_secrets() -> None:
    code, out, _ = rulesdsl("show", "ostia", "--disclosures")
    assert code == 0
    assert "money" in out


@pytest.mark.parametrize("name", ["secret-in-guard", "deal"])
def test_help_of_a_name(name: str) -> None:
    code, out, _ = rulesdsl("help", name)
    assert code == 0
    assert name in out


def test_help_of_an_unknown_name() -> None:
    code, _, err = rulesdsl("help", "secret-in-gaurd")
    assert code == 2
    assert "secret-in-guard" in err
