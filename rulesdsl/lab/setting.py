"""The setting of an example: its seats, options and cases, and what names mean in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs
from attrs import define, field

from rulesdsl.check import model as m
from rulesdsl.check.checker import check_expression, check_place
from rulesdsl.check.context import replaced
from rulesdsl.check.datatypes import IntType, KindType, PlayerType, Type
from rulesdsl.check.walk import nodes
from rulesdsl.lab.plan import Contents
from rulesdsl.machine.layout import lay_out
from rulesdsl.machine.places import Registers
from rulesdsl.machine.program import K
from rulesdsl.machine.settings import default_of
from rulesdsl.machine.values import Values
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Problems, Second
from rulesdsl.text.source import Span
from rulesdsl.text.spelling import nearest

NOTHING = ("none", "nothing")
REST = "the rest"
UNSEEN = "unseen"
_MOST = 10_000


@define(slots=False)
class Setting:
    """One example with one column of its cases; what is wrong in it is told as problems."""

    model: m.Model
    file: t.RuleFile
    example: t.ExampleDecl
    column: int
    problems: Problems
    names: tuple[str, ...] = field(init=False)
    options: dict[str, int] = field(factory=dict, init=False)
    constants: dict[str, m.Const | m.Local] = field(factory=dict, init=False)
    amounts: dict[str, t.Amount] = field(factory=dict, init=False)
    """Names of the cases that stand for components."""
    values: Values = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.names = self._seats()
        for seat, name in enumerate(self.names):
            self.constants[name] = m.Const(self.example.span, PlayerType(), seat)
        # constants need neither the options nor where things lie
        self.values = self._values({})
        self.options = self._options()
        self.values = self._values(self.options)
        self._cases()

    def _values(self, options: dict[str, int]) -> Values:
        seats = len(self.names)
        return Values(self.model, seats, options, lay_out(self.model, seats), Registers())

    # ---------------------------------------------------------------- seats, options, cases

    def _seats(self) -> tuple[str, ...]:
        """The names of those who play; the first ones if there is something wrong."""
        (least, most), known = self.model.players, self.model.seat_names
        words = self.example.players
        for word, name in zip(words, known, strict=False):
            if word.text != name:
                note = f"the seats are {', '.join(known)}, in this order; here sits {name}"
                second = _declared(self.file, name)
                help_ = replaced(word.span, name)
                self.problems.add("wrong-setting", word.span, note, second=second, help=help_)
                return known[:least]
        if words and not least <= len(words) <= most:
            numbers = str(least) if least == most else f"{least} to {most}"
            note = f"{self.model.title} is for {numbers} players; here are {len(words)}"
            self.problems.add("wrong-setting", words[0].span.to(words[-1].span), note)
            return known[:least]
        return known[: len(words) or least]

    def _options(self) -> dict[str, int]:
        """The value of every option; what is not given has its default."""
        given: dict[str, t.Expr] = {}
        for word, node in self.example.options:
            if word.text in self.model.options:
                given[word.text] = node
            else:
                self.unknown(word, self.model.options, f"there is no option {word.text}")
        settled: dict[str, int] = {}
        for option in self.model.options.values():
            value = None
            if option.name in given:
                value = self._option(given[option.name], option, settled)
            if value is None:
                value = default_of(self.model, option, len(self.names), settled)
            settled[option.name] = value
        return settled

    def _option(self, node: t.Expr, option: m.Option, settled: dict[str, int]) -> int | None:
        """A value that is given, which like a default may use the options above it."""
        checked = self.check(node, option.type)
        if checked is None:
            return None
        for read in nodes(checked):
            if isinstance(read, m.OptionRead) and read.option.name not in settled:
                note = f"{read.option.name} stands below {option.name}, and is not settled yet"
                self.problems.add("not-constant", read.span, note)
                return None
        value = self._values(settled).value(checked)
        if isinstance(value, K):
            return value.value
        self.problems.add("not-constant", node.span, "this is not known before the game")
        return None

    def _cases(self) -> None:
        for word, row in self.example.cases:
            cell = row[self.column]
            if isinstance(cell, t.Amount):
                self.amounts[word.text] = cell
                continue
            checked = self.check(cell)
            value = None if checked is None else self.constant(checked)
            if checked is not None and value is not None:
                self.constants[word.text] = m.Const(cell.span, checked.type, value)

    @property
    def case(self) -> str:
        """The column in words: `guessed 3, won 3`; empty for an example without cases."""
        parts = [f"{word.text} {row[self.column].span.text}" for word, row in self.example.cases]
        return ", ".join(parts)

    def case_text(self, name: str) -> str | None:
        """What a name of the cases stands for, as it is written in this column."""
        for word, row in self.example.cases:
            if word.text == name:
                return row[self.column].span.text
        return None

    # ---------------------------------------------------------------- names and values

    def unknown(self, word: t.Word, known: Iterable[str], note: str) -> None:
        """Tell of a name that means nothing, with the one that was probably meant."""
        near = nearest(word.text, known)
        help_ = "" if near is None else replaced(word.span, near)
        second = None if near is None else _declared(self.file, near)
        self.problems.add("unknown-name", word.span, note, second=second, help=help_)

    def seat(self, word: t.Word) -> int | None:
        found = self.constants.get(word.text)
        if isinstance(found, m.Const) and isinstance(found.type, PlayerType):
            return found.value
        note = f"nobody of the name {word.text} plays here"
        self.unknown(word, self.names, note)
        return None

    def check(self, node: t.Expr, expected: Type | None = None) -> m.Expr | None:
        return check_expression(self.model, node, expected, self.constants, self.problems)

    def known(self, node: t.Expr, expected: Type) -> int | None:
        """A value that is known without a state."""
        checked = self.check(node, expected)
        return None if checked is None else self.constant(checked)

    def constant(self, expr: m.Expr) -> int | None:
        value = self.values.value(expr)
        if isinstance(value, K):
            return value.value
        self.problems.add("not-constant", expr.span, "this is not known before the game")
        return None

    def key(self, expr: m.Expr | None) -> int | None:
        """Whose: a seat or member, 0 for what is shared."""
        return 0 if expr is None else self.constant(expr)

    def place(self, node: t.Expr) -> m.Place | None:
        """The place meant; None, without a word, for what is no place."""
        return check_place(self.model, node, self.constants, self.problems)

    def note(self, node: t.Expr) -> tuple[m.PlaceNote, int] | None:
        """The note on a place that is meant, and whose; None for what is none."""
        if not isinstance(node, t.Dot):
            return None
        names = {one.name for zone in self.model.zones.values() for one in zone.notes}
        place = self.place(node.base) if node.name.text in names else None
        notes = () if place is None else place.zone.notes
        found = next((note for note in notes if note.name == node.name.text), None)
        key = None if place is None or found is None else self.key(place.key)
        return None if found is None or key is None else (found, key)

    def values_of(
        self, type_: Type, value: t.Expr | t.Amount | t.ValueList
    ) -> tuple[int, ...] | None:
        """A list of values of one type."""
        if isinstance(value, t.Name):
            value = self.amounts.get(value.text, value)
        match value:
            case t.ValueList(values=items):
                nodes: list[t.Expr] = [*items]
            case t.Amount(components=items) if all(one.count is None for one in items):
                nodes = [t.Name(one.span, one.name.text) for one in items]
            case _:
                note = "a note has a value for each component: a list is wanted here"
                self.problems.add("wrong-type", value.span, note)
                return None
        found = [self.known(node, type_) for node in nodes]
        numbers = tuple(number for number in found if number is not None)
        return numbers if len(numbers) == len(found) else None

    # ---------------------------------------------------------------- components

    def contents(
        self, zone: m.Zone, value: t.Expr | t.Amount | t.ValueList, besides: str = ""
    ) -> Contents | None:
        """Components of a place as they are listed; `besides` is a word that may be among them."""
        if isinstance(value, t.Name):
            value = self.amounts.get(value.text, value)
        if isinstance(value, t.ValueList):
            self.problems.add(
                "wrong-type", value.span, f"components of {zone.name} are wanted here"
            )
            return None
        if not isinstance(value, t.Amount):
            return self._one(zone, value)
        members: list[int] = []
        spans: list[Span] = []
        hidden = 0
        for one in value.components:
            number = 1 if one.count is None else self.known(one.count, IntType(0, _MOST))
            if number is None:
                return None
            if one.name.text == besides:
                hidden += number
            else:
                member = self._member(zone, one.name)
                if member is None:
                    return None
                members += [member] * number
                spans += [one.span] * number
        return Contents(tuple(members), tuple(spans), hidden)

    def _one(self, zone: m.Zone, value: t.Expr) -> Contents | None:
        """One component by its name, or `none`."""
        if isinstance(value, t.Name) and value.text in NOTHING:
            return Contents((), ())
        if isinstance(value, t.Name):
            member = self._member(zone, t.Word(value.span, value.text))
            return None if member is None else Contents((member,), (value.span,))
        note = f"components of {zone.name} are wanted here"
        help_ = f"size of {zone.name}: {value.span.text}" if isinstance(value, t.Int) else ""
        self.problems.add("wrong-type", value.span, note, help=help_)
        return None

    def _member(self, zone: m.Zone, word: t.Word) -> int | None:
        """A component of a place, counted over all its kinds: by name, or a name of the cases."""
        case = self.constants.get(word.text)
        if isinstance(case, m.Const) and isinstance(case.type, KindType):
            for kind in zone.kinds:
                if kind is case.type.kind:
                    return zone.offset(kind) + case.value
        found = [
            zone.offset(kind) + kind.members.index(name)
            for kind in zone.kinds
            for name in kind.members
            if word.text in (name, f"{kind.name}.{name}")
        ]
        if len(found) == 1:
            return found[0]
        names = [name for kind in zone.kinds for name in kind.members]
        if found:
            kinds = " and ".join(kind.name for kind in zone.kinds if word.text in kind.members)
            note = f"{kinds} both have a {word.text}"
            self.problems.add("ambiguous-member", word.span, note)
        else:
            self.unknown(word, names, f"{zone.name} holds no {word.text}")
        return None


def _declared(file: t.RuleFile, name: str) -> Second | None:
    """Where a name stands first in the rules: mostly where it is declared."""
    rules = (
        *file.seat_names,
        *file.options,
        *file.kinds,
        *file.state,
        *file.procedures,
        file.flow,
        *file.phases,
    )
    found = next((word for word in _words(rules) if word.text == name), None)
    return None if found is None else Second(found.span, "did you mean this one?")


def _words(node: object) -> Iterator[t.Word]:
    """The words of a piece of the tree in order."""
    if isinstance(node, t.Word):
        yield node
    elif isinstance(node, tuple):
        for item in node:
            yield from _words(item)
    elif type(node).__module__ == t.__name__:
        for name in attrs.fields_dict(type(node)):  # type: ignore[arg-type]
            yield from _words(getattr(node, name))
