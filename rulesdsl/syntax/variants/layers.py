"""One file on top of another: its changes carried out, its own sections added."""

from __future__ import annotations

from collections.abc import Callable

from attrs import Factory, define, evolve, field, frozen

from rulesdsl.syntax.tree import DataFile
from rulesdsl.syntax.variants.addresses import Spot, locate, place_of
from rulesdsl.syntax.variants.apply import carried_out
from rulesdsl.syntax.variants.changes import Change, Wrong
from rulesdsl.syntax.variants.effects import Effect, entries_of
from rulesdsl.syntax.variants.nodes import at, drop, key_at, position_of, put, same, value_of
from rulesdsl.syntax.variants.own import TAKEN_OVER, Own, title_of
from rulesdsl.syntax.yaml_nodes import Entry, List, Map, Node, Text
from rulesdsl.text.problems import Problem, Second
from rulesdsl.text.source import Source


@frozen(eq=False)
class Layer:
    """A file as it is written: its changes, and the rest of its sections."""

    source: Source
    own: Map
    changes: tuple[Change, ...]
    files: tuple[DataFile, ...] = ()


@frozen
class Failing:
    """An example or invariant that a file says does not hold any more."""

    change: Change
    name: Text
    value: Node
    is_example: bool


@define(eq=False)
class Whole:
    """A rule file with all that it extends, made one."""

    layers: tuple[Layer, ...]
    root: Map
    before: Map
    """What it extends, without itself."""
    failing: tuple[Failing, ...] = ()
    effects: dict[Change, Effect] = field(factory=dict)
    below: dict[Layer, Whole] = Factory(dict)
    """Each of the layers with what lies below it, made one."""
    is_broken: bool = False
    """Whether a data file is missing that the rest cannot be checked without."""

    @property
    def played(self) -> Map:
        """What is played: without the invariants that are said to fail."""
        root: Node = Map(self.layers[-1].own.span, self.root.entries)
        fail = {one.value.span for one in self.failing if not one.is_example}
        position = position_of(root, "invariants")
        invariants = None if position is None else at(root, (position,))
        if position is not None and fail and isinstance(invariants, Map):
            left = tuple(one for one in invariants.entries if one.value.span not in fail)
            root = put(root, (position,), Map(invariants.span, left))
            root = root if left else drop(root, (position,))
        assert isinstance(root, Map)
        return root


def _never(change: Change) -> bool:
    return False


@define
class Stacking:
    """Puts a layer on a rule file; what cannot be done is told."""

    tell: Callable[[Problem, Change | None], None]
    is_left_out: Callable[[Change], bool] = _never
    is_settled: Callable[[str], bool] = lambda address: False
    effects: dict[Change, Effect] = Factory(dict)
    failing: list[Failing] = Factory(list)

    def put_on(self, root: Map, layer: Layer, upto: int | None = None) -> Map:
        """The rule file with a layer on it: with the first of its changes, or with all."""
        before = root
        for change in layer.changes[:upto]:
            if self.is_left_out(change):
                continue
            try:
                effect = carried_out(root, change)
                _check_own(change, layer.own)
            except Wrong as wrong:
                self.tell(_as_own(wrong.problem, layer.own), change)
                continue
            self.effects[change] = effect
            assert isinstance(effect.root, Map)
            root = effect.root
            if change.verb == "fails":
                self._note_failing(root, change)
        root = _with_defaults(root, before, layer.source)
        own = Own(lambda wrong: self.tell(wrong.problem, None), self.is_settled)
        return own.added_to(root, layer.own)

    def _note_failing(self, root: Map, change: Change) -> None:
        (spot,) = locate(root, change.target.text).spots
        value, key = at(root, spot.path), key_at(root, spot.path)
        name = key or title_of(value)
        assert name is not None
        self.failing.append(Failing(change, name, value, is_example=key is None))


# ------------------------------------------------------------------ what a file has itself


def _check_own(change: Change, own: Map) -> None:
    """Whether a change is undone by what stands in its own file. Raises Wrong."""
    key = change.target.text.strip()
    position = position_of(own, key) if key in TAKEN_OVER else None
    if position is not None:
        note = f"this file has its own `{key}`, which stands instead of the base's"
        second = Second(place_of(own, Spot((position,), key, key)), "here")
        raise Wrong("changes-nothing", change.span, note, second, help="take one of them away")


def _as_own(problem: Problem, own: Map) -> Problem:
    """An address that is not in the base, for what is new in the file itself."""
    found = locate(own, problem.span.text).spots
    if problem.code != "unknown-address" or not found:
        return problem
    note = "this is no part of the base: it is new in this file, and altered where it stands"
    return evolve(problem, note=note, second=Second(place_of(own, found[0]), "here"))


# ------------------------------------------------------------------ options of examples


def _with_defaults(root: Map, before: Map, source: Source) -> Map:
    """The examples of a base keep its options: those whose default has changed are written out."""
    changed = []
    for entry in entries_of(value_of(before, "options")):
        old = value_of(entry.value, "default")
        now = value_of(value_of(root, "options") or root, entry.key.text)
        new = None if now is None else value_of(now, "default")
        if old is not None and new is not None and not same(old, new):
            changed.append(Entry(entry.key, old))
    position = position_of(root, "examples")
    if not changed or position is None:
        return root
    examples = at(root, (position,))
    if not isinstance(examples, List):
        return root
    items = tuple(
        item if _is_of(item, source) else _with_options(item, changed) for item in examples.items
    )
    made = put(root, (position,), List(examples.span, items))
    assert isinstance(made, Map)
    return made


def _is_of(example: Node, source: Source) -> bool:
    title = title_of(example)
    return title is not None and title.span.source.whole is source


def _with_options(example: Node, options: list[Entry]) -> Node:
    if not isinstance(example, Map):
        return example
    said = value_of(example, "options")
    names = {entry.key.text for entry in entries_of(said)}
    more = tuple(entry for entry in options if entry.key.text not in names)
    if not more or (said is not None and not isinstance(said, Map)):
        return example
    if isinstance(said, Map):
        position = position_of(example, "options")
        assert position is not None
        return put(example, (position,), Map(said.span, (*said.entries, *more)))
    key = Text(more[0].key.span, "options", exact=False, quoted=False)
    where = (position_of(example, "players") or 0) + 1
    entry = Entry(key, Map(more[0].key.span, more))
    return Map(example.span, (*example.entries[:where], entry, *example.entries[where:]))
