"""Changes of lines: a line is its own address, and must be there exactly once."""

from __future__ import annotations

from difflib import get_close_matches

from rulesdsl.syntax.variants.addresses import Spot, place_of
from rulesdsl.syntax.variants.changes import Change, Wrong
from rulesdsl.syntax.variants.effects import (
    NOTHING,
    Effect,
    declaration_of,
    entries_of,
    is_body,
    listed,
    nothing,
    span_of,
    the_one,
    without,
)
from rulesdsl.syntax.variants.nodes import (
    Line,
    Path,
    at,
    drop,
    insert,
    lines,
    plain,
    put,
    put_key,
    same,
)
from rulesdsl.syntax.yaml_nodes import List, Map, Node, Text
from rulesdsl.text.problems import Second

_FAR = 0.3


def change_line(root: Node, change: Change, inside: Text) -> Effect:
    """Replace or remove the line that a change names."""
    spot = the_one(root, inside)
    line = find_line(root, spot, change.target)
    new = change.node("with")
    altered = (line.text.span,) if new is not None else span_of(root, line.path)
    if new is None or (isinstance(new, Text) and new.text == NOTHING):
        made = _removed(root, line)
    elif line.is_key:
        made, altered = _header_replaced(root, line, new, change), span_of(root, line.path)
    else:
        made = _line_replaced(root, line, new)
    if same(made, root):
        second = Second(line.text.span, "here")
        raise Wrong("changes-nothing", change.span, "this is what stands there already", second)
    return Effect(made, altered, declaration=declaration_of(spot))


def find_line(root: Node, spot: Spot, wanted: Text, path: Path | None = None) -> Line:
    """The only line with this text below a spot. Raises Wrong."""
    path = spot.path if path is None else path
    there = list(lines(at(root, path), path))
    found = [line for line in there if plain(line.text.text) == plain(wanted.text)]
    if len(found) == 1:
        return found[0]
    if found:
        places = listed([line.text.span for line in found])
        note = f"this line stands there {len(found)} times: {places}"
        second = Second(found[0].text.span, "the first of them")
        help = f"in: {spot.words} / ..., with more of the way to the line"
        raise Wrong("line-twice", wanted.span, note, second, help=help)
    known = {line.text.text: line for line in reversed(there)}
    near = get_close_matches(wanted.text, known, 1, _FAR)
    note = f"no such line stands in {spot.words}"
    if not near:
        raise Wrong("unknown-line", wanted.span, note, Second(place_of(root, spot), "looked in"))
    second = Second(known[near[0]].text.span, "the nearest one")
    raise Wrong("unknown-line", wanted.span, note, second)


def _removed(root: Node, line: Line) -> Node:
    if line.is_key or len(line.path) == 0:
        return without(root, line.path)
    around = at(root, line.path[:-1])
    if isinstance(around, Map) and is_body(root, line.path):
        return put(root, line.path, nothing(line.text.span))
    return without(root, line.path)


def _line_replaced(root: Node, line: Line, new: Node) -> Node:
    match new:
        case List(items=items) if isinstance(at(root, line.path[:-1]), List):
            left = drop(root, line.path)
            return insert(left, line.path[:-1], line.path[-1], items)
        case Map() if not isinstance(at(root, line.path[:-1]), List):
            return put(root, line.path, List(new.span, (new,)))
        case _:
            return put(root, line.path, new)


def _header_replaced(root: Node, line: Line, new: Node, change: Change) -> Node:
    """A header alone, or with all that stands below it."""
    if isinstance(new, Text) and not line.is_whole:
        return put_key(root, line.path, new)
    item = line.path[:-1]
    around = at(root, item)
    in_list = bool(item) and isinstance(at(root, item[:-1]), List)
    alone = len(entries_of(around)) == 1 or line.text.text.split()[0] == "if"
    if in_list and alone:
        items = new.items if isinstance(new, List) else (new,)
        return insert(drop(root, item), item[:-1], item[-1], items)
    if not isinstance(new, Map):
        note = "what stands here has a key, and so must what stands there instead"
        raise Wrong("unclear-change", change.span, note, help="with: {NAME: STEPS}")
    entries = new.entries
    return insert(drop(root, line.path), item, line.path[-1], entries)
