"""Declarations: options, kinds, tables, state, what places hold at the start."""

from __future__ import annotations

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.constants import reads_state
from rulesdsl.check.context import Context, replaced
from rulesdsl.check.datatypes import IntType, KindType, PlayerType, Type
from rulesdsl.check.scopes import Scope
from rulesdsl.check.tables import Tables
from rulesdsl.check.types import Types
from rulesdsl.check.vocabulary import CALLED
from rulesdsl.check.written import names_in
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Second
from rulesdsl.text.source import Span

_SIGHTS = {
    "secret": m.Sight.OWNER,
    "hidden": m.Sight.NOBODY,
    "unseen by its owner": m.Sight.OTHERS,
}


@define(eq=False, slots=False)
class Declarations(Tables):
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
            self._taken(word, self.c.fields[word.text])
        names[word.text] = word.span
        return True

    def _taken(self, word: t.Word, first: Span) -> None:
        """A member that is called like something else."""
        note = f"{word.text} is the name of a member and of something else"
        second = Second(first, "here already")
        self.c.add("duplicate-name", word.span, note, second=second)

    # ---------------------------------------------------------------- kinds

    def kinds_and_options(
        self, kinds: tuple[t.KindDecl, ...], options: tuple[t.OptionDecl, ...]
    ) -> None:
        """Members first, since columns may be of other kinds; ranges of options after these."""
        self.c.later = {option.name.text for option in options}
        fresh = [kind for kind in kinds if self.new_name(kind.name, "kind")]
        ranges = [decl for decl in fresh if decl.range is not None]
        listed = [decl for decl in fresh if decl.range is None]
        waiting = [decl for decl in ranges if names_in(decl.range) & self.c.later]
        self._members(listed)
        self._ranges([decl for decl in ranges if decl not in waiting])
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
            kind = m.Kind(decl.name.text, members, decl.name.span, {}, decl.cites)
            self.c.model.kinds[kind.name] = kind
            for word, _ in decl.rows:
                self.c.fields.setdefault(word.text, word.span)
                if word.text in self.c.spans:
                    self._taken(word, self.c.spans[word.text])

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
        for name, cells in decl.rows:
            if len(cells) != len(decl.columns):
                self.c.add(
                    "row-length",
                    name.span,
                    f"{name.text} has {len(cells)} values, the columns are {len(decl.columns)}",
                )
                return
        for index, (word, node) in enumerate(decl.columns):
            type_ = self.types.type(node)
            if type_ is None:
                continue
            values: list[int] = []
            for _, cells in decl.rows:
                value = self.constant(cells[index], type_)
                values.append(0 if value is None else value)
            column = m.Column(word.text, type_, tuple(values))
            kind.columns[word.text] = column
            self.c.fields.setdefault(word.text, word.span)

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
        if type_ is None or default is None:
            self.c.broken.add(decl.name.text)
            return
        if not default[1] and isinstance(type_, IntType):
            note = f"the default can lie outside {type_}"
            self.c.add("out-of-range", decl.default.span, note)
        self.c.model.options[decl.name.text] = m.Option(
            decl.name.text, type_, default[0], decl.name.span, decl.about, decl.cites
        )

    # ---------------------------------------------------------------- state

    def state(self, decls: tuple[t.StateDecl, ...]) -> None:
        """Scalars and places; starts and refills once all are known."""
        declared: list[tuple[t.StateDecl, m.Scalar | m.Zone]] = []
        for decl in decls:
            if decl.per.text not in ("shared", "player", *self.c.model.kinds):
                self.c.missing(
                    decl.per.span,
                    decl.per.text,
                    self.c.model.kinds,
                    f"there is no kind {decl.per.text}",
                )
                continue
            if not self._free(decl):
                continue
            made = self._declare(decl)
            if made is None:
                self.c.broken.add(decl.name.text)
            else:
                declared.append((decl, made))
        for decl, what in declared:
            if isinstance(what, m.Zone):
                self._zone_starts(decl, what)
        self._capacities()
        for decl, what in declared:
            if isinstance(what, m.Scalar):
                self._scalar_start(decl, what)

    def _free(self, decl: t.StateDecl) -> bool:
        """A name of the state: once in its section; of shared ones, once in the file."""
        key = (decl.per.text, decl.name.text)
        if decl.per.text == "shared":
            return self.new_name(decl.name, "piece of state")
        first = self.c.model.scalars.get(key) or self.c.model.zones.get(key)
        if first is not None:
            self.c.add(
                "duplicate-name",
                decl.name.span,
                f"{decl.name.text} is declared twice",
                second=Second(first.span, "here already"),
            )
            return False
        self.c.fields.setdefault(decl.name.text, decl.name.span)
        return True

    def _declare(self, decl: t.StateDecl) -> m.Scalar | m.Zone | None:
        per: m.Per = self.c.model.kinds.get(decl.per.text, decl.per.text)
        self.c.use(per)
        key = (decl.per.text, decl.name.text)
        sight = self._sight(decl)
        words = {
            clause.name: clause for clause in decl.type.clauses if isinstance(clause, t.Modifier)
        }
        if isinstance(decl.type.type, t.PlaceType):
            kinds = [self._kind(word) for word in decl.type.type.kinds]
            found = tuple(kind for kind in kinds if kind is not None)
            if len(found) != len(kinds):
                return None
            self._only(decl, words, ("size seen", "top seen"))
            zone = m.Zone(
                decl.name.text,
                per,
                m.Shape(decl.type.type.place),
                found,
                decl.name.span,
                sight,
                size_seen="size seen" in words,
                top_seen="top seen" in words,
                cites=decl.cites,
            )
            self.c.model.zones[key] = zone
            return zone
        type_ = self.types.type(decl.type.type)
        if type_ is None:
            return None
        self._only(decl, words, ("capped",))
        scalar = m.Scalar(
            decl.name.text, per, type_, decl.name.span, sight, "capped" in words, cites=decl.cites
        )
        self.c.model.scalars[key] = scalar
        return scalar

    def _only(
        self, decl: t.StateDecl, words: dict[str, t.Modifier], allowed: tuple[str, ...]
    ) -> None:
        for name, clause in words.items():
            if name not in (*allowed, *_SIGHTS):
                place = isinstance(decl.type.type, t.PlaceType)
                what = "places" if not place else "numbers"
                self.c.add(
                    "wrong-clause", clause.span, f"`{name}` is for {what}, which this is not"
                )

    def _sight(self, decl: t.StateDecl) -> m.Sight:
        sight = m.Sight.ALL
        for clause in decl.type.clauses:
            if not isinstance(clause, t.Modifier) or clause.name not in _SIGHTS:
                continue
            if sight is not m.Sight.ALL:
                self.c.add("wrong-clause", clause.span, "this says twice who sees it")
            if decl.per.text != "player" and clause.name != "hidden":
                self.c.add(
                    "no-owner",
                    clause.span,
                    "this belongs to no player, so nobody is its owner",
                    help=replaced(clause.span, "hidden"),
                )
                continue
            sight = _SIGHTS[clause.name]
        return sight

    def _kind(self, word: t.Word) -> m.Kind | None:
        kind = self.c.model.kinds.get(word.text)
        if kind is None:
            self.c.missing(
                word.span, word.text, self.c.model.kinds, f"there is no kind {word.text}"
            )
            return None
        self.c.use(kind)
        return kind

    # ---------------------------------------------------------------- starts

    def _zone_starts(self, decl: t.StateDecl, zone: m.Zone) -> None:
        counts = {id(kind): [0] * len(kind) for kind in zone.kinds}
        for clause in decl.type.clauses:
            match clause:
                case t.StartsWith():
                    for components in clause.components:
                        self._add_start(components, zone, counts)
                case t.Refilled():
                    self._refills(clause, zone)
                case t.StartsAt():
                    self.c.add(
                        "wrong-clause",
                        clause.span,
                        "a place starts with components, not at a value",
                        help=replaced(clause.span, "starts with all"),
                    )
                case t.Modifier():
                    pass
        zone.start = tuple(tuple(counts[id(kind)]) for kind in zone.kinds)
        total = sum(sum(part) for part in zone.start)
        if zone.shape is m.Shape.SLOT and total > 1:
            self.c.add("slot-full", decl.name.span, "a slot holds one component")

    def _add_start(
        self, components: t.Components, zone: m.Zone, counts: dict[int, list[int]]
    ) -> None:
        word, count = components.name, 1
        if components.count is not None:
            found = self.constant(components.count, IntType(0, 10_000))
            if found is None:
                return
            count = found
        if word.text == "all":
            for kind in zone.kinds:
                counts[id(kind)] = [n + 1 for n in counts[id(kind)]]
            return
        for kind in zone.kinds:
            if word.text in kind.members:
                counts[id(kind)][kind.members.index(word.text)] += count
                return
            column = kind.columns.get(word.text)
            if column is not None and isinstance(column.type, IntType):
                self.c.use(column)
                mine = counts[id(kind)]
                counts[id(kind)] = [n + value for n, value in zip(mine, column.values, strict=True)]
                return
        known = ["all", *(member for kind in zone.kinds for member in kind.members)]
        known += [column for kind in zone.kinds for column in kind.columns]
        self.c.missing(
            word.span, word.text, known, f"{word.text} is no member and no column of what lies here"
        )

    def _refills(self, clause: t.Refilled, zone: m.Zone) -> None:
        places: list[m.Zone] = []
        for word in clause.places:
            other = self.c.zone("shared", word.text)
            if other is None and isinstance(zone.per, str):
                other = self.c.zone(zone.per, word.text)
            if other is None or other.kinds != zone.kinds or other is zone:
                names = [name for _, name in self.c.model.zones if name != zone.name]
                self.c.missing(
                    word.span,
                    word.text,
                    names,
                    f"{word.text} is no place from which this can be refilled",
                )
                continue
            places.append(other)
        zone.refills = tuple(places)

    def _capacities(self) -> None:
        """Nothing is made or lost: no place can hold more than there is."""
        lacking: list[m.Kind] = []
        for zone in self.c.model.zones.values():
            there = sum(sum(self.c.components(kind)) for kind in zone.kinds)
            zone.capacity = min(1, there) if zone.shape is m.Shape.SLOT else there
            for kind in zone.kinds:
                if kind not in lacking and not any(self.c.components(kind)):
                    lacking.append(kind)
                    if not self.c.broken:
                        self._no_components(kind, zone)

    def _no_components(self, kind: m.Kind, zone: m.Zone) -> None:
        many = any(isinstance(column.type, IntType) for column in kind.columns.values())
        self.c.add(
            "no-components",
            zone.span,
            f"no {kind.name} is anywhere at the start, so none can ever lie here",
            second=Second(kind.span, "its members are only names until components lie somewhere"),
            help=f"{zone.name}: {zone.shape.value} of {kind.name}, starts with all"
            + (" (or the name of a column with numbers)" if many else ""),
        )

    def _scalar_start(self, decl: t.StateDecl, scalar: m.Scalar) -> None:
        for clause in decl.type.clauses:
            match clause:
                case t.StartsAt():
                    self._start_value(clause, scalar)
                case t.StartsWith() | t.Refilled():
                    self.c.add("wrong-clause", clause.span, "this is for places, which this is not")
                case t.Modifier():
                    pass

    def _start_value(self, clause: t.StartsAt, scalar: m.Scalar) -> None:
        scope = Scope()
        node = clause.value
        if isinstance(scalar.per, m.Kind):
            scalar.owner = m.Local("its member", KindType(scalar.per), clause.span)
            if isinstance(node, t.Name) and node.text in scalar.per.columns:
                owner = m.LocalRead(node.span, scalar.owner.type, scalar.owner)
                word = t.Word(node.span, node.text)
                read = self.types.expressions.field(owner, word, node.span)
                if read is not None and self.c.must_fit(read, scalar.type) is not False:
                    scalar.start = read
                return
        elif scalar.per == "player":
            scalar.owner = m.Local("its owner", PlayerType(), clause.span)
        found = self.types.expressions.value(node, scope, scalar.type)
        if found is None:
            return
        if reads_state(found[0]):
            self.c.add(
                "start-unknown",
                node.span,
                "what something starts at is known before the game: numbers, options, tables",
            )
            return
        scalar.start = found[0]
