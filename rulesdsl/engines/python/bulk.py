"""Whole games as one function of Python: blocks, chance and random players in line.

In it `s` is the record, `n` the steps left of the present move, `runs` how often the game has
gone on, `chance` and `streams` the states of the streams of random numbers. Blocks and stops
that only one way leads to stand where it leads to them; the others are nodes that a tree of
comparisons finds by their number `b`: blocks have their own, stops follow after them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never, cast

from attrs import define, field

from rulesdsl.engines.python.blocks import Trees, targets, tree_transfers
from rulesdsl.engines.python.bounds import steps_of, steps_of_choice
from rulesdsl.engines.python.code import Statements
from rulesdsl.engines.python.picking import Pick, advance, again, below, outcome
from rulesdsl.engines.python.source import Sources, make
from rulesdsl.engines.python.values import Values
from rulesdsl.engines.python.writing import Constants, Writer
from rulesdsl.machine.program import (
    AT,
    ME,
    OVER,
    POINTS,
    WAITING,
    Choose,
    Draw,
    Halt,
    Machine,
    Over,
    Pause,
    Region,
)
from rulesdsl.machine.traverse import after_stop, waiting_in
from rulesdsl.text.limits import MOVES_PER_GAME, STEPS_PER_MOVE

DEEPEST = 50
"""So deep a node may stand inside others."""


class NotInBulk(Exception):
    """A machine has something that is not written in line: it is played stop by stop."""


@define
class Tally:
    """Where the counts of each choice stand in a list: those asked, those guessed, and then
    how often each option was taken."""

    machine: Machine
    at: dict[int, int] = field(factory=dict, init=False)
    size: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        for stop in self.machine.stops:
            if isinstance(stop, Choose):
                self.at[stop.number] = self.size
                self.size += 2 + len(stop.options)


@define(eq=False)
class Bulk:
    """Writes the function that plays a machine. Raises NotInBulk where that cannot be."""

    sources: Sources
    constants: Constants = field(factory=Constants, init=False)
    writer: Writer = field(factory=Writer, init=False)
    _ways: dict[int, int] = field(factory=dict, init=False)
    _wanted: list[int] = field(factory=list, init=False)
    _texts: dict[int, list[str]] = field(factory=dict, init=False)
    _node: int = field(default=0, init=False)
    _goes_round: bool = field(default=False, init=False)

    @property
    def machine(self) -> Machine:
        return self.sources.machine

    def _stop_node(self, stop: int) -> int:
        return len(self.machine.blocks) + stop

    # ---------------------------------------------------------------- the whole

    def function(self) -> Callable[..., int]:
        text = self.text()
        made = make(self.sources.title("whole games"), "play", text, self.constants)
        return cast(Callable[..., int], made)

    def text(self) -> str:
        self.constants.found |= {"fired": self.sources.fired.times, "again": again}
        self._count_ways()
        self._want(self.machine.entry)
        for node in self._wanted:
            self._write_node(node)
        head = Writer()
        with head.inside("def play(s, chance, streams, bots, players, tallies, decisions):"):
            head.put(f"b = {self.machine.entry}")
            head.put("runs = 1")
            head.put(f"n = {STEPS_PER_MOVE}")
            with head.inside("while True:"):
                self._dispatch(head, sorted(self._texts))
        return head.text

    def _dispatch(self, head: Writer, nodes: list[int]) -> None:
        """Finds the node `b` by halves."""
        if len(nodes) == 1:
            blanks = "    " * head.depth
            head.lines += [blanks + line for line in self._texts[nodes[0]]]
            return
        middle = len(nodes) // 2
        with head.inside(f"if b < {nodes[middle]}:"):
            self._dispatch(head, nodes[:middle])
        with head.inside("else:"):
            self._dispatch(head, nodes[middle:])

    def _count_ways(self) -> None:
        """How many ways lead to each node."""
        edges = [self.machine.entry]
        for block in self.machine.blocks:
            edges += targets(block)
            if isinstance(block.end, Halt):
                edges.append(self._stop_node(block.end.stop))
        for stop in self.machine.stops:
            edges += after_stop(stop)
            if isinstance(stop, Region):
                edges += [self._stop_node(number) for number in waiting_in(self.machine, stop)]
        for node in edges:
            self._ways[node] = self._ways.get(node, 0) + 1

    # ---------------------------------------------------------------- nodes

    def _want(self, node: int) -> None:
        if node not in self._texts:
            self._texts[node] = []
            self._wanted.append(node)

    def _is_node(self, node: int) -> bool:
        return self._ways.get(node, 0) != 1 or self.writer.depth > DEEPEST

    def _write_node(self, node: int) -> None:
        self.writer, self._node = Writer(), node
        self._goes_round = node < len(self.machine.blocks) and node in tree_transfers(
            self.machine, node, lambda block: self._ways.get(block, 0) != 1
        )
        if self._goes_round:
            with self.writer.inside("while True:"):
                self._inside(node)
        else:
            self._inside(node)
        self._texts[node] = self.writer.lines

    def _inside(self, node: int) -> None:
        if node < len(self.machine.blocks):
            self._tree(node)
        else:
            self._stop(node - len(self.machine.blocks))

    def _tree(self, block: int) -> None:
        out = Statements(self.writer, self.constants, rules=self.sources.fired.index)
        Trees(self.machine, out, self._is_node, self._transfer, self._halt).tree(block)

    def _transfer(self, target: int, owed: int) -> None:
        self.writer.put(f"n -= {owed}")
        if target <= self._node:
            # each circle goes back somewhere
            with self.writer.inside("if n < 0:"):
                self.writer.put("raise Stuck")
        self._jump(target)

    def _jump(self, node: int) -> None:
        self._want(node)
        if self._goes_round and node == self._node:
            self.writer.put("continue")
            return
        self.writer.put(f"b = {node}")
        self.writer.put("break" if self._goes_round else "continue")

    def _halt(self, stop: int, owed: int) -> None:
        self.writer.put(f"n -= {owed}")
        self._go_on(self._stop_node(stop))

    def _go_on(self, node: int) -> None:
        """Come to a block after a stop, or to a stop."""
        if self._is_node(node):
            self._jump(node)
        else:
            self._inside(node)

    # ---------------------------------------------------------------- stops

    def _stop(self, number: int) -> None:
        stop = self.machine.stops[number]
        match stop:
            case Choose():
                self._choose(stop)
            case Draw():
                self._draw(stop)
            case Region():
                self._region(stop)
            case Over():
                self.writer.put(f"s[{AT}] = {OVER}")
                self._check()
                self.writer.put("return runs")
            case Pause():
                self.writer.put("raise Stuck")
            case _:
                assert_never(stop)

    def _check(self) -> None:
        """Whether the last move has taken too many steps, or the game goes on for ever."""
        with self.writer.inside(f"if n < 0 or runs > {MOVES_PER_GAME}:"):
            self.writer.put("raise Stuck")

    def _question(self) -> Values:
        return Values(self.writer, self.constants, paying=False)

    def _draw(self, draw: Draw) -> None:
        if draw.count * steps_of(draw.weight) >= STEPS_PER_MOVE:
            raise NotInBulk
        self.writer.put(f"# chance: {draw.subject.name}")
        outcome(self._question(), draw)
        self.writer.put("runs += 1")
        self._go_on(draw.block)

    def _choose(self, stop: Choose) -> None:
        put, out = self.writer.put, self._question()
        put(f"# stop {stop.number}: {stop.where}")
        seat = out.number(stop.actor) if stop.region is None else f"s[{ME}]"
        put(f"seat = {seat}")
        self._check()
        known = steps_of_choice(stop, self.machine.families) < STEPS_PER_MOVE
        if stop.ahead is not None or not known:
            put(f"o, values = players[seat]({stop.number}, s, seat)")
            self._registers_of(stop)
        else:
            with self.writer.inside("if bots[seat] is None:"):
                self._at_random(stop, out)
            with self.writer.inside("else:"):
                put(f"o, values = players[seat]({stop.number}, s, seat)")
                self._registers_of(stop)
        self._carry_out(stop)

    def _at_random(self, stop: Choose, out: Values) -> None:
        put, pick = self.writer.put, Pick(out, stop)
        asked = Tally(self.machine).at[stop.number]
        pick.search()
        with self.writer.inside("if c:"):
            put("tally = tallies[seat]")
            advance(out, "streams[seat]")
            with self.writer.inside("if c == 1:"):
                put("k = 0")
            with self.writer.inside("else:"):
                put("decisions[seat] += 1")
                put(f"tally[{asked}] += 1")
                below(out, "streams[seat]", "c")
            pick.choose()
            put(f"tally[{asked + 2} + o] += 1")
        with self.writer.inside("else:"):
            put("o = -1")

    def _registers_of(self, stop: Choose) -> None:
        for number, option in enumerate(stop.options):
            registers = [f"r{p.register}" for p in option.parameters]
            if registers:
                with self.writer.inside(f"if o == {number}:"):
                    self.writer.put(f"{', '.join(registers)}, = values")

    def _carry_out(self, stop: Choose) -> None:
        put = self.writer.put
        with self.writer.inside("if o < 0:"):
            if stop.otherwise is None or stop.region is not None:
                put("raise Stuck")
            else:
                put("runs += 1")
                self._go_on(stop.otherwise)
        put("runs += 1")
        put(f"n = {STEPS_PER_MOVE}")
        for number, option in enumerate(stop.options[:-1]):
            with self.writer.inside(f"if o == {number}:"):
                self._go_on(option.block)
        self._go_on(stop.options[-1].block)

    def _region(self, region: Region) -> None:
        """The first seat that waits goes on: nobody in a region knows of the others."""
        put = self.writer.put
        waiting = waiting_in(self.machine, region)
        if any(self._is_not_simple(number) for number in waiting):
            raise NotInBulk
        for seat in range(self.machine.seats):
            word = "if" if seat == 0 else "elif"
            with self.writer.inside(f"{word} s[{POINTS + seat}] >= {WAITING}:"):
                put(f"s[{ME}] = {seat}")
        with self.writer.inside("else:"):
            put("raise Stuck")
        for number in waiting[:-1]:
            point = number + WAITING
            with self.writer.inside(f"if s[s[{ME}] + {POINTS}] == {point}:"):
                self._go_on(self._stop_node(number))
        self._go_on(self._stop_node(waiting[-1]))

    def _is_not_simple(self, number: int) -> bool:
        """Whether it matters when others wait: for chance, or where a player has no option."""
        stop = self.machine.stops[number]
        return not isinstance(stop, Choose) or stop.otherwise is not None
