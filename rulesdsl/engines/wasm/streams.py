"""Streams of random numbers in memory: each is its key plus its position times the step."""

from __future__ import annotations


def mixed(z: str, x: str) -> str:
    """What puts the bits of a position into a local: the finisher of splitmix64."""
    first, second = "0xBF58476D1CE4E5B9", "0x94D049BB133111EB"
    return f"""\
  (local.set {x} (i64.mul (i64.xor (local.get {z}) (i64.shr_u (local.get {z}) (i64.const 30)))
                         (i64.const {first})))
  (local.set {x} (i64.mul (i64.xor (local.get {x}) (i64.shr_u (local.get {x}) (i64.const 27)))
                         (i64.const {second})))
  (local.set {x} (i64.xor (local.get {x}) (i64.shr_u (local.get {x}) (i64.const 31))))"""


def upper(x: str, wide: str) -> str:
    """A number below that of a local: the upper half of its product with 64 bits."""
    return f"""\
  (i32.wrap_i64 (i64.shr_u
    (i64.add
      (i64.mul (i64.shr_u (local.get {x}) (i64.const 32)) (local.get {wide}))
      (i64.shr_u (i64.mul (i64.and (local.get {x}) (i64.const 0xFFFFFFFF)) (local.get {wide}))
                 (i64.const 32)))
    (i64.const 32)))"""


def is_unfair(x: str, wide: str) -> str:
    """Whether 64 bits may have to be drawn again to be fair."""
    return f"(i64.lt_u (i64.mul (local.get {x}) (local.get {wide})) (local.get {wide}))"


STEP = "0x9E3779B97F4A7C15"
"""From one position of a stream to the next."""

STREAMS = f"""\
;; the finisher of splitmix64
(func $mix (param $z i64) (result i64)
{mixed("$z", "$z")}
  (local.get $z))

;; a number from 0 to n - 1 by the stream at an address: the upper half of the product of n and
;; the next 64 bits, which are drawn again where it would not be fair
(func $below (param $stream i32) (param $n i32) (result i32)
  (local $z i64) (local $x i64) (local $wide i64)
  (local.set $z (i64.add (i64.load (local.get $stream)) (i64.const {STEP})))
  (i64.store (local.get $stream) (local.get $z))
  (if (i32.eq (local.get $n) (i32.const 1)) (then (return (i32.const 0))))
{mixed("$z", "$x")}
  (local.set $wide (i64.extend_i32_u (local.get $n)))
  (if {is_unfair("$x", "$wide")}
    (then (local.set $x (call $fair (local.get $stream) (local.get $x) (local.get $wide)))))
{upper("$x", "$wide")})

;; these 64 bits, or the first after them that are fair
(func $fair (param $stream i32) (param $x i64) (param $wide i64) (result i64)
  (local $z i64) (local $least i64)
  (local.set $least (i64.rem_u (i64.sub (i64.const 0) (local.get $wide)) (local.get $wide)))
  (block $found
    (loop $again
      (br_if $found (i64.ge_u (i64.mul (local.get $x) (local.get $wide)) (local.get $least)))
      (local.set $z (i64.add (i64.load (local.get $stream)) (i64.const {STEP})))
      (i64.store (local.get $stream) (local.get $z))
      (local.set $x (call $mix (local.get $z)))
      (br $again)))
  (local.get $x))

;; the streams of a game: of chance, then of each player; the seed comes already mixed
(func $seed (param $streams i32) (param $mixed i64) (param $game i64) (param $count i32)
  (local $key i64) (local $purpose i32)
  (local.set $key (call $mix (i64.add (local.get $mixed)
    (i64.mul (i64.const {STEP}) (i64.add (local.get $game) (i64.const 1))))))
  (loop $each
    (i64.store (i32.add (local.get $streams) (i32.shl (local.get $purpose) (i32.const 3)))
      (call $mix (i64.add (local.get $key)
        (i64.mul (i64.const {STEP})
                 (i64.extend_i32_u (i32.add (local.get $purpose) (i32.const 1)))))))
    (local.set $purpose (i32.add (local.get $purpose) (i32.const 1)))
    (br_if $each (i32.lt_u (local.get $purpose) (local.get $count)))))
"""
"""Functions in WebAssembly text; they give the numbers of engines/chance.py bit for bit."""
