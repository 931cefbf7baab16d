"""What a policy prefers, asked of records."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field, frozen

from rulesdsl.engines.choices import Bundle
from rulesdsl.engines.values import Fn, Numbers, Registers
from rulesdsl.machine.policy import Policy, Preference
from rulesdsl.machine.program import Option, Value
from rulesdsl.text.limits import STEPS_PER_MOVE


@frozen
class _Wanted:
    register: int
    value: Fn
    within: Fn | None


@frozen
class _Preference:
    """A preference as functions."""

    option: Option
    wanted: tuple[_Wanted, ...]
    where: Fn | None
    by: tuple[Fn, ...]
    only_if: Fn | None


@define(eq=False)
class Preferring:
    """A policy ready to be asked. Records are only read."""

    policy: Policy
    function: Callable[[Value], Fn]
    """Makes the function of a value: the engine's."""
    _ready: dict[int, tuple[_Preference, ...]] = field(factory=dict, init=False)

    def worth(self, scene: Numbers, player: int) -> int:
        """What a position is worth to the player."""
        if self.policy.worth is None:
            raise ValueError(f"the bot {self.policy.name} does not say what a position is worth")
        return self.function(self.policy.worth)(scene, self._registers(player))

    def measured(self, record: Numbers, player: int) -> dict[str, int]:
        """What the bot measures of a player when a game is over, by name."""
        values = self.policy.measures.items()
        return {name: self.function(v)(record, self._registers(player)) for name, v in values}

    def preferred(
        self, stop: int, scene: Numbers, player: int, bundles: list[Bundle]
    ) -> list[Bundle]:
        """Of the legal moves at the stop of a number those of the first preference that leaves
        any, one as good as the other."""
        if stop not in self._ready:
            said = self.policy.preferences.get(stop, ())
            self._ready[stop] = tuple(self._prepare(preference) for preference in said)
        for preference in self._ready[stop]:
            found = self._moves_of(preference, scene, player, bundles)
            if found:
                return found
        return []

    def _prepare(self, said: Preference) -> _Preference:
        def maybe(value: Value | None) -> Fn | None:
            return None if value is None else self.function(value)

        return _Preference(
            said.option,
            tuple(
                _Wanted(one.register, self.function(one.value), maybe(one.within))
                for one in said.wanted
            ),
            maybe(said.where),
            tuple(map(self.function, said.by)),
            maybe(said.only_if),
        )

    def _registers(self, player: int) -> Registers:
        return {self.policy.me: player, -1: STEPS_PER_MOVE}

    def _moves_of(
        self, said: _Preference, scene: Numbers, player: int, bundles: list[Bundle]
    ) -> list[Bundle]:
        registers = self._registers(player)
        here = [bundle for bundle in bundles if bundle.option is said.option]
        if not here or (said.only_if is not None and not said.only_if(scene, registers)):
            return []
        bounds: dict[int, tuple[int, int]] = {}
        for wanted in said.wanted:
            middle = wanted.value(scene, registers)
            within = 0 if wanted.within is None else wanted.within(scene, registers)
            bounds[wanted.register] = middle - within, middle + within
        fitting = [one for bundle in here for one in _cut(bundle, bounds)]
        if said.where is None and not said.by:
            return fitting
        return _best(said, fitting, scene, registers)


def _best(
    said: _Preference, fitting: list[Bundle], scene: Numbers, registers: Registers
) -> list[Bundle]:
    """The moves for which `where` holds with the greatest `by`."""
    best: list[int] | None = None
    found: list[Bundle] = []
    numbers = [parameter.register for parameter in said.option.parameters]
    for bundle in fitting:
        for register, x in zip(numbers, bundle.prefix, strict=False):
            registers[register] = x
        for last in bundle.lasts:
            registers[-1] = STEPS_PER_MOVE
            if numbers:
                registers[numbers[-1]] = last
            if said.where is not None and not said.where(scene, registers):
                continue
            keys = [key(scene, registers) for key in said.by]
            if best is None or keys > best:
                best, found = keys, []
            if keys == best:
                found.append(Bundle(bundle.option, bundle.prefix, (last,)))
    return found


def _cut(bundle: Bundle, bounds: dict[int, tuple[int, int]]) -> list[Bundle]:
    """Those moves of a bundle whose arguments lie within bounds."""
    if not bounds:
        return [bundle]
    *before, last = bundle.option.parameters
    for parameter, x in zip(before, bundle.prefix, strict=True):
        low, high = bounds.get(parameter.register, (x, x))
        if not low <= x <= high:
            return []
    if last.register not in bounds:
        return [bundle]
    low, high = bounds[last.register]
    lasts: Sequence[int] = bundle.lasts
    if isinstance(lasts, range):
        lasts = range(max(low, lasts.start), min(high + 1, lasts.stop))
    else:
        lasts = [x for x in lasts if low <= x <= high]
    return [Bundle(bundle.option, bundle.prefix, lasts)] if lasts else []
