"""Comparisons that were kept, and files that only look like one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulesdsl.lab.compare.again import described, find
from rulesdsl.lab.compare.plan import Side, Wish, plan
from rulesdsl.lab.series.work import Bench
from rulesdsl.machine.settings import UsageError
from tests.test_compare import write


@pytest.mark.parametrize(
    "damage",
    [
        lambda run: [run],
        lambda run: {**run, "format": 0},
        lambda run: {**run, "games": 0},
        lambda run: {**run, "games": "80"},
        lambda run: {**run, "players": -1},
        lambda run: {**run, "seed": 2**64},
        lambda run: {**run, "bots": {}},
        lambda run: {**run, "sides": run["sides"][:1]},
        lambda run: {**run, "sides": [{**run["sides"][0], "rules": None}, run["sides"][1]]},
        lambda run: {name: run[name] for name in run if name != "seed"},
    ],
)
def test_a_damaged_run_is_told_of(
    damage: Callable[[dict[str, Any]], object], tmp_path: Path
) -> None:
    files = write(tmp_path)
    sides = Side("draw", files["draw"], {}), Side("draw", files["draw"], {"bonus": "1"})
    wish, bench = Wish(*sides, 80, 2, (files["taker"],), 7), Bench()
    run = described(wish, plan(wish, bench), bench)
    kept = tmp_path / "old.json"
    kept.write_text(json.dumps(run), encoding="utf-8")
    assert find(str(kept), tmp_path).wish == wish
    kept.write_text(json.dumps(damage(run)), encoding="utf-8")
    with pytest.raises(UsageError, match=r"old\.json describes no comparison"):
        find(str(kept), tmp_path)
