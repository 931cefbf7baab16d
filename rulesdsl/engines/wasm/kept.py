"""Cells that stay in locals while code runs, from read to read, until something may write them."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define

from rulesdsl.engines.wasm.held import Names, always_read
from rulesdsl.engines.wasm.values import Values
from rulesdsl.engines.wasm.writing import Body
from rulesdsl.machine import program as p
from rulesdsl.machine.traverse import parts


@define(eq=False)
class Keeping:
    """Keeps `held` of functions up to date. `slots` are the first cells of the slots in which
    cells lie: an index leads only to others of the same slot."""

    values: Values
    slots: list[int]

    def read(self, f: Body, *worked_out: p.Value) -> None:
        """Hold the cells that are read in any case by what is worked out next."""
        names = Names(f.known, f.same)
        for v in worked_out:
            for cell in always_read(v, names):
                if cell not in f.held:
                    self.values.hold_cell(f, cell)

    def write(self, f: Body, target: p.Cell, value: p.Value) -> int:
        """Put the address of a cell and a value that it gets on the stack, from where on it is
        held; the offset that has to be added to the address."""
        name = Names(f.known, f.same).cell(target)
        offset = self.values.address(f, target)
        self.values.value(f, value)
        self.forget_cell(f, target)
        if name is not None and not any(self._meet(cell, target) for cell in _led_by(name)):
            local = f.held[name] = f.new("cell")
            f.put(f"local.tee {local}")
        return offset

    def write_constant(self, f: Body, target: p.Cell, number: int) -> None:
        """A cell becomes a constant, from where on it is held."""
        self.forget_cell(f, target)
        local = f.held[target] = f.new("cell")
        f.put(f"i32.const {number}", f"local.set {local}")

    def forget_cell(self, f: Body, target: p.Cell) -> None:
        """Cells that may be the target, or have it in their indexes, are held no more."""
        for name in list(f.held):
            if any(self._meet(cell, target) for cell in _cells(name)):
                del f.held[name]

    def forget(self, f: Body, code: tuple[p.Code, ...]) -> None:
        """What code may change, carried out again and again, is held no more."""
        for part in parts(code):
            match part:
                case p.Set():
                    self.forget_cell(f, part.cell)
                case p.Clear():
                    self.forget_slot(f, part.cell)
                case p.Reg() | p.With() | p.Fold() | p.Loop():
                    f.forget_register(part.register)
                case _:
                    pass

    def forget_slot(self, f: Body, first: p.Cell) -> None:
        """Nothing is held of a slot."""
        for name in list(f.held):
            if any(self.slots[cell.base] == self.slots[first.base] for cell in _cells(name)):
                del f.held[name]

    def _meet(self, one: p.Cell, other: p.Cell) -> bool:
        """Whether two cells may be the same."""
        if one.terms or other.terms:
            return self.slots[one.base] == self.slots[other.base]
        return one.base == other.base


def _cells(name: p.Cell) -> Iterator[p.Cell]:
    """A cell and those in its indexes."""
    yield name
    yield from _led_by(name)


def _led_by(name: p.Cell) -> Iterator[p.Cell]:
    """The cells in the indexes of a cell."""
    for index, _ in name.terms:
        if isinstance(index, p.Cell):
            yield from _cells(index)
