"""The words of the grammar: which are reserved, and what its terminals are called."""

from __future__ import annotations

import re
from collections.abc import Collection

NAME = re.compile(r"[^\W\d_]\w*")
"""A name, as the grammar has it."""

_RESERVED = """
all and any at award but by chooses deal depending each elif else end false for from if in into is
keeps let maybe move nobody none not nothing of onto or otherwise pass players repeat roll rounded
seat secretly show shuffle step stop the then through to together true turn under until where while
wins
"""
RESERVED = frozenset(_RESERVED.split())
"""No name of a rule file but an option's: the grammar could not tell it from its own word."""

RESERVED_FOR_KINDS = frozenset({"bag", "best", "deck", "first", "pile", "slot"})
"""No names of kinds and procedures."""

CALLED = {
    "line": "a step",
    "header": "a header",
    "option": "an option",
    "signature": "a name with its arguments",
    "event": "an event",
    "state_owner": "`shared`, `each KIND` or `each player, each KIND`",
    "result_header": "`for NAME in players`",
    "row_key": "a label of a row",
    "type": "a type",
    "kind": "a range, `every two of KIND` or `grid ROWS by COLUMNS`",
    "column": "a type, or `bag of KIND`",
    "state_type": "a type with what is said about it",
    "maps": "`TYPE -> TYPE`",
    "ties": "a rule for ties",
    "components": "a component",
    "players": "a number of players",
    "expr": "an expression",
    "preference": "a preference",
    "play_line": "a call, `stop` or a move",
    "play_header": "a check",
    "pattern": "a place",
    "place": "a place",
    "zone": "a place",
}
"""What a start symbol of the grammar stands for."""

_SIGNS = {
    "__ANON_0": "`..`",
    "__ANON_1": "`change`",
    "__ANON_2": "`->`",
    "CHANGE": "`+=`",
    "COMMA": "`,`",
    "COMPARE": "a comparison",
    "DOT": "`.`",
    "EQUAL": "`=`",
    "INT": "a number",
    "LPAR": "`(`",
    "LSQB": "`[`",
    "MINUS": "`-`",
    "NAME": "a name",
    "OPEN": "an open range like `9+`",
    "PLUS": "`+`",
    "RPAR": "`)`",
    "RSQB": "`]`",
    "SLASH": "`/`",
    "STAR": "`*`",
    "_GIVE_OR_TAKE": "`give or take`",
    "$END": "the end",
}
_VALUE = frozenset({"INT", "NAME", "LPAR", "MINUS", "SEAT", "NOT", "IF", "BEST", "FIRST"})
_OPERATOR = frozenset({"PLUS", "MINUS", "STAR", "SLASH", "COMPARE", "AND", "OR", "DOT", "LSQB"})


def what_may_stand(terminals: Collection[str]) -> str:
    """The terminals in plain words: `a value, an operator or the end`."""
    left = set(terminals)
    told = []
    if {"INT", "NAME", "LPAR"} <= left:
        told.append("a value")
        left -= _VALUE
    if {"PLUS", "STAR", "SLASH"} <= left:
        told.append("an operator")
        left -= _OPERATOR
    told += sorted(_SIGNS.get(name, f"`{name.lower()}`") for name in left - {"$END"})
    if "$END" in left:
        told.append("the end")
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} or {told[-1]}"
