"""What else is said of places: for how many there is room, and what is noted of each component."""

from __future__ import annotations

from rulesdsl.check import model as m
from rulesdsl.check.constants import is_static
from rulesdsl.check.context import Context, replaced, spelled
from rulesdsl.check.datatypes import INT_HIGH, IntType
from rulesdsl.check.scopes import Scope
from rulesdsl.check.types import Types
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Second


def notes_on(c: Context, types: Types, decl: t.StateDecl, zone: m.Zone) -> tuple[m.PlaceNote, ...]:
    """What is said about each component in a pile whose size all see."""
    notes: list[m.PlaceNote] = []
    for word, node in decl.notes:
        type_ = types.type(node)
        if type_ is not None:
            notes.append(m.PlaceNote(word.text, zone, type_, word.span))
    if decl.notes and zone.shape is not m.Shape.PILE:
        note = f"notes lie in the order of a pile; this is a {zone.shape.value}"
        c.add("wrong-clause", decl.notes[0][0].span, note)
        return ()
    if decl.notes and not (zone.size_seen or zone.sight in (m.Sight.ALL, m.Sight.NOBODY)):
        note = "all see how many notes there are, so all have to see the size of the pile"
        help_ = replaced(decl.type.span, f"{decl.type.span.text}, size seen")
        c.add("wrong-clause", decl.notes[0][0].span, note, help=help_)
        return ()
    return tuple(notes)


def room_of(c: Context, types: Types, clause: t.AtMost) -> m.Expr | None:
    """How many components a place has room for: known before the game."""
    found = types.expressions.value(clause.number, Scope(), IntType(0, INT_HIGH))
    if found is None:
        return None
    room, proved = found
    if not is_static(room):
        note = "the room of a place is known before the game: from numbers and options"
        c.add("start-unknown", clause.number.span, note)
    elif not proved:
        note = f"this can be {spelled(room.type)}; the room of a place is never below 0"
        c.add("out-of-range", clause.number.span, note)
    else:
        return room
    return None


def starts_fit(c: Context, decl: t.StateDecl, zone: m.Zone) -> None:
    """What lies in a place at the start has room there, whatever the options are."""
    if zone.at_most is None:
        return
    assert isinstance(zone.at_most.type, IntType)
    room, there = zone.at_most.type.low, sum(sum(part) for part in zone.start)
    if there > room:
        note = f"{there} start here, where there is room for {room}"
        second = Second(zone.at_most.span, "its room")
        c.add("no-room", decl.name.span, note, second=second)
