"""The `texts` of a file: templates with slots `{p.money}` and parts `[...]` to be left out."""

from __future__ import annotations

import re
from typing import cast

from attrs import define, frozen

from rulesdsl.syntax.fields import Fields
from rulesdsl.syntax.parser import Piece
from rulesdsl.syntax.shape import LINES_AROUND, TEXTS
from rulesdsl.syntax.tree import (
    Expr,
    For,
    Part,
    PartEach,
    PartElse,
    PartIf,
    Slot,
    Template,
    TextEntry,
    TextPiece,
    Word,
)
from rulesdsl.syntax.yaml_nodes import Entry, Map, Node, Text

_PARTS_DEEP = 4
_FORM = re.compile(r"\s*(\+?)\s*(change\s+of\b|was\b)?\s*")
_WAS = re.compile(r"\s*was\b")
_SIGN = re.compile(r"\{\{|\}\}|\[\[|\]\]|[{}\[\]]")
_HEAD = re.compile(r"\[(if\b|for\b|else\s*:)")
_HEAD_SIGN = re.compile(r"""[()\[\]:]|\bby\b|\bwith\s*(?:"([^"\n]*)"|'([^'\n]*)')""")


@frozen
class Texts(Fields):
    """Reads the section `texts`."""

    def texts(self, node: Node) -> tuple[TextEntry, ...]:
        """All entries of all its sections."""
        found: list[TextEntry] = []
        for name, entry in self.section(node, TEXTS).items():
            if name == "head":
                found += self._entry(name, (), entry.value)
                continue
            for inner in self.entries(entry.value, f"the {name}"):
                path = path_of(inner.key)
                if name == "lines" and isinstance(inner.value, Map):
                    found += self._around(name, path, inner)
                else:
                    found += self._entry(name, path, inner.value)
        return tuple(found)

    def _around(self, section: str, path: tuple[Word, ...], entry: Entry) -> list[TextEntry]:
        return [
            text
            for word, inner in self.section(entry.value, LINES_AROUND).items()
            for text in self._entry(section, (*path, Word(inner.key.span, word)), inner.value)
        ]

    def _entry(self, section: str, path: tuple[Word, ...], node: Node) -> list[TextEntry]:
        text = self.text(node, "a text")
        if text is None:
            return []
        return [TextEntry(section, path, template(self, text))]


def path_of(key: Text) -> tuple[Word, ...]:
    """The words of an address: `sell_lot / bid`."""
    path = []
    for match in re.finditer(r"[^/]+", key.text):
        name = match[0].strip()
        start = match.start() + match[0].index(name) if name else match.start()
        path.append(Word(key.at(start, start + len(name)), name))
    return tuple(path)


def template(fields: Fields, text: Text) -> Template:
    """The pieces of a text."""
    reader = _Template(fields, text)
    pieces = reader.pieces(0)
    return Template(text.span, pieces)


@define
class _Template:
    """Reads one text from left to right."""

    fields: Fields
    text: Text
    at: int = 0

    def pieces(self, depth: int) -> tuple[TextPiece, ...]:
        """The pieces up to the end, or to the `]` that closes a part."""
        found: list[TextPiece] = []
        plain = ""
        whole = self.text.text
        while self.at < len(whole):
            match = _SIGN.search(whole, self.at)
            end = match.start() if match else len(whole)
            plain += whole[self.at : end]
            self.at = end
            if match is None:
                break
            if match[0][0] == "]" and depth:
                break
            if len(match[0]) == 2:
                plain += match[0][0]
                self.at = match.end()
                continue
            piece = self._piece(match[0], depth)
            if piece is not None:
                found += [plain, piece] if plain else [piece]
                plain = ""
        return (*found, plain) if plain else tuple(found)

    def _piece(self, sign: str, depth: int) -> TextPiece | None:
        start = self.at
        match sign:
            case "{":
                return self._slot(start)
            case "[":
                return self._part(start, depth)
            case _:
                self.at += 1
                note = f"nothing is open that this `{sign}` could close"
                self._tell("stray-bracket", start, start + 1, note, f"write `{sign}{sign}`")
                return None

    def _slot(self, start: int) -> Slot | None:
        end = self.text.text.find("}", start)
        if end < 0:
            self.at = len(self.text.text)
            note = "this slot is not closed"
            self._tell("open-slot", start, self.at, note, "close it with `}`; `{{` is a plain sign")
            return None
        self.at = end + 1
        form = _FORM.match(self.text.text, start + 1, end)
        assert form is not None
        value = self._expr(form.end(), end)
        if value is None:
            return None
        return Slot(self.text.at(start, end + 1), form[1] + (form[2] or "").split(" ")[0], value)

    def _expr(self, start: int, end: int) -> Expr | None:
        piece = Piece.part(self.text, start, end)
        return cast("Expr | None", piece.parse("expr", self.fields.problems))

    # ------------------------------------------------------------------ parts

    def _part(self, start: int, depth: int) -> TextPiece | None:
        if depth >= _PARTS_DEEP:
            note = f"parts stand in parts at most {_PARTS_DEEP} deep"
            self._tell("deep-part", start, start + 1, note, "")
        head = _HEAD.match(self.text.text, start)
        if head is None:
            self.at += 1
            pieces = self._inside(start, depth)
            return None if pieces is None else Part(self.text.at(start, self.at), pieces)
        self.at = self._behind(head.end())
        match head[1][:2]:
            case "if":
                return self._if(start, depth)
            case "fo":
                return self._each(start, depth)
            case _:
                pieces = self._inside(start, depth)
                return None if pieces is None else PartElse(self.text.at(start, self.at), pieces)

    def _inside(self, start: int, depth: int) -> tuple[TextPiece, ...] | None:
        """The pieces of a part up to its end."""
        pieces = self.pieces(depth + 1)
        if self.at >= len(self.text.text):
            note = "this part is not closed"
            help = "close it with `]`; `[[` is a plain sign"
            self._tell("open-part", start, start + 1, note, help)
            return None
        self.at += 1
        return pieces

    def _if(self, start: int, depth: int) -> PartIf | None:
        first = self.at
        head = self._head(start)
        pieces = self._inside(start, depth)
        if head is None or pieces is None:
            return None
        was = _WAS.match(self.text.text, first, head.end)
        condition = self._expr(was.end() if was else first, head.end)
        if condition is None:
            return None
        return PartIf(self.text.at(start, self.at), was is not None, condition, pieces)

    def _each(self, start: int, depth: int) -> PartEach | None:
        first = start + len("[")
        head = self._head(start)
        pieces = self._inside(start, depth)
        if head is None or pieces is None:
            return None
        stop = head.end if head.with_ is None else head.with_
        end = stop if head.by is None else head.by
        loop = Piece.part(self.text, first, end).parse("header", self.fields.problems)
        was, by = None, None
        if head.by is not None:
            key = head.by + len("by")
            was = _WAS.match(self.text.text, key, stop)
            by = self._expr(was.end() if was else key, stop)
        if not isinstance(loop, For) or (by is None) != (head.by is None):
            return None
        place = self.text.at(start, self.at)
        return PartEach(
            place, loop.binder, loop.domain, loop.where, was is not None, by, head.said, pieces
        )

    def _head(self, start: int) -> _Head | None:
        """The head of a part up to its `:`."""
        deep, by, with_, said = 0, None, None, ", "
        for match in _HEAD_SIGN.finditer(self.text.text, self.at):
            match match[0]:
                case "(" | "[":
                    deep += 1
                case ")" | "]" if deep:
                    deep -= 1
                case "]":
                    break
                case ":" if not deep:
                    self.at = self._behind(match.end())
                    return _Head(match.start(), by, with_, said)
                case "by" if not deep and by is None and with_ is None:
                    by = match.start()
                case word if word.startswith("with") and not deep:
                    with_, said = match.start(), match[1] or match[2] or ""
                case _:
                    pass
        note = "the head of this part has no `:`"
        self._tell("open-part", start, self.at, note, "write `[if CONDITION: text]`")
        return None

    def _behind(self, sign: int) -> int:
        """Behind a sign; one blank belongs to it."""
        return sign + self.text.text.startswith(" ", sign)

    def _tell(self, code: str, start: int, end: int, note: str, help: str) -> None:
        self.fields.problems.add(code, self.text.at(start, end), note, help=help)


@frozen
class _Head:
    """Where the pieces of a head stand: `by`, `with`, the `:` at its end; and the separator."""

    end: int
    by: int | None
    with_: int | None
    said: str
