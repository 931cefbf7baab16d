"""Tables: total over their domains, each point with one row."""

from __future__ import annotations

from abc import ABC, abstractmethod

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.context import Context, replaced, spelled
from rulesdsl.check.datatypes import INT_HIGH, INT_LOW, BoolType, IntType, KindType, MaybeType, Type
from rulesdsl.check.intervals import size_of
from rulesdsl.check.scopes import Scope
from rulesdsl.check.types import Types
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Second
from rulesdsl.text.source import Span

MAX_POINTS = 20_000
"""Cells of a table, or numbers in a column of bags."""


@define(eq=False, slots=False)
class Tables(ABC):
    """The part of the checker that knows tables."""

    c: Context
    types: Types

    @abstractmethod
    def new_word(self, word: t.Word, what: str) -> bool: ...

    def constant(self, node: t.Expr, type_: Type) -> int | None:
        """The value of a cell: a number, a member, true, false or none."""
        found = self.types.expressions.value(node, Scope(), type_)
        if found is None:
            return None
        expr = found[0]
        if isinstance(expr, m.Const):
            return expr.value
        self.c.add("not-constant", node.span, "a number or a name is wanted here")
        return None

    def tables(self, decls: tuple[t.TableDecl, ...]) -> None:
        for decl in decls:
            self.c.within("table", decl.name.text, decl.cites)
            if self.new_word(decl.name, "table"):
                self._table(decl)

    def _table(self, decl: t.TableDecl) -> None:
        domains = [self.types.type(domain) for domain in decl.maps.domains]
        value = self.types.type(decl.maps.value)
        known = [domain for domain in domains if domain is not None]
        if len(known) != len(domains) or value is None:
            self.c.broken.add(decl.name.text)
            return
        before = len(self.c.problems)
        if not self._has_shape(decl, known):
            self.c.broken.add(decl.name.text)
            return
        cells, open_from = self._cells(decl, known, value)
        if len(self.c.problems) != before or decl.name.text in self.c.broken:
            self.c.broken.add(decl.name.text)
            return
        self.c.model.tables[decl.name.text] = m.Table(
            decl.name.text,
            tuple(known),
            self._narrowed(value, cells),
            cells,
            open_from,
            decl.name.span,
            decl.about,
            decl.cites,
        )

    def _has_shape(self, decl: t.TableDecl, domains: list[Type]) -> bool:
        """Whether a table has a key for each thing it maps from, and is not too large."""
        keys = 2 if decl.columns else 1
        note = ""
        if len(domains) != keys:
            note = f"this maps from {len(domains)} things; " + (
                "with columns it maps from two" if decl.columns else "without columns from one"
            )
        elif keys == 2 and any(is_open(domain) for domain in domains):
            note = "with columns, both ranges have an end"
        elif any(isinstance(d, MaybeType) and isinstance(d.inner, IntType) for d in domains):
            note = "a table maps from numbers, or members and players that may be none"
        if note:
            self.c.add("table-shape", decl.maps.span, note)
            return False
        cells = 1
        for domain, written in zip(
            domains, ([k for k, _ in decl.rows], decl.columns), strict=False
        ):
            end = _open_end(domain, list(written))
            size = size_of(domain, self.c.model.players[1])
            cells *= (
                size if end is None or not isinstance(domain, IntType) else end - domain.low + 1
            )
        if cells > MAX_POINTS:
            note = f"this has more cells than {MAX_POINTS:,}"
            self.c.add("table-too-large", decl.maps.span, note, help="give it a smaller range")
            return False
        return True

    def _narrowed(self, value: Type, cells: dict[tuple[int, ...], int]) -> Type:
        """The range of the cells, where they are numbers."""
        if isinstance(value, IntType) and cells:
            return IntType(min(cells.values()), max(cells.values()))
        return value

    def _cells(
        self, decl: t.TableDecl, domains: list[Type], value: Type
    ) -> tuple[dict[tuple[int, ...], int], int | None]:
        cells: dict[tuple[int, ...], int] = {}
        rows = self._points([key for key, _ in decl.rows], domains[0], decl, "row")
        columns = (
            self._points(list(decl.columns), domains[1], decl, "column") if decl.columns else None
        )
        for (_, values), points in zip(decl.rows, rows, strict=True):
            width = len(decl.columns) if decl.columns else 1
            if len(values) != width:
                self.c.broken.add(decl.name.text)  # told when it was read
                continue
            for i, node in enumerate(values):
                number = self.constant(node, value)
                if number is None:
                    continue
                for point in points:
                    if columns is None:
                        cells[(point,)] = number
                    else:
                        cells.update({(point, column): number for column in columns[i]})
        return cells, _open_end(domains[0], [key for key, _ in decl.rows])

    # ---------------------------------------------------------------- keys

    def _points(
        self, keys: list[t.RowKey], domain: Type, decl: t.TableDecl, what: str
    ) -> list[list[int]]:
        """The points of each key; each point has one key, and none is without."""
        known = len(self.c.problems)
        wanted = self._wanted(domain, keys)
        taken: dict[int, t.RowKey] = {}
        points: list[list[int]] = []
        for key in keys:
            mine: list[int] = []
            if not key.is_else:
                for point in self._of_key(key, domain, wanted, what):
                    if point in taken:
                        self.c.add(
                            "table-overlap",
                            key.span,
                            f"{self._name(point, domain)} has two {what}s",
                            second=Second(taken[point].span, "the other one"),
                        )
                        continue
                    taken[point] = key
                    mine.append(point)
            points.append(mine)
        missing = [point for point in wanted if point not in taken]
        for i, key in enumerate(keys):
            if key.is_else:
                points[i], missing = missing, []
        names = {decl.name.text, domain.kind.name if isinstance(domain, KindType) else ""}
        if missing and not names & self.c.unread and len(self.c.problems) == known:
            self._gap(missing, keys, domain, decl, what)
        return points

    def _wanted(self, domain: Type, keys: list[t.RowKey]) -> list[int]:
        """All points of a domain; of an open one those up to where its rows are all the same."""
        match domain:
            case KindType(kind):
                return list(range(len(kind)))
            case BoolType():
                return [0, 1]
            case IntType(low, high):
                return list(range(low, (_open_end(domain, keys) or high) + 1))
            case MaybeType(inner):
                return [-1, *self._wanted(inner, keys)]
            case _:
                return list(range(self.c.model.players[1]))

    def _of_key(self, key: t.RowKey, domain: Type, wanted: list[int], what: str) -> list[int]:
        if key.kind is not None:
            return self._any(key.kind, domain)
        if key.word is not None:
            return self._member(key, domain)
        if not isinstance(domain, IntType) or key.low is None:
            note = f"the {what}s of this table are named, not numbered"
            self.c.add("wrong-type", key.span, note)
            return []
        high = max(wanted) if key.open else (key.low if key.high is None else key.high)
        if key.low < domain.low or high > domain.high or high < key.low:
            note = f"this lies outside {spelled(domain)}, which the table maps from"
            self.c.add("table-outside", key.span, note)
            return []
        return list(range(key.low, high + 1))

    def _any(self, word: t.Word, domain: Type) -> list[int]:
        """The members of a kind that the kind of the domain includes."""
        inner = domain.inner if isinstance(domain, MaybeType) else domain
        if not isinstance(inner, KindType):
            self.c.add("wrong-type", word.span, f"{spelled(domain)} includes no kinds")
            return []
        found = self.types.expressions.part_of(word, inner.kind)
        return [] if found is None else list(range(found[1], found[1] + len(found[0])))

    def _member(self, key: t.RowKey, domain: Type) -> list[int]:
        inner = domain.inner if isinstance(domain, MaybeType) else domain
        if key.word == "none" and isinstance(domain, MaybeType):
            return [-1]
        if isinstance(inner, BoolType) and key.word in ("true", "false"):
            return [int(key.word == "true")]
        if isinstance(inner, KindType) and key.word in inner.kind.members:
            return [inner.kind.members.index(key.word)]
        members = inner.kind.members if isinstance(inner, KindType) else ()
        self.c.missing(
            key.span, key.word or "", members, f"{key.word} is not one of {spelled(domain)}"
        )
        return []

    def _name(self, point: int, domain: Type) -> str:
        if isinstance(domain, KindType):
            return domain.kind.members[point]
        return str(point)

    def _gap(
        self,
        missing: list[int],
        keys: list[t.RowKey],
        domain: Type,
        decl: t.TableDecl,
        what: str,
    ) -> None:
        """Points without a row: told at the first row behind the gap."""
        after = [key for key in keys if key.low is not None and key.low > missing[0]]
        span: Span = (after or keys[-1:])[0].span if keys else decl.name.span
        names = ", ".join(self._name(point, domain) for point in missing[:6])
        endless = is_open(domain) and missing[-1] == _open_end(domain, keys)
        more = " and more" if len(missing) > 6 or endless else ""
        row = ",..." if span.source.name.endswith(".csv") else ": ..."
        self.c.add(
            "table-gap",
            span,
            f"no {what} for {names}{more}",
            about=f"{self.c.about}: every value of {spelled(domain)} has a {what}",
            help=self._row_in_gap(missing, span, domain, decl)
            or f"a {what} `{self._name(missing[0], domain)}{row}`, or `else{row}` for the rest",
        )

    def _row_in_gap(self, missing: list[int], span: Span, domain: Type, decl: t.TableDecl) -> str:
        """The line with a row in the gap, where it stands on one line and one row is missing."""
        for key, values in decl.rows:
            if key.span == span and len(missing) == 1 and not decl.columns and values:
                guess = values[0].span.text
                row = f"{self._name(missing[0], domain)}: {guess}, "
                start = Span(span.source, span.start, span.start)
                if values[0].span.line == span.line and "{" in span.source.line(span.line):
                    return f"{replaced(start, row)}   ({guess} is a guess; the row is yours)"
        return ""


def is_open(domain: Type) -> bool:
    """Whether a range has no end: `1+`."""
    return isinstance(domain, IntType) and domain.low > INT_LOW and domain.high == INT_HIGH


def _open_end(domain: Type, keys: list[t.RowKey]) -> int | None:
    """Where the rows of an open range are all the same: at its open row, or behind all others."""
    if not isinstance(domain, IntType) or not is_open(domain):
        return None
    opened = [key.low for key in keys if key.open and key.low is not None]
    tops = [top for key in keys if (top := key.high or key.low) is not None]
    return opened[0] if opened else max([*tops, domain.low - 1]) + 1
