"""The tree of a bot file: what was written."""

from __future__ import annotations

from rulesdsl.syntax.tree import DefineDecl, Expr, MeasureDecl, Word
from rulesdsl.text.records import record
from rulesdsl.text.source import Span


@record
class Chosen:
    """An argument of a move: its value, perhaps give or take a number; name None: the first."""

    span: Span
    name: Word | None
    value: Expr
    within: Expr | None


@record
class Preference:
    """`bid min(worth, me.money) give or take 3 where c by e if d`."""

    span: Span
    option: Word
    chosen: tuple[Chosen, ...]
    where: Expr | None
    by: tuple[Expr, ...]
    only_if: Expr | None


@record
class Decision:
    """What a bot prefers where a choice stands, the best first."""

    path: tuple[Word, ...]
    preferences: tuple[Preference, ...]


@record
class BotFile:
    """A player as data: for which game, and what he prefers."""

    span: Span
    game: Word
    name: Word
    extends: Word | None
    about: str
    defines: tuple[DefineDecl, ...]
    decisions: tuple[Decision, ...]
    worth: Expr | None
    measures: tuple[MeasureDecl, ...]
