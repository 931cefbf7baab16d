"""docs/problems: a page for every problem; what it calls wrong is told so, what is right is not."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from rulesdsl.text.codes import CODES
from tests.test_language_doc import blocks_of, completed, preamble, problems_of, write_files

ROOT = Path(__file__).parent.parent
PAGES = {page.stem: page for page in sorted((ROOT / "docs" / "problems").glob("*.md"))}


def emitted() -> set[str]:
    """The codes that are the first argument of `problems.add` somewhere in the package."""
    return {
        call.args[0].value
        for file in (ROOT / "rulesdsl").rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and re.search(r"\bproblems\.add$", ast.unparse(call.func))
        and call.args
        and isinstance(call.args[0], ast.Constant)
        and isinstance(call.args[0].value, str)
    }


def test_every_problem_has_a_meaning_and_a_page() -> None:
    assert emitted() - set(CODES) == set()
    assert set(CODES) - set(PAGES) == set()


def test_every_page_is_of_a_problem() -> None:
    assert set(PAGES) - set(CODES) == set()


@pytest.mark.parametrize("code", PAGES)
def test_pages_say_what_is_wrong_and_what_is_right(code: str, tmp_path: Path) -> None:
    write_files(PAGES[code], tmp_path)
    text = PAGES[code].read_text(encoding="utf-8")
    assert text.startswith(f"# {code}\n\n{CODES.get(code)}")
    blocks = blocks_of(PAGES[code])
    wrong, right = (
        [completed(preamble(), block.text) for block in blocks if block.word == word]
        for word in ("wrong", "right")
    )
    assert wrong or "```text" in text
    assert right or "```text" in text
    for piece in wrong:
        told = problems_of(piece, tmp_path)
        assert code in [problem.partition(":")[0] for problem in told], "\n".join([*told, piece])
    for piece in right:
        assert problems_of(piece, tmp_path) == [], piece
