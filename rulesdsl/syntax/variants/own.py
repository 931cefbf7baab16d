"""The sections of a variant's own: new names beside those of the base."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import define

from rulesdsl.syntax.variants.addresses import SECTION_OF, name_in, owner_in
from rulesdsl.syntax.variants.changes import Wrong
from rulesdsl.syntax.variants.effects import as_list
from rulesdsl.syntax.variants.nodes import (
    insert,
    plain,
    position_of,
    put,
    value_of,
)
from rulesdsl.syntax.yaml_nodes import Empty, Entry, List, Map, Node, Text
from rulesdsl.text.problems import Second

TAKEN_OVER: Final = ("rules", "game", "title", "about", "players")
"""Keys of a variant that stand instead of the base's."""
ITS_OWN: Final = ("extends", "changes")
_WHOLE: Final = ("setup", "flow", "result")
_GROUPED: Final = ("state", "texts")
_WORD_OF: Final = {section: word for word, section in SECTION_OF.items() if word != "ruling"}


@define
class Own:
    """Adds the sections of a file to the rule file it extends."""

    tell: Callable[[Wrong], None]
    is_settled: Callable[[str], bool] = lambda address: False
    """Whether a name that both have is settled by whoever combines the two: its address."""

    def added_to(self, root: Map, own: Map) -> Map:
        """The whole rule file."""
        for entry in own.entries:
            section = entry.key.text
            if section in ITS_OWN:
                continue
            position = position_of(root, section)
            try:
                root = self._section(root, position, entry)
            except Wrong as wrong:
                self.tell(wrong)
        return root

    def _section(self, root: Map, position: int | None, entry: Entry) -> Map:
        section = entry.key.text
        if position is None:
            made = insert(root, (), len(root.entries), (entry,))
        elif section in TAKEN_OVER:
            entries = [*root.entries]
            entries[position] = entry
            made = Map(root.span, tuple(entries))
        elif section in _WHOLE:
            raise self._whole_again(entry, root.entries[position])
        else:
            old = root.entries[position].value
            made = put(root, (position,), self._merged(section, old, entry.value))
        assert isinstance(made, Map)
        return made

    def _whole_again(self, entry: Entry, known: Entry) -> Wrong:
        section = entry.key.text
        note = f"the base has its {section} already"
        second = Second(known.key.span, "here")
        help = f"changes:\n  - replace: {section}\n    with: ..."
        return Wrong("name-of-base", entry.key.span, note, second, help=help)

    def _merged(self, section: str, old: Node, new: Node) -> Node:
        match old, new:
            case _, Empty():
                raise Wrong("empty-section", new.span, "nothing stands here")
            case List(), List():
                return self._examples(old, new)
            case Map(), Map() if section in _GROUPED or section == "sources":
                return self._groups(section, old, new)
            case Map(), Map():
                return self._names(_WORD_OF.get(section, section), old, new)
            case _:
                shape = "a list" if isinstance(old, List) else "written with keys"
                raise Wrong("wrong-shape", new.span, f"the {section}: this is {shape}")

    # ------------------------------------------------------------------ names, groups, examples

    def _names(self, word: str, old: Map, new: Map) -> Map:
        """Entries of both; a name that is there already is told."""
        known = {name_in_key(word, entry.key): entry.key for entry in old.entries}
        added = []
        for entry in new.entries:
            name = name_in_key(word, entry.key)
            if name not in known:
                added.append(entry)
            elif not self.is_settled(f"{word} {name}"):
                self.tell(self._there_already(word, name, entry.key, known[name]))
        return Map(old.span, (*old.entries, *added))

    def _there_already(self, word: str, name: str, key: Text, known: Text) -> Wrong:
        note = f"the base has this already: {word} {name}"
        second = Second(known.span, "here")
        help = f"alter it under `changes`:\n  - replace: {word} {name}\n    with: ..."
        return Wrong("name-of-base", key.span, note, second, help=help)

    def _groups(self, section: str, old: Map, new: Map) -> Map:
        """What stands in groups: the state of owners, rulings, names and lines of texts."""
        whole: Node = old
        for group in new.entries:
            position = position_of(whole, group.key.text)
            if position is None:
                assert isinstance(whole, Map)
                whole = insert(whole, (), len(whole.entries), (group,))
                continue
            known = old.entries[position]
            owner = f"{_WORD_OF[section]} {owner_in(group.key.text)}"
            is_book = section == "sources" and value_of(group.value, "sections") is not None
            if not isinstance(known.value, Map) or not isinstance(group.value, Map) or is_book:
                if not self.is_settled(owner):
                    name = group.key.text
                    self.tell(self._there_already(_WORD_OF[section], name, group.key, known.key))
                continue
            whole = put(whole, (position,), self._group(owner, known.value, group.value))
        assert isinstance(whole, Map)
        return whole

    def _group(self, owner: str, old: Map, new: Map) -> Map:
        """The entries of a group; its references are put together."""
        cites = [node for node in (value_of(old, "cite"), value_of(new, "cite")) if node]
        mine = tuple(entry for entry in new.entries if entry.key.text != "cite")
        merged = self._names(f"{owner} /", old, Map(new.span, mine))
        if value_of(new, "cite") is None:
            return merged
        items = tuple(item for node in cites for item in as_list(node).items)
        key = next(entry.key for entry in new.entries if entry.key.text == "cite")
        left = tuple(entry for entry in merged.entries if entry.key.text != "cite")
        return Map(merged.span, (Entry(key, List(cites[-1].span, items)), *left))

    def _examples(self, old: List, new: List) -> List:
        known = {plain(name.text): name for item in old.items if (name := title_of(item))}
        added = []
        for item in new.items:
            name = title_of(item)
            first = known.get(plain(name.text)) if name else None
            if name is None or first is None:
                added.append(item)
            elif not self.is_settled(f"example {name.text}"):
                self.tell(self._there_already("example", name.text, name, first))
        return List(old.span, (*old.items, *added))


def title_of(example: Node) -> Text | None:
    """What an example is called."""
    title = value_of(example, "example")
    return title if isinstance(title, Text) else None


def name_in_key(word: str, key: Text) -> str:
    """The name that a key declares."""
    declared = word in ("define", "procedure", "phase", "measure")
    return name_in(key.text) if declared else plain(key.text)
