"""Trees as they are written: expressions, domains, types, lines and headers."""

from __future__ import annotations

from typing import assert_never

from rulesdsl.syntax.tree import (
    AtMost,
    Between,
    Binary,
    Call,
    ColumnSeen,
    Components,
    Divide,
    Domain,
    Dot,
    Expr,
    Fold,
    GoesTo,
    GridOf,
    If,
    Index,
    Int,
    IsA,
    KindsOfDomain,
    LinesDomain,
    MaybeType,
    Modifier,
    Name,
    NamedDomain,
    NamedType,
    NeighborsDomain,
    Pick,
    PlaceType,
    RangeDomain,
    RangeType,
    Refilled,
    RowKey,
    RunsDomain,
    Seat,
    SeatsDomain,
    StartsAt,
    StartsWith,
    StateType,
    SubbagDomain,
    TypeExpr,
    Unary,
    Word,
    WordsType,
)

_ANY, _OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _UNARY, _POSTFIX = range(9)
_LEVELS = {"or": _OR, "and": _AND, "+": _SUM, "-": _SUM, "*": _PRODUCT}


def print_expr(expr: Expr) -> str:
    """An expression, with as few parentheses as it needs."""
    return _at(_ANY, expr)


def _at(level: int, expr: Expr) -> str:
    """An expression where the grammar wants at least this level."""
    text = _bare(expr)
    return text if _level(expr) >= level else f"({text})"


def _level(expr: Expr) -> int:
    match expr:
        case If() | Pick():
            return _ANY
        case Binary():
            return _LEVELS.get(expr.op, _COMPARE)
        case Divide():
            return _PRODUCT
        case IsA():
            return _COMPARE
        case Unary():
            return _NOT if expr.op == "not" else _UNARY
        case Int() | Name() | Dot() | Index() | Call() | Seat() | Fold() | Between():
            return _POSTFIX
        case _:
            assert_never(expr)


def _bare(expr: Expr) -> str:
    match expr:
        case Int():
            return str(expr.value)
        case Name():
            return expr.text
        case Dot():
            return f"{_base(expr.base)}.{expr.name.text}"
        case Index():
            return f"{_base(expr.base)}[{_listed(expr.arguments)}]"
        case Call() if expr.of and len(expr.arguments) == 1:
            return f"{expr.name.text} of {_at(_POSTFIX, expr.arguments[0])}"
        case Call():
            return f"{expr.name.text}({_listed(expr.arguments)})"
        case Seat():
            return f"seat {expr.number}"
        case Unary():
            return _unary(expr)
        case Binary():
            return _binary(expr)
        case Divide():
            way = "up" if expr.up else "down"
            return f"{_at(_PRODUCT, expr.left)} / {_at(_UNARY, expr.right)} rounded {way}"
        case If():
            parts = (_at(_OR, expr.condition), _at(_OR, expr.then), print_expr(expr.otherwise))
            return "if {} then {} else {}".format(*parts)
        case Fold():
            return _fold(expr)
        case Pick():
            return _pick(expr)
        case Between():
            ends = f"{print_postfix(expr.left)} and {print_postfix(expr.right)}"
            return f"{expr.kind.text} between {ends}"
        case IsA():
            article = "an" if expr.kind.text[0] in "AEIOUaeiou" else "a"
            return f"{_at(_SUM, expr.value)} is {article} {expr.kind.text}"
        case _:
            assert_never(expr)


def _unary(expr: Unary) -> str:
    if expr.op == "not":
        return f"not {_at(_NOT, expr.operand)}"
    return f"-{_at(_UNARY, expr.operand)}"


def _binary(expr: Binary) -> str:
    level = _level(expr)
    left = _SUM if level == _COMPARE else level
    return f"{_at(left, expr.left)} {expr.op} {_at(level + 1, expr.right)}"


def _base(base: Expr) -> str:
    """What stands before a dot: a path, a call, or anything in parentheses."""
    match base:
        case Name() | Dot() | Index() | Call(of=False) | Fold():
            return print_expr(base)
        case _:
            return f"({print_expr(base)})"


def _is_path(expr: Expr) -> bool:
    match expr:
        case Name():
            return True
        case Dot() | Index():
            return _is_path(expr.base)
        case _:
            return False


def _listed(exprs: tuple[Expr, ...]) -> str:
    return ", ".join(print_expr(expr) for expr in exprs)


def _fold(fold: Fold) -> str:
    body = "" if fold.body is None else f"{print_expr(fold.body)} for "
    domain = print_domain(fold.domain)
    tail = print_where(fold.where) + _else(fold.otherwise)
    return f"{fold.op.text}({body}{fold.binder.text} in {domain}{tail})"


def _pick(pick: Pick) -> str:
    keys = " then ".join(_at(_OR, key) for key in pick.keys)
    by = f" by {keys}" if keys else ""
    first = " then first" if pick.then_first else ""
    head = f"{pick.op} {pick.binder.text} in {print_domain(pick.domain)}"
    return f"{head}{print_where(pick.where)}{by}{first}{_else(pick.otherwise)}"


def _else(otherwise: Expr | None) -> str:
    return "" if otherwise is None else f" else {print_expr(otherwise)}"


def print_where(where: Expr | None, word: str = "where") -> str:
    """` where c`, or nothing."""
    return "" if where is None else f" {word} {_at(_OR, where)}"


def print_sum(expr: Expr) -> str:
    """An expression where the grammar wants a number: comparisons in parentheses."""
    return _at(_SUM, expr)


def print_postfix(expr: Expr) -> str:
    """An expression where the grammar wants a name, a call or parentheses."""
    return _at(_POSTFIX, expr)


def print_domain(domain: Domain) -> str:
    """What a name ranges over."""
    match domain:
        case RangeDomain():
            maybe = "maybe " if domain.maybe else ""
            return f"{maybe}{print_sum(domain.low)}..{print_sum(domain.high)}"
        case SeatsDomain():
            way = " counterclockwise" if domain.counterclockwise else ""
            start = "" if domain.start is None else f" {domain.turn} {print_postfix(domain.start)}"
            return f"players{way}{start}"
        case KindsOfDomain():
            return f"kinds of {print_postfix(domain.zone)}"
        case NeighborsDomain():
            of = print_postfix(domain.of)
            by = " or ".join(word.text for word in (domain.by, domain.also) if word is not None)
            return f"neighbors({of} by {by})" if by else f"neighbors of {of}"
        case LinesDomain():
            length = print_postfix(domain.length)
            if domain.grid is not None:
                return f"lines of {length} in {domain.grid.text}"
            assert domain.through is not None
            return f"lines of {length} through {print_postfix(domain.through)}"
        case RunsDomain():
            return f"runs({print_postfix(domain.zone)} by {domain.column.text})"
        case SubbagDomain():
            low, high = print_bound(domain.low), print_bound(domain.high)
            count = low if low == high else f"{low}..{high}"
            return f"any {count} of {print_expr(domain.zone)}"
        case NamedDomain(maybe=True):
            return f"maybe {print_expr(domain.expr)}"
        case NamedDomain():
            return print_postfix(domain.expr)
        case _:
            assert_never(domain)


def print_bound(expr: Expr) -> str:
    """An expression where the grammar wants a number, a path or a call."""
    match expr:
        case Int() | Call(of=False) | Fold():
            return print_expr(expr)
        case _:
            return print_expr(expr) if _is_path(expr) else f"({print_expr(expr)})"


# ---------------------------------------------------------------------- types, state, rows


def print_type(type_: TypeExpr) -> str:
    """A type."""
    match type_:
        case NamedType():
            return type_.name
        case RangeType():
            high = "+" if type_.high is None else f"..{print_sum(type_.high)}"
            return f"{print_sum(type_.low)}{high}"
        case MaybeType():
            return f"maybe {print_type(type_.inner)}"
        case WordsType():
            return f"[{', '.join(word.text for word in type_.words)}]"
        case PlaceType():
            return f"{type_.place} of {' or '.join(kind.text for kind in type_.kinds)}"
        case _:
            assert_never(type_)


def print_grid(grid: GridOf) -> str:
    """`grid 6 by 7`."""
    sides = (s.text if isinstance(s, Word) else str(s.value) for s in (grid.rows, grid.columns))
    return f"grid {' by '.join(sides)}"


def print_state_type(type_: StateType) -> str:
    """The value of an entry of the state."""
    parts = [print_type(type_.type)]
    for clause in type_.clauses:
        match clause:
            case Modifier():
                parts.append(clause.name)
            case ColumnSeen():
                parts.append(f"{clause.column.text} seen")
            case StartsAt():
                parts.append(f"starts at {print_expr(clause.value)}")
            case StartsWith():
                parts.append(
                    f"starts with {' and '.join(map(print_components, clause.components))}"
                )
            case AtMost():
                parts.append(f"at most {print_expr(clause.number)}")
            case Refilled():
                parts.append(f"refilled from {' and '.join(word.text for word in clause.places)}")
            case GoesTo():
                parts.append(f"{clause.kind.text} goes to {clause.place.text}")
            case _:
                assert_never(clause)
    return ", ".join(parts)


def print_components(components: Components) -> str:
    """`2 bluff`, `wine`, `the rest`."""
    count = "" if components.count is None else f"{print_expr(components.count)} "
    return f"{count}{components.name.text}"


def print_row_key(key: RowKey) -> str:
    """A label of a row: `ivory`, `3`, `2..4`, `9+`, `any Good`, `else`."""
    if key.kind is not None:
        return f"any {key.kind.text}"
    if key.word is not None:
        return key.word
    if key.open:
        return f"{key.low}+"
    return str(key.low) if key.low == key.high else f"{key.low}..{key.high}"
