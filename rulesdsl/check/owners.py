"""Whose the copies of a piece of state are.

A copy is told by its key: 0 for what is shared, a seat, a member, and for what each player has for
each member of a kind `seat * members + member`.
"""

from __future__ import annotations

from typing import TypeAlias

from rulesdsl.check import model as m

Piece: TypeAlias = m.Scalar | m.Zone | m.PlaceNote


def kind_of_pair(what: Piece) -> m.Kind | None:
    """The kind for each member of which every player has one."""
    return what.per.kind if isinstance(what.per, m.PlayerAnd) else None


def is_players(what: Piece) -> bool:
    """Whether each copy belongs to a player."""
    return what.per == "player" or isinstance(what.per, m.PlayerAnd)


def section_of(what: Piece) -> str:
    """Where the model has it: `shared`, `player` or a kind."""
    match what.per:
        case m.Kind():
            return what.per.name
        case m.PlayerAnd():
            return "player"
        case str():
            return what.per


def copies_of(what: Piece, seats: int) -> int:
    """How many there are: one, one a seat, one a member, or one a seat and member."""
    match what.per:
        case m.Kind():
            return len(what.per)
        case m.PlayerAnd(kind=kind):
            return seats * len(kind)
        case str():
            return seats if what.per == "player" else 1


def owner_seat(what: Piece, key: int) -> int | None:
    """The seat of the player whose copy it is; None for what is no player's."""
    kind = kind_of_pair(what)
    if kind is not None:
        return key // len(kind)
    return key if what.per == "player" else None


def owner_member(what: Piece, key: int) -> int | None:
    """The member of a kind whose copy it is, or for which a player has it."""
    kind = kind_of_pair(what)
    if kind is not None:
        return key % len(kind)
    return key if isinstance(what.per, m.Kind) else None


def told_of_start(what: Piece, key: int) -> int:
    """What the start of a copy is worked out for: its member, else its player."""
    member = owner_member(what, key)
    return key if member is None else member


def key_beside(zone: m.Zone, place: m.Place) -> m.Expr | None:
    """Whose a zone is that goes with another place: of the same owner, or shared."""
    if zone.per == "player" and isinstance(place.key, m.MemberOf):
        return place.key.player
    return None if zone.per == "shared" else place.key
