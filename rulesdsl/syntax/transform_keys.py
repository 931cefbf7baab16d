"""From a parse of the grammar to the tree: options, signatures, events, and values."""

from __future__ import annotations

from attrs import frozen

from rulesdsl.syntax.bot_tree import Chosen, Preference
from rulesdsl.syntax.grammar import Child, Token
from rulesdsl.syntax.heads import Otherwise, PlayHead, Ties
from rulesdsl.syntax.transform import Expressions, Node, children, is_tree, sub, token, words
from rulesdsl.syntax.tree import (
    AfterChange,
    AfterMove,
    AfterPhase,
    AtMost,
    Body,
    Clause,
    ColumnSeen,
    Components,
    Formal,
    GoesTo,
    Int,
    Modifier,
    Option,
    Parameter,
    Refilled,
    RowKey,
    Signature,
    StartsAt,
    StartsWith,
    StateOwner,
    StateType,
    WhenEmpty,
    Word,
    ZonePattern,
)
from rulesdsl.text.problems import InternalError


@frozen
class Keys(Expressions):
    """Builds what stands in keys and values that are no lines and no headers of a body."""

    def option(self, node: Node) -> Option | Otherwise:
        """A key under `chooses`; its body is still empty."""
        span, parts = self.span(node), children(node)
        if node.data == "otherwise":
            return Otherwise(span)
        parameters = tuple(self._parameter(sub(p)) for p in parts if is_tree(p, "param"))
        where = tuple(self.expr(sub(p).children[0]) for p in parts if is_tree(p, "where"))
        return Option(span, self.word(parts[0]), parameters, where, (), "", Body(span, ()))

    def _parameter(self, node: Node) -> Parameter:
        name, domain, where = children(node)
        return Parameter(
            self.span(node),
            self.declared(name),
            None if domain is None else self.domain(domain),
            self.where(where),
        )

    def signature(self, node: Node) -> Signature:
        """The key of a definition or a procedure."""
        name, *formals = children(node)
        return Signature(
            self.span(node),
            self.declared(name),
            tuple(self._formal(sub(formal)) for formal in formals if formal is not None),
        )

    def _formal(self, node: Node) -> Formal:
        name, type_ = children(node)
        return Formal(self.span(node), self.declared(name), self.type(type_))

    def state_owner(self, node: Node) -> StateOwner:
        """`shared`, or the kinds of `each K`."""
        span = self.span(node)
        if node.data == "shared":
            return StateOwner(span, Word(span, "shared"), None)
        per, each = children(node)
        return StateOwner(span, self.word(per), None if each is None else self.word(each))

    def row_key(self, node: Node) -> RowKey:
        """A label of a row, a column or a case."""
        span, parts = self.span(node), [str(part) for part in children(node)]
        match node.data:
            case "row_name":
                return RowKey(span, parts[0], None, None)
            case "row_any":
                kind = self.word(node.children[0])
                return RowKey(span, kind.text, None, None, kind=kind)
            case "row_else":
                return RowKey(span, "else", None, None)
            case "row_int":
                return RowKey(span, None, int(parts[0]), int(parts[0]))
            case "row_negative":
                return RowKey(span, None, -int(parts[0]), -int(parts[0]))
            case "row_range":
                return RowKey(span, None, int(parts[0]), int(parts[1]))
            case "row_open":
                return RowKey(span, None, int(parts[0][:-1]), None, open=True)
            case rule:
                raise InternalError(f"the parse holds {rule} where a row belongs")

    def event(self, child: Child) -> AfterMove | AfterChange | AfterPhase | WhenEmpty:
        """A key under `triggers`."""
        node = sub(child)
        span, parts = self.span(node), children(node)
        match node.data:
            case "after_move":
                binder, kind, origin, to, where = parts
                return AfterMove(
                    span,
                    None if binder is None else self.declared(binder),
                    self.word(kind),
                    None if origin is None else self.pattern(sub(origin)),
                    None if to is None else self.pattern(sub(to)),
                    self.where(where),
                )
            case "after_change":
                return AfterChange(span, self.pattern(sub(parts[0])), self.where(parts[1]))
            case "after_phase":
                return AfterPhase(span, self.word(parts[0]))
            case "when_empty":
                return WhenEmpty(span, self.pattern(sub(parts[0])))
            case rule:
                raise InternalError(f"the parse holds {rule} where an event belongs")

    def pattern(self, node: Node) -> ZonePattern:
        """`deck`, `p.hand`, or `p.sea[s]`."""
        first, second, third = children(node)
        span = self.span(node)
        if second is None:
            return ZonePattern(span, None, self.word(first), None)
        member = None if third is None else self.word(third)
        return ZonePattern(span, self.word(first), self.word(second), member)

    # ------------------------------------------------------------------ values

    def state_type(self, node: Node) -> StateType:
        """The value of an entry of the state."""
        first, *clauses = children(node)
        if is_tree(first, "place_type"):
            place = self.place_type(sub(first))
            return StateType(self.span(node), place, tuple(map(self.clause, clauses)))
        return StateType(self.span(node), self.type(first), tuple(map(self.clause, clauses)))

    def clause(self, child: Child) -> Clause:
        """What stands behind a comma of a state entry."""
        node = sub(child)
        span, parts = self.span(node), children(node)
        match node.data:
            case "modifier":
                return Modifier(span, " ".join(words(node)))
            case "column_seen":
                return ColumnSeen(span, self.word(parts[0]))
            case "starts_at":
                return StartsAt(span, self.expr(parts[0]))
            case "starts_with":
                return StartsWith(span, tuple(self.components(sub(part)) for part in parts))
            case "at_most":
                return AtMost(span, self.expr(parts[0]))
            case "refilled":
                return Refilled(span, tuple(self.word(part) for part in parts))
            case "goes_to":
                return GoesTo(span, self.word(parts[0]), self.word(parts[1]))
            case rule:
                raise InternalError(f"the parse holds {rule} where a clause belongs")

    def components(self, node: Node) -> Components:
        """`2 bluff`, `wine`, `all`, `the rest`."""
        span, parts = self.span(node), children(node)
        match node.data:
            case "all_components":
                return Components(span, None, Word(span, "all"))
            case "rest":
                return Components(span, None, Word(span, "the rest"))
            case "one_component":
                return Components(span, None, self.word(parts[0]))
            case "some_components":
                count = Int(self.span(parts[0]), int(token(parts[0])))
                return Components(span, count, self.word(parts[1]))
            case rule:
                raise InternalError(f"the parse holds {rule} where components belong")

    def ties(self, node: Node) -> Ties:
        """What a tie for a prize means, in the words of the language."""
        span = self.span(node)
        match node.data:
            case "split":
                return Ties(span, f"split rounded {words(sub(node.children[0]))[0]}")
            case "used_up":
                return Ties(span, "each gets the prize, places are used up")
            case "none_skipped":
                return Ties(span, "each gets the prize, none is skipped")
            case rule:
                raise InternalError(f"the parse holds {rule} where ties belong")

    def play_header(self, child: Child) -> PlayHead:
        """A key in the `play` of an example."""
        node = sub(child)
        span, parts = self.span(node), children(node)
        word = node.data
        if parts and isinstance(parts[0], Token):
            return PlayHead(span, word, self.word(parts[0]), None)
        return PlayHead(span, word, None, self.expr(parts[0]) if parts else None)

    # ------------------------------------------------------------------ bots

    def preference(self, node: Node) -> Preference:
        """A line under `decisions`."""
        option, arguments, where, by, only_if = children(node)
        return Preference(
            self.span(node),
            self.word(option),
            () if arguments is None else tuple(map(self._chosen, children(sub(arguments)))),
            self.where(where),
            () if by is None else self._keys(sub(sub(by).children[0])),
            self.where(only_if),
        )

    def _chosen(self, child: Child) -> Chosen:
        *named, value, within = children(sub(child))
        return Chosen(
            self.span(child),
            self.word(named[0]) if named else None,
            self.expr(value),
            self.where(within),
        )
