"""Steps: what bodies do, each name bound and each value of its type."""

from __future__ import annotations

from attrs import define

from rulesdsl.check import model as m
from rulesdsl.check.context import Context, replaced
from rulesdsl.check.datatypes import MaybeType, NoneType
from rulesdsl.check.expressions import Expressions
from rulesdsl.check.headers import Headers
from rulesdsl.check.intervals import size_of
from rulesdsl.check.moves import Moves
from rulesdsl.check.scopes import Scope
from rulesdsl.check.written import pieces
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Second

_MOST_SIDES = 1_000


@define(eq=False, slots=False)
class Steps(Headers, Moves):
    """Checks steps and bodies against a context."""

    c: Context
    e: Expressions

    def body(self, node: t.Body, scope: Scope) -> m.Body:
        """A body; wrong steps are told and left out."""
        inner = scope.child()
        steps: list[m.Step] = []
        cites: list[tuple[t.Cite, ...]] = []
        heading: tuple[t.Cite, ...] = ()
        ended: t.Step | None = None
        for step in node.steps:
            if isinstance(step, t.CiteHere):
                heading = step.cites
                continue
            if ended is not None:
                self.c.add(
                    "never-reached",
                    step.span,
                    "this is never reached",
                    second=Second(ended.span, "what stands before it ends here"),
                )
                break
            checked = self.step(step, inner)
            if checked is None:
                self.c.lost.update({*named_in(step), self.c.rule})
            else:
                steps.append(checked)
                cites.append(heading)
            if ends(step):
                ended = step
        return m.Body(node.span, tuple(steps), tuple(cites))

    def step(self, node: t.Step, scope: Scope) -> m.Step | None:
        match node:
            case t.Assign():
                return self._assign(node, scope)
            case t.Let():
                return self._let(node, scope)
            case t.Move() | t.Deal() | t.Shuffle() | t.PassEach():
                return self.moving(node, scope)
            case t.Roll():
                return self._roll(node, scope)
            case t.End():
                return self._end(node, scope)
            case t.TurnPasses():
                return self._turn_passes(node, scope)
            case t.Wins():
                return self._wins(node, scope)
            case t.Show():
                return self._show(node, scope)
            case t.Do():
                return self.do(node, scope)
            case t.CiteHere():
                return None
            case _:
                return self.header(node, scope)

    # ---------------------------------------------------------------- assignments

    def _let(self, node: t.Let, scope: Scope) -> m.Step | None:
        value = self.e.expr(node.value, scope)
        if value is None:
            self.c.bind_unknown(node.name, scope)
            return None
        if isinstance(value.type, NoneType):
            self.c.wrong_type(value.span, value.type, "a value")
            return None
        local = self.c.new_local(node.name, value.type, scope)
        return m.Let(node.span, local, value)

    def _assign(self, node: t.Assign, scope: Scope) -> m.Step | None:
        target = self.target(node.target, scope)
        if target is None:
            if not self.e.is_bare_member(node.value, scope):
                self.e.expr(node.value, scope)
            return None
        value_node = node.value
        if node.op != "=":
            sign = node.op[0]
            value_node = t.Binary(node.value.span, sign, node.target, node.value)
        found = self.e.value(value_node, scope, target.type)
        if found is None:
            return None
        value, proved = found
        if isinstance(target, m.CounterRead):
            return m.SetCounter(node.span, target.counter, value, proved)
        return m.SetScalar(node.span, target.scalar, target.key, value, node.seen, proved)

    def target(self, node: t.Expr, scope: Scope) -> m.ScalarRead | m.CounterRead | None:
        """What may be assigned to: a number of the state, or a counter."""
        if isinstance(node, t.Name):
            bound = scope.find(node.text)
            if isinstance(bound, m.Local) and self.c.is_unsound(bound):
                return None
            if isinstance(bound, (m.Local, m.Const)):
                self.c.add(
                    "assign-to-name",
                    node.span,
                    f"{node.text} is a name for a value and never changes",
                    second=Second(bound.span, "it gets its value here"),
                    help=f"declare {node.text} under `state:` if it is to change",
                )
                return None
            if node.text in self.c.model.options:
                self.c.add(
                    "assign-to-name", node.span, "an option never changes while a game is played"
                )
                return None
        if self.e.find_place(node, scope) is not None:
            self.c.add(
                "assign-to-place",
                node.span,
                "components come and go by `move` and `deal` only",
                help="move ... from ... to ...",
            )
            return None
        read = self.e.expr(node, scope)
        if isinstance(read, (m.ScalarRead, m.CounterRead)):
            return read
        if read is not None:
            self.c.add("assign-to-name", node.span, "this cannot be given a new value")
        return None

    def _roll(self, node: t.Roll, scope: Scope) -> m.Step | None:
        target = self.target(node.target, scope)
        if target is None:
            return None
        if isinstance(target, m.CounterRead):
            note = f"{target.counter.name} is a counter; what is rolled is declared in the state"
            self.c.add("not-a-die", node.target.span, note)
            return None
        values = size_of(target.type, self.c.model.players[1])
        if isinstance(target.type, MaybeType) or values > _MOST_SIDES:
            note = f"a die has one of at most {_MOST_SIDES:,} values: this is {target.type}"
            self.c.add("not-a-die", node.target.span, note)
            return None
        return m.Roll(node.span, target.scalar, target.key)

    # ---------------------------------------------------------------- ends and turns

    def _end(self, node: t.End, scope: Scope) -> m.Step | None:
        if node.what == "loop" and scope.loops == 0:
            self.c.add("no-loop", node.span, "there is no loop around this to end")
            return None
        if node.what == "phase" and not scope.in_phase:
            note = "no phase is going on here"
            self.c.add("no-phase", node.span, note, help=replaced(node.span, "end game"))
            return None
        return m.End(node.span, m.Ended(node.what))

    def _turn_passes(self, node: t.TurnPasses, scope: Scope) -> m.Step | None:
        if scope.turns == 0:
            self.c.add("no-turns", node.span, "a turn passes only in a loop over turns or players")
            return None
        if isinstance(node.to, t.SeatsDomain):
            seats = self.e.seats(node.to, scope)
            return None if seats is None else m.TurnPasses(node.span, seats)
        if scope.turns == 1:
            self.c.add(
                "no-turns",
                node.span,
                "round the table once, the turn passes to players ..., not to one",
                help=replaced(node.span, f"turn passes to players from {node.to.span.text}"),
            )
            return None
        player = self.e.player(node.to, scope)
        return None if player is None else m.TurnPasses(node.span, player)

    def _wins(self, node: t.Wins, scope: Scope) -> m.Step | None:
        if node.player is None:
            return m.Wins(node.span, None)
        player = self.e.player(node.player, scope)
        return None if player is None else m.Wins(node.span, player)

    def _show(self, node: t.Show, scope: Scope) -> m.Step | None:
        to = None
        if node.to is not None:
            to = self.e.player(node.to, scope)
            if to is None:
                return None
        if node.top is not None:
            return self._show_top(node, to, scope)
        place = self.e.find_place(node.what, scope)
        if place is not None and place.zone.shape is not m.Shape.SLOT:
            return m.Show(node.span, place, None, to)
        what = self.e.expr(node.what, scope)
        return None if what is None else m.Show(node.span, what, None, to)

    def _show_top(self, node: t.Show, to: m.Expr | None, scope: Scope) -> m.Step | None:
        assert node.top is not None
        place, top = self.e.place(node.what, scope), self.e.number(node.top, scope)
        if place is None or top is None:
            return None
        if place.zone.shape is not m.Shape.DECK:
            note = f"{place.zone.name} is a {place.zone.shape.value}; one looks so into a deck only"
            self.c.add("not-a-deck", node.what.span, note)
            return None
        return m.Show(node.span, place, top, to)

    # ---------------------------------------------------------------- procedures and phases

    def do(self, node: t.Do, scope: Scope) -> m.CallProcedure | m.RunPhase | None:
        """A phase or a procedure by its name."""
        name, model = node.name.text, self.c.model
        phase = model.setup if name == "setup" else model.phases.get(name)
        if phase is not None:
            self.c.use(phase)
            arguments = self.e.arguments(node.span, phase, node.arguments, scope)
            return None if arguments is None else m.RunPhase(node.span, phase, arguments)
        if name in model.procedures:
            procedure = model.procedures[name]
            self.c.use(procedure)
            arguments = self.e.arguments(node.span, procedure, node.arguments, scope)
            return None if arguments is None else m.CallProcedure(node.span, procedure, arguments)
        if name in model.defines:
            note = f"{name} is a definition: it has a value, and does nothing"
            second = Second(model.defines[name].span, "declared here")
            self.c.add("wrong-type", node.name.span, note, second=second)
            return None
        self.c.missing(
            node.name.span,
            name,
            [*model.procedures, *model.phases],
            f"there is no procedure or phase of the name {name}",
        )
        return None


def ends(step: t.Step) -> bool:
    """Whether nothing that stands behind a step is reached."""
    match step:
        case t.End() | t.Wins():
            return True
        case t.IfStep(branches=branches):
            return branches[-1].condition is None and all(_ends(one.body) for one in branches)
        case t.Depending(cases=cases):
            return bool(cases) and all(_ends(one.body) for one in cases)
        case t.Named(body=body):
            return _ends(body)
        case _:
            return False


def _ends(body: t.Body) -> bool:
    return any(ends(step) for step in body.steps)


def named_in(step: t.Step) -> set[str]:
    """The options and named steps at and below a step."""
    named = (piece for piece in pieces(step) if isinstance(piece, (t.Option, t.Named)))
    return {piece.name.text for piece in named}
