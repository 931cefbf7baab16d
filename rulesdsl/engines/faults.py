"""Faults: what the rules do wrong while they are played."""

from __future__ import annotations

from rulesdsl.machine.program import Rule
from rulesdsl.syntax.cites import Cite
from rulesdsl.text.source import Span

MEANINGS = {
    "bound": "the loop went round more often than the rules say it ever does",
    "empty": "there is nothing to take or to choose from",
    "endless": "the game goes on and on",
    "full": "the place has no room for more",
    "invariant": "what the rules promise to hold does not hold",
    "limit": "one move took more steps than any move may take",
    "missing": "the components that should be moved are not there",
    "no-option": "a player has to choose, but no option is possible",
    "nothing-left": "there are too few components to deal",
    "range": "the value is out of its range",
    "row": "there is no row, or nothing that joins the two",
    "where": "a procedure was carried out though its condition does not hold",
}
"""What the kinds of fault mean, in words; a kind that is not here speaks for itself."""


class RuleFault(Exception):
    """The rules': they cannot go on. `rules` are those at work, the innermost last."""

    def __init__(
        self, kind: str, span: Span, detail: str = "", rules: tuple[Rule, ...] = ()
    ) -> None:
        self.kind = kind
        self.span = span
        self.detail = detail
        self.rules = rules
        super().__init__(self.message)

    @property
    def message(self) -> str:
        meaning = MEANINGS.get(self.kind, self.kind.replace("-", " "))
        return f"{meaning}: {self.detail}" if self.detail else meaning

    @property
    def cites(self) -> tuple[Cite, ...]:
        """The sources of the innermost rule that names any."""
        return next((rule.cites for rule in reversed(self.rules) if rule.cites), ())

    def __str__(self) -> str:
        inside = f" (in {' > '.join(rule.name for rule in self.rules)})" if self.rules else ""
        return f"{self.span}: {self.kind}: {self.message}{inside}"

    def within(self, rules: tuple[Rule, ...]) -> RuleFault:
        """The same fault, with the rules that were at work."""
        return RuleFault(self.kind, self.span, self.detail, rules)
