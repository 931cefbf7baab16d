"""Where the cells of a record lie in memory, and how wide they are.

A cell of a pile or deck takes two bytes, if all numbers that it can hold fit into 16 bits; every
other cell takes four. The wide ones lie first, so that those which every machine has are where
they are in the machine.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, Literal

from attrs import frozen

from rulesdsl.machine.layout import numbers_in
from rulesdsl.machine.program import Layout

WIDE, NARROW = 4, 2
LOAD = {WIDE: "i32.load", NARROW: "i32.load16_s"}
STORE = {WIDE: "i32.store", NARROW: "i32.store16"}
CODES: Final[dict[int, Literal["i", "h"]]] = {WIDE: "i", NARROW: "h"}
"""As modules like `array` call numbers of so many bytes."""
_SMALL = range(2**15)
"""The numbers from 0 on that fit into 16 bits with a sign."""


@frozen
class Piece:
    """Bytes that are read and written by one instruction, from the byte `at` on."""

    at: int
    size: int

    @property
    def load(self) -> str:
        return _AT_ONCE[self.size][0]

    @property
    def store(self) -> str:
        return _AT_ONCE[self.size][1]

    def constant(self, octets: bytes) -> str:
        """These bytes of several, on the stack."""
        number = int.from_bytes(octets[self.at : self.at + self.size], "little")
        match self.size:
            case 16:
                return f"v128.const i64x2 {number & 2**64 - 1} {number >> 64}"
            case 8:
                return f"i64.const {number}"
            case _:
                return f"i32.const {number}"


_AT_ONCE = {
    16: ("v128.load", "v128.store"),
    8: ("i64.load", "i64.store"),
    4: ("i32.load", "i32.store"),
    2: ("i32.load16_u", "i32.store16"),
}


def pieces(size: int) -> Iterator[Piece]:
    """So many bytes, an even number, in as few pieces as possible."""
    at = 0
    for most in _AT_ONCE:
        while size - at >= most:
            yield Piece(at, most)
            at += most


@frozen
class Stretch:
    """Cells of one width that lie side by side in the record and in memory."""

    first: int
    count: int
    width: int
    address: int
    """Of the first one: bytes from the beginning of a record."""

    @property
    def end(self) -> int:
        return self.first + self.count


@frozen
class Cells:
    """The cells of a record, in their order."""

    widths: tuple[int, ...]
    addresses: tuple[int, ...]
    stretches: tuple[Stretch, ...]

    @classmethod
    def of(cls, layout: Layout) -> Cells:
        """Those of the records of a layout."""
        widths = [WIDE] * layout.cells
        for slot in layout.slots:
            inside = numbers_in(slot.what)
            if inside is not None and inside[-1] in _SMALL:
                count = slot.width * slot.copies
                widths[slot.base : slot.base + count] = [NARROW] * count
        ends = {WIDE: 0, NARROW: WIDE * widths.count(WIDE)}
        stretches = list[Stretch]()
        for width, group in groupby(range(len(widths)), widths.__getitem__):
            cells = list(group)
            stretches.append(Stretch(cells[0], len(cells), width, ends[width]))
            ends[width] += width * len(cells)
        addresses = tuple(
            one.address + one.width * i for one in stretches for i in range(one.count)
        )
        return cls(tuple(widths), addresses, tuple(stretches))

    @property
    def size(self) -> int:
        """Bytes of a record."""
        return sum(self.widths)

    def width(self, cell: int) -> int:
        """Bytes of a cell; of one that is not there, by an index that is never used, those of the
        nearest."""
        return self.widths[self._nearest(cell)]

    def address(self, cell: int) -> int:
        """Bytes from the beginning of a record to a cell."""
        near = self._nearest(cell)
        return self.addresses[near] + (cell - near) * self.widths[near]

    def _nearest(self, cell: int) -> int:
        return min(max(cell, 0), len(self.widths) - 1)

    def packed(self, record: Sequence[int]) -> bytes:
        """The numbers of a record as they lie in memory. Raises OverflowError if one is too
        large for its cell."""
        found = bytearray(self.size)
        for one in self.stretches:
            numbers = array(CODES[one.width], record[one.first : one.end]).tobytes()
            found[one.address : one.address + len(numbers)] = numbers
        return bytes(found)


def numbers_function(cells: Cells) -> str:
    """The function that writes all cells of a record as numbers of 32 bits."""
    parts = [_as_numbers(one) for one in cells.stretches]
    return "\n".join([_NUMBERS, *parts, "  (local.get $out))"])


def _as_numbers(one: Stretch) -> str:
    """The cells of a stretch, four at a time."""
    fours, single = one.count // 4, range(one.count % 4)
    each = (
        f"  (i32.store offset={WIDE * i} (local.get $out)"
        f" ({LOAD[one.width]} offset={one.width * i} (local.get $from)))"
        for i in single
    )
    loop = _FOURS.format(cell=one.first, size=16 * fours, **_FOUR[one.width])
    return "\n".join(
        [
            f"  (local.set $from (i32.add (local.get $s) (i32.const {one.address})))",
            *([loop] if fours else []),
            *each,
            f"  (local.set $out (i32.add (local.get $out) (i32.const {WIDE * len(single)})))",
        ]
    )


_NUMBERS = """\
;; the cells of a record as numbers of 32 bits, from an address on; returns the address behind them
(func $numbers (param $s i32) (param $out i32) (result i32)
  (local $from i32) (local $end i32)"""

_FOURS = """\
  (local.set $end (i32.add (local.get $out) (i32.const {size})))
  (loop $from_{cell}
    (v128.store (local.get $out) ({load} align=2 (local.get $from)))
    (local.set $from (i32.add (local.get $from) (i32.const {four})))
    (br_if $from_{cell} (i32.lt_u
      (local.tee $out (i32.add (local.get $out) (i32.const 16))) (local.get $end))))"""

_FOUR = {
    WIDE: {"load": "v128.load", "four": 4 * WIDE},
    NARROW: {"load": "v128.load16x4_s", "four": 4 * NARROW},
}
