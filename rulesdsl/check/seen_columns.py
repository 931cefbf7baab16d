"""`COLUMN seen` of a place: which columns all see, and where it cannot be said."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.check import model as m
from rulesdsl.check.context import Context
from rulesdsl.syntax import tree as t

_NO_COLUMNS = ("size seen", "top seen")
"""These mean the size and the top of a place, never a column of the name."""


def wrong_column_seen(decl: t.StateDecl, clause: t.ColumnSeen, is_unseen: bool) -> str:
    """Why a column cannot be seen here; empty where it can. `is_unseen`: some do not see all."""
    type_, word = decl.type.type, clause.column.text
    if not isinstance(type_, t.PlaceType):
        return f"`{word} seen` is for places, which this is not"
    if type_.place == "deck":
        return "of a deck rules and players see no more than how many lie there"
    if len(type_.kinds) > 1:
        return "a column is seen in places of one kind; here lie several"
    return "" if is_unseen else "all see it anyway"


def wrong_size_seen(decl: t.StateDecl, clause: t.Modifier, kinds: dict[str, m.Kind]) -> str:
    """Why `size seen` or `top seen` may not stand beside what is said of columns, or for one."""
    type_ = decl.type.type
    if clause.name not in _NO_COLUMNS or not isinstance(type_, t.PlaceType):
        return ""
    word = clause.name.split()[0]
    for kind in type_.kinds:
        if kind.text in kinds and word in kinds[kind.text].columns:
            return f"`{clause.name}` cannot mean the column {word} of {kind.text}; rename that"
    columns = [one.column.text for one in decl.type.clauses if isinstance(one, t.ColumnSeen)]
    if word == "size" and columns:
        return f"all see the size anyway, since they see the {columns[0]} of each"
    return ""


def columns_seen(c: Context, decl: t.StateDecl, kinds: tuple[m.Kind, ...]) -> Iterator[m.Column]:
    """The columns that all see of each component in a place."""
    for clause in decl.type.clauses:
        if not isinstance(clause, t.ColumnSeen) or len(kinds) > 1:
            continue
        word, (kind,) = clause.column, kinds
        if word.text in kind.columns:
            c.use(kind.columns[word.text])
            yield kind.columns[word.text]
        else:
            c.missing(word.span, word.text, kind.columns, f"{kind.name} has no column {word.text}")
