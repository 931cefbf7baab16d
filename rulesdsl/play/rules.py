"""The rules as they are played: a machine with its engine, its names and its limits."""

from __future__ import annotations

import json
from functools import cached_property
from hashlib import blake2b

from attrs import define, field

from rulesdsl.check.datatypes import NONE, IntType, MaybeType, Type
from rulesdsl.check.model import Scalar
from rulesdsl.engines.python.engine import GeneratedEngine
from rulesdsl.engines.reference import Engine
from rulesdsl.machine.program import AT, OVER, Draw, Machine, Option, Over, Stop
from rulesdsl.play.history import Drawn
from rulesdsl.play.moves import Form, say
from rulesdsl.play.rules_hash import rules_hash
from rulesdsl.play.views import Views
from rulesdsl.play.words import Words


@define(eq=False, slots=False)
class Rules:
    """What all states of a game share."""

    machine: Machine
    engine: Engine = field(init=False)
    words: Words = field(init=False)
    views: Views = field(init=False)
    stops: dict[int, Stop] = field(init=False)
    """By what the cell `at` of a record holds that rests there."""
    _forms: dict[int, Form] = field(factory=dict, init=False)
    _drawn: dict[tuple[int, int], Drawn] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.engine = GeneratedEngine(self.machine)
        self.words = Words(self.machine)
        self.views = Views(self.words)
        self.stops = {
            OVER if isinstance(stop, Over) else stop.number + 1: stop for stop in self.machine.stops
        }

    @cached_property
    def hash(self) -> str:
        """What the rules mean, as a hash: not their layout, comments, sources and texts."""
        return rules_hash(self.machine.model)

    @cached_property
    def options(self) -> dict[str, int | bool | str | None]:
        """The choice of options, as values of the rules."""
        declared = self.machine.model.options
        return {
            name: self.words.value(declared[name].type, value)
            for name, value in self.machine.options.items()
        }

    @cached_property
    def move_count(self) -> int:
        """How many moves have a number, in all states together."""
        return sum(family.size for family in self.machine.families)

    def same(self, other: Rules) -> bool:
        """Whether the other rules are the same, for the same seats and options."""
        if self.machine is other.machine:
            return True
        mine = (self.hash, self.machine.seat_names, self.machine.options)
        return mine == (other.hash, other.machine.seat_names, other.machine.options)

    def stop(self, record: list[int]) -> Stop:
        """The stop a record rests at."""
        return self.stops[record[AT]]

    def named_hash(self, record: list[int]) -> str:
        """Over everything by its names and where the game is: it outlives a new layout."""
        named = self.views.named(record, self.stop(record))
        text = json.dumps(named, sort_keys=True, separators=(",", ":"))
        return blake2b(text.encode(), digest_size=8).hexdigest()

    def form(self, option: Option) -> Form:
        """How the moves of an option are numbered and said."""
        # options live as long as the machine, so their ids stay their own
        found = self._forms.get(id(option))
        if found is None:
            family = self.machine.families[option.family]
            found = self._forms[id(option)] = Form(option, family, self.words)
        return found

    def drawn(self, draw: Draw, outcome: int) -> Drawn:
        """An outcome of chance with its words."""
        found = self._drawn.get((draw.number, outcome))
        if found is None:
            found = Drawn(draw, outcome, self.label(draw, outcome))
            self._drawn[draw.number, outcome] = found
        return found

    def label(self, draw: Draw, outcome: int) -> str:
        """An outcome of chance in words: the component drawn, the value rolled."""
        if isinstance(draw.subject, Scalar):
            return say(self.words.value(draw.subject.type, _least(draw.subject.type) + outcome))
        return self.words.members(draw.subject.kinds)[outcome]


def _least(type_: Type) -> int:
    """The value that outcome 0 of a roll stands for."""
    match type_:
        case IntType():
            return type_.low
        case MaybeType():
            return NONE
        case _:
            return 0
