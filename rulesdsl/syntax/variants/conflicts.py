"""Several files that extend one game, put together: what two of them alter is told."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from os.path import basename
from typing import Final

from attrs import define, evolve

from rulesdsl.syntax.variants.addresses import locate
from rulesdsl.syntax.variants.changes import Change, Wrong
from rulesdsl.syntax.variants.effects import span_of
from rulesdsl.syntax.variants.in_lines import find_line
from rulesdsl.syntax.variants.layers import Layer, Stacking, Whole
from rulesdsl.syntax.variants.nodes import line_of, plain, same, value_of
from rulesdsl.syntax.yaml_nodes import Entry, Map
from rulesdsl.text.problems import Problem, Problems, Second
from rulesdsl.text.source import Span

_PLAYERS: Final = "players"


@define
class Combining:
    """Puts the layers of several wholes together, for a file that combines them."""

    wholes: tuple[Whole, ...]
    own: Map
    settling: tuple[Change, ...]
    problems: Problems

    def root(self) -> Map:
        """The rule file that all of them make."""
        layers = list(dict.fromkeys(layer for whole in self.wholes for layer in whole.layers))
        left_out = self._left_out(layers)
        if value_of(self.own, _PLAYERS) is None:
            self._check_players(layers)
        root = layers[0].own
        for layer in layers[1:]:
            tell = partial(self._tell, layer)
            stacking = Stacking(tell, left_out.__contains__, self._names_it)
            root = stacking.put_on(root, layer)
        return root

    def _names_it(self, address: str) -> bool:
        """Whether the combining file alters what has this address."""
        return any(plain(change.target.text) == plain(address) for change in self.settling)

    def _tell(self, layer: Layer, problem: Problem, change: Change | None) -> None:
        """What a file can do alone, and not together with the others, is a conflict."""
        if change is not None:
            effect = self._below(layer).effects.get(change)
            if effect is not None and self._is_settled(layer, change):
                return
        note = f"together with the others this cannot be done: {problem.note}"
        self._add(evolve(problem, note=note))

    def _add(self, problem: Problem) -> None:
        about = "Both files are extended by this one: " + ", ".join(
            basename(whole.layers[-1].source.name) for whole in self.wholes
        )
        help = problem.help or "alter it under `changes` of the file that combines them"
        known = problem.second
        self.problems.add(
            "conflicting-changes", problem.span, problem.note, second=known, about=about, help=help
        )

    def _check_players(self, layers: list[Layer]) -> None:
        """Whether two files say otherwise how many play."""
        for number, second in enumerate(layers):
            for first in layers[:number]:
                one, other = _players(first.own), _players(second.own)
                if one is None or other is None or first in self._below(second).layers:
                    continue
                if not same(one.value, other.value):
                    note = "two files that are extended together have players of their own"
                    help = f"settle it in the file that combines them: {line_of(one).text}"
                    place = Second(one.key.span, "the other one")
                    span = other.key.span
                    self._add(Problem("conflicting-changes", span, note, place, help=help))

    # ------------------------------------------------------------------ two changes of one thing

    def _left_out(self, layers: list[Layer]) -> set[Change]:
        """The changes that are not made: the same ones made twice, and those that are settled."""
        left_out: set[Change] = set()
        for number, second in enumerate(layers):
            below = self._below(second).layers
            for first in layers[:number]:
                if first in below:
                    continue
                for one, other in self._pairs(first, second):
                    if _is_same(one, other):
                        left_out.add(other)
                    elif self._is_settled(first, one) or self._is_settled(second, other):
                        left_out |= {one, other}
                    else:
                        self._conflict(one, other)
                        left_out.add(other)
        return left_out

    def _pairs(self, first: Layer, second: Layer) -> Iterator[tuple[Change, Change]]:
        mine, others = self._below(first).effects, self._below(second).effects
        for change in first.changes:
            for other in second.changes:
                if change in mine and other in others:
                    one, two = mine[change], others[other]
                    both = set(one.added) & set(two.added)
                    if both or _overlap(one.altered, two.altered):
                        yield change, other

    def _conflict(self, one: Change, other: Change) -> None:
        note = "two files that are extended together alter this"
        help = f"settle it in the file that combines them: {_as_settled(other)}"
        second = Second(one.span, f"the other change: {one.decl.words}")
        problem = Problem("conflicting-changes", other.span, note, second, help=help)
        self._add(problem)

    def _is_settled(self, layer: Layer, change: Change) -> bool:
        """Whether the combining file alters the same thing."""
        whole = self._below(layer)
        altered = whole.effects[change].altered
        return any(_overlap(_reach(whole.before, one), altered) for one in self.settling)

    def _below(self, layer: Layer) -> Whole:
        for whole in self.wholes:
            if layer in whole.below:
                return whole.below[layer]
        raise LookupError(layer.source.name)


def _players(own: Map) -> Entry | None:
    return next((entry for entry in own.entries if entry.key.text == _PLAYERS), None)


def _as_settled(change: Change) -> str:
    inside = "" if change.inside is None else f"in: {change.inside.text}, "
    return f"- {{{inside}{change.verb}: {change.target.text}, ...}}"


def _is_same(one: Change, other: Change) -> bool:
    """Whether two changes say the same but for their reasons."""
    mine, others = (
        {key: entry.value for key, entry in change.keys.items() if key not in ("because", "cite")}
        for change in (one, other)
    )
    return mine.keys() == others.keys() and all(same(mine[key], others[key]) for key in mine)


def _overlap(one: tuple[Span, ...], other: tuple[Span, ...]) -> bool:
    return any(
        a.source is b.source and a.start < b.end and b.start < a.end for a in one for b in other
    )


def _reach(root: Map, change: Change) -> tuple[Span, ...]:
    """What a change would alter in a rule file."""
    if change.verb not in ("set", "replace", "remove"):
        return ()
    address = change.target if change.inside is None else change.inside
    spots = locate(root, address.text).spots
    if len(spots) != 1:
        return ()
    if change.inside is None:
        return span_of(root, spots[0].path)
    try:
        return (find_line(root, spots[0], change.target).text.span,)
    except Wrong:
        return ()
