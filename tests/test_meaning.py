"""Engine and tree walker agree at every stop: on all games of the files, and on random rules."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rulesdsl.check.datatypes import BoolType, IntType, KindType
from rulesdsl.check.model import Model, Option
from rulesdsl.machine.settings import settle_options
from tests.bundled import read
from tests.lockstep import Lockstep, generated
from tests.random_rules import checked, random_model, rule_files

ROOT = Path(__file__).parent.parent
FILES = sorted(
    path
    for folder in (ROOT / "games", ROOT / "games" / "classics", ROOT / "tests" / "games")
    for path in folder.glob("*.yaml")
)
LONG = {"oltremare", "portus", "patronus"}
"""These are slow to follow beside another, and have tests of their own."""


def load(path: Path) -> Model:
    return read(path).model


def values(option: Option) -> list[object]:
    """Some values of an option, its ends at least."""
    match option.type:
        case BoolType():
            return [False, True]
        case KindType(kind):
            return list(kind.members)
        case IntType(low, high):
            return [low, high, (low + high) // 2]
        case _:
            raise AssertionError(option.type)


def choices(model: Model, random: Random, many: int) -> list[tuple[int, dict[str, int]]]:
    """Numbers of players with options: the defaults, then some at random."""
    least, most = model.players
    found = [settle_options(model, seats, {}) for seats in range(least, most + 1)]
    for _ in range(many if model.options else 0):
        chosen = {name: random.choice(values(option)) for name, option in model.options.items()}
        found.append(settle_options(model, random.randint(least, most), chosen))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_engine_and_walker_agree(path: Path) -> None:
    model, long = load(path), path.stem in LONG
    ways = choices(model, Random(1), 1 if long else 2)
    for number, (seats, options) in enumerate(ways):
        game = generated(model, seats, options)
        for seed in range(1 if long or len(ways) > 3 else 2):
            both = Lockstep(model, seats, options, Random(100 * number + seed), game)
            assert both.play(130 if long else 400).stops > 0


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_engine_and_walker_agree_at_length(path: Path, seed: int) -> None:
    model = load(path)
    for seats, options in choices(model, Random(seed), 12):
        Lockstep(model, seats, options, Random(seed)).play()


def agree_on(model: Model | None, seed: int) -> int:
    """Play random rules in one way; how many stops were compared, 0 if they are refused."""
    if model is None:
        return 0
    random = Random(seed)
    seats, options = random.choice(choices(model, random, 2))
    return Lockstep(model, seats, options, random).play(100).stops


@given(text=rule_files(), seed=st.integers(0, 9))
@settings(suppress_health_check=list(HealthCheck))
def test_random_rules_mean_the_same(text: str, seed: int) -> None:
    assume(agree_on(checked(text), seed))


RELAY = """\
rules: 1
game: relay
players: 2
state:
  shared:
    leader: Player
flow:
  - leader keeps choosing, at most 3:
      hand_over: leader = left of leader
  - leader wins
"""


def test_who_keeps_choosing_remains_the_same() -> None:
    """The player is named once, though what names him changes."""
    assert agree_on(checked(RELAY), 0)


@pytest.mark.xdist_group("random files")
def test_many_random_rules_mean_the_same() -> None:
    """Larger files than Hypothesis likes to make."""
    assert sum(agree_on(random_model(seed), seed) for seed in range(24)) > 250


@pytest.mark.soak
@pytest.mark.parametrize("start", range(10_000, 12_000, 100))
def test_thousands_of_random_rules_mean_the_same(start: int) -> None:
    seeds = range(start, start + 100)
    assert sum(agree_on(random_model(seed), seed + way) for seed in seeds for way in range(3))
