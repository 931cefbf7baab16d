"""The comparison of engine and walker is worth something: small faults of lowering are caught."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve

from rulesdsl.check import model as m
from rulesdsl.compile import check_source
from rulesdsl.engines import ahead
from rulesdsl.machine import (
    awards,
    choices,
    coming,
    derived,
    effects,
    fold,
    grids,
    joins,
    loops,
    moves,
    places,
    procedures,
    regions,
    steps,
    triggers,
)
from rulesdsl.machine.fold import add, op
from rulesdsl.machine.places import PlaceAt, ToldPlace
from rulesdsl.machine.program import K
from rulesdsl.machine.values import Values
from rulesdsl.text.files import read_source
from rulesdsl.text.problems import InternalError
from rulesdsl.text.source import Source
from tests.lockstep import Difference, Lockstep, generated
from tests.random_rules import random_model

pytestmark = pytest.mark.xdist_group("random files")
FILES = 200
TRAPS = """\
rules: 1
game: traps
title: A shelf has room for two, and what is said there moves with the goods
players: 2
kinds:
  Good: {rows: [silk, wine]}
state:
  shared:
    box: bag of Good, starts with 3 silk and 3 wine
    shelf:
      type: pile of Good, at most 2
      notes: {said: maybe Good}
    points: 0..9
flow:
  - while points < 4, at most 6:
      - let p = seat 1
      - p chooses:
          lay(g in kinds of box): move 1 g from box to shelf, noting said = g
          slip(g in kinds of box): move 1 g from box under shelf, noting said = g
          take(g in kinds of shelf): move 1 g from shelf to box
          wait: points += count(n in maybe 1..2 where n == none)
result:
  for p in players:
    highest: points
"""
GAMES = [
    Source("traps.yaml", TRAPS),
    *(read_source(path) for path in sorted((Path(__file__).parent / "games").glob("*.yaml"))),
]


@cache
def model(number: int) -> m.Model | None:
    """A model to compare on: the traps, games, then random ones; None if refused."""
    if number < len(GAMES):
        return check_source(GAMES[number])
    return random_model(number - len(GAMES))


def differs() -> bool:
    """Whether engine and walker differ somewhere."""
    for number in range(len(GAMES) + FILES):
        rules = model(number)
        if rules is None:
            continue
        options = {name: int(name == "level") * 2 for name in rules.options}
        seats = rules.players[1]
        try:
            game = generated(rules, seats, options)
            for seed in range(2 if number else 12):
                Lockstep(rules, seats, options, Random(seed), game).play(60)
        except (Difference, InternalError):
            return True
    return False


Wrap = Callable[[Callable[..., Any]], Callable[..., Any]]


def instead(change: Callable[..., Any]) -> Wrap:
    """A function that calls the old one through `change`."""
    return lambda old: lambda *args, **named: change(old, *args, **named)


def with_step(**changes: Callable[[Any], Any]) -> Wrap:
    """The old function, for a step with some of its fields changed."""

    def change(old: Callable[..., Any], b: object, step: Any, *rest: object) -> object:
        new = {name: how(getattr(step, name)) for name, how in changes.items()}
        return old(b, evolve(step, **new), *rest)

    return instead(change)


def nothing(*_: object, **__: object) -> None:
    """Nothing is done."""


def _one_too_many(old: Callable[..., Any], *args: object) -> object:
    low, high, member, inside = old(*args)
    return low, op("sub", high, K(1)), member, inside


def _without_first(old: Callable[..., Any], *args: object) -> object:
    first, end, at = old(*args)
    return add(first, K(1)), end, at


def _one_less(b: Any, coming: Any) -> object:
    b.set(coming, op("max", K(0), op("sub", coming, K(1))))
    return coming


def _no_cap(old: Callable[..., Any], b: Any, scalar: m.Scalar, *rest: Any, **named: Any) -> None:
    capped, scalar.capped = scalar.capped, False
    try:
        old(b, scalar, *rest, **named)
    finally:
        scalar.capped = capped


def _start_unread(old: Callable[..., Any], b: object, what: m.Procedure, **named: Any) -> None:
    before = [counter.start for counter in what.counters]
    for counter in what.counters:
        counter.start = None
    try:
        old(b, what, **named)
    finally:
        for counter, start in zip(what.counters, before, strict=True):
            counter.start = start


FAULTS: dict[str, tuple[Any, str, Wrap]] = {
    "a loop ends one early": (loops, "_members", instead(_one_too_many)),
    "seats after one begin with it": (
        loops,
        "_first_and_number",
        instead(lambda old, b, seats: old(b, evolve(seats, after=False))),
    ),
    "a turn is not passed": (loops, "turn_passes", lambda _: nothing),
    "a loop goes on once more": (
        loops,
        "_while",
        instead(lambda old, b, step: old(b, evolve(step, strict=not step.strict))),
    ),
    "ties take the other prize": (
        awards,
        "_share",
        instead(
            lambda old, b, ties, *rest: old(
                b, m.Ties.NONE_SKIPPED if ties is m.Ties.USED_UP else m.Ties.USED_UP, *rest
            )
        ),
    ),
    "places go the other way round": (awards, "pass_each", with_step(step=lambda step: -step)),
    "a cap is forgotten": (effects, "set_scalar", instead(_no_cap)),
    "under is on top": (
        effects,
        "put",
        instead(
            lambda old, b, at, member, way, span: old(
                b, at, member, m.Way.ONTO if way is m.Way.UNDER else way, span
            )
        ),
    ),
    "a note stays where it was": (effects, "shift_notes", lambda _: nothing),
    "a note is not taken away": (effects, "clear_notes", lambda _: nothing),
    "nothing is noted": (moves, "lay_notes", lambda _: nothing),
    "no place is ever full": (effects, "check_room", lambda _: nothing),
    "a deck is not shuffled": (effects, "shuffle", lambda _: nothing),
    "nothing is refilled": (moves, "_refill", lambda _: nothing),
    "triggers on moves are not carried out": (moves, "_fire_each", lambda _: nothing),
    "a dealt component sets nothing off": (moves, "_after_one", lambda _: nothing),
    "the condition of a deal is forgotten": (
        moves,
        "_likely",
        instead(lambda old, b, chosen, origin, member: origin.count(member)),
    ),
    "what goes aside is dealt": (
        moves,
        "_comes_up",
        instead(lambda old, b, dealing, *rest: old(b, evolve(dealing, asides=()), *rest)),
    ),
    "a component of another kind sets something off": (
        places,
        "of_kind",
        lambda _: lambda *_: K(1),
    ),
    "an option comes again": (choices, "choose", with_step(each_once=lambda _: False)),
    "a chosen order takes one twice": (
        choices,
        "clear_cells",
        instead(lambda old, b, target, count: old(b, target, 0)),
    ),
    "a case is one too wide": (
        steps,
        "_cases",
        instead(
            lambda old, b, value, cases, done: old(
                b,
                value,
                tuple(evolve(c, values=c.values and (c.values[0], c.values[1] + 1)) for c in cases),
                done,
            )
        ),
    ),
    "a counter begins at 0": (procedures, "_counters", instead(_start_unread)),
    "nothing is looked ahead": (
        loops,
        "Longest",
        instead(lambda old, _, done: old(None, done)),
    ),
    "everybody takes part": (regions, "_take_part", with_step(where=lambda _: None)),
    "the first neighbor is left out": (joins, "neighbors", instead(_without_first)),
    "all are neighbors in a choice": (joins, "are_joined", lambda _: lambda *_: K(1)),
    "one member joins every two": (joins, "between", lambda _: lambda *_: K(0)),
    "nothing is in a pair": (joins, "is_end", lambda _: lambda *_: K(0)),
    "a trigger is told of the first player and member": (
        triggers,
        "_bind",
        instead(lambda old, b, owner, what, key: old(b, owner, what, K(0))),
    ),
    "every step leads to one member": (grids, "toward", lambda _: lambda *_: K(0)),
    "the first beside is left out": (grids, "beside", instead(_without_first)),
    "all lie beside each other": (grids, "are_beside", lambda _: lambda *_: K(1)),
    "the first line is left out": (grids, "lines", instead(_without_first)),
    "a ring does not turn": (derived, "turned", instead(lambda old, expr, of: of)),
    "the first in a bag is left out": (derived, "in_bag", instead(_without_first)),
    "nothing is counted in a bag": (derived, "bag_count", lambda _: lambda *_: K(0)),
    "a bag holds one more": (
        derived,
        "bag_size",
        instead(lambda old, column, of: add(old(column, of), K(1))),
    ),
    "a member keeps its number": (derived, "converted", instead(lambda old, expr, of, _: of)),
    "no member is of a kind": (derived, "is_a", lambda _: lambda *_: K(0)),
    "one member is made of all": (derived, "made", lambda _: lambda *_: K(0)),
    "equal components come once": (coming, "each_comes", lambda _: lambda _: False),
    "one component too few comes": (
        coming,
        "still_to_come",
        instead(lambda old, b, domain: _one_less(b, old(b, domain))),
    ),
    "none is left out": (fold, "with_none", instead(_without_first)),
}


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any, str, Wrap], None]:
    """Replaces a function wherever the lowering uses it."""

    def everywhere(module: Any, name: str, wrap: Wrap) -> None:
        old = getattr(module, name)
        new = wrap(old)
        for other in list(sys.modules.values()):
            if getattr(other, "__name__", "").startswith("rulesdsl.machine"):
                for key, value in list(vars(other).items()):
                    if value is old:
                        monkeypatch.setattr(other, key, new)

    return everywhere


@pytest.mark.parametrize("name", FAULTS)
def test_faults_of_lowering_are_caught(name: str, plant: Callable[[Any, str, Wrap], None]) -> None:
    plant(*FAULTS[name])
    assert differs()


VALUES: dict[str, tuple[type, str, Wrap]] = {
    "what comes after a round is not looked at": (ahead._Search, "_on", lambda _: lambda *args: 0),
    "divisions round the other way": (
        Values,
        "_operation",
        instead(
            lambda old, self, expr: old(
                self, evolve(expr, up=not expr.up) if isinstance(expr, m.Quotient) else expr
            )
        ),
    ),
    "the least is the greatest": (
        Values,
        "_fold",
        instead(
            lambda old, self, expr: old(self, evolve(expr, op="max") if expr.op == "min" else expr)
        ),
    ),
    "the neighbour on the other side": (
        Values,
        "value",
        instead(
            lambda old, self, expr: old(
                self, evolve(expr, step=-expr.step) if isinstance(expr, m.Neighbour) else expr
            )
        ),
    ),
    "what is for one member is for all": (
        Values,
        "value",
        instead(
            lambda old, self, expr: old(
                self,
                evolve(expr, member=m.Const(expr.span, expr.member.type, 0))
                if isinstance(expr, m.MemberOf)
                else expr,
            )
        ),
    ),
    "a run is one longer": (
        PlaceAt,
        "run_size",
        instead(lambda old, *args: add(old(*args), K(1))),
    ),
    "what is shuffled into a deck tells that it is known": (
        ToldPlace,
        "put_loose",
        instead(
            lambda old, self, member, count: (
                self.put_placed(member)
                if self.zone.shape is m.Shape.DECK
                else old(self, member, count)
            )
        ),
    ),
    "what comes to a place of its own does not tell it": (
        ToldPlace,
        "put_placed",
        instead(lambda old, self, member: ()),
    ),
    "what leaves a bag still makes it larger": (
        ToldPlace,
        "take_loose",
        instead(lambda old, self, member, count: ()),
    ),
    "what is passed on tells the old place": (
        ToldPlace,
        "pass_on",
        instead(lambda old, self, member, step: ()),
    ),
    "the top is the bottom": (
        PlaceAt,
        "spot",
        instead(lambda old, self, index: old(self, K(0) if self.zone.name == "row" else index)),
    ),
}


@pytest.mark.parametrize("name", VALUES)
def test_faults_of_values_are_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, attribute, wrap = VALUES[name]
    monkeypatch.setattr(owner, attribute, wrap(getattr(owner, attribute)))
    assert differs()
