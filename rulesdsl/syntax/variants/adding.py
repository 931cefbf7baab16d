"""Changes that add: members, rows, columns, options, lines, entries."""

from __future__ import annotations

from rulesdsl.syntax.variants.addresses import STEPS, Spot, locate, name_in, place_of
from rulesdsl.syntax.variants.changes import Change, Wrong
from rulesdsl.syntax.variants.effects import (
    Effect,
    as_list,
    declaration_of,
    entries_of,
    the_one,
)
from rulesdsl.syntax.variants.in_lines import find_line
from rulesdsl.syntax.variants.nodes import (
    Path,
    at,
    insert,
    plain,
    position_of,
    put,
    told,
    value_of,
)
from rulesdsl.syntax.yaml_nodes import Entry, List, Map, Node, Text
from rulesdsl.text.problems import Second
from rulesdsl.text.spelling import nearest


def add(root: Node, change: Change) -> Effect:
    """Add to something, before or behind what stands there."""
    root, spot = _container(root, change)
    new = change.node("new")
    assert new is not None
    node = at(root, spot.path)
    if spot.section in STEPS and not isinstance(node, Map):
        root = put(root, spot.path, as_list(node))
        return _add_lines(root, spot, change, _items(new))
    if isinstance(node, Map):
        return _add_entries(root, spot, change, node, new)
    root = put(root, spot.path, as_list(node))
    return _add_items(root, spot, change, _items(new))


def _items(new: Node) -> tuple[Node, ...]:
    return new.items if isinstance(new, List) else (new,)


def _container(root: Node, change: Change) -> tuple[Node, Spot]:
    """What is added to: the rows of a kind or table, the steps of a procedure, or the thing."""
    found = locate(root, change.target.text).spots
    place = change.node("after") or change.node("before")
    if len(found) > 1 and isinstance(place, Text):
        found = tuple(s for s in found if _position(at(root, s.path), place.text) is not None)
    spot = the_one(root, change.target, found or None)
    node = at(root, spot.path)
    inner = None
    if spot.section in ("kinds", "tables") and len(spot.path) == 2:
        if value_of(node, "includes") is not None and value_of(node, "rows") is None:
            # so far it has only the members of others
            key = Text(node.span, "rows", exact=False, quoted=False)
            entry = Entry(key, List(change.span, ()))
            root = insert(root, spot.path, len(entries_of(node)), (entry,))
            node = at(root, spot.path)
        inner = position_of(node, "rows")
        if inner is None:
            note = "this has no members of its own"
            second = Second(place_of(root, spot), "declared here")
            raise Wrong("unclear-change", change.span, note, second)
    elif spot.section in STEPS and isinstance(node, Map):
        inner = position_of(node, "do")
    inside = spot if inner is None else Spot((*spot.path, inner), spot.words, spot.section)
    return root, inside


def _position(node: Node, name: str) -> int | None:
    """Where an entry or item of this name stands."""
    wanted = plain(name)
    match node:
        case Map(entries=entries):
            names = [(plain(entry.key.text), name_in(entry.key.text)) for entry in entries]
        case List(items=items):
            names = [(plain(_said(item)), "") for item in items]
        case _:
            names = []
    return next((i for i, known in enumerate(names) if wanted in known), None)


def _said(item: Node) -> str:
    """What an item is called: its text, its header, the title of an example."""
    match item:
        case Text(text=text):
            return text
        case Map(entries=(Entry(key=key, value=value), *_)):
            titled = key.text == "example" and isinstance(value, Text)
            return value.text if titled and isinstance(value, Text) else key.text
        case _:
            return ""


def _where(change: Change, node: Map | List, spot: Spot) -> int:
    """The position of what is added."""
    size = len(node.entries if isinstance(node, Map) else node.items)
    place = change.node("at")
    if place is not None:
        return 0 if isinstance(place, Text) and place.text == "first" else size
    for word, behind in (("after", 1), ("before", 0)):
        wanted = change.node(word)
        if isinstance(wanted, Text):
            found = _position(node, wanted.text)
            if found is None:
                raise _not_there(wanted, node, spot)
            return found + behind
    return size


def _not_there(wanted: Text, node: Map | List, spot: Spot) -> Wrong:
    if isinstance(node, Map):
        places = {entry.key.text: entry.key.span for entry in node.entries}
    else:
        places = {_said(item): item.span for item in node.items}
    near = nearest(wanted.text, places)
    note = f"{spot.words} has no {told(wanted)}"
    note += f"; did you mean `{near}`?" if near else ""
    second = None if near is None else Second(places[near], "did you mean this one?")
    return Wrong("unknown-address", wanted.span, note, second)


def _add_entries(root: Node, spot: Spot, change: Change, node: Map, new: Node) -> Effect:
    if not isinstance(new, Map):
        like = next((f", like {told(Map(new.span, (entry,)))}" for entry in node.entries), "")
        note = f"what {spot.words} holds is written with keys{like}"
        raise Wrong("wrong-shape", new.span, note, help="new: {NAME: ...}")
    for entry in new.entries:
        found = _position(node, name_in(entry.key.text)) if _is_named(entry.key) else None
        found = position_of(node, entry.key.text) if found is None else found
        if found is not None:
            raise _there_already(entry.key, node.entries[found].key, spot)
    where = _where(change, node, spot)
    words = plain(spot.words)
    return Effect(
        insert(root, spot.path, where, new.entries),
        added=tuple((words, plain(entry.key.text)) for entry in new.entries),
        declaration=declaration_of(spot),
    )


def _is_named(key: Text) -> bool:
    return name_in(key.text) != key.text and key.text[len(name_in(key.text))] == "("


def _there_already(name: Text, known: Text, spot: Spot) -> Wrong:
    note = f"{spot.words} has this already"
    help = "alter it: `set` with `was` and `to`, or `replace` and `with`"
    second = Second(known.span, "here")
    return Wrong("name-of-base", name.span, note, second, help=help)


def _add_items(root: Node, spot: Spot, change: Change, new: tuple[Node, ...]) -> Effect:
    node = at(root, spot.path)
    assert isinstance(node, List)
    for item in new:
        known = _position(node, _said(item))
        if known is not None:
            second = Second(node.items[known].span, "here")
            note = f"{spot.words} has this already"
            raise Wrong("name-of-base", item.span, note, second)
        if node.items and isinstance(node.items[0], Text) and not isinstance(item, Text):
            help = f"new: [{', '.join(entry.key.text for entry in entries_of(item))}]"
            raise Wrong("wrong-shape", item.span, f"{spot.words} is a list of names", help=help)
    words = plain(spot.words)
    return Effect(
        insert(root, spot.path, _where(change, node, spot), new),
        added=tuple((words, plain(_said(item))) for item in new),
        declaration=declaration_of(spot),
    )


# ------------------------------------------------------------------ lines of a body


def _add_lines(root: Node, spot: Spot, change: Change, new: tuple[Node, ...]) -> Effect:
    """Add steps at an end of a body, or beside a line that stands in it at any depth."""
    path, behind = spot.path, None
    for word, step in (("after", 1), ("before", 0)):
        wanted = change.node(word)
        if isinstance(wanted, Text):
            line = find_line(root, spot, wanted)
            root, path, position = _beside(root, spot.path, line.path)
            behind = position + step
    node = at(root, path)
    assert isinstance(node, List)
    if behind is None:
        behind = _where(change, node, spot)
    return Effect(insert(root, path, behind, new), declaration=declaration_of(spot))


def _beside(root: Node, body: Path, line: Path) -> tuple[Node, Path, int]:
    """The list in which a line stands, and where; one line alone is made a list first."""
    node = at(root, line)
    if isinstance(node, Text) and isinstance(at(root, line[:-1]), Map):
        return put(root, line, as_list(node)), line, 0
    path = line
    while len(path) > len(body) and not isinstance(at(root, path[:-1]), List):
        path = path[:-1]
    return root, path[:-1], path[-1]


# ------------------------------------------------------------------ columns


def add_column(root: Node, change: Change) -> Effect:
    """A column of a table or kind, with a cell for each row."""
    spot = the_one(root, change.target)
    node, new, cells = at(root, spot.path), change.node("new"), change.node("rows")
    rows = value_of(node, "rows")
    if spot.section not in ("tables", "kinds") or len(spot.path) != 2 or rows is None:
        note = "only tables and kinds with members have columns"
        raise Wrong("unclear-change", change.span, note, Second(place_of(root, spot), "this one"))
    assert new is not None
    assert cells is not None
    node, where = _with_column(node, new, change, spot)
    columns = value_of(node, "columns")
    width = len(entries_of(columns)) or len(columns.items if isinstance(columns, List) else ())
    whole = _with_cells(rows, cells, where, width - 1, change)
    position = position_of(node, "rows")
    assert position is not None
    name = new.entries[0].key if isinstance(new, Map) else new
    words = plain(spot.words)
    return Effect(
        put(root, spot.path, put(node, (position,), whole)),
        added=((words, f".{plain(told(name))}"),),
        declaration=declaration_of(spot),
    )


def _with_column(node: Node, new: Node, change: Change, spot: Spot) -> tuple[Node, int]:
    """A declaration with the name of the new column, and its position."""
    assert isinstance(node, Map)
    known = value_of(node, "columns")
    if spot.section == "kinds":
        name = _typed_column(new)
        known = known or Map(new.span, ())
    else:
        name = _bare_column(new, known, node, change)
    if not isinstance(known, Map | List) or isinstance(known, Map) != (spot.section == "kinds"):
        second = None if known is None else Second(known.span, "here")
        raise Wrong("wrong-shape", change.span, "its columns are none", second)
    found = _position(known, name.text)
    if found is not None:
        first = known.entries[found].key if isinstance(known, Map) else known.items[found]
        note = f"{spot.words} has this column already"
        raise Wrong("name-of-base", name.span, note, Second(first.span, "here"))
    where = _where(change, known, spot)
    columns = insert(known, (), where, entries_of(new) or (name,))
    position = position_of(node, "columns")
    if position is None:
        key = Text(name.span, "columns", exact=False, quoted=False)
        return Map(node.span, (Entry(key, columns), *node.entries)), where
    return put(node, (position,), columns), where


def _typed_column(new: Node) -> Text:
    """The name of a column of a kind, which has a type."""
    if isinstance(new, Map) and len(new.entries) == 1:
        return new.entries[0].key
    help = f"new: {{{told(new)}: 0..9}}" if isinstance(new, Text) else "new: {NAME: 0..9}"
    raise Wrong("wrong-shape", new.span, "a column of a kind has a type", help=help)


def _bare_column(new: Node, known: Node | None, table: Map, change: Change) -> Text:
    """The name of a column of a table that has columns."""
    if known is None:
        note = "this table has one value a row, and no columns"
        raise Wrong("unclear-change", change.span, note, Second(table.entries[0].key.span, "here"))
    if not isinstance(new, Text):
        raise Wrong("wrong-shape", new.span, "a column of a table is a name", help="new: NAME")
    return new


def _with_cells(rows: Node, cells: Node, where: int, width: int, change: Change) -> Map:
    """The rows with their new cells."""
    given = {plain(entry.key.text): entry for entry in entries_of(cells)}
    if isinstance(rows, List):
        names = [item for item in rows.items if isinstance(item, Text)]
        rows = Map(rows.span, tuple(Entry(name, List(name.span, ())) for name in names))
    known = {plain(entry.key.text): entry for entry in entries_of(rows)}
    for name, entry in given.items():
        if name not in known:
            near = nearest(name, known)
            second = Second(known[near].key.span, "did you mean this one?") if near else None
            note = f"there is no row {entry.key.text}"
            raise Wrong("unknown-address", entry.key.span, note, second)
    missing = [entry for name, entry in known.items() if name not in given]
    if missing:
        names_ = ", ".join(entry.key.text for entry in missing[:6])
        all_ = ", ".join(f"{entry.key.text}: ..." for entry in known.values())
        span = change.keys["rows"].key.span
        second = Second(missing[0].key.span, "the first row without one")
        note = f"no cell for {names_}"
        raise Wrong("row-length", span, note, second, help=f"rows: {{{all_}}}")
    made = []
    for entry in entries_of(rows):
        old = entry.value.items if isinstance(entry.value, List) else (entry.value,)
        cell = given[plain(entry.key.text)].value
        whole = (*old[:where], cell, *old[where:]) if len(old) == width else (*old, cell)
        made.append(Entry(entry.key, List(entry.value.span, whole)))
    return Map(rows.span, tuple(made))
