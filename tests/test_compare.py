"""Comparisons: pairs of games on the same deals, planted changes found, what is told of them."""

from __future__ import annotations

import json
import re
from math import sqrt
from pathlib import Path
from statistics import mean, stdev

import click
import pytest
from click.testing import CliRunner

from rulesdsl.cli.main import group
from rulesdsl.lab.compare.comparison import Comparison, Row, Verdict, compare, verdict
from rulesdsl.lab.compare.pairs import Change, Pairs
from rulesdsl.lab.compare.plan import Side, Wish, are_alike, plan
from rulesdsl.lab.compare.text import report
from rulesdsl.lab.compare.words import sentence
from rulesdsl.lab.series.by_game import MEASURES, WINS, figures_by_game
from rulesdsl.lab.series.intervals import Estimate, z_of
from rulesdsl.lab.series.work import Bench
from rulesdsl.machine.settings import UsageError
from rulesdsl.resources import GameNotFound, find_game
from tests.command import ROOT, rulesdsl

DRAW = """\
rules: 1
game: draw
title: Draw
players: 2..3
options:
  bonus: {type: 0..9, default: 0}
  unused: {type: bool, default: false}
kinds:
  Card: {columns: {value: 1..5}, rows: {one: [1], two: [2], three: [3], five: [5]}}
state:
  shared:
    deck: bag of Card, hidden, starts with 6 one and 6 two and 6 three and 6 five
  each player:
    hand: bag of Card
    points: 0..200
    money: 0..99, starts at 10
flow:
  - for round in 1..3:
      - for p in players:
          - p chooses:
              take:
                - deal 1 from deck to p.hand
                - p.points += sum(c.value for c in p.hand)
              rest: p.money += 3
  - if unused and round_is_over: seat 1 .points += 100
  - step bonus: (seat 1).points += bonus
define:
  round_is_over: all(p.points > 190 for p in players)
result:
  for p in players:
    highest: [p.points, p.money]
measures:
  money_left(p in players): p.money
  cards: size of deck
  poor(p in players): p.money < 12
""".replace("seat 1 .points", "(seat 1).points")
TAKER = """\
bots: 1
for: draw.yaml
bot: taker
decisions:
  take: [take]
"""
RESTER = """\
bots: 1
for: draw.yaml
bot: rester
decisions:
  take:
    - take if me.points < 3
    - rest
measures:
  saved: me.money - 10
"""


def write(folder: Path, **files: str) -> dict[str, str]:
    """Rule and bot files; their paths by name."""
    found = {}
    for name, text in {"draw": DRAW, "taker": TAKER, "rester": RESTER, **files}.items():
        path = folder / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        found[name] = str(path)
    return found


def compared(
    a: Side, b: Side, bots: tuple[str, ...], games: int = 40, players: int | None = None
) -> Comparison:
    wish, bench = Wish(a, b, games, players, bots, 5), Bench()
    return compare(wish, plan(wish, bench), bench)


def side(path: str, **options: str) -> Side:
    return Side(Path(path).stem, path, options)


def row(found: Comparison, title: str) -> Row:
    (one,) = [one for one in found.rows if one.title == title]
    return one


def differences(one: Row) -> list[tuple[float, float]]:
    """Value and half of the interval, for each bot."""
    found = [c.difference for c in one.changes if c is not None]
    return [(round(d.value, 6), round(d.half, 6)) for d in found]


STUDENT = 2.022691
"""How many standard errors an interval of 40 values reaches to each side."""


# ------------------------------------------------------------------ the same, and planted changes


def test_a_game_and_itself_are_the_same(tmp_path: Path) -> None:
    files = write(tmp_path)
    bots = files["taker"], files["rester"]
    found = compared(side(files["draw"]), side(files["draw"]), bots)
    assert found.rows
    for one in found.rows:
        assert one.verdict is Verdict.SAME
        assert set(differences(one)) == {(0, 0)}
    assert all(bout.pairs.other_winners == 0 for bout in found.bouts)
    assert sentence(found).startswith("The same: all 40 pairs of games went alike")


def test_what_is_never_at_work_is_the_same(tmp_path: Path) -> None:
    files = write(tmp_path)
    found = compared(side(files["draw"]), side(files["draw"], unused="true"), (files["taker"],))
    assert not are_alike(found.plan, Bench())
    assert "never at work" in sentence(found)


def test_doubled_points_are_found_with_sign_and_size(tmp_path: Path) -> None:
    doubled = DRAW.replace("+= sum(c.value for c in p.hand)", "+= 2 * sum(c.value for c in p.hand)")
    files = write(tmp_path, doubled=doubled)
    found = compared(side(files["draw"]), side(files["doubled"]), (files["taker"],))
    for title in ("winner's points", "points of all players", "winner's lead"):
        (change,) = row(found, title).changes
        assert change is not None
        assert change.b.value == pytest.approx(2 * change.a.value)
        assert change.difference.value == pytest.approx(change.a.value)
        assert row(found, title).verdict is Verdict.UP
    assert all(one.verdict is Verdict.SAME for one in found.rows if one.group in (WINS, MEASURES))
    # backwards it is as much less
    back = compared(side(files["doubled"]), side(files["draw"]), (files["taker"],))
    (there,), (here,) = (
        differences(row(found, "winner's points")),
        differences(row(back, "winner's points")),
    )
    assert here[0] == -there[0]
    assert row(back, "winner's points").verdict is Verdict.DOWN


def test_a_bonus_for_one_seat_is_seen_by_both_bots(tmp_path: Path) -> None:
    files = write(tmp_path)
    bots = files["taker"], files["rester"]
    found = compared(side(files["draw"]), side(files["draw"], bonus="9"), bots, games=60)
    assert row(found, "A").verdict is Verdict.UP
    means = row(found, "points of all players")
    assert differences(means) == [(3, 0), (3, 0)]
    assert "Seat A wins more often" in sentence(found)
    assert row(found, "saved (the bot's)").changes[0] is None


def test_intervals_are_those_of_the_differences_game_by_game(tmp_path: Path) -> None:
    """Recomputed from the tables."""
    files = write(tmp_path)
    found = compared(side(files["draw"]), side(files["draw"], bonus="4"), (files["taker"],))
    (bout,) = found.bouts
    assert list(bout.a.table.number) == list(bout.b.table.number) == list(range(40))
    seats = [
        [*figures_by_game(game, one.table)]
        for game, one in zip(found.games, (bout.a, bout.b), strict=True)
    ]
    wins = [next(one.values for one in each if one.title == "A") for each in seats]
    steps = [b - a for a, b in zip(*wins, strict=True) if a is not None and b is not None]
    (change,) = row(found, "A").changes
    assert change is not None
    assert change.difference.value == pytest.approx(mean(steps))
    assert change.difference.half == pytest.approx(STUDENT * stdev(steps) / sqrt(40))
    unpaired = sqrt(sum(stdev([x for x in one if x is not None]) ** 2 / 40 for one in wins))
    assert change.narrower == pytest.approx(1 - stdev(steps) / sqrt(40) / unpaired)


def test_games_that_broke_on_one_side_are_no_pairs(tmp_path: Path) -> None:
    fragile = DRAW.replace("(seat 1).points += bonus", "(seat 1).points += 185 + bonus")
    files = write(tmp_path, fragile=fragile)
    found = compared(side(files["draw"]), side(files["fragile"]), (files["taker"],))
    (bout,) = found.bouts
    broken = {bad.number for bad in bout.b.table.broken}
    assert broken
    assert 0 < len(bout.pairs) == 40 - len(broken)
    assert {bout.a.table.number[i] for i, _ in bout.pairs.rows} == set(range(40)) - broken
    assert f"in B the rules failed in {len(broken)} games" in " ".join(
        " ".join(report(found, "x")).split()
    )


def changed(value: float, half: float, pairs: int = 100) -> Change:
    none = Estimate(1.0, 0.9, 1.1)
    return Change(none, none, Estimate(value, value - half, value + half), pairs)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([changed(2, 1), changed(1, 0.5)], Verdict.UP),
        ([changed(-2, 1), changed(-1, 0.5)], Verdict.DOWN),
        ([changed(2, 1), changed(-1, 0.5)], Verdict.OPPOSITE),
        ([changed(2, 1), changed(1, 1.5)], Verdict.UNCLEAR),
        ([changed(0.5, 1), changed(1, 1.5)], Verdict.NONE),
        ([changed(0, 0), changed(0, 0)], Verdict.SAME),
        ([changed(3, 0, pairs=1)], Verdict.NONE),
    ],
)
def test_what_two_kinds_of_bot_say_together(changes: list[Change | None], said: Verdict) -> None:
    assert verdict(changes, z_of()) is said


def test_one_kind_of_bot_alone_has_to_be_surer() -> None:
    """Among twenty figures one is beyond its interval by luck."""
    assert verdict([changed(1.2, 1)], z_of(looks=20)) is Verdict.UNCLEAR
    assert verdict([changed(1.6, 1)], z_of(looks=20)) is Verdict.UP


def test_no_pairs_give_no_figures(tmp_path: Path) -> None:
    files = write(tmp_path)
    found = compared(side(files["draw"]), side(files["draw"], bonus="1"), (files["taker"],), 1)
    empty = Pairs(found.bouts[0].a.table, found.bouts[0].b.table, ())
    assert empty.change([1.0], [2.0]) is None
    assert found.visible is None


def told(found: Comparison) -> str:
    """The report in one line."""
    return " ".join(" ".join(report(found, "x")).split())


def test_what_one_side_wins_the_other_may_lose() -> None:
    """Nim won by who would have lost it: differences in pairs are wider than without pairs."""
    nim = str(find_game("nim"))
    found = compared(side(nim), side(nim, last_stone_loses="no"), ("random",))
    wins = [c for one in found.rows if one.group == WINS for c in one.changes if c is not None]
    narrower = sum(c.narrower for c in wins) / len(wins)
    assert narrower < -0.3
    assert f"made the intervals of wins {-100 * narrower:.0f} % wider" in told(found)
    assert "Of 3 figures hardly one would show a change by luck" in told(found)


@pytest.mark.parametrize("games", [1, 3])
def test_few_games_show_nothing_and_no_change_is_above_a_hundred(
    games: int, tmp_path: Path
) -> None:
    files = write(tmp_path)
    bots = files["taker"], files["rester"]
    found = compared(side(files["draw"]), side(files["draw"], bonus="1"), bots, games)
    assert found.visible is None
    assert [one.title for one in found.rows if one.group == WINS] == list("ABC")
    assert f"{games} pair{'s' if games > 1 else ''} of games on the same deals" in told(found)
    assert "more or less often (so few games would hardly show it)" in told(found)


def test_parts_of_the_points_have_a_place_in_the_sentence(tmp_path: Path) -> None:
    scored = DRAW.replace(
        "highest: [p.points, p.money]", "score: {cards: 40 + p.points, spared: 0}"
    )
    other = scored.replace("spared: 0", "spared: p.money - 13")
    files = write(tmp_path, scored=scored, other=other)
    bots = files["taker"], files["rester"]
    found = compared(side(files["scored"]), side(files["other"]), bots)
    spared = row(found, "- from spared")
    assert spared.verdict is Verdict.OPPOSITE
    assert "and what comes from spared the bots disagree" in sentence(found)


# ------------------------------------------------------------------ what is wrong


def test_players_that_do_not_fit_both(tmp_path: Path) -> None:
    files = write(tmp_path, many=DRAW.replace("players: 2..3", "players: 4..5"))
    with pytest.raises(UsageError, match="draw is for 2 to 3 and many is for 4 to 5 players"):
        compared(side(files["draw"]), side(files["many"]), ())
    other = write(tmp_path, more=DRAW.replace("players: 2..3", "players: 3..5"))["more"]
    with pytest.raises(UsageError, match="played by 3, not by 2"):
        compared(side(files["draw"]), side(other), (), players=2)


def test_a_bot_that_does_not_fit_b(tmp_path: Path) -> None:
    files = write(tmp_path, other=DRAW.replace("take:", "grab:"))
    with pytest.raises(UsageError, match=r"taker.yaml does not fit other: there is no choice"):
        compared(side(files["draw"]), side(files["other"]), (files["taker"],))


@pytest.mark.parametrize(
    ("bots", "told"),
    [
        (("A=random",), "without a seat"),
        (("random", "greedy", "mcts:5"), "two different ones"),
        (("random", "random"), "two different ones"),
        (("nobody",), "there is no bot nobody"),
    ],
)
def test_wrong_bots(bots: tuple[str, ...], told: str, tmp_path: Path) -> None:
    path = write(tmp_path)["draw"]
    with pytest.raises(UsageError, match=told):
        compared(side(path), side(path, bonus="1"), bots)


# ------------------------------------------------------------------ the command

GOLDEN = ROOT / "tests" / "golden" / "compare-draw.txt"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with rules and bots, in which the command runs with a cache of its own."""
    write(tmp_path, copy=DRAW)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def run(*arguments: str) -> tuple[int, str]:
    """The command in this process: exit code, output."""
    done = CliRunner().invoke(group, ["compare", *arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout


def settled(text: str) -> str:
    """Without how long it took, and the name of the run, in which paths are."""
    text = re.sub(r"[\d,.]+ s \(", "0.0 s (", text)
    return re.sub(r"--again \w+", "--again NAME", text)


ARGUMENTS = ("draw.yaml", "--with", "bonus=4", "-n", "80", "--seed", "3", "--jobs", "1")
BOTS = ("--bot", "taker.yaml", "--bot", "rester.yaml")


CALLED_ALIKE = ("--bot", "beginner", "--bot", str(ROOT / "bots" / "ostia" / "beginner.yaml"))


def test_the_text_word_for_word(folder: Path) -> None:
    code, out = run(*ARGUMENTS, *BOTS)
    assert code == 0
    assert settled(out) == GOLDEN.read_text(encoding="utf-8")
    assert max(map(len, out.splitlines())) <= 92


def test_the_head_names_the_files(folder: Path) -> None:
    """A file here stands for the bundled game of its name, and by its name nobody would know."""
    nim = ROOT / "games" / "classics" / "nim.yaml"
    text = nim.read_text(encoding="utf-8").replace("title: Nim", "title: My Nim")
    (folder / "nim.yaml").write_text(text.replace("large: [3]", "large: [4]"), encoding="utf-8")
    arguments = ("nim", str(nim), "-n", "1", "--seed", "3", "--jobs", "1")
    code, out = run(*arguments)
    assert code == 0
    a, b = " ".join(out.split()).split(" B ", 1)
    assert a == "A nim My Nim (nim.yaml)"
    assert b.startswith(f"{nim} Nim (bundled) ")


def test_again_repeats_a_run_and_tells_of_changes(folder: Path) -> None:
    _, out = run(*ARGUMENTS, *BOTS)
    found = re.search(r"--again (\w+)", out)
    assert found
    # from another folder, by the beginning of its name
    code, again = run("--again", found[1][:5], "--jobs", "1")
    assert (code, settled(again)) == (0, settled(out))
    # a comment is no change, a rule is one
    draw = folder / "draw.yaml"
    draw.write_text(DRAW + "# a comment\n", encoding="utf-8")
    _, again = run("--again", found[1], "--jobs", "1")
    assert settled(again) == settled(out)
    draw.write_text(DRAW.replace("p.money += 3", "p.money += 4"), encoding="utf-8")
    (folder / "taker.yaml").write_text(TAKER + "# a comment\n", encoding="utf-8")
    code, again = run("--again", found[1], "--jobs", "1")
    assert code == 0
    assert re.match(r"Not the same run: draw.yaml has changed since then \(rules \w+, now", again)
    assert "taker.yaml has changed since then" in again
    draw.unlink()
    with pytest.raises(FileNotFoundError, match=r"draw\.yaml"):
        group.main(["compare", "--again", found[1]], standalone_mode=False)


def test_json_has_all_figures(folder: Path) -> None:
    code, out = run(*ARGUMENTS, *BOTS, "--json", "-")
    assert code == 0
    found = json.loads(out)
    assert found["pairs"] == 80
    assert found["bots"] == ["taker", "rester"]
    assert found["run"]["seed"] == 3
    assert found["run"]["sides"][1]["options"] == {"bonus": "4"}
    wins = [one for one in found["figures"] if one["group"] == "wins %"]
    assert [one["figure"] for one in wins] == ["A", "B", "C"]
    for one in wins:
        for change in one["by_bot"]:
            step = change["b"]["value"] - change["a"]["value"]
            assert change["difference"]["value"] == pytest.approx(step, abs=1e-5)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("draw.yaml", "copy.yaml"), "the same rules with the same options"),
        (("draw", "draw.yaml"), "A and B are the same file, "),
        (("draw.yaml",), "the same rules with the same options"),
        ((), "name two games"),
        (("nim", "ostia", "portus"), "name two games"),
        (("draw.yaml", "--with", "bonus=11"), "bonus"),
        (("draw.yaml", "--with", "bnous=1"), "bnous"),
        (("ostia", "--with", "full_price", *CALLED_ALIKE), "are both called beginner"),
        (("draw.yaml", "--with", "bonus=1,bonus=2"), "the option bonus is given twice"),
        (("draw.yaml", "nothing.yaml"), "nothing.yaml"),
        (("draw.yaml", "--with", "bonus=1", "--again", "abc"), "--again repeats a run"),
        (("--again", "abc"), "comparison of the name abc"),
        (("--again", "draw.yaml"), "describes no comparison"),
        (("nim", "ostia"), "no number of players fits both"),
        (("draw.yaml", "--with", "bonus=1", "--report", "draw.yaml"), "is no such page"),
        (("draw.yaml", "--with", "bonus=1", "--jobs", "2", "--cluster", "local"), "--jobs counts"),
    ],
)
def test_wrong_input_gets_one_message(arguments: tuple[str, ...], told: str, folder: Path) -> None:
    with pytest.raises((click.UsageError, UsageError, GameNotFound)) as error:
        group.main(["compare", *arguments], standalone_mode=False)
    assert told in str(error.value)
    assert not (folder / "cache").exists()


def test_wrong_input_ends_with_two(folder: Path) -> None:
    code, out, err = rulesdsl("compare", "draw.yaml", "draw.yaml", cwd=folder)
    assert (code, out) == (2, "")
    assert "A and B are the same file" in err
