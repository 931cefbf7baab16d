"""What a key says when it is no tree on its own: heads that wait for what stands below them."""

from __future__ import annotations

from typing import TypeAlias

from rulesdsl.syntax.bot_tree import Preference
from rulesdsl.syntax.tree import (
    Branch,
    Chooses,
    Clause,
    Components,
    Depending,
    Do,
    Domain,
    Event,
    EveryTwo,
    Expr,
    For,
    GridOf,
    MapsType,
    Named,
    Option,
    PlayStop,
    Repeat,
    RowKey,
    Secretly,
    Signature,
    StateOwner,
    StateType,
    Step,
    Together,
    Turns,
    TypeExpr,
    While,
    Word,
    ZonePattern,
)
from rulesdsl.text.records import record
from rulesdsl.text.source import Span


@record
class AwardHead:
    """`award points to p in players where c`."""

    span: Span
    field: Word
    binder: Word
    domain: Domain
    where: Expr | None
    seen: bool


@record
class BranchHead:
    """`if c`, `elif c`, `else`; word is the first word."""

    word: str
    branch: Branch


@record
class Otherwise:
    """`otherwise` among the options."""

    span: Span


@record
class PlayHead:
    """A key in `play`: its word (`legal`, `sees`, `dealt`, ...) with a seat or a place."""

    span: Span
    word: str
    seat: Word | None
    place: Expr | None


@record
class Ties:
    """What a tie for a prize means."""

    span: Span
    words: str


@record
class Players:
    """A number of players, or from the fewest to the most."""

    span: Span
    low: int
    high: int


WithBody: TypeAlias = For | Turns | While | Repeat | Together | Secretly | Named
Header: TypeAlias = WithBody | BranchHead | AwardHead | Chooses | Depending
Parsed: TypeAlias = (
    Step
    | Header
    | Option
    | Otherwise
    | Signature
    | Event
    | Word
    | StateOwner
    | RowKey
    | TypeExpr
    | EveryTwo
    | GridOf
    | StateType
    | Clause
    | MapsType
    | Ties
    | Components
    | Players
    | Expr
    | Do
    | PlayStop
    | Preference
    | PlayHead
    | ZonePattern
)
