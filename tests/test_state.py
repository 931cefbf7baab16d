"""States: turns, chance, copies, views, logs, saves, outcomes."""

from __future__ import annotations

import json
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest
from attrs import evolve

from rulesdsl.agents.random import RandomAgent
from rulesdsl.compile import compile_rules
from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.program import Block, Checked, Choose, Halt, K, Machine, Op, R, Set
from rulesdsl.play.events import Event
from rulesdsl.play.faults import MoveError
from rulesdsl.play.game import Game, SaveError
from rulesdsl.play.state import State, check_invariants
from rulesdsl.text.source import Source
from tests.machines import gifts, high_card, loops, nim, place


def seen(state: State, player: int) -> Any:
    return state.view(player)["state"]


def now(state: State, player: int) -> Any:
    return state.view(player)["now"]


def kinds(events: tuple[Event, ...]) -> list[str]:
    return [event.kind for event in events]


def test_turns_go_round_until_somebody_wins() -> None:
    state = Game(nim(7)).start()
    for player, move in ((0, "take 3"), (1, "take 3"), (0, "take 1")):
        assert state.to_act == (player,)
        assert state.outcome is None
        state.apply(move)
    assert state.is_over
    assert state.to_act == ()
    assert state.outcome is not None
    assert state.outcome.winners == (0,)
    assert state.outcome.ranking == ((0,), (1,))
    assert str(state.outcome) == "A, then B; A wins"
    assert repr(state) == "<nim: over>"


# ------------------------------------------------------------------ chance


def test_without_a_seed_the_game_rests_at_chance() -> None:
    state = Game(high_card()).start()
    assert state.is_chance
    assert state.to_act == ()
    assert state.legal_moves(0) == []
    third = Fraction(1, 3)
    assert state.chance_outcomes() == [("red", third, 0), ("green", third, 1), ("blue", third, 2)]
    state.apply_chance(1)
    assert [label for label, _, _ in state.chance_outcomes()] == ["red", "blue"]
    with pytest.raises(ValueError, match="cannot come out 1"):
        state.apply_chance(1)
    child = state.chance_child(2)
    assert state.is_chance
    assert child.to_act == (0,)
    assert child.chance_outcomes() == []
    with pytest.raises(ValueError, match="cannot come out"):
        child.apply_chance(0)


def test_a_seed_settles_chance_and_repeats() -> None:
    game = Game(high_card())
    assert game.start(5).record == game.start(5).record
    assert len({game.start(seed).record for seed in range(40)}) == 6
    assert not game.start(5).is_chance


def test_a_clone_goes_on_alike_and_a_child_does_not_know_the_seed() -> None:
    game = Game(high_card())
    state = game.start(3)
    clone = state.clone()
    assert clone == state
    assert hash(clone) == hash(state)
    clone.apply("bluff yes")
    assert clone != state
    assert state.child("bluff yes") == clone
    assert state.to_act == (0,)
    assert game.start().unseeded().is_chance


def test_a_clone_may_make_the_moves_that_were_offered_to_the_state() -> None:
    state = Game(nim()).start()
    one, two, three = state.legal_moves(0)
    clone = state.clone()
    clone.apply(two)
    assert clone == state.child("take 2")
    with pytest.raises(MoveError):
        clone.apply(three)
    state.apply(one)
    assert state == Game(nim()).start().child("take 1")


# ------------------------------------------------------------------ views and logs


def test_a_player_sees_what_is_open_and_his_own() -> None:
    state = Game(high_card()).start()
    state.apply_chance(2)
    state.apply_chance(0)
    assert seen(state, 0)["A.hand"] == {"blue": 1}
    assert seen(state, 0)["B.hand"] == {"unseen": 1}
    assert seen(state, 1)["B.hand"] == {"red": 1}
    assert seen(state, 1)["deck"] == {"unseen": 1}
    assert now(state, 1) == {"phase": "", "in": "play", "to_act": ["A"]}
    whole: Any = state.named()
    assert whole["state"]["deck"] == {"green": 1}
    assert whole["now"]["waits"] == [{"in": "play", "options": ["bluff"]}]


def test_logs_tell_components_to_who_sees_them() -> None:
    state = Game(high_card()).start()
    state.apply_chance(2)
    assert state.log(0) == (
        Event.of("moved", {"from": "deck", "to": "A.hand", "count": 1, "what": "blue"}),
    )
    assert state.log(1) == (Event.of("moved", {"from": "deck", "to": "A.hand", "count": 1}),)
    state.apply_chance(0)
    state.apply("bluff yes")
    assert kinds(state.log(1)) == ["moved", "moved", "chose", "set"]
    assert state.log(1)[2].to_json() == {"event": "chose", "player": "A", "move": "bluff true"}
    assert state.log(1)[3]["value"] is True
    assert state.log(1)[3].to_json() == {"event": "set", "place": "A.said", "value": True}


def test_logs_do_not_depend_on_when_they_are_asked_for() -> None:
    game = Game(high_card())
    first, second = game.start(9), game.start(9)
    for move in ("bluff yes", "bluff no"):
        first.log(0)
        first.apply(move)
        second.apply(move)
    assert [first.log(p) for p in (0, 1)] == [second.log(p) for p in (0, 1)]


def test_histories_a_player_cannot_tell_apart_have_one_log() -> None:
    game = Game(high_card())
    logs: dict[object, int] = {}
    for mine in range(3):
        for other in range(3):
            if mine != other:
                state = game.start()
                state.apply_chance(mine)
                state.apply_chance(other)
                log = state.log(0)
                logs[log] = logs.get(log, 0) + 1
    assert list(logs.values()) == [2, 2, 2]


def test_together_nobody_sees_the_others_until_the_end() -> None:
    state = Game(gifts()).start()
    assert list(state.to_act) == [0, 1]
    state.apply("gift red green", 0)
    assert list(state.to_act) == [1]
    assert seen(state, 0)["A.pot"] == {"red": 1, "green": 1}
    assert seen(state, 1)["A.pot"] == {}
    assert seen(state, 1)["A.own"] == {"unseen": 3}
    assert now(state, 0) == {"phase": "", "to_act": []}
    assert now(state, 1) == {"phase": "", "to_act": ["B"]}
    assert kinds(state.log(0)) == ["chose", "moved", "moved"]
    assert state.log(1) == ()
    state.apply("gift blue", 1)
    assert state.is_over
    assert state.log(1)[2:] == (
        Event.of("changed", {"place": "A.own", "value": {"unseen": 1}}),
        Event.of("changed", {"place": "A.pot", "value": {"red": 1, "green": 1}}),
    )
    assert seen(state, 1)["A.pot"] == {"red": 1, "green": 1}


def test_together_each_is_asked_once() -> None:
    """Whatever others do meanwhile: what a player is asked stays, and so do his moves."""
    state = Game(gifts()).start()
    asked, move = state.asked(1), state.legal_moves(1)[0]
    state.apply("gift red", 0)
    assert state.asked(1) is asked
    before = state.clone()
    state.apply(move)
    before.apply(move.text)
    assert state == before
    assert state.is_over


def test_the_order_of_acting_together_leaves_no_trace() -> None:
    game = Game(gifts())
    ends = []
    for order in ((0, 1), (1, 0)):
        state = game.start()
        for player in order:
            state.apply(("gift 2 red", "gift green")[player], player)
        ends.append((state, state.log(0), state.log(1)))
    assert ends[0] == ends[1]


# ------------------------------------------------------------------ saving


def test_a_saved_state_goes_on_alike() -> None:
    game = Game(high_card())
    for state in (game.start(4), game.start()):
        again = game.state_from_json(state.to_json())
        assert again == state
        assert again.is_chance == state.is_chance
        assert again.chance_outcomes() == state.chance_outcomes()
        assert again.log(0) == ()


def test_a_saved_state_is_refused_elsewhere() -> None:
    state = Game(nim()).start()
    with pytest.raises(SaveError, match="saved with game nim"):
        Game(high_card()).state_from_json(state.to_json())
    with pytest.raises(SaveError, match="saved with seats"):
        Game(nim(seats=3)).state_from_json(state.to_json())
    saved = json.loads(state.to_json())
    damaged: list[object] = [[1], [2, *saved["record"][1:]], [0.5, *saved["record"][1:]], {}]
    for record in damaged:
        with pytest.raises(SaveError, match="damaged"):
            Game(nim()).state_from_json(json.dumps({**saved, "record": record}))
    for text in ("", "[]", "{}", "null", "3"):
        with pytest.raises(SaveError, match="no saved state"):
            Game(nim()).state_from_json(text)


def test_equal_in_another_game_of_the_same_rules() -> None:
    assert Game(nim()).start() == Game(nim()).start()
    assert Game(nim()).start() != Game(nim(6)).start()
    assert Game(nim()).start() != "nim"


# ------------------------------------------------------------------ outcomes


def test_the_result_ranks() -> None:
    state = Game(high_card()).start()
    for outcome in (1, 2):
        state.apply_chance(outcome)
    state.apply("bluff no")
    state.apply("bluff no")
    assert state.outcome is not None
    assert state.outcome.keys == ((1, 2),)
    assert state.outcome.to_json() == {"ranking": [["B"], ["A"]], "winners": ["B"]}


def test_returns_are_payoffs_or_tell_who_wins() -> None:
    won = Game(nim(1)).start()
    assert won.returns is None
    won.apply("take 1")
    assert won.returns == (1, -1)
    paid, drawn = evolve(loops(1), scores={"payoff": K(3)}), evolve(loops(1), scores={})
    assert Game(paid).start().returns == (3, 3)
    assert Game(drawn).start().returns == (0, 0)


@pytest.mark.parametrize(
    ("scores", "ranking", "winners"),
    [
        ({"highest 1": K(3)}, ((0, 1),), (0, 1)),
        ({"highest 1": K(3), "out": K(1)}, ((0, 1),), ()),
        ({"score coins": K(2), "score cards": K(1)}, ((0, 1),), (0, 1)),
        ({"payoff": K(0)}, ((0, 1),), (0, 1)),
        ({}, ((0, 1),), ()),
    ],
)
def test_equal_results(scores: dict[str, K], ranking: object, winners: object) -> None:
    state = Game(evolve(loops(1), scores=dict(scores))).start()
    assert state.outcome is not None
    assert (state.outcome.ranking, state.outcome.winners) == (ranking, winners)
    if "score coins" in scores:
        assert state.outcome.to_json()["scores"] == {
            "coins": {"A": 2, "B": 2},
            "cards": {"A": 1, "B": 1},
            "total": {"A": 3, "B": 3},
        }


# ------------------------------------------------------------------ faults


def failing() -> Machine:
    """Nim whose second block fails after it has written something."""
    machine = nim()
    taken = machine.blocks[1]
    bad = Set(machine.blocks[2].code[0].cell, K(5), 0, 1, place("heap"))  # type: ignore[union-attr]
    blocks = (machine.blocks[0], evolve(taken, code=(*taken.code, bad)), *machine.blocks[2:])
    return evolve(machine, blocks=blocks)


def test_a_fault_leaves_the_state_and_names_the_rules() -> None:
    state = Game(failing()).start()
    before = state.record
    with pytest.raises(RuleFault) as caught:
        state.apply("take 1")
    assert state.record == before
    assert state.log(0) == ()
    assert caught.value.kind == "range"
    assert [rule.name for rule in caught.value.rules] == ["take"]
    assert [cite.section for cite in caught.value.cites] == ["2"]
    assert "(in take)" in str(caught.value)


RISK = """\
rules: 1
game: risk
players: [taker, other]

state:
  shared: {money: 0..3, die: 1..6}

flow:
  - repeat 9:
      - money = 3
      - taker chooses:
          dare:
            - roll die
            - money -= die
  - other wins
"""


def test_after_a_fault_chance_comes_out_as_it_would_have() -> None:
    game = Game(compile_rules(Source("risk.yaml", RISK)))
    faults = 0
    for seed in range(20):
        state = game.start(seed)
        before = state.to_json()
        with suppress(RuleFault):
            state.apply("dare")
        if state.to_json() == before:
            faults += 1
            assert [move.text for move in state.legal_moves(0)] == ["dare"]
            with pytest.raises(RuleFault, match="range"):
                state.apply("dare")
            assert state.to_json() == before
    assert 0 < faults < 20


def test_a_choice_without_an_option() -> None:
    machine = nim()
    stop = machine.stops[0]
    assert isinstance(stop, Choose)
    closed = evolve(stop, options=stop.options[1:])
    with pytest.raises(RuleFault, match="A in play"):
        Game(evolve(machine, stops=(closed, machine.stops[1]))).start()
    other = evolve(closed, otherwise=4)
    blocks = (*machine.blocks, Block(4, "otherwise", (), Halt(1)))
    state = Game(evolve(machine, stops=(other, machine.stops[1]), blocks=blocks)).start()
    assert state.is_over


def brittle() -> Machine:
    """Nim in which it is a fault to ask whether 3 may be taken."""
    machine = nim()
    stop = machine.stops[0]
    assert isinstance(stop, Choose)
    take = stop.options[0]
    number = take.parameters[0]
    bad = Checked(Op("lt", R(number.register), K(3)), K(1), "range", place("3"))
    check = evolve(number.checks[0], condition=bad)
    option = evolve(take, parameters=(evolve(number, checks=(check,)),))
    closed = evolve(stop, options=(option, stop.options[1]))
    return evolve(machine, stops=(closed, machine.stops[1]))


def test_a_fault_among_the_moves_comes_up_when_they_are_asked_for() -> None:
    """There is a move before it, so the game rests there, and the move can be made."""
    state = Game(brittle()).start()
    for ask in (state.legal_moves, state.legal_numbers):
        with pytest.raises(RuleFault):
            ask(0)
    state.apply("take 1")
    assert state.to_act == (1,)


def test_invariants() -> None:
    state = Game(nim()).start()
    check_invariants(state)
    broken = evolve(nim(), invariants=(("never so", K(0), place("take")),))
    with pytest.raises(RuleFault, match="does not hold: never so"):
        check_invariants(Game(broken).start())


# ------------------------------------------------------------------ bots


def test_the_random_player_repeats_itself_and_reaches_everything() -> None:
    def play(seed: int) -> list[str]:
        state, agent = Game(nim(12)).start(), RandomAgent(seed)
        texts = []
        while not state.is_over:
            move = agent.choose(state, state.to_act[0])
            texts.append(move.text)
            state.apply(move)
        return texts

    assert play(1) == play(1)
    assert len({tuple(play(seed)) for seed in range(30)}) > 15
    assert {text for seed in range(10) for text in play(seed)} == {"take 1", "take 2", "take 3"}
    with pytest.raises(ValueError, match="not to act"):
        RandomAgent(1).choose(Game(nim()).start(), 1)
