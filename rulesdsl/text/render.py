"""Problems as people and programs read them: text, JSON, SARIF."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from unicodedata import east_asian_width

from rulesdsl.text.problems import Problem
from rulesdsl.text.source import Span

WIDTH = 100


def to_text(name: str, problems: Sequence[Problem], after: str = "nothing was played") -> str:
    """All problems of a file, numbered, each with the author's line and its piece underlined."""
    number = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    lines = [f"{name}: {number}, {after}", ""]
    for i, problem in enumerate(problems, start=1):
        lines += _one(i, problem)
    codes = list(dict.fromkeys(problem.code for problem in problems))
    lines.append(f"More about one of them: rulesdsl help {codes[0]}")
    return "\n".join(lines) + "\n"


def _one(number: int, problem: Problem) -> Iterable[str]:
    yield f"{number:2}  {problem.code}   {problem.span}"
    yield from _excerpt(problem.span, "^", problem.note)
    if problem.second is not None:
        yield from _excerpt(problem.second.span, "-", problem.second.note)
    if problem.about:
        yield f"        {problem.about}"
    if problem.help:
        first, *rest = problem.help.splitlines()
        yield f"        help: {first}"
        yield from (f"              {line}" for line in rest)
    yield ""


def _excerpt(span: Span, mark: str, note: str) -> Iterable[str]:
    """The line of a piece, and under it the piece marked, with a note behind."""
    if not span.source.text:
        yield f"         {note}"
        return
    line = span.source.line(span.line).replace("\t", " ")
    start = min(span.column - 1, len(line))
    end = max(start + 1, min(start + span.end - span.start, len(line)))
    cut = 0
    if len(line) > WIDTH:
        cut = max(0, min(start - WIDTH // 3, len(line) - WIDTH))
        line = ("..." if cut else "") + line[cut + (3 if cut else 0) : cut + WIDTH]
        end = min(end, cut + WIDTH)
    before, piece = line[: start - cut], line[start - cut : end - cut]
    yield f"{span.line:6} | {line}"
    yield f"{'':6}   {' ' * _columns(before)}{mark * max(1, _columns(piece))}  {note}"


def _columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


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
                "rules": [{"id": code} for code in codes],
            }
        },
        "results": [
            {
                "ruleId": problem.code,
                "ruleIndex": codes.index(problem.code),
                "level": "error",
                "message": {"text": _sentence(problem)},
                "locations": [_location(problem.span)],
                "relatedLocations": []
                if problem.second is None
                else [
                    _location(problem.second.span) | {"message": {"text": problem.second.note}}
                ],
            }
            for problem in found
        ],
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return json.dumps({"$schema": schema, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _sentence(problem: Problem) -> str:
    return problem.note + (f" (help: {problem.help})" if problem.help else "")


def _location(span: Span) -> dict[str, object]:
    place = _place(span)
    region = {
        "startLine": place["line"],
        "startColumn": place["column"],
        "endLine": place["end_line"],
        "endColumn": place["end_column"],
    }
    artifact = {"uri": str(place["file"]).replace("\\", "/")}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}
