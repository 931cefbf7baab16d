"""Texts against the grammar: what it makes of them, or where it stops."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import TypeAlias

from attrs import define

from rulesdsl.syntax.stops import Stop, stop_at
from rulesdsl.syntax.table import END, SIGN, Rule, Table, table
from rulesdsl.text.problems import InternalError

_PIECE = re.compile(
    rf"[ \t]*(?:(?P<NAME>[^\W\d_]\w*)|(?P<INT>[0-9]{{1,9}}(?!\w))|(?P<sign>{SIGN})|(?P<END>\Z)|)"
)
"""The next piece of a text: a word, a number, a sign, or its end."""


class Token(str):
    """A piece of a text that the grammar knows, from `start` to `end`."""

    __slots__ = ("end", "start")
    start: int
    end: int

    @classmethod
    def of(cls, text: str, start: int, end: int) -> Token:
        """This piece of the text."""
        token = cls(text[start:end])
        token.start, token.end = start, end
        return token


@define(eq=False)
class Tree:
    """What a rule of the grammar made of a piece of text; `start` is -1 if the piece is empty."""

    data: str
    children: list[Child]
    start: int
    end: int


Child: TypeAlias = "Tree | Token | None"
Made: TypeAlias = "tuple[Child, int, int]"
"""What was made of a piece of text, with all the piece: a tree has no brackets around it."""


class Stopped(Exception):
    """The grammar goes on no further: the place, and the terminals that may stand there."""

    def __init__(self, position: int, accepts: Collection[str]) -> None:
        self.position = position
        self.accepts = accepts
        super().__init__(f"at {position}")


@lru_cache(maxsize=2_000)
def tree_of(start: str, text: str) -> Tree:
    """What the grammar makes of a text. Many texts stand in a file more than once."""
    known = table()
    states, rules, end_state = known.states, known.rules, known.ends[start]
    stack, made = [known.starts[start]], list[Made]()
    position = 0
    while True:
        terminal, begin, position = _piece(known, states[stack[-1]], text, position)
        while (to := states[stack[-1]].get(terminal)) is not None and to < 0:
            rule = rules[~to]
            _end(rule, made)
            del stack[len(stack) - rule.size :]
            stack.append(states[stack[-1]][rule.origin])
            if terminal == END and stack[-1] == end_state:
                return _tree(made[-1][0])
        if to is None:
            raise Stopped(begin, _accepted(known, stack, end_state))
        stack.append(to)
        made.append((Token.of(text, begin, position), begin, position))


def _piece(known: Table, follows: dict[str, int], text: str, position: int) -> tuple[str, int, int]:
    """The terminal that stands next where these may follow, its start and its end; "" if none."""
    match = _PIECE.match(text, position)
    assert match is not None
    kind = match.lastgroup
    begin, end = match.span(kind) if kind else (match.end(), match.end())
    for name, longer in known.longer.items():
        # the expressions stay compiled: re keeps the last hundreds
        if name in follows and (found := re.compile(longer).match(text, begin)):
            return name, begin, found.end()
    match kind:
        case "NAME":
            terminal = known.words.get(text[begin:end], kind)
            return (terminal if terminal in follows else kind), begin, end
        case "sign":
            terminal = known.words.get(text[begin:end], "")
            if terminal not in follows:
                terminal, end = known.words.get(text[begin], ""), begin + 1
            return terminal, begin, end
        case "INT":
            return kind, begin, end
        case "END":
            return END, begin, end
        case _:
            return "", begin, end


def _end(rule: Rule, made: list[Made]) -> None:
    """The parts of a rule, which are made last, become what it makes of them."""
    if rule.passes:
        return
    first = len(made) - rule.size
    parts = made[first:]
    del made[first:]
    spans = [part for part in parts if part[1] >= 0]
    begin, end = (spans[0][1], spans[-1][2]) if spans else (-1, -1)
    children: list[Child] = []
    for index, inlined, absent in rule.kept:
        children += [None] * absent
        child = parts[index][0]
        if inlined:
            children += _tree(child).children
        else:
            children.append(child)
    children += [None] * rule.absent
    alone = rule.single and len(children) == 1
    one = children[0] if alone else Tree(rule.name, children, begin, end)
    made.append((one, begin, end))


def _tree(child: Child) -> Tree:
    if not isinstance(child, Tree):
        raise InternalError(f"the grammar makes {child!r} where a tree belongs")
    return child


def _accepted(known: Table, stack: list[int], end_state: int) -> set[str]:
    """The terminals that may stand where the automaton has come to."""
    return {name for name in known.states[stack[-1]] if _goes_on(known, [*stack], end_state, name)}


def _goes_on(known: Table, stack: list[int], end_state: int, terminal: str) -> bool:
    if not terminal.isupper():
        return False
    while (to := known.states[stack[-1]].get(terminal)) is not None and to < 0:
        rule = known.rules[~to]
        del stack[len(stack) - rule.size :]
        stack.append(known.states[stack[-1]][rule.origin])
        if terminal == END and stack[-1] == end_state:
            return True
    return to is not None


def depth(node: Tree) -> int:
    """How deep the parse of a text is nested."""
    deepest, level = 0, [node]
    while level:
        deepest += 1
        level = [child for tree in level for child in tree.children if isinstance(child, Tree)]
    return deepest


def stop_of(start: str, text: str) -> Stop | None:
    """Where a text stops to be what its start symbol wants; None if it never does."""
    try:
        tree_of(start, text)
    except Stopped as stopped:
        return stop_at(start, text, stopped.position, stopped.accepts)
    return None


def parses(start: str, text: str) -> bool:
    """Whether a text is what a start symbol wants."""
    return stop_of(start, text) is None
