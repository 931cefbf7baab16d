"""Legal moves: for each stop a function that lists them, and one that asks if there is any."""

from __future__ import annotations

from attrs import define, evolve

from rulesdsl.engines.wasm.bounds import Bound
from rulesdsl.engines.wasm.memory import BUNDLE_HEAD, Plan
from rulesdsl.engines.wasm.remembering import Remembered, Remembering
from rulesdsl.engines.wasm.values import CELL, Values
from rulesdsl.engines.wasm.writing import Body, Sites
from rulesdsl.machine.program import Choose, Machine, Option, Parameter, Reason, Value

_REACHED = ("local.get $out", "global.set $reached")


@define(eq=False)
class Choices:
    """Writes the functions that ask what is legal at a stop.

    `$moves_K(s, n, out)` lists the bundles from the address `out` on, in the order of the
    options and their parameters: number of the option in the stop, low and high of the last
    parameter, the parameters before it. It returns the address after the last one and leaves
    the number of moves in the global `total`; with a fault the address in `reached` tells how
    far it came. `$any_K(s, n)` returns whether there is a move. `$list_K_O(s, n, out)` lists the
    moves of an option whose guards hold, and leaves the steps in the global `left`.
    """

    values: Values
    sites: Sites
    plan: Plan
    remembering: Remembering

    def moves(self, stop: Choose) -> str:
        """The function that lists the moves of a stop; where it looks ahead, those that are legal
        but for that, and it leaves the steps in the global `left`."""
        name = "moves" if stop.ahead is None else "possible"
        f = Body(self.sites, f"${name}_{stop.number}", ("$s", "$n", "$out"), _REACHED)
        total = f.new("total")
        for number, option in enumerate(stop.options):
            one = self.remembering.found.get((stop.number, number))
            Listing(self, f, option, number, total, one).option()
        return self._end(f, total, stop.ahead is not None)

    def of_option(self, one: Remembered) -> str:
        """The function that lists the moves of an option which are then kept."""
        f = Body(self.sites, f"$list_{one.name}", ("$s", "$n", "$out"), _REACHED)
        total = f.new("total")
        Listing(self, f, evolve(one.option, guards=()), one.place, total).option()
        return self._end(f, total, True)

    def _end(self, f: Body, total: str, leaves_steps: bool) -> str:
        f.pay()
        if leaves_steps:
            f.put("local.get $n", "global.set $left")
        f.put(f"local.get {total}", "global.set $total", "local.get $out", "return")
        return f.text()

    def any(self, stop: Choose) -> str:
        """The function that asks for the first move."""
        f = Body(self.sites, f"$any_{stop.number}", ("$s", "$n"))
        for number, option in enumerate(stop.options):
            Listing(self, f, option, number, None).option()
        f.pay()
        f.put("i32.const 0", "return")
        return f.text()


@define(eq=False)
class Listing:
    """The moves of an option; without `total` only the first is looked for."""

    choices: Choices
    f: Body
    option_: Option
    number: int
    total: str | None
    remembered: Remembered | None = None

    def option(self) -> None:
        f, none = self.f, self.f.label("none")
        f.put(f";; {self.option_.name}", f"block {none}")
        f.pay()
        with f.holding():
            for guard in self.option_.guards:
                self._unless(guard, none, 0)
            if self.remembered is not None:
                self._call(self.remembered)
            elif self.option_.parameters:
                self._parameter(0)
            else:
                self._found("i32.const 0", "i32.const 0")
        f.pay()
        f.put("end")

    def _call(self, one: Remembered) -> None:
        """List the moves in a function of their own."""
        f, end = self.f, self.f.new("end")
        f.pay()
        f.put("local.get $s", "local.get $n", "local.get $out", f"call $list_{one.name}")
        f.put(f"local.tee {end}", "i32.const 0", "i32.lt_s", "if", f"local.get {end}", "return")
        f.put("end", f"local.get {end}", "local.set $out", "global.get $left", "local.set $n")
        f.put(f"local.get {self.total}", "global.get $total", "i32.add", f"local.set {self.total}")

    def _hold(self, depth: int, *now: Value) -> None:
        """Hold cells from what is worked out now on that parameters from a depth on read again."""
        self.choices.values.hold(self.f, now, (now, self.option_.parameters[depth:]))

    def _unless(self, reason: Reason, label: str, depth: int) -> None:
        """Leave where a condition does not hold; parameters from a depth on are still to come."""
        self._hold(depth, reason.condition)
        self.choices.values.value(self.f, reason.condition)
        self.f.pay()
        self.f.put("i32.eqz", f"br_if {label}")

    def _parameter(self, depth: int) -> None:
        f, values, option = self.f, self.choices.values, self.option_
        parameter = option.parameters[depth]
        is_last = depth + 1 == len(option.parameters)
        low, high, over = f.new("low"), f.new("high"), f.label("over")
        self._hold(depth, parameter.low, parameter.high)
        values.value(f, parameter.low)
        f.put(f"local.set {low}")
        values.value(f, parameter.high)
        f.put(f"local.set {high}")
        pair = (f"local.get {low}", f"local.get {high}")
        bounds = self.bounds(parameter) if is_last else None
        if bounds is not None:
            if parameter.checks:
                self._pay(low, high)
            f.pay()
            f.put(f"block {over}", *pair, "i32.gt_s", f"br_if {over}")
            if bounds:
                self._narrow(low, high, bounds)
                f.put(*pair, "i32.gt_s", f"br_if {over}")
            self._found(f"local.get {low}", f"local.get {high}")
            f.put("end")
            return
        self._pay(low, high)
        again, skip = f.label("again"), f.label("skip")
        f.put(f"block {over}", *pair, "i32.gt_s", f"br_if {over}", f"loop {again}")
        f.put(f"local.get {low}")
        f.set_register(parameter.register)
        f.put(f"block {skip}")
        with f.holding():
            if is_last and parameter.checks and self.at_once(parameter.checks):
                self._found_if(parameter.checks, low)
            else:
                for check in parameter.checks:
                    self._unless(check, skip, depth + 1)
                if is_last:
                    self._found(f"local.get {low}", f"local.get {low}")
                else:
                    self._parameter(depth + 1)
        f.pay()
        f.put("end")
        f.put(f"local.get {low}", "i32.const 1", "i32.add", f"local.tee {low}")
        f.put(f"local.get {high}", "i32.le_s", f"br_if {again}", "end", "end")

    def _pay(self, low: str, high: str) -> None:
        """Every value of a parameter is a step, and one if there is none."""
        f, cost = self.f, self.f.new("cost")
        f.put(f"local.get {high}", f"local.get {low}", "i32.sub", "i32.const 1", "i32.add")
        f.put(f"local.tee {cost}", "i32.const 1", f"local.get {cost}", "i32.const 1", "i32.gt_s")
        f.put("select", f"local.set {cost}")
        f.pay_local(cost, self.option_.span)

    def _found(self, low: str, high: str) -> None:
        """A bundle: the moves with a last parameter from low to high."""
        f = self.f
        if self.total is None:
            f.pay()
            f.put("i32.const 1", "return")
            return
        self._store(low, high)
        f.put(f"local.get {self.total}", high, low, "i32.sub", "i32.const 1", "i32.add")
        f.put("i32.add", f"local.set {self.total}")
        f.put("local.get $out", f"i32.const {self.choices.plan.bundle}", "i32.add")
        f.put("local.set $out")

    def _store(self, low: str, high: str) -> None:
        head = (f"i32.const {self.number}", low, high)
        before = [f"local.get {self.f.register(p.register)}" for p in self.option_.parameters[:-1]]
        for place, number in enumerate((*head, *before)):
            self.f.put("local.get $out", number, f"i32.store offset={place * CELL}")

    def bounds(self, parameter: Parameter) -> tuple[Bound, ...] | None:
        """What the checks of the last parameter say of it, if they do not have to be asked for
        each of its values."""
        return None if parameter.checks else ()

    def _narrow(self, low: str, high: str, bounds: tuple[Bound, ...]) -> None:
        f = self.f
        with f.holding():
            for bound in bounds:
                local, better = (low, "i32.gt_s") if bound.is_least else (high, "i32.lt_s")
                new = f.new("bound")
                self._hold(len(self.option_.parameters), bound.value)
                self.choices.values.value(f, bound.value)
                pair = (f"local.get {new}", f"local.get {local}")
                f.put(f"local.set {new}", *pair, *pair, better, "select", f"local.set {local}")

    def at_once(self, checks: tuple[Reason, ...]) -> bool:
        """Whether a bundle of one move is written before it is known whether it is legal, and
        left there if it is: a branch that the processor cannot foresee takes longer."""
        return False

    def _found_if(self, checks: tuple[Reason, ...], last: str) -> None:
        f, fits, size = self.f, self.f.new("fits"), self.choices.plan.bundle
        self._store(f"local.get {last}", f"local.get {last}")
        for i, check in enumerate(checks):
            self._hold(len(self.option_.parameters), check.condition)
            self.choices.values.truth(f, check.condition)
            f.put(*(["i32.and"] if i else []))
        f.put(f"local.tee {fits}", f"local.get {self.total}", "i32.add", f"local.set {self.total}")
        f.put("local.get $out", f"i32.const {size}", "i32.add", "local.get $out")
        f.put(f"local.get {fits}", "select", "local.set $out")


def arguments(f: Body, machine: Machine, option: Option, bundle: str, last: str) -> None:
    """What the block of an option begins with, on the stack: from a bundle and the local with
    its last parameter."""
    order = [parameter.register for parameter in option.parameters]
    for register in machine.blocks[option.block].registers:
        place = order.index(register)
        if place == len(order) - 1:
            f.put(f"local.get {last}")
        else:
            f.put(f"local.get {bundle}", f"i32.load offset={(BUNDLE_HEAD + place) * CELL}")
