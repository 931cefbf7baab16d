"""The legal moves of a stop as Python: all of them, whether there is any, and whether one is."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from attrs import define

from rulesdsl.engines.python.texts import Text
from rulesdsl.engines.python.values import Values
from rulesdsl.machine.program import Op, Option, Parameter, R, Value


def conditions(out: Values, checks: list[Value], stack: ExitStack) -> bool:
    """Opens an `if` for each condition that has to hold; False if one never does."""
    for check in checks:
        met = out.truth(check)
        if met == 0 and isinstance(met, int):
            return False
        out.flush()
        if not isinstance(met, int):
            stack.enter_context(out.arm(f"if {met}:"))
    return True


@define
class Moves:
    """Writes the search for the moves of an option; `found` writes what happens with each."""

    out: Values
    option: Option
    found: Callable[[list[Text], Text, Text], None]
    """Given the parameters before the last one, and the range of the last one (0, 0: none)."""
    gather: Callable[[list[Text], Text], None] | None = None
    """Where the last one is checked: given those before it, and a list of its values. Without
    it `found` is called for each."""

    def write(self) -> None:
        with ExitStack() as stack:
            guards = [guard.condition for guard in self.option.guards]
            if conditions(self.out, guards, stack):
                if self.option.parameters:
                    self._parameter(list(self.option.parameters), [])
                else:
                    self.found([], 0, 0)

    def _parameter(self, left: list[Parameter], prefix: list[Text]) -> None:
        out, p = self.out, left[0]
        low, high = out.number(p.low), out.number(p.high)
        if low == high:
            self._only_value(left, prefix, low)
            return
        last = len(left) == 1
        low, high = out.simple(low), out.simple(high)
        if last and not p.checks:
            if not (isinstance(low, int) and isinstance(high, int)):
                out.flush()
                with out.arm(f"if {low} <= {high}:"):
                    self.found(prefix, low, high)
            elif low <= high:
                self.found(prefix, low, high)
            return
        after = high + 1 if isinstance(high, int) else f"{high} + 1"
        out.pay_for(low, after)
        out.flush()
        variable = f"r{p.register}"
        head = f"for {variable} in range({low}, {after}):"
        if last and self.gather is not None:
            out.writer.put("lasts = []")
            with out.arm(head), ExitStack() as stack:
                if conditions(out, [check.condition for check in p.checks], stack):
                    out.writer.put(f"lasts.append({variable})")
            with out.writer.inside("if lasts:"):
                self.gather(prefix, "lasts")
            return
        with out.arm(head):
            self._checked(left, prefix, variable)

    def _only_value(self, left: list[Parameter], prefix: list[Text], value: Text) -> None:
        """A parameter with one value needs no loop."""
        out, p = self.out, left[0]
        if p.checks or len(left) > 1:
            out.pay(1)
            out.flush()
        value = out.simple(value)
        out.bound[p.register] = value
        self._checked(left, prefix, value)
        del out.bound[p.register]

    def _checked(self, left: list[Parameter], prefix: list[Text], value: Text) -> None:
        with ExitStack() as stack:
            checks = [check.condition for check in left[0].checks]
            if not conditions(self.out, checks, stack):
                return
            if len(left) == 1:
                if checks and self.gather is not None:
                    self.gather(prefix, f"[{value}]")
                else:
                    self.found(prefix, value, value)
            else:
                self._parameter(left[1:], [*prefix, value])


def conditions_met(out: Values, option: Option) -> None:
    """Writes `return False` for each condition of a move (in its registers) that may fail."""
    checks = [guard.condition for guard in option.guards]
    for p in option.parameters:
        x = R(p.register)
        checks += [Op("ge", x, p.low), Op("le", x, p.high)]
        checks += [check.condition for check in p.checks]
    for check in checks:
        met = out.truth(check, opposite=True)
        if met != 0:
            out.flush()
            with out.writer.inside(f"if {met}:"):
                out.writer.put("return False")
