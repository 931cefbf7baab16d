"""How large the declared state is, and what definitions and procedures come to written out."""

from __future__ import annotations

from attrs import Factory, define

from rulesdsl.check import model as m
from rulesdsl.check.walk import nodes
from rulesdsl.text.limits import CELLS, MEANT
from rulesdsl.text.problems import Problems


def copies_of(what: m.Scalar | m.Zone | m.PlaceNote, seats: int) -> int:
    """How many there are: one, one a seat, or one a member."""
    match what.per:
        case m.Kind():
            return len(what.per)
        case "player":
            return seats
        case _:
            return 1


def width_of(what: m.Scalar | m.Zone | m.PlaceNote) -> int:
    """Cells of one copy."""
    if isinstance(what, m.Scalar):
        return 1
    if isinstance(what, m.PlaceNote):
        return what.zone.capacity
    match what.shape:
        case m.Shape.BAG:
            return what.width
        case m.Shape.SLOT:
            return 1
        case m.Shape.PILE:
            return 1 + what.capacity
        case m.Shape.DECK:
            return 1 + what.capacity + what.width


def everything(model: m.Model) -> list[m.Scalar | m.Zone | m.PlaceNote]:
    """All that has cells in every state: scalars, places, and the notes on them."""
    notes = [note for zone in model.zones.values() for note in zone.notes]
    return [*model.scalars.values(), *model.zones.values(), *notes]


def check_state(model: m.Model, problems: Problems) -> None:
    """A state is a list of numbers of a bounded length; the largest pieces are named."""
    things = everything(model)
    sizes = {id(what): width_of(what) * copies_of(what, model.players[1]) for what in things}
    total = sum(sizes.values())
    if total <= CELLS:
        return
    largest = sorted(things, key=lambda what: -sizes[id(what)])[:3]
    named = ", ".join(f"{what.name} {sizes[id(what)]:,}" for what in largest)
    problems.add(
        "too-much-state",
        largest[0].span,
        f"the state takes {total:,} numbers; there may be {CELLS:,}",
        about=f"the largest: {named}",
        help="fewer components, or bags in place of piles and decks, which take a place for each",
    )


@define(eq=False)
class Sizes:
    """How many nodes each definition, procedure and phase comes to with all that it uses."""

    known: dict[int, int] = Factory(dict)

    def of(self, what: m.Define | m.Procedure | m.Phase) -> int:
        if id(what) not in self.known:
            # what uses itself is told elsewhere; here it must only come to an end
            self.known[id(what)] = 1
            body = what.value if isinstance(what, m.Define) else what.body
            self.known[id(what)] = self._sum(body)
        return self.known[id(what)]

    def _sum(self, node: object) -> int:
        total = 0
        for part in nodes(node):
            total += 1
            match part:
                case m.DefineCall():
                    total += self.of(part.define)
                case m.CallProcedure():
                    total += self.of(part.procedure)
                case m.RunPhase():
                    total += self.of(part.phase)
                case _:
                    pass
        return min(total, MEANT + 1)


def is_too_much(size: int) -> bool:
    return size > MEANT


def tell(what: m.Define | m.Procedure | m.Phase, problems: Problems) -> None:
    problems.add(
        "too-much-meant",
        what.span,
        f"written out with all that it uses, {what.name} is longer than {MEANT:,} pieces",
        help="let it use fewer others, or each of them once",
    )
