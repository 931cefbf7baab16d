"""The parse table of the grammar, saved beside it: made in half a second, loaded in milliseconds.

`python -m rulesdsl.syntax.table` makes it anew after a change of the grammar.
"""

from __future__ import annotations

import hashlib
import pickle
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
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
END = "$END"
"""The terminal behind the last piece of a text."""
PIECES = ("NAME", "INT", "WS_INLINE")
"""The terminals that `grammar.py` cuts a text into by itself, with signs."""
SIGN = r"[-+=!<>]=|->|\.\.|[^\w\s]"
"""A sign of the language, as an expression: the longest one first."""


class Rule(NamedTuple):
    """A rule of the grammar, and the tree that it makes of its parts.

    `kept` are the parts that are children: which one, whether its own children stand for it, and
    how many absent ones are before it; `absent` are absent at the end. Of a `single` rule one child
    alone stands for its tree; of one that `passes` it always does.
    """

    origin: str
    size: int
    name: str
    kept: tuple[tuple[int, bool, int], ...]
    absent: int
    single: bool
    passes: bool


class Table(NamedTuple):
    """The grammar as an LALR(1) automaton.

    `states` say what follows a terminal or a rule's origin: the number of the next state, or ~n
    where rule n ends. `words` are the terminals of words and signs that are always written alike,
    `longer` the expressions of those that are more than a word, a number or a sign.
    """

    starts: dict[str, int]
    ends: dict[str, int]
    states: tuple[dict[str, int], ...]
    rules: tuple[Rule, ...]
    words: dict[str, str]
    longer: dict[str, str]


@cache
def table() -> Table:
    """The table of the grammar: the saved one, or made anew when that is not current."""
    fingerprint, content = _saved()
    if fingerprint != _fingerprint():
        return made()
    saved = Table._make(pickle.loads(content))
    return saved._replace(rules=tuple(map(Rule._make, saved.rules)))


@cache
def keywords() -> tuple[str, ...]:
    """All words of the grammar."""
    return tuple(sorted(word for word in table().words if word.isalpha()))


def lark_of(*, strict: bool = False) -> Lark:
    """The grammar made from its text by the library; strict refuses any conflict."""
    from lark import Lark

    return Lark(
        GRAMMAR.read_text(encoding="utf-8"),
        parser="lalr",
        lexer="contextual",
        start=list(STARTS),
        maybe_placeholders=True,
        propagate_positions=True,
        strict=strict,
    )


def made() -> Table:
    """The table made from the grammar's text."""
    lark: Any = lark_of()
    lalr = lark.parser.parser._parse_table
    numbers = {rule: number for number, rule in enumerate(lark.rules)}
    return Table(
        lalr.start_states,
        lalr.end_states,
        tuple(
            {
                name: ~numbers[to] if to in numbers else to
                for name, (_, to) in lalr.states[number].items()
            }
            for number in range(len(lalr.states))
        ),
        tuple(map(_rule, lark.rules)),
        *_terminals(lark.terminals),
    )


def _rule(rule: Any) -> Rule:
    """A rule of the library, with what it makes of the parts."""
    size = len(rule.expansion)
    empty = rule.options.empty_indices or [False] * size
    absent = [len(ones) for ones in "".join("01"[one] for one in empty).split("0")]
    kept, before = [], 0
    for index, part in enumerate(rule.expansion):
        before += absent[index]
        if rule.options.keep_all_tokens or not (part.is_term and part.filter_out):
            kept.append((index, not part.is_term and part.name.startswith("_"), before))
            before = 0
    origin, single = str(rule.origin.name), rule.options.expand1 and not rule.alias
    name = str(rule.alias or origin)
    passes = single and size == 1 and kept == [(0, False, 0)] and not absent[-1]
    return Rule(origin, size, name, tuple(kept), before + absent[-1], single, passes)


def _terminals(terminals: Any) -> tuple[dict[str, str], dict[str, str]]:
    """The terminal of each word and each sign; the expressions of the longer ones."""
    words = {t.pattern.value: t.name for t in terminals if t.pattern.type == "str"}
    signs = {sign for t in terminals for sign in re.findall(SIGN, t.pattern.value)}
    longer = {}
    for terminal in terminals:
        if terminal.pattern.type == "re" and terminal.name not in PIECES:
            expression = terminal.pattern.to_regexp()
            found = [sign for sign in signs if re.fullmatch(expression, sign)]
            words.update(dict.fromkeys(found, terminal.name))
            if not found:
                longer[terminal.name] = expression
    return words, longer


def is_current() -> bool:
    """Whether the saved table is that of the grammar's text."""
    return _saved()[0] == _fingerprint()


def save() -> None:
    """Save the table beside the grammar."""
    found = made()
    # plain values only: this module has another name when it is run than when it is imported
    plain = tuple(found._replace(rules=tuple(map(tuple, found.rules))))  # type: ignore[arg-type]
    TABLE.write_bytes(_fingerprint() + pickle.dumps(plain, protocol=5))


def _saved() -> tuple[bytes, bytes]:
    content = TABLE.read_bytes() if TABLE.is_file() else b""
    size = hashlib.sha256().digest_size
    return content[:size], content[size:]


def _fingerprint() -> bytes:
    form = " ".join((*STARTS, *Rule._fields, *Table._fields))
    return hashlib.sha256(form.encode() + GRAMMAR.read_bytes()).digest()


if __name__ == "__main__":
    save()
