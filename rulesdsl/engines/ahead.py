"""Looking ahead: of the moves that are possible those with which a longest sequence begins."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import TypeAlias

from attrs import define, field

from rulesdsl.engines.choices import Bundle, Choices, Obstacle
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.values import Fn, Numbers, Registers, spend, value
from rulesdsl.machine.program import AT, RUNNING, Ahead, Option
from rulesdsl.text.limits import STATES_AHEAD, STEPS_AHEAD

Run: TypeAlias = Callable[[Numbers, int, Registers, int], None]
"""Changes a record from the start of a block to the next stop, or to the block that is named."""
Weighed: TypeAlias = "list[tuple[Bundle, list[int]]]"
"""Moves that are possible in themselves, and how many rounds there can be with each of them."""


@define(eq=False)
class ChoicesAhead(Choices):
    """The options of a stop that looks ahead, on copies of the record and without notes."""

    run: Run
    _left: Fn = field(init=False)
    _last: tuple[Numbers, Weighed] | None = field(default=None, init=False)
    """What was asked last, which is often asked again."""

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self._left = value(self.ahead.left)

    @property
    def ahead(self) -> Ahead:
        assert self.stop.ahead is not None
        return self.stop.ahead

    def bundles(self, s: Numbers, r: Registers) -> list[Bundle]:
        weighed = self._weigh(s, r)
        most = _most(weighed)
        return [best for bundle, rounds in weighed for best in _best(bundle, rounds, most)]

    def any(self, s: Numbers, r: Registers) -> bool:
        # all is looked at here, so that a fault comes up before somebody is asked
        return bool(self._weigh(s, r))

    def obstacle(
        self, option: Option, given: Mapping[int, int], s: Numbers, r: Registers
    ) -> Obstacle | None:
        found = super().obstacle(option, given, s, r)
        if found is not None:
            return found
        weighed = self._weigh(s, r)
        meant = [
            (bundle, [n for i, n in enumerate(rounds) if _agrees(bundle, i, given)])
            for bundle, rounds in weighed
            if bundle.option is option
        ]
        mine, most = _most(meant), _most(weighed)
        return None if mine == most else Obstacle(option, rounds=mine, most=most)

    def possible(self, s: Numbers, r: Registers) -> list[Bundle]:
        """The moves that are legal but for the rounds that may follow."""
        return super().bundles(s, r)

    def left(self, s: Numbers, r: Registers) -> int:
        return self._left(s, r)

    def _weigh(self, s: Numbers, r: Registers) -> Weighed:
        last = self._last
        if last is not None and last[0] == s:
            return last[1]
        search, numbers = _Search(self), {**r, -1: STEPS_AHEAD}
        weighed = [
            (bundle, [search.rounds(bundle, i, s, numbers) for i in range(len(bundle))])
            for bundle in self.possible(s, r)
        ]
        self._last = (s.copy(), weighed)
        return weighed


@define(eq=False)
class _Search:
    """One search, depth first, that is content as soon as all rounds left can be played."""

    choices: ChoicesAhead
    known: dict[bytes, int] = field(factory=dict, init=False)
    """How many rounds can be played from a choice on, by a digest of the record."""

    def rounds(self, bundle: Bundle, index: int, s: Numbers, r: Registers) -> int:
        """How many rounds there can be with one of the moves of a bundle."""
        option, stop = bundle.option, self.choices.stop
        assert stop.otherwise is not None
        spend(r, STEPS_AHEAD // STATES_AHEAD, self.choices.ahead.span)
        record = s.copy()
        record[AT] = RUNNING
        for parameter, number in zip(option.parameters, bundle.values(index), strict=True):
            r[parameter.register] = number
        try:
            self.choices.run(record, option.block, r, stop.otherwise)
        except RuleFault as fault:
            _pass_limit(fault)
            return 1
        return 1 if record[AT] == RUNNING else 1 + self._on(record, r)

    def _on(self, s: Numbers, r: Registers) -> int:
        key = blake2b(array("i", s).tobytes(), digest_size=16).digest()
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._longest(s, r)
        return found

    def _longest(self, s: Numbers, r: Registers) -> int:
        left, most = self.choices.left(s, r), 0
        try:
            bundles = self.choices.possible(s, r)
        except RuleFault as fault:
            _pass_limit(fault)
            return 0
        for bundle in bundles:
            for index in range(len(bundle)):
                most = max(most, self.rounds(bundle, index, s, r))
                if most == left:
                    return most
        return most


def _pass_limit(fault: RuleFault) -> None:
    """Another fault ends the sequence: it comes up when it is really met."""
    if fault.kind == "limit":
        raise fault


def _most(weighed: Weighed) -> int:
    return max((n for _, rounds in weighed for n in rounds), default=0)


def _best(bundle: Bundle, rounds: list[int], most: int) -> list[Bundle]:
    """The moves of a bundle that begin the most rounds, if there are any."""
    lasts = [last for last, n in zip(bundle.lasts, rounds, strict=True) if n == most]
    return [Bundle(bundle.option, bundle.prefix, lasts)] if lasts else []


def _agrees(bundle: Bundle, index: int, given: Mapping[int, int]) -> bool:
    values = bundle.values(index)
    return all(
        given.get(parameter.register, number) == number
        for parameter, number in zip(bundle.option.parameters, values, strict=True)
    )
