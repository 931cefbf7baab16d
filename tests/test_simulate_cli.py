"""The command `simulate` as people use it: its report, its files, Ctrl-C, wrong input."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rulesdsl.cli.main import group
from rulesdsl.cli.progress import progress

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden" / "simulate-caravan.txt"
CARAVAN = ["tests/games/caravan.yaml", "--players", "3", "--seed", "5"]
CALLED_ALIKE = ["--bot", "beginner", "--bot", "bots/ostia/beginner.yaml"]
BOTS = ["--bot", "tests/series/dealer.yaml", "--bot", "tests/series/collector.yaml"]


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def simulate(*arguments: str) -> Result:
    return CliRunner().invoke(group, ["simulate", *arguments], catch_exceptions=True)


def figures(*arguments: str) -> dict[str, Any]:
    """The JSON of a simulation, without what a clock says."""
    result = simulate(*arguments, "--json", "-")
    assert result.exit_code == 0
    found: dict[str, Any] = json.loads(result.stdout)
    assert found.pop("seconds") >= 0
    return found


def test_the_whole_report_of_a_small_series(pytestconfig: pytest.Config) -> None:
    """Written anew with `pytest --update-golden`; read it before it goes in."""
    result = simulate(*CARAVAN, *BOTS, "-n", "90", "--jobs", "1", "--all")
    assert result.exit_code == 0
    text = re.sub(r"[\d,.]+ s \([\d,.]+ games", "1.0 s (90 games", result.stdout)
    if pytestconfig.getoption("--update-golden"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")
    assert all(len(line) <= 100 and line == line.rstrip() for line in text.splitlines())


def test_two_bots_of_the_game_play_where_none_is_named() -> None:
    result = simulate("ostia", "--players", "3", "-n", "2", "--seed", "1", "--jobs", "1")
    assert result.exit_code == 0
    assert "beginner and careful, half of the games each" in result.stdout
    assert "nobody was out at the end (p.loans > 0)" in result.stdout
    assert "against two random players one beginner wins" in result.stdout
    assert "Intervals cover the luck of the deal (95 in 100), not how people play." in result.stdout


def test_skill_is_told_by_payoffs_where_these_count() -> None:
    """Who folds often wins few games, and may earn most."""
    arguments = ("leduc-poker", "-n", "40", "--seed", "1", "--jobs", "1")
    payoff = figures(*arguments)["skill"][0]["payoff"]
    assert payoff["low"] < payoff["value"] < payoff["high"]
    half = payoff["value"] - payoff["low"]
    told = f"with a mean payoff of {payoff['value']:.2f} ±{half:.2f}"
    assert told in " ".join(simulate(*arguments).stdout.split())
    caravan = figures(*CARAVAN, *BOTS, "-n", "8", "--jobs", "1")["skill"]
    assert [one["payoff"] for one in caravan] == [None, None]


def test_the_head_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file here stands for the bundled game of its name."""
    arguments = ("nim", "-n", "1", "--seed", "1", "--jobs", "1")
    assert re.search(r" \(rules \w+, bundled\)$", simulate(*arguments).stdout, re.MULTILINE)
    bundled = (ROOT / "games" / "classics" / "nim.yaml").read_text(encoding="utf-8")
    (tmp_path / "nim.yaml").write_text(bundled, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = simulate(*arguments).stdout
    assert re.search(r" \(rules \w+, nim\.yaml\)$", found, re.MULTILINE)


def test_one_game_has_one_kind_of_bot() -> None:
    text = simulate("ostia", "--players", "3", "-n", "1", "--seed", "1", "--jobs", "1").stdout
    assert "bots            beginner at every seat\n" in text


def test_games_without_chance_say_that_they_are_all_the_same() -> None:
    """Tic-tac-toe as its bot plays it: nobody wins, ever; nor does the table call that even."""
    alike = "all games of a kind of bot ended alike: where nothing is left to chance"
    text = simulate("tic-tac-toe", "-n", "20", "--seed", "1", "--jobs", "1").stdout
    assert alike in " ".join(text.split())
    assert alike not in " ".join(simulate("nim", "-n", "20", "--jobs", "1").stdout.split())


def test_only_lines_of_a_bot_file_can_be_blind() -> None:
    for bot in ("greedy", "random"):
        assert "blind" not in simulate("nim", "-n", "2", "--jobs", "1", "--bot", bot).stdout


def test_the_rate_is_that_of_the_games_that_are_told() -> None:
    line = simulate(*CARAVAN, *BOTS, "-n", "90", "--jobs", "1").stdout.splitlines()[1]
    found = re.match(r"90 games, .* ([\d.]+) s \(([\d,.]+) games a second", line)
    assert found is not None
    seconds, rate = float(found[1]), float(found[2].replace(",", ""))
    assert rate * (seconds - 0.051) <= 90 <= rate * (seconds + 0.051) + seconds


def test_random_players_are_warned_of() -> None:
    result = simulate("nim", "-n", "40", "--seed", "1", "--jobs", "1")
    assert "random players find faults in rules; they say nothing about balance" in result.stdout
    assert "agreement" not in result.stdout


def test_a_row_for_each_value_of_what_is_varied() -> None:
    vary = ["--vary", "last_stone_loses=false,true"]
    result = simulate("nim", "-n", "50", "--seed", "2", "--jobs", "1", *vary)
    assert result.exit_code == 0
    rows = re.findall(r"^(false|true) +([\d.]+) +([\d.]+)", result.stdout, re.M)
    assert [row[0] for row in rows] == ["false", "true"]
    # the same random moves: who takes the last stone wins the one and loses the other
    assert float(rows[0][1]) == float(rows[1][2])
    found = figures("nim", "-n", "50", "--seed", "2", "--jobs", "1", *vary)
    assert found["varied"] == "last_stone_loses"
    assert [row["value"] for row in found["rows"]] == [False, True]
    alone = figures(
        "nim", "-n", "50", "--seed", "2", "--jobs", "1", "--with", "last_stone_loses=false"
    )
    assert alone["rows"][0]["seats"] == found["rows"][0]["seats"]


def test_processes_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    one = figures(*CARAVAN, *BOTS, "-n", "60", "--jobs", "1")
    # nothing is so short that it would be played here
    for limit in ("ALONE", "WARM"):
        monkeypatch.setattr(f"rulesdsl.lab.series.run.{limit}", 0.0)
    assert figures(*CARAVAN, *BOTS, "-n", "60", "--jobs", "2") == one


# ------------------------------------------------------------------ files


def test_a_row_for_each_game_as_csv_and_parquet(tmp_path: Path) -> None:
    file, parquet, everything = (tmp_path / f"games.{end}" for end in ("csv", "parquet", "json"))
    files = ["--csv", str(file), "--parquet", str(parquet), "--json", str(everything)]
    longer = simulate(*CARAVAN, *BOTS, "-n", "60", "--jobs", "1", *files)
    assert longer.exit_code == 0
    result = simulate(*CARAVAN, *BOTS, "-n", "30", "--jobs", "1", *files)
    assert result.exit_code == 0
    assert "Can you trust these figures?" in result.stdout
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["game"] for row in rows] == [str(number) for number in range(30)]
    assert [rows[1][f"bot_{seat}"] for seat in "ABC"] == [BOTS[3], BOTS[1], BOTS[1]]
    found = json.loads(everything.read_text(encoding="utf-8"))
    seats = found["rows"][0]["seats"]
    wins = sum(int(row["win_B"]) / int(row["winners"]) for row in rows) / 30
    assert seats[1]["wins"]["value"] == pytest.approx(wins, abs=1e-6)
    mean = sum(int(row["total_C"]) for row in rows) / 30
    assert seats[2]["points"]["value"] == pytest.approx(mean, abs=1e-6)
    for row in rows:
        parts = [int(row[f"{term}_A"]) for term in ("wares", "variety", "favourites")]
        assert int(row["total_A"]) == sum(parts)
        assert row["decided_by"] in ("total", "camels[silk]", "shared")
        assert row["fault"] == ""
    stored = import_module("pyarrow.parquet").read_table(parquet).to_pylist()
    assert [{k: "" if v is None else str(v) for k, v in row.items()} for row in stored] == rows


def test_what_is_in_a_file_stays_until_there_are_figures(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    assert simulate("nim", "-n", "5", "--csv", str(file)).exit_code == 0
    old = file.read_text(encoding="utf-8")
    assert simulate("nim", "-n", "6", "--bot", "nobody", "--csv", str(file)).exit_code
    assert file.read_text(encoding="utf-8") == old


# ------------------------------------------------------------------ wrong input


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nim", "-n", "0"], "0 is not in the range"),
        (["nim", "--bot", "beginer"], "there is no bot beginer"),
        (["nim", "--with", "x=1"], "there is no option x"),
        (["nim", "--with", "x=1", "--with", "x=2"], "the option x is given twice"),
        (["ostia", *CALLED_ALIKE], "are both called beginner in a report: rename a file"),
        (["nim", "--bot", "white=random", "--bot", "White=greedy"], "two bots are named for White"),
        (["nim", "--vary", "x=1,2"], "there is no option x"),
        (["nim", "--vary", "last_stone_loses"], "does not say what to vary"),
        (["nim", "--players", "3"], "is for 2 players, not for 3"),
        (["nim", "--jobs", "2", "--cluster", "local"], "--jobs counts processes of this machine"),
        (
            ["nim", "--with", "last_stone_loses", "--vary", "last_stone_loses=true,false"],
            "is varied, so it cannot be set too",
        ),
        (["nimm"], "did you mean nim"),
    ],
)
def test_wrong_input_is_told_before_anything_is_played(arguments: list[str], message: str) -> None:
    result = simulate(*arguments)
    assert result.exit_code
    assert message in result.output + str(result.exception)
    assert "Can you trust" not in result.output


def test_a_program_that_fails_ends_the_run_with_what_was_played() -> None:
    result = simulate("nim", "-n", "5", "--jobs", "1", "--bot", "program:no-such-program")
    assert result.exit_code == 1
    assert "Ended early, 0 of 5 games: the player `no-such-program` cannot be" in result.stdout


# ------------------------------------------------------------------ one of the games, Ctrl-C


def test_a_game_of_a_series_is_played_again_by_its_number(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    simulate(*CARAVAN, *BOTS, "-n", "8", "--jobs", "1", "--csv", str(file))
    with file.open(encoding="utf-8", newline="") as lines:
        row = list(csv.DictReader(lines))[7]
    bots = [word for seat in "ABC" for word in ("--bot", f"{seat}={row[f'bot_{seat}']}")]
    log = tmp_path / "log.jsonl"
    result = CliRunner().invoke(
        group, ["run", *CARAVAN, *bots, "--game", "7", "--json", "--log", str(log)]
    )
    outcome = json.loads(result.stdout)
    assert outcome["number"] == 7
    for name in ("total", "wares"):
        assert outcome["scores"][name] == {seat: int(row[f"{name}_{seat}"]) for seat in "ABC"}
    header = json.loads(log.read_text(encoding="utf-8").splitlines()[0])
    assert (header["seed"], header["number"]) == (5, 7)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_tells_of_what_was_played(jobs: str, tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    more = ["-n", "1000000", "--seed", "1", "--jobs", jobs, "--json", str(file)]
    # a session of its own stands for a terminal, whose Ctrl-C all processes get
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", STOPPED_LATER, "simulate", "portus", *more],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "played\n"
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    played = re.search(r"Stopped by Ctrl-C: ([\d,]+) of 1,000,000 games", out)
    assert played is not None
    found = json.loads(file.read_text(encoding="utf-8"))
    assert found["stopped"] is True
    assert found["rows"][0]["games"] == int(played[1].replace(",", "")) > 0


STOPPED_LATER = """
import sys
from rulesdsl.cli import main
from rulesdsl.lab.series import run

take, told = run._Runner._take, []

def tell(self, index, work):
    take(self, index, work)
    # in a run of several processes they have played by then
    told.append(work.seconds)
    if len(told) == 6:
        print("played", file=sys.stderr, flush=True)

if __name__ == "__main__":
    run._Runner._take, run.ALONE, run.WARM = tell, 0.0, 0.0
    main.main()
"""


# ------------------------------------------------------------------ progress, extras


def test_progress_is_shown_only_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(10, "games") as tell:
        tell(10)
    assert capsys.readouterr() == ("", "")


def test_progress_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with progress(10, "games") as tell:
        tell(4)
        tell(6)
    assert "10/10" in screen.getvalue()
    assert "games," in screen.getvalue()


@pytest.mark.parametrize(
    ("module", "arguments", "message"),
    [
        ("pyarrow", ["--parquet", "x.parquet"], "--parquet needs pyarrow, which is not installed"),
        ("ray", ["--cluster", "local"], "--cluster needs ray, which is not installed"),
    ],
)
def test_a_missing_extra_says_what_to_install(
    module: str,
    arguments: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    def missing(name: str) -> object:
        if name.partition(".")[0] == module:
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)
        return import_module(name)

    monkeypatch.setattr("rulesdsl.lab.series.extras.import_module", missing)
    monkeypatch.chdir(tmp_path)
    result = simulate("nim", "-n", "5", *arguments)
    assert result.exit_code
    assert message in str(result.exception)
    assert "pip install 'rulesdsl[" in str(result.exception)
    assert not list(tmp_path.iterdir())


def test_a_cluster_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulesdsl.lab.series.cluster.extra", lambda *_: SimpleNamespace())
    result = simulate("nim", "-n", "5", "--cluster", "127.0.0.1:1")
    assert result.exit_code
    assert "no Ray cluster answers at 127.0.0.1:1" in str(result.exception)
