"""Steps as they are written: a line, or the header of what stands below it (without colon)."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from rulesdsl.syntax.printer import (
    print_bound,
    print_domain,
    print_expr,
    print_postfix,
    print_row_key,
    print_sum,
    print_type,
    print_where,
)
from rulesdsl.syntax.tree import (
    AfterChange,
    AfterMove,
    AfterPhase,
    Assign,
    Award,
    Branch,
    Case,
    Chooses,
    Cite,
    CiteHere,
    Deal,
    Depending,
    Destination,
    Do,
    End,
    Event,
    Expr,
    For,
    IfStep,
    Let,
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
    Repeat,
    Roll,
    SeatsDomain,
    Secretly,
    Show,
    Shuffle,
    Signature,
    Step,
    Together,
    TurnPasses,
    Turns,
    WhenEmpty,
    While,
    Wins,
    ZonePattern,
)

Headed: TypeAlias = (
    For
    | Turns
    | IfStep
    | While
    | Repeat
    | Together
    | Secretly
    | Award
    | Named
    | Chooses
    | Depending
)


def print_step_head(step: Step) -> str:
    """A step on one line; of a step with steps below it, the header."""
    match step:
        case Assign():
            return f"{print_expr(step.target)} {step.op} {print_expr(step.value)}{_seen(step.seen)}"
        case Let():
            return f"let {step.name.text} = {print_expr(step.value)}"
        case Move() | Deal() | Shuffle() | PassEach():
            return _moving(step)
        case Roll():
            return f"roll {print_expr(step.target)}"
        case End():
            return f"end {step.what}"
        case TurnPasses():
            return f"turn passes to {_next(step.to)}"
        case Wins():
            return f"{'nobody' if step.player is None else print_postfix(step.player)} wins"
        case Show():
            return _show(step)
        case Do():
            arguments = ", ".join(print_expr(argument) for argument in step.arguments)
            return f"{step.name.text}({arguments})" if arguments else step.name.text
        case CiteHere():
            return f"cite: {_cites(step.cites)}"
        case _:
            return _header(step)


def _header(step: Headed) -> str:
    match step:
        case For() | Turns() | Together() | Award():
            return _round(step)
        case IfStep():
            return print_branch_head(step.branches[0], "if")
        case While():
            limit = "never more than" if step.strict else "at most"
            condition = print_expr(step.condition)
            return f"while {condition}, {limit} {print_sum(step.bound)}{_seen(step.seen)}"
        case Repeat():
            longest = ", as many as possible" if step.longest else ""
            return f"repeat {print_sum(step.count)}{longest}"
        case Secretly():
            return f"{print_postfix(step.player)} secretly"
        case Named():
            return f"step {step.name.text}"
        case Chooses():
            return _chooses(step)
        case Depending():
            return f"depending on {print_expr(step.value)}"
        case _:
            assert_never(step)


def _chooses(step: Chooses) -> str:
    who = print_postfix(step.player)
    if step.bound is None:
        return f"{who}{' secretly' if step.secretly else ''} chooses"
    once = ", each once" if step.each_once else ""
    return f"{who} keeps choosing, at most {print_sum(step.bound)}{once}"


def _round(step: For | Turns | Together | Award) -> str:
    where = print_where(step.where)
    match step:
        case For():
            order = f", in the order {print_postfix(step.chooser)} chooses" if step.chooser else ""
            until = print_where(step.until, "until")
            domain = print_domain(step.domain)
            return f"for {step.binder.text} in {domain}{where}{until}{order}{_seen(step.seen)}"
        case Turns():
            start = "" if step.start is None else f" from {print_postfix(step.start)}"
            until = print_where(step.until, "until")
            return f"for {step.binder.text} in turns{start}{where}{until}{_seen(step.seen)}"
        case Together():
            return f"together {step.binder.text} in {print_domain(step.domain)}{where}"
        case Award():
            who = f"{step.binder.text} in {print_domain(step.domain)}"
            return f"award {step.field.text} to {who}{where}{_seen(step.seen)}"
        case _:
            assert_never(step)


def print_branch_head(branch: Branch, word: str = "elif") -> str:
    """`if c`, `elif c`; a branch without a condition is `else`."""
    if branch.condition is None:
        return "else"
    return f"{word} {print_expr(branch.condition)}{_seen(branch.seen)}"


def _seen(seen: bool) -> str:
    return ", seen" if seen else ""


def _cites(cites: tuple[Cite, ...]) -> str:
    texts = [f"{cite.source} {cite.section}" for cite in cites]
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def _next(to: Expr | SeatsDomain) -> str:
    match to:
        case SeatsDomain():
            return print_domain(to)
        case _:
            return print_postfix(to)


def _show(show: Show) -> str:
    to = "" if show.to is None else f" to {print_postfix(show.to)}"
    if show.top is None:
        return f"show {print_expr(show.what)}{to}"
    return f"show top {print_bound(show.top)} of {print_expr(show.what)}{to}"


# ---------------------------------------------------------------------- moving


def _moving(step: Move | Deal | Shuffle | PassEach) -> str:
    match step:
        case Move():
            origin, to = print_expr(step.origin), _destination(step.to)
            notes = [f"{note.name.text} = {print_expr(note.value)}" for note in step.noting]
            noting = f", noting {', '.join(notes)}" if notes else ""
            return f"move {print_moved(step.moved)} from {origin} {to}{noting}{_seen(step.seen)}"
        case Deal():
            up_to = "up to " if step.up_to else ""
            some = f"{up_to}{print_sum(step.count)}"
            if step.binder is not None:
                some += f" {step.binder.text}{print_where(step.where)}"
            origin, to = print_expr(step.origin), _destination(step.to)
            return f"deal {some} from {origin} {to}{_seen(step.seen)}"
        case Shuffle():
            return f"shuffle {print_expr(step.zone)}"
        case PassEach():
            return f"pass each {step.binder.text}.{step.field.text} to {step.side}"
        case _:
            assert_never(step)


def print_moved(moved: Moved) -> str:
    """What is moved: `2 grain`, `all but cards`."""
    match moved:
        case MovedAll():
            return "all"
        case MovedAllOf():
            return f"all {print_postfix(moved.what)}"
        case MovedAllWhere():
            return f"all {moved.binder.text}{print_where(moved.where)}"
        case MovedAllBut():
            return f"all but {print_postfix(moved.what)}"
        case MovedSome():
            count = [] if moved.count is None else [print_sum(moved.count)]
            what = [] if moved.what is None else [print_sum(moved.what)]
            return " ".join(count + what)
        case _:
            assert_never(moved)


def _destination(to: Destination) -> str:
    zone = print_expr(to.zone)
    if to.low is None or to.high is None:
        return f"{to.way} {zone}"
    return f"into {zone} at random place {print_sum(to.low)}..{print_sum(to.high)}"


# ---------------------------------------------------------------------- other keys


def print_option_head(option: Option) -> str:
    """`bid(amount in 1..9) where c`; only the first of several conditions stands in a key."""
    parameters = ", ".join(_parameter(parameter) for parameter in option.parameters)
    where = print_where(option.where[0]) if len(option.where) == 1 else ""
    return f"{option.name.text}({parameters}){where}" if parameters else option.name.text + where


def _parameter(parameter: Parameter) -> str:
    if parameter.domain is None:
        return parameter.name.text
    where = print_where(parameter.where)
    return f"{parameter.name.text} in {print_domain(parameter.domain)}{where}"


def print_signature(signature: Signature) -> str:
    """`sell_lot(seller in players)`."""
    formals = [f"{formal.name.text} in {print_type(formal.type)}" for formal in signature.formals]
    return f"{signature.name.text}({', '.join(formals)})" if formals else signature.name.text


def print_case_head(case: Case) -> str:
    """`ivory`, `2..4`, `else`."""
    return print_row_key(case.key)


def print_event(event: Event) -> str:
    """`after move of card in Card from deck to p.hand where c`."""
    match event:
        case AfterMove():
            binder = "" if event.binder is None else f"{event.binder.text} in "
            origin = "" if event.origin is None else f" from {_pattern(event.origin)}"
            to = "" if event.to is None else f" to {_pattern(event.to)}"
            where = print_where(event.where)
            return f"after move of {binder}{event.kind.text}{origin}{to}{where}"
        case AfterChange():
            return f"after change of {_pattern(event.place)}{print_where(event.where)}"
        case AfterPhase():
            return f"after phase {event.phase.text}"
        case WhenEmpty():
            return f"when {_pattern(event.place)} is empty"
        case _:
            assert_never(event)


def _pattern(pattern: ZonePattern) -> str:
    owner = "" if pattern.owner is None else f"{pattern.owner.text}."
    member = "" if pattern.member is None else f"[{pattern.member.text}]"
    return f"{owner}{pattern.field.text}{member}"
