"""What holds of every game of Oltre Mare: for the property tests and for the soak."""

from __future__ import annotations

import io
from collections import Counter
from functools import cache
from itertools import groupby
from random import Random
from typing import Any

from attrs import define, field

from rulesdsl.agents.random import RandomAgent
from rulesdsl.check.model import Model
from rulesdsl.lab.covering import Choice, covering
from rulesdsl.play.events import Event
from rulesdsl.play.game import Game
from rulesdsl.play.playlog import PlaylogWriter, read_playlog, verify
from rulesdsl.play.state import State, check_invariants
from tests.bundled import GAMES, read

GOODS = {"spices": 8, "silk": 10, "silver": 12, "sugar": 14, "wine": 16, "wood": 18, "grain": 20}
TOKENS = {
    "compass": 5,
    "fight_the_pirates": 5,
    "favorable_market": 5,
    "local_authority": 5,
    "good_deals": 6,
    "calm_navigation": 6,
}
SEQUENCES = {
    "spices": (0, 4),
    "silk": (0, 3, 8),
    "silver": (0, 3, 7, 12),
    "sugar": (0, 3, 7, 11),
    "wine": (1, 3, 6, 10),
    "wood": (1, 3, 6, 9),
    "grain": (1, 3, 5, 8, 12),
}
PRIZES = (6, 3, 1)
TURNS = 98


@cache
def model() -> Model:
    return read(GAMES["oltremare"]).model


@cache
def choices() -> list[Choice]:
    return covering(model())


@cache
def game(number: int) -> Game:
    """The game of one of the covering choices."""
    return choices()[number].game(model())


@cache
def plain(players: int) -> Game:
    """The game with all options as printed."""
    return Choice(players, ()).game(model())


def everything(state: State) -> dict[str, Any]:
    """The state by its paths."""
    found: Any = state.named()["state"]
    return dict(found)


# ------------------------------------------------------------------ what a place holds


def components(value: object) -> Counter[str]:
    """The components of a place: a bag, a pile or a slot by names."""
    match value:
        case str():
            return Counter([value])
        case {"components": dict() as bag}:
            return Counter(bag)
        case dict():
            return Counter(value)
        case list():
            return Counter(value)
        case _:
            return Counter()


def contents(state: State) -> Counter[str]:
    """All components, wherever they are."""
    zones = {zone.name for zone in model().zones.values()}
    found: Counter[str] = Counter()
    for path, value in everything(state).items():
        if path.split(".")[-1].split("[")[0] in zones:
            found += components(value)
    return found


def check_components(state: State) -> None:
    """98 cards, of each Merchandise as many as there are, 32 tokens, and the Venice card."""
    found = contents(state)
    goods = Counter(card.split("_")[0] for card in found if card[-2:].isalpha() and "_" in card)
    assert {good: goods[good] for good in GOODS} == GOODS
    assert sum(GOODS.values()) == 98
    assert {token: found[token] for token in TOKENS} == TOKENS
    assert sum(found.values()) == 98 + 32 + 1
    assert found["venice_card"] == 1


# ------------------------------------------------------------------ turns


@define
class Turn:
    """What has happened in one turn, as everybody has seen it."""

    player: str
    card: str
    """What lay on the hold when it began; in the first turn it is told a little later."""
    bought: int = 0
    played: int = 0
    partners: Counter[str] = field(factory=Counter)
    sailed: list[frozenset[str]] = field(factory=list)


@define
class Table:
    """Follows a game by the log of one seat, and holds each turn to the book."""

    seats: tuple[str, ...]
    hands: Counter[str] = field(factory=Counter)
    ships: dict[str, str] = field(factory=dict)
    holds: dict[str, str] = field(factory=dict)
    prestige: Counter[str] = field(factory=Counter)
    turns: list[Turn] = field(factory=list)

    def watch(self, event: Event) -> None:
        """One event of the log."""
        match event.kind:
            case "moved":
                self._moved(str(event["from"]), str(event["to"]), event)
            case "set":
                self._set(str(event["place"]), event["value"])
            case "began":
                self._began(str(event["phase"]))
            case "chose":
                self._chose(str(event["move"]))
            case "top":
                self._top(str(event["place"]).split(".")[0], str(event["value"]))
            case "ended" if event["phase"] == "sea_power_phase" and self.turns[-1].card:
                assert self.hands[self.turns[-1].player] <= sea_power(self.turns[-1].card)
            case "ended" if event["phase"] == "turn_of":
                self._ended(self.turns[-1])
            case _:
                pass

    def _moved(self, origin: str, to: str, event: Event) -> None:
        count = event["count"]
        assert isinstance(count, int)
        seat, _, place = origin.partition(".")
        if place == "hand":
            self.hands[seat] -= count
        seat, _, place = to.partition(".")
        if place == "hand":
            self.hands[seat] += count
        if place == "cargo" and origin == "played":
            self.holds[seat] = str(event["what"])
        if to == "played":
            self.turns[-1].played += count

    def _top(self, seat: str, card: str) -> None:
        self.holds[seat] = card
        if self.turns and self.turns[-1].player == seat and not self.turns[-1].card:
            self.turns[-1].card = card

    def _set(self, place: str, value: object) -> None:
        seat, _, name = place.partition(".")
        if name == "ship":
            if self.turns and self.turns[-1].player == seat and seat in self.ships:
                self.turns[-1].sailed.append(frozenset((self.ships[seat], str(value))))
            self.ships[seat] = str(value)
        if name == "prestige" and isinstance(value, int):
            if value > self.prestige[seat]:
                self.turns[-1].partners[seat] += value - self.prestige[seat]
            self.prestige[seat] = value

    def _began(self, phase: str) -> None:
        if phase == "turn_of":
            player = self.seats[len(self.turns) % len(self.seats)]
            self.turns.append(Turn(player, self.holds.get(player, "")))

    def _chose(self, move: str) -> None:
        word = move.split()[0]
        if word in ("buy", "buy_back"):
            self.turns[-1].bought += 1
        if word == "go":  # the Compass: this is no voyage along routes
            self.ships.pop(self.turns[-1].player)

    def _ended(self, turn: Turn) -> None:
        assert turn.bought <= 4
        assert turn.played in (0, 7 - sea_power(turn.card))
        assert len(turn.sailed) == len(set(turn.sailed))
        assert turn.partners[turn.player] == 0
        assert all(points == 1 for points in turn.partners.values())


def sea_power(card: str) -> int:
    """As its name says: 4 for wine_4mn."""
    return int(card.split("_")[1][0])


def check_turns(state: State) -> None:
    """Purchases, cards played, hand limits, voyages, prestige, and an end within 98 turns."""
    for seat in range(state.rules.machine.seats):
        table = Table(state.rules.words.seats)
        for event in state.log(seat):
            table.watch(event)
        assert 1 <= len(table.turns) <= TURNS
        now = everything(state)
        for name in state.rules.words.seats:
            assert table.hands[name] == sum(now[f"{name}.hand"].values())
            assert table.holds[name] == now[f"{name}.cargo"][-1]


# ------------------------------------------------------------------ the final score


def sale(cargo: list[str]) -> int:
    """Scoring 1: groups of one Merchandise from the top of the hold."""
    total = 0
    for good, group in groupby(card.split("_")[0] for card in reversed(cargo)):
        sequence = SEQUENCES[good]
        total += sequence[min(len(list(group)), len(sequence)) - 1]
    return total


def prizes(values: dict[str, Any]) -> dict[str, int]:
    """6, 3 and 1 for the three highest different values."""
    places = sorted(set(values.values()), reverse=True)
    return {
        seat: PRIZES[places.index(value)] if places.index(value) < 3 else 0
        for seat, value in values.items()
    }


def score(now: dict[str, Any], seats: tuple[str, ...]) -> dict[str, int]:
    """The final score of each player, from what lies on the table at the end."""
    tokens: dict[str, tuple[int, int]] = {}
    for seat in seats:
        mine = components(now[f"{seat}.face_down"]) + components(now[f"{seat}.token"])
        if mine:
            tokens[seat] = (sum(mine.values()), len(mine))
    for_tokens = prizes(tokens)
    for_prestige = prizes({s: now[f"{s}.prestige"] for s in seats if now[f"{s}.prestige"] > 0})
    return {
        seat: now[f"{seat}.ducats"]
        + sale(now[f"{seat}.cargo"])
        + for_tokens.get(seat, 0)
        + for_prestige.get(seat, 0)
        - len(now[f"{seat}.pirates"])
        for seat in seats
    }


def check_outcome(state: State) -> None:
    """The winners are those with the highest score by our own reckoning."""
    ended = state.outcome
    assert ended is not None
    mine = score(everything(state), ended.seats)
    best = max(mine.values())
    assert {ended.seats[seat] for seat in ended.winners} == {s for s in mine if mine[s] == best}
    ranked = [{mine[ended.seats[seat]] for seat in group} for group in ended.ranking]
    assert all(len(values) == 1 for values in ranked)
    order = [values.pop() for values in ranked]
    assert order == sorted(order, reverse=True)
    assert components(everything(state)["deck"])["venice_card"] == 0
    assert not components(everything(state)["deck"])


# ------------------------------------------------------------------ whole games


def play_on(game: Game, seed: int) -> State:
    """A whole game with random players, and no more."""
    agent, state = RandomAgent(seed), game.start(seed)
    while not state.is_over:
        state.apply(agent.choose(state, state.to_act[0]))
    return state


def decisions_of(game: Game, seed: int) -> int:
    """How many decisions a game with random players takes; a fault is raised."""
    agent, state, decisions = RandomAgent(seed), game.start(seed), 0
    while not state.is_over:
        state.apply(agent.choose(state, state.to_act[0]))
        decisions += 1
    check_invariants(state)
    check_outcome(state)
    return decisions


def play(number: int, seed: int, every: int = 20) -> State:
    """A whole game with random players, checked as it goes."""
    agent, random, file = RandomAgent(seed), Random(seed), io.StringIO()
    state = game(number).start(seed, [PlaylogWriter(game(number), file, seed)])
    decisions = 0
    while not state.is_over:
        player = random.choice(state.to_act)
        move = agent.choose(state, player)
        if decisions % every == 0:
            check_invariants(state)
            check_components(state)
            saved = game(number).state_from_json(state.to_json())
            assert saved == state.clone() == state
        state.apply(move)
        decisions += 1
    check_turns(state)
    check_components(state)
    check_outcome(state)
    assert verify(game(number), read_playlog(file.getvalue().splitlines())) == state
    return state
