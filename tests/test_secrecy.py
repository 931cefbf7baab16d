"""What a player does not see, he does not learn: two runs that look alike go on alike."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from rulesdsl.check.checker import check_rules
from rulesdsl.check.model import Model
from rulesdsl.check.visibility import check_visibility
from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.settings import settle_options
from rulesdsl.play.game import Game
from rulesdsl.syntax.from_yaml import read_rules
from rulesdsl.text.problems import Problems, RulesError
from rulesdsl.text.source import Source
from tests.leaks import LEAKS, QUIET
from tests.random_rules import checked, random_model, random_rules
from tests.test_meaning import FILES, LONG, choices, load
from tests.two_runs import Leak, look_for_leaks


def unchecked(text: str) -> Model:
    """A model past the checking of secrecy."""
    problems = Problems()
    tree = read_rules(Source("secrets.yaml", text), problems)
    assert tree is not None
    model = check_rules(tree, problems)
    problems.check()
    assert model is not None
    return model


def game_of(model: Model) -> Game:
    return Game(make_machine(model, *settle_options(model, None, {})))


@pytest.mark.parametrize("name", LEAKS)
def test_leaks_are_noticed(name: str) -> None:
    game = game_of(unchecked(LEAKS[name].text))
    assert any(leaks(game, seed) for seed in range(60))


def leaks(game: Game, seed: int) -> bool:
    try:
        look_for_leaks(game, Random(seed))
    except Leak:
        return True
    return False


@pytest.mark.parametrize("name", QUIET)
def test_quiet_rules_tell_nothing(name: str) -> None:
    game = game_of(unchecked(QUIET[name].text))
    tried = sum(look_for_leaks(game, Random(seed)) for seed in range(12))
    assert tried > 25


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_games_tell_nothing(path: Path) -> None:
    model, long = load(path), path.stem in LONG
    for number, (seats, options) in enumerate(choices(model, Random(2), 0 if long else 3)):
        game = Game(make_machine(model, seats, options))
        look_for_leaks(game, Random(number), 8 if long else 80)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_games_tell_nothing_at_length(path: Path, seed: int) -> None:
    model = load(path)
    for seats, options in choices(model, Random(seed), 8):
        look_for_leaks(Game(make_machine(model, seats, options)), Random(seed), 1_000)


def try_random(seed: int) -> int:
    """Two runs on random rules that the checker finds quiet; how many were tried."""
    model = random_model(seed)
    if model is None:
        return 0
    tried = 0
    for number, (seats, options) in enumerate(choices(model, Random(seed), 1)):
        with suppress(RuleFault):
            tried += look_for_leaks(Game(make_machine(model, seats, options)), Random(number), 40)
    return tried


@pytest.mark.xdist_group("random files")
def test_what_the_checker_lets_pass_tells_nothing() -> None:
    assert sum(try_random(seed) for seed in range(16)) > 15


def tells(model: Model, seed: int) -> bool:
    """Whether two runs tell a secret of rules that were not looked at for such."""
    try:
        for number, (seats, options) in enumerate(choices(model, Random(seed), 1)):
            for again in range(3):
                with suppress(RuleFault):
                    game = Game(make_machine(model, seats, options))
                    look_for_leaks(game, Random(10 * number + again), 40)
    except Leak:
        return True
    return False


@pytest.mark.xdist_group("random files")
def test_random_files_that_do_not_say_what_they_tell_are_refused() -> None:
    """Without `, seen` some of them tell a secret: two runs find one, and the checker finds it."""
    for seed in range(30, 200):
        text = random_rules(Random(seed))
        if ", seen" not in text or random_model(seed) is None:
            continue
        silent = text.replace(", seen", "")
        # other problems are no matter here
        with suppress(RulesError):
            if tells(unchecked(silent), seed):
                assert checked(silent) is None
                return
    raise AssertionError("two runs have found nothing that is told")


@pytest.mark.soak
@pytest.mark.parametrize("start", range(1_000, 2_000, 100))
def test_what_the_checker_lets_pass_tells_nothing_at_length(start: int) -> None:
    assert sum(try_random(seed) for seed in range(start, start + 100)) > 100


@pytest.mark.parametrize("name", [name for name, leak in LEAKS.items() if leak.code[-1] != "d"])
def test_what_is_declared_is_told_and_nothing_else(name: str) -> None:
    """The same leaks with the `, seen` of the help."""
    text = LEAKS[name].text
    problems = Problems()
    check_visibility(unchecked(text), problems)
    problem = next(iter(problems))
    if not problem.help:
        return
    line = problem.span.source.line(problem.span.line).strip()
    game = game_of(unchecked(text.replace(line, problem.help)))
    for seed in range(20):
        look_for_leaks(game, Random(seed))
