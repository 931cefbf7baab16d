"""What a step shows to whom, held against the secrets it depends on."""

from __future__ import annotations

from attrs import Factory, define, evolve, field, frozen

from rulesdsl.check.visibility_reads import Env
from rulesdsl.check.visibility_secrets import (
    EVERYBODY,
    OPEN,
    Audience,
    Key,
    Label,
    Secret,
    covers,
    only,
    ordered,
)
from rulesdsl.syntax.cites import Cite
from rulesdsl.text.problems import Problems, Second
from rulesdsl.text.source import Span


@frozen
class Disclosure:
    """A place where the rules themselves tell a secret, and the secret in words."""

    span: Span
    cites: tuple[Cite, ...]
    what: str


@frozen(eq=False)
class Here:
    """A place in the rules: names, the secrets it is reached under, who acts, and the rule.

    `leaves` gathers the secrets under which the loop around it was left.
    """

    env: Env
    pc: Label = OPEN
    acting: frozenset[Key] = frozenset()
    rule: str = ""
    cites: tuple[Cite, ...] = ()
    leaves: set[Secret] = Factory(set)

    def under(self, *labels: Label) -> Here:
        """The same place, reached only if conditions with these secrets hold."""
        return evolve(self, pc=self.pc.union(*map(self.env.lasting, labels)))

    def told_to(self) -> Audience:
        """Who notices that something happens here."""
        region = self.env.region
        return EVERYBODY if region is None else only(region.participant)


@define(eq=False)
class Shown:
    """Complaints about what is shown, and what is told on purpose."""

    problems: Problems
    disclosures: dict[tuple[Span, str], Disclosure] = Factory(dict)
    seen: dict[Span, None] = Factory(dict)
    """The constructs with `, seen` that were met."""
    needed: set[Span] = field(factory=set)
    """Those of them that tell something."""

    def mark(self, span: Span, seen: bool) -> None:
        if seen:
            self.seen[span] = None

    def show(
        self, label: Label, viewers: Audience, effect: str, here: Here, code: str = "secret-shown"
    ) -> None:
        """An effect that the viewers see, and the secrets it depends on."""
        for secret in self._unknown(label, viewers, here):
            if not secret.sight.but and secret.sight.keys & here.acting:
                continue
            note = f"{_missing(secret, viewers, here)} would learn {secret.words()} from {effect}"
            self._complain(code, secret, note, "", here)

    def guard(self, label: Label, chooser: Key | None, here: Here) -> None:
        """What a choice depends on, and the one who chooses."""
        viewers = EVERYBODY if chooser is None else only(chooser)
        name = "the one who chooses" if chooser is None else chooser.name
        for secret in self._unknown(label, viewers, here):
            note = f"{name} would learn {secret.words()}"
            rule = "A choice may use only what the one who chooses sees."
            self._complain("secret-in-guard", secret, note, rule, here)

    def tell(self, label: Label, viewers: Audience, span: Span, here: Here) -> None:
        """Secrets that are shown on purpose."""
        for secret in ordered(label):
            if not covers(secret.sight, viewers, here.env.apart):
                self._disclose(span, secret, here)

    def _unknown(self, label: Label, viewers: Audience, here: Here) -> list[Secret]:
        """The secrets that some of the viewers do not see and are not told."""
        unknown: list[Secret] = []
        for secret in ordered(label):
            if covers(secret.sight, viewers, here.env.apart):
                continue
            if secret.told is None:
                unknown.append(secret)
            else:
                self.needed.add(secret.told)
                self._disclose(secret.told, secret, here)
        return unknown

    def _disclose(self, span: Span, secret: Secret, here: Here) -> None:
        found = Disclosure(span, here.cites, secret.words())
        self.disclosures.setdefault((span, found.what), found)

    def _complain(self, code: str, secret: Secret, note: str, rule: str, here: Here) -> None:
        second = Second(secret.what.span, secret.modifier())
        cites = ", ".join(f"{cite.source} {cite.section}" for cite in here.cites)
        where = f"rule {here.rule}{', ' if cites else ''}{cites}." if here.rule else ""
        about = " ".join(part for part in (where, rule) if part)
        help = "" if secret.by is None or rule else with_seen(secret.by)
        self.problems.add(code, secret.span, note, second=second, about=about, help=help)

    def unneeded(self) -> None:
        """Complain about each `, seen` that tells nothing."""
        for span in self.seen:
            if span not in self.needed:
                note = "nothing secret would be told here"
                self.problems.add("seen-without-secret", seen_word(span), note)


def _missing(secret: Secret, viewers: Audience, here: Here) -> str:
    """Those of the viewers who do not see the secret, in words."""
    if viewers.but or secret.sight.but:
        return viewers.names()
    blind = {v for v in viewers.keys if not covers(secret.sight, only(v), here.env.apart)}
    return Audience(frozenset(blind)).names()


def with_seen(span: Span) -> str:
    """The line a construct stands on, with `, seen` where it belongs."""
    line = span.source.line(span.line)
    end = span.column - 1 + len(span.text.split("\n")[0])
    head, rest = line[:end].rstrip(), line[end:]
    if head.endswith(":"):
        head, rest = head[:-1], ":" + rest
    return f"{head}, seen{rest}".strip()


def seen_word(span: Span) -> Span:
    """The word `seen` of a construct."""
    line = span.text.split("\n")[0]
    start = line.rfind("seen")
    return span if start < 0 else Span(span.source, span.start + start, span.start + start + 4)
