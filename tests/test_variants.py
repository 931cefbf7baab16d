"""Variants: what each kind of change does, and what is told of those that are wrong."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesdsl.compile import check_source, understand
from rulesdsl.lab.examples import run_examples
from rulesdsl.lab.promises import promises_kept
from rulesdsl.lab.reading import problems_of, read_game
from rulesdsl.lab.trial import play_at_random
from rulesdsl.resources import bundled_games
from rulesdsl.syntax.variants.addresses import locate
from rulesdsl.syntax.variants.growth import short_of
from rulesdsl.syntax.yaml_nodes import Map
from rulesdsl.syntax.yaml_reader import read_yaml
from rulesdsl.text.codes import CODES
from rulesdsl.text.limits import PROBLEMS
from rulesdsl.text.problems import Problems, RulesError
from rulesdsl.text.render import to_text
from rulesdsl.text.source import Source
from tests.bundled import GAMES, read
from tests.test_cases import Case, cases_in
from tests.variant_files import (
    FOLDER,
    HEAD,
    changed,
    hash_of,
    hash_of_text,
    text_of,
    told,
    whole_of,
    write,
)

WRONG = list(cases_in(FOLDER / "wrong.yaml"))


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case.name)
def test_what_is_wrong_is_told_on_its_line(case: Case, tmp_path: Path) -> None:
    path = write(tmp_path, wrong=case.text)
    found = [p for p in problems_of(path) if Path(p.span.source.name).name == "wrong.yaml"]
    listed = "\n".join([f"line {p.span.line}: {p.code}: {p.note}" for p in problems_of(path)])
    assert sorted((p.span.line, p.code) for p in found) == sorted(
        (line, code) for line, code, _ in case.expected
    ), listed
    assert len(found) == len(problems_of(path)), listed
    for line, code, note in case.expected:
        assert any(
            (p.span.line, p.code) == (line, code) and note in f"{p.note} {p.help} {p.about}"
            for p in found
        ), f"{listed}\nexpected: {note}"


def test_mistakes_are_told_word_for_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told_ = []
    for case in WRONG:
        write(Path(), wrong=case.text)
        text = to_text("wrong.yaml", problems_of(Path("wrong.yaml")))
        told_.append(f"---- {case.name.partition(': ')[2]}\n{text}")
    found = "".join(told_)
    new = tmp_path / "told.txt"
    new.write_text(found, encoding="utf-8")
    known = (FOLDER / "told.txt").read_text(encoding="utf-8")
    assert found == known, f"what is told is otherwise: read {new}, then copy it"


# ------------------------------------------------------------------ what changes do

CHANGES = {
    "an option is set": (
        "  - {set: option rich, was: false, to: true}\n",
        ["rich: {type: bool, default: true, cite: book 1}"],
    ),
    "what is said of an option": (
        "  - {set: option coins / type, was: 0..20, to: 0..30}\n",
        ["coins: {type: 0..30, default: if rich then 12 else 6, cite: book 1}"],
    ),
    "how many play": ("  - {set: players, was: 2..3, to: 2..4}\n", ["players: 2..4"]),
    "a cell of a kind": (
        "  - {set: 'kind Good[wine].price', was: 3, to: 4}\n",
        ["wine: [4, 3]"],
    ),
    "a column of a kind": (
        "  - {set: kind Good.price, was: 1..5, to: 0..5}\n",
        ["columns: {price: 0..5, copies: 2..4}"],
    ),
    "a range": ("  - {set: kind Coins, was: 0..60, to: 0..70}\n", ["Coins: 0..70"]),
    "a row of a table": ("  - {set: 'table bonus[1..2]', was: 1, to: 2}\n", ["1..2: 2"]),
    "a cell of a table": (
        "  - {set: 'table worth[south, wine]', was: 2, to: 4}\n",
        ["south: [3, 4, 1]"],
    ),
    "a piece of state by its owner": (
        "  - {set: state player / points, was: 0..60, to: 0..99}\n",
        ["points: 0..99"],
    ),
    "a piece of state by its name": (
        "  - {set: state sold, was: 0..4, to: 0..9}\n",
        ["sold: 0..9"],
    ),
    "a definition in the long form": ("  - {set: define fee, was: 1, to: 2}\n", ["is: 2"]),
    "a definition with its head": (
        "  - replace: define value\n    with:\n"
        "      value(q in players): sum(worth[current, g] for g in q.goods)\n",
        ["value(q in players): "],
    ),
    "an option of a choice": (
        "  - replace: procedure buy / pass\n    with: [p.money += 1]\n",
        ["pass:\n            - p.money += 1", "pass: [p.money += 1]"],
    ),
    "a line": (
        "  - in: procedure buy\n    replace: p.money -= g.price+fee\n"
        "    with: p.money -= g.price\n",
        ["            - p.money -= g.price\n"],
    ),
    "a line by several": (
        "  - in: procedure buy / take\n    replace: g.sold += 1\n"
        "    with: [g.sold += 1, p.points += 1]\n",
        ["            - g.sold += 1\n            - p.points += 1\n"],
    ),
    "a line by nothing": (
        "  - in: procedure buy / step thanks\n    replace: p.money += 1\n    with: nothing\n",
        ["step thanks: nothing"],
    ),
    "a header alone": (
        "  - in: flow\n    replace: for round in 1..2\n    with: for round in 1..3\n",
        ["- for round in 1..3:\n      - deal up to 3 from stock to market\n"],
    ),
    "a header with all below it": (
        "  - in: flow\n    replace: for round in 1..2\n    with:\n"
        "      - deal 1 from stock to market\n      - for p in players: buy(p)\n      - share\n",
        ["flow:\n  - setup\n  - deal 1 from stock to market\n"],
    ),
    "a condition": (
        "  - in: trigger after move of g in Good from market to p.goods where g.price > 4\n"
        "    replace: p.points += 1\n    with: p.points += 2\n",
        ["where g.price > 4: p.points += 2"],
    ),
    "a step with a name is removed": ("  - remove: setup / step gifts\n", ["setup:\n  - deal 1"]),
    "a line is removed": (
        "  - in: procedure buy\n    remove: g.sold += 1\n  - remove: state Good\n",
        ["            - move g from market to p.goods\n          pass: nothing"],
    ),
    "an option of a choice is removed": (
        "  - {remove: procedure buy / pass}\n"
        "  - in: procedure buy\n    replace: p chooses\n    with:\n"
        "      - p chooses:\n          rest: nothing\n"
        "  - remove: state Good\n  - remove: define fee\n  - remove: text moves\n"
        "  - remove: example a good is paid with a fee\n"
        "  - remove: trigger after move of g in Good from market to p.goods where g.price > 4\n",
        None,
    ),
    "a member with its row, column and case": (
        "  - {add to: kind Good, after: grain, new: {salt: [2, 2]}}\n"
        "  - {add column to: table worth, new: salt, after: grain, rows: {north: 4, south: 5}}\n"
        "  - {add to: procedure gift / depending on g, new: {salt: nothing}}\n",
        ["rows: {grain: [1, 4], salt: [2, 2], wine", "[grain, salt, wine, silk]", "[1, 4, 2, 3]"],
    ),
    "a member of a list": (
        "  - {add to: kind Card, at: first, new: east}\n"
        "  - {add to: table worth, before: south, new: {east: [2, 2, 2]}}\n",
        ["rows: [east, north, south]", "north: [1, 2, 3]\n      east: [2, 2, 2]"],
    ),
    "a column of a kind is added and used": (
        "  - {add column to: kind Card, new: {power: 1..3}, rows: {north: 1, south: 3}}\n"
        "  - in: phase final\n    replace: 'for p in players'\n"
        "    with: [for p in players: p.points += current.power]\n",
        None,
    ),
    "an option of a choice is added": (
        "  - add to: procedure buy / p chooses\n    before: pass\n    new: {beg: p.money += 1}\n",
        ["          beg: p.money += 1\n          pass: nothing"],
    ),
    "lines are added behind one": (
        "  - add to: flow\n    after: share\n    new: [share, share]\n",
        ["      - share\n      - share\n      - share\n"],
    ),
    "a line is added to a body of one line": (
        "  - add to: phase final\n"
        "    before: p.points += bonus[min(10, size of p.goods)]\n    new: p.money += 1\n",
        ["- for p in players:\n        - p.money += 1\n"],
    ),
    "a term of the score": (
        "  - {add to: result / score, new: {coins: p.money}}\n",
        ["coins: p.money"],
    ),
    "what ranks": ("  - {add to: result / highest, new: size of p.goods}\n", None),
    "a section gets something at a place": (
        "  - {add to: options, before: coins, new: {poor: {type: bool, default: false}}}\n"
        "  - {set: option coins, was: if rich then 12 else 6, to: if poor then 1 else 6}\n"
        "  - {add to: setup, new: {for p in players where rich: p.money += 1}}\n",
        ["poor: {type: bool, default: false}\n  coins"],
    ),
    "an invariant": (
        "  - {replace: invariant nobody has all, with: all(p.money <= 60 for p in players)}\n",
        ["nobody has all: all(p.money <= 60 for p in players)"],
    ),
    "a measure": (
        "  - {set: measure coins_left, was: p.money, to: p.money + 0}\n"
        "  - {add to: measures, at: last, new: {all_left: sum(p.money for p in players)}}\n",
        ["coins_left(p in players): p.money + 0\n  all_left: sum(p.money for p in players)\n"],
    ),
    "an example": (
        "  - {set: example a good is paid with a fee / expect / A.money, was: 3, to: 3 + 0}\n",
        ["expect: {A.money: 3 + 0, A.goods: [wine]}"],
    ),
    "an example is removed": ("  - remove: example the bonus\n", None),
    "a text": (
        "  - {set: text moves / buy / take, was: '{p} takes {g}', to: '{p} has {g}'}\n",
        ['buy / take: "{p} has {g}"'],
    ),
    "a ruling": (
        "  - {set: ruling ties, was: the first in order wins, to: the last one}\n",
        ["ties: the last one"],
    ),
    "a section of a book": ("  - {add to: source book / sections, new: 4}\n", ["[1, 2, 3, 4]"]),
    "a column is removed with its cells": (
        "  - {remove: table worth.wine}\n  - {remove: 'kind Good[wine]'}\n"
        "  - {remove: procedure gift / wine}\n  - remove: example a good is paid with a fee\n",
        ["north: [1, 3]", "columns: [grain, silk]"],
    ),
    "a column is removed of a kind": (
        "  - {add column to: kind Card, new: {power: 1..3}, rows: {north: 1, south: 3}}\n"
        "  - {remove: kind Card.power}\n",
        ["Card: {rows: [north, south]}"],
    ),
    "a reference": (
        "  - {set: define fee, was: 1, to: 2, cite: book 3}\n"
        "  - {add to: setup, new: share, cite: book 3}\n",
        ["cite: [book 2, book 3]", "  cite: book 3\n  do:\n"],
    ),
    "a reference for a body": (
        "  - {in: setup, replace: p.money += 1, with: p.money += 2, cite: book 3}\n",
        ["do:\n    - deal 1 from deck to current\n    - step gifts:\n        - for p in"],
    ),
    "a step by its name alone": (
        "  - {remove: setup / gifts}\n",
        ["setup:\n  - deal 1 from deck to current\n"],
    ),
    "a whole line": (
        "  - in: example the bonus\n    replace: 'bonus[2]: 1'\n    with: {'bonus[1]': 1}\n",
        ['expect: {"bonus[1]": 1, "bonus[9]": 2}'],
    ),
    "a whole line as it is written": (
        "  - in: example a good is paid with a fee\n    remove:\n      A.goods: [wine]\n",
        ["expect: {A.money: 3}"],
    ),
    "a whole line of steps": (
        "  - in: phase final\n"
        "    replace:\n"
        "      for p in players: p.points += bonus[min(10, size of p.goods)]\n"
        "    with: [share, share]\n",
        ["final:\n    - share\n    - share\n"],
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_a_change_does(name: str, tmp_path: Path) -> None:
    changes, wanted = CHANGES[name]
    text = changed(tmp_path, changes)
    if wanted is not None:
        assert any(piece in text for piece in wanted), text
    assert text_of(write(tmp_path, again=text)) == text


# ------------------------------------------------------------------ the whole


@pytest.mark.parametrize("name", bundled_games())
def test_a_whole_game_as_one_text_means_the_same(name: str) -> None:
    path = bundled_games()[name]
    assert hash_of_text(text_of(path)) == hash_of(path)


@pytest.mark.parametrize("name", ["ostia", "ostia_salt", "nim"])
def test_an_empty_variant_has_the_hash_of_its_base(name: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(f"rules: 1\ngame: mine\ntitle: Mine\nextends: {name}\n", "utf-8")
    assert hash_of(path) == hash_of(bundled_games()[name])


def test_a_variant_has_another_hash_than_its_base() -> None:
    hashes = {hash_of(path) for name, path in bundled_games().items() if "ostia" in name}
    assert len(hashes) == len([name for name in bundled_games() if "ostia" in name])


@pytest.mark.parametrize("name", [name for name in bundled_games() if name not in GAMES])
def test_a_bundled_variant_can_be_played(name: str) -> None:
    trial = play_at_random(read(bundled_games()[name]).model, 4)
    assert trial.faults == []
    assert trial.decisions > 400


def test_rules_from_a_text_extend_bundled_games_only() -> None:
    check_source(Source("mine.yaml", "rules: 1\ngame: mine\nextends: nim\n"))
    with pytest.raises(RulesError, match="unknown-base"):
        check_source(Source("mine.yaml", HEAD))


def test_places_are_those_of_the_files(tmp_path: Path) -> None:
    path = write(tmp_path, mine=f"{HEAD}changes:\n  - {{set: define fee, was: 1, to: 2}}\n")
    tree = read_game(path).tree
    assert tree.game.span.source.name == str(path)
    assert tree.flow.span.source.name == str(tmp_path / "base.yaml")
    (fee,) = [one for one in tree.defines if one.signature.name.text == "fee"]
    assert str(fee.value.span) == f"{path}:5:35"


def test_the_title_and_the_number_of_players_may_be_its_own(tmp_path: Path) -> None:
    own = read_game(write(tmp_path, mine=f"{HEAD}title: Mine\nplayers: 2\n")).model
    assert (own.name, own.title, own.players) == ("mine", "Mine", (2, 2))
    bare = read_game(write(tmp_path, mine=HEAD)).model
    assert (bare.title, bare.players) == ("The Quay", (2, 3))


def test_a_mistake_of_the_base_is_told_there(tmp_path: Path) -> None:
    path = write(tmp_path, mine=f"{HEAD}changes:\n  - {{set: define fee, was: 1, to: 2}}\n")
    base = tmp_path / "base.yaml"
    base.write_text(base.read_text("utf-8").replace("p.points += 3", "p.pionts += 3"), "utf-8")
    (problem,) = told(path)
    assert problem.startswith("base.yaml:69: unknown-name")


def test_data_files_are_named_from_the_folder_of_their_file(tmp_path: Path) -> None:
    below = tmp_path / "game"
    below.mkdir()
    write(below, rows="{grain: [1, 4], wine: [3, 3], silk: [5, 2]}\n")
    base = below / "base.yaml"
    rows = "rows: {grain: [1, 4], wine: [3, 3], silk: [5, 2]}"
    base.write_text(base.read_text("utf-8").replace(rows, "rows: {from: rows.yaml}"), "utf-8")
    path = tmp_path / "mine.yaml"
    head = HEAD.replace("base.yaml", "game/base.yaml")
    path.write_text(f"{head}changes:\n  - {{set: 'kind Good[wine].price', was: 3, to: 4}}\n")
    assert told(path) == []
    assert "wine: [4, 3]" in text_of(path)


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    shutil.copy(FOLDER / "base.yaml", tmp_path)
    (inside / "base.yaml").symlink_to(tmp_path / "base.yaml")
    path = inside / "mine.yaml"
    path.write_text(HEAD, "utf-8")
    (problem,) = told(path)
    assert problem.startswith("mine.yaml:3: file-outside")


def test_files_in_a_circle(tmp_path: Path) -> None:
    head = "rules: 1\ngame: one\nextends: "
    path = write(tmp_path, one=f"{head}two.yaml\n", two=f"{head}one.yaml\n")
    (problem,) = told(path)
    assert "extends-in-circle" in problem
    assert "two.yaml extends one.yaml extends two.yaml" in problem


# ------------------------------------------------------------------ examples and invariants


def results_of(path: Path) -> list[str]:
    """What does not hold in the examples and invariants of a file."""
    read = read_game(path)
    results = run_examples(read.model, read.tree, Problems())
    kept = promises_kept(read.tree, 5)
    return [f"{one.example}: {one.note}" for one in (*results.failures, *kept)]


def test_examples_of_the_base_keep_its_options(tmp_path: Path) -> None:
    changes = "changes:\n  - {set: option rich, was: false, to: true}\n"
    own = "examples:\n  - {example: ours, players: [A, B], expect: {A.money: 12}}\n"
    path = write(tmp_path, mine=HEAD + changes + own)
    assert results_of(path) == []
    assert "options: {rich: false}" in text_of(path)
    changes += "  - {set: option coins, was: if rich then 12 else 6, to: 9}\n"
    path = write(tmp_path, mine=HEAD + changes + own.replace("12", "9"))
    assert results_of(path) == []
    assert "options: {rich: true, coins: if rich then 12 else 6}" in text_of(path)


def test_an_example_that_fails_must_be_listed(tmp_path: Path) -> None:
    changes = "changes:\n  - {set: define fee, was: 1, to: 0}\n"
    path = write(tmp_path, mine=HEAD + changes)
    assert results_of(path) == ["a good is paid with a fee: A.money   expected 3, got 4"]
    path = write(tmp_path, mine=f"{HEAD}{changes}  - fails: example a good is paid with a fee\n")
    assert results_of(path) == []
    assert "# left out, since it does not hold any more: a good is paid" in text_of(path)


def test_an_example_that_cannot_be_said_any_more_may_be_listed(tmp_path: Path) -> None:
    changes = "changes:\n  - {set: table bonus / maps, was: 0..10 -> 0..3, to: 0..8 -> 0..3}\n"
    changes += "  - {in: phase final, replace: 'p.points += bonus[min(10, size of p.goods)]', "
    changes += "with: 'p.points += bonus[min(8, size of p.goods)]'}\n"
    path = write(tmp_path, mine=f"{HEAD}{changes}  - fails: example the bonus\n")
    assert told(path) == []
    assert results_of(path) == []


def test_what_is_listed_as_failing_must_fail(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        mine=f"{HEAD}changes:\n  - fails: example the bonus\n  - fails: invariant nobody has all\n",
    )
    assert results_of(path) == [
        "the bonus: this holds, though it is listed as failing: take the line away",
        "nobody has all: this held in 5 random games, though it is listed as failing",
    ]
    # whoever extends such a file is not held to it
    top = write(tmp_path, top="rules: 1\ngame: top\nextends: mine.yaml\n")
    assert results_of(top) == []


def test_an_invariant_that_fails_is_not_played(tmp_path: Path) -> None:
    changes = "changes:\n  - {set: invariant nobody has all, was: X, to: 1 > 2}\n"
    was = "all(size of p.goods <= 9 for p in players)"
    write(tmp_path, mid=HEAD + changes.replace("X", was))
    top = write(
        tmp_path,
        top="rules: 1\ngame: top\nextends: mid.yaml\n"
        "changes:\n  - fails: invariant nobody has all\n",
    )
    assert results_of(top) == []
    assert read_game(top).model.invariants == []


def test_so_many_mistakes_are_told_as_they_are_told_elsewhere(tmp_path: Path) -> None:
    path = write(tmp_path, mine=HEAD + "changes:\n" + 150 * "  - set: []\n")
    assert 1 <= len(problems_of(path)) <= PROBLEMS


# ------------------------------------------------------------------ anything at all

_WORDS = [
    "option rich",
    "option coins / default",
    "kind Good",
    "kind Good[wine]",
    "kind Good.price",
    "kind Coins",
    "table bonus",
    "table bonus[3+]",
    "table worth.wine",
    "table worth[north, silk]",
    "state money",
    "state player",
    "state",
    "define fee",
    "define value",
    "procedure buy",
    "procedure buy / take",
    "procedure buy / p chooses",
    "procedure buy / step thanks",
    "procedure gift / depending on g",
    "setup",
    "setup / step gifts",
    "flow",
    "phase share",
    "phase final",
    "result",
    "result / score",
    "result / highest",
    "invariant nobody has all",
    "measure coins_left",
    "example the bonus",
    "example rich players / expect",
    "text names",
    "text moves / buy / take",
    "options",
    "examples",
    "players",
    "source book",
    "ruling ties",
    "sources",
    "triggers",
    "nothing",
    "p.points += 1",
    "for p in players",
    "p chooses",
    "take(g in kinds of market where g.price + fee <= p.money)",
    "move g from market to p.goods",
    "for round in 1..2",
    "share",
    "x",
    "1",
    "[",
    "/",
]
_PIECE = st.one_of(st.sampled_from(_WORDS), st.text(max_size=6))
_NODE = st.recursive(
    _PIECE, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_PIECE, inner, max_size=3)
)
_KEY = st.sampled_from(
    ["new", "after", "before", "at", "rows", "was", "to", "with", "in", "because", "cite"]
)
_CHANGE = st.builds(
    lambda verb, target, keys: {verb: target, **keys},
    st.sampled_from(["add to", "add column to", "set", "replace", "remove", "fails"]),
    _PIECE,
    st.dictionaries(_KEY, _NODE, max_size=4),
)


@settings(deadline=None)
@given(st.lists(_CHANGE | _NODE, min_size=1, max_size=3))
def test_whatever_is_changed_there_is_an_answer(changes: list[object]) -> None:
    text = json.dumps(changes, ensure_ascii=False)
    try:
        understand(Source("mine.yaml", f"{HEAD}changes: {text}\n", FOLDER))
        codes: set[str] = set()
    except RulesError as error:
        codes = {problem.code for problem in error.problems}
    assert codes <= set(CODES)


@pytest.mark.parametrize("address", _WORDS[:41])
def test_addresses_are_found_as_they_are_spoken(address: str) -> None:
    root = whole_of(FOLDER / "base.yaml").root
    found = locate(root, address)
    assert len(found.spots) == (0 if address == "nothing" else 1)
    for spot in found.spots:
        assert locate(root, spot.words).spots == (spot,)


# ------------------------------------------------------------------ kinds and owners of others


def test_state_of_each_player_for_each_member(tmp_path: Path) -> None:
    held = "state:\n  each player, each Good:\n    held: 0..9\n"
    use = "changes:\n  - add to: setup\n    new:\n      for p in players: p.held[silk] += 1\n"
    write(tmp_path, mid=HEAD + held + use)
    head = "rules: 1\ngame: top\nextends: mid.yaml\n"
    changes = "changes:\n  - {set: state held, was: 0..9, to: 0..8}\n"
    own = "state:\n  each player, each Good:\n    lost: 0..9\n"
    changes += "  - {in: setup, replace: 'p.held[silk] += 1', with: 'p.lost[silk] += 1'}\n"
    top = write(tmp_path, top=head + own + changes)
    assert "each player, each Good:\n    held: 0..8\n    lost: 0..9\n" in text_of(top)
    address = "state player, Good / held"
    changes = f"changes:\n  - {{set: '{address}', was: 0..9, to: 0..8}}\n"
    top = write(tmp_path, top=head + changes)
    assert told(top) == []
    root = whole_of(top).root
    paths = [locate(root, one).spots[0].path for one in (address, "state held")]
    assert paths[0] == paths[1]


def test_a_kind_grows_with_those_that_include_it() -> None:
    text = """
kinds:
  Good: {rows: [wine, salt]}
  Gift: {includes: [Good], rows: [medal]}
  Prize: {includes: [Gift]}
tables:
  joy: {maps: maybe Prize -> 0..5, rows: {wine: 1, medal: 2, none: 0}}
  worth: {maps: Gift -> 0..5, rows: {any Good: 1, medal: 2}}
setup:
  - depending on gift:
      any Good: nothing
      medal: nothing
"""
    root = read_yaml(Source("mine.yaml", text), Problems())
    assert isinstance(root, Map)
    (short,) = short_of(root, "Good", "salt")
    assert short.words == "no row in table joy"
    assert short.help == "- add to: table joy\n  new: {salt: ...}"
    assert [one.words for one in short_of(root, "Gift", "cup")] == [
        "no row in table joy",
        "no row in table worth",
        "no case in setup / depending on gift",
    ]
