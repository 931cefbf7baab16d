"""What can be wrong with a rule file: problems are data, wording comes last."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field, frozen

from rulesdsl.text.source import Span


@frozen
class Second:
    """A second place that explains a problem, with a few words about it."""

    span: Span
    note: str


@frozen
class Problem:
    """One thing that is wrong.

    `code` is its name in words (a page of that name stands in docs/problems), `note` stands
    behind the underlined piece, `about` tells of the rule and its section, `help` is a
    replacement for the line (or a sentence) that is itself valid.
    """

    code: str
    span: Span
    note: str
    second: Second | None = None
    about: str = ""
    help: str = ""


class RulesError(Exception):
    """The author's: a rule file has problems. `problems` holds them in file order."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        first = problems[0]
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(f"{first.span}: {first.code}: {first.note}{more}")


class InternalError(Exception):
    """Ours: the package did what it must not do."""


@define
class Problems:
    """A growing list of problems: one per place and code, told in file order.

    Those of a rule file stand before those of its data files.
    """

    _found: list[Problem] = field(factory=list)

    def add(
        self,
        code: str,
        span: Span,
        note: str,
        *,
        second: Second | None = None,
        about: str = "",
        help: str = "",
    ) -> None:
        self.put(Problem(code, span, note, second, about, help))

    def put(self, problem: Problem) -> None:
        """Add a problem that is there already as a whole."""
        if not any(p.code == problem.code and p.span == problem.span for p in self._found):
            self._found.append(problem)

    def __iter__(self) -> Iterator[Problem]:
        return iter(sorted(self._found, key=_place))

    def __len__(self) -> int:
        return len(self._found)

    def check(self) -> None:
        """Raise RulesError if there is any problem."""
        if self._found:
            raise RulesError(list(self))


def _place(problem: Problem) -> tuple[bool, str, int]:
    source = problem.span.source
    return source.part_of is not None, source.name, problem.span.start
