"""The `examples` of a file: what is given, what is played, what must come out."""

from __future__ import annotations

import re

from attrs import frozen

from rulesdsl.syntax.fields import COMPONENTS, EXPR, PLAY_HEADER, PLAY_LINE, Fields
from rulesdsl.syntax.heads import PlayHead
from rulesdsl.syntax.shape import EXAMPLE, PLAY
from rulesdsl.syntax.tree import (
    Amount,
    Components,
    Do,
    ExampleDecl,
    Expr,
    Pair,
    PlayDealt,
    PlayDo,
    PlayExpect,
    PlayIllegal,
    PlayLegal,
    PlayMove,
    PlayRanking,
    PlaySees,
    PlayStep,
    PlayStop,
    ValueList,
    Word,
)
from rulesdsl.syntax.yaml_nodes import Empty, Entry, List, Map, Node, Text
from rulesdsl.text.source import Span

_MOVE = re.compile(r"([^\W\d_]\w*)\s+([^\s(].*)")
_DIFFERENCE = re.compile(r"\+\d{1,9}")
_COUNT = re.compile(r"(\d{1,9}) moves?")
_VALUE = re.compile(r"-?\d{1,9}|true|false")
_COMPONENTS = re.compile(r"\d+\s+[^\W\d_]\w*|the rest")


@frozen
class Examples(Fields):
    """Reads the section `examples`."""

    def examples(self, node: Node) -> tuple[ExampleDecl, ...]:
        """All examples."""
        found = (self._example(item) for item in self.items(node, "the examples"))
        return tuple(example for example in found if example is not None)

    def _example(self, node: Node) -> ExampleDecl | None:
        keys = self.section(node, EXAMPLE)
        if "example" not in keys:
            return None
        title = self.text(keys["example"].value, "what the example shows")
        checks = [
            self._expect(keys[name].key.span, name, keys[name].value)
            for name in ("expect", "change")
            if name in keys
        ]
        return ExampleDecl(
            span=node.span,
            name=Word(node.span, "") if title is None else Word(title.span, title.text),
            cites=self.cites(keys.get("cite")),
            players=self._names(keys.get("players"), "a seat"),
            options=self._options(keys.get("options")),
            cases=self._cases(keys.get("cases")),
            given=self._pairs(keys["given"].value) if "given" in keys else (),
            play=(*self._play(keys.get("play")), *checks),
        )

    def _names(self, entry: Entry | None, what: str) -> tuple[Word, ...]:
        if entry is None:
            return ()
        return tuple(self.name(item, what) for item in self.items(entry.value, entry.key.text))

    def _options(self, entry: Entry | None) -> tuple[tuple[Word, Expr], ...]:
        if entry is None:
            return ()
        found = [
            (self.name(inner.key, "an option"), self.expr(inner.value))
            for inner in self.entries(entry.value, "the options")
        ]
        return tuple((name, value) for name, value in found if value is not None)

    def _cases(self, entry: Entry | None) -> tuple[tuple[Word, tuple[Expr | Amount, ...]], ...]:
        if entry is None:
            return ()
        cases = []
        for inner in self.entries(entry.value, "the cases"):
            found = [
                self._amount(item, item.items) if isinstance(item, List) else self.expr(item)
                for item in self.items(inner.value, "a row of the cases")
            ]
            values = tuple(value for value in found if value is not None)
            cases.append((self.name(inner.key, "a name"), values))
        for name, values in cases[1:]:
            first, wanted = cases[0][0], len(cases[0][1])
            if len(values) != wanted:
                note = f"here are {len(values)} cases"
                self.second("uneven-cases", name.span, note, first.span, f"and here {wanted}", "")
        return tuple(cases)

    # ------------------------------------------------------------------ places and values

    def _expect(self, span: Span, word: str, node: Node) -> PlayExpect:
        change = word == "change"
        return PlayExpect(span, change, self._pairs(node, change=change))

    def _pairs(self, node: Node, *, change: bool = False) -> tuple[Pair, ...]:
        if not change:
            self._refuse_differences(node)
        return self.each(node, "places and their values", self._pair)

    def _refuse_differences(self, node: Node) -> None:
        for entry in node.entries if isinstance(node, Map) else ():
            value = entry.value
            if isinstance(value, Text) and _DIFFERENCE.fullmatch(value.text):
                note = "this is a difference; here stands how much there is"
                help = f"change: {{{entry.key.text}: {value.text[1:]}}}"
                self.problems.add("plus-sign", value.at(0, 1), note, help=help)

    def _pair(self, entry: Entry) -> Pair | None:
        place = self.parsed(EXPR, entry.key)
        value = self._value(entry.value)
        if place is None or value is None:
            return None
        return Pair(entry.key.span, place, value)

    def _value(self, node: Node) -> Expr | Amount | ValueList | None:
        match node:
            case List(items=items) if any(_is_value(item) for item in items):
                values = (self.expr(item) for item in items)
                return ValueList(node.span, tuple(value for value in values if value is not None))
            case List(items=items):
                return self._amount(node, items)
            case Text(text=text) if _COMPONENTS.fullmatch(text):
                return self._amount(node, (node,))
            case _:
                return self.expr(node)

    def _amount(self, node: Node, items: tuple[Node, ...]) -> Amount:
        found = (self.parsed(COMPONENTS, item) for item in items)
        components: tuple[Components, ...] = tuple(one for one in found if one is not None)
        return Amount(node.span, components)

    # ------------------------------------------------------------------ what is played

    def _play(self, entry: Entry | None) -> tuple[PlayStep, ...]:
        if entry is None:
            return ()
        found = (self._item(item) for item in self.items(entry.value, "what is played"))
        return tuple(step for step in found if step is not None)

    def _item(self, node: Node) -> PlayStep | None:
        match node:
            case Text():
                return self._line(node)
            case Map(entries=entries):
                return self._check(entries)
            case Empty():
                self.problems.add("empty-item", node.span, "nothing is played here")
            case List():
                self.problems.add("list-in-list", node.span, "a check is missing before this list")
        return None

    def _line(self, text: Text) -> PlayStep | None:
        match = _MOVE.fullmatch(text.text)
        if match:
            return PlayMove(text.span, *self._move(text, match))
        match self.parsed(PLAY_LINE, text):
            case Do() as do:
                return PlayDo(do)
            case PlayStop() as stop:
                return stop
            case None:
                return None

    def _move(self, text: Text, match: re.Match[str]) -> tuple[Word, Word]:
        seat, move = (Word(text.at(match.start(i), match.end(i)), match[i]) for i in (1, 2))
        return seat, move

    def _check(self, entries: tuple[Entry, ...]) -> PlayStep | None:
        first, *rest = entries
        because = None
        for entry in rest:
            if first.key.text == "illegal" and entry.key.text == "because":
                because = entry
            else:
                note = "a check of its own begins with `- `"
                self.second(
                    "step-without-dash",
                    entry.key.span,
                    note,
                    first.key.span,
                    "it stands below this one as if it belonged to it",
                    f"- {entry.key.text}:",
                )
        if _MOVE.fullmatch(first.key.text) is None and first.key.text not in PLAY.names:
            self.unknown_key(first.key, PLAY.names, PLAY.name)
            return None
        head = self.parsed(PLAY_HEADER, first.key)
        return None if head is None else self._headed(head, first, because)

    def _headed(self, head: PlayHead, entry: Entry, because: Entry | None) -> PlayStep | None:
        node = entry.value
        match head:
            case PlayHead(word="expect" | "change" as word):
                return self._expect(head.span, word, node)
            case PlayHead(word="legal", seat=Word() as seat):
                return self._legal(head, seat, node)
            case PlayHead(word="sees", seat=Word() as seat):
                return PlaySees(head.span, seat, self._pairs(node))
            case PlayHead(word="illegal"):
                return self._illegal(head, node, because)
            case PlayHead(word="ranking" | "winners" as word):
                seats = tuple(self.name(item, "a seat") for item in self.items(node, "the seats"))
                return PlayRanking(head.span, word == "winners", seats)
            case PlayHead(word="dealt", place=place) if place is not None:
                items = self.one_or_more(node, "what is dealt")
                return PlayDealt(head.span, place, self._amount(node, items))
            case PlayHead(word="rolled", place=place) if place is not None:
                value = self.expr(node)
                return None if value is None else PlayDealt(head.span, place, value)
            case _:
                note = "`because` stands below `illegal`, indented like it, without `- `"
                self.problems.add("because-alone", head.span, note)
                return None

    def _legal(self, head: PlayHead, seat: Word, node: Node) -> PlayLegal | None:
        if isinstance(node, Text) and (count := _COUNT.fullmatch(node.text)):
            return PlayLegal(head.span, seat, (), int(count[1]))
        if isinstance(node, Text):
            note = "this is a list of moves, or their number"
            help = f"{head.span.text}: [{node.text}], or {head.span.text}: 6 moves"
            self.problems.add("wrong-shape", node.span, note, help=help)
            return None
        found = (self.text(item, "a move") for item in self.items(node, "the legal moves"))
        moves = tuple(Word(text.span, text.text) for text in found if text is not None)
        return PlayLegal(head.span, seat, moves, None)

    def _illegal(self, head: PlayHead, node: Node, because: Entry | None) -> PlayIllegal | None:
        text = self.text(node, "a move")
        if text is None:
            return None
        match = _MOVE.fullmatch(text.text)
        if match is None:
            note = "a move names the seat and what it does"
            self.problems.add("incomplete-move", text.span, note, help="illegal: A keep")
            return None
        seat, move = self._move(text, match)
        cite = None if because is None else self.cite(because.value)
        return PlayIllegal(head.span, seat, move, cite)


def _is_value(node: Node) -> bool:
    """Whether an item of a list can only be a value: a number, `true` or `false`."""
    return isinstance(node, Text) and _VALUE.fullmatch(node.text) is not None
