"""What a log tells about places that a seat does not see: the moves in it, one after another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from attrs import evolve

from rulesdsl.play.events import Contents, Event
from rulesdsl.play.resampling.crossing import changed_sizes, crossed, named
from rulesdsl.play.resampling.spots import Handed, Row, Spots, Step


def steps(
    spots: Spots,
    log: tuple[Event, ...],
    at: int,
    sizes: dict[str, int],
    known: Mapping[str, Counter[str]],
) -> Iterator[Step]:
    """The moves that a log tells from an event on.

    `sizes` are kept up to date; what is `known` of contents is looked at after each step.
    """
    while at < len(log):
        event = log[at]
        found: list[Step] = []
        after: dict[str, int] = {}
        end = at + 1
        match event.kind:
            case "moved":
                end = _run_of("moved", log, at)
                found = _moves(spots, log, at, end, sizes)
            case "changed":
                end = _run_of("changed", log, at)
                after = changed_sizes(spots, log, at, end)
                found = crossed(spots, log, range(at, end), sizes, known)
            case "top":
                found = [_top(event, at)]
            case "shown":
                found = _shown(spots, event, at)
            case _:
                pass
        for step in found:
            yield step
            _count(sizes, step)
        sizes.update(after)
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
    names = named(event["value"])
    return [Step(at, None, path, 0, names, whole=True)]
