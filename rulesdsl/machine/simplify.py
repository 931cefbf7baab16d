"""Fewer blocks: jumps over empty blocks, blocks with one way in joined, unreached ones dropped."""

from __future__ import annotations

from attrs import evolve

from rulesdsl.machine import program as p
from rulesdsl.machine.builder import Draft
from rulesdsl.machine.traverse import after_stop, successors


def simplify(
    drafts: list[Draft], stops: list[p.Stop], entry: Draft
) -> tuple[list[Draft], list[p.Stop]]:
    """The blocks that can be reached, entry first, and the stops, renumbered."""
    by_number = {draft.number: draft for draft in drafts}
    _thread(by_number, stops)
    _join(by_number, stops, entry)
    order = _reached(by_number, stops, entry)
    return _renumber(by_number, stops, order)


def _thread(drafts: dict[int, Draft], stops: list[p.Stop]) -> None:
    """What leads to an empty block that only jumps leads to where it jumps."""
    goal: dict[int, int] = {}
    for number in drafts:
        end, seen = number, {number}
        while True:
            draft = drafts[end]
            if draft.code or not isinstance(draft.end, p.Jump) or draft.registers:
                break
            if draft.end.block in seen:
                break
            end = draft.end.block
            seen.add(end)
        goal[number] = end
    for draft in drafts.values():
        if draft.end is not None:
            draft.end = _redirect(draft.end, goal)
    for i, stop in enumerate(stops):
        stops[i] = _redirect_stop(stop, goal)


def _redirect(end: p.End, goal: dict[int, int]) -> p.End:
    match end:
        case p.Jump():
            return p.Jump(goal[end.block])
        case p.Branch():
            return p.Branch(end.condition, goal[end.then], goal[end.otherwise])
        case p.Switch():
            return p.Switch(end.value, tuple((v, goal[block]) for v, block in end.blocks))
        case p.Halt():
            return end


def _redirect_stop(stop: p.Stop, goal: dict[int, int]) -> p.Stop:
    match stop:
        case p.Choose():
            options = tuple(evolve(option, block=goal[option.block]) for option in stop.options)
            other = None if stop.otherwise is None else goal[stop.otherwise]
            return evolve(stop, options=options, otherwise=other)
        case p.Draw() | p.Pause():
            return evolve(stop, block=goal[stop.block])
        case p.Region() | p.Over():
            return stop


def _followers(draft: Draft, stops: list[p.Stop]) -> list[int]:
    """Where a block leads, over stops and out of a region's rest too."""
    assert draft.end is not None
    blocks = successors(draft.end, stops)
    if draft.waits_at is not None:
        blocks = [*blocks, *after_stop(stops[draft.waits_at])]
    return blocks


def _join(drafts: dict[int, Draft], stops: list[p.Stop], entry: Draft) -> None:
    """A block that only one jump leads to becomes the end of the one that jumps."""
    order = _reached(drafts, stops, entry)
    ways = dict.fromkeys(order, 0)
    ways[entry.number] = 1
    for number in order:
        for block in _followers(drafts[number], stops):
            ways[block] += 1
    for number in order:
        draft = drafts[number]
        while isinstance(draft.end, p.Jump) and draft.waits_at is None:
            after = drafts[draft.end.block]
            if ways[after.number] != 1 or after is draft or after.registers:
                break
            draft.code += after.code
            draft.end, draft.waits_at = after.end, after.waits_at
            ways[after.number] = 0
            after.code, after.end, after.waits_at = [], p.Jump(after.number), None


def _reached(drafts: dict[int, Draft], stops: list[p.Stop], entry: Draft) -> list[int]:
    order: list[int] = []
    seen = {entry.number}
    waiting = [entry.number]
    while waiting:
        number = waiting.pop()
        order.append(number)
        for block in _followers(drafts[number], stops):
            if block not in seen:
                seen.add(block)
                waiting.append(block)
    return sorted(order, key=lambda number: (number != entry.number, number))


def _renumber(
    drafts: dict[int, Draft], stops: list[p.Stop], order: list[int]
) -> tuple[list[Draft], list[p.Stop]]:
    new = {number: i for i, number in enumerate(order)}
    for number in order:
        draft = drafts[number]
        assert draft.end is not None
        draft.end = _redirect(draft.end, new)
    kept = []
    for stop in stops:
        if all(block in new for block in after_stop(stop)):
            kept.append(_redirect_stop(stop, new))
        else:
            kept.append(p.Over(stop.number))
    for number in order:
        drafts[number].number = new[number]
    return [drafts[number] for number in order], kept
