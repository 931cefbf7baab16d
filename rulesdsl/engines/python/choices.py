"""The options of a stop, asked by generated code."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import define, field

from rulesdsl.engines.ahead import ChoicesAhead
from rulesdsl.engines.choices import Bundle, Choices, Obstacle
from rulesdsl.engines.python.source import Sources
from rulesdsl.engines.values import Numbers, Registers
from rulesdsl.machine.program import Option


@define(eq=False, slots=False)
class GeneratedChoices(Choices):
    """Generated code finds the legal moves; why one is not legal is told by the reference."""

    sources: Sources
    patience: int
    _any: Callable[[Numbers, Registers], bool] | None = field(default=None, init=False)
    _legal: dict[int, Callable[[Numbers, Registers], bool]] = field(factory=dict, init=False)

    def bundles(self, s: Numbers, r: Registers) -> list[Bundle]:
        if self._is_patient():
            return super().bundles(s, r)
        # from now on the written function is asked, and not this one
        self.bundles = self.sources.bundles(self.stop, Choices(self.stop))  # type: ignore[method-assign]
        return self.bundles(s, r)

    def any(self, s: Numbers, r: Registers) -> bool:
        if self._any is None:
            if self._is_patient():
                return super().any(s, r)
            self._any = self.sources.any(self.stop, Choices(self.stop))
        return self._any(s, r)

    def obstacle(
        self, option: Option, given: Mapping[int, int], s: Numbers, r: Registers
    ) -> Obstacle | None:
        legal = self._legal.get(id(option))
        if legal is None:
            if self._is_patient():
                return super().obstacle(option, given, s, r)
            legal = self._legal[id(option)] = self.sources.legal(option, _never)
        if all(p.register in given for p in option.parameters):
            steps = r[-1]
            for register, number in given.items():
                r[register] = number
            if legal(s, r):
                return None
            r[-1] = steps
        return super().obstacle(option, given, s, r)

    def _is_patient(self) -> bool:
        self.patience -= 1
        return self.patience >= 0


def _never(s: Numbers, r: Registers) -> bool:
    """Stuck: the reference finds the obstacle, or the fault."""
    return False


@define(eq=False)
class GeneratedChoicesAhead(ChoicesAhead):
    """Looks ahead with generated code."""

    sources: Sources
    patience: int
    _possible: Callable[[Numbers, Registers], list[Bundle]] | None = field(default=None, init=False)

    def possible(self, s: Numbers, r: Registers) -> list[Bundle]:
        if self._possible is None:
            self.patience -= 1
            if self.patience >= 0:
                return super().possible(s, r)
            self._possible = self.sources.bundles(self.stop, Choices(self.stop))
        return self._possible(s, r)
