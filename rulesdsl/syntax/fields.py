"""Reading sections: known keys, wanted shapes, names, references. One reader for one file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from difflib import SequenceMatcher
from typing import Generic, TypeVar, cast

from attrs import frozen

from rulesdsl.syntax.bot_tree import Preference
from rulesdsl.syntax.heads import Header, Otherwise, Players, PlayHead, Ties
from rulesdsl.syntax.parser import parse, replaced_line
from rulesdsl.syntax.shape import Section
from rulesdsl.syntax.tree import (
    Cite,
    Components,
    Do,
    Event,
    EveryTwo,
    Expr,
    GridOf,
    MapsType,
    Option,
    PlayStop,
    RowKey,
    Signature,
    StateOwner,
    StateType,
    Step,
    TypeExpr,
    Word,
)
from rulesdsl.syntax.words import CALLED, NAME, RESERVED, RESERVED_FOR_KINDS
from rulesdsl.syntax.yaml_nodes import Empty, Entry, List, Map, Node, Text
from rulesdsl.text.limits import PROBLEMS
from rulesdsl.text.problems import Problems, Second
from rulesdsl.text.source import Span
from rulesdsl.text.spelling import nearest

T = TypeVar("T")

_ALIKE = 0.8


@frozen
class Start(Generic[T]):
    """A start symbol of the grammar, with the type of what it gives."""

    name: str


LINE: Start[Step] = Start("line")
HEADER: Start[Header] = Start("header")
CHOICE: Start[Option | Otherwise] = Start("option")
SIGNATURE: Start[Signature] = Start("signature")
EVENT: Start[Event] = Start("event")
OWNER: Start[StateOwner] = Start("state_owner")
RESULT_HEADER: Start[Word] = Start("result_header")
ROW_KEY: Start[RowKey] = Start("row_key")
TYPE: Start[TypeExpr] = Start("type")
KIND_OF: Start[TypeExpr | EveryTwo | GridOf] = Start("kind")
COLUMN: Start[TypeExpr] = Start("column")
STATE_TYPE: Start[StateType] = Start("state_type")
MAPS: Start[MapsType] = Start("maps")
TIES: Start[Ties] = Start("ties")
COMPONENTS: Start[Components] = Start("components")
PLAYERS: Start[Players] = Start("players")
EXPR: Start[Expr] = Start("expr")
PREFERENCE: Start[Preference] = Start("preference")
PLAY_LINE: Start[Do | PlayStop] = Start("play_line")
PLAY_HEADER: Start[PlayHead] = Start("play_header")


class TooManyProblems(Exception):
    """So much is wrong that nothing more is looked at."""


@frozen
class Fields:
    """Reads nodes and tells what is wrong with them."""

    problems: Problems

    def _enough(self) -> None:
        if len(self.problems) >= PROBLEMS:
            raise TooManyProblems

    # ------------------------------------------------------------------ shapes

    def section(self, node: Node, section: Section) -> dict[str, Entry]:
        """The entries of a section by key; unknown and missing keys are told."""
        entries = self.entries(node, section.about.rstrip("."), section.names)
        known = {entry.key.text: entry for entry in entries if entry.key.text in section.names}
        for entry in entries:
            if entry.key.text not in known:
                near = self.unknown_key(entry.key, section.names, section.name)
                if near is not None and _alike(near, entry.key.text):
                    known.setdefault(near, entry)  # read on as what was probably meant
        if isinstance(node, Map):
            for name in section.required:
                if name not in known:
                    self.missing_key(name, node.span, section)
        return known

    def entries(self, node: Node, what: str, keys: Iterable[str] = ()) -> tuple[Entry, ...]:
        """The entries of a mapping; another shape is told."""
        match node:
            case Map(entries=entries):
                return tuple(entries)
            case Empty(span=span):
                self.problems.add("empty-section", span, f"{what}: nothing stands here")
            case _:
                first = next(iter(keys), "NAME")
                note = f"{what}: this is written with keys, not as a {_shape(node)}"
                help = f"write `{first}: ...`, each key on a line of its own"
                if isinstance(node, List) and all(isinstance(item, Map) for item in node.items):
                    help = "take away the `- ` before each key"
                self.problems.add("wrong-shape", node.span, note, help=help)
        return ()

    def items(self, node: Node, what: str) -> tuple[Node, ...]:
        """The items of a list; another shape is told."""
        match node:
            case List(items=items):
                return tuple(items)
            case Empty(span=span):
                self.problems.add("empty-section", span, f"{what}: nothing stands here")
            case _:
                note = f"{what}: this is a list, not a {_shape(node)}"
                help = (
                    f"write `[{node.text}]`" if isinstance(node, Text) else "begin each with `- `"
                )
                self.problems.add("wrong-shape", node.span, note, help=help)
        return ()

    def one_or_more(self, node: Node, what: str) -> tuple[Node, ...]:
        """The items of a list, or the one thing that stands instead of it."""
        return (node,) if isinstance(node, Text) else self.items(node, what)

    def text(self, node: Node, what: str) -> Text | None:
        """A text; another shape is told."""
        self._enough()
        match node:
            case Text():
                return node
            case Empty(span=span):
                self.problems.add("empty-value", span, f"{what} is missing")
            case _:
                note = f"{what}: this is one text, not a {_shape(node)}"
                self.problems.add("wrong-shape", node.span, note)
        return None

    def prose(self, node: Node, what: str) -> str:
        """A text for readers."""
        text = self.text(node, what)
        return "" if text is None else text.text.strip()

    # ------------------------------------------------------------------ texts

    def parsed(self, start: Start[T], node: Node) -> T | None:
        """What a text says, parsed from a start symbol."""
        self._enough()
        text = self.text(node, CALLED[start.name])
        if text is None or self.is_cut(text):
            return None
        return cast("T | None", parse(start.name, text, self.problems))

    def is_cut(self, text: Text) -> bool:
        """Whether YAML has cut this text at a comma and it is not whole again; told on reading."""
        return text.text.count("(") != text.text.count(")") and any(
            problem.code == "text-cut"
            and problem.span.source is text.span.source
            and problem.span.start <= text.span.start < problem.span.end
            for problem in self.problems
        )

    def expr(self, node: Node) -> Expr | None:
        """An expression."""
        return self.parsed(EXPR, node)

    def exprs(self, node: Node, what: str) -> tuple[Expr, ...]:
        """One expression, or a list of them."""
        found = (self.expr(item) for item in self.one_or_more(node, what))
        return tuple(expr for expr in found if expr is not None)

    def type_(self, node: Node) -> TypeExpr | None:
        """A type that is no place."""
        return self.parsed(TYPE, node)

    def name(self, node: Node, what: str, *, kind: bool = False) -> Word:
        """A name that the file gives to something."""
        self._enough()
        text = self.text(node, what)
        if text is None:
            return Word(node.span, "")
        word = Word(text.span, text.text)
        if not NAME.fullmatch(text.text):
            self._no_name(text, what)
        elif text.text in RESERVED or (kind and text.text in RESERVED_FOR_KINDS):
            self.reserved(word)
        return word

    def reserved(self, word: Word) -> None:
        """Tell that a name is a word of the language."""
        note = f"`{word.text}` is a word of the language and no name"
        self.problems.add("reserved-word", word.span, note)

    def _no_name(self, text: Text, what: str) -> None:
        better = re.sub(r"\W+", "_", text.text).strip("_")
        note = f"{what} is a name: a letter, then letters, digits and `_`"
        help = replaced_line(text.span, better) if NAME.fullmatch(better) else ""
        self.problems.add("no-name", text.span, note, help=help)

    def cites(self, entry: Entry | None) -> tuple[Cite, ...]:
        """The references of a `cite`."""
        if entry is None:
            return ()
        found = (self.cite(node) for node in self.one_or_more(entry.value, "a reference"))
        return tuple(cite for cite in found if cite is not None)

    def cite(self, node: Node) -> Cite | None:
        """One reference: `book D.1.c`."""
        text = self.text(node, "a reference")
        if text is None:
            return None
        source, _, section = text.text.strip().partition(" ")
        if not section.strip():
            note = "a reference names the source and its section or ruling"
            help = replaced_line(text.span, f"{source} SECTION")
            self.problems.add("incomplete-cite", text.span, note, help=help)
            return None
        return Cite(text.span, source, section.strip())

    # ------------------------------------------------------------------ keys

    def unknown_key(self, key: Text, known: Iterable[str], where: str) -> str | None:
        """Tell that a key is unknown, and give the nearest one."""
        self._enough()
        if self.is_cut(key):
            return None
        names = list(known)
        near = nearest(key.text, names)
        note = f"a {where} has no such key"
        if near:
            note += f"; did you mean `{near}`?"
        about = f"The keys are {', '.join(names)}." if names else ""
        help = replaced_line(key.span, near) if near else ""
        self.problems.add("unknown-key", key.span, note, about=about, help=help)
        return near

    def missing_key(self, name: str, span: Span, section: Section) -> None:
        """Tell that a key is missing."""
        about = next(key.about for key in section.keys if key.name == name)
        first_line = Span(span.source, span.start, _line_end(span))
        note = f"the key `{name}` is missing"
        self.problems.add("missing-key", first_line, note, about=about, help=f"{name}: ...")

    def second(self, code: str, span: Span, note: str, first: Span, words: str, help: str) -> None:
        """Tell of a problem that a second place explains."""
        self.problems.add(code, span, note, second=Second(first, words), help=help)

    def each(self, node: Node, what: str, read: Callable[[Entry], T | None]) -> tuple[T, ...]:
        """What each entry of a mapping says."""
        found = (read(entry) for entry in self.entries(node, what))
        return tuple(one for one in found if one is not None)


def _shape(node: Node) -> str:
    match node:
        case Text():
            return "text"
        case List():
            return "list"
        case Map():
            return "mapping"
        case Empty():
            return "blank"


def _alike(one: str, other: str) -> bool:
    return SequenceMatcher(None, one, other).ratio() >= _ALIKE


def _line_end(span: Span) -> int:
    end = span.source.text.find("\n", span.start, span.end)
    return span.end if end < 0 else end
