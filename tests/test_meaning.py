"""Engine and tree walker agree at every stop: on all games of the files, and on random rules."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from rulesdsl.check.datatypes import BoolType, IntType, KindType
from rulesdsl.check.model import Model, Option
from rulesdsl.compile import check_source
from rulesdsl.machine.settings import settle_options
from rulesdsl.text.source import Source
from tests.lockstep import Lockstep

ROOT = Path(__file__).parent.parent
FILES = sorted(
    path
    for folder in (ROOT / "games", ROOT / "games" / "classics", ROOT / "tests" / "games")
    for path in folder.glob("*.yaml")
)


def load(path: Path) -> Model:
    return check_source(Source(path.name, path.read_text("utf-8")))


def values(option: Option) -> list[object]:
    """Some values of an option, its ends at least."""
    match option.type:
        case BoolType():
            return [False, True]
        case KindType(kind):
            return list(kind.members)
        case IntType(low, high):
            return sorted({low, high, (low + high) // 2})
        case _:
            raise AssertionError(option.type)


def settings(model: Model, random: Random, many: int) -> list[tuple[int, dict[str, int]]]:
    """Numbers of players with options: the defaults, then some at random."""
    least, most = model.players
    found = [settle_options(model, seats, {}) for seats in range(least, most + 1)]
    for _ in range(many if model.options else 0):
        chosen = {name: random.choice(values(option)) for name, option in model.options.items()}
        found.append(settle_options(model, random.randint(least, most), chosen))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_engine_and_walker_agree(path: Path) -> None:
    model = load(path)
    for number, (seats, options) in enumerate(settings(model, Random(1), 4)):
        for seed in range(2):
            game = Lockstep(model, seats, options, Random(100 * number + seed))
            game.play(400)
            assert game.stops > 0


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_engine_and_walker_agree_at_length(path: Path, seed: int) -> None:
    model = load(path)
    for seats, options in settings(model, Random(seed), 12):
        Lockstep(model, seats, options, Random(seed)).play()
