"""What holds along every game: conservation, copies, saves, playlogs, equal states as records."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from attrs import define

from rulesdsl.agents.random import RandomAgent
from rulesdsl.check.model import Kind, PlaceNote, Scalar, Zone
from rulesdsl.compile import compile_rules
from rulesdsl.engines.chance import Stream
from rulesdsl.lab.covering import covering
from rulesdsl.machine.program import ME, POINTS, WINNER, Machine, Region
from rulesdsl.machine.verify import verify
from rulesdsl.play.game import Game
from rulesdsl.play.moves import Move
from rulesdsl.play.playlog import PlaylogWriter, read_playlog, replay
from rulesdsl.play.playlog import verify as verify_playlog
from rulesdsl.play.state import State, check_invariants
from rulesdsl.text.source import Source
from tests.bundled import GAMES, read

SMALL = sorted((Path(__file__).parent / "games").glob("*.yaml"))
FILES = [*SMALL, *GAMES.values()]
SEEDS = range(20)
FEW = 8
"""So many games of a bundled game: test_engines_agree verifies the machines of all choices."""


@cache
def games_of(path: Path) -> list[Game]:
    """The game for some numbers of players and choices of options."""
    model = read(path).model
    most = len(SEEDS) if path in SMALL else FEW
    return [choice.game(model) for choice in covering(model)[:most]]


def game_of(path: Path, seed: int) -> Game:
    games = games_of(path)
    return games[seed % len(games)]


@define
class Player:
    """Plays at random for all seats and for chance; the same seed plays the same."""

    agent: RandomAgent
    chance: Stream

    @staticmethod
    def of(seed: int) -> Player:
        return Player(RandomAgent(seed), Stream.of(seed))

    def choose(self, state: State) -> Move | int:
        """The next move, or outcome of chance."""
        if state.is_chance:
            outcomes = state.chance_outcomes()
            return outcomes[self.chance.below(len(outcomes))][2]
        return self.agent.choose(state, state.to_act[self.chance.below(len(state.to_act))])

    def play(self, state: State) -> Iterator[State]:
        """Every stop up to the end; the state yielded goes on."""
        yield state
        while not state.is_over:
            go_on(state, self.choose(state))
            yield state


def go_on(state: State, choice: Move | int) -> None:
    if isinstance(choice, int):
        state.apply_chance(choice)
    else:
        state.apply(choice)


def play(path: Path, seed: int) -> Iterator[State]:
    return Player.of(seed).play(game_of(path, seed).start())


# ------------------------------------------------------------------ conservation


def names_in(content: object) -> Iterable[str]:
    """The components in a place as the referee sees it, each as often as it is there."""
    match content:
        case None:
            return []
        case str():
            return [content]
        case {"components": dict(counts), "order": list()} | dict(counts):
            return Counter(counts).elements()
        case list():
            return content
        case _:
            raise AssertionError(content)


def components(state: State) -> Counter[str]:
    """How many of each component there are in all places together."""
    named = state.named()["state"]
    assert isinstance(named, dict)
    found: Counter[str] = Counter()
    for what, _, path in state.rules.views.state():
        if isinstance(what, Zone):
            found.update(name.rpartition(".")[2] for name in names_in(named[path]))
    return found


DECK_TO_DECK = """\
rules: 1
game: two_decks
title: Two Decks
players: 2
about: The top card of a deck, which nobody knows, goes somewhere into another.

kinds:
  Omen:
    columns: {copies: 1..4}
    rows: {owl: [3], wolf: [2]}

state:
  shared:
    deck: deck of Omen, hidden, starts with copies
    other: deck of Omen, hidden

flow:
  - shuffle deck
  - repeat 3: move 1 from deck into other at random place 1..2
  - for p in players:
      - p chooses:
          left: nothing
          right: nothing

result:
  for p in players:
    highest: size of other
"""


def test_an_unknown_card_of_a_deck_is_drawn_before_it_goes_into_another() -> None:
    game = Game(compile_rules(Source("two_decks.yaml", DECK_TO_DECK), None, {}))
    for seed in SEEDS:
        state = game.start(seed)
        found = state.named()["state"]
        assert isinstance(found, dict)
        for path, size in (("deck", 2), ("other", 3)):
            # as many without a place of their own as there are places nobody knows
            order, counts = found[path]["order"], found[path]["components"]
            assert len(order) == sum(counts.values()) == size
        assert components(state) == {"owl": 3, "wolf": 2}


# ------------------------------------------------------------------ copies, saves, playlogs


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_copies_saves_and_playlogs_agree(path: Path) -> None:
    for seed in SEEDS:
        game, file, player = game_of(path, seed), io.StringIO(), Player.of(seed)
        state = game.start(watchers=[PlaylogWriter(game, file)])
        while not state.is_over:
            check_invariants(state)
            choice = player.choose(state)
            copies = [state.clone(), state.unseeded(), game.state_from_json(state.to_json())]
            before = state.record
            go_on(state, choice)
            for copy in copies:
                assert copy.record == before
                go_on(copy, choice)
                assert copy == state
                assert copy.hash == state.hash
                assert copy.to_act == state.to_act
        playlog = read_playlog(file.getvalue().splitlines())
        assert verify_playlog(game, playlog) == state
        assert replay(game, playlog).log(0) == state.log(0)


# ------------------------------------------------------------------ equal states, equal records


def left_over(machine: Machine, record: tuple[int, ...]) -> dict[str, int]:
    """Cells that mean nothing when the game is over and are not 0."""
    cells = {f"point of seat {seat}": POINTS + seat for seat in range(machine.seats)}
    cells["me"] = ME
    for slot in machine.layout.slots:
        if slot.shown or not isinstance(slot.what, Scalar | Zone | PlaceNote | Kind):
            for cell in range(slot.base, slot.base + slot.width * slot.copies):
                cells[f"{slot.name}, cell {cell}"] = cell
    return {name: record[cell] for name, cell in cells.items() if record[cell]}


def equal_ends(state: State, ends: dict[object, tuple[int, ...]]) -> None:
    """Where a game ends as another did before, the record is the same."""
    machine = state.rules.machine
    assert left_over(machine, state.record) == {}
    key = (id(machine), state.named_hash(), state.record[WINNER])
    assert ends.setdefault(key, state.record) == state.record


def nothing_of_a_region(state: State) -> None:
    """Outside of a region its cells are 0."""
    machine, record = state.rules.machine, state.record
    if isinstance(state.stop, Region):
        return
    assert not any(record[ME : ME + 1] + record[POINTS : POINTS + machine.seats])
    for slot in machine.layout.slots:
        if slot.shown:
            assert not any(record[slot.base : slot.base + slot.width * slot.copies])


# ------------------------------------------------------------------ all of it along a game


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_holds_along_every_game(path: Path) -> None:
    """Of the bundled games some are played, and in some components counted: that takes longest."""
    played, counted = (SEEDS, SEEDS) if path in SMALL else (SEEDS[:FEW], SEEDS[:3])
    for game in games_of(path):
        assert verify(game.machine) is game.machine
    ends: dict[object, tuple[int, ...]] = {}
    for seed in played:
        at_first: Counter[str] | None = None
        for state in play(path, seed):
            nothing_of_a_region(state)
            if seed in counted:
                now = components(state)
                at_first = at_first or now
                assert now == at_first, f"seed {seed}"
        equal_ends(state, ends)
