"""The checks of examples: each looks at a state and tells what is different there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import TypeAlias, assert_never

from attrs import define, field

from rulesdsl.check import model as m
from rulesdsl.engines.faults import RuleFault
from rulesdsl.lab import plan as p
from rulesdsl.lab.seen_columns import wrong_columns
from rulesdsl.machine.places import Registers
from rulesdsl.machine.program import Cell
from rulesdsl.machine.traverse import parts
from rulesdsl.machine.values import Values
from rulesdsl.play.faults import IllegalMove, MoveError, NotYourTurn
from rulesdsl.play.moves import say
from rulesdsl.play.outcome import outcome
from rulesdsl.play.state import State
from rulesdsl.syntax.cites import Cite
from rulesdsl.text.source import Span

Difference: TypeAlias = tuple[Span, str, str, str]
"""Where, what was looked at, what was expected, what was there (or a sentence alone)."""
Check: TypeAlias = (
    p.Compare
    | p.Holds
    | p.Legal
    | p.Illegal
    | p.SeesValue
    | p.SeesSize
    | p.SeesPlace
    | p.SeesColumns
    | p.Noted
    | p.Ranked
)
_SHOWN = 6
"""Of more moves than this only the first are named."""


@define(eq=False)
class Checks:
    """Checks on a state that goes on, with the record it began with."""

    state: State
    first: tuple[int, ...]
    broken: frozenset[str] = field(init=False)
    """Invariants that do not hold of what is given: an example may begin where no game comes.

    What does not depend on the state is not among them: it holds always or never.
    """

    def __attrs_post_init__(self) -> None:
        machine, engine = self.state.rules.machine, self.state.rules.engine
        self.broken = frozenset(
            name
            for name, promise, _ in machine.invariants
            if any(isinstance(part, Cell) for part in parts(promise))
            and not engine.evaluate(promise, list(self.first))
        )

    def invariants(self) -> None:
        """Raise the fault `invariant` where a promise that held at first does not hold now."""
        engine, record = self.state.rules.engine, list(self.state.record)
        for name, promise, span in self.state.rules.machine.invariants:
            if name not in self.broken and not engine.evaluate(promise, record):
                raise RuleFault("invariant", span, name)

    def check(self, check: Check) -> Iterator[Difference]:
        """What is not as expected."""
        match check:
            case p.Compare():
                return self._compare(check)
            case p.Holds():
                return self._holds(check)
            case p.Legal():
                return self._legal(check)
            case p.Illegal():
                return self._illegal(check)
            case p.SeesValue():
                return self._sees_value(check)
            case p.SeesSize():
                return self._sees_size(check)
            case p.SeesPlace():
                return self._sees_place(check)
            case p.SeesColumns():
                return self._sees_columns(check)
            case p.Noted():
                return self._noted(check)
            case p.Ranked():
                return self._ranked(check)
            case _:
                assert_never(check)

    # ---------------------------------------------------------------- values, components

    def value(self, expr: m.Expr, record: tuple[int, ...]) -> int:
        """An expression in a record, with registers of its own."""
        machine, engine = self.state.rules.machine, self.state.rules.engine
        registers = Registers(used=1)
        lowered = Values(
            machine.model, machine.seats, machine.options, machine.layout, registers
        ).value(expr)
        return engine.evaluate(lowered, list(record))

    def _compare(self, check: p.Compare) -> Iterator[Difference]:
        now = self.value(check.left, self.state.record)
        wanted = self.value(check.right, self.state.record)
        if check.change:
            found = now - self.value(check.left, self.first)
            if found != wanted:
                yield check.span, check.span.text, f"by {wanted:+}", f"by {found:+}"
        elif now != wanted:
            words = self.state.rules.words
            expected, got = (say(words.value(check.left.type, n)) for n in (wanted, now))
            yield check.span, check.span.text, expected, got

    def _holds(self, check: p.Holds) -> Iterator[Difference]:
        words, zone = self.state.rules.words, check.zone
        cells = self.state.rules.views.cells(list(self.state.record))(zone, check.key)
        members = check.contents.members
        if zone.shape is m.Shape.PILE:
            found, wanted = words.order(zone, cells), list(members)
        else:
            counts = words.held(zone, cells)
            found = [i for i, number in enumerate(counts) for _ in range(number)]
            wanted = sorted(members)
        if found != wanted:
            names = words.members(zone.kinds)
            expected, got = ([names[i] for i in one] for one in (wanted, found))
            yield check.span, check.span.text, listed(expected), listed(got)

    # ---------------------------------------------------------------- moves

    def _legal(self, check: p.Legal) -> Iterator[Difference]:
        """These moves and no others; each that is not as expected is told by itself."""
        legal = self.state.legal_moves(check.seat)
        if check.count is not None:
            if check.count != len(legal):
                yield check.span, check.span.text, f"{check.count} moves", str(len(legal))
            return
        named: set[int] = set()
        for text, span in check.moves:
            try:
                named.add(self.state.move(text, check.seat).number)
            except MoveError as error:
                yield span, error.message, "", ""
        others = self._texts(check.seat, {move.number for move in legal} - named)
        if others:
            yield check.span, f"{check.span.text}   legal too: {_first(others)}", "", ""

    def _texts(self, seat: int, numbers: set[int]) -> list[str]:
        """Legal moves by their numbers, whole ranges as such."""
        texts: list[str] = []
        for one in self.state.legal_ranges(seat):
            here = range(one.number, one.number + len(one))
            if all(number in numbers for number in here):
                texts.append(one.text)
            else:
                moves = self.state.legal_moves(seat)
                texts += [move.text for move in moves if move.number in numbers.intersection(here)]
        return texts

    def _illegal(self, check: p.Illegal) -> Iterator[Difference]:
        try:
            self.state.move(check.text, check.seat)
        except (IllegalMove, NotYourTurn) as error:
            yield from self._because(check, error)
        except MoveError as error:
            yield check.span, error.message, "", ""
        else:
            yield check.span, f"{check.text} is legal here", "", ""

    def _because(self, check: p.Illegal, error: IllegalMove | NotYourTurn) -> Iterator[Difference]:
        """The rule that forbids a move cites the section that is named."""
        because = check.because
        if because is None:
            return
        cites = error.cites if isinstance(error, IllegalMove) else ()
        named = dict.fromkeys(f"{cite.source} {cite.section}" for cite in cites or self._asked())
        wanted = f"{because.source} {because.section}"
        if wanted not in named:
            reason = " or ".join(named) or "no section"
            yield because.span, f"because   {error.message}", wanted, reason

    def _asked(self) -> Iterator[Cite]:
        """The sections of what is chosen now: all that forbids a move may be that it is not."""
        for asked in self.state.asking().values():
            stop = asked.stop
            for rule in self.state.rules.machine.rules:
                yield from rule.cites if rule.name == stop.where else ()
            for option in stop.options:
                yield from option.cites

    # ---------------------------------------------------------------- what is seen

    def _view(self, seat: int) -> dict[str, object]:
        state = self.state.view(seat)["state"]
        assert isinstance(state, dict)
        return state

    def _sees_value(self, check: p.SeesValue) -> Iterator[Difference]:
        words = self.state.rules.words
        state, path = self._view(check.seat), words.path(check.scalar, check.key)
        wanted = "unseen"
        if check.value is not None:
            wanted = say(words.value(check.scalar.type, check.value))
        found = _said(state[path]) if path in state else "unseen"
        if found != wanted:
            yield check.span, f"{self._sees(check.seat)} {path}", wanted, found

    def _sees_size(self, check: p.SeesSize) -> Iterator[Difference]:
        state, path = self._view(check.seat), self.state.rules.words.path(check.zone, check.key)
        found = str(_seen(state[path]).total()) if path in state else "unseen"
        wanted = "unseen" if check.size is None else str(check.size)
        if found != wanted:
            yield check.span, f"{self._sees(check.seat)} size of {path}", wanted, found

    def _sees_place(self, check: p.SeesPlace) -> Iterator[Difference]:
        """Components by name, and how many are unseen."""
        words = self.state.rules.words
        path = words.path(check.zone, check.key)
        state = self._view(check.seat)
        seen = _seen(state[path]) if path in state else None
        what = f"{self._sees(check.seat)} {path}"
        if check.contents is None:
            named = [] if seen is None else [name for name in seen if name != "unseen"]
            if seen and not named:
                named = [f"the {column.name}" for column in check.zone.columns_seen]
            if named:
                yield check.span, what, "unseen", listed(named)
            return
        names = words.members(check.zone.kinds)
        wanted = Counter(names[member] for member in check.contents.members)
        wanted["unseen"] += check.contents.besides
        wanted = +wanted
        if seen != wanted:
            got = "unseen" if seen is None else listed(list(seen.elements()))
            yield check.span, what, listed(list(wanted.elements())), got

    def _sees_columns(self, check: p.SeesColumns) -> Iterator[Difference]:
        path = self.state.rules.words.path(check.zone, check.key)
        content = self._view(check.seat)[path]
        assert isinstance(content, dict)
        for wanted, found in wrong_columns(check, content):
            yield check.span, f"{self._sees(check.seat)} {path}", listed(wanted), listed(found)

    def _noted(self, check: p.Noted) -> Iterator[Difference]:
        """What is said about each component of a pile."""
        words, note = self.state.rules.words, check.note
        path = f"{words.path(note.zone, check.key)}.{note.name}"
        state = self.state.named()["state"] if check.seat is None else self._view(check.seat)
        assert isinstance(state, dict)
        wanted = [words.value(note.type, value) for value in check.values]
        if state[path] != wanted:
            what = path if check.seat is None else f"{self._sees(check.seat)} {path}"
            expected, got = (", ".join(map(say, one)) or "nothing" for one in (wanted, state[path]))
            yield check.span, what, expected, got

    def _sees(self, seat: int) -> str:
        return f"{self.state.rules.words.seats[seat]} sees"

    # ---------------------------------------------------------------- the end

    def _ranked(self, check: p.Ranked) -> Iterator[Difference]:
        rules, state = self.state.rules, self.state
        names = rules.words.seats
        if not (state.is_over or state.is_paused):
            yield check.span, "the game is not over", "", ""
            return
        ended = outcome(rules.machine, rules.engine, list(state.record))
        wanted = [names[seat] for seat in check.seats]
        if check.winners:
            found = [names[seat] for seat in ended.winners]
            if sorted(found) != sorted(wanted):
                yield check.span, "winners", listed(wanted), listed(found)
            return
        groups = [[names[seat] for seat in group] for group in ended.ranking]
        if [[name] for name in wanted] != groups:
            found = [" and ".join(group) for group in groups]
            yield check.span, "ranking", ", ".join(wanted), ", ".join(found)


def _first(texts: list[str]) -> str:
    more = len(texts) - _SHOWN
    return ", ".join(texts[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def listed(names: list[str]) -> str:
    """`2 wine, grain`; `nothing`."""
    runs = [(name, len(list(same))) for name, same in groupby(names)]
    return ", ".join(n if k == 1 else f"{k} {n}" for n, k in runs) or "nothing"


def _said(value: object) -> str:
    """A value of a view as it is written in examples."""
    assert value is None or isinstance(value, int | bool | str)
    return say(value)


def _seen(content: object) -> Counter[str]:
    """What a view tells of a place, as components with their counts."""
    match content:
        case dict():
            return +Counter({str(name): n for name, n in content.items() if isinstance(n, int)})
        case list():
            return Counter(str(name) for name in content)
        case str():
            return Counter([content])
        case _:
            return Counter()
