"""The rows that make a view, and the functions of a module that carry them out."""

from __future__ import annotations

from enum import IntEnum

from attrs import fields, frozen

from rulesdsl.check.model import Sight
from rulesdsl.engines.wasm.values import CELL
from rulesdsl.machine import program as p

UNSEEN = -(2**31)
"""Stands for a number that the seat does not see, and where nothing lies."""


class Do(IntEnum):
    """What a row does with `count` cells or numbers."""

    COPY = 0
    """The cells."""
    SUM = 1
    """One number: the sum of the cells."""
    ANY = 2
    """One number: 1 if the cell is not 0."""
    SLOT = 3
    """One number: the member in a slot, its cell less 1."""
    TOLD = 4
    """For each cell whether it is one of `first` numbers from `second` on."""
    SPOTS = 5
    """The cells as far as something lies there; how many lie there is in the cell `first`, as
    others see it in `second`."""
    TOP = 6
    """One number: what lies on top of a pile or deck."""
    KNOWN = 7
    """Nothing new: the cells, as far as something lies there, are counted among the `first`
    numbers before."""
    LIKE = 8
    """The same once more as the `count` numbers before, which are counts: those of members that
    are alike, by the table at `first`, with the first of them."""
    LIKE_MEMBERS = 9
    """The same of numbers that are members."""
    HIDE = 10
    """Nothing new: `count` of the numbers before, from `first` bytes before the end on, are unseen
    by those who do not have the sight `second`."""


@frozen
class Row:
    """`real` and `shown`: the bytes to the first cell, as it is and as others see it while a region
    is open, from the beginning of a record in which all take four; `owner`: the seat whose it is,
    or -1."""

    do: Do
    real: int = 0
    shown: int = 0
    count: int = 0
    owner: int = -1
    first: int = 0
    second: int = 0


SIGHTS = {Sight.NOBODY: 1, Sight.OWNER: 2, Sight.OTHERS: 3}
"""The numbers of sights in rows."""


def view_functions(machine: p.Machine, rows: int, end: int, where: int, cells: int) -> list[str]:
    """The function `view` and what it calls, for the addresses of the rows, their end, the numbers
    of the places at which somebody chooses, by stop, and room for all cells as numbers."""
    names = {
        "rows": rows,
        "end": end,
        "row": CELL * len(fields(Row)),
        "where": where,
        "cells": cells,
        "phase": p.PHASE * CELL,
        "seats": machine.seats,
        "unseen": UNSEEN,
        "unknown": p.UNKNOWN,
        "owner": SIGHTS[Sight.OWNER],
        "others": SIGHTS[Sight.OTHERS],
    }
    doing = [
        _DOING.format(name=do.name.lower(), code=code.strip().format(**names))
        for do, code in _CODE.items()
    ]
    return [_VIEW.format(**names), _row(), *doing]


def _row() -> str:
    """The function that finds what a row does by its number."""
    given = "(local.get $row) (local.get $s) (local.get $shown) (local.get $seat) (local.get $out)"
    labels = " ".join(f"$do_{do}" for do in map(int, Do))
    opened = " ".join(f"(block $do_{do}" for do in reversed(Do))
    table = f"(br_table {labels} (i32.load (local.get $row)))"
    cases = "".join(f")\n  (return (call $view_{do.name.lower()} {given}))" for do in Do)
    return _ROW.format(opened=opened, table=table, cases=cases)


_VIEW = """\
;; what a seat sees, as numbers from an address on; returns the address behind them
(func $view (export "view") (param $s i32) (param $seat i32) (param $out i32) (result i32)
  (local $row i32) (local $open i32)
  (local.set $open (call $in_region (local.get $s)))
  (local.set $out (call $view_now (local.get $s) (local.get $seat) (local.get $open)
    (local.get $out)))
  (drop (call $numbers (local.get $s) (i32.const {cells})))
  (local.set $s (i32.const {cells}))
  (local.set $row (i32.const {rows}))
  (block $done (loop $each
    (br_if $done (i32.eq (local.get $row) (i32.const {end})))
    (local.set $out (call $view_row (local.get $row) (local.get $s)
      (i32.and (local.get $open)
        (i32.ne (i32.load offset=16 (local.get $row)) (local.get $seat)))
      (local.get $seat) (local.get $out)))
    (local.set $row (i32.add (local.get $row) (i32.const {row})))
    (br $each)))
  (local.get $out))

;; the phase, where somebody chooses, and for each seat whether it is asked
(func $view_now (param $s i32) (param $seat i32) (param $open i32) (param $out i32) (result i32)
  (local $other i32)
  (i32.store (local.get $out) (i32.load offset={phase} (local.get $s)))
  (i32.store offset=4 (local.get $out) (i32.load offset={where}
    (i32.shl (call $stop_of (local.get $s)) (i32.const 2))))
  (local.set $out (i32.add (local.get $out) (i32.const 8)))
  (loop $each
    (i32.store (local.get $out) (i32.and
      (i32.ge_s (call $asked (local.get $s) (local.get $other)) (i32.const 0))
      (i32.or (i32.eq (local.get $other) (local.get $seat)) (i32.eqz (local.get $open)))))
    (local.set $out (i32.add (local.get $out) (i32.const 4)))
    (br_if $each (i32.lt_u
      (local.tee $other (i32.add (local.get $other) (i32.const 1))) (i32.const {seats}))))
  (local.get $out))
"""

_ROW = """\
;; carries out a row; returns the address behind all numbers
(func $view_row (param $row i32) (param $s i32) (param $shown i32) (param $seat i32)
    (param $out i32) (result i32)
  {opened} {table}{cases})
"""

_DOING = """\
(func $view_{name} (param $row i32) (param $s i32) (param $shown i32) (param $seat i32)
    (param $out i32) (result i32)
  (local $from i32) (local $count i32) (local $first i32) (local $second i32)
  (local $end i32) (local $number i32)
  (local.set $from (i32.add (local.get $s) (select
    (i32.load offset=8 (local.get $row)) (i32.load offset=4 (local.get $row))
    (local.get $shown))))
  (local.set $count (i32.load offset=12 (local.get $row)))
  (local.set $first (i32.load offset=20 (local.get $row)))
  (local.set $second (i32.load offset=24 (local.get $row)))
  (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
  {code})
"""

_CODE = {
    Do.COPY: """
  (memory.copy (local.get $out) (local.get $from) (i32.shl (local.get $count) (i32.const 2)))
  (local.get $end)
""",
    Do.SUM: """
  (loop $each
    (local.set $number (i32.add (local.get $number) (i32.load (local.get $from))))
    (local.set $from (i32.add (local.get $from) (i32.const 4)))
    (br_if $each (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
  (i32.store (local.get $out) (local.get $number))
  (i32.add (local.get $out) (i32.const 4))
""",
    Do.ANY: """
  (i32.store (local.get $out) (i32.ne (i32.load (local.get $from)) (i32.const 0)))
  (local.get $end)
""",
    Do.SLOT: """
  (i32.store (local.get $out) (select
    (i32.sub (i32.load (local.get $from)) (i32.const 1)) (i32.const {unseen})
    (i32.load (local.get $from))))
  (local.get $end)
""",
    Do.TOLD: """
  (loop $each
    (i32.store (local.get $out) (i32.lt_u
      (i32.sub (i32.load (local.get $from)) (local.get $second)) (local.get $first)))
    (local.set $from (i32.add (local.get $from) (i32.const 4)))
    (br_if $each (i32.lt_u
      (local.tee $out (i32.add (local.get $out) (i32.const 4))) (local.get $end))))
  (local.get $end)
""",
    Do.SPOTS: """
  (local.set $count (i32.load (i32.add (local.get $s)
    (select (local.get $second) (local.get $first) (local.get $shown)))))
  (loop $each
    (i32.store (local.get $out) (if (result i32) (i32.gt_s (local.get $count) (i32.const 0))
      (then (i32.load (local.get $from))) (else (i32.const {unseen}))))
    (local.set $count (i32.sub (local.get $count) (i32.const 1)))
    (local.set $from (i32.add (local.get $from) (i32.const 4)))
    (br_if $each (i32.lt_u
      (local.tee $out (i32.add (local.get $out) (i32.const 4))) (local.get $end))))
  (local.get $end)
""",
    Do.TOP: """
  (local.set $count (i32.load (i32.sub (local.get $from) (i32.const 4))))
  (local.set $number (if (result i32) (local.get $count)
    (then (i32.load (i32.add (local.get $from)
      (i32.shl (i32.sub (local.get $count) (i32.const 1)) (i32.const 2)))))
    (else (i32.const {unknown}))))
  (i32.store (local.get $out) (select (i32.const {unseen}) (local.get $number)
    (i32.eq (local.get $number) (i32.const {unknown}))))
  (local.get $end)
""",
    Do.KNOWN: """
  (local.set $count (i32.load (i32.sub (local.get $from) (i32.const 4))))
  (block $none (loop $each
    (br_if $none (i32.eqz (local.get $count)))
    (local.set $count (i32.sub (local.get $count) (i32.const 1)))
    (local.set $number (i32.load (local.get $from)))
    (if (i32.ne (local.get $number) (i32.const {unknown}))
      (then
        (local.set $end (i32.add
          (i32.sub (local.get $out) (i32.shl (local.get $first) (i32.const 2)))
          (i32.shl (local.get $number) (i32.const 2))))
        (i32.store (local.get $end) (i32.add (i32.load (local.get $end)) (i32.const 1)))))
    (local.set $from (i32.add (local.get $from) (i32.const 4)))
    (br $each)))
  (local.get $out)
""",
    Do.LIKE: """
  (local.set $from (i32.sub (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
  (memory.fill (local.get $out) (i32.const 0) (i32.shl (local.get $count) (i32.const 2)))
  (loop $each
    (local.set $number (i32.add (local.get $out)
      (i32.shl (i32.load (local.get $first)) (i32.const 2))))
    (i32.store (local.get $number)
      (i32.add (i32.load (local.get $number)) (i32.load (local.get $from))))
    (local.set $first (i32.add (local.get $first) (i32.const 4)))
    (local.set $from (i32.add (local.get $from) (i32.const 4)))
    (br_if $each (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
  (local.get $end)
""",
    Do.LIKE_MEMBERS: """
  (local.set $from (i32.sub (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
  (loop $each
    (local.set $number (i32.load (local.get $from)))
    (i32.store (local.get $out)
      (if (result i32) (i32.eq (local.get $number) (i32.const {unseen}))
        (then (i32.const {unseen}))
        (else (i32.load
          (i32.add (local.get $first) (i32.shl (local.get $number) (i32.const 2)))))))
    (local.set $from (i32.add (local.get $from) (i32.const 4)))
    (br_if $each (i32.lt_u
      (local.tee $out (i32.add (local.get $out) (i32.const 4))) (local.get $end))))
  (local.get $end)
""",
    Do.HIDE: """
  (local.set $number (i32.eq (i32.load offset=16 (local.get $row)) (local.get $seat)))
  (if (i32.and (i32.eq (local.get $second) (i32.const {owner})) (local.get $number))
    (then (return (local.get $out))))
  (if (i32.and (i32.eq (local.get $second) (i32.const {others})) (i32.eqz (local.get $number)))
    (then (return (local.get $out))))
  (local.set $from (i32.sub (local.get $out) (local.get $first)))
  (loop $each
    (i32.store (local.get $from) (i32.const {unseen}))
    (local.set $from (i32.add (local.get $from) (i32.const 4)))
    (br_if $each (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
  (local.get $out)
""",
}
"""What each of them does: a value, the address behind all numbers."""
