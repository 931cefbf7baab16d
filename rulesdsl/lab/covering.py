"""Few choices of players and options in which every two values come together once."""

from __future__ import annotations

from itertools import combinations, product
from typing import TypeAlias

from attrs import frozen

from rulesdsl.check.datatypes import BoolType, IntType, KindType, Type
from rulesdsl.check.model import Model
from rulesdsl.check.model import Option as RuleOption
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.settings import default_of, option_text
from rulesdsl.play.game import Game

PLAYERS = "players"
_FEW = 4
"""Of a range with more numbers than this only the ends are tried."""
_Value: TypeAlias = tuple[str, "int | None"]
_Pair: TypeAlias = tuple[_Value, _Value]


@frozen
class Choice:
    """A number of players, and options that are not left at their defaults."""

    players: int
    options: tuple[tuple[str, int], ...]

    def game(self, model: Model) -> Game:
        given, settled = dict(self.options), dict[str, int]()
        for option in model.options.values():
            value = given.get(option.name)
            if value is None:
                value = default_of(model, option, self.players, settled)
            settled[option.name] = value
        return Game(make_machine(model, self.players, settled))

    def text(self, model: Model) -> str:
        """`3 players, bluffing true`."""
        parts = [
            f"{name} {option_text(model.options[name], value)}" for name, value in self.options
        ]
        return ", ".join([f"{self.players} players", *parts])


def covering(model: Model) -> list[Choice]:
    """Choices in which every two values of two of them come together; the first is plain."""
    axes = _axes(model)
    open_pairs: dict[_Pair, None] = {
        ((a, x), (b, y)): None
        for a, b in combinations(axes, 2)
        for x, y in product(axes[a], axes[b])
    }
    rows = [{name: values[0] for name, values in axes.items()}]
    while True:
        for pair in combinations(rows[-1].items(), 2):
            open_pairs.pop(pair, None)
        if not open_pairs:
            break
        rows.append(_row(axes, open_pairs))
    if len(axes) == 1:
        rows = [{PLAYERS: number} for number in axes[PLAYERS]]
    return [_choice(row) for row in rows]


def _row(axes: dict[str, list[int | None]], open_pairs: dict[_Pair, None]) -> dict[str, int | None]:
    """One more choice: begins with an open pair, and takes in as many others as it can."""
    row = dict(next(iter(open_pairs)))
    for name, values in axes.items():
        if name not in row:
            gains = [_gain(row, (name, value), open_pairs) for value in values]
            row[name] = values[gains.index(max(gains))]
    return {name: row[name] for name in axes}


def _gain(row: dict[str, int | None], mine: _Value, open_pairs: dict[_Pair, None]) -> int:
    """How many open pairs a value closes with what is chosen already."""
    return sum((other, mine) in open_pairs or (mine, other) in open_pairs for other in row.items())


def _choice(row: dict[str, int | None]) -> Choice:
    players = row[PLAYERS]
    assert players is not None
    options = [
        (name, value) for name, value in row.items() if name != PLAYERS and value is not None
    ]
    return Choice(players, tuple(options))


def _axes(model: Model) -> dict[str, list[int | None]]:
    """The values tried of the number of players and of each option, the default first.

    None is the default of an option of which not all values are tried.
    """
    least, most = model.players
    axes: dict[str, list[int | None]] = {PLAYERS: [*_few(least, most)]}
    settled: dict[str, int] = {}
    for option in model.options.values():
        default = settled[option.name] = default_of(model, option, least, settled)
        values = _values(option)
        first = default if default in values and not _is_wide(option.type) else None
        axes[option.name] = [first, *(value for value in values if value != first)]
    return axes


def _values(option: RuleOption) -> list[int]:
    match option.type:
        case BoolType():
            return [0, 1]
        case KindType(kind):
            return list(range(len(kind)))
        case IntType(low, high):
            return _few(low, high)
        case _:
            return []


def _is_wide(type_: Type) -> bool:
    return isinstance(type_, IntType) and type_.high - type_.low >= _FEW


def _few(low: int, high: int) -> list[int]:
    return list(range(low, high + 1)) if high - low < _FEW else [low, high]
