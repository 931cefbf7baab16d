"""How large the declared state is, and what definitions and procedures come to written out."""

from __future__ import annotations

from attrs import Factory, define

from rulesdsl.check import model as m
from rulesdsl.check.owners import copies_of
from rulesdsl.check.walk import nodes
from rulesdsl.text.limits import CELLS, MEANT
from rulesdsl.text.problems import Problems


def width_of(what: m.Scalar | m.Zone | m.PlaceNote, by_place: bool = False) -> int:
    """Cells of one copy; `by_place`: what lies in it is told by its components."""
    if isinstance(what, m.Scalar):
        return 1
    if isinstance(what, m.PlaceNote):
        return what.zone.capacity
    match what.shape:
        case m.Shape.BAG:
            return 1 if by_place else what.width
        case m.Shape.SLOT:
            return 1
        case m.Shape.PILE:
            return 1 + what.capacity
        case m.Shape.DECK:
            return 1 + what.capacity + (0 if by_place else what.width)


def single_kinds(model: m.Model, seats: int) -> list[m.Kind]:
    """The kinds of which no member exists twice, and that share places only with such kinds."""
    numbers: dict[m.Kind, list[int]] = {}
    for zone in model.zones.values():
        for kind, start in zip(zone.kinds, zone.start, strict=False):
            before = numbers.setdefault(kind, [0] * len(kind))
            copies = copies_of(zone, seats)
            numbers[kind] = [n + copies * here for n, here in zip(before, start, strict=True)]
    single = {kind for kind, counts in numbers.items() if max(counts, default=0) == 1}
    for kinds in _sharing(model):
        if not single.issuperset(kinds):
            single.difference_update(kinds)
    return [kind for kind in model.kinds.values() if kind in single]


def _sharing(model: m.Model) -> list[set[m.Kind]]:
    """The kinds in places, those that share a place in one set."""
    found: list[set[m.Kind]] = []
    for zone in model.zones.values():
        apart = [kinds for kinds in found if kinds.isdisjoint(zone.kinds)]
        meeting = [kinds for kinds in found if not kinds.isdisjoint(zone.kinds)]
        found = [*apart, set(zone.kinds).union(*meeting)]
    return found


def kinds_by_place(model: m.Model, seats: int) -> list[m.Kind]:
    """The single kinds of which it takes fewer numbers to keep where each component lies."""
    single = single_kinds(model, seats)
    chosen: set[m.Kind] = set()
    for kinds in _sharing(model):
        zones = [zone for zone in model.zones.values() if not kinds.isdisjoint(zone.kinds)]
        spared = sum(copies_of(z, seats) * (width_of(z) - width_of(z, True)) for z in zones)
        if kinds.issubset(single) and spared > sum(map(len, kinds)):
            chosen |= kinds
    return [kind for kind in single if kind in chosen]


def everything(model: m.Model) -> list[m.Scalar | m.Zone | m.PlaceNote]:
    """All that has cells in every state: scalars, places, and the notes on them."""
    notes = [note for zone in model.zones.values() for note in zone.notes]
    return [*model.scalars.values(), *model.zones.values(), *notes]


def check_state(model: m.Model, problems: Problems) -> None:
    """A state is a list of numbers of a bounded length; the largest pieces are named."""
    things, seats = everything(model), model.players[1]
    kinds = kinds_by_place(model, seats)
    sizes: dict[int, int] = {}
    for what in things:
        by_place = isinstance(what, m.Zone) and what.kinds[0] in kinds
        sizes[id(what)] = width_of(what, by_place) * copies_of(what, seats)
    total = sum(sizes.values()) + sum(map(len, kinds))
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
