"""Folds: written out member by member, at one stroke, or as a loop before the expression."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from attrs import define

from rulesdsl.engines.python.measure import domain_of, row_of_cells, size
from rulesdsl.engines.python.tables import Span, Spans
from rulesdsl.engines.python.texts import KNOWN, Text, joined, plus
from rulesdsl.machine.program import And, Cell, Choice, Fold, K, Not, Op, Or, Value

MEMBERS_WRITTEN_OUT, SIZE_WRITTEN_OUT = 12, 90
"""A fold over so many members, of so many nodes together, is written member by member."""


@define
class Folds(Spans, ABC):
    """Writes folds, given how other values are written."""

    @abstractmethod
    def operand(self, v: Value) -> Text: ...

    @abstractmethod
    def truth(self, v: Value, opposite: bool = False) -> Text: ...

    @abstractmethod
    def address(self, c: Cell) -> Text: ...

    @abstractmethod
    def plain(self, v: Value) -> bool: ...

    def is_plain_fold(self, v: Fold) -> bool:
        """Whether it needs no statements before it."""
        return self._is_stroke(v) or self._is_written_out(v)

    def _is_stroke(self, v: Fold) -> bool:
        """Whether it is the sum of a known number of cells in a row."""
        row, members = row_of_cells(v), domain_of(v)
        return row is not None and members is not None and self.plain(row)

    def _is_written_out(self, v: Fold) -> bool:
        members = domain_of(v)
        if members is None or members > MEMBERS_WRITTEN_OUT or size(v) > SIZE_WRITTEN_OUT:
            return False
        if v.op == "best" or (v.op in ("max", "min") and v.where is not None):
            return False
        inside = [x for x in (v.where, v.body, v.weight, v.empty) if x is not None]
        return all(map(self.plain, inside))

    @contextmanager
    def _in_place(self) -> Iterator[None]:
        """Nothing is put before the expression: its registers change from member to member."""
        before, self.hoists = self.hoists, False
        yield
        self.hoists = before

    def fold(self, v: Fold) -> Text:
        if self._is_stroke(v):
            return self._stroke(v)
        if self._is_written_out(v):
            with self._in_place():
                return self._written_out(v)
        assert self.hoists, "only what is plain stands in an expression"
        return self._loop(v)

    def quantifier(self, v: Fold) -> Text:
        if not self._is_written_out(v):
            assert self.hoists, "only what is plain stands in an expression"
            return self._loop(v)
        self.pay(max(domain_of(v) or 0, 1))
        stops_at, word = (1, "or") if v.op == "any" else (0, "and")
        parts: list[str] = []
        with self._in_place():
            for _ in self._members(v):
                found = self.unsure(lambda: self._holds(v, stops_at), truth=True)
                if isinstance(found, int):
                    if found == stops_at:
                        return joined([*parts, str(stops_at)], word)
                    continue
                parts.append(found)
        if not parts:
            return 1 - stops_at
        return joined(parts, word)

    def _holds(self, v: Fold, stops_at: int) -> Text:
        """Whether a member ends the search with `stops_at`."""
        if v.where is None:
            return self.truth(v.body)
        if stops_at:
            return self.truth(And(v.where, v.body))
        return self.truth(Or(Not(v.where), v.body))

    def _members(self, v: Fold) -> Iterator[int]:
        """Binds the register to each member of a known domain in turn."""
        assert isinstance(v.low, K)
        assert isinstance(v.high, K)
        for member in range(v.low.value, v.high.value):
            self.bound[v.register] = member
            yield member
        self.bound.pop(v.register, None)

    def _stroke(self, v: Fold) -> Text:
        row = row_of_cells(v)
        assert row is not None
        assert isinstance(v.low, K)
        assert isinstance(v.high, K)
        low, high = v.low.value, v.high.value
        self.pay(max(high - low, 1))
        if high <= low:
            return 0
        start = self.address(Cell(row.base + low, row.terms))
        if isinstance(start, int):
            if high - low <= MEMBERS_WRITTEN_OUT:
                return plus([self.cell(start + i) for i in range(high - low)])
            return f"sum(s[{start}:{start + high - low}])"
        if not self.hoists and not start.isidentifier():
            held = self.temporary()
            return f"sum(s[({held} := {start}):{held} + {high - low}])"
        start = self.simple(start)
        if high - low <= 6:
            return plus([f"s[{start} + {i}]" if i else f"s[{start}]" for i in range(high - low)])
        return f"sum(s[{start}:{start} + {high - low}])"

    def _written_out(self, v: Fold) -> Text:
        self.pay(max(domain_of(v) or 0, 1))
        match v.op:
            case "sum" | "count":
                return plus([self._share(v) for _ in self._members(v)])
            case "max" | "min":
                found = list(dict.fromkeys(self.number(v.body) for _ in self._members(v)))
                if not found:
                    return self._empty(v)
                known = [x for x in found if isinstance(x, int)]
                best = [KNOWN[v.op](min(known), max(known))] if known else []
                words = [*map(str, best), *(x for x in found if not isinstance(x, int))]
                return f"{v.op}({', '.join(words)})" if len(words) > 1 else words[0]
            case "first":
                return self._first_written_out(v)
            case _:
                raise AssertionError(v.op)

    def _share(self, v: Fold) -> Text:
        """What a member adds."""
        body: Value = K(1) if v.op == "count" else v.body
        if v.weight is not None:
            body = Op("mul", body, v.weight)
        if v.where is None:
            return self.operand(body)
        if body == K(1):
            return self.number(Not(Not(v.where)))
        return self.number(Choice(v.where, body, K(0)))

    def _first_written_out(self, v: Fold) -> Text:
        found: list[tuple[Text, Text]] = []
        for _ in self._members(v):
            where = K(1) if v.where is None else v.where
            condition = self.unsure(partial(self.truth, where), truth=True)
            if condition != 0:
                found.append((condition, self.unsure(lambda: self.number(v.body), truth=False)))
        text = self.unsure(lambda: self._empty(v), truth=False)
        for condition, image in reversed(found):
            text = image if condition == 1 else f"({image} if {condition} else {text})"
        return text

    def _empty(self, v: Fold) -> Text:
        return "stuck()" if v.empty is None else self.number(v.empty)

    def _loop(self, v: Fold) -> Text:
        """A fold as a loop before the expression."""
        span = self.span(v.register, v.low, v.high)
        found = self.temporary()
        match v.op:
            case "sum" | "count":
                self.writer.put(f"{found} = 0")
                with self._each(v, span):
                    body: Value = K(1) if v.op == "count" else v.body
                    if v.weight is not None:
                        body = Op("mul", body, v.weight)
                    self.writer.put(f"{found} += {self.operand(body)}")
            case "any" | "all":
                stops_at = int(v.op == "any")
                self.writer.put(f"{found} = {1 - stops_at}")
                with self._each(v, span):
                    met = self.truth(v.body, opposite=not stops_at)
                    self.flush()
                    with self.writer.inside(f"if {met}:"):
                        self.writer.put(f"{found} = {stops_at}")
                        self.writer.put("break")
            case "max" | "min":
                self._loop_extreme(v, span, found)
            case "first":
                with self._each(v, span):
                    self.writer.put(f"{found} = {self.number(v.body)}")
                    self.flush()
                    self.writer.put("break")
                with self.arm("else:"):
                    self.writer.put(f"{found} = {self._empty(v)}")
            case "best":
                self._loop_best(v, span, found)
            case other:
                raise ValueError(other)
        return found

    @contextmanager
    def _each(self, v: Fold, span: Span) -> Iterator[None]:
        """The loop over the members for which the condition holds."""
        with self.through(span):
            where = 1 if v.where is None else self.truth(v.where)
            self.flush()
            if where == 1:
                yield
            else:
                with self.arm(f"if {where}:"):
                    yield

    def _loop_extreme(self, v: Fold, span: Span, found: str) -> None:
        self.writer.put(f"{found} = None")
        with self._each(v, span):
            value = self.simple(self.number(v.body))
            sign = ">" if v.op == "max" else "<"
            with self.writer.inside(f"if {found} is None or {value} {sign} {found}:"):
                self.writer.put(f"{found} = {value}")
        with self.arm(f"if {found} is None:"):
            self.writer.put(f"{found} = {self._empty(v)}")

    def _loop_best(self, v: Fold, span: Span, found: str) -> None:
        greatest, keys = self.temporary(), self.temporary()
        self.writer.put(f"{greatest} = None")
        with self._each(v, span):
            words = [str(self.number(key)) for key in v.keys]
            self.writer.put(f"{keys} = ({', '.join(words)},)")
            with self.arm(f"if {greatest} is None or {keys} > {greatest}:"):
                self.writer.put(f"{greatest} = {keys}")
                self.writer.put(f"{found} = {self.number(v.body)}")
        with self.arm(f"if {greatest} is None:"):
            self.writer.put(f"{found} = {self._empty(v)}")
