"""Random play: choices that cover all pairs, faults that can be replayed, what is not reached."""

from __future__ import annotations

from itertools import combinations

import pytest

from rulesdsl.check.model import Model
from rulesdsl.compile import check_source
from rulesdsl.engines.faults import RuleFault
from rulesdsl.lab.coverage import pieces_of
from rulesdsl.lab.covering import Choice, covering
from rulesdsl.lab.trial import Trial, play_at_random
from rulesdsl.machine.settings import default_of
from rulesdsl.play.game import Game
from rulesdsl.play.playlog import PlaylogError, read_playlog, replay
from rulesdsl.play.state import check_invariants
from rulesdsl.text.source import Source
from tests.bundled import GAMES, beginner_of, read

TOY = """\
rules: 1
game: toy
title: Toy
players: 2..3
about: Points are taken until there are enough.

options:
  long: {type: bool, default: false}
  pace: {type: [slow, quick, wild], default: quick}
  goal: {type: 3..50, default: if long then 20 else 5}

kinds:
  Token:
    columns: {copies: 1..4}
    rows: {red: [2], blue: [3]}

state:
  shared:
    die: 1..6
    bag_of_tokens: bag of Token, hidden, starts with copies
  each player:
    points: 0..60
    tokens: bag of Token

flow:
  - for round in 1..3:
      - turns
  - if long: ending

phases:
  turns:
    - for p in players:
        - p chooses:
            take(n in 1..3): p.points += n
            wait: nothing
            steal:
              where: p.points > goal
              do: p.points = 0
  ending:
    - for p in players: throw(p)

procedures:
  throw(p in players):
    - roll die
    - deal up to 1 from bag_of_tokens to p.tokens
    - depending on die:
        1..3: p.points += 1
        4..6: p.points += 2
    - if pace == slow:
        - p.points += 1
      elif pace == quick:
        - p.points += 2
      else:
        - p.points += 3

result:
  for p in players:
    highest: [p.points, size of p.tokens]

invariants:
  few points: all(p.points <= 40 for p in players)
"""


def toy(*changes: tuple[str, str]) -> Model:
    text = TOY
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return check_source(Source("toy.yaml", text))


def model_of(name: str) -> Model:
    return read(GAMES[name]).model


# ------------------------------------------------------------------ covering choices


def values_of(choice: Choice, model: Model) -> dict[str, int | None]:
    """What a choice sets; of an option that stays at its default: None, or the default."""
    found: dict[str, int | None] = {"players": choice.players, **dict.fromkeys(model.options)}
    return found | dict(choice.options)


@pytest.mark.parametrize("name", ["toy", "ostia", "nim", "kuhn-poker"])
def test_every_two_values_come_together(name: str) -> None:
    model = toy() if name == "toy" else model_of(name)
    rows = [values_of(choice, model) for choice in covering(model)]
    axes = {name: {row[name] for row in rows} for name in rows[0]}
    assert axes["players"] == set(range(model.players[0], model.players[1] + 1))
    for a, b in combinations(axes, 2):
        together = {(row[a], row[b]) for row in rows}
        assert len(together) == len(axes[a]) * len(axes[b]), (a, b)
    assert covering(model) == covering(model)


def test_all_values_are_tried_and_there_are_few_choices() -> None:
    model = toy()
    choices = covering(model)
    assert {choice.text(model) for choice in choices} >= {
        "2 players, long false, pace quick",
    }
    rows = [values_of(choice, model) for choice in choices]
    assert {row["goal"] for row in rows} == {None, 3, 50}
    assert {row["pace"] for row in rows} == {0, 1, 2}
    assert len(rows) <= 12
    assert len(covering(model_of("ostia"))) <= 16


def test_the_first_choice_is_the_plain_game() -> None:
    for name in GAMES:
        model = model_of(name)
        first = covering(model)[0].game(model)
        least = model.players[0]
        settled: dict[str, int] = {}
        for option in model.options.values():
            settled[option.name] = default_of(model, option, least, settled)
        assert (first.players, first.machine.options) == (least, settled)


def test_defaults_follow_other_options() -> None:
    model = toy()
    goals = {
        dict(choice.options)["long"]: choice.game(model).options["goal"]
        for choice in covering(model)
        if "goal" not in dict(choice.options)
    }
    assert goals == {0: 5, 1: 20}


# ------------------------------------------------------------------ random play


@pytest.mark.parametrize("name", sorted(GAMES))
def test_bundled_games_have_no_fault_and_are_reached_everywhere(name: str) -> None:
    classic = GAMES[name].parent.name == "classics"
    model = model_of(name)
    games = 40 if classic else 18
    trial = play_at_random(model, games, beginner=beginner_of(model))
    assert [str(fault) for fault in trial.faults] == []
    assert [str(piece) for piece in trial.never] == []
    assert trial.decisions > trial.games
    assert trial.checks > trial.decisions // 8


def test_the_same_seed_plays_the_same() -> None:
    assert play_at_random(toy(), 12) == play_at_random(toy(), 12)
    other = play_at_random(toy(), 12, first_seed=100)
    assert other.faults == []
    assert other.checks != play_at_random(toy(), 12).checks


def test_beginners_and_those_who_slip_play_in_turn() -> None:
    model = model_of("portus")
    beginner = beginner_of(model)
    assert beginner is not None
    random, mixed = (play_at_random(model, 6, beginner=bot) for bot in (None, beginner))
    assert mixed.faults == []
    assert mixed.decisions != random.decisions
    assert play_at_random(model, 6, beginner=beginner) == mixed


def test_no_games_are_no_games() -> None:
    trial = play_at_random(toy(), 0)
    assert (trial.games, trial.choices, trial.decisions, trial.checks) == (0, 0, 0, 0)
    assert len(trial.never) == trial.pieces == len(pieces_of(toy()))


def played(model: Model) -> Trial:
    return play_at_random(model, 24)


def replayed(model: Model, trial: Trial) -> list[RuleFault]:
    """The faults that the playlogs of the faults lead to."""
    found = []
    for fault in trial.faults:
        playlog = read_playlog(fault.playlog.splitlines())
        (game,) = [c.game(model) for c in covering(model) if c.text(model) == fault.choice]
        assert playlog.header["seed"] == fault.seed
        with pytest.raises(PlaylogError) as caught:
            replay(game, playlog)
        assert caught.value.line == len(playlog.records) + 1
        cause = caught.value.__cause__
        assert isinstance(cause, RuleFault)
        found.append(cause)
    return found


def test_faults_after_moves_are_replayed() -> None:
    model = toy(("points: 0..60", "points: 0..7"))
    trial = played(model)
    faults = replayed(model, trial)
    assert {fault.kind for fault in faults} == {"range"}
    assert [str(fault) for fault in faults] == [str(fault.fault) for fault in trial.faults]
    assert f"seed {trial.faults[0].seed}" in str(trial.faults[0])


def test_a_fault_after_chance_is_replayed() -> None:
    model = toy(
        ("deal up to 1 from", "deal 1 from"),
        ("throw(p)\n\nproc", "throw(p)\n    - for p in players: throw(p)\n\nproc"),
        ("copies: 1..4", "copies: 0..4"),
        ("red: [2], blue: [3]", "red: [0], blue: [3]"),
    )
    (fault,) = replayed(model, played(model))
    assert fault.kind == "nothing-left"


def test_a_fault_at_the_very_start() -> None:
    model = toy(("flow:\n", "flow:\n  - for p in players: p.points -= size of bag_of_tokens\n"))
    trial = played(model)
    (fault,) = trial.faults
    assert fault.fault.kind == "range"
    playlog = read_playlog(fault.playlog.splitlines())
    assert playlog.records == []
    game: Game = covering(model)[0].game(model)
    with pytest.raises(RuleFault):
        replay(game, playlog)


def test_a_broken_promise_is_a_fault() -> None:
    model = toy(("p.points <= 40", "p.points <= 7"))
    (fault,) = played(model).faults
    assert fault.fault.kind == "invariant"
    assert "few points" in str(fault)
    (game,) = [c.game(model) for c in covering(model) if c.text(model) == fault.choice]
    state = replay(game, read_playlog(fault.playlog.splitlines()))
    with pytest.raises(RuleFault, match="few points"):
        check_invariants(state)


def test_the_same_fault_is_told_once() -> None:
    model = toy(("wait: nothing", "wait: p.points -= 60"))
    assert len(played(model).faults) == 1


# ------------------------------------------------------------------ what is not reached


def never(model: Model) -> list[str]:
    return [str(piece) for piece in played(model).never]


def test_what_some_choices_reach_is_reached() -> None:
    assert never(toy()) == []


def test_an_option_that_is_never_legal() -> None:
    assert never(toy(("p.points > goal", "p.points > goal + 50"))) == ["option steal"]


def test_a_phase_that_is_never_reached_with_all_that_it_holds() -> None:
    found = never(
        toy(("  - if long: ending", "  - if long and size of bag_of_tokens == 0: ending"))
    )
    assert found == [
        "branch if long and size of bag_of_tokens == 0",
        "phase ending",
        "procedure throw",
        "case 1..3",
        "case 4..6",
        "branch if pace == slow",
        "branch elif pace == quick",
        "branch else",
    ]


def test_branches_and_cases_that_are_never_reached() -> None:
    model = toy(
        ("- if pace == slow:", "- if die > 5 and p.points > 50:"),
        ("depending on die:", "depending on if p.points > 50 then die else min(3, die):"),
    )
    assert never(model) == ["case 4..6", "branch if die > 5 and p.points > 50"]


def test_a_trigger_that_never_fires() -> None:
    text = "triggers:\n  after change of p.points where p.points > 59: roll die\n\nresult:"
    found = never(toy(("result:", text)))
    assert found == ["trigger after change of p.points where p.points > 59"]
