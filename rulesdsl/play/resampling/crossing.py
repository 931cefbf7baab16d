"""What players did in secret, of which only the end is told: everything crosses at once.

Who sees what lay in several places before, and how much after, does not see what went where. So
all of it is taken first and laid then; what lies between is in a place of its own, the crossing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from attrs import define, evolve

from rulesdsl.play.events import Event
from rulesdsl.play.resampling.spots import CROSSING, Spots, Step


def changed_sizes(spots: Spots, log: tuple[Event, ...], at: int, end: int) -> dict[str, int]:
    """How many components lie where, of the places that have changed."""
    after: dict[str, int] = {}
    for event in log[at:end]:
        path, size = str(event["place"]), _size(event["value"])
        if path in spots.by_path and size is not None:
            after.setdefault(path, size)
    return after


@define
class Flow:
    """What left or came to a place: how many, and which of them the seat knows."""

    at: int
    path: str
    count: int
    what: tuple[str, ...] | None


def crossed(
    spots: Spots,
    log: tuple[Event, ...],
    events: range,
    sizes: Mapping[str, int],
    known: Mapping[str, Counter[str]],
) -> list[Step]:
    """What was done in secret, from the change of what is seen of each place.

    Each player has moved his own things, if as many have left his places as have come to them.
    """
    left, came = _flows(spots, log, events, sizes, known)
    found: list[list[Step]] = []
    for owner in {spots.owners[flow.path] for flow in left} - {None}:
        mine = [flow for flow in left if spots.owners[flow.path] == owner]
        laid = [flow for flow in came if spots.owners[flow.path] == owner]
        if _total(mine) == _total(laid):
            found.append(_through(mine, laid))
            left = [flow for flow in left if flow not in mine]
            came = [flow for flow in came if flow not in laid]
    found.append(_through(left, came))
    # several may have acted one after another, without anything else between them
    in_order = sorted((steps for steps in found if steps), key=lambda steps: steps[0].start)
    return [step for steps in in_order for step in steps]


def _total(flows: list[Flow]) -> int:
    return sum(flow.count for flow in flows)


def _flows(
    spots: Spots,
    log: tuple[Event, ...],
    events: range,
    sizes: Mapping[str, int],
    known: Mapping[str, Counter[str]],
) -> tuple[list[Flow], list[Flow]]:
    """What left places, and what came to places."""
    left: list[Flow] = []
    came: list[Flow] = []
    told: set[str] = set()
    for index in events:
        path, value = str(log[index]["place"]), log[index]["value"]
        size = _size(value)
        if path not in spots.by_path or size is None or path in told:
            continue
        told.add(path)
        if spots.by_path[path].seen:
            before, after = known[path], Counter(named(value))
            for flows, names in ((left, before - after), (came, after - before)):
                if names:
                    flows.append(Flow(index, path, names.total(), tuple(names.elements())))
        else:
            more = size - sizes.get(path, 0)
            if more:
                (came if more > 0 else left).append(Flow(index, path, abs(more), None))
    return left, came


def _through(left: list[Flow], came: list[Flow]) -> list[Step]:
    """Moves through the crossing; straight ones where there is only one way."""
    if not left or not came:
        return []
    at = min(flow.at for flow in left + came)
    if _total(left) != _total(came):
        # some of it lies where the seat does not see how much: as far as it goes
        return list(_straight(at, left, came))
    if len(left) == 1 and left[0].what is None:
        return [Step(at, left[0].path, flow.path, flow.count, flow.what) for flow in came]
    if len(came) == 1 and came[0].what is None:
        return [Step(at, flow.path, came[0].path, flow.count, flow.what) for flow in left]
    # what is known is taken last: of the first to be taken it is asked whether all agrees
    taken = sorted(left, key=lambda flow: flow.what is not None)
    steps = [Step(at, flow.path, CROSSING, flow.count, flow.what) for flow in taken]
    laid = [Step(at, CROSSING, flow.path, flow.count, flow.what) for flow in came]
    return [evolve(steps[0], first=True), *steps[1:], *laid]


def _straight(at: int, left: list[Flow], came: list[Flow]) -> Iterator[Step]:
    """From the places with fewer to those with more components."""
    for target in came:
        for origin in left:
            count = min(target.count, origin.count)
            if count > 0:
                target.count -= count
                origin.count -= count
                yield Step(at, origin.path, target.path, count)


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


def named(value: object) -> tuple[str, ...]:
    """The components that a value of a place tells of, if all are seen."""
    match value:
        case dict() as counts:
            return tuple(str(name) for name, n in counts.items() for _ in range(int(n)))
        case list() as order:
            return tuple(str(name) for name in order)
        case None:
            return ()
        case one:
            return (str(one),)
