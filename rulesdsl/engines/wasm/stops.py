"""What happens at stops: chance settled, players without an option passed over, moves chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from attrs import define

from rulesdsl.engines.wasm.choices import arguments
from rulesdsl.engines.wasm.memory import (
    ASK,
    DONE,
    PLAY,
    QUIT,
    SETTLE,
    Plan,
)
from rulesdsl.engines.wasm.values import CELL, Values
from rulesdsl.engines.wasm.writing import Body, Sites
from rulesdsl.machine import program as p
from rulesdsl.machine.policy import Policy
from rulesdsl.text.limits import MOVES_PER_GAME, STEPS_PER_MOVE

ME = p.ME * CELL


@define(eq=False)
class Stops:
    """Writes for each stop the function `$rest_K(s)`, which goes on from there as far as the
    global `mode` lets it: it returns the next stop, ASK, QUIT, DONE or a fault."""

    machine: p.Machine
    values: Values
    sites: Sites
    plan: Plan
    policies: tuple[Policy, ...]
    first_option: Mapping[int, int]
    """By number of a stop: how many options the stops before it have."""

    def functions(self, stop: p.Stop) -> list[str]:
        """The functions of a stop."""
        match stop:
            case p.Choose():
                found = [self._decide(stop), self._apply(stop), self._actor(stop)]
                return [*found, self._rest(stop) if stop.region is None else self._ask(stop)]
            case p.Draw():
                return [
                    self._weigh(stop),
                    self._draw(stop),
                    self._out(stop),
                    self._rest_at_draw(stop),
                ]
            case p.Region():
                # where several act: regions.py
                return []
            case p.Over():
                return [f"(func $rest_{stop.number} (param $s i32) (result i32) i32.const {DONE})"]
            case p.Pause():
                return [self._pause(stop)]
            case _:
                assert_never(stop)

    def body(self, name: str, *params: str) -> Body:
        """A function that has all steps of a move."""
        f = Body(self.sites, name, ("$s", *params))
        f.own("$n")
        f.put(f"i32.const {STEPS_PER_MOVE}", "local.set $n")
        return f

    # ---------------------------------------------------------------- a choice

    def _rest(self, stop: p.Choose) -> str:
        """At a choice that is not inside a region."""
        f = self.body(f"$rest_{stop.number}")
        f.own("$player")
        f.own("$end")
        self.values.value(f, stop.actor)
        f.pay()
        f.put("local.set $player", *self._list(stop))
        # a fault before the first move comes up while the game goes on, else when one is asked
        f.put("local.get $end", "i32.const 0", "i32.lt_s", "if")
        f.put("global.get $reached", f"i32.const {self.plan.listed}", "i32.eq")
        f.put("if", "local.get $end", "return", "end")
        f.put("i32.const 1", "global.set $asking", "local.get $end", "return", "end")
        f.put("local.get $end", f"i32.const {self.plan.listed}", "i32.eq", "if")
        self.otherwise(f, stop)
        f.put("end")
        self._decide_if_playing(f, stop)
        return f.text()

    def _actor(self, stop: p.Choose) -> str:
        """Who is asked at a choice."""
        f = self.body(f"$actor_{stop.number}")
        self.values.value(f, stop.actor)
        f.pay()
        f.put("return")
        return f.text()

    def _ask(self, stop: p.Choose) -> str:
        """At a choice inside a region, of a player of whom it is known that he has a move."""
        f = self.body(f"$ask_{stop.number}", "$player")
        f.own("$end")
        f.put(*self._list(stop), "local.get $end", "i32.const 0", "i32.lt_s", "if")
        f.put("local.get $s", "global.get $me", f"i32.store offset={ME}")
        f.put("i32.const 1", "global.set $asking", "local.get $end", "return", "end")
        self._decide_if_playing(f, stop)
        return f.text()

    def _list(self, stop: p.Choose) -> tuple[str, ...]:
        steps = (f"i32.const {STEPS_PER_MOVE}", f"i32.const {self.plan.listed}")
        return ("local.get $s", *steps, f"call $moves_{stop.number}", "local.set $end")

    def _decide_if_playing(self, f: Body, stop: p.Choose) -> None:
        """The player has moves, which are listed up to `$end`."""
        f.put("global.get $mode", f"i32.const {PLAY}", "i32.ne", "if")
        f.put("local.get $player", "global.set $player")
        if stop.region is not None:
            f.put("local.get $s", "global.get $me", f"i32.store offset={ME}")
        f.put(f"i32.const {ASK}", "return", "end")
        f.put("local.get $s", "local.get $player", "local.get $end")
        f.put(f"return_call $decide_{stop.number}")

    def otherwise(self, f: Body, stop: p.Choose) -> None:
        """On for a player (`$player`) who has no option."""
        if stop.otherwise is None:
            names, where = self.machine.seat_names, stop.where

            def said(seat: int) -> str:
                return f"{names[seat]} in {where}"

            f.fault("no-option", stop.span, said, where, "$player")
            return
        self.go(f)
        f.put("local.get $s", "global.get $left", f"return_call $b{stop.otherwise}")

    def go(self, f: Body) -> None:
        """One run more."""
        said = f"more than {MOVES_PER_GAME} moves and outcomes of chance"
        with f.checking("endless", self.machine.model.span, lambda _: said):
            f.put("global.get $runs", "i32.const 1", "i32.add", "global.set $runs")
            f.put("global.get $runs", f"i32.const {MOVES_PER_GAME}", "i32.le_s")

    def _decide(self, stop: p.Choose) -> str:
        """Which of the moves that are listed up to `end` the player makes."""
        f = self.body(f"$decide_{stop.number}", "$player", "$end")
        for name in ("$bundle", "$total", "$number", "$blind", "$seat"):
            f.own(name)
        f.put("global.get $total", "local.set $total")
        f.put(f"i32.const {self.plan.listed}", "local.set $bundle")
        f.put("local.get $player", "i32.const 2", "i32.shl", "local.set $seat")
        f.put("local.get $total", "i32.const 1", "i32.gt_u", "if")
        self._prefer(f, stop)
        self._count_asked(f, stop)
        f.put("end")
        self._pick(f)
        self._count_taken(f, stop)
        f.put("global.get $made", "global.get $quit", "i32.eq", "if")
        if stop.region is not None:
            f.put("local.get $s", "global.get $me", f"i32.store offset={ME}")
        f.put(f"i32.const {QUIT}", "return", "end")
        f.put("global.get $made", "i32.const 1", "i32.add", "global.set $made")
        f.put(f"i32.const {STEPS_PER_MOVE}", "global.set $left")
        self._carry_out(f, stop)
        return f.text()

    def _prefer(self, f: Body, stop: p.Choose) -> None:
        """Ask the policy of the player, if one plays; where it has no preference it is blind."""
        asked = [i for i, one in enumerate(self.policies) if stop.number in one.preferences]
        f.put("local.get $seat", f"i32.load offset={self.plan.cast}", "local.tee $number", "if")
        f.put("i32.const 0", "global.set $total")
        for index in asked:
            f.put("local.get $number", f"i32.const {index + 1}", "i32.eq", "if")
            f.put("local.get $s", "local.get $player", "local.get $end")
            f.put(f"call $prefer_{index}_{stop.number}", "local.tee $number")
            f.put("i32.const 0", "i32.lt_s", "if")
            if stop.region is not None:
                f.put("local.get $s", "global.get $me", f"i32.store offset={ME}")
            f.put("i32.const 1", "global.set $asking", "local.get $number", "return", "end", "end")
        f.put("global.get $total", "if", "global.get $total", "local.set $total")
        f.put(f"i32.const {self.plan.preferred}", "local.set $bundle")
        f.put("else", "i32.const 1", "local.set $blind", "end", "end")

    def _count_asked(self, f: Body, stop: p.Choose) -> None:
        by_stop = (self.plan.asked, self.plan.guessed)
        for place, condition in enumerate(("", "local.get $blind")):
            address = self.plan.by_seat + place * CELL * self.plan.seats
            if condition:
                f.put(condition, "if")
            add_one(f, ("local.get $seat",), address)
            add_one(f, self._of_bot(self.plan.stops), by_stop[place] + CELL * stop.number)
            if condition:
                f.put("end")

    def _of_bot(self, width: int) -> tuple[str, ...]:
        """The bytes up to the row of the player's bot."""
        load = ("local.get $seat", f"i32.load offset={self.plan.bots}")
        return (*load, f"i32.const {CELL * width}", "i32.mul")

    def _count_taken(self, f: Body, stop: p.Choose) -> None:
        option = ("local.get $bundle", "i32.load", "i32.const 2", "i32.shl", "i32.add")
        address = self.plan.taken + CELL * self.first_option[stop.number]
        add_one(f, (*self._of_bot(self.plan.options), *option), address)

    def _pick(self, f: Body) -> None:
        """Each of the moves as likely: the bundle and the number of the move in it."""
        f.put("global.get $streams", "i32.const 8", "i32.add", "local.get $seat")
        f.put(
            "i32.const 1",
            "i32.shl",
            "i32.add",
            "local.get $total",
            "call $below",
            "local.set $number",
        )
        self.find_bundle(f)

    def find_bundle(self, f: Body) -> None:
        """Of the bundles from `$bundle` on that with the move `$number`, which then counts from
        its first one."""
        length = f.new("length")
        f.put("block $found", "loop $scan")
        f.put("local.get $number", "local.get $bundle", "i32.load offset=8")
        f.put("local.get $bundle", "i32.load offset=4", "i32.sub", "i32.const 1", "i32.add")
        f.put(f"local.tee {length}", "i32.lt_u", "br_if $found")
        f.put("local.get $number", f"local.get {length}", "i32.sub", "local.set $number")
        f.put("local.get $bundle", f"i32.const {self.plan.bundle}", "i32.add", "local.set $bundle")
        f.put("br $scan", "end", "end")

    def _apply(self, stop: p.Choose) -> str:
        """Carry out a move: the one of a number in a bundle."""
        f = Body(self.sites, f"$apply_{stop.number}", ("$s", "$bundle", "$number"))
        f.own("$n")
        self._carry_out(f, stop)
        return f.text()

    def _carry_out(self, f: Body, stop: p.Choose) -> None:
        self.go(f)
        f.put("local.get $bundle", "i32.load offset=4", "local.get $number", "i32.add")
        f.put("local.set $number")
        labels = [f.label("option") for _ in stop.options]
        f.put(*(f"block {label}" for label in reversed(labels)))
        if len(labels) > 1:
            f.put("local.get $bundle", "i32.load", f"br_table {' '.join(labels)}")
        for option in stop.options:
            f.put("end", "local.get $s", "global.get $left")
            arguments(f, self.machine, option, "$bundle", "$number")
            f.put(f"return_call $b{option.block}")

    # ---------------------------------------------------------------- chance

    def _weigh(self, stop: p.Draw) -> str:
        """The weights of all outcomes, from an address on; it returns their sum."""
        f = self.body(f"$weigh_{stop.number}", "$out")
        total, end = f.new("total"), f.new("end")
        register = f.register(stop.register)
        f.put(f"i32.const {stop.count}", f"local.set {end}", "loop $each")
        f.put("local.get $out")
        self.values.value(f, stop.weight)
        f.pay()
        f.put("i32.store", "local.get $out", "i32.load", f"local.get {total}", "i32.add")
        f.put(f"local.set {total}", "local.get $out", f"i32.const {CELL}", "i32.add")
        f.put("local.set $out", f"local.get {register}", "i32.const 1", "i32.add")
        f.put(f"local.tee {register}", f"local.get {end}", "i32.lt_s", "br_if $each", "end")
        with f.checking("empty", stop.span):
            f.put(f"local.get {total}")
        f.put(f"local.get {total}", "return")
        return f.text()

    def _draw(self, stop: p.Draw) -> str:
        """Let chance come out."""
        f = self.body(f"$draw_{stop.number}")
        f.own("$number")
        weights = None
        if self.values.knowing.quiet(stop.weight):
            self.sum_of_weights(f, stop)
        else:
            weights = f.new("weights")
            f.put("local.get $s", f"i32.const {self.plan.weights}", f"call $weigh_{stop.number}")
            f.put("local.tee $number", "i32.const 0", "i32.lt_s")
            f.put("if", "local.get $number", "return", "end", "local.get $number")
            f.put(f"i32.const {self.plan.weights}", f"local.set {weights}")
        f.put("local.set $number", "global.get $streams", "local.get $number", "call $below")
        f.put("local.set $number")
        self.find_outcome(f, stop, weights)
        f.put("local.get $s", f"local.get {f.register(stop.register)}")
        f.put(f"return_call $out_{stop.number}")
        return f.text()

    def find_outcome(self, f: Body, stop: p.Draw, weights: str | None) -> None:
        """Put the outcome in which `$number` falls into its register; `weights` is where they are
        kept, if they are not worked out again."""
        outcome, weight = f.register(stop.register), f.new("weight")
        f.put("i32.const 0", f"local.set {outcome}")
        f.put("block $found", "loop $scan", "local.get $number")
        if weights is None:
            self.values.value(f, stop.weight)
        else:
            f.put(f"local.get {weights}", "i32.load")
            f.put(f"local.get {weights}", f"i32.const {CELL}", "i32.add", f"local.set {weights}")
        f.put(f"local.tee {weight}", "i32.lt_u", "br_if $found")
        f.put("local.get $number", f"local.get {weight}", "i32.sub", "local.set $number")
        f.put(f"local.get {outcome}", "i32.const 1", "i32.add", f"local.set {outcome}")
        f.put("br $scan", "end", "end")

    def sum_of_weights(self, f: Body, stop: p.Draw) -> None:
        """All weights together, which cannot fault; a fault if there are none."""
        total = f.new("total")
        every = p.Fold(
            "sum",
            stop.register,
            p.K(0),
            p.K(stop.count),
            None,
            stop.weight,
            None,
            (),
            p.K(0),
            stop.span,
        )
        self.values.value(f, every)
        # to look at weights is no step
        f.owe_again(())
        f.put(f"local.set {total}")
        with f.checking("empty", stop.span):
            f.put(f"local.get {total}")
        f.put(f"local.get {total}")

    def _out(self, stop: p.Draw) -> str:
        """On with an outcome of chance."""
        f = Body(self.sites, f"$out_{stop.number}", ("$s", "$outcome"))
        f.own("$n")
        self.go(f)
        f.put("local.get $s", "global.get $left")
        if self.machine.blocks[stop.block].registers:
            f.put("local.get $outcome")
        f.put(f"return_call $b{stop.block}")
        return f.text()

    def _rest_at_draw(self, stop: p.Draw) -> str:
        f = self.body(f"$rest_{stop.number}")
        f.put("global.get $mode", f"i32.const {SETTLE}", "i32.lt_s", "if", f"i32.const {ASK}")
        f.put("return", "end", "local.get $s", f"return_call $draw_{stop.number}")
        return f.text()

    # ---------------------------------------------------------------- a pause

    def _pause(self, stop: p.Pause) -> str:
        f = self.body(f"$rest_{stop.number}")
        f.put("global.get $mode", f"i32.const {PLAY}", "i32.ne", "if", f"i32.const {ASK}", "return")
        f.put("end")
        f.put(f"i32.const {STEPS_PER_MOVE}", "global.set $left")
        self.go(f)
        f.put("local.get $s", "global.get $left", f"return_call $b{stop.block}")
        return f.text()


def no_more_runs() -> tuple[str, ...]:
    """Whether the game has had all its runs."""
    return ("global.get $runs", f"i32.const {MOVES_PER_GAME}", "i32.ge_s")


def add_one(f: Body, before: tuple[str, ...], address: int) -> None:
    """Count one more at an address with an offset that is worked out."""
    place = f.new("place")
    f.put(*before, f"local.tee {place}", f"local.get {place}", f"i32.load offset={address}")
    f.put("i32.const 1", "i32.add", f"i32.store offset={address}")
