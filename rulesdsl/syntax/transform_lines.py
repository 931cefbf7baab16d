"""From a parse of the grammar to the tree: lines, headers and other keys."""

from __future__ import annotations

from attrs import frozen

from rulesdsl.syntax.grammar import Child
from rulesdsl.syntax.heads import (
    AwardHead,
    BranchHead,
    Header,
    Parsed,
    Players,
)
from rulesdsl.syntax.transform import Node, children, is_tree, sub, token, words
from rulesdsl.syntax.transform_keys import Keys
from rulesdsl.syntax.tree import (
    Assign,
    Binary,
    Body,
    Branch,
    Chooses,
    Deal,
    Depending,
    Destination,
    Divide,
    Do,
    End,
    Expr,
    For,
    Int,
    Let,
    MapsType,
    Move,
    Moved,
    MovedAll,
    MovedAllBut,
    MovedAllOf,
    MovedAllWhere,
    MovedSome,
    Named,
    Noting,
    PassEach,
    PlayStop,
    Repeat,
    Roll,
    Secretly,
    Show,
    Shuffle,
    Step,
    Together,
    TurnPasses,
    Turns,
    Unary,
    While,
    Wins,
)
from rulesdsl.text.problems import InternalError
from rulesdsl.text.source import Span


@frozen
class Lines(Keys):
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
            case "kind":
                return self.kind(child)
            case "column":
                return self.column(child)
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
            case "preference":
                return self.preference(node)
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
        match node.data:
            case "assign":
                target, value, seen = parts
                return Assign(span, self.expr(target), "=", self.expr(value), self._seen(seen))
            case "change":
                target, op, value, seen = parts
                return Assign(span, self.expr(target), str(op), self.expr(value), self._seen(seen))
            case "let":
                return Let(span, self.declared(parts[0]), self.expr(parts[1]))
            case "move" | "move_noting":
                return self._move(span, parts)
            case "deal":
                up_to, count, name, where, origin, to, seen = parts
                return Deal(
                    span,
                    bool(words(sub(up_to))),
                    self.expr(count),
                    None if name is None else self.declared(name),
                    None if where is None else self.expr(where),
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
        match node.data:
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
        moved, origin, to, *rest = parts
        noting = tuple(self._note(sub(part)) for part in rest if is_tree(part, "note"))
        return Move(
            span,
            self.moved(sub(moved)),
            self.expr(origin),
            self.destination(sub(to)),
            is_tree(rest[-1], "also_seen") if noting else self._seen(rest[-1]),
            noting,
        )

    def _note(self, node: Node) -> Noting:
        name, value = children(node)
        return Noting(self.span(node), self.word(name), self.expr(value))

    def moved(self, node: Node) -> Moved:
        """What is moved."""
        span, parts = self.span(node), children(node)
        match node.data:
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
        match node.data:
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
        match node.data:
            case "repeat":
                count, longest = parts
                return Repeat(span, self.expr(count), bool(words(sub(longest))), body)
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
