"""A seat for a person, tried under a pseudo-terminal, with wrong input; programs as players."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from rulesdsl.agents.external import ExternalFault, ExternalPlayer
from rulesdsl.play.loading import load
from tests.command import rulesdsl
from tests.terminal import ROOT, Terminal

PLAYER = f"{sys.executable} {ROOT / 'examples' / 'player.py'}"


def playlog(folder: Path) -> list[dict[str, object]]:
    (file,) = (folder / "rulesdsl" / "played").glob("*.jsonl")
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_a_game_from_the_first_to_the_last_move(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "nim", "--as", "white", "--seed", "1")
    terminal.until("You are white; black random")
    terminal.until("white> ")
    terminal.type("dance")
    assert "possible now: take" in terminal.until("white> ")
    terminal.type("take small, number 9")
    assert re.search(r"number is 1\..*\(nim\.yaml:\d+\)", terminal.until("white> "))
    terminal.type("77")
    assert "Numbers take a move of the list" in terminal.until("white> ")
    terminal.type("\x01\x02 nonsense \t")
    terminal.until("white> ")
    terminal.type("help")
    assert "take your last move back" in terminal.until("white> ")
    terminal.type("?")
    assert "1  take small, number 1" in terminal.until("white> ")
    terminal.type("2 1 1")
    terminal.until("white> ")
    terminal.type("1")
    listed = terminal.until("white> ")
    assert "1  take middle, number 1..2" in listed
    terminal.type("1")
    assert "Which number from 1 to 2? For instance: 1 1" in terminal.until("white> ")
    for _ in range(10):
        terminal.type("1 1" if ".." in listed else "1")
        listed = terminal.until("white> |wins")
        if "wins" in listed:
            break
    code, _ = terminal.end()
    assert code == 0
    assert "outcome" in playlog(tmp_path)[-1]


def test_nobody_sees_the_card_of_another_at_the_same_screen(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "kuhn-poker", "--as", "A,B", "--seed", "4")
    terminal.until("A> ")
    terminal.type("look")
    mine = terminal.until("A> ")
    (card,) = re.findall(r"A: .*?card (\w+)", mine)
    terminal.type("1")
    terminal.until("Only B should look: press Enter.")
    between = terminal._at
    terminal.type("")
    terminal.until("B> ")
    terminal.type("look")
    theirs = terminal.until("B> ")
    assert re.findall(r"B: .*?card (\w+)", theirs) != [card]
    assert card not in terminal.written[between:]
    terminal.type("undo")
    assert "somebody else's" in terminal.until("B> ")
    terminal.type("quit")
    code, rest = terminal.end()
    assert code == 0
    assert "--resume" in rest


def test_a_move_is_taken_back_and_the_playlog_with_it(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "portus", "--players", "1", "--seed", "2")
    first = terminal.until("A> ")
    assert "1  sow moving" in first
    terminal.type("1")
    again = terminal.until("A> ")
    done = len(playlog(tmp_path))
    terminal.type("undo")
    back = terminal.until("A> ")
    assert "Taken back." in back
    assert "1  sow moving" in back
    assert len(playlog(tmp_path)) == done - 1
    terminal.type("undo")
    assert "nothing to take back" in terminal.until("A> ")
    terminal.type("1")
    assert terminal.until("A> ").split(":")[-1] == again.split(":")[-1]
    terminal.type("save mine.jsonl")
    assert "--resume mine.jsonl" in terminal.until("A> ")
    terminal.type("save mine.jsonl")
    assert "there already" in terminal.until("A> ")
    terminal.type("save no/folder.jsonl")
    assert "cannot be written" in terminal.until("A> ")
    code, rest = terminal.interrupt()
    assert code == 0
    assert "The game is kept" in rest
    replay = "replay", "mine.jsonl", "--game", "portus", "--verify"
    _, out, err = rulesdsl(*replay, cwd=tmp_path, cache=tmp_path)
    assert "agree" in out, err


def test_a_game_is_gone_on_with(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "portus", "--players", "2", "--seed", "2")
    for _ in range(6):
        terminal.until("A> ")
        terminal.type("1")
    terminal.until("A> ")
    before = playlog(tmp_path)
    terminal.press(b"\x04")
    _, rest = terminal.end()
    (command,) = re.findall(r"rulesdsl (play --resume .*)", rest)
    resumed = Terminal(tmp_path, *command.split())
    asked = resumed.until("A> ")
    assert "sow" in asked
    resumed.type("quit")
    resumed.end()
    files = sorted((tmp_path / "rulesdsl" / "played").glob("*.jsonl"))
    assert len(files) == 2
    after = [json.loads(line) for line in files[1].read_text(encoding="utf-8").splitlines()]
    assert after[: len(before)] == before


def test_why_tells_conditions_with_their_numbers(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "ostia", "--players", "3", "--as", "B", "--seed", "3")
    terminal.until("B> ")
    terminal.type("1")
    terminal.until("B> ")
    terminal.type("why bid")
    told = terminal.until("B> ")
    assert "amount: minimum_price to credit(bidder) = " in told
    assert "with p.money 55, p.storehouses 1, p.loans 0   ruling bid-ceiling" in told
    terminal.type("bid 1")
    refused = terminal.until("B> ")
    assert re.search(r"amount is from \d+ to \d+\.   book D\.1\.c .*\(ostia\.yaml:\d+\)", refused)
    terminal.press(b"\x04")
    terminal.end()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["play"], "which game?"),
        (["play", "ostja"], "did you mean ostia"),
        (["play", "nim", "--as", "Z"], "nobody of the name Z"),
        (["play", "nim", "--bot", "grey=random"], "Nobody of the name grey"),
        (["play", "nim", "--bot", "randon"], "did you mean random"),
        (["play", "--resume", "none.jsonl"], "none.jsonl: No such file"),
        (["play", "--resume", "last"], "no game has been played yet"),
        (["play", "nim", "--players", "5"], "players"),
    ],
)
def test_wrong_settings(tmp_path: Path, arguments: list[str], told: str) -> None:
    code, _, err = rulesdsl(*arguments, cwd=tmp_path, cache=tmp_path)
    assert code == 2
    assert told in err


# ------------------------------------------------------------------ programs


def test_a_program_plays_whole_games() -> None:
    for game in ("kuhn-poker", "ostia"):
        state = load(game, players=2 if game == "kuhn-poker" else 3).start(seed=1)
        players = [ExternalPlayer(PLAYER) for _ in range(state.rules.machine.seats)]
        while not state.is_over:
            seat = state.to_act[0]
            state.apply(players[seat].choose(state, seat))
        for player in players:
            player.close(state)


# those that answer read the greeting and the question, and do not end before
PROGRAMS = {
    "print('no json', flush=True); input(); input()": "answered 'no json'",
    "print('[1]', flush=True); input(); input()": "answered '[1]'",
    "print(str({'move': 'fly'}).replace(chr(39), chr(34)), flush=True)"
    "; input(); input()": "no legal move: 'fly'",
    "raise SystemExit(7)": "has ended (exit code 7)",
    "import time; time.sleep(30)": "did not answer within 0.5 seconds",
    "import os, time; os.close(1); time.sleep(30)": "says no more",
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_a_program_does_wrong_is_told(program: str) -> None:
    state = load("kuhn-poker").start(seed=1)
    limit = 0.5 if program.endswith("time; time.sleep(30)") else 20.0
    player = ExternalPlayer(f'{sys.executable} -c "{program}"', limit)
    with pytest.raises(ExternalFault) as fault:
        player.choose(state, state.to_act[0])
    assert PROGRAMS[program] in str(fault.value)
    player.close()


def test_a_program_that_is_not_there() -> None:
    state = load("kuhn-poker").start(seed=1)
    with pytest.raises(ExternalFault, match="cannot be started"):
        ExternalPlayer("./no-such-program").choose(state, state.to_act[0])


def test_a_program_sees_only_what_its_seat_sees(tmp_path: Path) -> None:
    script = tmp_path / "spy.py"
    script.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        f"    open({str(tmp_path / 'seen.txt')!r}, 'a').write(line)\n"
        "    message = json.loads(line)\n"
        "    if 'legal' in message:\n"
        "        print(json.dumps({'move': message['legal'][0]['move']}), flush=True)\n"
    )
    state = load("kuhn-poker").start(seed=4)
    spy = ExternalPlayer(f"{sys.executable} {script}")
    seat = state.to_act[0]
    other = str(state.view(1 - seat)["state"][f"{'AB'[1 - seat]}.card"])  # type: ignore[index]
    state.apply(spy.choose(state, seat))
    spy.close(state)
    seen = (tmp_path / "seen.txt").read_text(encoding="utf-8")
    assert other not in seen
    assert json.loads(seen.splitlines()[1])["player"] == "AB"[seat]
