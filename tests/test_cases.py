"""The failing rules of tests/cases: every problem is told on its line, and no other one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

from rulesdsl.check.checker import check_rules
from rulesdsl.check.visibility import check_visibility
from rulesdsl.syntax.from_yaml import read_rules
from rulesdsl.text.codes import CODES
from rulesdsl.text.problems import Problem, Problems
from rulesdsl.text.source import Source

FOLDER = Path(__file__).parent / "cases"
_MARK = re.compile(r"[ \t]*### ([a-z-]+)(?:: ?([^#\n]*))?")


@frozen
class Case:
    """A rule file and the problems it has: line, code, a part of the note."""

    name: str
    text: str
    expected: tuple[tuple[int, str, str], ...]


def cases_in(file: Path) -> Iterator[Case]:
    """The cases of a file: the whole, or its beginning with each of the snippets."""
    beginning, *rest = re.split(r"^---- (.+)\n", file.read_text(encoding="utf-8"), flags=re.M)
    if not rest:
        yield case(file.stem, beginning)
    for name, snippet in zip(rest[::2], rest[1::2], strict=True):
        yield case(f"{file.stem}: {name}", composed(beginning, snippet))


def composed(beginning: str, snippet: str) -> str:
    """The beginning without the sections that the snippet has, then the snippet."""
    own = set(re.findall(r"^(\w+):", snippet, flags=re.M))
    snippet = re.sub(r"^\w+: -\n", "", snippet, flags=re.M)
    sections = re.split(r"^(?=\w+:)", beginning, flags=re.M)
    return "".join(s for s in sections if s.partition(":")[0] not in own) + snippet


def case(name: str, marked: str) -> Case:
    """A text with marks, taken apart."""
    lines: list[str] = []
    expected: list[tuple[int, str, str]] = []
    for line in marked.splitlines():
        marks = list(_MARK.finditer(line))
        bare = line[: marks[0].start()] if marks else line
        if bare.strip() or not marks:
            lines.append(bare)
        expected += [(len(lines), mark[1], (mark[2] or "").strip()) for mark in marks]
    return Case(name, "\n".join(lines) + "\n", tuple(expected))


def problems_of(text: str, name: str = "mine.yaml") -> list[Problem]:
    """All problems of a rule file, in file order."""
    problems = Problems()
    tree = read_rules(Source(name, text), problems)
    model = None if tree is None else check_rules(tree, problems)
    if model is not None and not len(problems):
        check_visibility(model, problems)
    return list(problems)


CASES = [case for file in sorted(FOLDER.glob("*.yaml")) for case in cases_in(file)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_problems_are_told_on_their_lines(case: Case) -> None:
    found = problems_of(case.text)
    told = [f"line {p.span.line}: {p.code}: {p.note}" for p in found]
    wanted = [f"line {line}: {code}: {note}" for line, code, note in case.expected]
    listed = "\n".join(["told:", *told, "expected:", *wanted])
    assert sorted((p.span.line, p.code) for p in found) == sorted(
        (line, code) for line, code, _ in case.expected
    ), listed
    for line, code, note in case.expected:
        assert any(
            (p.span.line, p.code) == (line, code) and note in f"{p.note} {p.help} {p.about}"
            for p in found
        ), listed


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_help_that_is_a_line_is_itself_fine(case: Case) -> None:
    """Where the help is the author's line mended, the mended file has fewer such problems."""
    found = problems_of(case.text)
    lines = case.text.splitlines()
    for problem in found:
        line = lines[problem.span.line - 1]
        if is_mended(problem.help, line):
            indent = line[: len(line) - len(line.lstrip())]
            mended = [*lines]
            mended[problem.span.line - 1] = indent + problem.help
            left = problems_of("\n".join(mended) + "\n")
            assert like(problem, left) < like(problem, found), f"{problem.help}: {left}"


def like(problem: Problem, problems: list[Problem]) -> int:
    """How many problems say the same on the same line."""
    same = (problem.code, problem.span.line, problem.note)
    return sum((p.code, p.span.line, p.note) == same for p in problems)


def is_mended(help_: str, line: str) -> bool:
    """Whether a help is the line itself with a piece of it replaced."""
    line = line.strip()
    if not help_ or help_ == line or "\n" in help_ or "..." in help_ or "is a guess" in help_:
        return False
    same = 0
    for a, b in zip(help_, line, strict=False):
        if a != b:
            break
        same += 1
    for a, b in zip(help_[::-1], line[::-1], strict=False):
        if a != b:
            break
        same += 1
    return same >= len(line) // 2


def test_every_code_is_in_the_table() -> None:
    for one in CASES:
        for _, code, _ in one.expected:
            assert code in CODES, f"{one.name}: {code}"
