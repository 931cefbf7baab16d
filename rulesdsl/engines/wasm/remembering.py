"""Moves that are listed once: those of an option hang on few cells, so they are kept for each way
in which these are filled."""

from __future__ import annotations

from attrs import define, field, frozen

from rulesdsl.check.intervals import size_of
from rulesdsl.check.model import Scalar
from rulesdsl.engines.hanging import Hanging
from rulesdsl.engines.wasm.held import Names, always_read
from rulesdsl.engines.wasm.memory import (
    BUNDLE_HEAD,
    MOVES_KEPT,
    SLOT,
    SLOT_BITS,
    SLOTS,
    Plan,
)
from rulesdsl.engines.wasm.streams import STEP
from rulesdsl.engines.wasm.values import CELL, Values
from rulesdsl.engines.wasm.writing import SELDOM, Body
from rulesdsl.machine import program as p
from rulesdsl.text.limits import STEPS_PER_MOVE

KEY_BITS, MOST_BITS = 48, 8
"""Bits of a key for all cells together, and for one of them; above are those of the option."""
MOST_CELLS = 8
COUNT, COST, MOVES = 8, 12, 16
"""Of a slot, behind the key: how many moves, the steps that it took to list them, and where they
lie."""


@frozen
class Remembered:
    """An option whose moves are kept: its number among all of these, its stop and place there,
    and the cells on which they hang."""

    number: int
    stop: int
    place: int
    option: p.Option
    cells: tuple[p.Cell, ...]

    @property
    def name(self) -> str:
        """What is added to the names of functions."""
        return f"{self.stop}_{self.place}"

    @property
    def bits(self) -> int:
        """The bits that the key has for each cell."""
        return min(MOST_BITS, KEY_BITS // len(self.cells))


@define(eq=False)
class Remembering:
    """Writes how moves are looked up, and kept.

    A key, made of what the cells hold, has one slot in memory. If this has another key the moves
    are listed, and lie from then on one after the other, each as its parameters.
    """

    machine: p.Machine
    values: Values
    plan: Plan
    found: dict[tuple[int, int], Remembered] = field(factory=dict, init=False)
    """All options whose moves are kept, by stop and place there."""

    def __attrs_post_init__(self) -> None:
        chooses = [stop for stop in self.machine.stops if isinstance(stop, p.Choose)]
        for stop in chooses:
            for place, option in enumerate(stop.options if stop.ahead is None else ()):
                cells = self._cells(option)
                if cells:
                    new = Remembered(1 + len(self.found), stop.number, place, option, cells)
                    self.found[stop.number, place] = new

    def _cells(self, option: p.Option) -> tuple[p.Cell, ...]:
        """The cells on which the moves of an option hang, if to list these takes loops in loops
        and the cells are few, small, and there in any case."""
        hanging = Hanging(MOST_CELLS)
        domains = self.machine.families[option.family].domains
        in_bytes = all(low >= 0 and high < 256 for _, low, high in domains)
        nested = len(option.parameters) > 1
        if not (nested and in_bytes) or hanging.parameters(option) is None:
            return ()
        bounds = [v for one in option.parameters for v in (one.low, one.high)]
        read = {cell.terms for v in bounds for cell in always_read(v, Names({}, {}))}
        if any(row.first.terms and row.first.terms not in read for row in hanging.rows):
            return ()
        rows = [(row.first, i) for row in hanging.rows for i in range(row.count)]
        cells = tuple(p.Cell(first.base + i, first.terms) for first, i in rows)
        return cells if all(map(self._is_small, cells)) else ()

    def _is_small(self, cell: p.Cell) -> bool:
        """Whether it may hold few numbers; counts are small in any case."""
        for slot in self.machine.layout.slots:
            if slot.base <= cell.base < slot.base + slot.width * slot.copies:
                what = slot.what
                return not isinstance(what, Scalar) or (
                    size_of(what.type, self.machine.seats) <= 1 << KEY_BITS // MOST_CELLS
                )
        return True

    # ---------------------------------------------------------------- looked up

    def look_up(self, f: Body, one: Remembered, unusual: str) -> None:
        """The slot with the moves of an option, in the local `$slot`; on to a label if they
        cannot be listed or kept. They are listed from `$out` on: before it lie those of others."""
        for name, type_ in (("$key", "i64"), ("$all", "i64"), ("$slot", "i32"), ("$end", "i32")):
            f.own(name, type_)
        self._key(f, one)
        # a multiple of the golden ratio: its upper bits hang on all bits of the key
        f.put("local.get $key", f"i64.const {STEP}", "i64.mul", f"i64.const {64 - SLOT_BITS}")
        f.put("i64.shr_u", "i32.wrap_i64", f"i32.const {SLOT}", "i32.mul", "local.set $slot")
        too_great = ("local.get $all", f"i64.const {one.bits}", "i64.shr_u")
        f.put("local.get $slot", f"i64.load offset={self.plan.slots}", "local.get $key", "i64.xor")
        f.put(*too_great, "i64.or", "i64.eqz", "i32.eqz", SELDOM + "if")
        f.put("local.get $s", f"i32.const {STEPS_PER_MOVE}", "local.get $out")
        f.put(f"call $list_{one.name}", "local.tee $end", "i32.const 0", "i32.lt_s")
        f.put(f"br_if {unusual}", "local.get $slot", "local.get $key", "i64.const 0", *too_great)
        f.put("i64.eqz", "select", "local.get $out", "local.get $end")
        f.put(f"i32.const {len(one.option.parameters)}")
        f.put("call $keep", "i32.eqz", f"br_if {unusual}", "end")

    def _key(self, f: Body, one: Remembered) -> None:
        """What the cells hold side by side, in the local `$key`, and in `$all` the bits of all."""
        f.put("i64.const 0", "local.set $all", f"i64.const {one.number << KEY_BITS}")
        with f.holding():
            self.values.hold(f, one.cells, (one.cells, one.cells))
            for i, cell in enumerate(one.cells):
                self.values.value(f, cell)
                f.put("i64.extend_i32_u", "local.tee $key", "local.get $all", "i64.or")
                f.put("local.set $all", "local.get $key", f"i64.const {one.bits * i}")
                f.put("i64.shl", "i64.or")
        f.put("local.set $key")

    def of_slot(self, offset: int) -> tuple[str, str]:
        """What stands in the slot that was looked up."""
        return "local.get $slot", f"i32.load offset={self.plan.slots + offset}"

    # ---------------------------------------------------------------- kept

    def keep(self) -> str:
        """The function that puts the moves of an option, listed up to an address, into a slot."""
        plan, slot = self.plan, "(local.get $slot)"
        steps = f"(i32.sub (i32.const {STEPS_PER_MOVE}) (global.get $left))"
        return f"""\
;; where the next moves are kept
(global $room (mut i32) (i32.const {plan.kept}))

;; the moves listed from one address up to another, of so many parameters, in a slot; 0 if there
;; was no room: then there is room again from the next time on. A key 0 is never found again
(func $keep (param $slot i32) (param $key i64) (param $from i32) (param $end i32)
    (param $size i32) (result i32)
  (local $x i32) (local $place i32) (local $out i32)
  (local.set $out (global.get $room))
  (if (i64.gt_u (i64.mul (i64.extend_i32_u (global.get $total))
                         (i64.extend_i32_u (local.get $size)))
                (i64.extend_i32_u (i32.sub (i32.const {plan.kept + MOVES_KEPT}) (local.get $out))))
    (then
      (memory.fill (i32.const {plan.slots}) (i32.const 0) (i32.const {SLOTS}))
      (global.set $room (i32.const {plan.kept}))
      (return (i32.const 0))))
  (i64.store offset={plan.slots} {slot} (local.get $key))
  (i32.store offset={plan.slots + COUNT} {slot} (global.get $total))
  (i32.store offset={plan.slots + COST} {slot} {steps})
  (i32.store offset={plan.slots + MOVES} {slot} (local.get $out))
  (block $done (loop $bundle
    (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
    (local.set $x (i32.load offset=4 (local.get $from)))
    (loop $move
      (local.set $place (i32.const 0))
      (loop $parameter
        (i32.store8 (i32.add (local.get $out) (local.get $place))
          (i32.load offset={BUNDLE_HEAD * CELL}
            (i32.add (local.get $from) (i32.shl (local.get $place) (i32.const 2)))))
        (local.set $place (i32.add (local.get $place) (i32.const 1)))
        (br_if $parameter (i32.lt_u (local.get $place) (local.get $size))))
      (local.set $out (i32.add (local.get $out) (local.get $size)))
      (i32.store8 (i32.sub (local.get $out) (i32.const 1)) (local.get $x))
      (local.set $x (i32.add (local.get $x) (i32.const 1)))
      (br_if $move (i32.le_s (local.get $x) (i32.load offset=8 (local.get $from)))))
    (local.set $from (i32.add (local.get $from) (i32.const {plan.bundle})))
    (br $bundle)))
  (global.set $room (local.get $out))
  (i32.const 1))"""


def kept_arguments(f: Body, machine: p.Machine, option: p.Option, move: str) -> None:
    """What the block of an option begins with, on the stack: from the local with the address of
    a move that is kept."""
    order = [parameter.register for parameter in option.parameters]
    for register in machine.blocks[option.block].registers:
        f.put(f"local.get {move}", f"i32.load8_u offset={order.index(register)}")
