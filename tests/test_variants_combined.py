"""Several files that extend one game, put together: what goes along, and what is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesdsl.lab.reading import problems_of, read_game
from tests.variant_files import hash_of, hash_of_text, text_of, told, whole_of, write

TOP = "rules: 1\ngame: top\nextends: [tiles.yaml, wind.yaml]\n"

TILES = """rules: 1
game: tiles
extends: base.yaml
kinds:
  Tile: {rows: [inn, well]}
state:
  shared:
    tiles: bag of Tile, starts with all
  each player:
    kept: bag of Tile
changes:
  - add to: flow
    after: setup
    new: [draft]
  - add to: result / score
    new: {tiles: 2 * size of p.kept}
phases:
  draft:
    - for p in players:
        - p chooses:
            keep(tile in kinds of tiles): move tile from tiles to p.kept
            otherwise: nothing
examples:
  - example: a tile is kept
    players: [A, B]
    play: [draft, A keep inn, B keep well]
    expect: {A.kept: [inn]}
"""

WIND = """rules: 1
game: wind
extends: base.yaml
sources: {rulings: {house: a rule of our table}}
options:
  storm: {type: bool, default: false, cite: ruling house}
changes:
  - add to: kind Good
    new: {salt: [2, 2]}
    cite: ruling house
  - add column to: table worth
    new: salt
    rows: {north: 4, south: 5}
  - add to: procedure gift / depending on g
    new: {salt: p.points += 4}
  - add to: setup
    new:
      if storm:
        - for p in players: p.money -= 1
"""


def combined(folder: Path, tiles: str = "", wind: str = "", top: str = "") -> Path:
    """Two expansions with more changes, and a file that puts them together."""
    return write(
        folder,
        tiles=TILES.replace("phases:", f"{tiles}phases:"),
        wind=WIND + wind,
        top=TOP + top,
    )


def test_two_expansions_and_a_variant(tmp_path: Path) -> None:
    path = combined(
        tmp_path,
        top="changes:\n  - {set: option storm, was: false, to: true}\n"
        "  - in: phase draft\n    replace: 'for p in players'\n"
        "    with: for p in players counterclockwise from seat 1\n"
        "examples:\n  - example: a storm\n    players: [A, B]\n    play: [setup]\n"
        '    expect: {A.money: 6, "A.goods[salt]": 0, size of tiles: 2}\n',
    )
    assert told(path) == []
    read = read_game(path)
    assert [change.words.split(",")[0] for change in read.tree.changes][-2:] == [
        "set option storm",
        "in phase draft: replace for p in players",
    ]
    assert {"salt", "silk"} < set(read.model.kinds["Good"].members)
    assert "tiles" in text_of(path)
    assert hash_of_text(text_of(path)) == hash_of(path)
    names = [layer.source.name.rpartition("/")[2] for layer in whole_of(path).layers]
    assert names == ["base.yaml", "tiles.yaml", "wind.yaml", "top.yaml"]


def test_one_is_extended_by_both(tmp_path: Path) -> None:
    mid = "rules: 1\ngame: mid\nextends: base.yaml\n"
    mid += "changes:\n  - {set: define fee, was: 1, to: 2}\n"
    mid += "  - fails: example a good is paid with a fee\n"
    one = "rules: 1\ngame: one\nextends: mid.yaml\n"
    one += "changes:\n  - {set: define fee, was: 2, to: 3}\n"
    two = "rules: 1\ngame: two\nextends: mid.yaml\n"
    two += "changes:\n  - {set: option rich, was: false, to: true}\n"
    top = "rules: 1\ngame: top\nextends: [one.yaml, two.yaml]\n"
    path = write(tmp_path, mid=mid, one=one, two=two, top=top)
    assert told(path) == []
    assert "is: 3" in text_of(path)


PRICE = "  - {{set: 'kind Good[wine].price', was: 3, to: {}}}\n"
LINE = "  - in: procedure buy\n    replace: g.sold += 1\n    with: g.sold += {}\n"

CONFLICTS = {
    "the same value": (PRICE.format(4), PRICE.format(5), "kind Good[wine].price"),
    "the same line": (LINE.format(2), LINE.format(3), "g.sold += 1"),
    "a value in what the other writes anew": (
        "  - replace: table bonus\n    with: {maps: 0..10 -> 0..3, rows: {0+: 1}}\n",
        "  - {set: 'table bonus[0]', was: 0, to: 1}\n",
        "table bonus",
    ),
    "what the other takes away": (
        "  - remove: procedure buy / step thanks\n",
        "  - in: procedure buy / step thanks\n    replace: p.money += 1\n    with: p.money += 2\n",
        "procedure buy / step thanks",
    ),
}


@pytest.mark.parametrize("name", CONFLICTS)
def test_what_both_alter_is_told_with_both_places(name: str, tmp_path: Path) -> None:
    tiles, wind, _ = CONFLICTS[name]
    path = combined(tmp_path, tiles, wind)
    (problem,) = problems_of(path)
    assert problem.code == "conflicting-changes"
    assert Path(problem.span.source.name).name == "wind.yaml"
    assert problem.second is not None
    assert Path(problem.second.span.source.name).name == "tiles.yaml"


def test_the_same_change_of_both_is_made_once(tmp_path: Path) -> None:
    path = combined(tmp_path, PRICE.format(4), PRICE.format(4))
    assert told(path) == []
    assert "wine: [4, 3]" in text_of(path)


@pytest.mark.parametrize(
    ("name", "top", "wanted"),
    [
        ("the same value", PRICE.format(2), "wine: [2, 3]"),
        ("the same line", "  - in: procedure buy\n    remove: g.sold += 1\n", None),
        (
            "what the other takes away",
            "  - replace: procedure buy / step thanks\n    with: [p.money += 3]\n",
            "p.money += 3",
        ),
        (
            "a value in what the other writes anew",
            "  - {set: 'table bonus[0]', was: 0, to: 2}\n",
            "0: 2",
        ),
    ],
)
def test_the_combining_file_settles_it(
    name: str, top: str, wanted: str | None, tmp_path: Path
) -> None:
    tiles, wind, _ = CONFLICTS[name]
    path = combined(tmp_path, tiles, wind, f"changes:\n{top}")
    codes = {problem.partition(": ")[2].partition(":")[0] for problem in told(path)}
    assert "conflicting-changes" not in codes
    if wanted is not None:
        assert codes == set()
        assert wanted in text_of(path)


def test_a_name_that_both_add(tmp_path: Path) -> None:
    tiles = TILES + "define:\n  bonus_of(p in players): 2 * size of p.kept\n"
    tiles = tiles.replace("{tiles: 2 * size of p.kept}", "{tiles: bonus_of(p)}")
    wind = WIND + "  - add to: result / score\n    new: {bonus: bonus_of(p)}\n"
    wind += "define:\n  bonus_of(p in players): p.points\n"
    path = write(tmp_path, tiles=tiles, wind=wind, top=TOP)
    (problem,) = told(path)
    assert problem.startswith("wind.yaml:")
    assert "conflicting-changes: together with the others this cannot be done" in problem
    settled = "changes:\n  - replace: define bonus_of\n    with: 2 * size of p.kept + p.points\n"
    path = write(tmp_path, tiles=tiles, wind=wind, top=TOP + settled)
    assert told(path) == []


def test_a_mistake_in_one_of_them_is_told_there(tmp_path: Path) -> None:
    path = combined(tmp_path, wind="  - {set: define fee, was: 3, to: 4}\n")
    (problem,) = told(path)
    assert problem.startswith("wind.yaml:20: other-value")


def test_how_many_play_is_settled_by_whoever_combines(tmp_path: Path) -> None:
    more = {"tiles": f"{TILES}players: 2..4\n", "wind": f"{WIND}players: 2..5\n"}
    path = write(tmp_path, **more, top=TOP)
    (problem,) = problems_of(path)
    assert problem.code == "conflicting-changes"
    assert problem.help == "settle it in the file that combines them: players: 2..4"
    path = write(tmp_path, **more, top=f"{TOP}players: 2..4\n")
    assert told(path) == []
    assert read_game(path).model.players == (2, 4)
