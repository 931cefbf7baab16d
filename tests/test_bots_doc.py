"""docs/bots.md: its bots, lines and programs are read, checked and run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.test_bots import problems_of

PAGE = (Path(__file__).parent.parent / "docs" / "bots.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)(?: ([\w -]+))?\n(.*?)^```$", PAGE, re.M | re.S)


def decisions(lines: str) -> str:
    return "decisions:\n" + re.sub(r"^(?=.)", "  ", lines, flags=re.M)


@pytest.mark.parametrize(("kind", "word", "text"), BLOCKS)
def test_blocks_are_as_told(kind: str, word: str, text: str) -> None:
    if kind == "python":
        exec(compile(text, "bots.md", "exec"), {})
        return
    what, _, code = word.partition(" ")
    text = "".join(text.partition("about:")[1:]) if what == "bot" else decisions(text)
    assert [found for found, _, _ in problems_of(text)] == ([code] if code else [])


def test_all_kinds_of_blocks_are_there() -> None:
    assert {word.partition(" ")[0] for _, word, _ in BLOCKS} == {"bot", "line", "wrong", ""}
