"""Values as Python expressions, with statements before them where an expression is not enough.

A value is pure, so it may be written down in any order; what counts is the result and how many
steps are paid. `s` is the record, `n` the number of steps that are left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from attrs import define, evolve

from rulesdsl.engines.python.folds import Folds
from rulesdsl.engines.python.measure import collected, is_truth
from rulesdsl.engines.python.texts import (
    ARITHMETIC,
    COMPARE,
    KNOWN,
    OPPOSITE,
    Text,
    in_brackets,
    is_cheap,
    word_of,
)
from rulesdsl.machine.program import (
    And,
    Cell,
    Checked,
    Choice,
    Fold,
    K,
    Not,
    Op,
    Or,
    R,
    Row,
    Value,
    With,
)


@define
class Values(Folds):
    """Writes values."""

    # ---------------------------------------------------------------- numbers

    def number(self, v: Value) -> Text:
        """The value as a number."""
        if is_truth(v):
            found = self.truth(v)
            return found if isinstance(found, int) else f"(1 if {found} else 0)"
        match v:
            case K():
                return v.value
            case R():
                return self._register(v.number)
            case Cell():
                return self.cell(self.address(v))
            case Row():
                return self._row(v)
            case Op():
                return self._operation(v)
            case Choice():
                return self._choice(v, self.number)
            case With():
                return self._with(v, self.number)
            case Checked():
                return self._checked(v, self.number)
            case Fold():
                return self.fold(v)
            case And() | Or() | Not():
                raise AssertionError("these are truths")
            case _:
                assert_never(v)

    def _register(self, number: int) -> Text:
        if number in self.parts:
            return self.parts[number].number()
        return self.bound.get(number, f"r{number}")

    def operand(self, v: Value) -> Text:
        """The value in arithmetic, where a truth of Python is as good as 1 or 0."""
        bare = isinstance(v, Not) or (isinstance(v, Op) and v.op in COMPARE)
        return self.truth(v) if bare else self.number(v)

    def address(self, c: Cell) -> Text:
        """Where a cell lies."""
        c = collected(c)
        match c.terms:
            case ((Row(checked=False) as row, stride),):
                # the row tells the places themselves
                places = tuple(number * stride + c.base for number in row.data)
                return self._row(evolve(row, data=places))
        base, parts = c.base, []
        for index, stride in c.terms:
            found = self.operand(index)
            if isinstance(found, int):
                base += found * stride
            else:
                parts.append(found if stride == 1 else f"{found} * {stride}")
        if not parts:
            return base
        return " + ".join([*parts, str(base)] if base else parts)

    def _row(self, v: Row) -> Text:
        match v.index:
            case Op("add", Op("mul", x, K(width)), K() | R() as within) if not v.checked:
                column = self.number(within)
                if isinstance(column, int) and 0 <= column < width and not len(v.data) % width:
                    v = evolve(v, data=v.data[column::width], index=x)
        match v.index:
            case R(number) if number in self.parts and not v.checked:
                variable = self.parts[number].column(v.data)
                if variable is not None:
                    return variable
        index, length = self.number(v.index), len(v.data)
        if isinstance(index, int):
            known = 0 <= index < length or (not v.checked and -length <= index < length)
            return v.data[index] if known else "stuck()"
        name = self.constants.name(word_of(v.name), v.data, (v.name, v.data))
        if not v.checked:
            return f"{name}[{index}]"
        if index.isidentifier():
            return f"({name}[{index}] if 0 <= {index} < {length} else stuck())"
        held = self.temporary()
        return f"({name}[{held}] if 0 <= ({held} := {index}) < {length} else stuck())"

    def _operation(self, v: Op) -> Text:
        if v.op in ("min", "max"):
            left, right = self.number(v.left), self.number(v.right)
        else:
            left, right = self.operand(v.left), self.operand(v.right)
        if isinstance(left, int) and isinstance(right, int) and v.op in KNOWN:
            return KNOWN[v.op](left, right)
        match v.op:
            case "min" | "max":
                return self._extreme_of_two(v.op, left, right)
            case "ceildiv":
                return f"(-(-{in_brackets(left)} // {in_brackets(right)}))"
            case _:
                sign = ARITHMETIC[v.op]
                return f"({in_brackets(left)} {sign} {in_brackets(right)})"

    def _extreme_of_two(self, op: str, left: Text, right: Text) -> str:
        sign, words = "<" if op == "min" else ">", []
        for text in (left, right):
            held = text
            if not (isinstance(text, int) or text.isidentifier()):
                held = self.temporary()
                text = f"({held} := {text})"
            words.append((text, held))
        (a, kept_a), (b, kept_b) = words
        return f"({kept_a} if {a} {sign} {b} else {kept_b})"

    # ---------------------------------------------------------------- truths

    def truth(self, v: Value, opposite: bool = False) -> Text:
        """The value as a condition, 1 or 0 where it is known; or the opposite of it."""
        match v:
            case Not():
                return self.truth(v.operand, not opposite)
            case Op() if v.op in COMPARE:
                op = OPPOSITE[v.op] if opposite else v.op
                left, right = self.operand(v.left), self.operand(v.right)
                if isinstance(left, int) and isinstance(right, int):
                    return KNOWN[op](left, right)
                return f"({in_brackets(left)} {COMPARE[op]} {in_brackets(right)})"
            case _:
                found = self._truth(v)
        if isinstance(found, int):
            return int(bool(found) is not opposite)
        return f"(not {found})" if opposite else found

    def _truth(self, v: Value) -> Text:
        match v:
            case And():
                return self._both(v, "and", stops_at=0)
            case Or():
                return self._both(v, "or", stops_at=1)
            case Choice():
                return self._choice(v, self.truth)
            case With():
                return self._with(v, self.truth)
            case Checked():
                return self._checked(v, self.truth)
            case Fold() if v.op in ("any", "all"):
                return self.quantifier(v)
            case _:
                return self.number(v)

    def _both(self, v: And | Or, word: str, stops_at: int) -> Text:
        left = self.truth(v.left)
        if isinstance(left, int):
            return stops_at if left == stops_at else self.truth(v.right)
        if self.hoists and not self.plain(v.right):
            name = self.temporary()
            self.writer.put(f"{name} = {stops_at}")
            with self.arm(f"if {left}:" if word == "and" else f"if not {left}:"):
                self.writer.put(f"{name} = {self.truth(v.right)}")
            return name
        right = self.unsure(lambda: self.truth(v.right), truth=True)
        if isinstance(right, int) and right != stops_at:
            return left
        return f"({left} {word} {right})"

    # ---------------------------------------------------------------- both at once

    def _choice(self, v: Choice, write: Callable[[Value], Text]) -> Text:
        condition = self.truth(v.condition)
        if isinstance(condition, int):
            return write(v.then if condition else v.otherwise)
        if self.hoists and not (self.plain(v.then) and self.plain(v.otherwise)):
            name = self.temporary()
            for head, arm in ((f"if {condition}:", v.then), ("else:", v.otherwise)):
                with self.arm(head):
                    self.writer.put(f"{name} = {write(arm)}")
            return name
        truth = write == self.truth
        then = self.unsure(lambda: write(v.then), truth)
        other = self.unsure(lambda: write(v.otherwise), truth)
        return f"({then} if {condition} else {other})"

    def _with(self, v: With, write: Callable[[Value], Text]) -> Text:
        held, variable = self.number(v.value), f"r{v.register}"
        before = self.bound.pop(v.register, None)
        if isinstance(held, int) or is_cheap(held):
            self.bound[v.register] = held
            text = write(v.body)
        elif self.hoists:
            self.writer.put(f"{variable} = {held}")
            text = write(v.body)
        else:
            text = write(v.body)
            if not isinstance(text, int):
                text = f"({variable} := {held}, {text})[1]"
        self.bound.pop(v.register, None)
        if before is not None:
            self.bound[v.register] = before
        return text

    def _checked(self, v: Checked, write: Callable[[Value], Text]) -> Text:
        condition = self.truth(v.condition)
        if isinstance(condition, int):
            return write(v.value) if condition else "stuck()"
        if not self.hoists:
            return f"({write(v.value)} if {condition} else stuck())"
        with self.writer.inside(f"if not {condition}:"):
            self.writer.put("raise Stuck")
        return write(v.value)

    def plain(self, v: Value) -> bool:
        """Whether it can be written without statements before it."""
        match v:
            case K() | R():
                return True
            case Cell():
                return all(self.plain(index) for index, _ in v.terms)
            case Row():
                return self.plain(v.index)
            case Op() | And() | Or():
                return self.plain(v.left) and self.plain(v.right)
            case Not():
                return self.plain(v.operand)
            case Choice():
                return all(map(self.plain, (v.condition, v.then, v.otherwise)))
            case With():
                return self.plain(v.value) and self.plain(v.body)
            case Checked():
                return self.plain(v.condition) and self.plain(v.value)
            case Fold():
                return self.is_plain_fold(v)
            case _:
                assert_never(v)
