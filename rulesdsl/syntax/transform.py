"""From a parse of the grammar to the tree: expressions, domains, types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from attrs import frozen

from rulesdsl.syntax.grammar import Child, Token, Tree
from rulesdsl.syntax.tree import (
    Between,
    Binary,
    Call,
    Divide,
    Domain,
    Dot,
    EveryTwo,
    Expr,
    Fold,
    GridOf,
    If,
    Index,
    Int,
    IsA,
    KindsOfDomain,
    LinesDomain,
    MaybeType,
    Name,
    NamedDomain,
    NamedType,
    NeighborsDomain,
    Pick,
    PlaceType,
    RangeDomain,
    RangeType,
    RunsDomain,
    Seat,
    SeatsDomain,
    SubbagDomain,
    TypeExpr,
    Unary,
    Word,
)
from rulesdsl.syntax.words import RESERVED
from rulesdsl.text.problems import InternalError, Problems
from rulesdsl.text.source import Span

Node: TypeAlias = Tree

FOLDS = ("sum", "any", "all", "max", "min")

_BINARY = {"or_": "or", "and_": "and", "add": "+", "subtract": "-", "multiply": "*"}
_UNARY = {"not_": "not", "negative": "-"}


def sub(child: Child) -> Node:
    """The child, which is a tree."""
    if not isinstance(child, Tree):
        raise InternalError(f"the parse holds {child!r} where a tree belongs")
    return child


def token(child: Child) -> Token:
    """The child, which is a token."""
    if not isinstance(child, Token):
        raise InternalError(f"the parse holds {child!r} where a word belongs")
    return child


def children(node: Node) -> list[Child]:
    """The children; an optional part that is absent is None."""
    return list(node.children)


def words(node: Node) -> list[str]:
    """The words kept below a rule like `to_word`."""
    return [str(child) for child in node.children if isinstance(child, Token)]


def is_tree(child: Child, rule: str) -> bool:
    """Whether the child is a tree of this rule."""
    return isinstance(child, Tree) and child.data == rule


@frozen
class Expressions:
    """Builds expressions, domains and types; `at` gives the place of a piece of the text."""

    at: Callable[[int, int], Span]
    problems: Problems

    def span(self, child: Child) -> Span:
        """The place of a token or of a tree that is not empty."""
        if isinstance(child, Token):
            return self.at(child.start, child.end)
        node = sub(child)
        return self.at(node.start, node.end)

    def word(self, child: Child) -> Word:
        """A name token."""
        return Word(self.span(child), str(token(child)))

    def declared(self, child: Child) -> Word:
        """A name that the author gives; the words of the language are none."""
        word = self.word(child)
        if word.text in RESERVED:
            note = f"`{word.text}` is a word of the language and no name"
            self.problems.add("reserved-word", word.span, note)
        return word

    # ------------------------------------------------------------------ expressions

    def expr(self, child: Child) -> Expr:
        """Any expression."""
        node = sub(child)
        span, parts = self.span(node), children(node)
        match node.data:
            case "int":
                return Int(span, int(token(parts[0])))
            case "path" | "zone" | "place" | "zone_of" | "of" | "dot" | "item" | "call" | "seat":
                return self.postfix(node)
            case "between":
                return Between(span, self.word(parts[0]), *self.exprs(parts[1:]))
            case "or_" | "and_" | "add" | "subtract" | "multiply" as rule:
                return Binary(span, _BINARY[rule], self.expr(parts[0]), self.expr(parts[1]))
            case "compare":
                op = str(token(parts[1]))
                return Binary(span, op, self.expr(parts[0]), self.expr(parts[2]))
            case "is_a":
                return IsA(span, self.expr(parts[0]), self.word(parts[2]))
            case "not_" | "negative" as rule:
                return Unary(span, _UNARY[rule], self.expr(parts[0]))
            case "divide":
                up = words(sub(parts[2])) == ["up"]
                return Divide(span, self.expr(parts[0]), self.expr(parts[1]), up)
            case "if_expr":
                return If(span, *(self.expr(part) for part in parts))
            case "fold" | "count":
                return self._fold(node)
            case "pick" | "pick_by":
                return self._pick(node)
            case rule:
                raise InternalError(f"the parse holds {rule} where an expression belongs")

    def postfix(self, child: Child) -> Expr:
        """A path, a call or a place."""
        node = sub(child)
        span, parts = self.span(node), children(node)
        match node.data:
            case "path":
                return self._path(node)
            case "zone" | "place":
                return self.expr(parts[0])
            case "of" | "zone_of":
                return Call(span, self.word(parts[0]), (self.expr(parts[1]),), of=True)
            case "dot":
                return Dot(span, self.expr(parts[0]), self.word(parts[1]))
            case "item":
                return Index(span, self.expr(parts[0]), self.exprs(children(sub(parts[1]))))
            case "call":
                return Call(span, self.word(parts[0]), self.exprs(parts[1:]))
            case "seat":
                return Seat(span, int(token(parts[0])))
            case _:
                return self.expr(node)

    def exprs(self, parts: Sequence[Child]) -> tuple[Expr, ...]:
        """All expressions among the parts."""
        return tuple(self.expr(part) for part in parts if part is not None)

    def where(self, child: Child) -> Expr | None:
        """The expression of `where c`, `until c` or `else e`, if it is there."""
        return None if child is None else self.expr(children(sub(child))[0])

    def _path(self, node: Node) -> Expr:
        first, *rest = children(node)
        name = words(sub(first))[0] if is_tree(first, "free_name") else str(token(first))
        base: Expr = Name(self.span(first), name)
        for part in rest:
            span = base.span.to(self.span(part))
            if isinstance(part, Token):
                base = Dot(span, base, self.word(part))
            else:
                base = Index(span, base, self.exprs(children(sub(part))))
        return base

    def _fold(self, node: Node) -> Fold:
        parts = children(node)
        op = self.word(parts[0])
        counting = node.data == "count"
        body = None if counting else self.expr(parts[1])
        binder, domain, where, *rest = parts[1 if counting else 2 :]
        fold = Fold(
            self.span(node),
            op,
            body,
            self.declared(binder),
            self.domain(domain),
            self.where(where),
            self.where(rest[0]) if rest else None,
        )
        self._check_fold(fold)
        return fold

    def _check_fold(self, fold: Fold) -> None:
        op = fold.op
        if fold.body is None and op.text != "count":
            note = f"only `count` has a name and a domain alone; `{op.text}` needs a value"
            help = f"write `{op.text}(VALUE for {fold.binder.text} in ...)`"
            self.problems.add("fold-without-value", op.span, note, help=help)
        elif fold.body is not None and op.text == "count":
            note = "`count` counts members, it takes no value"
            help = f"write `count({fold.binder.text} in ... where CONDITION)`"
            self.problems.add("count-with-value", op.span, note, help=help)
        elif fold.body is not None and op.text not in FOLDS:
            note = f"`{op.text}` cannot be used with `for`"
            help = f"write one of {', '.join(FOLDS)}"
            self.problems.add("unknown-fold", op.span, note, help=help)

    def _pick(self, node: Node) -> Pick:
        op, binder, domain, where, *rest = children(node)
        keys = () if node.data == "pick" else self._keys(sub(rest[0]))
        then_first = len(keys) > 1 and isinstance(last := keys[-1], Name) and last.text == "first"
        pick = Pick(
            self.span(node),
            words(sub(op))[0],
            self.declared(binder),
            self.domain(domain),
            self.where(where),
            keys[:-1] if then_first else keys,
            then_first,
            self.where(rest[-1]),
        )
        self._check_pick(pick, self.span(op))
        return pick

    def _check_pick(self, pick: Pick, op: Span) -> None:
        if pick.op == "first" and pick.keys:
            note = "`first` takes the first one in order, without `by`"
            help = "write `best ... by ... then first`"
            self.problems.add("first-with-by", op, note, help=help)
        elif pick.op == "best" and not pick.keys:
            note = "`best` does not say by what"
            help = "write `best ... by VALUE then first`"
            self.problems.add("best-without-by", op, note, help=help)
        elif pick.op == "best" and len(pick.keys) == 1 and not pick.then_first:
            note = "`best` does not say what happens when two are equally good"
            help = "end it with `then first`, or with a further value: `then VALUE`"
            self.problems.add("best-without-tie-break", op, note, help=help)

    def _keys(self, node: Node) -> tuple[Expr, ...]:
        *before, last = children(node)
        return (*(self._keys(sub(before[0])) if before else ()), self.expr(last))

    # ------------------------------------------------------------------ domains

    def domain(self, child: Child) -> Domain:
        """What a name ranges over."""
        node = sub(child)
        span, parts = self.span(node), children(node)
        match node.data:
            case "range_domain":
                return RangeDomain(span, self.expr(parts[0]), self.expr(parts[1]))
            case "maybe_range":
                return RangeDomain(span, self.expr(parts[0]), self.expr(parts[1]), maybe=True)
            case "seats":
                return self.seats(node)
            case "maybe_domain":
                return NamedDomain(span, Name(self.span(parts[0]), str(token(parts[0]))), True)
            case "by_domain":
                return self._by_domain(span, parts)
            case "lines_in" | "lines_through":
                return self._lines(span, node)
            case "subbag_range":
                low, high, zone = self.exprs(parts)
                return SubbagDomain(span, low, high, zone)
            case "subbag_exactly":
                count, zone = self.exprs(parts)
                return SubbagDomain(span, count, count, zone)
            case "named_domain":
                return self._named_domain(span, self.expr(parts[0]))
            case rule:
                raise InternalError(f"the parse holds {rule} where a domain belongs")

    def seats(self, node: Node) -> SeatsDomain:
        """`players [counterclockwise] [from p | after p]`."""
        ccw, turn, start = children(node)
        return SeatsDomain(
            self.span(node),
            "" if turn is None else words(sub(turn))[0],
            None if start is None else self.expr(start),
            bool(words(sub(ccw))),
        )

    def _by_domain(self, span: Span, parts: list[Child]) -> Domain:
        also = None if parts[3] is None else self.word(parts[3])
        if token(parts[0]) == "neighbors":
            return NeighborsDomain(span, self.expr(parts[1]), self.word(parts[2]), also)
        if token(parts[0]) != "runs":
            note = f"`runs` and `neighbors` have a `by`, not `{parts[0]}`"
            self.problems.add("unknown-domain", self.span(parts[0]), note)
        elif also is not None:
            note = "runs are by one column"
            self.problems.add("unknown-domain", also.span, note)
        return RunsDomain(span, self.expr(parts[1]), self.word(parts[2]))

    def _lines(self, span: Span, node: Node) -> Domain:
        """`lines of 4 in Cell`, `lines of 4 through c`."""
        what, length, where = children(node)
        if token(what) != "lines":
            note = f"there are `lines of N in GRID`, no `{what}`"
            self.problems.add("unknown-domain", self.span(what), note)
        if node.data == "lines_in":
            return LinesDomain(span, self.expr(length), self.word(where), None)
        return LinesDomain(span, self.expr(length), None, self.expr(where))

    def _named_domain(self, span: Span, expr: Expr) -> Domain:
        match expr:
            case Call(name=Word(text="neighbors"), arguments=(of,)):
                return NeighborsDomain(span, of, None)
            case Call(of=True, name=Word(text="kinds"), arguments=(zone,)):
                return KindsOfDomain(span, zone)
            case _:
                return NamedDomain(span, expr, False)

    # ------------------------------------------------------------------ types

    def kind(self, child: Child) -> TypeExpr | EveryTwo | GridOf:
        """What a kind is whose members are not written down."""
        if is_tree(child, "every_two"):
            return EveryTwo(self.span(child), self.word(sub(child).children[0]))
        if is_tree(child, "grid"):
            rows, columns = children(sub(child))
            return GridOf(self.span(child), self._side(rows), self._side(columns))
        return self.type(child)

    def _side(self, child: Child) -> Int | Word:
        (part,) = children(sub(child))
        if is_tree(child, "side_kind"):
            return self.word(part)
        return Int(self.span(part), int(token(part)))

    def type(self, child: Child) -> TypeExpr:
        """A type that is no place."""
        node = sub(child)
        span, parts = self.span(node), children(node)
        match node.data:
            case "named_type":
                return NamedType(span, str(token(parts[0])))
            case "range_type":
                return RangeType(span, self.expr(parts[0]), self.expr(parts[1]))
            case "open_range_type":
                low = token(parts[0])
                return RangeType(span, Int(span, int(low[:-1])), None)
            case "maybe_type":
                return MaybeType(span, self.type(parts[0]))
            case rule:
                raise InternalError(f"the parse holds {rule} where a type belongs")

    def column(self, child: Child) -> TypeExpr:
        """What the cells of a column hold: values of a type, or a bag."""
        return self.place_type(sub(child)) if is_tree(child, "place_type") else self.type(child)

    def place_type(self, node: Node) -> PlaceType:
        """`bag of Good or Card`."""
        word, *kinds = children(node)
        return PlaceType(
            self.span(node), words(sub(word))[0], tuple(self.word(kind) for kind in kinds)
        )
