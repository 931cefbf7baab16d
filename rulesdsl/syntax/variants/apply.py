"""One change carried out on a rule file."""

from __future__ import annotations

from typing import assert_never

from rulesdsl.syntax.shape import DEFINE, PHASE
from rulesdsl.syntax.variants.adding import add, add_column
from rulesdsl.syntax.variants.addresses import Spot, name_in, place_of
from rulesdsl.syntax.variants.changes import Change, Wrong
from rulesdsl.syntax.variants.effects import (
    Effect,
    as_list,
    declaration_of,
    entries_of,
    span_of,
    the_one,
    without,
)
from rulesdsl.syntax.variants.in_lines import change_line
from rulesdsl.syntax.variants.nodes import (
    Path,
    at,
    drop,
    key_at,
    one_line,
    position_of,
    put,
    put_key,
    same,
    told,
    value_of,
)
from rulesdsl.syntax.variants.own import title_of
from rulesdsl.syntax.yaml_nodes import Entry, List, Map, Node, Text
from rulesdsl.text.problems import Second

_VALUES = {
    "options": ("default", 2),
    "define": ("is", 2),
    "measures": ("is", 2),
    "state": ("type", 3),
}
"""The key with the value of a declaration, and how deep the declaration stands."""
_SAME = "this is what stands there already"


def carried_out(root: Node, change: Change) -> Effect:
    """A rule file with a change made. Raises Wrong."""
    effect = _effect(root, change)
    if "cite" in change.keys and _is_left(root, effect):
        cited = _cited(effect.root, effect.declaration, change.keys["cite"])
        return Effect(cited, effect.altered, effect.added, effect.declaration)
    return effect


def _is_left(root: Node, effect: Effect) -> bool:
    """Whether the declaration that was changed is still there: it may have gone with its parts."""
    path = effect.declaration
    try:
        old, new = (key_at(one, path) or title_of(at(one, path)) for one in (root, effect.root))
    except LookupError:
        return False
    if old is None or new is None:
        return bool(path) and old is new
    return name_in(old.text) == name_in(new.text)


def _effect(root: Node, change: Change) -> Effect:
    if change.inside is not None:
        return change_line(root, change, change.inside)
    match change.verb:
        case "add to":
            return add(root, change)
        case "add column to":
            return add_column(root, change)
        case "set":
            return _set(root, change)
        case "replace":
            return _replace(root, change)
        case "remove":
            return _remove(root, change)
        case "fails":
            return _fails(root, change)
        case _:
            assert_never(change.verb)


# ------------------------------------------------------------------ set, replace


def _set(root: Node, change: Change) -> Effect:
    spot = _value_of(root, the_one(root, change.target))
    node, was, to = at(root, spot.path), change.node("was"), change.node("to")
    assert to is not None
    if was is None:
        note = "the key `was` is missing: it says what stands there now"
        second = Second(node.span, "this stands there now")
        help = f"was: {one_line(node)}"
        raise Wrong("missing-key", change.span, note, second, help=help)
    if not same(node, was):
        note = f"this is not what stands there: {told(node)}"
        help = f"was: {one_line(node)}"
        raise Wrong("other-value", was.span, note, Second(node.span, "here"), help=help)
    if same(node, to):
        raise Wrong("changes-nothing", to.span, _SAME, Second(node.span, "here"))
    return Effect(put(root, spot.path, to), (node.span,), declaration=declaration_of(spot))


def _value_of(root: Node, spot: Spot) -> Spot:
    """Of an option its default, of a definition its value, of a piece of state its type."""
    key, depth = _VALUES.get(spot.section, ("", 0))
    inner = position_of(at(root, spot.path), key) if len(spot.path) == depth else None
    return spot if inner is None else Spot((*spot.path, inner), spot.words, spot.section)


def _replace(root: Node, change: Change) -> Effect:
    spot = the_one(root, change.target)
    new = change.node("with")
    assert new is not None
    altered = span_of(root, spot.path)
    key = key_at(root, spot.path)
    match new:
        # the whole declaration with its head: `with: {credit(p in players): p.money}`
        case Map(entries=(Entry(key=head, value=value),)) if key is not None and (
            name_in(head.text) == name_in(key.text) and head.text != name_in(head.text)
        ):
            made = put_key(put(root, spot.path, value), spot.path, head)
        case _:
            made = put(root, spot.path, new)
    if same(made, root):
        raise Wrong("changes-nothing", change.span, _SAME, Second(place_of(root, spot), "here"))
    return Effect(made, altered, declaration=declaration_of(spot))


# ------------------------------------------------------------------ remove


def _remove(root: Node, change: Change) -> Effect:
    spot = the_one(root, change.target)
    altered = span_of(root, spot.path)
    around = key_at(root, spot.path[:-1])
    depth = len(spot.path)
    declared = depth == 1 or (depth == 2 and spot.section not in ("setup", "flow", "result"))
    declaration = () if declared else declaration_of(spot)
    if spot.section in ("kinds", "tables") and depth == 4 and around and around.text == "columns":
        return Effect(_without_column(root, spot.path), altered, declaration=declaration)
    if spot.section in ("kinds", "tables") and depth == 5:
        note = "a cell is given another value by `set`; only rows and columns are removed"
        raise Wrong("unclear-change", change.span, note)
    return Effect(without(root, spot.path), altered, declaration=declaration)


def _without_column(root: Node, path: Path) -> Node:
    """The tree without a column and its cells."""
    owner, where = path[:2], path[-1]
    rows = position_of(at(root, owner), "rows")
    root = drop(root, path)
    if rows is None:
        return root
    made = []
    lines = entries_of(at(root, (*owner, rows)))
    for entry in lines:
        cells = as_list(entry.value).items
        left = (*cells[:where], *cells[where + 1 :])
        made.append(Entry(entry.key, List(entry.value.span, left)))
    if lines and all(not as_list(entry.value).items for entry in made):
        names = tuple(entry.key for entry in made)
        root = put(root, (*owner, rows), List(at(root, (*owner, rows)).span, names))
        return drop(root, path[:-1])
    return put(root, (*owner, rows), Map(at(root, (*owner, rows)).span, tuple(made)))


def _fails(root: Node, change: Change) -> Effect:
    """An example or invariant of the base that is said not to hold any more."""
    spot = the_one(root, change.target)
    if spot.section not in ("examples", "invariants") or len(spot.path) != 2:
        note = "only examples and invariants are listed as failing"
        raise Wrong("unclear-change", change.span, note, Second(place_of(root, spot), "this one"))
    return Effect(root, declaration=())


# ------------------------------------------------------------------ references


def _cited(root: Node, path: Path, cite: Entry) -> Node:
    """A declaration with the references of a change among its own."""
    section = key_at(root, path[:1])
    node = at(root, path)
    match section.text if section is not None else "":
        case "define":
            node = _in_long_form(node, "is", DEFINE.names)
        case "procedures" | "phases" | "triggers" | "setup":
            node = _in_long_form(node, "do", PHASE.names)
        case "options" | "kinds" | "tables" | "examples" | "result" | "state":
            pass
        case _:
            return root
    if not isinstance(node, Map):
        return root
    position = position_of(node, "cite")
    if position is None:
        return put(root, path, Map(node.span, (*node.entries, cite)))
    own = value_of(node, "cite")
    assert own is not None
    whole = List(own.span, (*as_list(own).items, *as_list(cite.value).items))
    return put(root, path, put(node, (position,), whole))


def _in_long_form(node: Node, word: str, names: tuple[str, ...]) -> Node:
    """A declaration with keys, where it is written as one value."""
    if any(entry.key.text in names for entry in entries_of(node)):
        return node
    key = Text(node.span, word, exact=False, quoted=False)
    return Map(node.span, (Entry(key, node),))
