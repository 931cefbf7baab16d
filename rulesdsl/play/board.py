"""Where each piece of the state stands on a drawn board, and what its components look like."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulesdsl.check.datatypes import Column, Kind, KindType
from rulesdsl.check.model import PlayerAnd, Scalar, Zone
from rulesdsl.play.drawn import labels
from rulesdsl.play.rules import Rules
from rulesdsl.play.texts import Wording

MOST_TINTS = 12
"""A kind of more members than this has no colour for each."""
_ANGLE, _TURN = 137.508, 47.0
"""Between the hues of two members, and by how much the next kind begins elsewhere."""


@frozen
class Spot:
    """One copy of a piece of state: its path, and those of what is said about its components."""

    path: str
    notes: tuple[str, ...] = ()


@frozen
class Track:
    """A row or a column: what it is called; a `place` holds components."""

    title: str
    place: bool = False


@frozen
class Block:
    """A table. `role` is `shared` (one column), `players`, `members`, `grid` or `matrix`."""

    role: str
    title: str
    rows: tuple[Track, ...]
    columns: tuple[Track, ...]
    spots: tuple[tuple[Spot, ...], ...]


@frozen
class Board:
    """The board of a game in the words of its rule file."""

    rules: Rules
    wording: Wording

    def blocks(self) -> Iterator[Block]:
        """What is shared, the players, the members of each kind, then players by members."""
        seats = tuple(Track(self.wording.name(seat)) for seat in self.rules.words.seats)
        shared, players = self._of("shared"), self._of("player")
        if shared:
            rows = tuple(map(self._track, shared))
            yield Block("shared", "Table", rows, (), tuple((self._spot(one),) for one in shared))
        if players:
            tracks = tuple(map(self._track, players))
            yield Block("players", "Players", seats, tracks, self._rows(players, len(seats)))
        for kind in self.rules.machine.model.kinds.values():
            own = self._of(kind)
            if kind.grid is not None:
                yield from (self._grid(one, kind, len(own) == 1) for one in own)
            elif own:
                tracks, members = tuple(map(self._track, own)), self._members(kind)
                spots = self._rows(own, len(kind))
                yield Block("members", self.wording.title(kind.name), members, tracks, spots)
        for one in self._declared():
            if isinstance(one.per, PlayerAnd):
                yield self._matrix(one, one.per.kind, seats)

    def _grid(self, one: Scalar | Zone, kind: Kind, alone: bool) -> Block:
        """A board for a piece of state, the northernmost row first."""
        assert kind.grid is not None
        beside, below = labels(kind, self.wording)
        place, wide = isinstance(one, Zone), kind.grid.columns
        spots = [
            tuple(self._spot(one, row * wide + column) for column in range(wide))
            for row in range(kind.grid.rows)
        ]
        title = self.wording.title(kind.name if alone else one.name)
        rows, columns = (tuple(Track(x, place) for x in found) for found in (beside, below))
        return Block("grid", title, rows[::-1], columns, tuple(spots[::-1]))

    def _matrix(self, one: Scalar | Zone, kind: Kind, seats: tuple[Track, ...]) -> Block:
        """A member in each row, since there are fewer players than members."""
        place = isinstance(one, Zone)
        columns = tuple(Track(seat.title, place) for seat in seats)
        spots = tuple(
            tuple(self._spot(one, seat * len(kind) + member) for seat in range(len(seats)))
            for member in range(len(kind))
        )
        return Block("matrix", self.wording.title(one.name), self._members(kind), columns, spots)

    def _declared(self) -> list[Scalar | Zone]:
        """The numbers, then the places."""
        model = self.rules.machine.model
        return [*model.scalars.values(), *model.zones.values()]

    def _of(self, per: Kind | str) -> list[Scalar | Zone]:
        return [one for one in self._declared() if one.per == per]

    def _track(self, one: Scalar | Zone) -> Track:
        return Track(self.wording.name(one.name), isinstance(one, Zone))

    def _members(self, kind: Kind) -> tuple[Track, ...]:
        return tuple(Track(self.wording.name(member)) for member in kind.members)

    def _rows(self, pieces: list[Scalar | Zone], keys: int) -> tuple[tuple[Spot, ...], ...]:
        return tuple(tuple(self._spot(one, key) for one in pieces) for key in range(keys))

    def _spot(self, one: Scalar | Zone, key: int = 0) -> Spot:
        path = self.rules.words.path(one, key)
        notes = one.notes if isinstance(one, Zone) else ()
        return Spot(path, tuple(f"{path}.{note.name}" for note in notes))

    # ---------------------------------------------------------------- components

    def words(self) -> Iterator[tuple[str, str, str, float | None]]:
        """Each name that stands in a state: for one, for several, and the hue of its colour."""
        name, kinds = self.wording.name, [*self.rules.machine.model.kinds.values()]
        for seat in self.rules.words.seats:
            yield seat, name(seat), name(seat), None
        for kind in kinds:
            tints = _tints(kind, kinds)
            for member, tint in zip(kind.members, tints, strict=True):
                one, many = name(member), name(member, 2)
                yield member, one, many, tint
                yield f"{kind.name}.{member}", one, many, tint


def _tints(kind: Kind, kinds: list[Kind]) -> list[float | None]:
    """A hue for each member: that of the first member of a kind in its row, else its own."""
    column = next((one for one in _columns(kind) if isinstance(one.type, KindType)), None)
    if column is not None and isinstance(column.type, KindType):
        return [_hue(column.type.kind, value, kinds) for value in column.values]
    return [_hue(kind, member, kinds) for member in range(len(kind))]


def _columns(kind: Kind) -> tuple[Column, ...]:
    return kind.made or tuple(kind.columns.values())


def _hue(kind: Kind, member: int, kinds: list[Kind]) -> float | None:
    if len(kind) > MOST_TINTS:
        return None
    return round((member * _ANGLE + kinds.index(kind) * _TURN) % 360)
