"""A rule file with all that it extends, made one whole rule file: every piece keeps its place."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Final

from attrs import define, field

from rulesdsl.syntax.data_files import DataFiles
from rulesdsl.syntax.fields import Fields, TooManyProblems
from rulesdsl.syntax.shape import RULE_FILE
from rulesdsl.syntax.tree import DataFile
from rulesdsl.syntax.variants.bases import read_base
from rulesdsl.syntax.variants.changes import read_changes
from rulesdsl.syntax.variants.conflicts import Combining
from rulesdsl.syntax.variants.layers import Layer, Stacking, Whole
from rulesdsl.syntax.yaml_nodes import Entry, List, Map, Node, Text
from rulesdsl.syntax.yaml_reader import read_yaml
from rulesdsl.text import limits
from rulesdsl.text.problems import Problems, Second
from rulesdsl.text.source import Source

_SETTLING: Final = ("set", "replace", "remove")


@define
class Resolver:
    """Reads a rule file and what it extends; files that several extend are read once."""

    problems: Problems
    _known: dict[str, Whole | None] = field(factory=dict)

    def whole(self, source: Source, upto: int | None = None) -> Whole | None:
        """A rule file made one, with the first of its own changes or with all of them."""
        try:
            return self._whole(source, (os.path.realpath(source.name),), upto)
        except TooManyProblems:
            return None

    def _whole(self, source: Source, chain: tuple[str, ...], upto: int | None) -> Whole | None:
        node = read_yaml(source, self.problems)
        if node is None:
            return None
        if not isinstance(node, Map):
            note = "a rule file is a mapping: it begins with `rules: 1` and `game: NAME`"
            self.problems.add("no-rule-file", node.span, note)
            return None
        bot = _entry(node, "bots")
        if bot is not None and _entry(node, "rules") is None:
            note, use = "this is a bot, not the rules of a game", "rulesdsl run GAME --bot FILE"
            self.problems.add("no-rule-file", bot.key.span, note, help=use)
            return None
        files = DataFiles(self.problems)
        node = files.put_in(node)
        extended = _entry(node, "extends")
        if extended is None:
            self._without_base(node)
            layer = Layer(source, node, (), tuple(files.files))
            whole = Whole((layer,), node, node)
            whole.below[layer] = whole
            whole.is_broken = files.broken
            return whole
        made = self._extending(source, node, extended, tuple(files.files), chain, upto)
        if made is not None:
            made.is_broken |= files.broken
        return made

    def _without_base(self, node: Map) -> None:
        changes = _entry(node, "changes")
        if changes is not None:
            note = "this file extends nothing, so there is nothing to change"
            help = "extends: ostia, or the name of a file; or alter the rules themselves"
            self.problems.add("unknown-base", changes.key.span, note, help=help)

    def _extending(
        self,
        source: Source,
        node: Map,
        extended: Entry,
        files: tuple[DataFile, ...],
        chain: tuple[str, ...],
        upto: int | None,
    ) -> Whole | None:
        for key in ("rules", "game"):
            if _entry(node, key) is None:
                Fields(self.problems).missing_key(key, node.span, RULE_FILE)
        entry = _entry(node, "changes")
        changes = () if entry is None else read_changes(entry.value, self.problems)
        found = [self._base(name, chain) for name in self._names(extended)]
        wholes = tuple(whole for whole in found if whole is not None)
        if len(wholes) != len(found) or not wholes:
            return None
        if not self._have_one_game(wholes, extended.value):
            return None
        layer = Layer(source, node, changes, files)
        return self._made(layer, wholes, upto)

    def _made(self, layer: Layer, wholes: tuple[Whole, ...], upto: int | None) -> Whole | None:
        known = len(self.problems)
        before = wholes[0].root
        if len(wholes) > 1:
            settling = tuple(change for change in layer.changes if change.verb in _SETTLING)
            before = Combining(wholes, layer.own, settling, self.problems).root()
        if len(self.problems) != known:
            return None
        stacking = Stacking(lambda problem, change: self.problems.put(problem))
        root = stacking.put_on(before, layer, upto)
        layers = _in_order(layer for whole in wholes for layer in whole.layers)
        failing = tuple(one for whole in wholes for one in whole.failing)
        whole = Whole((*layers, layer), root, before, (*failing, *stacking.failing))
        whole.effects = stacking.effects
        whole.below = {one: made for each in wholes for one, made in each.below.items()}
        whole.below[layer] = whole
        whole.is_broken = any(one.is_broken for one in wholes)
        return whole

    # ------------------------------------------------------------------ what is extended

    def _names(self, extended: Entry) -> list[Text]:
        match extended.value:
            case Text() as name if name.text:
                return [name]
            case List(items=(Text(), *_) as items) if all(isinstance(i, Text) for i in items):
                return [item for item in items if isinstance(item, Text)]
            case node:
                note = "the name of a game or file stands here, or a list of them"
                span = node.span if node.span.end > node.span.start else extended.key.span
                self.problems.add("unknown-base", span, note, help="extends: ostia")
                return []

    def _base(self, name: Text, chain: tuple[str, ...]) -> Whole | None:
        source = read_base(name, self.problems)
        if source is None:
            return None
        path = os.path.realpath(source.name)
        if path in chain:
            circle = [*chain[chain.index(path) :], path]
            said = " extends ".join(os.path.basename(one) for one in circle)
            note = f"this leads back to where it began: {said}"
            self.problems.add("extends-in-circle", name.span, note)
            return None
        if len(chain) >= limits.EXTENDED:
            note = f"files may extend each other {limits.EXTENDED} deep"
            self.problems.add("too-large", name.span, note, help="put two of them into one")
            return None
        if path not in self._known:
            known = len(self.problems)
            whole = self._whole(source, (*chain, path), None)
            self._known[path] = whole if len(self.problems) == known else None
        return self._known[path]

    def _have_one_game(self, wholes: tuple[Whole, ...], node: Node) -> bool:
        """Whether all that is extended goes back to one game."""
        items = node.items if isinstance(node, List) else (node,)
        for number, whole in enumerate(wholes[1:], start=1):
            first, here = wholes[0].layers[0].source, whole.layers[0].source
            if whole in wholes[:number]:
                note = "this is extended already"
                second = Second(items[wholes.index(whole)].span, "here")
                self.problems.add("duplicate-name", items[number].span, note, second=second)
                return False
            if here is not first:
                names = [os.path.basename(one.name) for one in (here, first)]
                note = f"this goes back to {names[0]}, the first one to {names[1]}"
                second = Second(items[0].span, "the first one")
                help = "what is put together extends one game in the end"
                self.problems.add("two-bases", items[number].span, note, second=second, help=help)
                return False
        return True


def _in_order(layers: Iterable[Layer]) -> tuple[Layer, ...]:
    return tuple(dict.fromkeys(layers))


def _entry(node: Map, key: str) -> Entry | None:
    return next((entry for entry in node.entries if entry.key.text == key), None)
