"""What a change does to a rule file, and what all changes have in common."""

from __future__ import annotations

from collections.abc import Sequence
from os.path import basename

from attrs import field, frozen

from rulesdsl.syntax.variants.addresses import STEPS, Found, Spot, locate, place_of
from rulesdsl.syntax.variants.changes import Wrong
from rulesdsl.syntax.variants.nodes import Path, at, drop, key_at, put
from rulesdsl.syntax.yaml_nodes import Entry, List, Map, Node, Text
from rulesdsl.text.problems import Second
from rulesdsl.text.source import Span

NOTHING = "nothing"
_SHOWN = 6


@frozen
class Effect:
    """A rule file after a change, what of the old one was altered, and what was added to what."""

    root: Node
    altered: tuple[Span, ...] = ()
    added: tuple[tuple[str, str], ...] = ()
    declaration: Path = field(default=())
    """The way to the declaration that was changed: it takes the references of the change."""


def the_one(root: Node, address: Text, spots: Sequence[Spot] | None = None) -> Spot:
    """The only thing an address means. Raises Wrong."""
    found = locate(root, address.text) if spots is None else Found(tuple(spots))
    if len(found.spots) == 1:
        return found.spots[0]
    if not found.spots:
        raise _nothing_there(root, address, found)
    places = listed([place_of(root, spot) for spot in found.spots])
    note = f"this stands in {len(found.spots)} places: {places}"
    raise Wrong(
        "address-twice",
        address.span,
        note,
        Second(place_of(root, found.spots[0]), "the first of them"),
        help="say more of the way there: procedure NAME / if CONDITION / OPTION",
    )


def _nothing_there(root: Node, address: Text, found: Found) -> Wrong:
    if found.near is None:
        about = "An address begins with what is meant: option, kind, table, state, define,"
        about += " procedure, phase, setup, flow, result, trigger, invariant, measure, example,"
        about += " text."
        note = "nothing has this address"
        return Wrong("unknown-address", address.span, note, about=about)
    words = found.near.words
    note = f"nothing has this address; the nearest is `{words}`"
    second = Second(place_of(root, found.near), "did you mean this?")
    return Wrong("unknown-address", address.span, note, second)


def listed(places: Sequence[Span]) -> str:
    """Places as a list of files and lines."""
    shown = [f"{basename(span.source.name)}:{span.line}" for span in places[:_SHOWN]]
    return ", ".join(shown) + (", ..." if len(places) > _SHOWN else "")


def span_of(root: Node, path: Path) -> tuple[Span, ...]:
    """The whole piece at the end of a path, with its key."""
    key, node = key_at(root, path), at(root, path)
    if key is None:
        return (node.span,)
    if key.span.source is node.span.source and key.span.start <= node.span.end:
        return (key.span.to(node.span),)
    return key.span, node.span


def declaration_of(spot: Spot) -> Path:
    """The way to the declaration that a spot belongs to."""
    return spot.path[: 1 if spot.section in ("setup", "flow", "result", "players") else 2]


def without(root: Node, path: Path) -> Node:
    """The tree without a piece; what is left empty by that goes too, or says `nothing`."""
    around, key = at(root, path[:-1]), key_at(root, path)
    if key is not None and key.text.split()[0] == "if":
        # an `if` goes with its branches
        return without(root, path[:-1])
    left = drop(root, path)
    match at(left, path[:-1]):
        case List(items=()) if is_body(root, path[:-1]):
            return put(left, path[:-1], Text(around.span, NOTHING, exact=False, quoted=False))
        case Map(entries=()) if len(path) > 1:
            return without(root, path[:-1])
        case _:
            return left


def nothing(place: Span) -> Text:
    """A body without steps, at the place of what was there."""
    return Text(place, NOTHING, exact=False, quoted=False, block=True)


def is_body(root: Node, path: Path) -> bool:
    """Whether steps stand at the end of a path."""
    key, section = key_at(root, path), key_at(root, path[:1])
    if section is None or section.text not in STEPS:
        return False
    words = key.text.split() if key is not None else [""]
    return words[0] not in ("where", "cite", "about", "by", "prizes", "ties", "is")


def as_list(node: Node) -> List:
    """A body or a list of values as a list, also where it is one line or `nothing`."""
    match node:
        case List():
            return node
        case Text(text=text) if text == NOTHING:
            return List(node.span, ())
        case _:
            return List(node.span, (node,))


def entries_of(node: Node | None) -> tuple[Entry, ...]:
    """The entries of a mapping; of anything else none."""
    return node.entries if isinstance(node, Map) else ()
