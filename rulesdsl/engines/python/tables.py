"""Loops through a part of a table: `for x in low(i)..<low(i + 1)`, where what is read of x are
columns, runs through rows that are cut out beforehand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

from attrs import Factory, define

from rulesdsl.engines.python.paying import Paying
from rulesdsl.engines.python.texts import Text, word_of
from rulesdsl.machine.program import K, Op, Row, Value


@define
class Part:
    """The part of a table that a register runs through."""

    register: int
    starts: Row
    """Where each part begins, and the last one ends."""
    index: Text
    """Which part."""
    columns: dict[tuple[int, ...], str] = Factory(dict)
    """The variable for each column that is read."""

    def column(self, data: tuple[int, ...]) -> str | None:
        """The variable that holds what stands at the register; None if data are too short."""
        if len(data) < self.starts.data[-1]:
            return None
        return self.columns.setdefault(data, f"r{self.register}_{len(self.columns)}")

    def number(self) -> str:
        """The variable that holds the register itself."""
        return self.columns.setdefault(tuple(range(self.starts.data[-1])), f"r{self.register}")

    def rows(self) -> tuple[tuple[object, ...], ...]:
        """For each part its rows; of one column only what stands in it."""
        columns = list(self.columns)
        rows = columns[0] if len(columns) == 1 else tuple(zip(*columns, strict=False))
        return tuple(rows[first:end] for first, end in pairwise(self.starts.data))


@define
class Span:
    """What a register runs through: numbers, or a part of a table."""

    register: int
    low: Text
    high: Text
    part: Part | None = None

    @property
    def known(self) -> range | None:
        """The numbers, if they are known now."""
        if isinstance(self.low, int) and isinstance(self.high, int):
            return range(self.low, self.high)
        return None


@define
class Spans(Paying, ABC):
    """Writes what registers run through, given how values are written."""

    parts: dict[int, Part] = Factory(dict)
    """Of the tables that registers run through at present."""

    @abstractmethod
    def number(self, v: Value) -> Text: ...

    def span(self, register: int, low: Value, high: Value) -> Span:
        """What a register is to run through, paid for."""
        part = None
        match low, high:
            case Row(checked=False), Row(index=Op("add", index, K(1)), checked=False):
                if low.data == high.data and low.index == index:
                    part = Part(register, low, self.simple(self.number(index)))
        if part is not None and not self.paying:
            return Span(register, "", "", part)
        begin, end = self.number(low), self.number(high)
        if not (isinstance(begin, int) and isinstance(end, int)):
            begin, end = self.simple(begin), self.simple(end)
        self.pay_for(begin, end)
        return Span(register, begin, end, part)

    @contextmanager
    def through(self, span: Span) -> Iterator[None]:
        """The loop through a span."""
        head, part = len(self.writer.lines), span.part
        if part is None:
            first = f"{span.low}, " if span.low != 0 else ""
            with self.arm(f"for r{span.register} in range({first}{span.high}):"):
                yield
            return
        self.parts[span.register] = part
        with self.arm(""):
            yield
        del self.parts[span.register]
        variables = ", ".join(part.columns.values()) or part.number()
        rows = part.rows()
        name = self.constants.name(word_of(part.starts.name), rows, (part.starts.name, rows))
        blanks = "    " * self.writer.depth
        self.writer.lines[head] = f"{blanks}for {variables} in {name}[{part.index}]:"
