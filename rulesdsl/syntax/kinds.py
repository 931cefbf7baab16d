"""Kinds as they are written: ranges, members with their cells, and kinds made of others."""

from __future__ import annotations

from typing import TypeAlias

from attrs import frozen

from rulesdsl.syntax.bodies import Bodies
from rulesdsl.syntax.fields import COLUMN, KIND_OF
from rulesdsl.syntax.shape import KIND
from rulesdsl.syntax.tree import (
    BagCell,
    Cell,
    EveryTwo,
    Expr,
    GridOf,
    KindDecl,
    Links,
    MadeOf,
    PlaceType,
    TypeExpr,
    Word,
)
from rulesdsl.syntax.yaml_nodes import Entry, List, Map, Node, Text

Columns: TypeAlias = tuple[tuple[Word, TypeExpr], ...]
_UNFIT = {
    "links": ("a kind that links others", ("columns", "made of", "includes")),
    "made of": ("a kind that is made of others", ("columns", "rows", "includes")),
    "includes": ("a kind that includes others", ("columns",)),
}
"""Keys beside which others do not stand."""


@frozen
class Kinds(Bodies):
    """Reads the kinds."""

    def told(self, keys: dict[str, Entry], name: str) -> str:
        """The text of a key for readers; empty if it is absent."""
        return self.prose(keys[name].value, f"`{name}`") if name in keys else ""

    def kinds(self, entry: Entry | None) -> tuple[KindDecl, ...]:
        """Named ranges, and kinds with members."""
        return () if entry is None else self.each(entry.value, "the kinds", self._kind)

    def _kind(self, entry: Entry) -> KindDecl | None:
        name = self.name(entry.key, "a kind", kind=True)
        match entry.value:
            case Text():
                of = self.parsed(KIND_OF, entry.value)
                if isinstance(of, EveryTwo):
                    return KindDecl(name, None, (), (), "", (), of)
                if isinstance(of, GridOf):
                    return KindDecl(name, None, (), (), "", (), grid=of)
                return None if of is None else KindDecl(name, of, (), (), "", ())
            case List(items=items):
                note = "the members of a kind stand under `rows`"
                rows = ", ".join(item.text for item in items if isinstance(item, Text))
                help = f"{name.text}: {{rows: [{rows}]}}"
                self.problems.add("wrong-shape", entry.value.span, note, help=help)
                return None
            case _:
                return self._kind_with_rows(name, entry.value)

    def _kind_with_rows(self, name: Word, node: Node) -> KindDecl:
        keys = self.section(node, KIND)
        self._go_together(keys, node)
        cites, about = self.cites(keys.get("cite")), self.told(keys, "about")
        ring = "order" in keys and self._is_ring(keys["order"].value)
        if "links" in keys:
            joins = self._links(keys)
            return KindDecl(name, None, (), (), about, cites, joins, ring=ring)
        if "made of" in keys:
            parts = self.each(keys["made of"].value, "the parts", self._part)
            made = MadeOf(keys["made of"].value.span, parts)
            return KindDecl(name, None, (), (), about, cites, made=made, ring=ring)
        columns: tuple[tuple[Word, TypeExpr], ...] = ()
        if "columns" in keys and "includes" not in keys:
            columns = self.each(keys["columns"].value, "columns", self._column)
        rows = self._members(keys["rows"].value, columns) if "rows" in keys else ()
        others = self._others(keys["includes"].value) if "includes" in keys else ()
        return KindDecl(name, None, columns, rows, about, cites, includes=others, ring=ring)

    def _go_together(self, keys: dict[str, Entry], node: Node) -> None:
        """Tell of keys that do not stand beside each other, and of members that are missing."""
        for one, (what, unfit) in _UNFIT.items():
            for other in unfit:
                if one in keys and other in keys:
                    span = keys[other].key.span
                    self.problems.add("unknown-key", span, f"{what} has no {other}")
        if not keys.keys() & {"rows", "made of", "includes"} and isinstance(node, Map):
            self.missing_key("rows", node.span, KIND)

    def _is_ring(self, node: Node) -> bool:
        text = self.text(node, "an order")
        if text is not None and text.text != "ring":
            note = "the members of a kind stand in the order of the file, or in a ring"
            self.problems.add("wrong-shape", text.span, note, help="order: ring")
        return True

    def _others(self, node: Node) -> tuple[Word, ...]:
        return tuple(self.name(one, "a kind") for one in self.one_or_more(node, "the kinds"))

    def _part(self, entry: Entry) -> tuple[Word, TypeExpr] | None:
        name, type_ = self.name(entry.key, "a part"), self.type_(entry.value)
        return None if type_ is None else (name, type_)

    def _links(self, keys: dict[str, Entry]) -> Links:
        """Which members of another kind are linked: each link stands once, at either end."""
        rows: list[tuple[Word, tuple[Word, ...]]] = []
        for row in self.entries(keys["rows"].value, "the links") if "rows" in keys else ():
            others = self.one_or_more(row.value, "what it is linked to")
            ends = tuple(self.name(other, "a member") for other in others)
            rows.append((self.name(row.key, "a member"), ends))
        return Links(self.name(keys["links"].value, "a kind"), tuple(rows))

    def _column(self, entry: Entry) -> tuple[Word, TypeExpr] | None:
        name, type_ = self.name(entry.key, "a column"), self.parsed(COLUMN, entry.value)
        return None if type_ is None else (name, type_)

    def _members(self, node: Node, columns: Columns) -> tuple[tuple[Word, tuple[Cell, ...]], ...]:
        if isinstance(node, List):
            names = tuple(self.name(item, "a member") for item in node.items)
            for name in names[:1] if columns else ():
                note = f"a member has a cell for each of the {len(columns)} columns"
                self.problems.add("row-length", name.span, note, help=f"{name.text}: [...]")
            return tuple((name, ()) for name in names)
        return tuple(
            (self.name(entry.key, "a member"), self._cells_of_kind(entry, columns))
            for entry in self.entries(node, "the rows")
        )

    def _cells_of_kind(self, entry: Entry, columns: Columns) -> tuple[Cell, ...]:
        """The cells of a member; one bag alone may stand without brackets of its own."""
        bags = [isinstance(type_, PlaceType) for _, type_ in columns]
        if bags == [True] and not _is_wrapped(entry.value):
            cell = self._bag(entry.value)
            return () if cell is None else (cell,)
        if not any(bags):
            return self.cells(entry, len(columns))
        nodes = self.row(entry, len(columns))
        if len(nodes) != len(columns):
            return ()  # nobody knows which cells are whose
        found = (
            self._bag(node) if is_bag else self.expr(node)
            for node, is_bag in zip(nodes, bags, strict=True)
        )
        return tuple(cell for cell in found if cell is not None)

    def _bag(self, node: Node) -> BagCell | None:
        """What is in a bag: members, each as often as it is there."""
        found = [self.expr(item) for item in self.one_or_more(node, "what is in a bag")]
        items = tuple(item for item in found if item is not None)
        return BagCell(node.span, items) if len(items) == len(found) else None

    def row(self, entry: Entry, columns: int) -> tuple[Node, ...]:
        """The cells of a row, one for each column."""
        nodes = self.one_or_more(entry.value, "a row")
        if nodes and len(nodes) != columns:
            note = f"this row has {_counted(len(nodes), 'cell')} for {_counted(columns, 'column')}"
            self.problems.add("row-length", entry.value.span, note)
        return nodes

    def cells(self, entry: Entry, columns: int) -> tuple[Expr, ...]:
        """The values of a row of a table, or of a member."""
        found = (self.expr(node) for node in self.row(entry, columns))
        return tuple(cell for cell in found if cell is not None)


def _is_wrapped(node: Node) -> bool:
    """Whether a row is a list of the one bag in it."""
    return isinstance(node, List) and len(node.items) == 1 and isinstance(node.items[0], List)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
