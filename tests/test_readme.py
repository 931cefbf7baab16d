"""The README tells the truth: its rule file, its commands and its Python are run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.command import ROOT, rulesdsl

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.S)


def output(command: str, folder: Path) -> list[str]:
    """What a command of the README prints."""
    name, *arguments = shlex.split(command)
    assert name == "rulesdsl"
    code, out, err = rulesdsl(*arguments, cwd=folder, cache=folder)
    assert code in (0, 1), err
    return (out + err).splitlines()


def follows(printed: list[str], told: list[str]) -> bool:
    """Whether what is told is what was printed; `...` stands for any lines."""
    if not told:
        return not printed
    if told[0] == "...":
        return any(follows(printed[i:], told[1:]) for i in range(len(printed) + 1))
    return bool(printed) and printed[0].rstrip() == told[0] and follows(printed[1:], told[1:])


def test_what_is_shown_is_what_comes(tmp_path: Path) -> None:
    """Files and commands one after another, as somebody who reads on would do it."""
    mine = tmp_path / "mine.yaml"
    ran = 0
    for kind, text in BLOCKS:
        if kind == "yaml" and text.startswith("rules:"):
            mine.write_text(text, encoding="utf-8")
        elif kind == "yaml":
            whole = mine.read_text(encoding="utf-8")
            (old,) = (line for line in whole.splitlines() if "take(heap" in line)
            mine.write_text(whole.replace(old, text.rstrip("\n")), encoding="utf-8")
        elif kind == "text":
            for piece in re.split(r"^\$ ", text, flags=re.M)[1:]:
                command, *told = piece.rstrip("\n").splitlines()
                printed = output(command, tmp_path)
                assert follows(printed, told), f"{command}\n" + "\n".join(printed)
                ran += 1
    assert ran == 6


@pytest.mark.parametrize("block", [text for kind, text in BLOCKS if kind == "python"])
def test_the_python_runs(block: str) -> None:
    exec(compile(block, "README.md", "exec"), {})


def test_the_make_targets_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    found = re.findall(r"^make (\w+)", README, re.M)
    assert found == ["demo", "test"]
    assert all(f"\n{target}:" in makefile for target in found)


def test_the_demo_is_the_game_that_is_shown() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (shown,) = re.findall(r"rulesdsl (run ostia .*)", README.split("```text")[1])
    assert shown in makefile


def test_all_that_is_linked_is_there() -> None:
    for link in re.findall(r"\]\(([\w./-]+)\)", README):
        assert (ROOT / link).exists(), link
