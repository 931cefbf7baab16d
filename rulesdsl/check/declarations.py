"""Declarations: options, kinds, tables, state, what places hold at the start."""

from __future__ import annotations

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.constants import is_static
from rulesdsl.check.context import Context
from rulesdsl.check.datatypes import IntType, KindType, Type
from rulesdsl.check.derivations import Derivations, is_derived
from rulesdsl.check.joins import kind_with_members
from rulesdsl.check.scopes import Scope
from rulesdsl.check.state import State
from rulesdsl.check.tables import MAX_POINTS
from rulesdsl.check.types import Types
from rulesdsl.check.vocabulary import CALLED
from rulesdsl.check.written import names_in
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Second
from rulesdsl.text.source import Span


@define(eq=False, slots=False)
class Declarations(State):
    """Declares what stands in the sections before the rules."""

    c: Context
    types: Types

    def new_name(self, word: t.Word, what: str) -> bool:
        """Whether a name of a value is free; it is taken from here on."""
        return self._new(word, what, self.c.spans)

    def new_step(self, word: t.Word, what: str) -> bool:
        """Whether a name of a procedure or phase is free; these have names of their own."""
        return self._new(word, what, self.c.called)

    def new_word(self, word: t.Word, what: str) -> bool:
        """Whether a name of something that is called like a function is free."""
        if word.text in CALLED:
            note = f"`{word.text}` is a word of the language and no name of a {what}"
            self.c.add("reserved-word", word.span, note)
            return False
        return self.new_name(word, what)

    def _new(self, word: t.Word, what: str, names: dict[str, Span]) -> bool:
        if word.text in names:
            self.c.add(
                "duplicate-name",
                word.span,
                f"{word.text} is declared twice",
                second=Second(names[word.text], "here already"),
                help=f"another name for this {what}",
            )
            return False
        members = {member for kind in self.c.model.kinds.values() for member in kind.members}
        if names is self.c.spans and word.text in members:
            self.c.taken(word, self.c.fields[word.text])
        names[word.text] = word.span
        return True

    # ---------------------------------------------------------------- kinds

    def kinds_and_options(
        self, kinds: tuple[t.KindDecl, ...], options: tuple[t.OptionDecl, ...]
    ) -> None:
        """Members first, since columns may be of other kinds; ranges of options after these."""
        self.c.later = {option.name.text for option in options}
        fresh = [kind for kind in kinds if self.new_name(kind.name, "kind")]
        ranges = [decl for decl in fresh if decl.range is not None]
        derived = [decl for decl in fresh if is_derived(decl)]
        listed = [decl for decl in fresh if decl.range is None and not is_derived(decl)]
        waiting = [decl for decl in ranges if names_in(decl.range) & self.c.later]
        self._members(listed)
        self._ranges([decl for decl in ranges if decl not in waiting])
        Derivations(self.c, self.types).declare(derived)
        in_order = [decl.name.text for decl in fresh if decl.name.text in self.c.model.kinds]
        self.c.model.kinds = {name: self.c.model.kinds[name] for name in in_order}
        unknown = {decl.name.text for decl in waiting}
        late = [decl for decl in listed if names_in(decl.columns) & unknown]
        for decl in listed:
            if decl not in late:
                self._columns(decl, self.c.model.kinds[decl.name.text])
        for option in options:
            self._option(option)
        self._ranges(waiting)
        for decl in late:
            self._columns(decl, self.c.model.kinds[decl.name.text])

    def _ranges(self, decls: list[t.KindDecl]) -> None:
        for decl in decls:
            assert decl.range is not None
            self.c.within("kind", decl.name.text, decl.cites)
            type_ = self.types.type(decl.range)
            if isinstance(type_, IntType):
                self.c.ranges[decl.name.text] = type_
            else:
                self.c.broken.add(decl.name.text)

    def _members(self, decls: list[t.KindDecl]) -> None:
        for decl in decls:
            members = tuple(word.text for word, _ in decl.rows)
            self._twice([word for word, _ in decl.rows], "member")
            kind = m.Kind(decl.name.text, members, decl.name.span, {}, decl.cites, ring=decl.ring)
            self.c.model.kinds[kind.name] = kind
            for word, _ in decl.rows:
                self.c.fields.setdefault(word.text, word.span)
                if word.text in self.c.spans:
                    self.c.taken(word, self.c.spans[word.text])

    def _twice(self, words: list[t.Word], what: str) -> None:
        seen: dict[str, t.Word] = {}
        for word in words:
            if word.text in seen:
                self.c.add(
                    "duplicate-name",
                    word.span,
                    f"the {what} {word.text} stands here twice",
                    second=Second(seen[word.text].span, "here already"),
                )
            seen.setdefault(word.text, word)

    def _columns(self, decl: t.KindDecl, kind: m.Kind) -> None:
        self.c.within("kind", kind.name, kind.cites)
        self._twice([word for word, _ in decl.columns], "column")
        if any(len(cells) != len(decl.columns) for _, cells in decl.rows):
            self.c.broken.update(word.text for word, _ in decl.columns)  # told when it was read
            return
        for index, (word, node) in enumerate(decl.columns):
            self.c.fields.setdefault(word.text, word.span)
            if isinstance(node, t.PlaceType):
                cells = [row[index] for _, row in decl.rows]
                self._bags(kind, word, node, cells)
                continue
            type_ = self.types.type(node)
            if type_ is None:
                continue
            values: list[int] = []
            for _, row in decl.rows:
                cell = row[index]
                value = None if isinstance(cell, t.BagCell) else self.constant(cell, type_)
                values.append(0 if value is None else value)
            column = m.Column(word.text, type_, tuple(values))
            kind.columns[word.text] = column

    def _bags(self, kind: m.Kind, word: t.Word, node: t.PlaceType, cells: list[t.Cell]) -> None:
        """A column that holds a bag for each member."""
        if node.place != "bag" or len(node.kinds) > 1:
            note = "a column holds bags of one kind, or single values"
            self.c.add("wrong-type", node.span, note, help=f"bag of {node.kinds[0].text}")
            self.c.broken.add(word.text)
            return
        of = kind_with_members(self.c, node.kinds[0], "in a bag")
        if of is None:
            self.c.broken.add(word.text)
            return
        if len(cells) * len(of) > MAX_POINTS:
            note = f"the bags tell {len(cells) * len(of):,} numbers; there may be {MAX_POINTS:,}"
            self.c.add("table-too-large", word.span, note)
        bags: list[tuple[int, ...]] = []
        for cell in cells:
            counts = [0] * len(of)
            for item in cell.items if isinstance(cell, t.BagCell) else ():
                member = self.constant(item, KindType(of))
                if member is not None:
                    counts[member] += 1
            bags.append(tuple(counts))
        kind.bags[word.text] = m.BagColumn(word.text, of, tuple(bags))

    # ---------------------------------------------------------------- options

    def _option(self, decl: t.OptionDecl) -> None:
        self.c.within("option", decl.name.text, decl.cites)
        if not self.new_name(decl.name, "option"):
            self.c.later.discard(decl.name.text)
            return
        type_: Type | None
        if isinstance(decl.type, t.WordsType):
            self._twice(list(decl.type.words), "word")
            type_ = KindType(self.types.words(decl.type, decl.name.text))
        else:
            type_ = self.types.type(decl.type)
        default = None
        if type_ is not None:
            default = self.types.expressions.value(decl.default, Scope(), type_)
        self.c.later.discard(decl.name.text)
        if type_ is None:
            self.c.broken.add(decl.name.text)
            return
        if default is None:
            default = m.Const(decl.default.span, type_, 0), True
        if not is_static(default[0]):
            note = "a default is worked out from numbers, columns, and options that stand before it"
            self.c.add("not-constant", decl.default.span, note)
        elif not default[1] and isinstance(type_, IntType):
            note = f"the default can lie outside {type_}"
            self.c.add("out-of-range", decl.default.span, note)
        self.c.model.options[decl.name.text] = m.Option(
            decl.name.text, type_, default[0], decl.name.span, decl.about, decl.cites
        )
