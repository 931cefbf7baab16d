"""What people and their editors do to YAML, told in plain words."""

from __future__ import annotations

import re
from collections.abc import Sequence

import yaml

from rulesdsl.syntax.yaml_nodes import Node, Text
from rulesdsl.text.problems import Problems
from rulesdsl.text.source import Source, Span

_PASTED = {
    "\u00a0": ("a no-break space (U+00A0)", " "),
    "\u2007": ("a no-break space (U+2007)", " "),
    "\u202f": ("a no-break space (U+202F)", " "),
    "\u200b": ("an invisible space (U+200B)", ""),
    "\u2013": ("a dash from a text program (U+2013)", "-"),
    "\u2014": ("a dash from a text program (U+2014)", "-"),
    "\u2212": ("a minus sign from a text program (U+2212)", "-"),
    "\u2018": ("a curly quote (U+2018)", "'"),
    "\u2019": ("a curly quote (U+2019)", "'"),
    "\u201c": ("a curly quote (U+201C)", '"'),
    "\u201d": ("a curly quote (U+201D)", '"'),
    "\u2026": ("three dots in one character (U+2026)", ".."),
    "\u2264": ("a sign for `less or equal` (U+2264)", "<="),
    "\u2265": ("a sign for `greater or equal` (U+2265)", ">="),
    "\u2260": ("a sign for `not equal` (U+2260)", "!="),
    "\u00d7": ("a multiplication sign (U+00D7)", "*"),
    "\u2192": ("an arrow in one character (U+2192)", "->"),
}
_PROSE = re.compile(r"^(\s*)(?:- )?(about|title|example|texts|rulings|invariants)\s*:")
_PASTED_RE = re.compile("[" + "".join(_PASTED) + "]")


def pasted_characters(source: Source, problems: Problems) -> None:
    """Characters that text programs put in; prose, comments and quoted texts may hold them."""
    prose_indent: int | None = None
    offset = 0
    for line in source.text.splitlines(keepends=True):
        start, offset = offset, offset + len(line)
        indent = len(line) - len(line.lstrip(" "))
        if prose_indent is not None and line.strip() and indent <= prose_indent:
            prose_indent = None
        prose = _PROSE.match(line)
        if prose and prose_indent is None:
            prose_indent = len(prose.group(1))
        if prose_indent is not None:
            continue
        if line[: len(line) - len(line.lstrip(" \t"))].count("\t"):
            at = start + line.index("\t")
            problems.add(
                "tab-indent",
                Span(source, at, at + 1),
                "a tab; YAML indents with spaces only",
                help="  " + line.strip(),
            )
            continue
        _pasted_in(source, start, line, problems)


def _pasted_in(source: Source, start: int, line: str, problems: Problems) -> None:
    bare = re.sub(r"\"[^\"]*\"|'[^']*'", lambda m: "_" * len(m.group()), line)
    comment = re.search(r"(^|\s)#", bare)
    if comment:
        bare = bare[: comment.start()]
    found = list(_PASTED_RE.finditer(bare))
    if not found:
        return
    fixed = line
    for char, (_, plain) in _PASTED.items():
        double = plain * 2 if char == "\u2013" and re.search(r"\d\u2013\d", line) else plain
        fixed = fixed.replace(char, ".." if double == "--" else double)
    for hit in found:
        at = start + hit.start()
        problems.add(
            "pasted-character",
            Span(source, at, at + 1),
            _PASTED[hit.group()][0],
            help=fixed.strip(),
        )


# ------------------------------------------------------------------ texts cut by commas


def cut_texts(span: Span, items: Sequence[Node], problems: Problems) -> None:
    """Inside [ ] and { } YAML cuts at every comma: parentheses that do not close show it."""
    texts = [item.text for item in items if isinstance(item, Text) and not item.quoted]
    if not any(text.count("(") != text.count(")") for text in texts):
        return
    whole = span.text[1:-1].strip()
    parts = _split_outside(whole)
    problems.add(
        "text-cut",
        span,
        "inside [ ] YAML cuts at every comma"
        if span.text[0] == "["
        else "inside { } YAML cuts at every comma",
        about="it reads as " + ", ".join(f"`{text}`" for text in texts),
        help="write a block: " + "; ".join(f"- {part}" for part in parts),
    )


def _split_outside(text: str) -> list[str]:
    """Split at commas that stand in no parentheses."""
    parts, depth, last = [], 0, 0
    for i, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if char == "," and depth <= 0:
            parts.append(text[last:i].strip())
            last = i + 1
    return [*parts, text[last:].strip()]


# ------------------------------------------------------------------ errors of YAML itself


def syntax_problem(source: Source, error: yaml.YAMLError, problems: Problems) -> None:
    """An error of the YAML parser in plain words, at its place."""
    shift = 1 if source.text.startswith("\ufeff") else 0
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    at = min((mark.index if mark is not None else 0) + shift, max(len(source.text) - 1, 0))
    note, help_ = _in_words(source, at, str(getattr(error, "problem", "") or error))
    problems.add("not-yaml", Span(source, at, at + 1), note, help=help_)


def _in_words(source: Source, at: int, problem: str) -> tuple[str, str]:
    number, _ = source.position(at)
    line = source.line(number)
    char = source.text[at : at + 1]
    if "mapping values are not allowed" in problem:
        return (
            "a second colon in one line: YAML takes what stands before it for a key",
            "put what follows on a line of its own, indented; or quote the text",
        )
    if "could not find expected ':'" in problem or "simple key" in problem:
        before = source.line(max(1, number - 1)).strip()
        return "a key lacks its colon near here", f"{before}:" if before else "end it with a colon"
    if "tab" in problem or char == "\t":
        return "a tab; YAML indents with spaces only", "  " + line.strip()
    if char in "@`%":
        return f"a text cannot begin with {char}", f'quote it: "{line.strip()}"'
    if "expected <block end>" in problem or "did not find expected '-'" in problem:
        return "this line is not indented like those above it", "give it the same indent"
    if "did not find expected key" in problem:
        return "this is not indented like the keys above it", "give it the same indent"
    if "flow" in problem or "',' or" in problem:
        return "a [ or { is not closed, or a comma is missing", "close it on the same line"
    if "quoted scalar" in problem:
        return "a quote is not closed", "close the quote"
    if "special characters" in problem or "control characters" in problem:
        return "a character that does not print", "take it out"
    if "escape" in problem:
        return "inside double quotes \\ begins an escape", "use single quotes"
    return "YAML cannot read on from here", "compare the indent with the lines above"
