"""Policies: of the moves that are listed those that a bot prefers."""

from __future__ import annotations

from attrs import define

from rulesdsl.engines.wasm.bounds import Bound, bound_of
from rulesdsl.engines.wasm.folds import is_greater
from rulesdsl.engines.wasm.memory import BUNDLE_HEAD, Plan
from rulesdsl.engines.wasm.values import CELL, Values
from rulesdsl.engines.wasm.writing import Body, Sites
from rulesdsl.machine.policy import Policy, Preference
from rulesdsl.machine.program import Choose
from rulesdsl.text.limits import STEPS_PER_MOVE


@define(eq=False)
class Policies:
    """Writes for each policy P and stop K the function `$prefer_P_K(s, me, end)`.

    Of the bundles that are listed up to `end` it writes those of the first preference that
    leaves any, and leaves their number in the global `total`. It returns 0, or a fault.
    """

    values: Values
    sites: Sites
    plan: Plan

    def function(self, index: int, policy: Policy, stop: Choose) -> str:
        """What a policy prefers at a stop."""
        f = Body(self.sites, f"$prefer_{index}_{stop.number}", ("$s", f"$r{policy.me}", "$end"))
        for name in ("$n", "$from", "$out", "$total", "$low", "$high", "$x"):
            f.own(name)
        for preference in policy.preferences[stop.number]:
            number = next(i for i, o in enumerate(stop.options) if o is preference.option)
            _Preferring(self, f, preference, number).preference()
        f.put("i32.const 0", "return")
        return f.text()


@define(eq=False)
class _Preferring:
    """One preference: the function returns if any move is left."""

    policies: Policies
    f: Body
    said: Preference
    number: int

    def preference(self) -> None:
        f, plan = self.f, self.policies.plan
        next_ = f.label("next")
        f.put(f";; {self.said.option.name}", f"block {next_}")
        f.put(f"i32.const {STEPS_PER_MOVE}", "local.set $n")
        self._find_first(next_)
        if self.said.only_if is not None:
            self.policies.values.value(f, self.said.only_if)
            f.pay()
            f.put("i32.eqz", f"br_if {next_}")
        bounds = self._bounds()
        f.put(f"i32.const {plan.preferred}", "local.set $out", "i32.const 0", "local.set $total")
        pairs = [(f.new("new"), f.new("best")) for _ in self.said.by]
        each, skip = f.label("each"), f.label("skip")
        f.put(f"loop {each}", f"block {skip}", *self._is_mine(), "i32.eqz", f"br_if {skip}")
        self._cut(bounds, skip)
        bound = self._last_bound()
        if bound is not None:
            self._cut_to(bound, skip)
        if bound is not None or (self.said.where is None and not self.said.by):
            self._add("local.get $low", "local.get $high")
        else:
            self._best(pairs)
        f.put("end", "local.get $from", f"i32.const {plan.bundle}", "i32.add", "local.tee $from")
        f.put("local.get $end", "i32.lt_u", f"br_if {each}", "end")
        f.put("local.get $total", "i32.eqz", f"br_if {next_}")
        f.put("local.get $total", "global.set $total", "i32.const 0", "return", "end")

    def _is_mine(self) -> tuple[str, ...]:
        return ("local.get $from", "i32.load", f"i32.const {self.number}", "i32.eq")

    def _find_first(self, next_: str) -> None:
        """The first bundle of the option."""
        f, plan = self.f, self.policies.plan
        here, scan = f.label("here"), f.label("scan")
        f.put(f"i32.const {plan.listed}", "local.set $from", f"block {here}", f"loop {scan}")
        f.put("local.get $from", "local.get $end", "i32.ge_u", f"br_if {next_}")
        f.put(*self._is_mine(), f"br_if {here}")
        f.put("local.get $from", f"i32.const {plan.bundle}", "i32.add", "local.set $from")
        f.put(f"br {scan}", "end", "end")

    def _bounds(self) -> dict[int, tuple[str, str]]:
        """The locals with the least and greatest values that registers may have."""
        f, values = self.f, self.policies.values
        found: dict[int, tuple[str, str]] = {}
        for wanted in self.said.wanted:
            least, most, within = f.new("least"), f.new("most"), f.new("within")
            values.value(f, wanted.value)
            f.put(f"local.tee {least}", f"local.set {most}")
            if wanted.within is not None:
                values.value(f, wanted.within)
                f.put(f"local.set {within}")
                f.put(f"local.get {least}", f"local.get {within}", "i32.sub", f"local.set {least}")
                f.put(f"local.get {most}", f"local.get {within}", "i32.add", f"local.set {most}")
            found[wanted.register] = least, most
        f.pay()
        return found

    def _cut(self, bounds: dict[int, tuple[str, str]], skip: str) -> None:
        """The parameters of a bundle in their registers, its range cut to what may be."""
        f = self.f
        parameters = self.said.option.parameters
        for place, parameter in enumerate(parameters[:-1]):
            register = f.register(parameter.register)
            f.put("local.get $from", f"i32.load offset={(BUNDLE_HEAD + place) * CELL}")
            f.put(f"local.set {register}")
            if parameter.register in bounds:
                least, most = bounds[parameter.register]
                f.put(f"local.get {register}", f"local.get {least}", "i32.lt_s", f"br_if {skip}")
                f.put(f"local.get {register}", f"local.get {most}", "i32.gt_s", f"br_if {skip}")
        f.put("local.get $from", "i32.load offset=4", "local.set $low")
        f.put("local.get $from", "i32.load offset=8", "local.set $high")
        if parameters and parameters[-1].register in bounds:
            least, most = bounds[parameters[-1].register]
            self._at_least(least)
            self._at_most(most)
            f.put("local.get $low", "local.get $high", "i32.gt_s", f"br_if {skip}")

    def _at_least(self, least: str) -> None:
        pair = ("local.get $low", f"local.get {least}")
        self.f.put(*pair, *pair, "i32.gt_s", "select", "local.set $low")

    def _at_most(self, most: str) -> None:
        pair = ("local.get $high", f"local.get {most}")
        self.f.put(*pair, *pair, "i32.lt_s", "select", "local.set $high")

    def _last_bound(self) -> Bound | None:
        """What `where` says of the last parameter, if it says no more, and one move that is left
        is as good as another."""
        parameters = self.said.option.parameters
        if self.said.where is None or self.said.by or not parameters:
            return None
        return bound_of(self.said.where, parameters[-1].register)

    def _cut_to(self, bound: Bound, skip: str) -> None:
        """The range of a bundle, in which some move is, cut by what is asked once."""
        f, limit = self.f, self.f.new("limit")
        f.put(f"i32.const {STEPS_PER_MOVE}", "local.set $n")
        self.policies.values.value(f, bound.value)
        f.put(f"local.set {limit}")
        f.pay()
        if bound.is_least:
            self._at_least(limit)
        else:
            self._at_most(limit)
        f.put("local.get $low", "local.get $high", "i32.gt_s", f"br_if {skip}")

    def _best(self, pairs: list[tuple[str, str]]) -> None:
        """Those of the moves for which `where` holds that are at least as good as all before."""
        f, values, said = self.f, self.policies.values, self.said
        again, worse = f.label("again"), f.label("worse")
        f.put("local.get $low", "local.set $x", f"loop {again}", f"block {worse}")
        f.put(f"i32.const {STEPS_PER_MOVE}", "local.set $n")
        if said.option.parameters:
            f.put("local.get $x")
            f.set_register(said.option.parameters[-1].register)
        if said.where is not None:
            values.value(f, said.where)
            f.pay()
            f.put("i32.eqz", f"br_if {worse}")
        for (new, _), key in zip(pairs, said.by, strict=True):
            values.value(f, key)
            f.put(f"local.set {new}")
        f.pay()
        if pairs:
            self._compare(pairs, worse)
        self._add("local.get $x", "local.get $x")
        f.put("end", "local.get $x", "i32.const 1", "i32.add", "local.tee $x")
        f.put("local.get $high", "i32.le_s", f"br_if {again}", "end")

    def _compare(self, pairs: list[tuple[str, str]], worse: str) -> None:
        """Leave with a worse move; a better one is the first again."""
        f = self.f
        f.put("local.get $total", "i32.eqz")
        is_greater(f, pairs)
        f.put("i32.or", "if")
        for new, best in pairs:
            f.put(f"local.get {new}", f"local.set {best}")
        f.put(f"i32.const {self.policies.plan.preferred}", "local.set $out")
        f.put("i32.const 0", "local.set $total", "else")
        for new, best in pairs:
            f.put(f"local.get {new}", f"local.get {best}", "i32.ne", f"br_if {worse}")
        f.put("end")

    def _add(self, low: str, high: str) -> None:
        """Write a bundle."""
        f = self.f
        before = [f"local.get {f.register(p.register)}" for p in self.said.option.parameters[:-1]]
        for place, number in enumerate((f"i32.const {self.number}", low, high, *before)):
            f.put("local.get $out", number, f"i32.store offset={place * CELL}")
        f.put("local.get $out", f"i32.const {self.policies.plan.bundle}", "i32.add")
        f.put("local.set $out", "local.get $total", high, low, "i32.sub", "i32.const 1", "i32.add")
        f.put("i32.add", "local.set $total")
