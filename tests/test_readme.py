"""The README tells the truth: its rule file and its Python are run."""

from __future__ import annotations

import re
from pathlib import Path

from rulesdsl.play.loading import load

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = {name: re.findall(rf"```{name}\n(.*?)```", README, re.S) for name in ("yaml", "python")}


def test_the_rule_file_plays(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(BLOCKS["yaml"][0], encoding="utf-8")
    state = load(str(file)).start()
    assert "take large, number 3" in [move.text for move in state.legal_moves(0)]


def test_one_changed_line_changes_the_rule(tmp_path: Path) -> None:
    changed = BLOCKS["yaml"][1].strip()
    old = next(line for line in BLOCKS["yaml"][0].splitlines() if "take(heap" in line)
    file = tmp_path / "mine.yaml"
    file.write_text(BLOCKS["yaml"][0].replace(old.strip(), changed), encoding="utf-8")
    state = load(str(file)).start()
    moves = [move.text for move in state.legal_moves(0)]
    assert "take large, number 2" in moves
    assert "take large, number 3" not in moves


def test_the_python_runs() -> None:
    for block in BLOCKS["python"]:
        exec(compile(block, "README.md", "exec"), {})


def test_the_make_targets_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\w+)", README, re.M):
        assert f"\n{target}:" in makefile
