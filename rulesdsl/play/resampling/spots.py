"""Places as one seat sees them, and what moves between them."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from attrs import define, evolve, field, frozen

from rulesdsl.check.model import Column, Shape, Zone
from rulesdsl.check.owners import owner_seat
from rulesdsl.check.sights import sees, sees_size
from rulesdsl.play.rules import Rules
from rulesdsl.play.words import Single

Row = tuple[Single, ...]
"""The values that one component has in the columns all see."""
CROSSING = "(crossing)"
"""The path of no place: there lies what players who act in secret have taken and not yet laid."""


@frozen(slots=False)
class Spot:
    """A copy of a place by its path, as far as a seat knows it."""

    path: str
    zone: Zone
    key: int
    owner: int | None
    seen: bool
    counted: bool
    """Whether the seat sees how many components lie there."""
    names: tuple[str, ...]
    """Its members, as events name them."""
    is_pile: bool

    @cached_property
    def held(self) -> frozenset[str]:
        """What can lie there."""
        return frozenset(self.names)

    @property
    def hidden(self) -> bool:
        return not self.seen


@frozen
class Handed:
    """All that lay in a place, to be in another one now; `known` are those the seat has seen."""

    origin: str
    target: str
    count: int
    known: tuple[str, ...]


@frozen
class Step:
    """Components that moved, told from log[start] on: `count` of `what` (None: unknown).

    `rows` are the columns seen of unknown ones. A `cycle` is places that have changed round, each
    with the one its components came to. A step with no origin says what lies in the target: on
    top, or (`whole`) all of it.
    """

    start: int
    origin: str | None = None
    target: str | None = None
    count: int = 0
    what: tuple[str, ...] | None = None
    rows: tuple[Row, ...] = ()
    cycle: tuple[Handed, ...] = ()
    whole: bool = False
    first: bool = False
    """Whether the target was empty before."""


@define(eq=False, slots=False)
class Spots:
    """All places of some rules as one seat sees them."""

    rules: Rules
    seat: int
    real: tuple[Spot, ...] = field(init=False)
    by_path: dict[str, Spot] = field(init=False)
    """The real ones, and the crossing."""
    owners: dict[str, int | None] = field(init=False)
    """The player whose each thing is, of all that has a path."""
    _rows: dict[tuple[int, int], dict[str, Row]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        state = self.rules.views.state()
        self.owners = {path: owner_seat(what, key) for what, key, path in state}
        zones = [(what, key, path) for what, key, path in state if isinstance(what, Zone)]
        self.real = tuple(self._spot(zone, key, path) for zone, key, path in zones)
        self.by_path = {spot.path: spot for spot in self.real}
        if self.real:
            names = tuple(dict.fromkeys(name for spot in self.real for name in spot.names))
            self.by_path[CROSSING] = evolve(
                self.real[0],
                path=CROSSING,
                owner=None,
                seen=False,
                counted=True,
                names=names,
                is_pile=False,
            )

    def _spot(self, zone: Zone, key: int, path: str) -> Spot:
        return Spot(
            path,
            zone,
            key,
            self.owners[path],
            sees(zone, key, self.seat),
            sees_size(zone, key, self.seat),
            tuple(name for kind in zone.kinds for name in kind.members),
            zone.shape is Shape.PILE,
        )

    @cached_property
    def hidden(self) -> tuple[Spot, ...]:
        return tuple(spot for spot in self.real if spot.hidden)

    def lying(self, record: list[int], spot: Spot) -> list[str]:
        """The components in a place; those of a pile from the bottom up."""
        words = self.rules.words
        cells = self.rules.views.cells(record)(spot.zone, spot.key)
        return [spot.names[member] for member in words.laid(spot.zone, cells)]

    @cached_property
    def row_of(self) -> dict[str, Row]:
        """The columns that all see of each component, if they are the same wherever some are."""
        spots = [spot for spot in self.real if spot.zone.columns_seen]
        if len({tuple(map(id, spot.zone.columns_seen)) for spot in spots}) != 1:
            return {}
        first = spots[0]
        columns = first.zone.columns_seen
        return {name: self.row(columns, first, name) for name in first.names}

    def rows(self, content: Counter[str]) -> Counter[Row]:
        """How many there are of each row of columns."""
        found: Counter[Row] = Counter()
        for name, number in content.items() if self.row_of else ():
            if name in self.row_of:
                found[self.row_of[name]] += number
        return found

    def rows_of(self, origin: str, target: str) -> dict[str, Row]:
        """What is seen of each component that can move from a place to another one."""
        one, other = self.by_path[origin], self.by_path[target]
        key = id(one.zone), id(other.zone)
        if key not in self._rows:
            columns = tuple(dict.fromkeys((*one.zone.columns_seen, *other.zone.columns_seen)))
            self._rows[key] = {name: self.row(columns, one, name) for name in one.names}
        return self._rows[key]

    def row(self, columns: tuple[Column, ...], spot: Spot, name: str) -> Row:
        """What all see of a component."""
        member = spot.names.index(name)
        return tuple(self.rules.words.value(c.type, c.values[member]) for c in columns)
