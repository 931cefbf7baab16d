"""From a parse of the grammar to the tree: lines, headers and other keys."""

from __future__ import annotations

from attrs import frozen
from lark import Token

from rulesdsl.syntax.heads import (
    AwardHead,
    BranchHead,
    Header,
    Otherwise,
    Parsed,
    Players,
    PlayHead,
    Ties,
)
from rulesdsl.syntax.transform import Child, Expressions, Node, children, is_tree, sub, token, words
from rulesdsl.syntax.tree import (
    AfterChange,
    AfterMove,
    AfterPhase,
    Assign,
    Binary,
    Body,
    Branch,
    Chooses,
    Clause,
    Components,
    Deal,
    Depending,
    Destination,
    Divide,
    Do,
    End,
    Expr,
    For,
    Formal,
    Int,
    Let,
    MapsType,
    Modifier,
    Move,
    Moved,
    MovedAll,
    MovedAllBut,
    MovedAllOf,
    MovedAllWhere,
    MovedSome,
    Named,
    Option,
    Parameter,
    PassEach,
    PlaceType,
    PlayStop,
    Refilled,
    Repeat,
    Roll,
    RowKey,
    Secretly,
    Show,
    Shuffle,
    Signature,
    StartsAt,
    StartsWith,
    StateType,
    Step,
    Together,
    TurnPasses,
    Turns,
    Unary,
    WhenEmpty,
    While,
    Wins,
    Word,
    ZonePattern,
)
from rulesdsl.text.problems import InternalError
from rulesdsl.text.source import Span


@frozen
class Lines(Expressions):
    """Builds what a line, a header or another key or value says."""

    def build(self, start: str, child: Child) -> Parsed:
        """The tree of a text that was parsed from a start symbol."""
        match start:
            case "line" | "play_line":
                return self.line(child)
            case "header":
                return self.header(child)
            case "expr" | "place" | "zone":
                return self.expr(child)
            case "event":
                return self.event(child)
            case "type":
                return self.type(child)
            case "play_header":
                return self.play_header(child)
            case _:
                return self._other(start, sub(child))

    def _other(self, start: str, node: Node) -> Parsed:
        match start:
            case "option":
                return self.option(node)
            case "signature":
                return self.signature(node)
            case "state_owner":
                return self.state_owner(node)
            case "result_header":
                return self.word(node.children[0])
            case "row_key":
                return self.row_key(node)
            case "state_type":
                return self.state_type(node)
            case "maps":
                *domains, value = (self.type(part) for part in children(node))
                return MapsType(self.span(node), tuple(domains), value)
            case "ties":
                return self.ties(node)
            case "components":
                return self.components(node)
            case "players":
                low, high = int(token(node.children[0])), int(token(node.children[-1]))
                return Players(self.span(node), low, high)
            case "pattern":
                return self.pattern(node)
            case _:
                raise InternalError(f"the grammar has no start {start}")

    # ------------------------------------------------------------------ lines

    def line(self, child: Child) -> Step | PlayStop:
        """A list item that is text."""
        node = sub(child)
        span, parts = self.span(node), children(node)
        match str(node.data):
            case "assign":
                target, value, seen = parts
                return Assign(span, self.expr(target), "=", self.expr(value), self._seen(seen))
            case "change":
                target, op, value, seen = parts
                return Assign(span, self.expr(target), str(op), self.expr(value), self._seen(seen))
            case "let":
                return Let(span, self.declared(parts[0]), self.expr(parts[1]))
            case "move":
                return self._move(span, parts)
            case "deal":
                up_to, count, origin, to, seen = parts
                return Deal(
                    span,
                    bool(words(sub(up_to))),
                    self.expr(count),
                    self.expr(origin),
                    self.destination(sub(to)),
                    self._seen(seen),
                )
            case "do":
                return Do(span, self.declared(parts[0]), self.exprs(parts[1:]))
            case "stop":
                return PlayStop(span)
            case _:
                return self._short_line(node)

    def _short_line(self, node: Node) -> Step:
        span, parts = self.span(node), children(node)
        match str(node.data):
            case "shuffle":
                return Shuffle(span, self.expr(parts[0]))
            case "roll":
                return Roll(span, self.expr(parts[0]))
            case "pass_each":
                binder, field, side = parts
                return PassEach(span, self.word(binder), self.word(field), words(sub(side))[0])
            case "end":
                return End(span, words(sub(parts[0]))[0])
            case "turn_passes":
                seats = is_tree(parts[0], "seats")
                return TurnPasses(span, self.seats(sub(parts[0])) if seats else self.expr(parts[0]))
            case "nobody_wins":
                return Wins(span, None)
            case "wins":
                return Wins(span, self.expr(parts[0]))
            case "show":
                return Show(span, self.expr(parts[0]), None, self._optional(parts[1]))
            case "show_top":
                top, zone, to = parts
                return Show(span, self.expr(zone), self.expr(top), self._optional(to))
            case rule:
                raise InternalError(f"the parse holds {rule} where a line belongs")

    def _move(self, span: Span, parts: list[Child]) -> Move:
        moved, origin, to, seen = parts
        return Move(
            span,
            self.moved(sub(moved)),
            self.expr(origin),
            self.destination(sub(to)),
            self._seen(seen),
        )

    def moved(self, node: Node) -> Moved:
        """What is moved."""
        span, parts = self.span(node), children(node)
        match str(node.data):
            case "moved_all":
                return MovedAll(span)
            case "moved_all_but":
                return MovedAllBut(span, self.expr(parts[0]))
            case "moved_all_of":
                return MovedAllOf(span, self.expr(parts[0]))
            case "moved_all_where":
                return MovedAllWhere(span, self.declared(parts[0]), self.expr(parts[1]))
            case "moved_one":
                value = self.expr(parts[0])
                if isinstance(value, Int | Binary | Unary | Divide):
                    return MovedSome(span, value, None)
                return MovedSome(span, None, value)
            case "moved_some":
                return MovedSome(span, self.expr(parts[0]), self.expr(parts[1]))
            case rule:
                raise InternalError(f"the parse holds {rule} where what is moved belongs")

    def destination(self, node: Node) -> Destination:
        """Where to, and how."""
        span, parts = self.span(node), children(node)
        if node.data == "into":
            zone, low, high = self.exprs(parts)
            return Destination(span, "into", zone, low, high)
        return Destination(span, words(sub(parts[0]))[0], self.expr(parts[1]))

    def _seen(self, child: Child) -> bool:
        return bool(words(sub(child)))

    def _optional(self, child: Child) -> Expr | None:
        return None if child is None else self.expr(child)

    # ------------------------------------------------------------------ headers

    def header(self, child: Child) -> Header:
        """A key in a body; what stands below it is still empty."""
        node = sub(child)
        span, parts = self.span(node), children(node)
        body = Body(span, ())
        match str(node.data):
            case "for_":
                return self._for(span, parts)
            case "turns":
                binder, start, where, until, seen = parts
                return Turns(
                    span,
                    self.declared(binder),
                    self._optional(start),
                    self.where(where),
                    self.where(until),
                    self._seen(seen),
                    body,
                )
            case "if_" | "elif_" as rule:
                branch = Branch(span, self.expr(parts[0]), self._seen(parts[1]), body)
                return BranchHead(rule.rstrip("_"), branch)
            case "else_":
                return BranchHead("else", Branch(span, None, False, body))
            case "while_" | "while_never" as rule:
                return While(
                    span,
                    self.expr(parts[0]),
                    self.expr(parts[1]),
                    rule == "while_never",
                    self._seen(parts[2]),
                    body,
                )
            case "award":
                field, binder, domain, where, seen = parts
                return AwardHead(
                    span,
                    self.word(field),
                    self.declared(binder),
                    self.domain(domain),
                    self.where(where),
                    self._seen(seen),
                )
            case _:
                return self._short_header(node)

    def _short_header(self, node: Node) -> Header:
        span, parts = self.span(node), children(node)
        body = Body(span, ())
        match str(node.data):
            case "repeat":
                return Repeat(span, self.expr(parts[0]), body)
            case "together":
                binder, domain, where = parts
                return Together(
                    span, self.declared(binder), self.domain(domain), self.where(where), body
                )
            case "step":
                return Named(span, self.declared(parts[0]), body)
            case "depending":
                return Depending(span, self.expr(parts[0]), ())
            case "secretly":
                return Secretly(span, self.expr(parts[0]), body)
            case "chooses" | "secretly_chooses" as rule:
                secretly = rule == "secretly_chooses"
                return Chooses(span, self.expr(parts[0]), secretly, None, False, (), None)
            case "keeps_choosing":
                player, bound, once = parts
                each_once = bool(words(sub(once)))
                return Chooses(
                    span, self.expr(player), False, self.expr(bound), each_once, (), None
                )
            case rule:
                raise InternalError(f"the parse holds {rule} where a header belongs")

    def _for(self, span: Span, parts: list[Child]) -> For:
        binder, domain, where, until, order, seen = parts
        return For(
            span,
            self.declared(binder),
            self.domain(domain),
            self.where(where),
            self.where(until),
            self.where(order),
            self._seen(seen),
            Body(span, ()),
        )

    # ------------------------------------------------------------------ other keys

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

    def state_owner(self, node: Node) -> Word:
        """`shared`, or the kind of `each K`."""
        if node.data == "shared":
            return Word(self.span(node), "shared")
        return self.word(node.children[0])

    def row_key(self, node: Node) -> RowKey:
        """A label of a row, a column or a case."""
        span, parts = self.span(node), [str(part) for part in children(node)]
        match str(node.data):
            case "row_name":
                return RowKey(span, parts[0], None, None)
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
        match str(node.data):
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
        """`deck`, or `p.hand`."""
        first, second = children(node)
        if second is None:
            return ZonePattern(self.span(node), None, self.word(first))
        return ZonePattern(self.span(node), self.word(first), self.word(second))

    # ------------------------------------------------------------------ values

    def state_type(self, node: Node) -> StateType:
        """The value of an entry of the state."""
        first, *clauses = children(node)
        if is_tree(first, "place_type"):
            word, *kinds = children(sub(first))
            place = PlaceType(
                self.span(first), words(sub(word))[0], tuple(self.word(kind) for kind in kinds)
            )
            return StateType(self.span(node), place, tuple(map(self.clause, clauses)))
        return StateType(self.span(node), self.type(first), tuple(map(self.clause, clauses)))

    def clause(self, child: Child) -> Clause:
        """What stands behind a comma of a state entry."""
        node = sub(child)
        span, parts = self.span(node), children(node)
        match str(node.data):
            case "modifier":
                return Modifier(span, " ".join(words(node)))
            case "starts_at":
                return StartsAt(span, self.expr(parts[0]))
            case "starts_with":
                return StartsWith(span, tuple(self.components(sub(part)) for part in parts))
            case "refilled":
                return Refilled(span, tuple(self.word(part) for part in parts))
            case rule:
                raise InternalError(f"the parse holds {rule} where a clause belongs")

    def components(self, node: Node) -> Components:
        """`2 bluff`, `wine`, `all`, `the rest`."""
        span, parts = self.span(node), children(node)
        match str(node.data):
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
        match str(node.data):
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
        word = str(node.data)
        if parts and isinstance(parts[0], Token):
            return PlayHead(span, word, self.word(parts[0]), None)
        return PlayHead(span, word, None, self.expr(parts[0]) if parts else None)
