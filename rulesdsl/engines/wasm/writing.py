"""WebAssembly text: functions while they are written, and the places where they may fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attrs import Factory, define, field, frozen

from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.program import Cell, Value
from rulesdsl.machine.program import R as Register
from rulesdsl.text.source import Span

SELDOM = '(@metadata.code.branch_hint "\\00") '
"""Before an `if` or `br_if` whose condition seldom holds: what it leads to lies apart."""
FIRST_FAULT = 16
"""A function that returns -n tells of a fault at site n - 16; smaller n have other meanings."""
LIMIT = 1 << 20
"""Added to n where the fault is of kind `limit`."""


@frozen
class Site:
    """Where functions fault. `costs` are steps with their places, in the order they are taken;
    of another kind than `limit` it is one place. `said` tells more, from the number that the
    function leaves in the global `detail`."""

    kind: str
    costs: tuple[tuple[int, Span], ...]
    said: Callable[[int], str] | None = None

    def fault(self, detail: int) -> RuleFault:
        """The fault; of kind `limit` with the steps that are left after all of them."""
        span = self.costs[-1][1]
        if self.kind == "limit":
            left = detail + sum(cost for cost, _ in self.costs)
            for cost, place in self.costs:
                left -= cost
                if left < 0:
                    span = place
                    break
        return RuleFault(self.kind, span, "" if self.said is None else self.said(detail))


@define(eq=False)
class Sites:
    """All sites of a module; equal ones stand once."""

    found: list[Site] = Factory(list)
    _numbers: dict[object, int] = Factory(dict)

    def code(
        self,
        kind: str,
        costs: tuple[tuple[int, Span], ...],
        said: Callable[[int], str] | None = None,
        key: object = None,
    ) -> int:
        """What a function returns that faults here. `key` tells what is said apart."""
        known = kind, tuple((cost, id(span)) for cost, span in costs), key
        number = self._numbers.get(known)
        if number is None:
            number = self._numbers[known] = len(self.found)
            self.found.append(Site(kind, costs, said))
        return -(number + FIRST_FAULT + (LIMIT if kind == "limit" else 0))

    def fault(self, code: int, detail: int) -> RuleFault:
        """The fault that a function has returned."""
        return self.found[(-code) % LIMIT - FIRST_FAULT].fault(detail)


@define(eq=False)
class Body:
    """A function while it is written, instruction by instruction.

    Steps that are taken are owed (`owe`) until something else may fault or the ways part; then
    they are paid together from the local `$n`. `known` are registers with a fixed value.
    """

    sites: Sites
    name: str
    params: tuple[str, ...]
    at_fault: tuple[str, ...] = ()
    """What is done besides when the function faults."""
    known: dict[int, int] = field(factory=dict, init=False)
    same: dict[int, Value] = field(factory=dict, init=False)
    """Registers that have the value of a cell, or of another register."""
    held: dict[Cell, str] = field(factory=dict, init=False)
    """Cells that do not change here, with the locals that hold what is in them."""
    lines: list[str] = field(factory=list, init=False)
    _owed: list[tuple[int, Span]] = field(factory=list, init=False)
    _locals: dict[str, str] = field(factory=dict, init=False)
    _names: int = field(default=0, init=False)
    _faults: bool = field(default=False, init=False)

    # ---------------------------------------------------------------- instructions

    def put(self, *lines: str) -> None:
        """Add instructions."""
        self.lines += lines

    def const(self, number: int) -> None:
        self.lines.append(f"i32.const {number}")

    def new(self, word: str, type_: str = "i32") -> str:
        """A local of its own."""
        self._names += 1
        name = f"${word}_{self._names}"
        self._locals[name] = type_
        return name

    def label(self, word: str) -> str:
        self._names += 1
        return f"${word}_{self._names}"

    def own(self, name: str, type_: str = "i32") -> None:
        """A local of a given name."""
        self._locals[name] = type_

    def register(self, number: int) -> str:
        """The local of a register."""
        name = f"$r{number}"
        if name not in self.params:
            self._locals[name] = "i32"
        return name

    def set_register(self, number: int) -> None:
        """Take the register's value from the stack."""
        self.forget_register(number)
        self.lines.append(f"local.set {self.register(number)}")

    def forget_register(self, number: int) -> None:
        """A register is not known any more, nor are cells that it leads to."""
        self.known.pop(number, None)
        self.same.pop(number, None)
        own = Register(number)
        for cell in [cell for cell in self.held if any(own == index for index, _ in cell.terms)]:
            del self.held[cell]

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Cells that are held from inside on are held no more behind it."""
        before = dict(self.held)
        yield
        self.held = before

    # ---------------------------------------------------------------- steps and faults

    def owe(self, cost: int, span: Span) -> None:
        """Take steps."""
        self._owed.append((cost, span))

    @property
    def owes(self) -> tuple[tuple[int, Span], ...]:
        return tuple(self._owed)

    def owe_again(self, owed: tuple[tuple[int, Span], ...]) -> None:
        """On another way, what was owed where it began."""
        self._owed = list(owed)

    def ways(
        self,
        quiet: bool,
        then: Callable[[], None],
        otherwise: Callable[[], None],
        result: str = "",
    ) -> None:
        """What `then` writes if there is not 0 on the stack, else what `otherwise` writes; unless
        both are quiet, each pays at its end, also what was owed where they part."""
        owed = self.owes
        self.put(f"if{result}")
        then()
        if not quiet:
            self.pay()
        self.put("else")
        if not quiet:
            self.owe_again(owed)
        otherwise()
        if not quiet:
            self.pay()
        self.put("end")

    def pay(self) -> None:
        """Pay for the steps taken so far; too many are a fault."""
        if self._owed:
            code = self.sites.code("limit", tuple(self._owed))
            cost = sum(cost for cost, _ in self._owed)
            self._owed = []
            self.const(code)
            self.put("local.get $n", f"i32.const {cost}", "i32.sub")
            self._paid()

    def pay_local(self, cost: str, span: Span) -> None:
        """Pay a number of steps that is in a local."""
        self.pay()
        self.const(self.sites.code("limit", ((0, span),)))
        self.put("local.get $n", f"local.get {cost}", "i32.sub")
        self._paid()

    def _paid(self) -> None:
        self.put("local.tee $n", "local.tee $detail", "i32.const 0", "i32.lt_s")
        self.put(SELDOM + "br_if $fault", "drop")
        self._faults = True

    @contextmanager
    def checking(
        self,
        kind: str,
        span: Span,
        said: Callable[[int], str] | None = None,
        key: object = None,
        detail: str | None = None,
    ) -> Iterator[None]:
        """A fault unless what is put inside leaves something else than 0 on the stack.

        `detail` is the local with the number that `said` is told.
        """
        yield
        self.put("i32.eqz", SELDOM + "if")
        owed = self.owes
        self.fault(kind, span, said, key, detail)
        self.put("end")
        self.owe_again(owed)

    def fault(
        self,
        kind: str,
        span: Span,
        said: Callable[[int], str] | None = None,
        key: object = None,
        detail: str | None = None,
    ) -> None:
        """A fault in any case."""
        self.pay()
        if detail is not None:
            self.put(f"local.get {detail}", "local.set $detail")
        self.const(self.sites.code(kind, ((0, span),), said, key))
        self.put("br $fault")
        self._faults = True

    # ---------------------------------------------------------------- the text

    def text(self) -> str:
        """The function. A fault's code lies on the stack at its end."""
        if self._faults:
            self._locals["$detail"] = "i32"
        params = "".join(f" (param {name} i32)" for name in self.params)
        held = [f"(local {name} {type_})" for name, type_ in self._locals.items()]
        lines = [f"(func {self.name}{params} (result i32)", *held]
        if self._faults:
            lines += ["block $fault (result i32)", *self.lines, "unreachable", "end"]
            lines += ["local.get $detail", "global.set $detail"]
            lines += ["local.get $n", "global.set $left", *self.at_fault]
        else:
            lines += [*self.lines, "unreachable"]
        return "\n".join([*lines, ")"])
