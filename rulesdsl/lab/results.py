"""What came of running examples: failures with their place, and how many checks were made."""

from __future__ import annotations

from attrs import Factory, define, frozen

from rulesdsl.text.source import Span


@frozen
class Failure:
    """One thing in an example that does not hold: where, what, in words."""

    example: str
    span: Span
    note: str


@define
class Results:
    """Of the examples of a file."""

    examples: int = 0
    checks: int = 0
    failures: list[Failure] = Factory(list)

    @property
    def failed(self) -> int:
        """How many examples do not hold."""
        return len({failure.example for failure in self.failures})
