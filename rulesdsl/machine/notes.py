"""Notes on a pile: cells beside its spots, which shift as its components do."""

from __future__ import annotations

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import IntType, unsaid
from rulesdsl.machine.builder import Builder
from rulesdsl.machine.fold import cell, op
from rulesdsl.machine.places import PlaceAt
from rulesdsl.machine.program import Cell, K, Value
from rulesdsl.text.source import Span


def note_cell(b: Builder, at: PlaceAt, note: m.PlaceNote, index: Value) -> Cell:
    """A note on what lies at a place of a pile, counted from the bottom (0)."""
    slot = b.layout.slot(note)
    return cell(slot.base, (at.key, slot.width), (index, 1))


def shift_notes(b: Builder, at: PlaceAt, origin: Value, to: Value) -> None:
    """The notes on what moves within its pile go with it."""
    for note in at.zone.notes:
        b.set(note_cell(b, at, note, to), note_cell(b, at, note, origin))


def clear_notes(b: Builder, at: PlaceAt, index: Value) -> None:
    """Nothing is said about what lies here; above the top it is the same."""
    for note in at.zone.notes:
        b.set(note_cell(b, at, note, index), K(unsaid(note.type)))


Said = tuple[tuple[m.Noting, Value], ...]
"""What is to be said about a component, as it is now."""


def say(b: Builder, step: m.Move | m.Deal) -> Said:
    """Work out what is noted, and tell the log of it."""
    said = tuple((noting, b.hold(b.values.value(noting.value))) for noting in step.noting)
    if said:
        notes = step.to.place.zone.notes
        values = [next((v for one, v in said if one.note is n), K(unsaid(n.type))) for n in notes]
        b.note("noted", step.to.place.zone, *values, span=step.span)
    return said


def lay_notes(
    b: Builder, to: PlaceAt, said: Said, way: m.Way, above: Value | None, span: Span
) -> None:
    """Set the notes on what has just been put; `above` is how many lie above, if not by `way`."""
    index: Value = K(0)
    if above is not None or way is not m.Way.UNDER:
        index = op("sub", op("sub", to.length, K(1)), K(0) if above is None else above)
    for noting, value in said:
        low = high = None
        if isinstance(noting.note.type, IntType) and not noting.proved:
            low, high = noting.note.type.low, noting.note.type.high
        b.set(note_cell(b, to, noting.note, index), value, low, high, span)
