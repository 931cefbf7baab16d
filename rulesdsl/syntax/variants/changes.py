"""The entries of `changes` as they are written, each with the one word that says what it does."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from attrs import frozen

from rulesdsl.syntax.fields import Fields
from rulesdsl.syntax.shape import CHANGE
from rulesdsl.syntax.tree import ChangeDecl
from rulesdsl.syntax.variants.nodes import line_of, told
from rulesdsl.syntax.yaml_nodes import Empty, Entry, Map, Node, Text
from rulesdsl.text.problems import Problem, Problems, Second
from rulesdsl.text.source import Span

Verb: TypeAlias = Literal["add to", "add column to", "set", "replace", "remove", "fails"]
VERBS: Final[tuple[Verb, ...]] = get_args(Verb)
_PLACES: Final = ("after", "before", "at")
_ALWAYS: Final = ("because", "cite")
_KEYS: Final[dict[Verb, tuple[str, ...]]] = {
    "add to": ("new", *_PLACES),
    "add column to": ("new", "rows", *_PLACES),
    "set": ("was", "to"),
    "replace": ("with", "in"),
    "remove": ("in",),
    "fails": (),
}
_NEEDED: Final[dict[Verb, tuple[str, ...]]] = {
    "add to": ("new",),
    "add column to": ("new", "rows"),
    "set": ("to",),
    "replace": ("with",),
    "remove": (),
    "fails": (),
}


class Wrong(Exception):
    """A change that cannot be made: the problem to be told."""

    def __init__(
        self,
        code: str,
        span: Span,
        note: str,
        second: Second | None = None,
        about: str = "",
        help: str = "",
    ) -> None:
        self.problem = Problem(code, span, note, second, about, help)
        super().__init__(note)


@frozen(eq=False)
class Change:
    """One change: what it does, to what, and with what."""

    verb: Verb
    target: Text
    keys: dict[str, Entry]
    decl: ChangeDecl

    def node(self, key: str) -> Node | None:
        """What stands behind one of its keys."""
        return self.keys[key].value if key in self.keys else None

    @property
    def inside(self) -> Text | None:
        """What it says of where its line stands."""
        node = self.node("in")
        return node if isinstance(node, Text) else None

    @property
    def span(self) -> Span:
        return self.target.span


def read_changes(node: Node, problems: Problems) -> tuple[Change, ...]:
    """The changes of a file that can be read; what is wrong with others is told."""
    read = Fields(problems)
    found = (_change(item, read) for item in read.items(node, "the changes"))
    return tuple(change for change in found if change is not None)


def _change(node: Node, read: Fields) -> Change | None:
    keys = read.section(node, CHANGE)
    verbs = [verb for verb in VERBS if verb in keys]
    if not isinstance(node, Map):
        return None
    if len(verbs) != 1:
        _without_verb(node, verbs, read.problems)
        return None
    verb = verbs[0]
    spoken_of = keys[verb].value
    if "in" in keys and isinstance(spoken_of, Map) and len(spoken_of.entries) == 1:
        # a line with a key, as it is written in a body: `A.money: 3`
        spoken_of = line_of(spoken_of.entries[0])
    target = read.text(spoken_of, f"what `{verb}` speaks of")
    inside = read.text(keys["in"].value, "what `in` speaks of") if "in" in keys else None
    known = len(read.problems)
    _check_keys(verb, keys, node, read.problems)
    if target is None or len(read.problems) != known or ("in" in keys and inside is None):
        return None
    because = read.prose(keys["because"].value, "the reason") if "because" in keys else ""
    cites = read.cites(keys.get("cite"))
    decl = ChangeDecl(target.span, _spoken(verb, target, inside, keys), because, cites)
    return Change(verb, target, keys, decl)


def _spoken(verb: Verb, target: Text, inside: Text | None, keys: dict[str, Entry]) -> str:
    """A change in words, for whoever reads a list of them."""
    what = f"{verb} {' '.join(target.text.split())}"
    if inside is not None:
        what = f"in {inside.text}: {what}"
    for word in ("was", "to", "with", "new"):
        if word in keys:
            what += f", {word} {told(keys[word].value, 40)}"
    return what


def _without_verb(node: Map, verbs: list[Verb], problems: Problems) -> None:
    first = node.entries[0].key.span if node.entries else node.span
    words = ", ".join(f"`{verb}`" for verb in VERBS)
    if verbs:
        note = f"a change does one thing; here are `{verbs[0]}` and `{verbs[1]}`"
        problems.add(
            "unclear-change", first, note, help=f"begin the second one with `- {verbs[1]}`"
        )
    elif all(entry.key.text in CHANGE.names for entry in node.entries):
        note = "this does not say what is to be done"
        problems.add("unclear-change", first, note, about=f"A change has one of {words}.")


def _check_keys(verb: Verb, keys: dict[str, Entry], node: Map, problems: Problems) -> None:
    """Each verb has keys of its own, and needs some of them."""
    for name, entry in keys.items():
        if name not in (verb, *_KEYS[verb], *_ALWAYS):
            allowed = ", ".join((*_KEYS[verb], *_ALWAYS))
            note = f"`{name}` does not go with `{verb}`"
            about = f"With `{verb}` go {allowed}."
            problems.add("unclear-change", entry.key.span, note, about=about)
    for name in _NEEDED[verb]:
        if name not in keys:
            note = f"the key `{name}` is missing: {_MISSING[name]}"
            problems.add("missing-key", keys[verb].key.span, note, help=f"{name}: ...")
    for name in ("was", "to", "with", "new"):
        if name in keys:
            _check_value(keys[name], problems)
    places = [name for name in _PLACES if name in keys]
    if len(places) > 1:
        note = f"one place is enough: `{places[0]}` or `{places[1]}`"
        problems.add("unclear-change", keys[places[1]].key.span, note)
    for name in ("after", "before"):
        if name in keys and not isinstance(keys[name].value, Text):
            note = f"behind `{name}` stands the one thing or line beside which it comes"
            problems.add("unclear-change", keys[name].key.span, note)
    at = keys["at"].value if "at" in keys else None
    if at is not None and not (isinstance(at, Text) and at.text in ("first", "last")):
        note = "behind `at` stands `first` or `last`"
        problems.add("unclear-change", at.span, note, help="at: first")


def _check_value(entry: Entry, problems: Problems) -> None:
    """Whether something stands behind a key: the thing itself, and no file with it."""
    match entry.value:
        case Empty(span=span):
            note = f"what stands behind `{entry.key.text}` is missing"
            help = f"{entry.key.text}: nothing" if entry.key.text == "with" else ""
            problems.add("empty-value", span, note, help=help)
        case Map(entries=(Entry(key=Text(text="from") as key),)):
            note = "a change names no file"
            help = "write here what the file holds"
            problems.add("misplaced-from", key.span, note, help=help)


_MISSING: Final = {
    "new": "it says what is added",
    "rows": "it has a cell for each row",
    "to": "it says what stands there from now on",
    "with": "it says what stands there instead; `nothing` for nothing",
}
