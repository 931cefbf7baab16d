"""Texts that YAML cuts or joins without a word: found, told, and mended as far as is certain."""

from __future__ import annotations

import re
from typing import Any, Final

from rulesdsl.syntax.yaml_characters import PROSE_KEYS, Characters
from rulesdsl.syntax.yaml_nodes import Empty, Entry, List, Map, Node, Text
from rulesdsl.text.problems import Problems, Second
from rulesdsl.text.source import Span

OPEN_END: Final = re.compile(
    r"(?:[-=<>*/,(]|\.\.|(?<!\d)\+|(?<!\w)(?:and|or|not|if|then|else|in|where|from|to|of|by))\Z"
)
_COMMENT: Final = re.compile(r"[ \t]+(#.*)")
_HEADER: Final = re.compile(
    r"(?:if|elif|else|for|while|repeat|together|step|award)\b|.*\b(?:chooses|choosing)\Z|\w+\(.*\)\Z"
)
_COUNTS: Final = ("no", "one text", "two texts", "three texts", "four texts", "five texts")


def check_comment(text: Text, problems: Problems) -> None:
    """Tell of a text that ends in the middle because ` #` begins a comment."""
    source = text.span.source.text
    comment = _COMMENT.match(source, text.span.end)
    if comment is None:
        return
    if not OPEN_END.search(text.text) and text.text.count("(") <= text.text.count(")"):
        return
    rest = comment[1].rstrip()
    start = comment.start(1)
    whole = f"{before(text.span)}{text.text} {rest[1:].lstrip()}"
    problems.add(
        "comment-cut",
        Span(text.span.source, start, start + len(rest)),
        "` #` begins a comment: this is not read",
        second=Second(text.span, "the text ends here"),
        help=whole,
    )


def is_header(text: str) -> bool:
    """Whether a line looks as if a body should follow it."""
    return _HEADER.match(text) is not None


def before(span: Span) -> str:
    """What stands before a place on its line, without the indent."""
    text = span.source.text
    return text[text.rfind("\n", 0, span.start) + 1 : span.start].lstrip()


def balance(text: str) -> int:
    """Open parentheses less closed ones."""
    return text.count("(") - text.count(")")


def mend_list(
    span: Span, items: list[Node], key: Text | None, problems: Problems
) -> list[Node] | None:
    """Join what commas have cut in a `[ ]`, or None where nothing was cut."""
    if not any(_is_cut(item) for item in items):
        return None
    mended: list[Node] = []
    for item in items:
        last = mended[-1] if mended else None
        if isinstance(last, Text) and isinstance(item, Text) and balance(last.text) > 0:
            mended[-1] = _joined(last, item)
        else:
            mended.append(item)
    parts = [item.span.text for item in mended]
    _tell_cut(span, [item.span.text for item in items], [f"- {p}" for p in parts], key, problems)
    return mended


def mend_map(
    span: Span, entries: list[Entry], key: Text | None, problems: Problems
) -> list[Entry] | None:
    """Join what commas have cut in a `{ }`, or None where nothing was cut."""
    if not any(_is_cut(entry.key) or _is_cut(entry.value) for entry in entries):
        return None
    mended: list[Entry] = []
    for entry in entries:
        last = mended[-1] if mended else None
        if last and isinstance(last.value, Empty) and balance(last.key.text) > 0:
            mended[-1] = Entry(_joined(last.key, entry.key), entry.value)
        elif (
            last
            and isinstance(last.value, Text)
            and balance(last.value.text) > 0
            and isinstance(entry.value, Empty)
        ):
            mended[-1] = Entry(last.key, _joined(last.value, entry.key))
        else:
            mended.append(entry)
    read = [_as_read(entry) for entry in entries]
    lines = [
        _as_read(entry) if not isinstance(entry.value, Empty) else f"{entry.key.text}:"
        for entry in mended
    ]
    _tell_cut(span, read, lines, key, problems)
    return mended


def _is_cut(node: Node) -> bool:
    return isinstance(node, Text) and not node.quoted and balance(node.text) != 0


def _joined(one: Text, other: Text) -> Text:
    span = one.span.to(other.span)
    exact = one.exact and other.exact and "\n" not in span.text
    return Text(span, span.text, exact, quoted=False)


def _as_read(entry: Entry) -> str:
    match entry.value:
        case Empty():
            return entry.key.text
        case List() if not entry.value.items:
            return f"{entry.key.text}: nothing"
        case Text() | List() | Map():
            return f"{entry.key.text}: {entry.value.span.text}"


def _tell_cut(
    span: Span, read: list[str], lines: list[str], key: Text | None, problems: Problems
) -> None:
    brackets = "[ ]" if span.text.startswith("[") else "{ }"
    count = _COUNTS[len(read)] if len(read) < len(_COUNTS) else f"{len(read)} texts"
    head = f"{key.text}:\n  " if key else ""
    problems.add(
        "text-cut",
        span,
        f"inside {brackets} YAML cuts at every comma",
        about=f"it reads as {count}: " + ", ".join(f"`{part}`" for part in read),
        help=head + ("\n  " if key else "\n").join(lines),
    )


def read_joined(
    characters: Characters, span: Span, event: Any, key: Text | None, problems: Problems
) -> Text:
    """Tell of a text on several lines, which YAML joins to one, and read it as was meant."""
    first_end = span.start + len(span.text.split("\n", 1)[0].rstrip())
    first = Span(span.source, span.start, first_end)
    rest = span.text[first_end - span.start :]
    second_start = first_end + len(rest) - len(rest.lstrip())
    second_end = second_start + len(rest.lstrip().split("\n", 1)[0].rstrip())
    second = Span(span.source, second_start, second_end)
    quoted = event.style in ("'", '"')
    value: str = event.value
    if not quoted and (second.text.startswith("- ") or _is_step(first, second)):
        _tell_step(first, second, value, problems)
        text = characters.meant(first.start, first.end)
        return Text(first, text, characters.is_as_written(first.start, first.end), quoted=False)
    problems.add(
        "joined-lines",
        second,
        "YAML joins this line to the one above",
        second=Second(first, "here the text begins"),
        help=_one_text(span, value, key),
    )
    return Text(span, value, exact=False, quoted=quoted)


def _is_step(first: Span, second: Span) -> bool:
    """Whether the second line looks like a step of its own, right under the first."""
    return (
        first.column == second.column
        and before(first).strip(" -") == ""
        and not OPEN_END.search(first.text)
        and re.match(r"(?!(?:and|or|then|else|where|by)\b)\w", second.text) is not None
    )


def _one_text(span: Span, value: str, key: Text | None) -> str:
    if key and key.text in PROSE_KEYS:
        return f"{key.text}: >-\n  (the text, indented, on as many lines as it needs)"
    if len(value) > 90:
        return "write it on one line, or give a part of it a name under define"
    quote = span.text[0] if span.text[0] in "\"'" else ""
    return f"{before(span)}{quote}{value}{quote}"


def _tell_step(first: Span, second: Span, value: str, problems: Problems) -> None:
    """A line that YAML takes for more of the text above it."""
    if not second.text.startswith("- "):
        problems.add(
            "step-without-dash",
            second,
            "YAML joins this line to the one above; a new step begins with `- `",
            help=f"- {second.text}",
        )
    elif is_header(first.text):
        problems.add(
            "header-without-colon",
            Span(first.source, first.end - 1, first.end),
            "a colon is missing behind this header",
            second=Second(second, "so YAML joins this line to it"),
            help=f"{before(first)}{first.text}:",
        )
    else:
        problems.add(
            "joined-lines",
            second,
            f"YAML joins this line to the one above: `{shortened(value, 60)}`",
            second=Second(first, "here the text begins"),
            help=f"{second.text}   (not deeper than the line above)",
        )


def shortened(text: str, most: int) -> str:
    """A text, or its beginning if it is long."""
    return text if len(text) <= most else text[: most - 3] + "..."
