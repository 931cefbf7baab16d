"""The end of a game as people read it: who has what, who wins, and by what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, frozen

from rulesdsl.check import model as m
from rulesdsl.machine.program import WINNER
from rulesdsl.play.narrate import Narrator
from rulesdsl.play.outcome import Outcome, outcome

WIDTH = 100
"""Columns of a terminal that a table of results may take."""


@frozen
class Column:
    """A column of the table: what was compared, and what it is the sum of."""

    title: str
    values: tuple[int, ...]
    parts: tuple[tuple[str, tuple[int, ...]], ...] = ()


def ending(narrator: Narrator, record: list[int]) -> list[str]:
    """The lines that stand under a game that is over."""
    told = Ending.of(narrator, record)
    return [*told.table(), *told.verdict()]


@define(eq=False)
class Ending:
    """Who has what at the end, and who wins."""

    narrator: Narrator
    found: Outcome
    decided: bool
    """Whether the result of the rules decides, and not a player who has won outright."""

    @classmethod
    def of(cls, narrator: Narrator, record: list[int]) -> Ending:
        """How a game that is over has ended."""
        found = outcome(narrator.rules.machine, narrator.rules.engine, record)
        return cls(narrator, found, decided=record[WINNER] == 0)

    @property
    def _model(self) -> m.Model:
        return self.narrator.rules.machine.model

    def _names(self, seats: tuple[int, ...]) -> str:
        names = [self.narrator.wording.name(self.found.seats[seat]) for seat in seats]
        return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)

    # ---------------------------------------------------------------- the table

    def table(self) -> Iterator[str]:
        """A row for each player, the first first; a column where the rows would be too wide."""
        columns = self.columns()
        if not columns:
            return
        rows = ["  rank  player  " + "   ".join(_cells(column, None) for column in columns)]
        for rank, seat in self.placed():
            cells = "   ".join(_cells(column, seat) for column in columns)
            name = self.narrator.wording.name(self.found.seats[seat])
            rows.append(f"  {rank:>4}  {name:<6}  {cells}".rstrip())
        yield from rows if max(map(len, rows)) <= WIDTH else self._score_pad(columns)

    def placed(self) -> Iterator[tuple[str, int]]:
        """The seats by rank, the first first, each with its rank."""
        place = 1
        for group in self.found.ranking:
            for seat in group:
                yield "out" if seat in self.found.out else str(place), seat
            place += len(group)

    def _score_pad(self, columns: list[Column]) -> Iterator[str]:
        """A line for each part of the score, with a column for each player."""
        placed = list(self.placed())
        names = {seat: self.narrator.wording.name(self.found.seats[seat]) for _, seat in placed}
        parts = [part for column in columns for part in column.parts]
        titles = [*(column.title for column in columns), *(title for title, _ in parts)]
        left, right = max(map(len, titles)) + 2, max(5, *map(len, names.values())) + 2

        def line(sign: str, title: str, cells: Iterable[object]) -> str:
            return f"  {sign:<2}{title:<{left}}" + "".join(f"{cell!s:>{right}}" for cell in cells)

        yield line("", "", (names[seat] for _, seat in placed))
        yield line("", "rank", (rank for rank, _ in placed))
        for column in columns:
            for i, (title, values) in enumerate(column.parts):
                yield line("+" if i else "", title, (values[seat] for _, seat in placed))
            sign = "=" if column.parts else ""
            yield line(sign, column.title, (column.values[seat] for _, seat in placed))

    def columns(self) -> list[Column]:
        """What was compared, the weightiest first."""
        name, found = self.narrator.wording.name, self.found
        titles: list[str] = []
        parts: tuple[tuple[str, tuple[int, ...]], ...] = ()
        if found.payoffs is not None:
            titles.append(name("payoff"))
        if found.scores:
            titles.append(name("total"))
            terms = [(name(term), found.scores[term]) for term in found.scores if term != "total"]
            parts = tuple(terms) if len(terms) > 1 else ()
        result = self._model.result
        if result is not None:
            if result.highest and not titles:
                parts = self._sources(result.highest[0], found.keys[0])
            titles += [self._title(key, result) for key in result.highest]
        columns = [Column(t, v) for t, v in zip(titles, found.keys, strict=False)]
        if columns and parts:
            columns[0] = Column(columns[0].title, columns[0].values, parts)
        return columns

    def _title(self, key: m.Expr, result: m.Result) -> str:
        """What a key of the result is called."""
        name = self.narrator.wording.name
        match key:
            case m.ScalarRead():
                return name(key.scalar.name)
            case m.SizeOf():
                return name(key.place.zone.name)
            case m.DefineCall():
                return name(key.define.name)
            case _:
                return key.span.text.replace(f"{result.binder.name}.", "")

    def _sources(
        self, key: m.Expr, values: tuple[int, ...]
    ) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The parts of the rules that a number of the players came from."""
        if not isinstance(key, m.ScalarRead) or key.scalar.per != "player":
            return ()
        if self.narrator.viewer is not None and key.scalar.sight is not m.Sight.ALL:
            return ()
        parts: dict[str, list[int]] = {}
        for (scalar, seat, part), number in self.narrator.sources.items():
            if scalar is key.scalar:
                parts.setdefault(part, [0] * len(values))[seat] += number
        named = [
            (self.narrator.wording.name(part), tuple(row))
            for part, row in parts.items()
            if any(row)
        ]
        whole = all(sum(row[seat] for _, row in named) == v for seat, v in enumerate(values))
        return tuple(named) if whole and len(named) > 1 else ()

    # ---------------------------------------------------------------- who wins

    def verdict(self) -> Iterator[str]:
        """Who wins, and by what where the first comparison is equal."""
        winners, ranking = self.found.winners, self.found.ranking
        columns = self.columns()
        if not winners:
            everybody = len(self.found.out) == len(self.found.seats)
            yield f"  Nobody wins{': everybody is out' if everybody else ''}{self._cite()}."
        elif len(winners) > 1:
            equal = " and ".join(column.title for column in columns)
            reason = f": equal in {equal}{self._cite()}" if self.decided and columns else ""
            yield f"  {self._names(winners)} share the victory{reason}."
        elif not self.decided or len(ranking) < 2 or ranking[1][0] in self.found.out:
            yield f"  {self._names(winners)} wins."
        else:
            yield from self._by(columns, winners[0], ranking[1][0])

    def _by(self, columns: list[Column], first: int, second: int) -> Iterator[str]:
        place = next((i for i, c in enumerate(columns) if c.values[first] != c.values[second]), 0)
        winner = self._names((first,))
        if not place:
            yield f"  {winner} wins."
            return
        by, top = columns[place], columns[0]
        cite = self._cite(f", tie-breaker {place}") or f" (tie-breaker {place})"
        yield f"  {winner} wins by {by.title}{cite}."
        level = tuple(
            seat
            for group in self.found.ranking
            for seat in group
            if seat not in self.found.out
            if all(c.values[seat] == c.values[first] for c in columns[:place])
        )
        each = ", ".join(f"{self._names((seat,))} {by.values[seat]}" for seat in level)
        tied = f"{self._names(level)} have {top.values[first]} {top.title} each"
        yield f"  {tied}; {by.title}: {each}."

    def _cite(self, more: str = "") -> str:
        """The section of the result."""
        result = self._model.result
        if result is None or not result.cites or not self.decided:
            return ""
        cite = result.cites[0]
        return f" ({cite.source} {cite.section}{more})"


def _cells(column: Column, seat: int | None) -> str:
    """A column and its parts in one row; without a seat its titles."""
    width = max(len(column.title), 3)
    said = column.title if seat is None else str(column.values[seat])
    cells = f"{said:>{width}}"
    for i, (title, values) in enumerate(column.parts):
        sign = " = " if i == 0 else " + "
        part = title if seat is None else str(values[seat])
        cells += sign + f"{part:>{max(len(title), 2)}}"
    return cells
