"""Legal moves: what the options of a stop allow, as ranges, and why not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import define, field, frozen

from rulesdsl.engines.values import Fn, Numbers, Registers, spend, value
from rulesdsl.machine.program import Choose, Option, Parameter, Reason


@define
class Bundle:
    """The moves of an option with the same first parameters: its last one is one of `lasts`, in
    their order; a range, where it is checked by no condition.

    An option without parameters has one move: `lasts` is one number, that means nothing. (Not
    frozen: many are made, and that takes twice the time.)
    """

    option: Option
    prefix: tuple[int, ...]
    lasts: Sequence[int]

    def __len__(self) -> int:
        return len(self.lasts)

    def values(self, index: int) -> tuple[int, ...]:
        """The parameters of one of the moves."""
        return (*self.prefix, self.lasts[index]) if self.option.parameters else ()


ONLY = range(1)
"""`lasts` of an option without parameters."""


@frozen
class Obstacle:
    """Why a move is not legal: a condition that fails, a value outside of low..high, or (with
    `most`) that there would be fewer rounds with it than there can be."""

    option: Option
    reason: Reason | None = None
    parameter: Parameter | None = None
    found: int = 0
    low: int = 0
    high: int = -1
    rounds: int = 0
    most: int = 0


@frozen
class _Parameter:
    register: int
    low: Fn
    high: Fn
    checks: tuple[Fn, ...]
    source: Parameter


@frozen
class _Option:
    option: Option
    guards: tuple[Fn, ...]
    parameters: tuple[_Parameter, ...]


def _prepare(option: Option) -> _Option:
    return _Option(
        option,
        tuple(value(guard.condition) for guard in option.guards),
        tuple(
            _Parameter(
                p.register,
                value(p.low),
                value(p.high),
                tuple(value(check.condition) for check in p.checks),
                p,
            )
            for p in option.parameters
        ),
    )


@define(eq=False)
class Choices:
    """The options of a stop, ready to be asked. Records are only read."""

    stop: Choose
    actor: Fn = field(init=False)
    _options: list[_Option] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.actor = value(self.stop.actor)
        self._options = [_prepare(option) for option in self.stop.options]

    def bundles(self, s: Numbers, r: Registers) -> list[Bundle]:
        """All legal moves, in the order of the options and of their parameters."""
        found: list[Bundle] = []
        for o in self._options:
            if _hold(o.guards, s, r):
                _collect(o, s, r, (), found)
        return found

    def any(self, s: Numbers, r: Registers) -> bool:
        """Whether there is a legal move."""
        return any(_hold(o.guards, s, r) and _has_move(o, 0, s, r) for o in self._options)

    def obstacle(
        self, option: Option, given: Mapping[int, int], s: Numbers, r: Registers
    ) -> Obstacle | None:
        """What forbids every move of an option with the given registers; None if one is legal."""
        o = next(o for o in self._options if o.option is option)
        for guard, reason in zip(o.guards, option.guards, strict=True):
            if not guard(s, r):
                return Obstacle(option, reason)
        stuck = _stuck(o, 0, given, s, r)
        return None if stuck is None else stuck[1]


def _stuck(
    o: _Option, depth: int, given: Mapping[int, int], s: Numbers, r: Registers
) -> tuple[int, Obstacle] | None:
    """The obstacle that is met last, with the number of its parameter."""
    if depth == len(o.parameters):
        return None
    p = o.parameters[depth]
    low, high, x = p.low(s, r), p.high(s, r), given.get(p.register)
    if low > high or (x is not None and not low <= x <= high):
        return depth, Obstacle(o.option, None, p.source, low if x is None else x, low, high)
    values = range(low, high + 1) if x is None else (x,)
    spend(r, len(values), o.option.span)
    last: tuple[int, Obstacle] | None = None
    for x in values:
        r[p.register] = x
        failed = next((i for i, check in enumerate(p.checks) if not check(s, r)), None)
        if failed is None:
            stuck = _stuck(o, depth + 1, given, s, r)
            if stuck is None:
                return None
        else:
            stuck = depth, Obstacle(o.option, p.source.checks[failed], p.source, x, low, high)
        if last is None or stuck[0] > last[0]:
            last = stuck
    return last


def _hold(conditions: tuple[Fn, ...], s: Numbers, r: Registers) -> bool:
    """Whether all conditions hold; after the first that fails none is looked at."""
    return not conditions or all(condition(s, r) for condition in conditions)


def _collect(
    o: _Option, s: Numbers, r: Registers, prefix: tuple[int, ...], found: list[Bundle]
) -> None:
    """Add the legal moves that begin with the prefix (its registers are set)."""
    if not o.parameters:
        found.append(Bundle(o.option, (), ONLY))
        return
    p = o.parameters[len(prefix)]
    last = len(prefix) + 1 == len(o.parameters)
    low, high = p.low(s, r), p.high(s, r)
    if last and not p.checks:
        if low <= high:
            found.append(Bundle(o.option, prefix, range(low, high + 1)))
        return
    lasts: list[int] = []
    for x in _values(o, p, low, high, s, r):
        if last:
            lasts.append(x)
        else:
            _collect(o, s, r, (*prefix, x), found)
    if lasts:
        found.append(Bundle(o.option, prefix, lasts))


def _has_move(o: _Option, depth: int, s: Numbers, r: Registers) -> bool:
    """Whether there is a legal move that begins with the parameters whose registers are set."""
    if depth == len(o.parameters):
        return True
    p = o.parameters[depth]
    low, high = p.low(s, r), p.high(s, r)
    if depth + 1 == len(o.parameters) and not p.checks:
        return low <= high
    return any(_has_move(o, depth + 1, s, r) for _ in _values(o, p, low, high, s, r))


def _values(
    o: _Option, p: _Parameter, low: int, high: int, s: Numbers, r: Registers
) -> Iterator[int]:
    """The values of a parameter that pass its checks, one by one in its register."""
    spend(r, max(high - low + 1, 1), o.option.span)
    for x in range(low, high + 1):
        r[p.register] = x
        if _hold(p.checks, s, r):
            yield x
