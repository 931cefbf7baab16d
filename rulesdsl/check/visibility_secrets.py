"""Secrets and who sees them: players by name, audiences, labels, and the words for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import TypeAlias

from attrs import evolve, field, frozen

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import KindType
from rulesdsl.text.source import Span


class Unsaid(Enum):
    """Stands for a member that nothing names: it may be any."""

    MEMBER = "member"


Member: TypeAlias = m.Local | int | Unsaid | None
"""For which member of a kind somebody has something: by its name, or the member itself."""


def member_in(key: m.Expr | None) -> Member:
    """For which member something is; None for what is for none."""
    match key:
        case m.MemberOf():
            return member_in(key.member)
        case m.Const(type=KindType()):
            return key.value
        case m.LocalRead(type=KindType()):
            return key.local
        case None:
            return None
        case _:
            return Unsaid.MEMBER if isinstance(key.type, KindType) else None


@frozen
class Key:
    """A player by name. Two names are the same player only if they are equal.

    kind: `local` (a Local), `seat` (its number), `neighbour` (the step, of another key),
    `state` (a Scalar, perhaps of another key, perhaps for a member), `other` (an expression,
    equal to nothing else).
    """

    kind: str
    what: object
    of: Key | None = None
    member: Member = None

    def parts(self) -> tuple[Key, ...]:
        return (self,) if self.of is None else (self, *self.of.parts())

    @property
    def locals(self) -> frozenset[m.Local]:
        named = (one for k in self.parts() for one in (k.what, k.member))
        return frozenset(one for one in named if isinstance(one, m.Local))

    @property
    def name(self) -> str:
        """The player as in a sentence: `p`, `the seller`, `the player on seat 1`."""
        if self.kind == "seat":
            return "the player on this seat"
        name = self.what.name if isinstance(self.what, (m.Local, m.Scalar)) else "other player"
        if self.kind == "neighbour":
            name = "neighbour"
        return name if len(name) == 1 else f"the {name}"


@frozen
class Audience:
    """These players, or (with `but`) all but these."""

    keys: frozenset[Key] = frozenset()
    but: bool = False

    def __or__(self, other: Audience) -> Audience:
        if self.but and other.but:
            return Audience(self.keys & other.keys, True)
        if self.but:
            return Audience(self.keys - other.keys, True)
        if other.but:
            return Audience(other.keys - self.keys, True)
        return Audience(self.keys | other.keys)

    def names(self) -> str:
        """The audience as the subject of a sentence."""
        listed = " and ".join(sorted(key.name for key in self.keys))
        if not self.but:
            return listed or "nobody"
        return f"everybody but {listed}" if self.keys else "everybody"


EVERYBODY = Audience(but=True)
NOBODY = Audience()


def only(*keys: Key) -> Audience:
    return Audience(frozenset(keys))


Apart: TypeAlias = frozenset[frozenset[Key]]
"""Pairs of players that cannot be the same."""


def differ(a: Key, b: Key, apart: Apart) -> bool:
    """Whether two names are certainly different players (there are always two or more)."""
    if frozenset((a, b)) in apart:
        return True
    if a.kind == b.kind == "seat":
        return a.what != b.what
    return (a.kind == "neighbour" and a.of == b) or (b.kind == "neighbour" and b.of == a)


def covers(sight: Audience, viewers: Audience, apart: Apart) -> bool:
    """Whether all viewers certainly see what `sight` sees."""
    if viewers.but:
        return sight.but and sight.keys <= viewers.keys
    if not sight.but:
        return viewers.keys <= sight.keys
    return all(differ(v, k, apart) for v in viewers.keys for k in sight.keys)


@frozen
class Secret:
    """Something read that not all see.

    `sight` are those who see it, `owner` whose it is (`many`: of several players), `member` for
    which member of a kind. `told` is the construct whose `, seen` tells it. `span` is where it is
    read, `by` the condition or line that could be `seen`.
    """

    sight: Audience
    what: m.Scalar | m.Zone | m.Local
    owner: Key | None
    many: bool
    member: Member = Unsaid.MEMBER
    told: Span | None = None
    span: Span = field(eq=False, kw_only=True)
    by: Span | None = field(eq=False, default=None, kw_only=True)

    def lies_in(self, place: m.Place, owner: Key | None) -> bool:
        """Whether it certainly is what lies in this very place."""
        member = member_in(place.key)
        here = self.what is place.zone and self.owner == owner
        return here and self.member == member and member is not Unsaid.MEMBER

    def words(self) -> str:
        """The secret as the object of `would learn`."""
        name = self.what.name
        if isinstance(self.what, m.Local):
            return f"the secret choice of {name}"
        if self.many:
            name = f"the {name} of the players"
        elif self.owner is not None:
            name = f"{self.owner.name}'s {name}"
        return f"what lies in {name}" if isinstance(self.what, m.Zone) else name

    def modifier(self) -> str:
        """Who sees it, as a note at its declaration."""
        if isinstance(self.what, m.Local):
            return "chosen in secret"
        note = {
            m.Sight.ALL: "its owner may not tell",
            m.Sight.OWNER: "only its owner sees it",
            m.Sight.NOBODY: "nobody sees it",
            m.Sight.OTHERS: "its owner does not see it",
        }[self.what.sight]
        columns = self.what.columns_seen if isinstance(self.what, m.Zone) else ()
        seen = " and ".join(column.name for column in columns)
        return f"{note}; all see the {seen} of each" if seen else note


Label: TypeAlias = frozenset[Secret]
OPEN: Label = frozenset()


def at(label: Label, span: Span) -> Label:
    """The secrets as read at this place."""
    return frozenset(evolve(s, span=span) for s in label)


def by(label: Label, span: Span | None, seen: bool = False) -> Label:
    """The secrets as part of a condition or line; with `seen` they are told there."""
    told = span if seen else None
    return frozenset(evolve(s, by=span, told=s.told or told) for s in label)


def widen(label: Label, gone: Callable[[Key], bool], known: Audience = NOBODY) -> Label:
    """The secrets when some names no longer mean one player: fewer are certain to see them.

    `known` are players who are certainly not among those named by the names that are gone.
    """
    return frozenset(_wider(s, gone, known) for s in label)


def _wider(secret: Secret, gone: Callable[[Key], bool], known: Audience) -> Secret:
    lost = {key for key in secret.sight.keys if gone(key)}
    many = secret.many or (secret.owner is not None and gone(secret.owner))
    if isinstance(secret.member, m.Local) and gone(Key("local", secret.member)):
        secret = evolve(secret, member=Unsaid.MEMBER)
    if not lost:
        return evolve(secret, many=many)
    if secret.sight.but:
        sight = known if lost == secret.sight.keys else NOBODY
    else:
        sight = Audience(secret.sight.keys - lost)
    return evolve(secret, sight=sight, many=many)


def sight_of(what: m.Scalar | m.Zone, owner: Key | None) -> Audience:
    """Who sees a piece of state."""
    match what.sight:
        case m.Sight.ALL:
            return EVERYBODY
        case m.Sight.NOBODY:
            return NOBODY
        case m.Sight.OWNER:
            return NOBODY if owner is None else only(owner)
        case m.Sight.OTHERS:
            return EVERYBODY if owner is None else Audience(frozenset((owner,)), True)


def sees_size(zone: m.Zone, owner: Key | None) -> Audience:
    """Who sees how many components lie in a place."""
    open_ = zone.size_seen or zone.shape is m.Shape.DECK or zone.sight is m.Sight.NOBODY
    return EVERYBODY if open_ else sight_of(zone, owner)


def ordered(label: Iterable[Secret]) -> list[Secret]:
    """Secrets in the order of the places where they are read."""
    return sorted(label, key=lambda s: (s.span.source.name, s.span.start, s.what.name))
