"""The texts of moves in examples: their words are known, their ranges and cases written out."""

from __future__ import annotations

import re
from itertools import product

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import KindType
from rulesdsl.check.walk import all_bodies, nodes
from rulesdsl.lab.setting import Setting
from rulesdsl.syntax import tree as t
from rulesdsl.text.source import Span

_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")
_WORD = re.compile(r"[^\W\d]\w*")
_ALWAYS = ("nothing", "none", "true", "false", "yes", "no", "seat")
_MOST = 10_000
"""Moves that a text may stand for."""


@define
class Options:
    """The options of all choices of a game by name, each with the words of its moves."""

    words: dict[str, set[str]]

    @classmethod
    def of(cls, model: m.Model) -> Options:
        words: dict[str, set[str]] = {}
        members = {name for kind in kinds_of(model) for name in kind.members}
        for body in all_bodies(model):
            for node in nodes(body.steps):
                match node:
                    case m.ChoiceOption():
                        parameters = {p.local.name for p in node.parameters}
                        words.setdefault(node.name, set(_ALWAYS) | members).update(parameters)
                    case m.ChooseStep(bound=bound) if bound is not None:
                        words.setdefault("done", set())
                    case m.ForStep(chooser=chooser) if chooser is not None:
                        words.setdefault("next", set(_ALWAYS) | members).add(node.binder.name)
                    case _:
                        pass
        return cls(words)


def kinds_of(model: m.Model) -> list[m.Kind]:
    """The kinds of a game, those of its options too."""
    types = [option.type for option in model.options.values()]
    return [*model.kinds.values(), *(type_.kind for type_ in types if isinstance(type_, KindType))]


@define
class MoveTexts:
    """Reads the texts of the moves of one example."""

    setting: Setting
    options: Options

    def one(self, word: t.Word) -> str | None:
        """The text of a single move; None after a problem."""
        texts = self.all(word)
        if texts is not None and len(texts) > 1:
            note = "this stands for several moves"
            self.setting.problems.add("wrong-shape", word.span, note)
            return None
        return None if texts is None else texts[0]

    def all(self, word: t.Word) -> list[str] | None:
        """The moves that a text stands for: `bid 8..10` for three."""
        name = self._option(word)
        if name is None:
            return None
        rest = word.text[len(name) :]
        begin = word.span.start + len(name)
        pieces = [word.text[: len(name)]]
        last = 0
        for found in _WORD.finditer(rest):
            case = self.setting.case_text(found[0])
            span = Span(word.span.source, begin + found.start(), begin + found.end())
            if case is None and not self._known(name, found[0], span):
                return None
            pieces += [rest[last : found.start()], found[0] if case is None else case]
            last = found.end()
        return self._spread("".join(pieces) + rest[last:], word)

    def _option(self, word: t.Word) -> str | None:
        """The option that a text begins with (`throw_away`, or `throw away`)."""
        text = word.text.casefold()
        for name in sorted(self.options.words, key=len, reverse=True):
            for written in (name.casefold(), name.casefold().replace("_", " ")):
                if text == written or text.startswith(f"{written} "):
                    return name
        first = word.text.split()[0]
        span = Span(word.span.source, word.span.start, word.span.start + len(first))
        note = f"there is no option {first} in this game"
        self.setting.unknown(t.Word(span, first), self.options.words, note)
        return None

    def _known(self, name: str, found: str, span: Span) -> bool:
        """Whether a word can stand in a move; blanks may stand for the `_` of names."""
        words = [*self.options.words[name], *self.setting.names]
        parts = {part.casefold() for word in words for part in (word, *word.split("_"))}
        if found.casefold() in parts:
            return True
        cases = [word.text for word, _ in self.setting.example.cases]
        note = f"nothing in a move {name} is called {found}"
        self.setting.unknown(t.Word(span, found), [*words, *cases], note)
        return False

    def _spread(self, text: str, word: t.Word) -> list[str] | None:
        """Each range of a text written out."""
        parts = _RANGE.split(text)
        ranges = [
            range(int(low), int(high) + 1)
            for low, high in zip(parts[1::3], parts[2::3], strict=True)
        ]
        number = 1
        for one in ranges:
            number *= len(one)
        if not 1 <= number <= _MOST:
            note = "this range is empty" if number < 1 else f"this stands for {number:,} moves"
            self.setting.problems.add("empty-range", word.span, note)
            return None
        texts = []
        for numbers in product(*ranges):
            filled = [parts[0]]
            for value, after in zip(numbers, parts[3::3], strict=True):
                filled += [str(value), after]
            texts.append("".join(filled))
        return texts
