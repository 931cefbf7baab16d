"""The `texts` of a file: templates with slots `{p.money}` and parts `[...]` to be left out."""

from __future__ import annotations

import re
from typing import cast

from attrs import define, frozen

from rulesdsl.syntax.fields import Fields
from rulesdsl.syntax.parser import Piece
from rulesdsl.syntax.shape import LINES_AROUND, TEXTS
from rulesdsl.syntax.tree import Expr, Part, Slot, Template, TextEntry, Word
from rulesdsl.syntax.yaml_nodes import Entry, Map, Node, Text

_PARTS_DEEP = 2
_FORM = re.compile(r"\s*(\+|change of\b)\s*")
_SIGN = re.compile(r"\{\{|\}\}|\[\[|\]\]|[{}\[\]]")


@frozen
class Texts(Fields):
    """Reads the section `texts`."""

    def texts(self, node: Node) -> tuple[TextEntry, ...]:
        """All entries of all its sections."""
        found: list[TextEntry] = []
        for name, entry in self.section(node, TEXTS).items():
            if name == "title":
                found += self._entry(name, (), entry.value)
                continue
            for inner in self.entries(entry.value, f"the {name}"):
                path = self._path(inner.key)
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

    def _path(self, key: Text) -> tuple[Word, ...]:
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

    def pieces(self, depth: int) -> tuple[str | Slot | Part, ...]:
        """The pieces up to the end, or to the `]` that closes a part."""
        found: list[str | Slot | Part] = []
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

    def _piece(self, sign: str, depth: int) -> Slot | Part | None:
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
        form = _FORM.match(self.text.text, start + 1)
        first = form.end() if form and form.end() < end else start + 1
        value = Piece.part(self.text, first, end).parse("expr", self.fields.problems)
        if value is None:
            return None
        word = form[1].split()[0] if form and first > start + 1 else ""
        return Slot(self.text.at(start, end + 1), word, cast("Expr", value))

    def _part(self, start: int, depth: int) -> Part | None:
        self.at += 1
        if depth >= _PARTS_DEEP:
            note = "parts stand in parts at most once"
            self._tell("deep-part", start, start + 1, note, "")
        pieces = self.pieces(depth + 1)
        if self.at >= len(self.text.text):
            note = "this part is not closed"
            self._tell(
                "open-part", start, start + 1, note, "close it with `]`; `[[` is a plain sign"
            )
            return None
        self.at += 1
        return Part(self.text.at(start, self.at), pieces)

    def _tell(self, code: str, start: int, end: int, note: str, help: str) -> None:
        self.fields.problems.add(code, self.text.at(start, end), note, help=help)
