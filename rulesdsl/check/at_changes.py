"""Problems in what a file extends, told at the change that brings them about."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import define, field

from rulesdsl.syntax.variants.changes import Change
from rulesdsl.syntax.variants.effects import entries_of
from rulesdsl.syntax.variants.growth import short_of
from rulesdsl.syntax.variants.layers import Whole
from rulesdsl.syntax.variants.nodes import plain, value_of
from rulesdsl.syntax.variants.own import title_of
from rulesdsl.syntax.variants.resolve import Resolver
from rulesdsl.syntax.yaml_nodes import List, Map, Text
from rulesdsl.text.problems import Problem, Problems, Second
from rulesdsl.text.source import Source, Span

_GAPS = ("table-gap", "case-gap")
_LISTED = 6


def told_at_changes(
    source: Source, problems: Problems, check: Callable[[int], Problems]
) -> list[Problem]:
    """The problems of a file, those of what it extends at the change they come of.

    `check` gives the problems there are with only so many of the changes.
    """
    elsewhere = [p for p in problems if p.span.source.whole is not source]
    if not elsewhere:
        return list(problems)
    # what cannot be made one has told so itself
    whole = Resolver(Problems()).whole(source)
    if whole is None or not whole.layers[-1].changes:
        return list(problems)
    told = _Told(whole, check)
    own = [p for p in problems if p.span.source.whole is source]
    grown = list(told.grown(elsewhere))
    left = [p for p in elsewhere if not told.is_gap_told(p)]
    made = Problems()
    for problem in (*own, *grown, *told.by_change(left)):
        made.put(problem)
    return sorted(made, key=lambda p: p.span.source.whole is not source)


@define
class _Told:
    whole: Whole
    check: Callable[[int], Problems]
    extents: list[Span] = field(factory=list)
    known: dict[int, set[tuple[str, str, int]]] = field(factory=dict)

    @property
    def changes(self) -> tuple[Change, ...]:
        return self.whole.layers[-1].changes

    # ---------------------------------------------------------------- kinds that grow

    def grown(self, problems: list[Problem]) -> Iterator[Problem]:
        """One problem for each new member, with all that has no place for it."""
        if not any(problem.code in _GAPS for problem in problems):
            return
        for change in self.changes:
            word, _, kind = plain(change.target.text).partition(" ")
            if change.verb == "add to" and word == "kind":
                for member in _new_members(change):
                    yield from self._short(kind, member)

    def _short(self, kind: str, member: Text) -> Iterator[Problem]:
        found = list(short_of(self.whole.root, kind, member.text))
        if not found:
            return
        self.extents += [span for short in found for span in short.extent]
        note = f"{member.text} has " + ", ".join(short.words for short in found)
        second = Second(found[0].place, "each member has its place here")
        help = "\n".join(short.help for short in found)
        yield Problem("left-out", member.span, note, second, help=help)

    def is_gap_told(self, problem: Problem) -> bool:
        return problem.code in _GAPS and any(_is_in(problem.span, one) for one in self.extents)

    # ---------------------------------------------------------------- any other change

    def by_change(self, problems: list[Problem]) -> Iterator[Problem]:
        """One problem for each change; what comes of none stays where it is."""
        groups: dict[Change, list[Problem]] = {}
        for problem in problems:
            number = self._first_with(problem)
            if number:
                groups.setdefault(self.changes[number - 1], []).append(problem)
            else:
                yield problem
        for change, group in groups.items():
            yield self._gathered(change, group)

    def _first_with(self, problem: Problem) -> int:
        """With how many changes a problem is there first; 0 if it is there without any."""
        low, high = 0, len(self.changes)
        if self._is_there(problem, 0):
            return 0
        while high - low > 1:
            middle = (low + high) // 2
            if self._is_there(problem, middle):
                high = middle
            else:
                low = middle
        return high

    def _is_there(self, problem: Problem, number: int) -> bool:
        if number not in self.known:
            self.known[number] = {_key(p) for p in self.check(number)}
        return _key(problem) in self.known[number]

    def _gathered(self, change: Change, group: list[Problem]) -> Problem:
        first, *others = group
        note = f"what this leaves is not right: {first.note}"
        second = Second(first.span, "here")
        about = first.about
        if others:
            places = ", ".join(str(p.span.line) for p in others[:_LISTED])
            more = ", ..." if len(others) > _LISTED else ""
            about = f"{about}\nIt is the same cause on line {places}{more}.".strip()
        titles = dict.fromkeys(title for p in group if (title := self._example_at(p.span)))
        lines = [f"- fails: example {title}" for title in titles]
        if change.verb == "remove":
            texts = dict.fromkeys(text for p in group if (text := self._text_at(p.span)))
            lines += [f"- remove: {text}" for text in texts]
        return Problem(first.code, change.span, note, second, about, "\n".join(lines) or first.help)

    def _text_at(self, span: Span) -> str | None:
        """The address of the text whose key a place lies in."""
        for group in entries_of(value_of(self.whole.root, "texts")):
            for entry in entries_of(group.value):
                if _is_in(span, entry.key.span):
                    return f"text {group.key.text} / {entry.key.text}"
        return None

    def _example_at(self, span: Span) -> str | None:
        """The example in which a place lies."""
        examples = value_of(self.whole.root, "examples")
        for item in examples.items if isinstance(examples, List) else ():
            title = title_of(item)
            if title is not None and _is_in(span, item.span):
                return title.text
        return None


def _new_members(change: Change) -> list[Text]:
    """The names that are added to a kind."""
    match change.node("new"):
        case Map() as node:
            return [entry.key for entry in entries_of(node)]
        case List(items=items):
            return [item for item in items if isinstance(item, Text)]
        case Text() as name:
            return [name]
        case _:
            return []


def _key(problem: Problem) -> tuple[str, str, int]:
    """A problem, the same where a file is read once more."""
    return problem.code, problem.span.source.name, problem.span.start


def _is_in(one: Span, other: Span) -> bool:
    return one.source.name == other.source.name and other.start <= one.start < other.end
