"""The command line as people use it: what it says, and the exit codes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from rulesdsl.cli.main import group, main
from rulesdsl.text.problems import InternalError
from tests.command import ROOT, rulesdsl

NIM = str(ROOT / "games" / "classics" / "nim.yaml")


def of_its_own(*arguments: str, cwd: Path, cache: Path) -> tuple[int, str, str]:
    """Run the command as a process: exit code, output, error output."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(cache)}
    command = [sys.executable, "-m", "rulesdsl", *arguments]
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, timeout=120)
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((), 0),
        (("run", "nim", "--seed", "3", "--json"), 0),
        (("validate", "wrong.yaml"), 1),
        (("run", "nim", "--players", "9"), 2),
    ],
)
def test_a_process_of_its_own_does_the_same(
    arguments: tuple[str, ...], code: int, wrong: Path, tmp_path: Path
) -> None:
    told = rulesdsl(*arguments, cwd=wrong.parent, cache=tmp_path)
    assert of_its_own(*arguments, cwd=wrong.parent, cache=tmp_path) == told
    assert told[0] == code


def test_alone_it_says_what_can_be_done() -> None:
    code, out, _ = rulesdsl()
    assert code == 0
    assert "rulesdsl run ostia" in out
    assert "rulesdsl test mine.yaml" in out


def test_help_lists_the_commands() -> None:
    code, out, _ = rulesdsl("--help")
    assert code == 0
    for name in ("games", "show", "new", "validate", "test", "run", "bots", "replay", "help"):
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
        ("--bot", "clever"),
        ("--bot", "Z=random"),
        ("--as", "Nobody"),
    ],
)
def test_wrong_settings_are_usage_errors(arguments: tuple[str, ...], tmp_path: Path) -> None:
    code, _, err = rulesdsl("run", "ostia", *arguments, cache=tmp_path)
    assert code == 2
    assert err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--with", ""), "'' names no option; it is written full_price or starting_money=60"),
        (("--with", "=5"), "'=5' names no option; it is written"),
        (("--with", "starting_money="), "'starting_money=' has no value; it is written"),
        (("--bot", ""), "'' names no bot; it is written beginner, or A=random"),
        (("--bot", "A="), "'A=' names no bot; it is written"),
        (("--bot", "=random"), "'=random' names no seat; it is written"),
    ],
)
@pytest.mark.parametrize("command", ["run", "simulate", "play"])
def test_half_a_setting_is_told_as_it_was_typed(
    command: str, arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    code, out, err = rulesdsl(command, "nim", *arguments, cache=tmp_path)
    assert (code, out) == (2, "")
    assert said in err


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


@pytest.mark.parametrize("stage", ["page", "tree", "model", "machine", "python", "graph"])
def test_show(stage: str) -> None:
    code, out, _ = rulesdsl("show", "ostia", "--as", stage)
    assert code == 0
    assert "harbor" in out.casefold()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--with", "nosuch"), "--with changes nothing in --as page; it goes with --as machine or"),
        (("--players", "3", "--as", "tree"), "--players changes nothing in --as tree; it goes"),
        (("--format", "dot"), "--format changes nothing in --as page; it goes with --as graph"),
        (("--with", "nosuch", "--as", "machine", "--disclosures"), "nothing in --disclosures"),
        (("--with", "nosuch", "--as", "machine"), "there is no option nosuch"),
    ],
)
def test_show_takes_no_option_without_effect(arguments: tuple[str, ...], said: str) -> None:
    code, out, err = rulesdsl("show", "nim", *arguments)
    assert (code, out) == (2, "")
    assert said.casefold() in err.casefold()


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


# ------------------------------------------------------------------ replay


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The playlog of a game of nim."""
    file = tmp_path / "game.jsonl"
    code, _, _ = rulesdsl("run", "nim", "--seed", "3", "--log", str(file), cache=tmp_path)
    assert code == 0
    return file


def test_replay_tells_the_same_game(log: Path, tmp_path: Path) -> None:
    _, ran, _ = rulesdsl("run", "nim", "--seed", "3", cache=tmp_path)
    _, again, _ = rulesdsl("replay", str(log))
    moves = [line for line in ran.splitlines() if "take" in line]
    assert moves
    assert moves == [line for line in again.splitlines() if "take" in line]


def test_replay_stops_where_it_is_told(log: Path) -> None:
    code, out, _ = rulesdsl("replay", str(log), "--at", "1")
    assert code == 0
    assert out.count("take") == 1 + out.split("Here it stands")[1].count("take")
    assert "black has to choose" in out


def test_replay_of_what_one_player_sees(tmp_path: Path) -> None:
    log = tmp_path / "ostia.jsonl"
    arguments = ("--players", "3", "--seed", "5", "--log", str(log))
    rulesdsl("run", "ostia", *arguments, cache=tmp_path)
    _, out, _ = rulesdsl("replay", str(log), "--at", "9", "--as", "b")
    assert "B: money" in out
    assert "A: money" not in out
    assert "A: storehouses" in out


def test_a_playlog_that_disagrees_is_refused_at_its_line(log: Path) -> None:
    lines = log.read_text(encoding="utf-8").splitlines()
    lines[1] = json.dumps({**json.loads(lines[1]), "move": "take large, number 9"})
    log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    code, _, err = rulesdsl("replay", str(log), "--verify")
    assert code == 1
    assert "line 2" in err


@pytest.mark.parametrize("content", ["", "not json\n", "[]\n", '{"playlog": 99}\n', "\x00\x01"])
def test_what_is_no_playlog(content: str, tmp_path: Path) -> None:
    file = tmp_path / "no.jsonl"
    file.write_text(content, encoding="utf-8")
    code, _, err = rulesdsl("replay", str(file))
    assert code == 1
    assert err.startswith("The playlog cannot be played")


def test_the_last_game_before_there_is_one(tmp_path: Path) -> None:
    code, _, err = rulesdsl("replay", "last", cache=tmp_path / "empty")
    assert code == 2
    assert "no game has been run yet" in err


def test_the_last_game_is_played_with_the_file_it_was_run_with(tmp_path: Path) -> None:
    text = Path(NIM).read_text(encoding="utf-8").replace("title: Nim", "title: My own Nim")
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    rulesdsl("run", "mine.yaml", "--seed", "2", cwd=tmp_path, cache=tmp_path)
    _, out, _ = rulesdsl("replay", "last", cache=tmp_path)
    assert "My own Nim" in out


# ------------------------------------------------------------------ what goes wrong


def test_a_failed_example_is_told_with_what_was_expected(tmp_path: Path) -> None:
    text = Path(NIM).read_text(encoding="utf-8").replace("winners: [black]", "winners: [white]", 1)
    file = tmp_path / "mine.yaml"
    file.write_text(text, encoding="utf-8")
    code, out, _ = rulesdsl("test", str(file), "--games", "2", cache=tmp_path)
    assert code == 1
    assert "does not hold" in out
    assert "expected white, got black" in out


def test_rules_that_fail_in_play_leave_a_playlog(tmp_path: Path) -> None:
    text = Path(NIM).read_text(encoding="utf-8").replace("stones -= number", "stones -= 2 * number")
    file = tmp_path / "mine.yaml"
    file.write_text(text[: text.index("examples:")], encoding="utf-8")
    code, out, err = rulesdsl("test", str(file), "--games", "4", cache=tmp_path)
    assert code == 1
    assert "the rules fail" in out, out + err
    code, out, err = rulesdsl(
        "replay", str(tmp_path / "rulesdsl" / "fault-1.jsonl"), "--game", str(file)
    )
    assert code == 1
    assert "Nim" in out
    assert "the rules fail" in err


def test_all_files_are_tested_though_one_is_wrong(wrong: Path) -> None:
    code, out, _ = rulesdsl("test", str(wrong), NIM, "--games", "1")
    assert code == 1
    assert "unknown-name" in out
    assert "nim.yaml is well formed" in out


def test_a_fault_of_ours_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> None:
        raise InternalError("the record has no cell 7")

    monkeypatch.setattr(group, "main", fail)
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 3
    err = capsys.readouterr().err
    assert "not yours" in err
    assert "the record has no cell 7" in err
    assert "Traceback" not in err


@pytest.mark.skipif(sys.platform == "win32", reason="pipes are closed otherwise there")
def test_a_reader_that_goes_away_is_no_error() -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "rulesdsl", "show", "ostia"]
    with subprocess.Popen(
        command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        err = process.stderr.read()
    assert process.returncode == 0
    assert err == b""


@pytest.mark.parametrize(
    "called", [("-m", "rulesdsl"), ("-c", "from rulesdsl.__main__ import main; main()")]
)
def test_ctrl_c_before_the_command_is_there(called: tuple[str, str], tmp_path: Path) -> None:
    """Somebody stops it while it is read: of what is read, one file is where he does."""
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    paths = os.pathsep.join([str(tmp_path), str(ROOT)])
    done = subprocess.run(
        [sys.executable, *called, "games"],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "stopped\n")


def test_ctrl_c_is_waited_for_before_anything_else_is_read() -> None:
    program = "import sys; before = set(sys.modules); import rulesdsl.__main__; "
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"{program} print(*sorted(set(sys.modules) - before))"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["__future__", "rulesdsl", "rulesdsl.__main__"]


def test_the_script_can_be_stopped_as_early() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"rulesdsl": "rulesdsl.__main__:main"}


def test_output_can_be_written_where_only_ascii_can(tmp_path: Path) -> None:
    text = Path(NIM).read_text(encoding="utf-8").replace("title: Nim", "title: Nîm")
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "rulesdsl", "show", "mine.yaml"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, timeout=60)
    assert done.returncode == 0
    assert "Nîm" in done.stdout.decode("utf-8")


def test_bots_may_be_named_one_a_seat(tmp_path: Path) -> None:
    code, out, _ = rulesdsl("run", "nim", "--bot", "white=random", "--json", cache=tmp_path)
    assert code == 0
    assert json.loads(out)["bots"] == ["random", "random"]


def test_options_are_said(tmp_path: Path) -> None:
    arguments = ("--players", "3", "--seed", "1", "--with", "full_price,starting_money=60")
    code, out, _ = rulesdsl("run", "ostia", *arguments, cache=tmp_path)
    assert code == 0
    assert "full_price true, starting_money 60" in out


def test_new_begins_a_variant_that_is_well_formed(tmp_path: Path) -> None:
    code, out, _ = rulesdsl("new", "mine.yaml", "--from", "nim", cwd=tmp_path)
    assert code == 0
    assert "rulesdsl test mine.yaml" in out
    text = (tmp_path / "mine.yaml").read_text(encoding="utf-8")
    assert text == "rules: 1\ngame: mine\nextends: nim\n"
    code, out, _ = rulesdsl("test", "mine.yaml", "--games", "2", cwd=tmp_path)
    assert code == 0
    assert "examples   3 of 3 hold" in out
    code, out, _ = rulesdsl("diff", "nim", "mine.yaml", cwd=tmp_path)
    assert (code, out) == (0, "nim and mine.yaml have the same rules and examples.\n")
    code, _, err = rulesdsl("new", "mine.yaml", "--from", "nim", cwd=tmp_path)
    assert code == 2
    assert "there already" in err


def test_a_variant_is_named_as_names_are_written(tmp_path: Path) -> None:
    rulesdsl("new", "4-heaps.yaml", "--from", "nim", cwd=tmp_path)
    code, out, _ = rulesdsl("validate", "4-heaps.yaml", cwd=tmp_path)
    assert code == 0, out
    rulesdsl("new", "on-top.yaml", "--from", "4-heaps.yaml", cwd=tmp_path)
    assert "extends: 4-heaps.yaml" in (tmp_path / "on-top.yaml").read_text(encoding="utf-8")
    code, out, _ = rulesdsl("validate", "on-top.yaml", cwd=tmp_path)
    assert code == 0, out


@pytest.mark.parametrize("arguments", [(), ("--from", "nim", "--copy", "nim")])
def test_new_is_a_variant_or_a_copy(arguments: tuple[str, ...], tmp_path: Path) -> None:
    code, _, err = rulesdsl("new", "mine.yaml", *arguments, cwd=tmp_path)
    assert code == 2
    assert "--from GAME" in err
    assert "--copy GAME" in err


def test_a_variant_as_one_rule_file(tmp_path: Path) -> None:
    code, out, _ = rulesdsl("show", "ostia_salt", "--as", "resolved")
    assert code == 0
    (tmp_path / "whole.yaml").write_text(out, encoding="utf-8")
    code, out, _ = rulesdsl("validate", "whole.yaml", cwd=tmp_path)
    assert code == 0, out


def test_diff_tells_by_meaning() -> None:
    code, out, _ = rulesdsl("diff", "ostia", "ostia_salt")
    assert code == 0
    assert out.splitlines()[:4] == [
        "kind Good.minimum   from 4..9 to 3..9",
        "kind Good.copies   from 6..11 to 6..12",
        "kind Good[salt]   added: [3, 12]",
        "table senate_value[card_1, salt]   added: 0",
    ]


def test_an_edited_copy_is_told_how_to_become_a_variant(tmp_path: Path) -> None:
    rulesdsl("new", "mine.yaml", "--copy", "nim", cwd=tmp_path)
    file = tmp_path / "mine.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("large: [3]", "large: [4]"), encoding="utf-8")
    code, out, _ = rulesdsl("test", "mine.yaml", "--games", "2", cwd=tmp_path)
    assert code == 1
    assert "kind Heap[large, stones_at_first]" not in out
    assert "rulesdsl new my_nim.yaml --from nim" in out
    assert "- set: kind Heap[large].stones_at_first\n        was: 3\n        to: 4" in out


def test_an_edited_copy_whose_example_cannot_be_said_is_told_too(tmp_path: Path) -> None:
    rulesdsl("new", "mine.yaml", "--copy", "nim", cwd=tmp_path)
    file = tmp_path / "mine.yaml"
    text = file.read_text(encoding="utf-8").replace("stones: 0..7", "stones: 0..6")
    text = text.replace("stones_at_first: 1..7", "stones_at_first: 1..6")
    file.write_text(text.replace("large: [3]", "large: [2]"), encoding="utf-8")
    code, out, _ = rulesdsl("test", "mine.yaml", "--games", "2", cwd=tmp_path)
    assert code == 1
    assert "rulesdsl new my_nim.yaml --from nim" in out
    rules = text.replace("{middle.stones: 0, large.stones: 2}", "{middle.stones: 9}")
    file.write_text(rules, encoding="utf-8")
    code, out, _ = rulesdsl("test", "mine.yaml", cwd=tmp_path)
    assert code == 1
    assert "nothing was played" in out
    assert "rulesdsl new my_nim.yaml --from nim" in out


def test_a_variant_stands_beside_or_above_its_base(tmp_path: Path) -> None:
    rulesdsl("new", "base.yaml", "--copy", "nim", cwd=tmp_path)
    below = tmp_path / "below"
    below.mkdir()
    code, _, err = rulesdsl("new", "mine.yaml", "--from", "../base.yaml", cwd=below)
    assert code == 2
    assert "write the variant to ../mine.yaml" in err
    assert not (below / "mine.yaml").exists()


def test_examples_of_the_base_that_fail_can_be_listed(tmp_path: Path) -> None:
    changes = "changes:\n  - {set: 'kind Heap[large].stones_at_first', was: 3, to: 4}\n"
    (tmp_path / "mine.yaml").write_text(f"rules: 1\ngame: mine\nextends: nim\n{changes}", "utf-8")
    code, out, _ = rulesdsl("test", "mine.yaml", "--games", "2", cwd=tmp_path)
    assert code == 1
    assert "    - fails: example three heaps" in out


def test_rulings_are_shown_with_what_rests_on_them() -> None:
    code, out, _ = rulesdsl("show", "portus", "--as", "rulings")
    assert code == 0
    blocks = {block.partition(":")[0]: block for block in out.split("\n\n")}
    assert set(blocks) >= {"invented", "administration", "first-building", "launching", "ties"}
    invented = blocks["invented"].splitlines()
    (price,) = [i for i, line in enumerate(invented) if line.endswith("  option honor_price")]
    assert invented[price + 1].strip() == "6"
    places = [line.split()[0] for line in invented if line.endswith("table ship_price")]
    assert re.fullmatch(r"\S*portus\.yaml:\d+", places[0])
    assert "      6..7: 1" in invented
    assert "  procedure administer" in blocks["administration"]


def test_a_score_of_many_terms_is_printed_as_a_pad(tmp_path: Path) -> None:
    code, out, _ = rulesdsl("run", "patronus", "--players", "3", "--seed", "5", cache=tmp_path)
    assert code == 0
    lines = out.splitlines()
    (begin,) = [i for i, line in enumerate(lines) if line.split() == ["rank", "1", "2", "3"]]
    pad = lines[begin + 1 : lines.index("", begin)]
    (total,) = [line for line in pad if line.startswith("  = total")]
    parts = pad[: pad.index(total)]
    assert [line[:4] for line in parts] == ["    ", *["  + "] * (len(parts) - 1)]
    for column in (-3, -2, -1):
        numbers = [int(line.split()[column]) for line in parts]
        assert sum(numbers) == int(total.split()[column])
    assert max(map(len, pad)) < 60


LAZY = """\
bots: 1
for: ostia
bot: lazy
about: Never bids.
decisions:
  sell_lot / bid:
    - pass
"""


def test_choices_without_a_line_are_told_of(tmp_path: Path) -> None:
    (tmp_path / "lazy.yaml").write_text(LAZY, encoding="utf-8")
    said = ["run", "ostia", "--players", "3", "--seed", "2", "--bot", "lazy.yaml"]
    code, out, _ = rulesdsl(*said, cwd=tmp_path, cache=tmp_path)
    assert code == 0
    assert re.search(r"\n\d+ of \d+ choices blind: lay_piles / store (\d+) of \1, ", out)
    code, out, _ = rulesdsl(*said[:-2], cwd=tmp_path, cache=tmp_path)
    assert (code, "blind" in out) == (0, False)


NO_HONOR = """\
rules: 1
game: no_honor
title: Nobody buys honor
extends: portus
changes:
  - remove: procedure trade / honor
  - remove: text moves / honor
  - remove: option honor_price
  - remove: example each port once in a trade, for a gold; honor for six
"""


def test_a_variant_that_the_beginner_does_not_know_is_played_at_random(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(NO_HONOR, encoding="utf-8")
    code, out, _ = rulesdsl("run", "mine.yaml", "--seed", "1", cwd=tmp_path, cache=tmp_path)
    assert (code, "all random" in out) == (0, True), out
    code, out, err = rulesdsl("test", "mine.yaml", "--games", "2", cwd=tmp_path, cache=tmp_path)
    assert "2 random games" in out, out + err
