"""Random numbers and random moves as Python: what Stream.below and Stream.pick do, in line."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import ExitStack

from attrs import Factory, define, evolve

from rulesdsl.engines.hanging import Hanging
from rulesdsl.engines.lanes import HEAD, REST
from rulesdsl.engines.python import remembering
from rulesdsl.engines.python.choosing import Moves, conditions
from rulesdsl.engines.python.texts import Text, word_of
from rulesdsl.engines.python.values import Values
from rulesdsl.machine.program import Cell, Choose, Draw, K, Op, Option, R


def below(out: Values, who: str, count: Text) -> None:
    """Sets `k` to a number below `count` (at least 2), from the heads of random numbers of
    somebody (see lanes.py); where they do not tell, `exactly` does."""
    put = out.writer.put
    put(f"z = next(draws[{who}]) * {count}")
    with out.writer.inside(f"if z & {REST} > {count}:"):
        put(f"k = z >> {HEAD}")
    with out.writer.inside("else:"):
        put(f"k = exactly({who}, {count})")


# ------------------------------------------------------------------ chance


def outcome(out: Values, draw: Draw) -> None:
    """Sets the register of a draw to an outcome of chance."""
    put, register = out.writer.put, f"r{draw.register}"
    members = _members_alike(draw)
    if members is not None:
        put(f"w = {members}")
        count = "len(w)"
    else:
        put(f"w = {weights(out, draw)}")
        count = "sum(w)"
    put(f"c = {count}")
    with out.writer.inside("if c == 0:"):
        put("raise Stuck")
    with out.writer.inside("if c == 1:"):
        put("next(draws[-1])")
        put("k = 0")
    with out.writer.inside("else:"):
        below(out, "-1", "c")
    if members is not None:
        put(f"{register} = w[k]")
        return
    with out.writer.inside(f"for {register}, y in enumerate(w):"):
        with out.writer.inside("if k < y:"):
            put("break")
        put("k -= y")


def _members_alike(draw: Draw) -> str | None:
    """The outcomes there are, as source, if each is a cell that holds a certain number."""
    match draw.weight:
        case Op("eq", Cell(base, ((R(register), 1),)), K(number)) if register == draw.register:
            cells = f"s[{base}:{base + draw.count}]"
            return f"[i for i, y in enumerate({cells}) if y == {number}]"
        case _:
            return None


def weights(out: Values, draw: Draw) -> str:
    """The weights in a list, as source."""
    match draw.weight:
        case Cell(base, ((R(register), 1),)) if register == draw.register:
            return f"s[{base}:{base + draw.count}]"
    out.writer.put("found = []")
    with out.arm(f"for r{draw.register} in range({draw.count}):"):
        out.writer.put(f"found.append({out.number(draw.weight)})")
    return "found"


# ------------------------------------------------------------------ moves


@define
class Pick:
    """Writes the search for the legal moves of a stop, and the choice of one, each as likely.

    Sets `c` to how many there are and, given the number `k` of one, the registers to its
    parameters. Logs what is taken.
    """

    out: Values
    stop: Choose
    code: int
    """Of its first option, in logs."""
    apart: Collection[int]
    """Cells that do not lie in the record."""
    functions: list[str] = Factory(list)
    """Lines of functions that find moves."""
    counts: list[str] = Factory(list)
    """How many moves of each option there are, as source."""
    _takes: list[list[str]] = Factory(list)
    """For each option the lines that set its registers, from the number `k` of a move."""

    def search(self) -> None:
        for number, option in enumerate(self.stop.options):
            self._search(number, option)
        total = " + ".join(self.counts)
        if total != "c":
            self.out.writer.put(f"c = {total}")

    def _count(self, number: int) -> str:
        """The variable for how many moves an option has."""
        return "c" if len(self.stop.options) == 1 else f"c{number}"

    @property
    def may_find_none(self) -> bool:
        return "1" not in self.counts

    def draw(self) -> None:
        """Sets `k` to the number of a move, and `log` to where it is put down."""
        put = self.out.writer.put
        with self.out.writer.inside("if c > 1:"):
            put("log = asked[seat]")
            below(self.out, "seat", "c")
        with self.out.writer.inside("else:"):
            put("log = forced[seat]")
            put("next(draws[seat])")
            put("k = 0")

    def choose(self, go_on: Callable[[int], None], away: bool) -> None:
        """Takes the move of the number `k`, and writes how it goes on with each option: `away`
        says that this leads elsewhere."""
        before: list[str] = []
        for number, (count, lines) in enumerate(zip(self.counts, self._takes, strict=True)):
            word = "elif" if before and not away else "if"
            with ExitStack() as stack:
                if number < len(self.counts) - 1:
                    head = f"{word} k < {' + '.join([*before, count])}:"
                    stack.enter_context(self.out.writer.inside(head))
                elif before and not away:
                    stack.enter_context(self.out.writer.inside("else:"))
                self._take(number, before, lines)
                go_on(number)
            before.append(count)

    def _take(self, number: int, before: list[str], lines: list[str]) -> None:
        put = self.out.writer.put
        if lines and before:
            put(f"k -= {' + '.join(before)}")
        for line in lines:
            put(line)
        put(f"log.append({self.code + number})")

    def _search(self, number: int, option: Option) -> None:
        writer = self.out.writer
        writer.put(f"# {option.name}")
        if not option.parameters and not option.guards:
            self.counts.append("1")
            self._takes.append([])
            return
        if not self._remembered(number, option):
            self._listed(number, option)

    def _remembered(self, number: int, option: Option) -> bool:
        """Whether its moves are found once for each way in which cells are filled."""
        if len(option.parameters) < 2 and not any(p.checks for p in option.parameters):
            return False
        hanging = Hanging(remembering.MOST_CELLS, self.apart)
        parameters = hanging.parameters(option)
        if parameters is None:
            return False
        writer, count, moves = self.out.writer, self._count(number), f"m{number}"
        name = f"{word_of(option.name)}_{self.stop.number}_{number}"
        small = evolve(option, parameters=parameters)
        self.functions += remembering.function(name, small, self.out.constants)
        guards = [guard.condition for guard in option.guards]
        if guards:
            writer.put(f"{count} = 0")
        with ExitStack() as stack:
            if conditions(self.out, guards, stack):
                writer.put(f"{moves} = {name}[{remembering.key(self.out, hanging.rows)}]")
                writer.put(f"{count} = len({moves})")
        self.counts.append(count)
        registers = ", ".join(f"r{p.register}" for p in option.parameters)
        self._takes.append([f"{registers} = {moves}[k]"])
        return True

    def _listed(self, number: int, option: Option) -> None:
        writer = self.out.writer
        before, depth = len(writer.lines), writer.depth
        count, moves = self._count(number), f"m{number}"
        start, takes = f"{count} = 0", []

        def found(prefix: list[Text], low: Text, high: Text) -> None:
            nonlocal count, start, takes
            registers = [f"r{p.register}" for p in option.parameters]
            if not registers:
                writer.put(f"{count} = 1")
            elif low == high:
                words = ", ".join(map(str, [*prefix, low]))
                writer.put(f"{moves}.append({words if not prefix else f'({words})'})")
                count, start = f"len({moves})", f"{moves} = []"
                takes = [f"{', '.join(registers)} = {moves}[k]"]
            elif not prefix:
                writer.put(f"{count} = {high} - {low} + 1")
                takes = [f"{registers[0]} = k + {low}"]
            else:
                words = ", ".join(map(str, [*prefix, low, high]))
                writer.put(f"{moves}.append(({words}))")
                writer.put(f"{count} += {high} - {low} + 1")
                start = f"{count} = 0; {moves} = []"
                takes = [
                    f"for {', '.join(registers)}, y in {moves}:",
                    f"    if k <= y - {registers[-1]}:",
                    f"        {registers[-1]} += k",
                    "        break",
                    f"    k -= y - {registers[-1]} + 1",
                ]

        Moves(self.out, option, found).write()
        writer.lines.insert(before, "    " * depth + start)
        self.counts.append(count)
        self._takes.append(takes)
