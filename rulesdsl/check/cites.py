"""References: every `cite` names a source and a section of it."""

from __future__ import annotations

import re

from rulesdsl.check import model as m
from rulesdsl.check.context import replaced
from rulesdsl.check.written import cites_in
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Problems, Second
from rulesdsl.text.source import Span
from rulesdsl.text.spelling import nearest


def called(source: m.SourceText) -> str:
    """The word that cites a source: `book`; of a list of texts one of them: `ruling`."""
    plural = source.name.endswith("s") and any(source.sections.values())
    return source.name[:-1] if plural else source.name


def check_cites(
    model: m.Model, file: t.RuleFile, unread: frozenset[str], problems: Problems
) -> None:
    """Tell the references that lead nowhere; not those to what could not be read."""
    declared = {source.name.text: source.name.span for source in file.sources}
    sections = {
        (source.name.text, word.text): word.span
        for source in file.sources
        for word in (*source.sections, *(word for word, _ in source.texts))
    }
    sources = {called(source): source for source in model.sources.values()}
    for cite in cites_in(file):
        source = sources.get(cite.source)
        if set(re.findall(r"\w+", cite.section)) <= unread:
            continue
        if source is None:
            first = Span(cite.span.source, cite.span.start, cite.span.start + len(cite.source))
            note = f"there is no source {cite.source}"
            near = nearest(cite.source, sources)
            second = (
                Second(declared[sources[near].name], "did you mean this one?") if near else None
            )
            _tell(first, note, near, second, problems)
        elif cite.section not in source.sections:
            last = Span(cite.span.source, cite.span.end - len(cite.section), cite.span.end)
            near = nearest(cite.section, source.sections)
            meant = sections.get((source.name, near or ""))
            second = Second(declared[source.name], "what it has is listed here")
            if meant is not None:
                second = Second(meant, "did you mean this one?")
            note = f"{source.name} has no section {cite.section}"
            if any(source.sections.values()):
                note = f"there is no {cite.source} {cite.section}"
            _tell(last, note, near, second, problems)


def _tell(
    span: Span, note: str, near: str | None, second: Second | None, problems: Problems
) -> None:
    help_ = replaced(span, near) if near else ""
    problems.add("unknown-cite", span, note, second=second, help=help_)
