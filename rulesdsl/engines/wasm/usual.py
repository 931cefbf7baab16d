"""The usual case at a stop of a whole game, in one function.

A player without a policy makes any move, or chance comes out. Whatever else there is (nobody has
a move, something faults, steps or runs are used up, the random number is not fair, others play)
is found before anything has been changed, and left to the function `$rest_K` of the stop.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define, frozen

from rulesdsl.engines.wasm.bounds import Bound, bounds_of
from rulesdsl.engines.wasm.choices import Choices, Listing, arguments
from rulesdsl.engines.wasm.held import Names, always_read, is_free
from rulesdsl.engines.wasm.knowing import Knowing
from rulesdsl.engines.wasm.regions import seat_stops
from rulesdsl.engines.wasm.remembering import (
    COST,
    COUNT,
    MOVES,
    Remembered,
    Remembering,
    kept_arguments,
)
from rulesdsl.engines.wasm.stops import ME, Stops, add_one, no_more_runs
from rulesdsl.engines.wasm.streams import STEP, is_unfair, mixed, upper
from rulesdsl.engines.wasm.values import CELL
from rulesdsl.engines.wasm.writing import SELDOM, Body
from rulesdsl.machine import program as p
from rulesdsl.text.limits import STEPS_PER_MOVE
from rulesdsl.text.source import Span


@define(eq=False)
class UsualBody(Body):
    """A function that leaves what is not usual to another: it ends with `unusual`."""

    unusual: tuple[str, ...] = ()

    def pay(self) -> None:
        """Steps are only counted; `pay_local` and `within_steps` see whether there are too many."""
        cost = sum(cost for cost, _ in self.owes)
        self.owe_again(())
        if cost:
            self.put("local.get $n", f"i32.const {cost}", "i32.sub", "local.set $n")

    def pay_local(self, cost: str, span: Span) -> None:
        self.pay()
        self.put("local.get $n", f"local.get {cost}", "i32.sub", "local.tee $n")
        self.leave_if("i32.const 0", "i32.lt_s")

    def within_steps(self) -> None:
        """Leave if too many steps have been taken."""
        self.pay()
        self.leave_if("local.get $n", "i32.const 0", "i32.lt_s")

    @contextmanager
    def checking(self, *_: object, **__: object) -> Iterator[None]:
        """Leave unless what is put inside leaves something else than 0 on the stack."""
        yield
        self.leave_if("i32.eqz")

    def fault(self, *_: object, **__: object) -> None:
        self.put("br $unusual")

    def leave_if(self, *condition: str) -> None:
        """Leave if the condition holds."""
        self.put(*condition, SELDOM + "br_if $unusual")

    def text(self) -> str:
        """The function."""
        self.lines = ["block $unusual", *self.lines, "unreachable", "end", *self.unusual]
        return super().text()


@define(eq=False)
class UsualListing(Listing):
    """The moves of an option, where it does not matter which steps were too many."""

    def bounds(self, parameter: p.Parameter) -> tuple[Bound, ...] | None:
        return bounds_of(parameter.checks, parameter.register)

    def at_once(self, checks: tuple[p.Reason, ...]) -> bool:
        first, *others = [check.condition for check in checks]
        names = Names(self.f.known, self.f.same)
        read = [*self.f.held, *always_read(first, names)]
        return all(is_free(other, names, read) for other in others)


def usual_stops(machine: p.Machine, knowing: Knowing) -> frozenset[int]:
    """The stops with a function `$usual_K(s, n)`, n being the steps that are left."""
    halts = {block.end.stop for block in machine.blocks if isinstance(block.end, p.Halt)}
    found = set[int]()
    for stop in machine.stops:
        match stop:
            case p.Choose():
                usual = stop.region is None and stop.ahead is None
            case p.Draw():
                usual = is_short(stop, knowing) or knowing.quiet(stop.weight)
            case p.Region():
                usual = True
            case p.Over() | p.Pause():
                usual = False
        if usual and stop.number in halts:
            found.add(stop.number)
    return frozenset(found)


def is_short(stop: p.Draw, knowing: Knowing) -> bool:
    """Whether the weights of all outcomes are written out."""
    return knowing.is_short(stop.count, knowing.of(stop.weight).size)


def asking(machine: p.Machine, region: p.Region) -> list[p.Choose]:
    """The choices inside of a region with a function `$usual_K(s, n, player)`."""
    return [
        one
        for one in seat_stops(machine)
        if isinstance(one, p.Choose) and one.region == region.region and one.ahead is None
    ]


@frozen
class Offered:
    """Of an option, while it is written: the locals with the number of its moves and with the
    last parameter of the first of them; where they are listed or kept, with their address."""

    option: p.Option
    number: int
    count: str
    low: str
    listed: str | None
    kept: str | None


@define(eq=False)
class Usual:
    """Writes the functions."""

    stops: Stops
    choices: Choices
    remembering: Remembering

    def functions(self) -> list[str]:
        """Those of all stops."""
        machine, found = self.stops.machine, list[str]()
        for number in sorted(usual_stops(machine, self.stops.values.knowing)):
            match stop := machine.stops[number]:
                case p.Choose():
                    found.append(self._choice(stop))
                case p.Draw():
                    found.append(self._draw(stop))
                case p.Region():
                    found.append(self._region(stop))
                    found += [self._inside(stop, one) for one in asking(machine, stop)]
        return found

    def _begin(self, stop: p.Stop, rest: p.Stop, *params: str, before: str = "") -> UsualBody:
        """A function of a stop that may leave for that of another; before that the cell of who
        runs inside a region becomes again what is in a local or global."""
        again = ("local.get $s", before, f"i32.store offset={ME}") if before else ()
        f = UsualBody(self.stops.sites, f"$usual_{stop.number}", ("$s", "$steps", *params))
        f.unusual = (
            *again,
            *("i32.const 0", "global.set $able", "local.get $steps", "global.set $left"),
            *("local.get $s", f"return_call $rest_{rest.number}"),
        )
        f.own("$n")
        f.put(f"i32.const {STEPS_PER_MOVE}", "local.set $n")
        return f

    # ---------------------------------------------------------------- choices

    def _choice(self, stop: p.Choose) -> str:
        f = self._begin(stop, stop)
        f.own("$player")
        f.leave_if("global.get $usual", "i32.eqz")
        self.stops.values.value(f, stop.actor)
        f.put("local.set $player")
        self._any_move(f, stop)
        return f.text()

    def _inside(self, region: p.Region, stop: p.Choose) -> str:
        f = self._begin(stop, region, "$player", before="global.get $me")
        self._any_move(f, stop)
        return f.text()

    def _any_move(self, f: UsualBody, stop: p.Choose) -> None:
        """Each of the moves as likely."""
        f.own("$seat")
        f.own("$total")
        f.put("local.get $player", "i32.const 2", "i32.shl", "local.set $seat")
        if self.stops.policies:
            self._leave_to_policy(f, stop)
        stream = ("local.get $player", "i32.const 3", "i32.shl")
        self._next_bits(f, stream, self.stops.plan.streams + 8)
        f.own("$out")
        f.put(f"i32.const {self.stops.plan.listed}", "local.set $out")
        offered = [self._offer(f, stop, i) for i in range(len(stop.options))]
        f.within_steps()
        f.put("local.get $total")
        self._below(f, stream, self.stops.plan.streams + 8)
        f.put("global.get $made", "i32.const 1", "i32.add", "global.set $made")
        self._count_asked(f, stop)
        for one in offered[:-1]:
            f.put("local.get $number", f"local.get {one.count}", "i32.lt_u", "if")
            self._take(f, stop, one)
            f.put("end", "local.get $number", f"local.get {one.count}", "i32.sub")
            f.put("local.set $number")
        self._take(f, stop, offered[-1])

    def _leave_to_policy(self, f: UsualBody, stop: p.Choose) -> None:
        """A player with a policy is asked elsewhere; inside a region it is known that he has a
        move."""
        playing = ("local.get $seat", f"i32.load offset={self.stops.plan.cast}")
        if stop.region is None:
            f.leave_if(*playing)
        else:
            f.put(*playing, "if", "local.get $s", "local.get $player")
            f.put(f"return_call $ask_{stop.number}", "end")

    def _offer(self, f: UsualBody, stop: p.Choose, number: int) -> Offered:
        """How many moves an option has; `$total` grows by them."""
        option, count, low = stop.options[number], f.new("count"), f.new("low")
        remembered = self.remembering.found.get((stop.number, number))
        listed = kept = None
        if remembered is not None or is_range(option):
            none = f.label("none")
            f.put(f"block {none}")
            for guard in option.guards:
                self.stops.values.value(f, guard.condition)
                f.put("i32.eqz", f"br_if {none}")
            if remembered is None:
                self._range(f, option, count, low)
            else:
                kept = f.new("kept")
                self._look_up(f, remembered, count, kept)
            f.put("end")
        else:
            listed = f.new("listed")
            f.put("local.get $out", f"local.set {listed}")
            UsualListing(self.choices, f, option, number, count).option()
        f.put("local.get $total", f"local.get {count}", "i32.add", "local.set $total")
        return Offered(option, number, count, low, listed, kept)

    def _look_up(self, f: UsualBody, one: Remembered, count: str, kept: str) -> None:
        """The moves of an option that were listed before."""
        remembering = self.remembering
        remembering.look_up(f, one, "$unusual")
        f.put(*remembering.of_slot(COUNT), f"local.set {count}")
        f.put(*remembering.of_slot(MOVES), f"local.set {kept}")
        f.put("local.get $n", *remembering.of_slot(COST), "i32.sub", "local.set $n")

    def _range(self, f: UsualBody, option: p.Option, count: str, low: str) -> None:
        """The moves of an option with at most one parameter that needs no check."""
        if not option.parameters:
            f.put("i32.const 1", f"local.set {count}")
            return
        (parameter,) = option.parameters
        self.stops.values.value(f, parameter.low)
        f.put(f"local.set {low}")
        self.stops.values.value(f, parameter.high)
        f.put(f"local.get {low}", "i32.sub", "i32.const 1", "i32.add", f"local.tee {count}")
        f.put("i32.const 0", f"local.get {count}", "i32.const 0", "i32.gt_s", "select")
        f.put(f"local.set {count}")

    def _count_asked(self, f: UsualBody, stop: p.Choose) -> None:
        """A decision more, if there is more than one move."""
        plan = self.stops.plan
        f.own("$bot")
        f.put("local.get $seat", f"i32.load offset={plan.bots}", "local.set $bot")
        f.put("local.get $total", "i32.const 1", "i32.gt_u", "if")
        add_one(f, ("local.get $seat",), plan.by_seat)
        row = ("local.get $bot", f"i32.const {CELL * plan.stops}", "i32.mul")
        add_one(f, row, plan.asked + CELL * stop.number)
        f.put("end")

    def _take(self, f: UsualBody, stop: p.Choose, one: Offered) -> None:
        """The move `$number` of an option."""
        plan, option, machine = self.stops.plan, one.option, self.stops.machine
        row = ("local.get $bot", f"i32.const {CELL * plan.options}", "i32.mul")
        taken = self.stops.first_option[stop.number] + one.number
        add_one(f, row, plan.taken + CELL * taken)
        f.own("$bundle")
        f.put("local.get $s", f"i32.const {STEPS_PER_MOVE}")
        if one.kept is not None:
            f.put(f"local.get {one.kept}", "local.get $number")
            f.put(f"i32.const {len(option.parameters)}", "i32.mul", "i32.add")
            f.put("local.set $bundle")
            kept_arguments(f, machine, option, "$bundle")
        else:
            if one.listed is not None:
                f.put(f"local.get {one.listed}", "local.set $bundle")
                self.stops.find_bundle(f)
                f.put("local.get $bundle", "i32.load offset=4", f"local.set {one.low}")
            f.put(f"local.get {one.low}", "local.get $number", "i32.add", "local.set $number")
            arguments(f, machine, option, "$bundle", "$number")
        f.put(f"return_call $b{option.block}")

    # ---------------------------------------------------------------- chance

    def _draw(self, stop: p.Draw) -> str:
        f = self._begin(stop, stop)
        f.leave_if("global.get $usual", "i32.eqz")
        self._next_bits(f, ("i32.const 0",), self.stops.plan.streams)
        outcome = f.register(stop.register)
        if is_short(stop, self.stops.values.knowing):
            self._draw_at_once(f, stop)
        else:
            self.stops.sum_of_weights(f, stop)
            self._below(f, ("i32.const 0",), self.stops.plan.streams)
            self.stops.find_outcome(f, stop, None)
        f.put("local.get $s", "local.get $steps")
        if self.stops.machine.blocks[stop.block].registers:
            f.put(f"local.get {outcome}")
        f.put(f"return_call $b{stop.block}")
        return f.text()

    def _draw_at_once(self, f: UsualBody, stop: p.Draw) -> None:
        """The outcome is how many sums of the first weights are not more than the number."""
        sums = [f.new("sum") for _ in range(stop.count)]
        for i, total in enumerate(sums):
            f.known[stop.register] = i
            self.stops.values.value(f, stop.weight)
            if i:
                f.put(f"local.get {sums[i - 1]}", "i32.add")
            f.put(f"local.set {total}")
        f.known.pop(stop.register)
        f.put(f"local.get {sums[-1]}")
        self._below(f, ("i32.const 0",), self.stops.plan.streams)
        f.const(0)
        for total in sums[:-1]:
            f.put("local.get $number", f"local.get {total}", "i32.ge_u", "i32.add")
        f.set_register(stop.register)

    # ---------------------------------------------------------------- random numbers

    def _next_bits(self, f: UsualBody, stream: tuple[str, ...], offset: int) -> None:
        """The next bits of a stream, before it is known of how many things one is chosen: the
        processor works them out while it looks for these."""
        for name in ("$z", "$x", "$wide"):
            f.own(name, "i64")
        f.own("$number")
        f.put(*stream, f"i64.load offset={offset}", f"i64.const {STEP}", "i64.add")
        f.put("local.set $z", mixed("$z", "$x"))

    def _below(self, f: UsualBody, stream: tuple[str, ...], offset: int) -> None:
        """One of the things whose number is on the stack; from here on it is the usual case."""
        f.put("local.tee $number", "i64.extend_i32_u", "local.set $wide")
        f.leave_if("local.get $number", "i32.eqz")
        f.leave_if(is_unfair("$x", "$wide"))
        f.leave_if(*no_more_runs())
        f.put(upper("$x", "$wide"), "local.set $number")
        f.put(*stream, "local.get $z", f"i64.store offset={offset}")
        f.put("global.get $runs", "i32.const 1", "i32.add", "global.set $runs")

    # ---------------------------------------------------------------- regions

    def _region(self, stop: p.Region) -> str:
        """Asks the first who waits, if all who wait have a move. Who has one still has it when
        others have made theirs: the bits of such seats are in the global `able`."""
        f = self._begin(stop, stop, before="local.get $before")
        f.own("$before")
        machine = self.stops.machine
        f.put("local.get $s", f"i32.load offset={ME}", "local.tee $before", "global.set $me")
        f.leave_if("global.get $usual", "i32.eqz")
        chooses = asking(machine, stop)
        for seat in range(machine.seats):
            for one in seat_stops(machine):
                if one not in chooses:
                    f.leave_if(*self._is_at(seat, one))
                elif not self._is_sure(one):
                    self._look_for_move(f, seat, one)
        for seat in range(machine.seats):
            for one in chooses:
                f.put(*self._is_at(seat, one), "if")
                f.put("local.get $s", f"i32.const {seat}", f"i32.store offset={ME}")
                f.put("global.get $able", f"i32.const {~(1 << seat)}", "i32.and")
                f.put("global.set $able", "local.get $s", "local.get $steps")
                f.put(f"i32.const {seat}", f"return_call $usual_{one.number}", "end")
        f.fault()
        return f.text()

    def _is_at(self, seat: int, stop: p.Stop) -> tuple[str, ...]:
        point = f"i32.load offset={(p.POINTS + seat) * CELL}"
        return ("local.get $s", point, f"i32.const {stop.number + p.WAITING}", "i32.eq")

    def _is_sure(self, stop: p.Choose) -> bool:
        """Whether there is always a move: one of the first option."""
        option = stop.options[0]
        fixed = all(one.low == one.high and not one.checks for one in option.parameters)
        quiet = self.stops.values.knowing.quiet(*(one.low for one in option.parameters))
        return not option.guards and fixed and quiet

    def _look_for_move(self, f: UsualBody, seat: int, stop: p.Choose) -> None:
        f.put(*self._is_at(seat, stop), "global.get $able", f"i32.const {1 << seat}", "i32.and")
        f.put("i32.eqz", "i32.and", "if")
        f.put("local.get $s", f"i32.const {seat}", f"i32.store offset={ME}")
        f.put("local.get $s", f"i32.const {STEPS_PER_MOVE}", f"call $any_{stop.number}")
        f.leave_if("i32.const 1", "i32.ne")
        f.put("global.get $able", f"i32.const {1 << seat}", "i32.or", "global.set $able", "end")


def is_range(option: p.Option) -> bool:
    """Whether the moves of an option are a range of its one parameter, or a single move."""
    return len(option.parameters) <= 1 and not any(one.checks for one in option.parameters)
