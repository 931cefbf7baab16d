"""Small files that would make something huge are refused, soon and in words."""

from __future__ import annotations

from time import process_time

import pytest

from rulesdsl.compile import check_source
from rulesdsl.text.problems import RulesError
from rulesdsl.text.source import Source

HEAD = """\
rules: 1
game: hostile
title: Hostile
players: 2
state:
  shared: {n: 0..1}
"""
END = "result:\n  for p in players:\n    highest: n\n"


def definitions(number: int) -> str:
    """Each uses the one before twice, so the last stands for two to the number of them."""
    lines = "".join(f"  d{i}: max(d{i - 1}, d{i - 1})\n" for i in range(1, number))
    return f"{HEAD}define:\n  d0: n\n{lines}flow:\n  - n = min(1, d{number - 1})\n{END}"


def procedures(number: int) -> str:
    lines = "".join(f"  p{i}:\n    - p{i - 1}\n    - p{i - 1}\n" for i in range(1, number))
    return f"{HEAD}procedures:\n  p0: n = 1 - n\n{lines}flow:\n  - p{number - 1}\n{END}"


def places(number: int) -> str:
    cards = "kinds:\n  Card:\n    columns: {copies: 0..9999}\n"
    cards += f"    rows: {{a: [{number}], b: [9]}}\n"
    state = "state:\n  shared:\n    n: 0..1\n    stock: deck of Card, starts with copies\n"
    state += "  each player:\n    row: pile of Card\n"
    flow = "flow:\n  - for p in players: deal 1 from stock to p.row\n  - n = 1\n"
    return HEAD.partition("state:")[0] + cards + state + flow + END


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (definitions(60), "too-much-meant"),
        (procedures(60), "too-much-meant"),
        (places(9_000), "too-much-state"),
    ],
)
def test_what_would_grow_is_refused(text: str, code: str) -> None:
    start = process_time()
    with pytest.raises(RulesError) as error:
        check_source(Source("hostile.yaml", text))
    assert code in {problem.code for problem in error.value.problems}
    assert process_time() - start < 5


@pytest.mark.parametrize("text", [definitions(8), procedures(8), places(90)])
def test_what_stays_small_is_not(text: str) -> None:
    check_source(Source("friendly.yaml", text))
