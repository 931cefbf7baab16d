"""Problems as people and programs read them: text, JSON, SARIF."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from unicodedata import category, combining, east_asian_width
from urllib.parse import quote

from rulesdsl.text.codes import CODES
from rulesdsl.text.problems import Problem, Second
from rulesdsl.text.source import Span

WIDTH = 100
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_GUTTER = 7
_INDENT = " " * 8


def to_text(name: str, problems: Sequence[Problem], after: str = "nothing was played") -> str:
    """All problems of a file, numbered, each with the author's line and its piece underlined."""
    number = "1 problem" if len(problems) == 1 else f"{len(problems):,} problems"
    lines = [f"{name}: {number}, {after}", ""]
    for i, problem in enumerate(problems, start=1):
        lines += _one(i, problem)
    if problems:
        codes = {problem.code for problem in problems}
        which = "this" if len(codes) == 1 else "one of them"
        lines.append(f"More about {which}: rulesdsl help {problems[0].code}")
    return "".join(f"{_visible(line)}\n" for line in lines)


def _one(number: int, problem: Problem) -> Iterator[str]:
    yield f"{number:2}  {problem.code:<18}  {problem.span}"
    yield from _excerpt(problem.span, "^", problem.note)
    if problem.second is not None:
        yield from _second(problem.span, problem.second)
    for paragraph in problem.about.splitlines():
        yield from wrap(paragraph, WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)
    first, *rest = problem.help.splitlines() or [""]
    if first:
        yield f"{_INDENT}help: {first}"
    yield from (f"{_INDENT}      {line}" for line in rest)
    yield ""


def _second(first: Span, second: Second) -> Iterator[str]:
    """The second place; its line is not shown again if it is the line of the first."""
    lines = list(_excerpt(second.span, "-", second.note))
    if first.source is not second.span.source:
        yield f"{_INDENT}in {second.span}"
    elif first.line == second.span.line and len(first.source.line(first.line)) <= WIDTH:
        lines = lines[1:]
    yield from lines


def _excerpt(span: Span, mark: str, note: str) -> Iterator[str]:
    """The line of a piece, and under it the piece marked, with a note behind."""
    if not span.source.text:
        yield f"{' ' * _GUTTER}   {note}"
        return
    line = span.source.line(span.line)
    start = min(span.column - 1, len(line))
    end = max(start, min(start + span.end - span.start, len(line)))
    left, right = _window(line, start, end)
    before = ("..." if left else "") + line[left:start]
    shown = before + line[start:right] + ("..." if right < len(line) else "")
    marks = mark * max(1, _columns(line[start : min(end, right)]))
    yield f"{span.line:{_GUTTER}} | {shown}"
    yield f"{' ' * _GUTTER}   {' ' * _columns(before)}{marks}  {note}".rstrip()


def _window(line: str, start: int, end: int) -> tuple[int, int]:
    """The part of a long line that is shown: the piece, with something around it."""
    if _columns(line) <= WIDTH:
        return 0, len(line)
    left = max(0, min(start - WIDTH // 3, len(line) - WIDTH))
    right = min(len(line), left + WIDTH)
    while _columns(line[left:right]) > WIDTH and right > start + 1:
        right -= 1
    return left, right


def _columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(_width(char) for char in _visible(text))


def _width(char: str) -> int:
    if combining(char) or category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def _visible(text: str) -> str:
    """A text with a sign for each character that would steer a terminal, a blank for a tab."""
    return _STEERING.sub(lambda found: " " if found[0] == "\t" else "\ufffd", text)


_STEERING = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


# ------------------------------------------------------------------ for programs


def _place(span: Span) -> dict[str, object]:
    last = max(span.start, span.end - 1)
    line, column = span.source.position(last)
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "end_line": line,
        "end_column": column + 1,
    }


def to_json(problems: Iterable[Problem]) -> str:
    """A list of problems as JSON."""
    found: list[dict[str, object]] = []
    for problem in problems:
        one: dict[str, object] = {"code": problem.code, "note": problem.note}
        one |= _place(problem.span)
        if problem.second is not None:
            one["second"] = {"note": problem.second.note, **_place(problem.second.span)}
        if problem.about:
            one["about"] = problem.about
        if problem.help:
            one["help"] = problem.help
        found.append(one)
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def to_sarif(problems: Iterable[Problem], version: str) -> str:
    """The same as a SARIF 2.1.0 log, for editors and code hosts."""
    found = list(problems)
    codes = sorted({problem.code for problem in found})
    run = {
        "tool": {
            "driver": {
                "name": "rulesdsl",
                "version": version,
                "rules": [_rule(code) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(problem, codes.index(problem.code)) for problem in found],
    }
    log = {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _rule(code: str) -> dict[str, object]:
    return {"id": code, "shortDescription": {"text": CODES.get(code, code)}}


def _result(problem: Problem, rule: int) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": problem.code,
        "ruleIndex": rule,
        "level": "error",
        "message": {"text": _sentences(problem)},
        "locations": [_location(problem.span)],
    }
    if problem.second is not None:
        second = _location(problem.second.span) | {"message": {"text": problem.second.note}}
        result["relatedLocations"] = [second]
    return result


def _sentences(problem: Problem) -> str:
    help_ = f"help: {problem.help}" if problem.help else ""
    return "\n".join(part for part in (problem.note, problem.about, help_) if part)


def _location(span: Span) -> dict[str, object]:
    place = _place(span)
    region = {
        "startLine": place["line"],
        "startColumn": place["column"],
        "endLine": place["end_line"],
        "endColumn": place["end_column"],
    }
    artifact = {"uri": quote(span.source.name.replace("\\", "/"))}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}
