"""What a log tells about places that a seat does not see: the moves in it, one after another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from attrs import define, evolve, field, frozen

from rulesdsl.check.model import Column, Shape, Zone
from rulesdsl.check.owners import owner_seat
from rulesdsl.check.sights import sees, sees_size
from rulesdsl.play.events import Contents, Event
from rulesdsl.play.rules import Rules
from rulesdsl.play.words import Single

Row = tuple[Single, ...]
"""The values that one component has in the columns all see."""


@frozen
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

    @property
    def hidden(self) -> bool:
        return not self.seen

    @property
    def is_pile(self) -> bool:
        return self.zone.shape is Shape.PILE


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


@define(eq=False, slots=False)
class Spots:
    """All places of some rules as one seat sees them."""

    rules: Rules
    seat: int
    by_path: dict[str, Spot] = field(factory=dict, init=False)
    owners: dict[str, int | None] = field(factory=dict, init=False)
    """The player whose each thing is, of all that has a path."""
    _rows: dict[tuple[int, int], dict[str, Row]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        for what, key, path in self.rules.views.state():
            self.owners[path] = owner_seat(what, key)
            if isinstance(what, Zone):
                names = tuple(name for kind in what.kinds for name in kind.members)
                self.by_path[path] = Spot(
                    path,
                    what,
                    key,
                    self.owners[path],
                    sees(what, key, self.seat),
                    sees_size(what, key, self.seat),
                    names,
                )

    @cached_property
    def hidden(self) -> tuple[Spot, ...]:
        return tuple(spot for spot in self.by_path.values() if spot.hidden)

    def lying(self, record: list[int], spot: Spot) -> list[str]:
        """The components in a place; those of a pile from the bottom up."""
        words = self.rules.words
        cells = self.rules.views.cells(record)(spot.zone, spot.key)
        return [spot.names[member] for member in words.laid(spot.zone, cells)]

    @cached_property
    def row_of(self) -> dict[str, Row]:
        """The columns that all see of each component, if they are the same wherever some are."""
        spots = [spot for spot in self.by_path.values() if spot.zone.columns_seen]
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


# ------------------------------------------------------------------ the moves in a log


def steps(spots: Spots, log: tuple[Event, ...], at: int, sizes: dict[str, int]) -> Iterator[Step]:
    """The moves that a log tells from an event on; `sizes` are kept up to date."""
    while at < len(log):
        event = log[at]
        found: list[Step] = []
        known: dict[str, int] = {}
        end = at + 1
        match event.kind:
            case "moved":
                end = _run_of("moved", log, at)
                found = _moves(spots, log, at, end, sizes)
            case "changed":
                end = _run_of("changed", log, at)
                known = changed_sizes(spots, log, at, end)
                found = list(_regrouped(spots, at, known, sizes))
            case "top":
                found = [_top(event, at)]
            case "shown":
                found = _shown(spots, event, at)
            case _:
                pass
        for step in found:
            yield step
            _count(sizes, step)
        sizes.update(known)
        at = end


def _run_of(kind: str, log: tuple[Event, ...], at: int) -> int:
    """The end of the events of a kind that begin here."""
    end = at
    while end < len(log) and log[end].kind == kind:
        end += 1
    return end


def _names(event: Event) -> tuple[str, ...] | None:
    data = dict(event.data)
    if "what" not in data:
        return None
    number = data["count"]
    assert isinstance(number, int)
    return (str(data["what"]),) * number


def _count(sizes: dict[str, int], step: Step) -> None:
    """Keep the numbers of components up to date."""
    if step.origin is not None and step.target is not None:
        sizes[step.origin] = sizes.get(step.origin, 0) - step.count
        sizes[step.target] = sizes.get(step.target, 0) + step.count
    sizes.update({handed.target: handed.count for handed in step.cycle})


def _cycle(
    log: tuple[Event, ...], at: int, end: int, sizes: dict[str, int]
) -> tuple[list[Handed], int]:
    """Places whose whole contents go round from here on, each into another, and until where."""
    blocks: list[Handed] = []
    for index in range(at, end):
        event = log[index]
        data = dict(event.data)
        origin, target, number = str(data["from"]), str(data["to"]), int(str(data["count"]))
        known = _names(event) or ()
        if blocks and (blocks[-1].origin, blocks[-1].target) == (origin, target):
            last = blocks.pop()
            blocks.append(Handed(origin, target, last.count + number, last.known + known))
        elif any(block.origin == origin for block in blocks):
            end = index
            break
        else:
            blocks.append(Handed(origin, target, number, known))
        if blocks[-1].count > sizes.get(origin, 0):
            return [], at
    whole = all(block.count == sizes.get(block.origin, 0) for block in blocks)
    around = {block.origin for block in blocks} == {block.target for block in blocks}
    return (blocks, end) if whole and around and len(blocks) > 1 else ([], at)


def _moves(
    spots: Spots, log: tuple[Event, ...], at: int, end: int, sizes: dict[str, int]
) -> list[Step]:
    """Moves one after another; what leaves a pile whole does so from the bottom up."""
    found: list[Step] = []
    left = dict(sizes)
    while at < end:
        handed, stop = _cycle(log, at, end, left)
        origin = dict(log[at].data)["from"]
        number = 0
        while not handed and stop < end and dict(log[stop].data)["from"] == origin:
            number += int(str(dict(log[stop].data)["count"]))
            stop += 1
        if handed:
            block = [Step(at, cycle=tuple(handed))]
        else:
            block = [_step(log[i], i) for i in range(at, stop)]
            if spots.by_path[str(origin)].is_pile and 1 < number == left.get(str(origin), 0):
                # told from the bottom up, and all at one time
                block = [evolve(step, start=at) for step in reversed(block)]
        for step in block:
            _count(left, step)
        found += block
        at = stop
    return found


def _step(event: Event, at: int) -> Step:
    data = dict(event.data)
    rows: tuple[Row, ...] = ()
    seen = data.get("seen")
    if isinstance(seen, Contents):
        columns = [values for _, values in seen.entries if isinstance(values, (list, tuple))]
        rows = tuple(zip(*columns, strict=True))
    number = data["count"]
    assert isinstance(number, int)
    origin, target = str(data["from"]), str(data["to"])
    return Step(at, origin, target, number, _names(event), rows)


def _top(event: Event, at: int) -> Step:
    value = event["value"]
    return Step(at, None, str(event["place"]), 0, None if value is None else (str(value),))


def _shown(spots: Spots, event: Event, at: int) -> list[Step]:
    """A place that was shown: all that lies in it."""
    data = dict(event.data)
    path = str(data.get("place", ""))
    if path not in spots.by_path:
        return []
    match event["value"]:
        case dict() as counts:
            names = [str(name) for name, n in counts.items() for _ in range(int(n))]
        case list() as order:
            names = [str(name) for name in order]
        case None:
            names = []
        case one:
            names = [str(one)]
    return [Step(at, None, path, 0, tuple(names), whole=True)]


# ------------------------------------------------------------------ what happened in secret


def changed_sizes(spots: Spots, log: tuple[Event, ...], at: int, end: int) -> dict[str, int]:
    """How many components lie where, of the places that have changed."""
    after: dict[str, int] = {}
    for event in log[at:end]:
        path, size = str(event["place"]), _size(event["value"])
        if path in spots.by_path and size is not None:
            after.setdefault(path, size)
    return after


def _regrouped(
    spots: Spots, at: int, after: dict[str, int], sizes: dict[str, int]
) -> Iterator[Step]:
    """What all did at once, as moves from the places with fewer to those with more components."""
    change = {path: size - sizes.get(path, 0) for path, size in after.items()}
    for target in [path for path, number in change.items() if number > 0]:
        owner = spots.owners[target]
        origins = [path for path, number in change.items() if number < 0]
        origins.sort(key=lambda path: spots.owners[path] != owner)
        for origin in origins:
            count = min(change[target], -change[origin])
            if count > 0:
                change[target] -= count
                change[origin] += count
                yield Step(at, origin, target, count)


def _size(value: object) -> int | None:
    """How many components a value of a place tells of."""
    match value:
        case {"unseen": int(unseen), **seen}:
            return unseen + sum(n for n in seen.values() if isinstance(n, int))
        case dict():
            return sum(n for n in value.values() if isinstance(n, int))
        case list():
            return len(value)
        case None:
            return 0
        case str():
            return 1
        case _:
            return None
