"""The source of each function that is generated, and the function made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, cast

from attrs import define, field

from rulesdsl.engines.choices import ONLY, Bundle, Choices
from rulesdsl.engines.code import Fired
from rulesdsl.engines.python.blocks import Trees, entries, is_tail, tree_transfers, ways_in
from rulesdsl.engines.python.choosing import Moves, conditions_met
from rulesdsl.engines.python.code import Statements
from rulesdsl.engines.python.picking import weights
from rulesdsl.engines.python.texts import Text
from rulesdsl.engines.python.values import Values
from rulesdsl.engines.python.writing import Constants, Writer
from rulesdsl.engines.values import Fn, Numbers, Registers, value
from rulesdsl.machine.program import AT, Choose, Draw, Machine, Option, Over, Value
from rulesdsl.machine.program import OVER as AT_OVER
from rulesdsl.machine.verify import free_registers

Weights: TypeAlias = Callable[[Numbers, Registers], Numbers]
"""The weights of the outcomes of a draw, from the record and registers."""


@define
class Loader:
    """Shows tracebacks the source of a function (see linecache)."""

    text: str

    def get_source(self, name: str) -> str:
        return self.text


def make(title: str, name: str, text: str, constants: Constants) -> Any:
    """The function of a name that some source defines."""
    space = {**constants.found, "__name__": title, "__loader__": Loader(text)}
    exec(compile(text, title, "exec"), space)
    return space[name]


@define(eq=False)
class Sources:
    """Writes functions for blocks, choices and values of a machine."""

    machine: Machine
    fired: Fired
    _ways: list[int] = field(init=False)
    _entries: set[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._ways, self._entries = ways_in(self.machine), entries(self.machine)

    def title(self, what: str) -> str:
        return f"rules of {self.machine.model.name} for {self.machine.seats}: {what}"

    def is_root(self, number: int) -> bool:
        """Whether a block has a function of its own."""
        if number in self._entries:
            return True
        return self._ways[number] != 1 and not is_tail(self.machine.blocks[number])

    def roots(self) -> list[int]:
        return [block.number for block in self.machine.blocks if self.is_root(block.number)]

    # ---------------------------------------------------------------- blocks

    def root(self, number: int) -> Callable[..., tuple[int, int]]:
        text, constants = self.root_text(number)
        made = make(self.title(f"block {number}"), f"block_{number}", text, constants)
        return cast(Callable[..., tuple[int, int]], made)

    def root_text(self, number: int) -> tuple[str, Constants]:
        """From the record `s`, the steps `n` left and the values `v` of the registers to the
        next block."""
        constants, writer = Constants(), Writer()
        constants.found["fired"] = self.fired.times
        out = Statements(writer, constants, rules=self.fired.index)
        goes_round = number in tree_transfers(self.machine, number, self.is_root)

        def transfer(target: int, owed: int) -> None:
            if goes_round and target == number:
                writer.put(f"n -= {owed}")
                out.check_left()
                writer.put("continue")
            else:
                writer.put(f"return {target}, n - {owed}")

        def halt(stop: int, owed: int) -> None:
            writer.put(f"s[{AT}] = {at_stop(self.machine, stop)}")
            writer.put(f"return -1, n - {owed}")

        trees = Trees(self.machine, out, self.is_root, transfer, halt)
        with writer.inside(f"def block_{number}(s, n, v):"):
            registers = self.machine.blocks[number].registers
            if registers:
                writer.put(f"{''.join(f'r{register}, ' for register in registers)}= v")
            if goes_round:
                with writer.inside("while True:"):
                    trees.tree(number)
            else:
                trees.tree(number)
        return writer.text, constants

    def listing(self) -> str:
        """The functions of all blocks and choices, to be read."""
        pieces = [self.root_text(number)[0] for number in self.roots()]
        for stop in self.machine.stops:
            if isinstance(stop, Choose):
                pieces.append(f"# stop {stop.number}: {stop.where}\n{self.bundles_text(stop)[0]}")
        return "\n\n".join(pieces)

    # ---------------------------------------------------------------- values

    def value(self, v: Value) -> Fn:
        """A function of the record and registers."""
        constants = Constants()
        constants.found["again"] = _later(lambda: value(v))

        def write(out: Values) -> str:
            return str(out.number(v))

        text = _question("value", free_registers(v), constants, write)
        return cast(Fn, make(self.title("a value"), "value", text, constants))

    def weights(self, draw: Draw, reference: Callable[[Draw, Numbers], Numbers]) -> Weights:
        """The weights of the outcomes of a draw."""
        constants = Constants()
        constants.found["again"] = lambda s, r: reference(draw, s)

        def write(out: Values) -> str:
            out.writer.put(f"w = {weights(out, draw)}")
            with out.writer.inside("if not any(w):"):
                out.writer.put("raise Stuck")
            return "w"

        text = _question("weights", (), constants, write)
        title = self.title(f"chance at stop {draw.number}")
        return cast(Weights, make(title, "weights", text, constants))

    # ---------------------------------------------------------------- choices

    def bundles(self, stop: Choose, reference: Choices) -> Callable[..., list[Bundle]]:
        """All legal moves of a stop."""
        text, constants = self.bundles_text(stop)
        constants.found |= {"again": reference.bundles, "Bundle": Bundle, "ONLY": ONLY}
        title = self.title(f"stop {stop.number}")
        return cast(Callable[..., "list[Bundle]"], make(title, "bundles", text, constants))

    def bundles_text(self, stop: Choose) -> tuple[str, Constants]:
        """From the record `s` and the registers `r` to the legal moves."""
        constants = Constants()

        def write(out: Values) -> str:
            out.writer.put("found = []")
            for number, option in enumerate(stop.options):
                constants.found[f"option_{number}"] = option
                out.writer.put(f"# {option.name}")
                _bundles(out, number, option)
            return "found"

        return _question("bundles", (), constants, write), constants

    def any(self, stop: Choose, reference: Choices) -> Callable[..., bool]:
        """Whether there is a legal move at a stop."""
        constants = Constants()
        constants.found["again"] = reference.any

        def write(out: Values) -> str:
            def found(prefix: list[Text], low: Text, high: Text) -> None:
                out.flush()
                out.writer.put(EARLY)

            for option in stop.options:
                out.writer.put(f"# {option.name}")
                Moves(out, option, found).write()
            return "False"

        text = _question("any_move", (), constants, write)
        title = self.title(f"any move at stop {stop.number}")
        return cast(Callable[..., bool], make(title, "any_move", text, constants))

    def legal(self, option: Option, again: Callable[..., bool]) -> Callable[..., bool]:
        """Whether the move of an option whose parameters stand in registers is legal."""
        constants = Constants()
        constants.found["again"] = again

        def write(out: Values) -> str:
            conditions_met(out, option)
            return "True"

        registers = [p.register for p in option.parameters]
        text = _question("legal", registers, constants, write)
        return cast(Callable[..., bool], make(self.title(option.name), "legal", text, constants))


def _bundles(out: Values, number: int, option: Option) -> None:
    """Adds the bundles of moves of an option to those found."""

    def bundle(prefix: list[Text], lasts: Text) -> None:
        words = "".join(f"{x}, " for x in prefix)
        out.writer.put(f"found.append(Bundle(option_{number}, ({words}), {lasts}))")

    def ranged(prefix: list[Text], low: Text, high: Text) -> None:
        after = high + 1 if isinstance(high, int) else f"{high} + 1"
        bundle(prefix, f"range({low}, {after})" if option.parameters else "ONLY")

    Moves(out, option, ranged, bundle).write()


def at_stop(machine: Machine, stop: int) -> int:
    """What the cell `at` holds at a stop."""
    return AT_OVER if isinstance(machine.stops[stop], Over) else stop + 1


def _question(
    name: str, registers: Iterable[int], constants: Constants, write: Callable[[Values], str]
) -> str:
    """A function `name(s, r)` that only reads the record; `write` returns what it answers.

    Register -1 holds the steps that are left, as in the reference engine.
    """
    body = Writer(depth=2)
    out = Values(body, constants)
    answer = write(out)
    if out.owed:
        body.put(f"answer = {answer}")
        answer = "answer"
    out.flush()
    lines = "\n".join(body.lines)
    pays = "n -= " in lines or "n := " in lines or "n := " in answer
    fails = pays or "tuck" in lines or "tuck" in answer
    head = Writer()
    with head.inside(f"def {name}(s, r):"):
        for register in sorted(registers):
            head.put(f"r{register} = r[{register}]")
        if pays:
            head.put("n = r[-1]")
        if fails:
            head.put("try:")
    if not fails:
        body.lines = [line[4:] for line in body.lines]
        body.depth = 1
    body.lines = [more for line in body.lines for more in _early(line, pays)]
    if pays:
        _leave(out, answer)
    else:
        body.put(f"return {answer}")
    end = ["    except Stuck:", "        return again(s, r)"] if fails else []
    return "\n".join([*head.lines, *body.lines, *end]) + "\n"


EARLY = "return True"
"""How a search ends that has found something."""


def _early(line: str, pays: bool) -> list[str]:
    blanks = line[: -len(EARLY)]
    if pays and line.endswith(EARLY):
        return [f"{blanks}if n < 0:", f"{blanks}    raise Stuck", f"{blanks}r[-1] = n", line]
    return [line]


def _leave(out: Values, answer: str) -> None:
    """Return from a question that has paid for its steps."""
    if "n := " in answer:
        out.writer.put(f"answer = {answer}")
        answer = "answer"
    out.check_left()
    out.writer.put("r[-1] = n")
    out.writer.put(f"return {answer}")


def _later(make_function: Callable[[], Fn]) -> Fn:
    """A function that is made when it is first called."""
    made: list[Fn] = []

    def function(s: Numbers, r: Registers) -> int:
        if not made:
            made.append(make_function())
        return made[0](s, r)

    return function
