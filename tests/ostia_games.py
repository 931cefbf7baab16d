"""What holds of every game of Ostia: for the property tests and for the soak."""

from __future__ import annotations

import io
from collections import Counter
from functools import cache
from random import Random
from typing import Any

from attrs import define, field

from rulesdsl.agents.random import RandomAgent
from rulesdsl.check.model import Model
from rulesdsl.lab.covering import Choice, covering
from rulesdsl.play.faults import MoveError
from rulesdsl.play.game import Game
from rulesdsl.play.moves import Move
from rulesdsl.play.playlog import PlaylogWriter, read_playlog, verify
from rulesdsl.play.state import State, check_invariants
from tests.bundled import GAMES, read

GOODS = {"ivory": 6, "wood": 7, "wine": 8, "olive_oil": 9, "textiles": 10, "grain": 11}
CARDS = dict.fromkeys((f"card_{number}" for number in range(1, 7)), 1)
ROUND = ["harbor", "office", "forum", "senate", "storehouses"]


@cache
def model() -> Model:
    return read(GAMES["ostia"]).model


@cache
def choices() -> list[Choice]:
    return covering(model())


@cache
def game(number: int) -> Game:
    """The game of one of the covering choices."""
    return choices()[number].game(model())


def contents(state: State) -> Counter[str]:
    """All components, wherever they are."""
    found: Counter[str] = Counter()
    everything = state.named()["state"]
    assert isinstance(everything, dict)
    for path, value in everything.items():
        here = value
        if isinstance(here, str) and here in CARDS:
            here = {here: 1}
        if isinstance(here, dict):
            assert all(number >= 0 for number in here.values()), path
            found.update(here)
    return +found


def check_components(state: State) -> None:
    """Nothing is lost and nothing comes from nowhere."""
    bluffs = {"bluff": 2 * state.rules.machine.seats}
    assert contents(state) == Counter(GOODS | CARDS | bluffs)
    assert sum(GOODS.values()) == 51


def check_bounds(state: State) -> None:
    """Cash and all counters stay in their bounds."""
    everything: Any = state.named()["state"]
    for seat in state.rules.words.seats:
        assert 0 <= everything[f"{seat}.money"] <= 2_500
        assert 0 <= everything[f"{seat}.points"] <= 60
        houses, loans = everything[f"{seat}.storehouses"], everything[f"{seat}.loans"]
        assert houses >= 0
        assert loans >= 0
        assert houses + loans <= 4
        assert not (houses and loans)
        assert everything[f"{seat}.for_sale"] <= houses
    check_invariants(state)


def check_rounds(state: State) -> None:
    """Five rounds of five phases, then the end."""
    phases = [event["phase"] for event in state.log(0) if event.kind == "began" and event["phase"]]
    assert [phase for phase in phases if phase in ROUND] == ROUND * 5
    assert phases[-1] == "final"
    assert phases.count("final") == 1


def check_outcome(state: State) -> None:
    """The ranking has everybody once, and who owes a loan does not win."""
    ended = state.outcome
    assert ended is not None
    seats = range(state.rules.machine.seats)
    assert sorted(seat for group in ended.ranking for seat in group) == list(seats)
    everything: Any = state.named()["state"]
    owing = {seat for seat in seats if everything[f"{ended.seats[seat]}.loans"]}
    assert owing.isdisjoint(ended.winners)
    assert bool(ended.winners) == (len(owing) < len(seats))
    assert set(ended.winners) <= set(ended.ranking[0])


@define
class Tried:
    """Texts of moves that were legal somewhere: elsewhere they are, or are refused."""

    random: Random
    texts: list[str] = field(factory=list)

    def check(self, state: State) -> None:
        """Of some texts exactly the legal ones are accepted; what is refused changes nothing."""
        before = state.record
        for player in range(state.rules.machine.seats):
            legal = {move.text: move for move in state.legal_moves(player)}
            for text in self.random.sample(self.texts, min(4, len(self.texts))):
                try:
                    move = state.move(text, player)
                except MoveError:
                    assert text not in legal
                else:
                    # what is said may leave out what can only be one thing
                    assert legal[move.text] == move
            for text in self.random.sample(sorted(legal), min(3, len(legal))):
                assert state.child(text, player) == state.child(legal[text])
        assert state.record == before

    def note(self, state: State) -> None:
        for player in state.to_act:
            moves = state.legal_moves(player)
            self.texts += [self.random.choice(moves).text]


def play(number: int, seed: int, every: int = 8) -> State:
    """A whole game with random players; at every so manieth decision everything is checked."""
    agent, random, file = RandomAgent(seed), Random(seed), io.StringIO()
    tried = Tried(random)
    state = game(number).start(seed, [PlaylogWriter(game(number), file, seed)])
    decisions = 0
    while not state.is_over:
        player = random.choice(state.to_act)
        check_invariants(state)
        if decisions % every == 0:
            check_components(state)
            check_bounds(state)
            tried.note(state)
            tried.check(state)
            saved = game(number).state_from_json(state.to_json())
            check_copies(state, saved, state.legal_moves(player)[-1])
        state.apply(agent.choose(state, player))
        decisions += 1
    check_components(state)
    check_bounds(state)
    check_rounds(state)
    check_outcome(state)
    assert verify(game(number), read_playlog(file.getvalue().splitlines())) == state
    return state


def check_copies(state: State, saved: State, move: Move) -> None:
    """A clone and what was saved go on as one, and leave the state alone."""
    before = state.record
    clone = state.clone()
    assert clone == saved == state.unseeded() == state
    assert clone.hash == state.hash
    for other in (clone, saved):
        other.apply(move.text, move.player)
    assert clone == saved
    assert clone.view(move.player) == saved.view(move.player)
    assert state.record == before
