"""Many games on records: equal to games of states, whatever the engine; faults too."""

from __future__ import annotations

from pathlib import Path
from random import Random

import attrs
import pytest

from rulesdsl.agents.random import Agent, RandomAgent
from rulesdsl.agents.script import Script
from rulesdsl.agents.scripted import ScriptedAgent
from rulesdsl.compile import check_source
from rulesdsl.engines import lanes, many, whole
from rulesdsl.engines.chance import MASK, Stream, again
from rulesdsl.engines.faults import RuleFault
from rulesdsl.engines.finished import Finished
from rulesdsl.engines.lanes import HEAD, REST, heads
from rulesdsl.engines.many import play_many
from rulesdsl.engines.python import bulk, picking, remembering
from rulesdsl.engines.python.engine import GeneratedEngine
from rulesdsl.engines.python.holding import held_cells
from rulesdsl.engines.reference import Engine
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.program import PHASE, WINNER, Machine
from rulesdsl.play.game import Game
from rulesdsl.text.source import Source
from tests.bundled import beginner_of
from tests.machines import gifts, high_card, loops, nim
from tests.random_rules import random_model
from tests.test_meaning import FILES, LONG, choices, load

SEED = 5


def both(
    machine: Machine, numbers: range, cast: list[Script | None], rotate: bool = True
) -> Finished:
    """By the generated engine, after it was found equal to the reference, field by field."""
    policies = [None if script is None else script.policy for script in cast]
    mine = play_many(GeneratedEngine(machine), policies, SEED, numbers, rotate)
    theirs = play_many(Engine(machine), policies, SEED, numbers, rotate)
    for field in attrs.fields(Finished):
        if field.name == "faults":
            assert list(map(told, mine.faults)) == list(map(told, theirs.faults))
        else:
            assert getattr(mine, field.name) == getattr(theirs, field.name), field.name
    return mine


def told(fault: RuleFault | None) -> object:
    return None if fault is None else (fault.kind, fault.span, fault.detail)


def by_states(
    game: Game, number: int, cast: list[Script | None]
) -> tuple[list[int], int, list[int], object]:
    """Record, runs, decisions and fault of a game played by agents."""
    seats = range(game.players)
    decisions = [0] * game.players
    agents: list[Agent] = []
    for seat in seats:
        script = cast[(seat + number) % game.players]
        agents.append(
            RandomAgent(SEED, number) if script is None else ScriptedAgent(script, SEED, number)
        )
    try:
        state = game.start(seed=SEED, number=number)
    except RuleFault as fault:
        return list(game.machine.start), 0, decisions, told(fault)
    found = None
    try:
        while not state.is_over:
            player = state.to_act[0]
            move = agents[player].choose(state, player)
            decisions[player] += len(state.legal_moves(player)) > 1
            state.apply(move)
    except RuleFault as fault:
        found = told(fault)
    return list(state.record), state.moves_made, decisions, found


def agree(machine: Machine, numbers: range, cast: list[Script | None]) -> Finished:
    """Both engines and states."""
    finished = both(machine, numbers, cast)
    for index, number in enumerate(numbers):
        record, runs, decisions, fault = by_states(Game(machine), number, cast)
        assert finished.records[index] == record
        assert (finished.runs[index], finished.decisions[index]) == (runs, decisions)
        assert told(finished.faults[index]) == fault
    return finished


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_all_games(path: Path) -> None:
    model = load(path)
    seats, options = choices(model, Random(3), 1)[-1]
    machine = make_machine(model, seats, options)
    games = 1 if path.stem in LONG else 2
    finished = agree(machine, range(1, 1 + games), [None] * seats)
    assert len(finished) == games
    assert sum(finished.fired.values())


@pytest.mark.parametrize("name", ["ostia", "oltremare", "portus", "patronus"])
def test_bots_in_turn(name: str) -> None:
    path = next(path for path in FILES if path.stem == name)
    model = load(path)
    bot = beginner_of(model)
    assert bot is not None
    machine = make_machine(model, *choices(model, Random(0), 0)[-1])
    cast: list[Script | None] = [None] * machine.seats
    cast[0] = cast[-1] = Script.of(bot, Game(machine).rules)
    finished = agree(machine, range(2, 4 if name == "ostia" else 3), cast)
    assert {bot for bot, _ in finished.asked} == set(range(machine.seats))
    assert {bot for bot, _ in finished.guessed} <= {0, machine.seats - 1}


@pytest.mark.parametrize("machine", [nim(), high_card(), gifts(), nim(seats=3)])
def test_small_machines(machine: Machine) -> None:
    agree(machine, range(20), [None] * machine.seats)


def test_seats_stay_without_rotation() -> None:
    machine = nim()
    assert {bot for bot, _ in both(machine, range(1, 2), [None, None], rotate=False).asked} <= {
        0,
        1,
    }
    with pytest.raises(ValueError, match="3 bots"):
        play_many(Engine(machine), [None] * 3, 0, range(1), True)


def test_a_fault_ends_one_game() -> None:
    finished = agree(loops(10**9), range(2), [None, None])
    assert [fault is not None and fault.kind for fault in finished.faults] == ["limit"] * 2
    assert finished.records[0] == list(loops(1).start)


@pytest.mark.xdist_group("random files")
def test_random_rules() -> None:
    played = 0
    for seed in range(10):
        model = random_model(seed)
        if model is None:
            continue
        seats, options = choices(model, Random(seed), 1)[-1]
        played += len(agree(make_machine(model, seats, options), range(2), [None] * seats))
    assert played > 5


def test_whole_games_are_played_by_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("played stop by stop")

    monkeypatch.setattr(many, "_Game", refuse)
    model = load(next(path for path in FILES if path.stem == "ostia"))
    engine = GeneratedEngine(make_machine(model, 3, choices(model, Random(0), 0)[0][1]))
    assert play_many(engine, [None] * 3, SEED, range(3), True).faults == [None] * 3


@pytest.mark.parametrize("games", [range(5, 12), range(9, 2, -3), range(3, 4), range(0, 8, 2)])
def test_numbers_of_many_streams_at_once(games: range) -> None:
    counts = [1, 5, 0, 3]
    made = heads(77, games, counts)
    for purpose, (count, numbers) in enumerate(zip(counts, made, strict=True)):
        for game, head in zip(games, numbers, strict=True):
            stream = Stream.of(77, purpose, game)
            assert list(head) == [(stream.next() >> 64 - HEAD) + 1 for _ in range(count)]


@pytest.mark.parametrize("n", [1, 2, 7, 1000, 2**HEAD - 1, 2**HEAD, 2**40 + 1])
def test_heads_tell_what_is_drawn_or_that_they_do_not(n: int) -> None:
    """With every head, and the least and the greatest number that may stand behind it."""
    tails = 2 ** (64 - HEAD)
    told = 0
    for head in (*range(50), *range(2**HEAD // n - 3, 2**HEAD // n + 3), 2**HEAD - 1):
        product = (head + 1) * n
        if product & REST > n:
            told += 1
            for number in (head * tails, (head + 1) * tails - 1):
                assert number * n & MASK >= n  # one number is enough
                assert number * n >> 64 == product >> HEAD
    assert bool(told) is (n < 2**HEAD // 2)


@pytest.mark.parametrize(("name", "games"), [("leduc-poker", 20), ("portus", 1)])
def test_heads_that_often_do_not_tell(
    name: str, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the whole number is asked: of chance, random players and bots."""
    asked = []

    def exactly(self: whole.Whole, who: int, n: int) -> int:
        asked.append(who)
        return known(self, who, n)

    known = whole.Whole.exactly
    monkeypatch.setattr(whole.Whole, "exactly", exactly)
    for module in (lanes, picking, whole):
        monkeypatch.setattr(module, "HEAD", 4)
        monkeypatch.setattr(module, "REST", 15)
    model = load(next(path for path in FILES if path.stem == name))
    machine = make_machine(model, *choices(model, Random(0), 0)[0])
    bot = beginner_of(model)
    script = None if bot is None else Script.of(bot, Game(machine).rules)
    both(machine, range(games), [script, *[None] * (machine.seats - 1)])
    assert set(asked) == {*range(machine.seats), -1}


ENDLESS = """
rules: 1
game: endless
players: 2
kinds:
  Coin: {rows: [silver, gold]}
state:
  shared:
    bag: bag of Coin, hidden, starts with all
    table: bag of Coin
flow:
  - deal 1 from bag to table
  - for p in turns:
      - STEP
result:
  for p in players:
    score:
      coins: size of table
"""


@pytest.mark.parametrize(
    "step",
    [
        "p chooses: {stay: [], leave: []}",
        "p chooses: {stay: [], otherwise: []}",
        "p chooses: {'leave where size of table == 0': [], otherwise: []}",
        "{if size of table == 1: [move all from table to bag, deal 1 from bag to table]}",
    ],
)
def test_games_that_go_on_for_ever(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (many, whole, bulk):
        monkeypatch.setattr(module, "MOVES_PER_GAME", 300)
    model = check_source(Source("endless.yaml", ENDLESS.replace("STEP", step)))
    machine = make_machine(model, 2, {})
    finished = both(machine, range(3), [None, None])
    assert [fault is not None and fault.kind for fault in finished.faults] == ["endless"] * 3


def test_more_random_numbers_than_were_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game begins again with more of them, and counts nothing twice."""
    plain = play_many(GeneratedEngine(nim()), [None, None], SEED, range(70), True)
    monkeypatch.setattr(whole, "NUMBERS_AT_FIRST", 1)
    again = play_many(GeneratedEngine(nim()), [None, None], SEED, range(70), True)
    for field in attrs.fields(Finished):
        assert getattr(again, field.name) == getattr(plain, field.name), field.name


@pytest.mark.parametrize(("limit", "most"), [("MOST_MOVES", 3), ("MOST_CELLS", 0)])
@pytest.mark.parametrize("name", ["tic-tac-toe", "leduc-poker"])
def test_moves_that_are_not_remembered(
    name: str, limit: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing hangs on how many moves are remembered, or for how many cells."""
    monkeypatch.setattr(remembering, limit, most)
    model = load(next(path for path in FILES if path.stem == name))
    agree(make_machine(model, 2, choices(model, Random(0), 0)[0][1]), range(12), [None, None])


def test_moves_are_found_once() -> None:
    asked: list[tuple[int, ...]] = []

    def find(cells: tuple[int, ...]) -> list[int]:
        asked.append(cells)
        return list(cells)

    known = remembering.Remembered(find)
    assert [known[1, 2], known[3,], known[1, 2]] == [[1, 2], [3], [1, 2]]
    assert asked == [(1, 2), (3,)]


def test_cells_that_are_only_named_by_their_places() -> None:
    """No place that an index can reach is among them."""
    model = load(next(path for path in FILES if path.stem == "tic-tac-toe"))
    machine = make_machine(model, 2, {})
    held = held_cells(machine)
    board = next(slot for slot in machine.layout.slots if slot.width * slot.copies == 9)
    assert {PHASE, WINNER} & set(held) == {WINNER}
    assert not set(held) & set(range(board.base, board.base + 9))
    own = [slot.base for slot in machine.layout.slots if slot.what is None]
    assert own
    assert set(own) <= set(held)


@pytest.mark.parametrize("n", [2**63 + 1, 3 * 2**62])
def test_a_number_that_takes_several_numbers_of_the_stream(n: int) -> None:
    several = 0
    for key in range(40):
        stream = Stream(key)
        product = Stream(key).next() * n
        if product & MASK < n:
            rest = Stream(key, 1)
            assert again(rest.next, product, n) == stream.below(n)
            assert rest.position == stream.position
            several += stream.position > 1
    assert several
