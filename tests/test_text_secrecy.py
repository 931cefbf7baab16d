"""What texts tell one seat is the same whatever the others hold in secret."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from rulesdsl.agents.random import RandomAgent
from rulesdsl.check import model as m
from rulesdsl.check.datatypes import IntType, KindType, SubbagType
from rulesdsl.check.walk import nodes
from rulesdsl.machine.program import ME, Region
from rulesdsl.play.game import Game
from rulesdsl.play.loading import load
from rulesdsl.play.state import State
from rulesdsl.play.texts import Bound, Moment, Scene, Wording
from tests.two_runs import scrambled


def texts_of(model: m.Model) -> list[m.Text]:
    found = model.texts
    return [
        *found.before.values(),
        *found.after.values(),
        *found.moves.values(),
        *found.prompts.values(),
    ]


def names_of(text: m.Text, random: Random, seats: int) -> dict[m.Local, Bound]:
    """Any values for the names a text uses."""
    names: dict[m.Local, Bound] = {}
    for node in nodes(text):
        if isinstance(node, (m.LocalRead, m.SubbagSize, m.SubbagCount)):
            names[node.local] = value_of(node.local, random, seats)
        elif isinstance(node, m.TextSlot) and isinstance(node.value, m.Local):
            names[node.value] = value_of(node.value, random, seats)
    return names


def value_of(local: m.Local, random: Random, seats: int) -> Bound:
    match local.type:
        case IntType(low, high):
            return random.randint(low, min(high, low + 6))
        case KindType(kind):
            return random.randrange(len(kind))
        case SubbagType(kinds, _):
            return tuple(random.randint(0, 1) for kind in kinds for _ in kind.members)
        case _:
            return random.randrange(seats)


def states(game: Game, seeds: range, every: int) -> Iterator[State]:
    """Some of the states of random games."""
    for seed in seeds:
        yield from states_of(game.start(seed), RandomAgent(seed), every)


def states_of(state: State, agent: RandomAgent, every: int) -> Iterator[State]:
    while not state.is_over:
        if state.moves_made % every == 0:
            yield state
        state.apply(agent.choose(state, state.to_act[-1]))


BAZAAR = str(Path(__file__).parent / "games" / "bazaar.yaml")


@pytest.mark.parametrize(
    ("name", "options", "seeds", "every"),
    [
        ("ostia", {"bluffing": False}, range(5, 6), 6),
        ("ostia", {"bluffing": True}, range(5, 6), 6),
        (BAZAAR, {}, range(20), 1),
    ],
    ids=["ostia", "ostia, bluffing", "bazaar"],
)
def test_no_text_tells_a_secret(
    name: str, options: dict[str, object], seeds: range, every: int
) -> None:
    game = load(name, 3, options)
    random, wordings = Random(7), [Wording(game.rules, seat) for seat in range(3)]
    whole = Wording(game.rules)
    compared, different = 0, 0
    for state in states(game, seeds, every):
        for seat, wording in enumerate(wordings):
            pair = [list(state.record), scrambled(state, seat, random)]
            inside = random.randrange(3) if isinstance(state.stop, Region) else None
            for record in pair:
                record[ME] = inside or 0
            for text in texts_of(game.model):
                names = names_of(text, random, 3)
                told, known = [], []
                for record in pair:
                    moment = Moment(record, inside)
                    scene = Scene(names, moment, moment)
                    told.append(wording.say(text, scene))
                    known.append(whole.say(text, scene))
                assert told[0] == told[1], text.span.text
                compared += 1
                different += known[0] != known[1]
    assert different > compared / 100, "the referee must see the difference"
