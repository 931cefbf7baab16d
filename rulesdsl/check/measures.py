"""Measures: what is asked for when a game is over, of the table or of each player."""

from __future__ import annotations

from rulesdsl.check import model as m
from rulesdsl.check.context import BOOL, PLAYER, Context
from rulesdsl.check.expressions import Expressions
from rulesdsl.check.scopes import Scope
from rulesdsl.check.types import Types
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Second


def check_measures(
    e: Expressions,
    types: Types,
    decls: tuple[t.MeasureDecl, ...],
    me: m.Local | None = None,
) -> dict[str, m.Measure]:
    """The measures of a rule file by name; those of a bot are asked of each player `me`.

    They belong to who studies games: they may read all that there is, and nothing reads them.
    """
    c, found = e.c, dict[str, m.Measure]()
    for decl in decls:
        word = decl.signature.name
        c.within("measure", word.text, ())
        if word.text in found:
            second = Second(found[word.text].span, "here already")
            c.add("duplicate-name", word.span, f"{word.text} is measured already", second=second)
            continue
        scope = Scope() if me is None else Scope(names={me.name: me})
        player = _player(types, decl, scope) if me is None else _none_but(c, decl, me)
        value = e.expr(decl.value, scope, BOOL)
        if value is not None and value.type != BOOL:
            value = e.as_number(value)
        if value is not None:
            found[word.text] = m.Measure(word.span, word.text, player, value, decl.about)
    return found


def _player(types: Types, decl: t.MeasureDecl, scope: Scope) -> m.Local | None:
    """The player of whom it is asked."""
    c, formals = types.c, decl.signature.formals
    if len(formals) == 1 and types.type(formals[0].type) == PLAYER:
        return c.new_local(formals[0].name, PLAYER, scope)
    if formals:
        note = "a measure is asked of each player, or of the table: it has no other arguments"
        help = f"{decl.signature.name.text}(p in players)"
        c.add("wrong-number", formals[-1].span, note, help=help)
        for formal in formals:
            c.bind_unknown(formal.name, scope)
    return None


def _none_but(c: Context, decl: t.MeasureDecl, me: m.Local) -> m.Local:
    for formal in decl.signature.formals[:1]:
        note = f"what a bot measures is asked of {me.name}: it has no arguments"
        c.add("wrong-number", formal.span, note, help=decl.signature.name.text)
    return me
