"""What hosts call that go from choice to choice themselves, one record or many at a time."""

from __future__ import annotations

from typing import assert_never

from attrs import define

from rulesdsl.engines.wasm.driver import by_stop
from rulesdsl.engines.wasm.memory import ASK, DONE, INFO, NOBODY, SETTLE, STEP, Plan
from rulesdsl.engines.wasm.values import CELL, Tables
from rulesdsl.machine import program as p
from rulesdsl.text.limits import STEPS_PER_MOVE

CHOICE, CHANCE, REGION, OVER, PAUSE = 1, 2, 3, 4, 5
"""Kinds of stops."""


def kind_of(stop: p.Stop) -> int:
    """The number of the kind of a stop."""
    match stop:
        case p.Choose():
            return CHOICE
        case p.Draw():
            return CHANCE
        case p.Region():
            return REGION
        case p.Over():
            return OVER
        case p.Pause():
            return PAUSE
        case _:
            assert_never(stop)


@define(eq=False)
class Steps:
    """Writes the functions that hosts call, with their names."""

    machine: p.Machine
    plan: Plan
    tables: Tables

    def functions(self) -> list[str]:
        names = {
            "kinds": self.tables.place(tuple(map(kind_of, self.machine.stops))),
            "points": p.POINTS * CELL,
            "me": p.ME * CELL,
            "seats": self.plan.seats,
            "record": self.plan.record,
            "start": self.plan.start,
            "before": self.plan.before,
            "listed": self.plan.listed,
            "bundle": self.plan.bundle,
            "streams": 8 * (self.plan.seats + 1),
            "purposes": self.plan.seats + 1,
            "info": INFO * CELL,
            "entry": self.machine.entry,
            "waiting": p.WAITING,
            "steps": STEPS_PER_MOVE,
            "choice": CHOICE,
            "chance": CHANCE,
            "region": REGION,
            "pause": PAUSE,
            "nobody": NOBODY,
            "ask": ASK,
            "done": DONE,
            "by_step": STEP,
            "by_choice": SETTLE,
            **self._calls(),
        }
        return [part.format(**names) for part in (_WHERE, _ASKING, _GOING_ON, _MANY)]

    def _calls(self) -> dict[str, str]:
        """Calls for a stop by its number."""

        def choice(stop: p.Stop) -> bool:
            return isinstance(stop, p.Choose)

        def outside(stop: p.Stop) -> bool:
            return isinstance(stop, p.Choose) and stop.region is None

        def chance(stop: p.Stop) -> bool:
            return isinstance(stop, p.Draw)

        machine, s = self.machine, "(local.get $s)"
        listing = f"(call $moves_K {s} (i32.const {STEPS_PER_MOVE}) (local.get $out))"
        carrying_out = f"(call $apply_K {s} (local.get $bundle) (local.get $number))"
        blocks = {stop.number: stop.block for stop in machine.stops if isinstance(stop, p.Pause)}
        resumed = "".join(
            f"(if (i32.eq (local.get $stop) (i32.const {number}))"
            f" (then (return (call $b{block} {s} (global.get $left)))))"
            for number, block in blocks.items()
        )
        return {
            "actor": by_stop(machine, "$stop", f"(call $actor_K {s})", outside),
            "list": by_stop(machine, "$stop", listing, choice),
            "carry_out": by_stop(machine, "$stop", carrying_out, choice),
            "weigh": by_stop(machine, "$stop", f"(call $weigh_K {s} (local.get $out))", chance),
            "come_out": by_stop(
                machine, "$stop", f"(call $out_K {s} (local.get $outcome))", chance
            ),
            "go_on": resumed,
        }


_WHERE = """\
(func $kind (param $stop i32) (result i32)
  (i32.load offset={kinds} (i32.shl (local.get $stop) (i32.const 2))))

(func $in_region (param $s i32) (result i32)
  (i32.eq (call $kind (call $stop_of (local.get $s))) (i32.const {region})))

;; the stop at which a seat waits inside a region (less than 0 if it does not), else the stop
(func $waits_at (param $s i32) (param $seat i32) (result i32)
  (if (call $in_region (local.get $s))
    (then (return (i32.sub
      (i32.load offset={points} (i32.add (local.get $s) (i32.shl (local.get $seat) (i32.const 2))))
      (i32.const {waiting})))))
  (call $stop_of (local.get $s)))

;; the draw that is next, or {nobody}; the global player is the seat in whose part of a region it is
(func $chance (export "chance") (param $s i32) (result i32)
  (local $stop i32)
  (global.set $player (i32.const 0))
  (loop $each
    (local.set $stop (call $waits_at (local.get $s) (global.get $player)))
    (if (i32.ge_s (local.get $stop) (i32.const 0))
      (then (if (i32.eq (call $kind (local.get $stop)) (i32.const {chance}))
        (then (return (local.get $stop))))))
    (global.set $player (i32.add (global.get $player) (i32.const 1)))
    (br_if $each (i32.lt_u (global.get $player) (i32.const {seats}))))
  (i32.const {nobody}))

;; the choice at which a seat is asked, or {nobody}
(func $asked (export "asked") (param $s i32) (param $seat i32) (result i32)
  (local $stop i32)
  (if (i32.ge_s (call $chance (local.get $s)) (i32.const 0))
    (then (return (i32.const {nobody}))))
  (local.set $stop (call $waits_at (local.get $s) (local.get $seat)))
  (if (i32.lt_s (local.get $stop) (i32.const 0)) (then (return (i32.const {nobody}))))
  (if (i32.ne (call $kind (local.get $stop)) (i32.const {choice}))
    (then (return (i32.const {nobody}))))
  (if (call $in_region (local.get $s)) (then (return (local.get $stop))))
  (select (local.get $stop) (i32.const {nobody}) (i32.eq (local.get $seat) {actor})))

;; inside a region a seat runs; returns who ran before
(func $run_as (param $s i32) (param $seat i32) (result i32)
  (local $before i32)
  (local.set $before (i32.load offset={me} (local.get $s)))
  (if (call $in_region (local.get $s))
    (then (i32.store offset={me} (local.get $s) (local.get $seat))))
  (local.get $before))
"""

_ASKING = """\
;; lists the moves of a seat as bundles; returns the address after the last one
(func $moves (export "moves") (param $s i32) (param $seat i32) (param $out i32) (result i32)
  (local $stop i32) (local $before i32) (local $end i32)
  (local.set $stop (call $asked (local.get $s) (local.get $seat)))
  (if (i32.lt_s (local.get $stop) (i32.const 0)) (then (return (local.get $stop))))
  (local.set $before (call $run_as (local.get $s) (local.get $seat)))
  (local.set $end {list})
  (i32.store offset={me} (local.get $s) (local.get $before))
  (local.get $end))

;; the weight of each outcome of chance; returns their sum
(func $weights (export "weights") (param $s i32) (param $out i32) (result i32)
  (local $stop i32) (local $before i32) (local $sum i32)
  (local.set $stop (call $chance (local.get $s)))
  (if (i32.lt_s (local.get $stop) (i32.const 0)) (then (return (local.get $stop))))
  (local.set $before (call $run_as (local.get $s) (global.get $player)))
  (local.set $sum {weigh})
  (i32.store offset={me} (local.get $s) (local.get $before))
  (local.get $sum))
"""

_GOING_ON = """\
;; before anything changes
(func $prepare (param $s i32) (param $mode i32)
  (memory.copy (i32.const {before}) (local.get $s) (i32.const {record}))
  (global.set $mode (local.get $mode))
  (global.set $usual (i32.const 0))
  (global.set $left (i32.const {steps}))
  (global.set $runs (i32.const 0))
  (global.set $asking (i32.const 0)))

;; after a run: the stop at which it rests. A fault on the way leaves the record as it was
(func $settle (param $s i32) (param $code i32) (result i32)
  (if (i32.or (i32.eq (local.get $code) (i32.const {ask}))
              (i32.eq (local.get $code) (i32.const {done})))
    (then (return (call $stop_of (local.get $s)))))
  (if (i32.eqz (global.get $asking))
    (then (memory.copy (local.get $s) (i32.const {before}) (i32.const {record}))))
  (local.get $code))

;; one that only asks does not fault before it asks
(func $rest (param $s i32) (param $code i32) (result i32)
  (local.set $code (call $settle (local.get $s) (local.get $code)))
  (select (call $stop_of (local.get $s)) (local.get $code) (global.get $asking)))

;; a new game; returns the stop at which it rests
(func $start (export "start") (param $s i32) (result i32)
  (memory.copy (local.get $s) (i32.const {start}) (i32.const {record}))
  (call $prepare (local.get $s) (i32.const {by_step}))
  (call $rest (local.get $s) (call $b{entry} (local.get $s) (global.get $left))))

;; the move of a number in a bundle, by a seat
(func $apply (export "apply") (param $s i32) (param $seat i32) (param $bundle i32)
    (param $number i32) (result i32)
  (local $stop i32)
  (local.set $stop (call $asked (local.get $s) (local.get $seat)))
  (if (i32.lt_s (local.get $stop) (i32.const 0)) (then (return (local.get $stop))))
  (call $prepare (local.get $s) (i32.const {by_step}))
  (drop (call $run_as (local.get $s) (local.get $seat)))
  (call $rest (local.get $s) {carry_out}))

;; an outcome of chance
(func $draw (export "draw") (param $s i32) (param $outcome i32) (result i32)
  (local $stop i32)
  (local.set $stop (call $chance (local.get $s)))
  (if (i32.lt_s (local.get $stop) (i32.const 0)) (then (return (local.get $stop))))
  (call $prepare (local.get $s) (i32.const {by_step}))
  (drop (call $run_as (local.get $s) (global.get $player)))
  (call $rest (local.get $s) {come_out}))

;; on after a pause
(func $resume (export "resume") (param $s i32) (result i32)
  (call $prepare (local.get $s) (i32.const {by_step}))
  (call $rest (local.get $s) (call $go_on (local.get $s))))
(func $go_on (param $s i32) (result i32)
  (local $stop i32)
  (local.set $stop (call $stop_of (local.get $s)))
  {go_on}
  (i32.const {nobody}))
"""

_MANY = """\
;; what a record in a batch waits for
(func $tell (param $s i32) (param $info i32) (param $code i32)
  (local.set $code (call $settle (local.get $s) (local.get $code)))
  (i32.store (local.get $info) (local.get $code))
  (i32.store offset=4 (local.get $info) (i32.const -1))
  (i32.store offset=8 (local.get $info) (i32.const 0))
  (i32.store offset=12 (local.get $info) (global.get $detail))
  (if (i32.lt_s (local.get $code) (i32.const 0)) (then (return)))
  (if (i32.or (i32.eq (call $kind (local.get $code)) (i32.const {choice}))
              (i32.eq (call $kind (local.get $code)) (i32.const {region})))
    (then
      (i32.store offset=4 (local.get $info) (global.get $player))
      (i32.store offset=8 (local.get $info) (global.get $total)))))

;; many games begin
(func $begin_many (export "begin_many") (param $s i32) (param $streams i32) (param $info i32)
    (param $count i32) (param $mixed i64) (param $first i64) (param $step i64)
  (loop $each
    (call $seed (local.get $streams) (local.get $mixed) (local.get $first)
      (i32.const {purposes}))
    (global.set $streams (local.get $streams))
    (memory.copy (local.get $s) (i32.const {start}) (i32.const {record}))
    (call $prepare (local.get $s) (i32.const {by_choice}))
    (call $tell (local.get $s) (local.get $info)
      (call $b{entry} (local.get $s) (global.get $left)))
    (local.set $s (i32.add (local.get $s) (i32.const {record})))
    (local.set $streams (i32.add (local.get $streams) (i32.const {streams})))
    (local.set $info (i32.add (local.get $info) (i32.const {info})))
    (local.set $first (i64.add (local.get $first) (local.get $step)))
    (br_if $each (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))

;; a move in each of many games where somebody is asked: of the number that is picked in the list
;; of moves, or any where that is less than 0
(func $step_many (export "step_many") (param $s i32) (param $streams i32) (param $info i32)
    (param $count i32) (param $picks i32)
  (loop $each
    (if (i32.gt_s (i32.load offset=8 (local.get $info)) (i32.const 0))
      (then (call $step_one (local.get $s) (local.get $streams) (local.get $info)
        (i32.load (local.get $picks)))))
    (local.set $s (i32.add (local.get $s) (i32.const {record})))
    (local.set $streams (i32.add (local.get $streams) (i32.const {streams})))
    (local.set $info (i32.add (local.get $info) (i32.const {info})))
    (local.set $picks (i32.add (local.get $picks) (i32.const 4)))
    (br_if $each (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))

(func $step_one (param $s i32) (param $streams i32) (param $info i32) (param $number i32)
  (local $stop i32) (local $bundle i32) (local $length i32) (local $player i32)
  (local.set $player (i32.load offset=4 (local.get $info)))
  (global.set $streams (local.get $streams))
  (call $prepare (local.get $s) (i32.const {by_choice}))
  (local.set $stop (call $waits_at (local.get $s) (local.get $player)))
  (drop (call $moves (local.get $s) (local.get $player) (i32.const {listed})))
  (if (i32.lt_s (local.get $number) (i32.const 0))
    (then (local.set $number (call $below
      (i32.add (local.get $streams)
        (i32.shl (i32.add (local.get $player) (i32.const 1)) (i32.const 3)))
      (global.get $total)))))
  (local.set $bundle (i32.const {listed}))
  (block $found
    (loop $scan
      (local.set $length (i32.add (i32.const 1) (i32.sub
        (i32.load offset=8 (local.get $bundle)) (i32.load offset=4 (local.get $bundle)))))
      (br_if $found (i32.lt_u (local.get $number) (local.get $length)))
      (local.set $number (i32.sub (local.get $number) (local.get $length)))
      (local.set $bundle (i32.add (local.get $bundle) (i32.const {bundle})))
      (br $scan)))
  (drop (call $run_as (local.get $s) (local.get $player)))
  (call $tell (local.get $s) (local.get $info) {carry_out}))
"""
