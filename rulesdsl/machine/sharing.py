"""Locals that never live at the same time share cells, so that the record is shorter."""

from __future__ import annotations

from attrs import evolve

from rulesdsl.machine import program as p
from rulesdsl.machine.builder import Builder, Draft
from rulesdsl.machine.traverse import replaced


def share_cells(
    b: Builder, clashes: list[set[int]], drafts: list[Draft], stops: list[p.Stop]
) -> None:
    """Give each local the first cells (of its width, and shared or each seat's own) where it
    clashes with none that has them already, rather where one has its name."""
    homes: list[list[int]] = []
    for index in range(len(b.locals)):
        free = [home for home in homes if _fits(b, clashes, index, home)]
        named = (home for home in free if b.locals[index].name in _names(b, home))
        home = next(named, free[0] if free else None)
        if home is None:
            homes.append([index])
        else:
            home.append(index)
    _renumber(b, _moved(b, homes), drafts, stops)


def _fits(b: Builder, clashes: list[set[int]], index: int, home: list[int]) -> bool:
    slot, first = b.locals[index], b.locals[home[0]]
    alike = slot.width == first.width and (slot.base in b.own) == (first.base in b.own)
    return alike and not any(o in clashes[index] or index in clashes[o] for o in home)


def _names(b: Builder, home: list[int]) -> list[str]:
    return list(dict.fromkeys(b.locals[index].name for index in home))


def _moved(b: Builder, homes: list[list[int]]) -> dict[int, int]:
    """Lay the slots out anew, those that share as one; where each cell of the old layout is."""
    layout, moved = b.layout, dict[int, int]()
    sharing = {b.locals[home[0]].base: home for home in homes}
    later = {b.locals[index].base for home in homes for index in home[1:]}
    slots, layout.slots, layout.cells = layout.slots, [], p.POINTS + layout.seats
    for slot in slots:
        if slot.base in later:
            continue
        size, bases, name = slot.width * slot.copies, [slot.base], slot.name
        if slot.base in sharing:
            home = sharing[slot.base]
            bases, name = [b.locals[index].base for index in home], " / ".join(_names(b, home))
        new = evolve(slot, name=name, base=layout.cells)
        moved.update({base + i: new.base + i for base in bases for i in range(size)})
        layout.slots.append(new)
        if slot.shown:
            layout.shown[id(slot.what)] = new
        layout.cells += size
    return moved


def _renumber(b: Builder, moved: dict[int, int], drafts: list[Draft], stops: list[p.Stop]) -> None:
    def cell(old: p.Cell) -> p.Cell:
        new = moved.get(old.base, old.base)
        return old if new == old.base else p.Cell(new, old.terms)

    for draft in drafts:
        draft.code = [replaced(piece, cell) for piece in draft.code]
        draft.end = replaced(draft.end, cell)
    for i, stop in enumerate(stops):
        stops[i] = stop = replaced(stop, cell)
        if isinstance(stop, p.Choose):
            known = tuple((name, replaced(value, cell)) for name, value in stop.known)
            stops[i] = evolve(stop, known=known)
