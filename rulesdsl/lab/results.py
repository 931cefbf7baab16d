"""What came of running examples: what does not hold, where, and how many checks were made."""

from __future__ import annotations

from attrs import Factory, define, frozen

from rulesdsl.syntax.cites import Cite
from rulesdsl.text.source import Span


@frozen
class Failure:
    """One thing in an example that does not hold.

    `what` was looked at, with what was expected and what was there; or it is a sentence, and
    these two are empty. `title` is where the example has its name, `case` which column ran.
    """

    example: str
    title: Span
    cites: tuple[Cite, ...]
    case: str
    span: Span
    what: str
    expected: str = ""
    got: str = ""

    @property
    def note(self) -> str:
        """In words: `A.money   expected by +19, got by +20`."""
        words = f"{self.what}   expected {self.expected}, got {self.got}"
        words = words if self.expected else self.what
        return f"{words}   (where {self.case})" if self.case else words


@define
class Results:
    """Of the examples of a file."""

    examples: int = 0
    checks: int = 0
    failures: list[Failure] = Factory(list)
    on_purpose: int = 0
    """Examples that fail and are said to."""

    @property
    def failed(self) -> int:
        """How many examples do not hold."""
        return len({failure.title for failure in self.failures})
