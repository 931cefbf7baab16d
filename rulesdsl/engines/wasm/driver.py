"""Games as a whole: from stop to stop, one after another, and what others may call."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define

from rulesdsl.engines.wasm.memory import PLAY, ROW_HEAD, Plan
from rulesdsl.engines.wasm.values import CELL
from rulesdsl.engines.wasm.writing import FIRST_FAULT
from rulesdsl.machine import program as p
from rulesdsl.text.limits import STEPS_PER_MOVE

GLOBALS = """\
;; with a fault: a number that tells more of it
(global $detail (export "detail") (mut i32) (i32.const 0))
;; the steps that are left in a move and what follows from it
(global $left (mut i32) (i32.const 0))
;; the moves that were listed last, and how far listing came that faulted
(global $total (export "total") (mut i32) (i32.const 0))
(global $reached (mut i32) (i32.const 0))
;; how far a run goes by itself
(global $mode (mut i32) (i32.const 0))
;; of the game: runs, moves, the move before which it is to end, whether a question faulted
(global $runs (mut i32) (i32.const 0))
(global $made (mut i32) (i32.const 0))
(global $quit (mut i32) (i32.const -1))
(global $asking (mut i32) (i32.const 0))
;; whether it is a whole game in which any move is made, or each player makes what he prefers
(global $usual (mut i32) (i32.const 0))
;; inside a region: a bit for each seat of which it is known that it has a move
(global $able (mut i32) (i32.const 0))
;; who ran inside the region before
(global $me (mut i32) (i32.const 0))
;; who is asked, where a run has come to a choice
(global $player (export "player") (mut i32) (i32.const 0))
;; the streams of random numbers that are used
(global $streams (mut i32) (i32.const 0))
;; while one looks ahead: the block that ends it, the top of the stack, how often it was done
(global $until (mut i32) (i32.const -1))
(global $top (mut i32) (i32.const 0))
(global $looked (mut i32) (i32.const 0))
"""


def rests_at(stop: p.Stop) -> bool:
    """Whether the game as a whole can rest at a stop, and not only a seat in a region."""
    return not isinstance(stop, p.Choose) or stop.region is None


def by_stop(machine: p.Machine, local: str, call: str, meant: Callable[[p.Stop], bool]) -> str:
    """The value of a call for the stop of a number, K standing for the number."""
    labels = " ".join(f"$at_{stop.number}" for stop in machine.stops)
    opened = " ".join(f"(block $at_{stop.number}" for stop in reversed(machine.stops))
    cases = "".join(
        f")\n    (br $done {call.replace('K', str(stop.number))})"
        if meant(stop)
        else ") (unreachable)"
        for stop in machine.stops
    )
    table = f"(br_table {labels} $nowhere (local.get {local}))"
    return f"(block $done (result i32) (block $nowhere {opened} {table}{cases}) (unreachable))"


@define(eq=False)
class Driver:
    """Writes what goes from stop to stop."""

    machine: p.Machine
    plan: Plan

    def functions(self) -> list[str]:
        return [self._run(), self._game(), self._begin(), self._play()]

    def _run(self) -> str:
        """On from the stop of a number as long as the mode lets it."""
        call = by_stop(self.machine, "$stop", "(call $rest_K (local.get $s))", rests_at)
        return f"""\
(func $run (param $s i32) (param $stop i32) (result i32)
  {call})"""

    def _game(self) -> str:
        """A game from the start, or from a record that rests at a stop."""
        over = next((s.number for s in self.machine.stops if isinstance(s, p.Over)), 0)
        return f"""\
;; the stop at which a record rests
(func $stop_of (param $s i32) (result i32)
  (select (i32.const {over}) (i32.sub (i32.load (local.get $s)) (i32.const 1))
    (i32.eq (i32.load (local.get $s)) (i32.const {p.OVER}))))

;; a game from the start, or from another record
(func $game (param $s i32) (param $from i32) (result i32)
  (memory.copy (local.get $s)
    (select (local.get $from) (i32.const {self.plan.start}) (local.get $from))
    (i32.const {self.plan.record}))
  (global.set $runs (i32.eqz (local.get $from)))
  (global.set $made (i32.const 0))
  (global.set $asking (i32.const 0))
  (global.set $usual (i32.lt_s (global.get $quit) (i32.const 0)))
  (global.set $able (i32.const 0))
  (global.set $left (i32.const {STEPS_PER_MOVE}))
  (if (local.get $from)
    (then (return_call $run (local.get $s) (call $stop_of (local.get $s)))))
  (return_call $b{self.machine.entry} (local.get $s) (global.get $left)))"""

    def _begin(self) -> str:
        """Everything of a game of a number set to nothing."""
        plan = self.plan
        return f"""\
;; nothing has happened yet in the game of a number
(func $begin (param $mixed i64) (param $game i64) (param $rotate i32)
  (local $seat i32) (local $bot i32)
  (global.set $streams (i32.const {plan.streams}))
  (call $seed (global.get $streams) (local.get $mixed) (local.get $game)
    (i32.const {plan.seats + 1}))
  (memory.fill (i32.const {plan.by_seat}) (i32.const 0) (i32.const {2 * CELL * plan.seats}))
  (loop $each
    (local.set $bot (local.get $seat))
    (if (local.get $rotate) (then (local.set $bot (i32.wrap_i64 (i64.rem_u
      (i64.add (i64.extend_i32_u (local.get $seat)) (local.get $game))
      (i64.const {plan.seats}))))))
    (i32.store offset={plan.bots} (i32.shl (local.get $seat) (i32.const 2)) (local.get $bot))
    (i32.store offset={plan.cast} (i32.shl (local.get $seat) (i32.const 2))
      (i32.load offset={plan.policies} (i32.shl (local.get $bot) (i32.const 2))))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $each (i32.lt_u (local.get $seat) (i32.const {plan.seats})))))"""

    def _play(self) -> str:
        """Whole games one after another, each into a row of its own."""
        plan = self.plan
        return f"""\
;; plays a game into a row, its record being where the next row comes. A fault on the way from a
;; move to the next one leaves the record before the move: the same game is played once more up to
;; there
(func $play_one (param $mixed i64) (param $game i64) (param $rotate i32) (param $from i32)
    (param $out i32)
  (local $code i32) (local $detail i32) (local $s i32)
  (local.set $s (i32.add (local.get $out) (i32.const {plan.row})))
  (memory.copy (i32.const {plan.saved}) (i32.const {plan.fired}) (i32.const {plan.counters}))
  (global.set $quit (i32.const -1))
  (call $begin (local.get $mixed) (local.get $game) (local.get $rotate))
  (local.set $code (call $game (local.get $s) (local.get $from)))
  (local.set $detail (global.get $detail))
  (if (i32.and (i32.le_s (local.get $code) (i32.const {-FIRST_FAULT}))
               (i32.eqz (global.get $asking)))
    (then
      (memory.copy (i32.const {plan.fired}) (i32.const {plan.saved}) (i32.const {plan.counters}))
      (call $begin (local.get $mixed) (local.get $game) (local.get $rotate))
      (if (global.get $made)
        (then
          (global.set $quit (i32.sub (global.get $made) (i32.const 1)))
          (drop (call $game (local.get $s) (local.get $from))))
        (else
          (global.set $runs (i32.const 0))
          (memory.copy (local.get $s)
            (select (local.get $from) (i32.const {plan.start}) (local.get $from))
            (i32.const {plan.record}))))))
  (i32.store (local.get $out) (local.get $code))
  (i32.store offset=4 (local.get $out) (local.get $detail))
  (i32.store offset=8 (local.get $out) (global.get $runs))
  (memory.copy (i32.add (local.get $out) (i32.const {ROW_HEAD * CELL}))
    (i32.const {plan.by_seat}) (i32.const {2 * CELL * plan.seats}))
  (drop (call $numbers (local.get $s)
    (i32.add (local.get $out) (i32.const {plan.head})))))

;; plays games of the numbers first, first + step, ..., each into a row from `out` on
(func $play (export "play") (param $mixed i64) (param $first i64) (param $step i64)
    (param $count i32) (param $rotate i32) (param $from i32) (param $out i32)
  (global.set $mode (i32.const {PLAY}))
  (loop $each
    (call $play_one (local.get $mixed) (local.get $first) (local.get $rotate)
      (local.get $from) (local.get $out))
    (local.set $out (i32.add (local.get $out) (i32.const {plan.row})))
    (local.set $first (i64.add (local.get $first) (local.get $step)))
    (br_if $each (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))"""
