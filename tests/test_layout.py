"""Components that tell where they lie: nobody can tell the layout from outside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

from rulesdsl.check.model import Kind, Model, Shape, Zone
from rulesdsl.check.sizes import kinds_by_place, single_kinds
from rulesdsl.compile import check_source
from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.layout import cells_of, fill, lay_out, write_cells
from rulesdsl.machine.program import Machine, Region
from rulesdsl.machine.verify import verify
from rulesdsl.play.game import Game
from rulesdsl.play.narrate import Narrator
from rulesdsl.play.state import State
from rulesdsl.play.texts import Moment, Scene, Wording
from rulesdsl.text.source import NOWHERE, Source
from tests.machines import model_of
from tests.random_rules import random_model
from tests.test_meaning import FILES, LONG, ROOT, choices, load
from tests.test_text_secrecy import names_of, texts_of
from tests.two_runs import scrambled

SALON = ROOT / "tests" / "games" / "salon.yaml"

T = TypeVar("T")

CARDS = """\
rules: 1
game: many_cards
title: Many Cards
players: 5

kinds:
  Card:
    columns: {value: 1..9}
    rows: {ROWS}

state:
  shared:
    deck: deck of Card, hidden, starts with all, refilled from played
    box: bag of Card
    played: bag of Card
  each player:
    hand: bag of Card, secret, size seen
    kept: bag of Card
    points: 0..900

flow:
  - shuffle deck
  - for p in players: deal 6 from deck to p.hand
  - for round in 1..20:
      - for p in players:
          - p chooses:
              play(c in kinds of p.hand):
                - move c from p.hand to played
                - p.points += c.value
              keep(c in kinds of p.hand where c.value > 4): move c from p.hand to p.kept
              drop(c in p.hand): move c from p.hand to box
          - deal up to 1 from deck to p.hand
      - for p in players: p.points += sum(c.value for c in p.kept)

result:
  for p in players:
    highest: p.points
"""


def many_cards() -> Model:
    """A game of 98 single cards and five hands."""
    rows = ", ".join(f"card{i}: [{1 + i % 9}]" for i in range(98))
    return check_source(Source("many.yaml", CARDS.replace("ROWS", rows)))


def both_layouts(model: Model, seats: int, options: dict[str, int]) -> tuple[Machine, Machine]:
    """The same rules, with all components counted and with all told that can be."""
    counted = make_machine(model, seats, options, layout=lay_out(model, seats, ()))
    single = single_kinds(model, seats)
    told = make_machine(model, seats, options, layout=lay_out(model, seats, single))
    return verify(counted), verify(told)


class Pair:
    """A game of both layouts, played with the same moves and chances; each is told to all."""

    def __init__(self, model: Model, seats: int, options: dict[str, int]) -> None:
        self.games = [Game(machine) for machine in both_layouts(model, seats, options)]
        self.seats = seats
        self.fault: object = None
        self.states = self.both(lambda i: self.games[i].start())
        self.stops = 0

    def both(self, act: Callable[[int], T]) -> list[T]:
        """Do something in both; a fault has to be the same."""
        done: list[T] = []
        faults: list[object] = []
        for i in range(2):
            try:
                done.append(act(i))
                faults.append(None)
            except RuleFault as fault:
                faults.append((fault.kind, fault.span))
        assert faults[0] == faults[1]
        self.fault = faults[0]
        return done

    def play(self, random: Random, most: int) -> int:
        """How many stops were compared."""
        while self.fault is None and self.stops < most:
            self.stops += 1
            compare(*self.states)
            if self.states[0].is_over:
                break
            self.step(random)
        if self.states:
            self.tell()
        return self.stops

    def step(self, random: Random) -> None:
        state = self.states[0]
        if state.is_chance:
            _, _, outcome = random.choice(state.chance_outcomes())
            self.both(lambda i: self.states[i].apply_chance(outcome))
            return
        seat = random.choice(state.to_act)
        move = random.choice(state.legal_moves(seat)).text
        self.both(lambda i: self.states[i].apply(move, seat))

    def tell(self) -> None:
        """What each seat has seen happen, and the game in words, to the referee too."""
        for seat in range(self.seats):
            first, second = (state.log(seat) for state in self.states)
            assert first == second
        for viewer in (None, *range(self.seats)):
            pages: list[list[str]] = []
            for state in self.states:
                page: list[str] = []
                narrator = Narrator(state.rules, viewer, page.append)
                for run in state._run.path():
                    narrator(run, list(state.record))
                narrator.leave()
                pages.append(page)
            assert pages[0] == pages[1]


def compare(first: State, second: State) -> None:
    """All that can be seen of two states."""

    def seen(state: State) -> Iterator[object]:
        yield state.named()
        yield state.named_hash()
        yield state.rules.hash
        yield state.chance_outcomes()
        for seat in range(state.rules.machine.seats):
            yield state.view(seat)
            yield [(move.text, move.number) for move in state.legal_moves(seat)]
        yield None if state.outcome is None else str(state.outcome)

    for one, other in zip(seen(first), seen(second), strict=True):
        assert one == other
    for state in (first, second):
        check_numbers(state)


def check_numbers(state: State) -> None:
    """Nothing is made or lost, and the record is what would be written for what lies there."""
    machine, record = state.rules.machine, list(state.record)
    lying: Counter[tuple[str, int]] = Counter()
    start: Counter[tuple[str, int]] = Counter()
    again = record.copy()
    for zone in machine.model.zones.values():
        members = [(kind.name, i) for kind in zone.kinds for i in range(len(kind))]
        for copy in range(machine.layout.slot(zone).copies):
            cells = cells_of(machine.layout, record, zone, copy)
            write_cells(machine.layout, again, zone, copy, cells)
            held = state.rules.words.held(zone, cells)
            lying.update(dict(zip(members, held, strict=True)))
            counts = [count for part in zone.start for count in part] or [0] * len(members)
            start.update(dict(zip(members, counts, strict=True)))
    assert again == record
    assert lying == start


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_games_are_the_same_in_both_layouts(path: Path) -> None:
    model = load(path)
    for seats, options in choices(model, Random(2), 0):
        if path.stem in LONG and seats < model.players[1]:
            continue
        if single_kinds(model, seats):
            assert Pair(model, seats, options).play(Random(seats), 60) > 2


def test_many_cards_are_the_same_in_both_layouts() -> None:
    assert Pair(many_cards(), 5, {}).play(Random(1), 150) == 150


def models(numbers: range) -> Iterator[Model]:
    """Random rules that are well formed."""
    return (model for number in numbers if (model := random_model(number)) is not None)


@pytest.mark.xdist_group("random files")
def test_random_rules_are_the_same_in_both_layouts() -> None:
    chosen: Counter[bool] = Counter()
    stops = 0
    for number, model in enumerate(models(range(16))):
        chosen[bool(kinds_by_place(model, 2))] += 1
        for seats, options in choices(model, Random(number), 0)[:1]:
            stops += Pair(model, seats, options).play(Random(number), 30)
    assert chosen[True] > 3, "components that tell their places must be reached"
    assert chosen[False] > 3, "components that are counted must be reached"
    assert stops > 200


@pytest.mark.soak
@pytest.mark.parametrize("start", range(20_000, 21_000, 100))
def test_thousands_of_random_rules_are_the_same_in_both_layouts(start: int) -> None:
    for number, model in enumerate(models(range(start, start + 100))):
        for seats, options in choices(model, Random(number), 1):
            Pair(model, seats, options).play(Random(number), 100)


def test_texts_say_the_same_in_both_layouts() -> None:
    model = load(SALON)
    said: Counter[str] = Counter()
    for seed in range(2):
        random, pair = Random(seed), Pair(model, 3, {})
        wordings = [[Wording(game.rules, seat) for seat in range(3)] for game in pair.games]
        while not pair.states[0].is_over:
            inside = random.randrange(3) if isinstance(pair.states[0].stop, Region) else None
            for seat in range(3):
                for text in texts_of(model):
                    names, told = names_of(text, random, 3), []
                    for state, wording in zip(pair.states, wordings, strict=True):
                        moment = Moment(list(state.record), inside)
                        told.append(wording[seat].say(text, Scene(names, moment, moment)))
                    assert told[0] == told[1]
                    said[told[0]] += 1
            pair.step(random)
    assert len(said) > 100


SHOWN = """\
rules: 1
game: shown
players: 2
kinds:
  Suit: {rows: [red, blue]}
  Card:
    columns: {suit: Suit, value: 1..4}
    rows: {duke: [red, 3], spy: [blue, 1], monk: [red, 4], fool: [blue, 2], hare: [red, 1]}
state:
  shared:
    box: bag of Card, hidden, starts with all
  each player:
    hand: bag of Card, secret, suit seen
    laid: pile of Card, secret, suit seen
    points: 0..9
flow:
  - for p in players: deal 2 from box to p.hand
  - for p in players:
      - p chooses:
          lay(c in kinds of p.hand): move c from p.hand to p.laid
          keep: nothing
      - p.points = count(c in p.hand where c.suit == red) + count(c in p.laid where c.suit == blue)
result:
  for p in players:
    highest: p.points
texts:
  prompts:
    lay: "{HANDS}"
""".replace(
    "{HANDS}",
    "[for q in players with '; ': {q} {count(c in q.hand where c.suit == red)} red"
    "[: [for c in q.hand: {c.suit}]][, laid [for c in q.laid: {c.suit}]]]",
)


def test_columns_that_all_see_are_the_same_in_both_layouts() -> None:
    model = check_source(Source("shown.yaml", SHOWN))
    (text,) = texts_of(model)
    said: Counter[str] = Counter()
    for seed in range(10):
        random, pair = Random(seed), Pair(model, 2, {})
        while not pair.states[0].is_over:
            compare(*pair.states)
            for seat in range(2):
                told: list[str] = []
                for state in pair.states:
                    moment = Moment(list(state.record), None)
                    line = Wording(state.rules, seat).say(text, Scene({}, moment, moment))
                    told.append(line)
                    alike = Moment(scrambled(state, seat, random), None)
                    assert Wording(state.rules, seat).say(text, Scene({}, alike, alike)) == line
                    said[line] += 1
                assert told[0] == told[1]
            pair.step(random)
    assert len(said) > 20


# ------------------------------------------------------------------ which layout


def test_single_components_take_fewer_numbers() -> None:
    model = many_cards()
    assert [kind.name for kind in kinds_by_place(model, 5)] == ["Card"]
    counted, told = lay_out(model, 5, ()), lay_out(model, 5)
    assert counted.cells == 9 + 5 + 99 + 98 + 12 * 98
    assert told.cells == 9 + 5 + 99 + 12 + 98


CARD = Kind("Card", ("ace", "king", "queen"), NOWHERE)
TOKEN = Kind("Token", ("disk", "cube", "ring"), NOWHERE)
ALL = (1, 1, 1)


def zone(
    shape: Shape, *kinds: Kind, start: tuple[tuple[int, ...], ...] = (), per: str = ""
) -> Zone:
    name = f"place {len(kinds)} {shape.value} {start}"
    return Zone(name, per or "shared", shape, kinds, NOWHERE, start=start, capacity=3)


BOX, BAG = zone(Shape.BAG, CARD, start=(ALL,)), zone(Shape.BAG, CARD)
BOTH = zone(Shape.BAG, CARD, TOKEN, start=((0, 0, 0), ALL))


@pytest.mark.parametrize(
    ("zones", "single", "chosen"),
    [
        ([BOX, BAG], [CARD], [CARD]),
        # no shorter: three numbers for the cards, one for each place
        ([BOX], [CARD], []),
        ([zone(Shape.PILE, CARD, start=(ALL,)), BAG], [CARD], []),
        ([zone(Shape.DECK, CARD, start=(ALL,)), BAG], [CARD], [CARD]),
        ([BOX, BOTH], [CARD, TOKEN], [CARD, TOKEN]),
        # an ace exists twice, and with it lie the tokens
        ([BOX, BAG, zone(Shape.BAG, CARD, start=((1, 0, 0),))], [], []),
        ([BOX, BAG, BOTH, zone(Shape.PILE, TOKEN, start=((0, 2, 0),))], [], []),
        # each player has all
        ([zone(Shape.BAG, CARD, start=(ALL,), per="player"), BAG], [], []),
        ([zone(Shape.BAG, CARD, start=((1, 0, 0),)), BAG], [CARD], [CARD]),
        # nothing of it is anywhere
        ([BAG], [], []),
    ],
)
def test_who_tells_and_who_is_counted(
    zones: list[Zone], single: list[Kind], chosen: list[Kind]
) -> None:
    model = model_of("places", *zones)
    model.kinds = {"Card": CARD, "Token": TOKEN}
    model.zones = {(zone.name, str(i)): zone for i, zone in enumerate(zones)}
    assert single_kinds(model, 2) == single
    assert kinds_by_place(model, 2) == chosen


def test_filling_a_place_takes_away_what_was_there() -> None:
    model = many_cards()
    machine = make_machine(model, 5, {})
    deck, hand = (zone for zone in model.zones.values() if zone.name in ("deck", "hand"))
    record = list(machine.start)
    fill(machine.layout, record, hand, 3, [4, 7])
    fill(machine.layout, record, deck, 0, [i for i in range(98) if i not in (4, 7)])
    lying = cells_of(machine.layout, record, hand, 3)
    assert [member for member, count in enumerate(lying) if count] == [4, 7]
    fill(machine.layout, record, hand, 3, [7])
    fill(machine.layout, record, hand, 2, [4])
    assert cells_of(machine.layout, record, hand, 3)[4:8] == [0, 0, 0, 1]
    assert cells_of(machine.layout, record, hand, 2)[4:8] == [1, 0, 0, 0]
    assert sum(cells_of(machine.layout, record, deck, 0)[-98:]) == 96


# ------------------------------------------------------------------ acting together

TWICE = """\
rules: 1
game: twice
title: Twice
players: 2

state:
  shared:
    first: 0..9, starts at 5
    second: 0..9, starts at 7

flow:
  - together p in players:
      - p chooses:
          add: first += 1
          wait: nothing
  - together p in players:
      - p chooses:
          add: second += 1
          wait: nothing
  - nobody wins
"""


def test_while_all_act_what_they_do_not_change_is_seen_too() -> None:
    model = check_source(Source("twice.yaml", TWICE))
    state = Game(make_machine(model, 2, {})).start()
    seen = []
    for seat in (0, 1, 0):
        state.apply("add", seat)
        seen.append(state.view(1)["state"])
    assert seen == [{"first": 5, "second": 7}, {"first": 7, "second": 7}, {"first": 7, "second": 7}]
