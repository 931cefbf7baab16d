"""What happens at stops where several act: in the order of their seats."""

from __future__ import annotations

from typing import assert_never

from attrs import define

from rulesdsl.engines.wasm.memory import ASK, SETTLE
from rulesdsl.engines.wasm.stops import ME, Stops
from rulesdsl.engines.wasm.values import CELL
from rulesdsl.engines.wasm.writing import Body
from rulesdsl.machine import program as p
from rulesdsl.text.limits import STEPS_PER_MOVE


def seat_stops(machine: p.Machine) -> tuple[p.Choose | p.Draw, ...]:
    """The stops at which seats wait inside regions: those that are put into their points."""
    found: set[int] = set()
    points = range(p.POINTS, p.POINTS + machine.seats)

    def look(code: tuple[p.Code, ...]) -> None:
        for c in code:
            match c:
                case p.Set(p.Cell(base, _), p.K(number)) if base in points and number >= p.WAITING:
                    found.add(number - p.WAITING)
                case p.Cond():
                    look(c.then + c.otherwise)
                case p.Loop() | p.While():
                    look(c.body)
                case p.Set() | p.Reg() | p.Check() | p.Clear() | p.Note():
                    pass
                case _:
                    assert_never(c)

    for block in machine.blocks:
        look(block.code)
    stops = (machine.stops[number] for number in sorted(found))
    return tuple(stop for stop in stops if isinstance(stop, (p.Choose, p.Draw)))


@define(eq=False)
class Region:
    """Writes the function `$rest_K(s)` of a stop at which all act who are not done."""

    stops: Stops
    stop: p.Region

    def text(self) -> str:
        """Chance first, then those without an option; then the first of the others is asked."""
        f = self.stops.body(f"$rest_{self.stop.number}")
        f.own("$player")
        f.own("$has")
        waiting = seat_stops(self.stops.machine)
        draws = [one for one in waiting if isinstance(one, p.Draw)]
        chooses = [
            one for one in waiting if isinstance(one, p.Choose) and one.region == self.stop.region
        ]
        f.put("local.get $s", f"i32.load offset={ME}", "global.set $me")
        for seat in range(self.stops.machine.seats) if draws else ():
            for draw in draws:
                self._if_at(f, seat, draw)
                f.put("global.get $mode", f"i32.const {SETTLE}", "i32.lt_s")
                f.put("if", f"i32.const {ASK}", "return", "end")
                self._run_as(f, seat)
                f.put("local.get $s", f"return_call $draw_{draw.number}", "end")
        for seat in range(self.stops.machine.seats):
            for choose in chooses:
                self._pass_over(f, seat, choose)
        for seat in range(self.stops.machine.seats):
            for choose in chooses:
                self._if_at(f, seat, choose)
                self._run_as(f, seat)
                f.put("local.get $s", f"i32.const {seat}", f"return_call $ask_{choose.number}")
                f.put("end")
        return f.text()

    def _if_at(self, f: Body, seat: int, stop: p.Stop) -> None:
        f.put("local.get $s", f"i32.load offset={(p.POINTS + seat) * CELL}")
        f.put(f"i32.const {stop.number + p.WAITING}", "i32.eq", "if")

    def _run_as(self, f: Body, seat: int) -> None:
        f.put("local.get $s", f"i32.const {seat}", f"i32.store offset={ME}")

    def _pass_over(self, f: Body, seat: int, choose: p.Choose) -> None:
        """On for the seat if it has no option; else as before."""
        self._if_at(f, seat, choose)
        self._run_as(f, seat)
        f.put("local.get $s", f"i32.const {STEPS_PER_MOVE}", f"call $any_{choose.number}")
        f.put("local.tee $has", "i32.eqz", "if", f"i32.const {seat}", "local.set $player")
        self.stops.otherwise(f, choose)
        f.put("end", "local.get $s", "global.get $me", f"i32.store offset={ME}")
        f.put("local.get $has", "i32.const 0", "i32.lt_s", "if", "local.get $has", "return", "end")
        f.put("end")
