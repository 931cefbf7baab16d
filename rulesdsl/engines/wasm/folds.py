"""Folds and loops: as loops, or written out round by round where they are short."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from attrs import define, evolve

from rulesdsl.engines.wasm.held import Names, always_read, are_free, is_free
from rulesdsl.engines.wasm.knowing import CHEAP, Knowing, fixed_rounds
from rulesdsl.engines.wasm.settled import Settled, settled
from rulesdsl.engines.wasm.writing import Body
from rulesdsl.machine.program import Fold, Loop, Value
from rulesdsl.text.source import Span

PLAIN = 32
"""Pieces that a quantifier may have in all its rounds to be worked out without a branch."""
FREE = 24
"""Pieces that values may have together to be worked out although they may not be needed."""
LEAST, GREATEST = -(2**31), 2**31 - 1


@define(eq=False)
class Folds(ABC):
    """Writes folds into functions; whoever knows all values fills in what is missing here."""

    knowing: Knowing

    @abstractmethod
    def value(self, f: Body, v: Value) -> None:
        """The value, on the stack."""

    @abstractmethod
    def truth(self, f: Body, v: Value) -> None:
        """1 if the value is not 0."""

    def fold(self, f: Body, v: Fold) -> None:
        """The fold, on the stack."""
        match v.op:
            case "sum" | "count":
                self._sum(f, v)
            case "any":
                self._quantifier(f, v, stops_at=True)
            case "all":
                self._quantifier(f, v, stops_at=False)
            case "max" | "min":
                self._extreme(f, v)
            case "first":
                self._first(f, v)
            case "best":
                self._best(f, v)
            case other:
                raise ValueError(other)

    # ---------------------------------------------------------------- rounds

    def rounds(
        self,
        f: Body,
        loop: Fold | Loop,
        span: Span,
        where: Value | None,
        inside: tuple[object, ...],
        each: Callable[[], None],
    ) -> None:
        """Put what `each` writes once for each member of the domain, the register set to it.

        All that `each` may write is `inside`; before it leaves a loop it has to pay.
        """
        quiet = self.knowing.quiet(where, *inside)
        fixed = fixed_rounds(loop, f.known)
        if fixed is not None:
            f.owe(max(len(fixed), 1), span)
            size = self.knowing.of((where, *inside)).size
            if self.knowing.is_short(len(fixed), size):
                if not quiet:
                    f.pay()
                for x in fixed:
                    f.known[loop.register] = x
                    self._round(f, where, each, quiet)
                f.known.pop(loop.register, None)
                return
        k, end, over, again = f.new("k"), f.new("end"), f.label("over"), f.label("again")
        self.value(f, loop.low)
        f.put(f"local.set {k}")
        self.value(f, loop.high)
        f.put(f"local.set {end}")
        if fixed is None:
            self._pay_rounds(f, k, end, span)
        if not quiet:
            f.pay()
        pair = (f"local.get {k}", f"local.get {end}")
        f.put(f"block {over}", *pair, "i32.ge_s", f"br_if {over}", f"loop {again}")
        f.put(f"local.get {k}")
        f.set_register(loop.register)
        self._round(f, where, each, quiet)
        if not quiet:
            f.pay()
        f.put(f"local.get {k}", "i32.const 1", "i32.add", f"local.tee {k}", f"local.get {end}")
        f.put("i32.lt_s", f"br_if {again}", "end", "end")

    def _pay_rounds(self, f: Body, low: str, high: str, span: Span) -> None:
        cost = f.new("cost")
        f.put(f"local.get {high}", f"local.get {low}", "i32.sub", f"local.tee {cost}")
        f.put("i32.const 1", f"local.get {cost}", "i32.const 1", "i32.gt_s", "select")
        f.put(f"local.set {cost}")
        f.pay_local(cost, span)

    def _round(self, f: Body, where: Value | None, each: Callable[[], None], quiet: bool) -> None:
        if where is None:
            each()
            return
        skip = f.label("skip")
        f.put(f"block {skip}")
        self.value(f, where)
        if not quiet:
            f.pay()
        f.put("i32.eqz", f"br_if {skip}")
        each()
        if not quiet:
            f.pay()
        f.put("end")

    def _members(self, f: Body, v: Fold, each: Callable[[], None]) -> None:
        inside = tuple(part for part in (v.body, v.weight, *v.keys) if part is not None)
        self.rounds(f, v, v.span, v.where, inside, each)

    # ---------------------------------------------------------------- the folds

    def _sum(self, f: Body, v: Fold) -> None:
        once = settled(v)
        if once is None or not self._can_be_settled(f, once):
            at_once = v.where is not None and self._needs_no_branch(f, v, v.where)
            self._add_up(f, v, at_once)
            return
        fast = once.fold
        self.value(f, once.condition)
        each = (lambda: self._add_up(f, fast, True), lambda: self._add_up(f, v, False))
        f.ways(False, *each, " (result i32)")

    def _can_be_settled(self, f: Body, once: Settled) -> bool:
        """Whether a sum is worth to be written twice, for checks that hold and that do not."""
        v, names = once.fold, Names(f.known, f.same)
        parts, where = (once.worked_out, v.weight), v.where
        if self.knowing.of(parts).size > FREE or not is_free(once.condition, names, f.held):
            return False
        return where is None or are_free(
            parts, v, names, lambda names: [*f.held, *always_read(where, names)]
        )

    def _add_up(self, f: Body, v: Fold, at_once: bool) -> None:
        """The sum; `at_once` without a branch for members that do not count."""
        total = f.new("sum")
        f.put("i32.const 0", f"local.set {total}")

        def each() -> None:
            f.put(f"local.get {total}")
            if v.op == "sum":
                self.value(f, v.body)
            else:
                f.const(1)
            if v.weight is not None:
                self.value(f, v.weight)
                f.put("i32.mul")
            if at_once and v.where is not None:
                f.const(0)
                self.value(f, v.where)
                f.put("select")
            f.put("i32.add", f"local.set {total}")

        self._members(f, evolve(v, where=None) if at_once else v, each)
        f.put(f"local.get {total}")

    def _needs_no_branch(self, f: Body, v: Fold, where: Value) -> bool:
        """Whether what is added may be worked out for members that do not count too: a branch
        that the processor cannot foresee takes longer."""
        parts = (v.body if v.op == "sum" else None, v.weight)
        if not self.knowing.quiet(where, *parts) or self.knowing.of(parts).size > 2 * CHEAP:
            return False
        names = Names(f.known, f.same)
        return are_free(parts, v, names, lambda names: [*f.held, *always_read(where, names)])

    def _quantifier(self, f: Body, v: Fold, stops_at: bool) -> None:
        rounds = fixed_rounds(v, f.known)
        if rounds is not None and self._is_plain(f, v, len(rounds)):
            self._all_rounds(f, v, rounds, stops_at)
            return
        found = f.label("found")
        f.put(f"block {found} (result i32)")

        def each() -> None:
            f.const(int(stops_at))
            self.value(f, v.body)
            f.put(*([] if stops_at else ["i32.eqz"]))
            if not self.knowing.quiet(v.body):
                f.pay()
            f.put(f"br_if {found}", "drop")

        self._members(f, v, each)
        f.const(int(not stops_at))
        f.put("end")

    def _is_plain(self, f: Body, v: Fold, rounds: int) -> bool:
        """Whether all members may be asked, although the first ones may decide it."""
        size = self.knowing.of((v.where, v.body)).size
        short = size <= CHEAP and rounds * size <= PLAIN
        names = Names(f.known, f.same)
        return short and are_free((v.where, v.body), v, names, lambda _: f.held)

    def _all_rounds(self, f: Body, v: Fold, rounds: range, stops_at: bool) -> None:
        f.owe(max(len(rounds), 1), v.span)
        f.const(0)
        for x in rounds:
            f.known[v.register] = x
            self.truth(f, v.body)
            f.put(*([] if stops_at else ["i32.eqz"]))
            if v.where is not None:
                self.truth(f, v.where)
                f.put("i32.and")
            f.put("i32.or")
        f.known.pop(v.register, None)
        f.put(*([] if stops_at else ["i32.eqz"]))

    def _empty(self, f: Body, v: Fold) -> None:
        """The value of the empty domain, on the stack."""
        if v.empty is None:
            f.fault("empty", v.span)
        else:
            self.value(f, v.empty)

    def _or_empty(self, f: Body, v: Fold, some: str, found: str) -> None:
        """What was found if there was something, else the value of the empty domain."""
        if v.empty is None:
            with f.checking("empty", v.span):
                f.put(f"local.get {some}")
            f.put(f"local.get {found}")
            return
        if not self.knowing.quiet(v.empty):
            f.pay()
        f.put(f"local.get {some}", "if (result i32)", f"local.get {found}", "else")
        self.value(f, v.empty)
        f.pay() if not self.knowing.quiet(v.empty) else None
        f.put("end")

    def _extreme(self, f: Body, v: Fold) -> None:
        best, some, new = f.new("best"), f.new("some"), f.new("new")
        worst, better = (LEAST, "i32.gt_s") if v.op == "max" else (GREATEST, "i32.lt_s")
        f.put(f"i32.const {worst}", f"local.set {best}", "i32.const 0", f"local.set {some}")

        def each() -> None:
            self.value(f, v.body)
            pair = (f"local.tee {new}", f"local.get {best}", f"local.get {new}")
            f.put(*pair, f"local.get {best}", better, "select", f"local.set {best}")
            f.put("i32.const 1", f"local.set {some}")

        self._members(f, v, each)
        self._or_empty(f, v, some, best)

    def _first(self, f: Body, v: Fold) -> None:
        found = f.label("found")
        f.put(f"block {found} (result i32)")

        def each() -> None:
            self.value(f, v.body)
            if not self.knowing.quiet(v.body):
                f.pay()
            f.put(f"br {found}")

        self._members(f, v, each)
        self._empty(f, v)
        if v.empty is not None and not self.knowing.quiet(v.empty):
            f.pay()
        f.put("end")

    def _best(self, f: Body, v: Fold) -> None:
        some, image = f.new("some"), f.new("image")
        pairs = [(f.new("new"), f.new("best")) for _ in v.keys]
        f.put("i32.const 0", f"local.set {some}")

        def each() -> None:
            for (new, _), key in zip(pairs, v.keys, strict=True):
                self.value(f, key)
                f.put(f"local.set {new}")
            if not self.knowing.quiet(v.body):
                f.pay()
            f.put(f"local.get {some}", "i32.eqz")
            is_greater(f, pairs)
            f.put("i32.or", "if")
            for new, best in pairs:
                f.put(f"local.get {new}", f"local.set {best}")
            self.value(f, v.body)
            f.put(f"local.set {image}", "i32.const 1", f"local.set {some}")
            if not self.knowing.quiet(v.body):
                f.pay()
            f.put("end")

        self._members(f, v, each)
        self._or_empty(f, v, some, image)


def is_greater(f: Body, pairs: list[tuple[str, str]]) -> None:
    """Whether the first locals of the pairs are greater than the second, the first pair first."""
    f.const(0)
    for new, best in reversed(pairs):
        f.put(f"local.get {new}", f"local.get {best}", "i32.eq", "i32.and")
        f.put(f"local.get {new}", f"local.get {best}", "i32.gt_s", "i32.or")
