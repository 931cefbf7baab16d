"""One problem for each cause: a name that is wrong in many places is told once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from attrs import evolve

from rulesdsl.check.context import replaced
from rulesdsl.check.written import pieces
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Problem, Problems, Second

MEANT = "did you mean this one?"
"""What is said of the place where a name is declared that was probably meant."""
_MANY = 3
_LISTED = 8


def one_per_cause(found: Problems, file: t.RuleFile) -> Iterator[Problem]:
    """The problems, those of one unknown name gathered."""
    rest: list[Problem] = []
    names: dict[str, list[Problem]] = {}
    for problem in found:
        if problem.code in ("unknown-name", "unknown-cite"):
            names.setdefault(problem.span.text, []).append(problem)
        else:
            rest.append(problem)
    yield from rest
    uses = _uses(file) if names else Counter()
    for group in names.values():
        declared = _misspelt_declaration(group, uses)
        if declared is not None:
            yield declared
            continue
        notes: dict[str, list[Problem]] = {}
        for problem in group:
            notes.setdefault(problem.note, []).append(problem)
        for same in notes.values():
            yield from [_gathered(same)] if len(same) >= _MANY else same


def _gathered(group: list[Problem]) -> Problem:
    """The first of many problems, with the lines of the others."""
    lines = list(dict.fromkeys(str(problem.span.line) for problem in group))[1:]
    more = ", ..." if len(lines) > _LISTED else ""
    also = f"; also on line {', '.join(lines[:_LISTED])}{more}" if lines else ""
    return evolve(group[0], note=group[0].note + also)


def _misspelt_declaration(group: list[Problem], uses: Counter[str]) -> Problem | None:
    """A name that is declared and never used, where another is used and never declared."""
    meant = {problem.second for problem in group if problem.second is not None}
    if len(group) < 2 or len(meant) != 1:
        return None
    first, second = group[0], meant.pop()
    span, used = second.span, first.span.text
    if second.note != MEANT or uses[span.text] > 1:
        return None
    note = f"nothing uses {span.text}, but {used} is used {len(group)} times"
    here = Second(first.span, "here first")
    return evolve(first, span=span, note=note, second=here, help=replaced(span, used), about="")


def _uses(file: t.RuleFile) -> Counter[str]:
    """How often each name stands in a file, its declaration too."""
    names: Counter[str] = Counter()
    for piece in pieces(file):
        match piece:
            case t.Word() | t.Name():
                names.update(re.findall(r"[\w.-]+", piece.text))
            case t.NamedType():
                names[piece.name] += 1
            case t.RowKey() if piece.word is not None:
                names[piece.word] += 1
            case t.Cite():
                names[piece.section] += 1
            case _:
                pass
    return names


def words_near(problems: Iterable[Problem]) -> frozenset[str]:
    """The words of lines with problems, and of the keys around and below: not known for sure."""
    words: set[str] = set()
    for problem in problems:
        source = problem.span.source
        last = source.position(max(problem.span.start, problem.span.end - 1))[0]
        for number in range(problem.span.line, last + 1):
            words.update(re.findall(r"\w+", source.line(number)))
        indent = _indent(source.line(problem.span.line))
        for number in range(last + 1, source.line_count + 1):
            line = source.line(number)
            if line.strip() and _indent(line) <= indent:
                break
            words.update(re.findall(r"^[\s-]*(\w+)", line))
        for number in range(problem.span.line - 1, 0, -1):
            line = source.line(number)
            if line.strip() and _indent(line) < indent:
                indent = _indent(line)
                words.update(re.findall(r"^[\s-]*(\w+)", line))
            if indent == 0:
                break
    return frozenset(words)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
