"""What holds for all tests: how much Hypothesis tries (little in every run, much with
`--hypothesis-profile soak`), what is kept, when memory is cleared."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "quick",
    max_examples=25,
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "soak",
    max_examples=2_000,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("quick")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write the golden files of tests anew"
    )


def pytest_configure() -> None:
    # as the command does it: what tests make is large and mostly stays
    gc.set_threshold(200_000, 20, 20)


@pytest.fixture(autouse=True, scope="session")
def _kept_apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What is kept between runs of the package is not kept between runs of the tests.

    The workers of one run have it in common.
    """
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "kept"
    folder.mkdir(mode=0o700, exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULESDSL_CACHE", str(folder))
        # hundreds of commands that tests start would each compile all modules
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        yield folder
