"""Notes on a pile: seen by all beside components they do not see, told in logs, saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulesdsl.compile import compile_rules
from rulesdsl.engines.faults import RuleFault
from rulesdsl.play.game import Game
from rulesdsl.play.state import State
from rulesdsl.text.source import Source

BLUFF = Path(__file__).parent / "games" / "bluff.yaml"

TOGETHER = """\
rules: 1
game: at_once
players: 2
kinds:
  Card:
    columns: {copies: 2..4}
    rows: {rag: [4], silk: [2]}
state:
  shared:
    rest: bag of Card, hidden, starts with copies
  each player:
    hand: bag of Card, secret, size seen
    laid:
      type: pile of Card, at most 1, secret, size seen
      notes: {said: maybe Card, times: 1..3}
flow:
  - for p in players: deal 2 from rest to p.hand
  - together p in players:
      - p chooses:
          lay(card in p.hand, said in Card): move card from p.hand to p.laid, noting said = said
  - for p in players:
      - p chooses:
          again(card in p.hand): move card from p.hand to p.laid, noting times = 3
          stop: nothing
result:
  for p in players:
    highest: size of p.laid
"""


def begun(text: str) -> State:
    """A game with two cards in each hand."""
    state = Game(compile_rules(Source("game.yaml", text))).start()
    while state.is_chance:
        state.apply_chance(state.chance_outcomes()[0][2])
    return state


def seen(state: State, player: int) -> Any:
    return state.view(player)["state"]


def test_all_see_the_notes_beside_what_they_do_not_see() -> None:
    state = begun(BLUFF.read_text("utf-8"))
    state.apply("wait")
    state.apply("pick rag")
    state.apply("lay silk")
    assert seen(state, 0)["A.laid"] == ["rag"]
    assert seen(state, 1)["A.laid"] == {"unseen": 1}
    for player in (0, 1):
        assert seen(state, player)["A.laid.said"] == ["silk"]
        assert seen(state, player)["A.laid.sworn"] == [0]
    named: Any = state.named()["state"]
    assert named["A.laid.said"] == ["silk"]
    assert seen(state, 1)["B.laid.said"] == []


def test_logs_tell_what_is_noted_with_the_move_and_as_a_change() -> None:
    state = begun(BLUFF.read_text("utf-8"))
    state.apply("wait")
    state.apply("pick rag")
    state.apply("swear rag, times 2")
    told = [event.to_json() for event in state.log(1)][-3:]
    moved = {"event": "moved", "from": "A.picked", "to": "A.laid", "count": 1}
    assert told == [
        {**moved, "noted": {"said": "rag", "sworn": 2}},
        {"event": "changed", "place": "A.laid.said", "value": ["rag"]},
        {"event": "changed", "place": "A.laid.sworn", "value": [2]},
    ]


def test_a_saved_state_has_its_notes() -> None:
    state = begun(BLUFF.read_text("utf-8"))
    state.apply("wait")
    state.apply("pick rag")
    state.apply("lay none")
    before = state.named_hash()
    other = begun(BLUFF.read_text("utf-8"))
    other.apply("wait")
    other.apply("pick rag")
    other.apply("lay silk")
    assert before != other.named_hash()
    again = Game(state.rules.machine).state_from_json(state.to_json())
    assert again.view(1) == state.view(1)


def test_at_once_notes_are_seen_when_all_are_done() -> None:
    state = begun(TOGETHER)
    state.apply("lay rag, said silk", 0)
    assert seen(state, 0)["A.laid.said"] == ["silk"]
    assert seen(state, 1)["A.laid.said"] == []
    assert "A.laid.said" not in str(state.log(1))
    state.apply("lay rag, said rag", 1)
    assert seen(state, 1)["A.laid.said"] == ["silk"]
    assert seen(state, 1)["A.laid.times"] == [1]
    assert "A.laid.said" in str(state.log(1))


def test_more_than_there_is_room_for_is_a_fault() -> None:
    state = begun(TOGETHER)
    for player in (0, 1):
        state.apply("lay rag, said silk", player)
    with pytest.raises(RuleFault, match="the place has no room for more") as caught:
        state.apply("again rag", 0)
    assert caught.value.kind == "full"
    assert caught.value.span.text.startswith("move card from p.hand")
