"""Whole games as one function of Python: blocks, chance and random players in line.

In it `s` is the record, except for cells that are only named by their places, which stand in
variables; `n` are the steps left of the present move, `runs` how often the game has gone on.
`draws` are iterators of random numbers (see lanes.py), for each seat and, as the last, of chance. A
code for what is taken goes into `asked` or, where there is one move only, into `forced`.

Blocks and stops that only one way leads to stand where it leads to them; the others are nodes that
a tree of comparisons finds by their number `b`: blocks have their own, stops follow after them.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import assert_never, cast

from attrs import define, field

from rulesdsl.engines.python.blocks import Trees, is_short, targets
from rulesdsl.engines.python.bounds import steps_of, steps_of_choice
from rulesdsl.engines.python.holding import held_cells, rows
from rulesdsl.engines.python.picking import Pick, outcome
from rulesdsl.engines.python.proving import CHECK, Proving, Ways
from rulesdsl.engines.python.remembering import Remembered
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
    Note,
    Over,
    Pause,
    Region,
    Rule,
)
from rulesdsl.machine.traverse import after_stop, parts, waiting_in
from rulesdsl.text.limits import MOVES_PER_GAME, STEPS_PER_MOVE

DEEPEST = 50
"""So deep a node may stand inside others."""
FIRED = "fired_{}"
"""The variable that counts how often the rule of an index was at work."""


class NotInBulk(Exception):
    """A machine has something that is not written in line: it is played stop by stop."""


@define
class Codes:
    """A number for each option of each choice."""

    machine: Machine
    first: dict[int, int] = field(factory=dict, init=False)
    """Of the first option of a stop."""
    of: list[tuple[int, int]] = field(factory=list, init=False)
    """The stop and the option of each code."""

    def __attrs_post_init__(self) -> None:
        for stop in self.machine.stops:
            if isinstance(stop, Choose):
                self.first[stop.number] = len(self.of)
                self.of += [(stop.number, option) for option in range(len(stop.options))]


@define(eq=False)
class Bulk:
    """Writes the function that plays a machine. Raises NotInBulk where that cannot be."""

    sources: Sources
    bots: bool
    """Whether some seat may be played by a bot."""
    constants: Constants = field(factory=Constants, init=False)
    writer: Writer = field(factory=Writer, init=False)
    codes: Codes = field(init=False)
    _ways: dict[int, int] = field(factory=dict, init=False)
    _short: set[int] = field(factory=set, init=False)
    """Short blocks that are written wherever something leads to them."""
    _wanted: list[int] = field(factory=list, init=False)
    _texts: dict[int, list[str]] = field(factory=dict, init=False)
    _node: int = field(default=0, init=False)
    _goes_round: bool = field(default=False, init=False)
    _walks: Ways = field(factory=Ways, init=False)
    _origin: int = field(default=0, init=False)
    """Where the walk begins that is being written."""
    _steps: int = field(default=0, init=False)
    """The most steps since there that are not counted."""
    _rules: list[int] = field(factory=list, init=False)
    """Those that are counted."""
    _held: dict[int, str] = field(init=False)
    """Cells that are held in variables."""
    _functions: list[str] = field(factory=list, init=False)
    """Lines of functions that find moves."""

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
        self.constants.found |= {"fired": self.sources.fired.times, "Remembered": Remembered}
        self.codes = Codes(self.machine)
        notes = [part for part in parts(self.machine.blocks) if isinstance(part, Note)]
        index = self.sources.fired.index
        self._rules = sorted({index[id(n.subject)] for n in notes if isinstance(n.subject, Rule)})
        self._held = held_cells(self.machine)
        self._count_ways()
        self._want(self.machine.entry)
        start, begin = self._walks.decision()
        self._walks.way(start, self.machine.entry, 0)
        for node in self._wanted:
            self._write_node(node)
        head = Writer(self._functions)
        with head.inside("def play(s, draws, exactly, asked, forced, bots, choose):"):
            head.put(f"b = {self.machine.entry}")
            head.put("runs = 1")
            for where, variables in rows(self._held):
                head.put(f"{variables} = {where}")
            if self._rules:
                head.put("".join(f"{FIRED.format(rule)} = " for rule in self._rules) + "0")
            head.put(begin)
            with head.inside("while True:"):
                self._dispatch(head, sorted(self._texts))
        lines = self._walks.settled(head.lines)
        if lines is None:
            raise NotInBulk
        return Writer(lines).text

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
        """How many ways lead to each node, and which blocks are written for each of them."""
        blocks, ways = self.machine.blocks, self._ways
        ways[self.machine.entry] = 1
        for node in range(len(blocks) + len(self.machine.stops)):
            for target in self._ways_on(node):
                ways[target] = ways.get(target, 0) + 1
        short = {block.number for block in blocks if is_short(block)}
        self._short = {
            number
            for number in short
            if all(ways[way] > 1 and way not in short for way in targets(blocks[number]))
        }

    def _ways_on(self, node: int) -> list[int]:
        """The nodes to which a block or stop leads, once for each way."""
        if node < len(self.machine.blocks):
            block = self.machine.blocks[node]
            if isinstance(block.end, Halt):
                return [self._stop_node(block.end.stop)]
            return targets(block)
        stop = self.machine.stops[node - len(self.machine.blocks)]
        if isinstance(stop, Region):
            return [self._stop_node(number) for number in waiting_in(self.machine, stop)]
        return after_stop(stop)

    # ---------------------------------------------------------------- nodes

    def _want(self, node: int) -> None:
        if node not in self._texts:
            self._texts[node] = []
            self._wanted.append(node)

    def _is_root(self, node: int) -> bool:
        """Whether several ways lead to a node, and it is written once."""
        return self._ways.get(node, 0) != 1 and node not in self._short

    def _is_node(self, node: int) -> bool:
        return self._is_root(node) or self.writer.depth > DEEPEST

    def _returns(self, root: int) -> bool:
        """Whether what is written at a root leads to it again."""
        waiting = [root]
        while waiting:
            for target in self._ways_on(waiting.pop()):
                if target == root:
                    return True
                if not self._is_root(target):
                    waiting.append(target)
        return False

    def _write_node(self, node: int) -> None:
        self.writer, self._node = Writer(), node
        self._origin, self._steps = node, 0
        self._goes_round = self._returns(node)
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
        index, origin = self.sources.fired.index, self._origin
        out = Proving(
            self.writer,
            self.constants,
            owed=self._steps,
            variables=self._held,
            rules=index,
            counter=FIRED,
        )

        def walked(steps: int) -> None:
            self._origin, self._steps = origin, steps
            if out.counts:
                self._walks.counts(origin)
                self.writer.lines += ["    " * self.writer.depth + line for line in CHECK]

        def transfer(target: int, steps: int) -> None:
            walked(steps)
            self._jump(target)

        def halt(stop: int, steps: int) -> None:
            walked(steps)
            self._go_on(self._stop_node(stop))

        Trees(self.machine, out, self._is_node, transfer, halt).tree(block)

    def _jump(self, node: int) -> None:
        self._want(node)
        self.writer.put(self._walks.way(self._origin, node, self._steps))
        if self._goes_round and node == self._node:
            self.writer.put("continue")
            return
        self.writer.put(f"b = {node}")
        self.writer.put("break" if self._goes_round else "continue")

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
                self._put_back()
                self.writer.put(f"s[{AT}] = {OVER}")
                self._walks.rest(self._origin, self._steps)
                self._check()
                for rule in self._rules:
                    self.writer.put(f"fired[{rule}] += {FIRED.format(rule)}")
                self.writer.put("return runs")
            case Pause():
                self.writer.put("raise Stuck")
            case _:
                assert_never(stop)

    def _check(self) -> None:
        """Whether the game goes on for ever. While random numbers are drawn this need not be
        asked, for they run out."""
        with self.writer.inside(f"if runs > {MOVES_PER_GAME}:"):
            self.writer.put("raise Stuck")

    def _question(self) -> Values:
        return Values(self.writer, self.constants, paying=False, variables=self._held)

    def _draw(self, draw: Draw) -> None:
        if draw.count * steps_of(draw.weight) >= STEPS_PER_MOVE:
            raise NotInBulk
        self.writer.put(f"# chance: {draw.subject.name}")
        outcome(self._question(), draw)
        self.writer.put("runs += 1")
        self._go_on(draw.block)

    def _choose(self, stop: Choose) -> None:
        put, out = self.writer.put, self._question()
        me = out.cell(ME)
        put(f"# stop {stop.number}: {stop.where}")
        seat = out.number(stop.actor) if stop.region is None else me
        put(f"seat = {seat}")
        self._walks.rest(self._origin, self._steps)
        known = steps_of_choice(stop, self.machine.families) < STEPS_PER_MOVE
        if stop.ahead is not None or not known:
            self._ask(stop)
        elif not self.bots:
            self._random_move(stop, out)
            return
        else:
            with self.writer.inside("if bots[seat] is None:"):
                self._random_option(stop, out)
            with self.writer.inside("else:"):
                self._ask(stop)
        self._carry_out(stop)

    def _put_back(self) -> None:
        """What variables hold, into the record."""
        for where, variables in rows(self._held):
            self.writer.put(f"{where} = {variables}")

    def _ask(self, stop: Choose) -> None:
        self._put_back()
        self.writer.put(f"o, values = choose({stop.number}, s, seat)")
        if not _goes_on(stop):
            with self.writer.inside("if o < 0:"):
                self.writer.put("raise Stuck")
        self._registers_of(stop)

    def _random_option(self, stop: Choose, out: Values) -> None:
        """Sets `o` to the option that a random player takes, or to -1."""
        pick, put = self._search(stop, out), self.writer.put
        with ExitStack() as stack:
            if pick.may_find_none:
                with self.writer.inside("if not c:"):
                    put("o = -1" if _goes_on(stop) else "raise Stuck")
                stack.enter_context(self.writer.inside("else:"))
            pick.draw()
            pick.choose(lambda option: put(f"o = {option}"), away=False)

    def _random_move(self, stop: Choose, out: Values) -> None:
        """What a random player does, straight on to what it leads to."""
        pick, put = self._search(stop, out), self.writer.put
        if pick.may_find_none:
            with self.writer.inside("if not c:"):
                if stop.otherwise is not None and _goes_on(stop):
                    self._without_option(stop.otherwise)
                else:
                    put("raise Stuck")
        pick.draw()
        put("runs += 1")
        origin, begin = self._walks.decision()
        put(begin)

        def go_on(option: int) -> None:
            self._origin, self._steps = origin, 0
            self._go_on(stop.options[option].block)

        pick.choose(go_on, away=True)

    def _search(self, stop: Choose, out: Values) -> Pick:
        pick = Pick(out, stop, self.codes.first[stop.number], self._held)
        pick.search()
        self._functions += [*pick.functions, ""]
        return pick

    def _without_option(self, block: int) -> None:
        self.writer.put("runs += 1")
        self._check()
        self._go_on(block)

    def _registers_of(self, stop: Choose) -> None:
        for number, option in enumerate(stop.options):
            registers = [f"r{p.register}" for p in option.parameters]
            if registers:
                with self.writer.inside(f"if o == {number}:"):
                    self.writer.put(f"{', '.join(registers)}, = values")

    def _carry_out(self, stop: Choose) -> None:
        put = self.writer.put
        if stop.otherwise is not None and _goes_on(stop):
            with self.writer.inside("if o < 0:"):
                self._without_option(stop.otherwise)
        put("runs += 1")
        origin, begin = self._walks.decision()
        put(begin)
        for number, option in enumerate(stop.options):
            self._origin, self._steps = origin, 0
            if option is stop.options[-1]:
                self._go_on(option.block)
                return
            with self.writer.inside(f"if o == {number}:"):
                self._go_on(option.block)

    def _region(self, region: Region) -> None:
        """The first seat that waits goes on: nobody in a region knows of the others."""
        put, me = self.writer.put, self._question().cell(ME)
        waiting = waiting_in(self.machine, region)
        if any(self._is_not_simple(number) for number in waiting):
            raise NotInBulk
        for seat in range(self.machine.seats):
            word = "if" if seat == 0 else "elif"
            with self.writer.inside(f"{word} s[{POINTS + seat}] >= {WAITING}:"):
                put(f"{me} = {seat}")
        with self.writer.inside("else:"):
            put("raise Stuck")
        origin, steps = self._origin, self._steps
        for number in waiting:
            self._origin, self._steps = origin, steps
            if number == waiting[-1]:
                self._go_on(self._stop_node(number))
                return
            with self.writer.inside(f"if s[{me} + {POINTS}] == {number + WAITING}:"):
                self._go_on(self._stop_node(number))

    def _is_not_simple(self, number: int) -> bool:
        """Whether it matters when others wait: for chance, or where a player has no option."""
        stop = self.machine.stops[number]
        return not isinstance(stop, Choose) or stop.otherwise is not None


def _goes_on(stop: Choose) -> bool:
    """Whether it goes on, here, when the player has no option."""
    return stop.otherwise is not None and stop.region is None
