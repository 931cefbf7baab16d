"""What holds of every game of Portus and Patronus: for the property tests and for the soak."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any

from rulesdsl.agents.random import RandomAgent
from rulesdsl.check.model import Model, Shape, Zone
from rulesdsl.lab.covering import Choice
from rulesdsl.play.game import Game
from rulesdsl.play.state import State, check_invariants
from tests.bundled import GAMES, read
from tests.plain_patronus import Patronus
from tests.plain_portus import SUPPLY, Asked, Data, Portus

COMPONENTS = {"amphora": 35, "honor_card": 5}
"""Those of all players together."""
OWN = {"corbita": 14, "ponto": 3, "disc": 7}
"""Those of each player."""
TILES = {"TradingPort": 20, "Discovery": 20, "Transit": 12, "Destination": 4, "Order": 42}
TILES |= {"Placement": 6}
TOKENS = {"chartered": 2, "lighthouse": 1}
LOOK = 5
"""The whole state is compared after so many decisions; what may be done, after each."""


@cache
def model(name: str) -> Model:
    return read(GAMES[name]).model


@cache
def game(name: str, players: int) -> Game:
    """The game with all options as they are."""
    return Choice(players, ()).game(model(name))


def everything(state: State) -> dict[str, Any]:
    """The state by its paths; bags as counters, piles as lists."""
    named = state.named()["state"]
    assert isinstance(named, dict)
    found: dict[str, Any] = dict(named)
    for what, _, path in state.rules.views.state():
        if isinstance(what, Zone) and what.shape is Shape.BAG:
            found[path] = Counter(found[path])
        elif isinstance(what, Zone) and what.shape is Shape.PILE:
            found[path] = list(found[path])
    return found


# ------------------------------------------------------------------ components


def contents(now: dict[str, Any]) -> Counter[str]:
    """All components, wherever they are."""
    found: Counter[str] = Counter()
    for value in now.values():
        match value:
            case Counter():
                found += value
            case list():
                found.update(value)
            case str():
                found[value] += 1
            case _:
                pass
    return found


def check_components(name: str, now: dict[str, Any], players: int) -> None:
    """Ships, discs, amphorae, buildings, tiles and cards: as many as there are."""
    found = contents(now)
    kinds = model(name).kinds
    for what, number in COMPONENTS.items():
        assert found[what] == number, what
    for what, number in OWN.items():
        assert found[what] == number * players, what
    for kind, number in TILES.items():
        assert sum(found[tile] for tile in kinds[kind].members) == number, kind
    assert found["building"] == 48
    if name == "patronus":
        assert all(found[tile] == 1 for tile in kinds["Support"].members)
        assert len(kinds["Support"].members) == 20
        assert {what: found[what] for what in TOKENS} == TOKENS


# ------------------------------------------------------------------ whole games


def plain(name: str, state: State) -> Portus:
    """The same game in plain Python, in the same state."""
    make = Patronus if name == "patronus" else Portus
    return make(state.rules.words.seats, Data(model(name).kinds), everything(state))


def ask(state: State) -> Asked:
    """Who may do what, by the engine."""
    seats = state.rules.words.seats
    return {seats[s]: {move.text for move in state.legal_moves(s)} for s in state.to_act}


def look_around(name: str, state: State, other: Portus) -> None:
    """Both hold the same, nothing is lost, and what is saved is the same again."""
    now = everything(state)
    assert other.now == now, {key: (other.now[key], now[key]) for key in now}
    check_invariants(state)
    check_components(name, now, len(other.seats))
    assert game(name, len(other.seats)).state_from_json(state.to_json()) == state.clone() == state


def card_turned_up(before: Counter[str], filled: str, state: State) -> str:
    """The order card that has taken the place of a filled one; empty if none was left."""
    left = before - Counter([filled])
    return next(iter(everything(state)["display"] - left), "")


def play(name: str, players: int, seed: int) -> State:
    """A whole game at random, in which engine and plain Python agree at every step."""
    agent, random = RandomAgent(seed), Random(seed)
    state = game(name, players).start(seed)
    other = plain(name, state)
    check_start(other)
    asking, decisions = other.play(), 0
    asked: Asked | None = next(asking)
    while not state.is_over:
        assert asked == ask(state)
        if decisions % LOOK == 0:
            look_around(name, state, other)
        answer, display = {}, other.now["display"].copy()
        for seat in random.sample(state.to_act, len(state.to_act)):
            move = agent.choose(state, seat)
            answer[state.rules.words.seats[seat]] = move.text
            state.apply(move)
            if move.name == "fill":
                answer["card"] = card_turned_up(display, move.text.split()[1], state)
        try:
            asked = asking.send(answer)
        except StopIteration:
            asked = None
        decisions += 1
    assert asked is None
    check_end(name, state, other)
    return state


def check_start(other: Portus) -> None:
    """Six and three corbita in the port, one at sea, four with three ponto on the track."""
    now = other.now
    assert other.size("supply") == SUPPLY[len(other.seats)]
    for p in other.seats:
        port = [now[f"{p}.sea[{section}]"] for section in ("moving", "trading", "ordering")]
        assert all(ships["corbita"] >= 1 for ships in port)
        at_sea = sum(other.size(path) for path in now if path.startswith(f"{p}.fleet"))
        in_port = sum(other.size(path) for path in now if path.startswith(f"{p}.sea"))
        assert (at_sea, in_port, other.size(f"{p}.yard")) == (1, 9, 0)
        assert Counter(now[f"{p}.ship_track"]) == {"corbita": 4, "ponto": 3}
        cubes = 0 if isinstance(other, Patronus) else 10
        assert sum(now[path] for path in now if path.startswith(f"{p}.stock")) == cubes + 3


def check_end(name: str, state: State, other: Portus) -> None:
    """The score pad, line by line, and the places; tiles as they are to lie."""
    ended, now = state.outcome, everything(state)
    assert ended is not None
    assert other.now == now
    check_components(name, now, len(other.seats))
    for seat, p in enumerate(ended.seats):
        mine = other.score(p)
        assert {**mine, "total": sum(mine.values())} == {
            line: values[seat] for line, values in ended.scores.items()
        }
    ranking = [{ended.seats[seat] for seat in group} for group in ended.ranking]
    assert ranking == other.ranking()
    assert {ended.seats[seat] for seat in ended.winners} == ranking[0]
    if name == "patronus":
        check_tiles(now, ended.seats)


def check_tiles(now: dict[str, Any], seats: tuple[str, ...]) -> None:
    """Four each, none twice; the rest, and one of each player, in the box."""
    tiles: Counter[str] = Counter(now["tile_box"])
    assert sum(tiles.values()) == 20 - 4 * len(seats)
    for p in seats:
        mine = now[f"{p}.kept"] + now[f"{p}.used"]
        assert sum(mine.values()) == 4
        tiles += mine
    assert set(tiles.values()) == {1}
    assert not +now["support_tiles"]
    assert not any(+now[f"{p}.hand"] for p in seats)


def decisions_of(name: str, players: int, seed: int) -> int:
    """How many decisions a game with random players takes; a fault is raised."""
    agent, state, decisions = RandomAgent(seed), game(name, players).start(seed), 0
    while not state.is_over:
        state.apply(agent.choose(state, state.to_act[0]))
        decisions += 1
    check_invariants(state)
    check_end(name, state, plain(name, state))
    return decisions
