"""The parse table of the grammar, saved beside it: made in half a second, loaded in milliseconds.

`python -m rulesdsl.syntax.table` makes it anew after a change of the grammar.
"""

from __future__ import annotations

import hashlib
import io
from functools import cache
from pathlib import Path

import lark
from lark import Lark

GRAMMAR = Path(__file__).with_name("grammar.lark")
TABLE = Path(__file__).with_name("grammar.bin")

STARTS = (
    "line",
    "header",
    "option",
    "signature",
    "event",
    "state_owner",
    "result_header",
    "row_key",
    "type",
    "kind",
    "column",
    "state_type",
    "maps",
    "ties",
    "components",
    "players",
    "expr",
    "preference",
    "play_line",
    "play_header",
    "pattern",
    "place",
    "zone",
)


@cache
def grammar() -> Lark:
    """The grammar ready to parse: from the saved table, or made anew when that is not current."""
    fingerprint, table = _saved()
    if fingerprint != _fingerprint():
        return make()
    return Lark.load(io.BytesIO(table))


@cache
def keywords() -> tuple[str, ...]:
    """All words of the grammar."""
    values = (terminal.pattern.value for terminal in grammar().terminals)
    return tuple(sorted(value for value in values if value.isalpha()))


def make(*, strict: bool = False) -> Lark:
    """The grammar made from its text; strict refuses any conflict (needs `interegular`)."""
    return Lark(
        _text(),
        parser="lalr",
        lexer="contextual",
        start=list(STARTS),
        maybe_placeholders=True,
        propagate_positions=True,
        strict=strict,
    )


def is_current() -> bool:
    """Whether the saved table is that of the grammar's text and of the library's version."""
    return _saved()[0] == _fingerprint()


def save() -> None:
    """Save the table beside the grammar."""
    table = io.BytesIO()
    make().save(table)
    TABLE.write_bytes(_fingerprint() + table.getvalue())


def _saved() -> tuple[bytes, bytes]:
    content = TABLE.read_bytes() if TABLE.is_file() else b""
    size = hashlib.sha256().digest_size
    return content[:size], content[size:]


def _text() -> str:
    return GRAMMAR.read_text(encoding="utf-8")


def _fingerprint() -> bytes:
    # the form of the table changes between minor versions of the library
    version = lark.__version__.rpartition(".")[0]
    return hashlib.sha256(" ".join((version, *STARTS, _text())).encode()).digest()


if __name__ == "__main__":
    save()
