"""Tables: total over their domains, each point with one row."""

from __future__ import annotations

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.context import Context
from rulesdsl.check.datatypes import INT_HIGH, BoolType, IntType, KindType, MaybeType, Type
from rulesdsl.check.scopes import Scope
from rulesdsl.check.types import Types
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Second
from rulesdsl.text.source import Span

_MAX_POINTS = 20_000


@define(eq=False, slots=False)
class Tables:
    """The part of the checker that knows tables."""

    c: Context
    types: Types

    def new_word(self, word: t.Word, what: str) -> bool:
        raise NotImplementedError

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
            if self.new_word(decl.name, "table"):
                self._table(decl)

    def _table(self, decl: t.TableDecl) -> None:
        domains = [self.types.type(domain) for domain in decl.maps.domains]
        value = self.types.type(decl.maps.value)
        known = [domain for domain in domains if domain is not None]
        if len(known) != len(domains) or value is None:
            self.c.broken.add(decl.name.text)
            return
        keys = 2 if decl.columns else 1
        if len(known) != keys:
            note = f"this maps from {len(known)} things; " + (
                "with columns it maps from two" if decl.columns else "without columns from one"
            )
            self.c.add("table-shape", decl.maps.span, note)
            self.c.broken.add(decl.name.text)
            return
        before = len(self.c.problems)
        cells, open_from = self._cells(decl, known, value)
        if len(self.c.problems) != before:
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
        for (key, values), points in zip(decl.rows, rows, strict=True):
            width = len(decl.columns) if decl.columns else 1
            if len(values) != width:
                self.c.add(
                    "row-length", key.span, f"this row has {len(values)} values, wanted are {width}"
                )
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
        open_from = next((key.low for key, _ in decl.rows if key.open), None)
        return cells, open_from if columns is None else None

    # ---------------------------------------------------------------- keys

    def _points(
        self, keys: list[t.RowKey], domain: Type, decl: t.TableDecl, what: str
    ) -> list[list[int]]:
        """The points of each key; each point has one key, and none is without."""
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
        if missing:
            self._gap(missing, keys, domain, decl, what)
        return points

    def _wanted(self, domain: Type, keys: list[t.RowKey]) -> list[int]:
        """All points of a domain; an open one ends where the open row begins."""
        match domain:
            case KindType(kind):
                return list(range(len(kind)))
            case BoolType():
                return [0, 1]
            case IntType(low, high):
                opened = [key.low for key in keys if key.open and key.low is not None]
                if high == INT_HIGH and opened:
                    high = opened[0]
                if high == INT_HIGH:
                    tops = [key.high if key.high is not None else key.low for key in keys]
                    high = max([top for top in tops if top is not None], default=low) + 1
                return list(range(low, min(high, low + _MAX_POINTS) + 1))
            case MaybeType(inner):
                return [-1, *self._wanted(inner, keys)]
            case _:
                return list(range(self.c.model.players[1]))

    def _of_key(self, key: t.RowKey, domain: Type, wanted: list[int], what: str) -> list[int]:
        if key.word is not None:
            return self._member(key, domain)
        if not isinstance(domain, IntType) or key.low is None:
            self.c.add("wrong-type", key.span, f"the {what}s of this table are members")
            return []
        high = max(wanted) if key.open else (key.low if key.high is None else key.high)
        outside = key.low < domain.low or (high > domain.high)
        if outside or high < key.low:
            self.c.add(
                "table-outside", key.span, f"this lies outside {domain}, which the table maps from"
            )
            return []
        return list(range(key.low, high + 1))

    def _member(self, key: t.RowKey, domain: Type) -> list[int]:
        inner = domain.inner if isinstance(domain, MaybeType) else domain
        if key.word == "none" and isinstance(domain, MaybeType):
            return [-1]
        if isinstance(inner, BoolType) and key.word in ("true", "false"):
            return [int(key.word == "true")]
        if isinstance(inner, KindType) and key.word in inner.kind.members:
            return [inner.kind.members.index(key.word)]
        members = inner.kind.members if isinstance(inner, KindType) else ()
        self.c.missing(key.span, key.word or "", members, f"{key.word} is not one of {domain}")
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
        span: Span = after[0].span if after else decl.name.span
        names = ", ".join(self._name(point, domain) for point in missing[:6])
        self.c.add(
            "table-gap",
            span,
            f"no {what} for {names}",
            about=f"table {decl.name.text}: every value of {domain} has a {what}",
            help=f"a {what} `{self._name(missing[0], domain)}: ...`, or `else: ...` for the rest",
        )
