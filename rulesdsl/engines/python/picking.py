"""Random numbers and random moves as Python: what Stream.below and Stream.pick do, in line."""

from __future__ import annotations

from attrs import Factory, define

from rulesdsl.engines.chance import MASK, STEP, Stream
from rulesdsl.engines.python.choosing import Moves
from rulesdsl.engines.python.texts import Text
from rulesdsl.engines.python.values import Values
from rulesdsl.machine.program import Cell, Choose, Draw, K, Op, Option, R

FIRST, SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def again(state: int, product: int, n: int) -> tuple[int, int]:
    """The rare case in which a number below `n` takes more than one number of the stream:
    what comes out, and where the stream is then."""
    stream, least = Stream(state), (MASK + 1 - n) % n
    while product & MASK < least:
        product = stream.next() * n
    return product >> 64, (stream.key + stream.position * STEP) & MASK


def below(out: Values, stream: str, count: Text) -> None:
    """Sets `k` to a number below `count` (at least 2), from a stream at the state `x`."""
    put = out.writer.put
    put(f"z = (x ^ x >> 30) * {FIRST} & {MASK}")
    put(f"z = (z ^ z >> 27) * {SECOND} & {MASK}")
    put(f"z = (z ^ z >> 31) * {count}")
    with out.writer.inside(f"if z & {MASK} < {count}:"):
        put(f"k, {stream} = again(x, z, {count})")
    with out.writer.inside("else:"):
        put("k = z >> 64")


def advance(out: Values, stream: str) -> None:
    """The next state of a stream, as `x` too."""
    out.writer.put(f"{stream} = x = {stream} + {STEP} & {MASK}")


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
    advance(out, "chance")
    with out.writer.inside("if c == 1:"):
        put("k = 0")
    with out.writer.inside("else:"):
        below(out, "chance", "c")
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

    Sets `c` to how many there are and, given the number `k` of one, `o` to the number of its
    option and the registers to its parameters.
    """

    out: Values
    stop: Choose
    counts: list[str] = Factory(list)
    """How many moves of each option there are, as source."""
    _takes: list[list[str]] = Factory(list)
    """For each option the lines that set its registers, from the number `j` of a move."""

    def search(self) -> None:
        for number, option in enumerate(self.stop.options):
            self._search(number, option)
        self.out.writer.put(f"c = {' + '.join(self.counts)}")

    def choose(self) -> None:
        put, before = self.out.writer.put, "0"
        last = len(self.counts) - 1
        for number, (count, lines) in enumerate(zip(self.counts, self._takes, strict=True)):
            upto = count if before == "0" else f"{before} + {count}"
            word = "if" if number == 0 else "elif"
            head = f"{word} k < {upto}:" if number < last else "else:" if last else "if True:"
            with self.out.writer.inside(head):
                if lines:
                    put("j = k" if before == "0" else f"j = k - ({before})")
                for line in lines:
                    put(line)
                put(f"o = {number}")
            before = upto

    def _search(self, number: int, option: Option) -> None:
        writer = self.out.writer
        writer.put(f"# {option.name}")
        if not option.parameters and not option.guards:
            self.counts.append("1")
            self._takes.append([])
            return
        before, depth = len(writer.lines), writer.depth
        count, moves = f"c{number}", f"m{number}"
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
                takes = [f"{', '.join(registers)} = {moves}[j]"]
            elif not prefix:
                writer.put(f"{count} = {high} - {low} + 1")
                takes = [f"{registers[0]} = j + {low}"]
            else:
                words = ", ".join(map(str, [*prefix, low, high]))
                writer.put(f"{moves}.append(({words}))")
                writer.put(f"{count} += {high} - {low} + 1")
                start = f"{count} = 0; {moves} = []"
                takes = [
                    f"for {', '.join(registers)}, y in {moves}:",
                    f"    if j <= y - {registers[-1]}:",
                    f"        {registers[-1]} += j",
                    "        break",
                    f"    j -= y - {registers[-1]} + 1",
                ]

        Moves(self.out, option, found).write()
        writer.lines.insert(before, "    " * depth + start)
        self.counts.append(count)
        self._takes.append(takes)
