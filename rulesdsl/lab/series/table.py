"""What is read of finished games: a row each, in columns of whole numbers."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TypeAlias

from attrs import Factory, define, frozen

from rulesdsl.check import model as m
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.finished import Finished
from rulesdsl.machine.program import WINNER
from rulesdsl.play.game import Game
from rulesdsl.play.outcome import Outcome, outcome

OUTRIGHT, SHARED = -1, -2
"""In `decided_by`: a player has won outright (or nobody wins); all that is compared is equal."""

OfBots: TypeAlias = Callable[[int, list[int]], dict[str, list[int]]]
"""What bots measure in the game of a number that has ended with a record, by `BOT: NAME`."""


def numbers() -> array[int]:
    """A column of whole numbers."""
    return array("q")


@frozen
class Broken:
    """A game that the rules could not bring to its end: its number, and the fault in words."""

    number: int
    kind: str
    fault: str


@define
class Table:
    """Games that came to their ends, a row each, in the order of their numbers.

    Columns with a value for each seat hold these one after the other: `each(column, seat)`
    takes out those of a seat. Bots are counted as in the cast of the series.
    """

    seats: int
    number: array[int] = Factory(numbers)
    winners: array[int] = Factory(numbers)
    """How many share the victory; 0: nobody wins."""
    decided_by: array[int] = Factory(numbers)
    """The first of the keys in which the winner is ahead of the second, or OUTRIGHT, SHARED."""
    runs: array[int] = Factory(numbers)
    won: array[int] = Factory(numbers)
    """For each seat 1 if it is among the winners."""
    place: array[int] = Factory(numbers)
    """For each seat, from 1; equal ones share the best."""
    out: array[int] = Factory(numbers)
    """For each seat 1 if it cannot win."""
    decisions: array[int] = Factory(numbers)
    """For each seat: choices among at least two moves."""
    guesses: array[int] = Factory(numbers)
    """For each seat: decisions for which its bot has no line."""
    keys: dict[str, array[int]] = Factory(dict)
    """What is compared, by name, the weightiest first; for each seat."""
    terms: dict[str, array[int]] = Factory(dict)
    """The named terms of the result, where it has any; for each seat."""
    measures: dict[str, array[int]] = Factory(dict)
    """What the rules measure, by name; for each seat, what is of the table as often."""
    of_bots: dict[str, array[int]] = Factory(dict)
    """What bots measure, `BOT: NAME`; for each seat that the bot has."""
    broken: list[Broken] = Factory(list)
    asked: Counter[tuple[int, int]] = Factory(Counter)
    """Decisions by bot and stop; this and the next three count broken games too."""
    guessed: Counter[tuple[int, int]] = Factory(Counter)
    taken: Counter[tuple[int, int, int]] = Factory(Counter)
    """Moves by bot, stop and option, also those that were the only one."""
    fired: Counter[int] = Factory(Counter)
    """How often each rule of the machine was at work."""

    def __len__(self) -> int:
        """How many games came to their ends."""
        return len(self.number)

    @property
    def played(self) -> int:
        """How many games there were, with those that broke."""
        return len(self.number) + len(self.broken)

    def each(self, column: array[int], seat: int) -> array[int]:
        """The values of one seat in a column that has one for each."""
        return column[seat :: self.seats]

    def shares(self, seat: int) -> Iterator[float]:
        """What a seat has of the victory in each game: 1, 1/2 with another one, 0."""
        pairs = zip(self.each(self.won, seat), self.winners, strict=True)
        return (won / winners if winners else 0.0 for won, winners in pairs)

    def add(self, later: Table) -> None:
        """Let other games of the same game and cast follow these."""
        for mine, theirs in zip(self._columns(), later._columns(), strict=True):
            mine.extend(theirs)
        for name, column in later.of_bots.items():
            self.of_bots.setdefault(name, numbers()).extend(column)
        self.broken += later.broken
        self.asked.update(later.asked)
        self.guessed.update(later.guessed)
        self.taken.update(later.taken)
        self.fired.update(later.fired)

    def _columns(self) -> list[array[int]]:
        single = [self.number, self.winners, self.decided_by, self.runs]
        each = [self.won, self.place, self.out, self.decisions, self.guesses]
        named = [self.keys, self.terms, self.measures]
        return [*single, *each, *(column for one in named for column in one.values())]


def empty_table(game: Game) -> Table:
    """A table without rows, with a column for all that the result of a game names."""
    table = Table(game.players)
    table.keys = {name: numbers() for name in key_names(game.model)}
    result = game.model.result
    terms = [] if result is None else [term.name for term in result.score]
    table.terms = {name: numbers() for name in terms}
    table.measures = {name: numbers() for name in game.model.measures}
    return table


def read_table(game: Game, finished: Finished, of_bots: OfBots = lambda n, r: {}) -> Table:
    """What is to be kept of finished games; `of_bots` asks what those of a game measure."""
    table = empty_table(game)
    machine, engine = game.machine, game.rules.engine
    games = zip(
        finished.numbers, finished.records, finished.faults, finished.runs,
        finished.decisions, finished.guesses, strict=True,
    )  # fmt: skip
    for number, record, fault, runs, decisions, guesses in games:
        try:
            if fault is not None:
                raise fault
            ended = outcome(machine, engine, record)
            measured = [engine.by_seat(v, record) for v in machine.measures.values()]
            by_bots = of_bots(number, record)
        except RuleFault as found:
            table.broken.append(Broken(number, found.kind, str(found)))
            continue
        _add_outcome(table, ended, record[WINNER])
        for column, each in zip(table.measures.values(), measured, strict=True):
            column.extend(each)
        for name, values in by_bots.items():
            table.of_bots.setdefault(name, numbers()).extend(values)
        table.number.append(number)
        table.runs.append(runs)
        table.decisions.fromlist(decisions)
        table.guesses.fromlist(guesses)
    table.asked, table.guessed = finished.asked, finished.guessed
    table.taken, table.fired = finished.taken, finished.fired
    return table


def _add_outcome(table: Table, ended: Outcome, winner: int) -> None:
    seats = range(table.seats)
    table.winners.append(len(ended.winners))
    table.won.extend([int(seat in ended.winners) for seat in seats])
    table.out.extend([int(seat in ended.out) for seat in seats])
    table.place.extend(_places(ended))
    table.decided_by.append(deciding_key(ended, winner))
    for column, values in zip(table.keys.values(), ended.keys, strict=True):
        column.extend(values)
    for name, column in table.terms.items():
        column.extend(ended.scores[name])


def _places(ended: Outcome) -> list[int]:
    found, place = [0] * len(ended.seats), 1
    for group in ended.ranking:
        for seat in group:
            found[seat] = place
        place += len(group)
    return found


def deciding_key(ended: Outcome, winner: int) -> int:
    """The first key that puts the winner before all others; `winner` is the cell of the record."""
    if winner or not ended.winners or not ended.keys:
        return OUTRIGHT
    if len(ended.winners) > 1:
        return SHARED
    first = ended.winners[0]
    others = [s for s in range(len(ended.seats)) if s != first and s not in ended.out]
    for index, key in enumerate(ended.keys):
        # those who are level in what weighs more
        others = [s for s in others if ended.keys[index][s] == key[first]]
        if not others:
            return index
    return SHARED


def key_names(model: m.Model) -> list[str]:
    """What the result compares, by name, the weightiest first."""
    result = model.result
    if result is None:
        return []
    names = ["payoff"] if result.payoff is not None else []
    names += ["total"] if result.score else []
    names += [_key_name(key, result) for key in result.highest]
    # two may be called alike: a column for each
    return [n if n not in names[:i] else f"{n} ({i + 1})" for i, n in enumerate(names)]


def _key_name(key: m.Expr, result: m.Result) -> str:
    match key:
        case m.ScalarRead():
            return key.scalar.name
        case m.SizeOf():
            return key.place.zone.name
        case m.DefineCall():
            return key.define.name
        case _:
            return key.span.text.replace(f"{result.binder.name}.", "")
