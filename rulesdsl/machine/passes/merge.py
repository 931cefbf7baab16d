"""Fewer blocks: jumps over empty blocks, blocks with one way in joined, unreached ones dropped."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, evolve

from rulesdsl.machine import program as p
from rulesdsl.machine.traverse import after_stop, is_quiet, seat_point, successors


def merged(machine: p.Machine) -> p.Machine:
    """The same with the blocks that are reached, entry first, and as few as can be."""
    return _Merging(machine, list(machine.blocks), list(machine.stops)).done()


@define(eq=False)
class _Merging:
    """The blocks and stops while they change; blocks keep their numbers until the end."""

    machine: p.Machine
    blocks: list[p.Block]
    stops: list[p.Stop]

    def done(self) -> p.Machine:
        self._lead_on()
        self._share_branches()
        self._join()
        order = self._reached()
        new = {number: i for i, number in enumerate(order)}
        blocks = [
            evolve(block, number=new[block.number], end=redirected(block.end, new.__getitem__))
            for block in map(self.blocks.__getitem__, order)
        ]
        stops = [self._numbered(stop, new) for stop in self.stops]
        return evolve(self.machine, entry=0, blocks=tuple(blocks), stops=tuple(stops))

    def _numbered(self, stop: p.Stop, new: dict[int, int]) -> p.Stop:
        if not all(block in new for block in after_stop(stop)):
            # nothing rests there
            return p.Over(stop.number)
        return redirected_stop(stop, new.__getitem__)

    def _lead_on(self) -> None:
        """What leads to an empty block that only jumps leads to where it jumps."""
        goals = [self._goal(number) for number in range(len(self.blocks))]
        for number, block in enumerate(self.blocks):
            self._end(number, redirected(block.end, goals.__getitem__))
        self.stops = [redirected_stop(stop, goals.__getitem__) for stop in self.stops]

    def _goal(self, number: int) -> int:
        seen = {number}
        block = self.blocks[number]
        while not block.code and not block.registers and isinstance(block.end, p.Jump):
            if block.end.block in seen:
                break
            seen.add(block.end.block)
            block = self.blocks[block.end.block]
        return block.number

    def _share_branches(self) -> None:
        """What jumps to an empty block that branches by a short condition does so itself."""
        # a search ahead ends where it comes to such a block
        ends = {
            stop.otherwise
            for stop in self.stops
            if isinstance(stop, p.Choose) and stop.ahead is not None
        }
        for number, block in enumerate(self.blocks):
            if not isinstance(block.end, p.Jump) or block.end.block in ends:
                continue
            after = self.blocks[block.end.block]
            short = isinstance(after.end, p.Branch) and is_quiet(after.end.condition)
            if short and not after.code:
                self._end(number, after.end)

    def _end(self, number: int, end: p.End) -> None:
        if end != self.blocks[number].end:
            self.blocks[number] = evolve(self.blocks[number], end=end)

    def _join(self) -> None:
        """A block that only one jump leads to becomes the end of the one that jumps."""
        order = self._reached()
        ways = dict.fromkeys(order, 0)
        ways[self.machine.entry] = 1
        for number in order:
            for follower in self._followers(number):
                ways[follower] += 1
        for number in order:
            code, block = list(self.blocks[number].code), self.blocks[number]
            end = block.end
            while isinstance(end, p.Jump) and ways[end.block] == 1:
                after = self.blocks[end.block]
                if after.registers or after.number == number:
                    break
                # it is not reached any more
                ways[after.number] = 0
                code += after.code
                end = after.end
            if end is not block.end:
                self.blocks[number] = evolve(block, code=tuple(code), end=end)

    def _followers(self, number: int) -> list[int]:
        """Where a block leads, over stops and out of a region's rest too."""
        block = self.blocks[number]
        blocks = successors(block.end, self.stops)
        point = seat_point(block)
        if point is not None and point >= p.WAITING:
            blocks = [*blocks, *after_stop(self.stops[point - p.WAITING])]
        return blocks

    def _reached(self) -> list[int]:
        order: list[int] = []
        entry = self.machine.entry
        seen, waiting = {entry}, [entry]
        while waiting:
            number = waiting.pop()
            order.append(number)
            for block in self._followers(number):
                if block not in seen:
                    seen.add(block)
                    waiting.append(block)
        return sorted(order, key=lambda number: (number != entry, number))


def redirected(end: p.End, goal: Callable[[int], int]) -> p.End:
    """The end with other blocks in place of those that it leads to."""
    match end:
        case p.Jump():
            return p.Jump(goal(end.block))
        case p.Branch():
            return p.Branch(end.condition, goal(end.then), goal(end.otherwise))
        case p.Switch():
            return p.Switch(end.value, tuple((v, goal(block)) for v, block in end.blocks))
        case p.Halt():
            return end


def redirected_stop(stop: p.Stop, goal: Callable[[int], int]) -> p.Stop:
    """The stop with other blocks in place of those that follow it."""
    match stop:
        case p.Choose():
            options = tuple(evolve(option, block=goal(option.block)) for option in stop.options)
            other = None if stop.otherwise is None else goal(stop.otherwise)
            return evolve(stop, options=options, otherwise=other)
        case p.Draw() | p.Pause():
            return evolve(stop, block=goal(stop.block))
        case p.Region() | p.Over():
            return stop
