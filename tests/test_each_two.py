"""State of each player for each member of a kind: paths, logs, copies, hashes, the standing."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesdsl.check.owners import copies_of, owner_member, owner_seat, section_of
from rulesdsl.compile import check_source
from rulesdsl.machine.from_model import make_machine
from rulesdsl.play.game import Game
from rulesdsl.play.narrate import Narrator
from rulesdsl.play.page import FIRM
from rulesdsl.play.rules_hash import rules_hash
from rulesdsl.play.standing import standing
from rulesdsl.play.state import State
from rulesdsl.text.source import Source
from tests.bundled import read

QUAY = Path(__file__).parent / "games" / "quay.yaml"


def begun() -> State:
    """A game of two, where A is to choose; chance is the same each time."""
    state = Game(make_machine(read(QUAY).model, 2, {})).start(7)
    while state.is_chance:
        state.apply_chance(state.chance_outcomes()[0][2])
    return state


def test_copies_and_their_owners() -> None:
    model = read(QUAY).model
    stock = model.scalars["player", "stock"]
    assert copies_of(stock, 3) == 9
    assert section_of(stock) == "player"
    assert [(owner_seat(stock, key), owner_member(stock, key)) for key in (0, 2, 3, 8)] == [
        (0, 0),
        (0, 2),
        (1, 0),
        (2, 2),
    ]


def test_views_name_player_and_member() -> None:
    state = begun()
    for seat in (0, 1):
        view = state.view(seat)["state"]
        assert isinstance(view, dict)
        assert view["A.stock[wood]"] == 2
        assert view["A.built[dock]"] is None
        assert set(view) >= {f"{p}.sea[{s}]" for p in "AB" for s in ("dock", "yard", "gate")}
        assert ("A.plan[wood]" in view) == (seat == 0)
        assert ("B.plan[gold]" in view) == (seat == 1)
    hidden = state.view(1)["state"]
    assert isinstance(hidden, dict)
    assert hidden["A.cellar[dock]"] == {"unseen": 0}


def test_logs_name_player_and_member() -> None:
    state = begun()
    ship = next(move.text for move in state.legal_moves(0) if move.text.startswith("hide dock"))
    state.apply(ship, 0)
    name = ship.split()[-1]
    moved = {"event": "moved", "from": "A.sea[dock]", "to": "A.cellar[dock]", "count": 1}
    for seat in (0, 1):
        assert {**moved, "what": name} in [event.to_json() for event in state.log(seat)]
    named = state.named()["state"]
    assert isinstance(named, dict)
    assert named["A.cellar[dock]"] == {name: 1}


def test_the_hash_knows_whose_it_is() -> None:
    text = QUAY.read_text(encoding="utf-8")
    boast = "    boast: maybe 0..3, spoken\n"
    other = text.replace(boast, "")
    each = "  each player, each Section:\n"
    other = other.replace(each, f"  each player, each Section:\n{boast}")
    other = other.replace("boast(g in Good,", "boast(g in Section,")
    other = other.replace("p.boast[wood]", "p.boast[dock]").split("\nexamples:")[0]
    hashes = {rules_hash(check_source(Source("quay.yaml", one))) for one in (text, other)}
    assert len(hashes) == 2


@pytest.mark.parametrize("viewer", [None, 1])
def test_the_standing_lists_members(viewer: int | None) -> None:
    state = begun()
    wording = Narrator(state.rules, viewer).wording
    lines = [line.replace(FIRM, " ") for line in standing(wording, list(state.record))]
    assert lines == ["player | stock", "A | 2 wood, 1 stone", "B | 2 wood, 1 stone"]
