"""What lies where before an example: components come from where they start."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeAlias

from attrs import define, field

from rulesdsl.check import model as m
from rulesdsl.check.owners import copies_of, owner_seat
from rulesdsl.lab.plan import Component, GivenPlace, Laid, Plan, component_of
from rulesdsl.machine.layout import fill
from rulesdsl.machine.program import Machine
from rulesdsl.text.problems import Problems, Second
from rulesdsl.text.source import Span

Pool: TypeAlias = Counter[Component]


def record_of(plan: Plan, machine: Machine) -> list[int]:
    """The record at the start, with what is given."""
    record = list(machine.start)
    for place in plan.places:
        fill(machine.layout, record, place.zone, place.key, place.members)
    for given in plan.notes:
        slot = machine.layout.slot(given.note)
        first = slot.base + given.key * slot.width
        record[first : first + len(given.values)] = given.values
    for one in plan.scalars:
        record[machine.layout.slot(one.scalar).base + one.key] = one.value
    return record


@define(eq=False)
class Table:
    """All components of a game: first as the rules say, then with what is given."""

    model: m.Model
    seats: int
    problems: Problems
    known: Callable[[m.Expr], int | None]
    """The value of an expression that is known before the game."""
    starts: dict[tuple[m.Zone, int], Pool] = field(init=False)
    """What still lies where it starts, for each place that is not given and not empty then."""

    def __attrs_post_init__(self) -> None:
        self.starts = {
            (zone, key): _start(zone)
            for zone in self.model.zones.values()
            if any(any(part) for part in zone.start)
            for key in range(copies_of(zone, self.seats))
        }

    def lay(self, given: list[GivenPlace], name: Span) -> tuple[Laid, ...]:
        """What lies in every place in which something is given or starts."""
        for place in given:
            self._take(place)
        pool: Pool = Counter()
        for place in given:
            pool += self.starts.pop((place.zone, place.key), Counter())
        laid = [self._lay(place, pool) for place in given]
        self._nothing_is_over(given, pool, name)
        for (zone, key), left in self.starts.items():
            members = [i for i in range(zone.width) for _ in range(left[component_of(zone, i)])]
            laid.append(Laid(zone, key, tuple(members)))
        return tuple(laid)

    def _take(self, place: GivenPlace) -> None:
        """Each component from where such ones start: there, else with the same owner, else."""
        here = place.zone, place.key
        seat = owner_seat(*here)

        def distance(other: tuple[m.Zone, int]) -> tuple[bool, bool, bool]:
            return other != here, owner_seat(*other) != seat, other[1] != place.key

        order = sorted(self.starts, key=distance)
        for member, span in zip(place.contents.members, place.contents.spans, strict=True):
            component = component_of(place.zone, member)
            source = next((other for other in order if self.starts[other][component]), None)
            if source is None:
                kind, index = component
                note = f"there are not so many {kind.members[index]} in the game"
                second = Second(kind.span, "this is their kind")
                self.problems.add("too-many-components", span, note, second=second)
                return
            self.starts[source][component] -= 1

    def _lay(self, place: GivenPlace, pool: Pool) -> Laid:
        """What is given, and for `the rest` all such components that are left."""
        members = list(place.contents.members)
        for member in range(place.zone.width) if place.contents.besides else ():
            component = component_of(place.zone, member)
            number = pool.pop(component, 0)
            number += sum(left.pop(component, 0) for left in self.starts.values())
            members += [member] * number
        if place.zone.shape is m.Shape.SLOT and len(members) > 1:
            note = f"{place.zone.name} has room for one component"
            self.problems.add("slot-full", place.span, note)
        self._has_room(place, len(members))
        return Laid(place.zone, place.key, tuple(members))

    def _has_room(self, place: GivenPlace, number: int) -> None:
        room = place.zone.at_most
        if room is None:
            return
        most = self.known(room)
        if most is not None and number > most:
            note = f"{place.zone.name} has room for {most}; here are {number}"
            second = Second(room.span, "its room")
            self.problems.add("no-room", place.span, note, second=second)

    def _nothing_is_over(self, given: list[GivenPlace], pool: Pool, name: Span) -> None:
        over = [(kind, index) for (kind, index), number in pool.items() if number]
        if not over:
            return
        kind = over[0][0]
        span = next((p.span for p in given if any(kind is one for one in p.zone.kinds)), name)
        names = ", ".join(kind.members[index] for kind, index in over[:6])
        note = f"what else starts here lies nowhere now: {names}"
        help_ = "say where it is: `PLACE: the rest`"
        self.problems.add("components-left", span, note, help=help_)


def _start(zone: m.Zone) -> Pool:
    """What lies in a place at the start."""
    pool: Pool = Counter()
    for kind, part in zip(zone.kinds, zone.start, strict=False):
        pool.update({(kind, index): number for index, number in enumerate(part) if number})
    return pool
