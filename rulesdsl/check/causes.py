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
    groups: dict[tuple[str, ...], list[Problem]] = {}
    for problem in found:
        unknown = problem.code in ("unknown-name", "unknown-cite")
        place = str(problem.span.start)
        key = (problem.span.text, problem.note) if unknown else (problem.code, place)
        groups.setdefault(key, []).append(problem)
    names: Counter[str] = Counter()
    for group in groups.values():
        if len(group) == 1:
            yield group[0]
            continue
        names = names or _uses(file)
        declared = _misspelt_declaration(group, names)
        if declared is not None:
            yield declared
        elif len(group) >= _MANY:
            lines = list(dict.fromkeys(str(problem.span.line) for problem in group))[1:]
            more = ", ..." if len(lines) > _LISTED else ""
            also = f"; also on line {', '.join(lines[:_LISTED])}{more}" if lines else ""
            yield evolve(group[0], note=group[0].note + also)
        else:
            yield from group


def _misspelt_declaration(group: list[Problem], names: Counter[str]) -> Problem | None:
    """A name that is declared and never used, where another is used and never declared."""
    first = group[0]
    if (
        first.second is None
        or first.second.note != MEANT
        or len({problem.second for problem in group}) > 1
    ):
        return None
    span, used = first.second.span, first.span.text
    if names[span.text] > 1:
        return None
    note = f"nothing uses {span.text}, but {used} is used {len(group)} times"
    second = Second(first.span, "here first")
    return evolve(first, span=span, note=note, second=second, help=replaced(span, used), about="")


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
