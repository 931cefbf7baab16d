"""Looking ahead: of the moves that are possible those with which a longest sequence begins."""

from __future__ import annotations

from attrs import define

from rulesdsl.engines.wasm.choices import arguments
from rulesdsl.engines.wasm.memory import BUNDLE_HEAD, MEMO_SLOT, MEMO_SLOTS, UNTIL, Plan
from rulesdsl.engines.wasm.values import CELL, Values
from rulesdsl.engines.wasm.writing import FIRST_FAULT, LIMIT, Body, Sites
from rulesdsl.machine.program import Ahead, Choose, Machine
from rulesdsl.text.limits import STATES_AHEAD, STEPS_AHEAD


@define(eq=False)
class LookingAhead:
    """Writes the functions of a stop that looks ahead.

    `$moves_K` is as at other stops. `$rounds_K(s, bundle, x)` returns how many
    rounds there can be with the move of a bundle whose last parameter is x, `$on_K(s)` how many
    from a choice on. The steps that are left are in the global `left`; records and bundles lie
    on a stack up to the global `top`.
    """

    machine: Machine
    values: Values
    sites: Sites
    plan: Plan

    def functions(self, stop: Choose, ahead: Ahead) -> list[str]:
        """The functions of a stop."""
        return [
            self._moves(stop),
            self._rounds(stop, ahead),
            self._on(stop),
            self._longest(stop, ahead),
        ]

    def shared(self) -> str:
        """What the functions of all stops use."""
        return SHARED.format(
            words=self.plan.record // 16,
            fired=self.plan.fired,
            noted=self.plan.noted,
            size=CELL * len(self.machine.rules),
            memo=self.plan.memo,
            mask=MEMO_SLOTS - 1,
            shift=MEMO_SLOT.bit_length() - 1,
        )

    # ---------------------------------------------------------------- the moves with most rounds

    def _moves(self, stop: Choose) -> str:
        """The stretches of the bundles whose moves begin the most rounds."""
        f = Body(self.sites, f"$moves_{stop.number}", ("$s", "$n", "$out"))
        for name in ("$end", "$from", "$weighed", "$most", "$x", "$rounds", "$left", "$total"):
            f.own(name)
        f.own("$open")
        f.put("global.get $left", "local.set $left")
        f.put(f"i32.const {self.plan.stack}", "local.tee $from", "local.set $end")
        f.put("local.get $s", "local.get $n", "local.get $from", f"call $possible_{stop.number}")
        f.put("local.tee $end", "local.set $weighed")
        f.put("local.get $out", "global.set $reached", *_return_if_fault("$end"))
        f.put("local.get $end", "global.get $total", "i32.const 2", "i32.shl", "i32.add")
        f.put(*_ROUND, "global.set $top")
        f.put(f"i32.const {STEPS_AHEAD}", "global.set $left", "call $begin_looking")
        _each_move(f, self.plan, (), self._weigh_move(stop))
        f.put("call $end_looking", "local.get $left", "global.set $left")
        f.put(f"i32.const {self.plan.stack}", "local.set $from")
        f.put("local.get $end", "local.set $weighed")
        _each_move(f, self.plan, ("i32.const 0", "local.set $open"), self._keep_move(stop))
        f.put("local.get $total", "global.set $total", "local.get $out", "return")
        return f.text()

    def _weigh_move(self, stop: Choose) -> tuple[str, ...]:
        return (
            *("local.get $s", "local.get $from", "local.get $x", f"call $rounds_{stop.number}"),
            *("local.tee $rounds", "i32.const 0", "i32.lt_s", "if", "call $end_looking"),
            *("local.get $left", "global.set $left", "local.get $out", "global.set $reached"),
            *("local.get $rounds", "return", "end"),
            *("local.get $weighed", "local.get $rounds", "i32.store"),
            *("local.get $weighed", f"i32.const {CELL}", "i32.add", "local.set $weighed"),
            *_greatest("$most", "$rounds"),
        )

    def _keep_move(self, stop: Choose) -> tuple[str, ...]:
        """A move with the most rounds comes into the bundle of the one before it, or a new one."""
        before = max((len(option.parameters) - 1 for option in stop.options), default=0)
        copied = [f"i32.load offset={(BUNDLE_HEAD + place) * CELL}" for place in range(before)]
        numbers = [
            ("local.get $from", "i32.load"),
            ("local.get $x",),
            ("local.get $x",),
            *(("local.get $from", load) for load in copied),
        ]
        bundle = [
            line
            for place, number in enumerate(numbers)
            for line in ("local.get $out", *number, f"i32.store offset={place * CELL}")
        ]
        size = self.plan.bundle
        return (
            *("local.get $weighed", "i32.load", "local.get $most", "i32.eq", "if"),
            *("local.get $open", "if"),
            *("local.get $out", f"i32.const {size}", "i32.sub", "local.get $x"),
            *("i32.store offset=8", "else"),
            *(*bundle, "local.get $out", f"i32.const {size}", "i32.add", "local.set $out", "end"),
            *("local.get $total", "i32.const 1", "i32.add", "local.set $total"),
            *("i32.const 1", "local.set $open", "else", "i32.const 0", "local.set $open", "end"),
            *("local.get $weighed", f"i32.const {CELL}", "i32.add", "local.set $weighed"),
        )

    # ---------------------------------------------------------------- the search

    def _rounds(self, stop: Choose, ahead: Ahead) -> str:
        f = Body(self.sites, f"$rounds_{stop.number}", ("$s", "$bundle", "$x"))
        for name in ("$n", "$record", "$found"):
            f.own(name)
        f.put("global.get $left", "local.set $n")
        f.owe(STEPS_AHEAD // STATES_AHEAD, ahead.span)
        f.pay()
        f.put("global.get $top", "local.tee $record")
        f.put(f"i32.const {self.plan.record}", "i32.add", "global.set $top")
        f.put("global.get $top", f"i32.const {self.plan.stack_end}", "i32.gt_u")
        f.put("if", "unreachable", "end")
        f.put("local.get $record", "local.get $s", f"i32.const {self.plan.record}", "memory.copy")
        f.put(f"i32.const {stop.otherwise}", "global.set $until")
        self._run(f, stop)
        f.put("i32.const -1", "global.set $until", "local.get $record", "global.set $top")
        f.put("local.get $found", f"i32.const {UNTIL}", "i32.eq", "if", "i32.const 1", "return")
        f.put("end", "local.get $found", f"i32.const {-FIRST_FAULT}", "i32.le_s", "if")
        # another fault than too many steps ends the sequence: it comes up when it is really met
        f.put("local.get $found", "i32.const 1", *_IS_LIMIT, "select", "return", "end")
        f.put("local.get $record", f"i32.const {self.plan.record}", "i32.add", "global.set $top")
        f.put("local.get $record", f"call $on_{stop.number}", "local.tee $found")
        f.put("local.get $record", "global.set $top", *_return_if_fault("$found"))
        f.put("i32.const 1", "i32.add", "return")
        return f.text()

    def _run(self, f: Body, stop: Choose) -> None:
        """Carry out a move on the record."""
        f.put("block $run (result i32)")
        labels = [f.label("option") for _ in stop.options]
        f.put(*(f"block {label}" for label in reversed(labels)))
        f.put("local.get $bundle", "i32.load", f"br_table {' '.join(labels)}")
        for option in stop.options:
            f.put("end", "local.get $record", "local.get $n")
            arguments(f, self.machine, option, "$bundle", "$x")
            f.put(f"call $b{option.block}", "br $run")
        f.put("end", "local.set $found")

    def _on(self, stop: Choose) -> str:
        """What is known of a record, or is found out now."""
        f = Body(self.sites, f"$on_{stop.number}", ("$s",))
        for name in ("$slot", "$found"):
            f.own(name)
        f.own("$one", "i64")
        f.own("$two", "i64")
        f.put("local.get $s", "call $digest", "local.set $two", "local.set $one")
        f.put("local.get $one", "local.get $two", "call $find_slot", "local.tee $slot")
        f.put("i32.load offset=16", "global.get $looked", "i32.eq")
        f.put("if", "local.get $slot", "i32.load offset=20", "return", "end")
        f.put("local.get $s", f"call $longest_{stop.number}", "local.set $found")
        f.put("local.get $found", *_return_if_fault("$found"), "drop")
        f.put("local.get $one", "local.get $two", "call $find_slot", "local.set $slot")
        f.put("local.get $slot", "local.get $one", "i64.store")
        f.put("local.get $slot", "local.get $two", "i64.store offset=8")
        f.put("local.get $slot", "global.get $looked", "i32.store offset=16")
        f.put("local.get $slot", "local.get $found", "i32.store offset=20")
        f.put("local.get $found", "return")
        return f.text()

    def _longest(self, stop: Choose, ahead: Ahead) -> str:
        """Depth first, content as soon as all rounds that are left can be played."""
        f = Body(self.sites, f"$longest_{stop.number}", ("$s",))
        for name in ("$n", "$rounds_left", "$most", "$from", "$begin", "$end", "$x", "$rounds"):
            f.own(name)
        f.put("global.get $left", "local.set $n")
        self.values.value(f, ahead.left)
        f.pay()
        f.put("local.set $rounds_left", "global.get $top", "local.tee $from", "local.set $begin")
        f.put("local.get $s", "local.get $n", "local.get $from", f"call $possible_{stop.number}")
        f.put("local.tee $end", "i32.const 0", "i32.lt_s", "if")
        f.put("local.get $end", "i32.const 0", *_is_limit("$end"), "select", "return", "end")
        f.put("local.get $end", *_ROUND, "global.set $top", "block $enough")
        _each_move(
            f,
            self.plan,
            (),
            (
                *("local.get $s", "local.get $from", "local.get $x"),
                *(f"call $rounds_{stop.number}", "local.tee $rounds"),
                *(*_return_if_fault("$rounds"), "drop", *_greatest("$most", "$rounds")),
                *("local.get $most", "local.get $rounds_left", "i32.eq", "br_if $enough"),
            ),
        )
        f.put("end", "local.get $begin", "global.set $top", "local.get $most", "return")
        return f.text()


_ROUND = ("i32.const 15", "i32.add", "i32.const -16", "i32.and")


def _is_limit(local: str) -> tuple[str, ...]:
    return (f"local.get {local}", f"i32.const {-LIMIT}", "i32.le_s")


_IS_LIMIT = _is_limit("$found")


def _return_if_fault(local: str) -> tuple[str, ...]:
    return (
        f"local.get {local}",
        "i32.const 0",
        "i32.lt_s",
        "if",
        f"local.get {local}",
        "return",
        "end",
    )


def _greatest(most: str, new: str) -> tuple[str, ...]:
    pair = (f"local.get {most}", f"local.get {new}")
    return (*pair, *pair, "i32.gt_s", "select", f"local.set {most}")


def _each_move(f: Body, plan: Plan, at_bundle: tuple[str, ...], each: tuple[str, ...]) -> None:
    """Something for each move `x` of the bundles from `from` to `end`."""
    over, bundles, moves = f.label("over"), f.label("bundles"), f.label("moves")
    f.put(f"block {over}", f"loop {bundles}")
    f.put("local.get $from", "local.get $end", "i32.ge_u", f"br_if {over}", *at_bundle)
    f.put("local.get $from", "i32.load offset=4", "local.set $x", f"loop {moves}", *each)
    f.put("local.get $x", "i32.const 1", "i32.add", "local.tee $x")
    f.put("local.get $from", "i32.load offset=8", "i32.le_s", f"br_if {moves}", "end")
    f.put("local.get $from", f"i32.const {plan.bundle}", "i32.add", "local.set $from")
    f.put(f"br {bundles}", "end", "end")


SHARED = """\
;; rules that are at work while one looks ahead are not counted
(func $begin_looking
  (global.set $looked (i32.add (global.get $looked) (i32.const 1)))
  (memory.copy (i32.const {noted}) (i32.const {fired}) (i32.const {size})))
(func $end_looking
  (memory.copy (i32.const {fired}) (i32.const {noted}) (i32.const {size})))

;; 128 bits that tell records apart
(func $digest (param $s i32) (result i64 i64)
  (local $one i64) (local $two i64) (local $left i32)
  (local.set $one (i64.const 0x243F6A8885A308D3))
  (local.set $two (i64.const 0x13198A2E03707344))
  (local.set $left (i32.const {words}))
  (loop $each
    (local.set $one (i64.mul (i64.xor (local.get $one) (i64.load (local.get $s)))
                             (i64.const 0x9E3779B97F4A7C15)))
    (local.set $two (i64.mul (i64.xor (local.get $two) (i64.load offset=8 (local.get $s)))
                             (i64.const 0xD6E8FEB86659FD93)))
    (local.set $one (i64.xor (local.get $one) (i64.rotl (local.get $two) (i64.const 31))))
    (local.set $two (i64.add (local.get $two) (i64.rotl (local.get $one) (i64.const 27))))
    (local.set $s (i32.add (local.get $s) (i32.const 16)))
    (br_if $each (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
  (call $mix (local.get $one))
  (call $mix (i64.add (local.get $two) (local.get $one))))

;; the place in the table of what is known: its own, or an empty one
(func $find_slot (param $one i64) (param $two i64) (result i32)
  (local $at i32) (local $slot i32)
  (local.set $at (i32.wrap_i64 (local.get $one)))
  (block $found
    (loop $each
      (local.set $slot (i32.add (i32.const {memo})
        (i32.shl (i32.and (local.get $at) (i32.const {mask})) (i32.const {shift}))))
      (br_if $found (i32.ne (i32.load offset=16 (local.get $slot)) (global.get $looked)))
      (br_if $found (i32.and
        (i64.eq (i64.load (local.get $slot)) (local.get $one))
        (i64.eq (i64.load offset=8 (local.get $slot)) (local.get $two))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $each)))
  (local.get $slot))
"""
