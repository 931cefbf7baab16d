"""A game as a page: steps and states, what a seat's page holds, size, hostile rule files."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from rulesdsl.agents.random import RandomAgent
from rulesdsl.compile import compile_rules
from rulesdsl.play.game import Game
from rulesdsl.play.html import MARK, Pages
from rulesdsl.play.loading import load
from rulesdsl.play.playlog import Playlog, PlaylogError, PlaylogWriter, read_playlog, replay
from rulesdsl.play.resampling.retold import retold
from rulesdsl.text.source import Source
from tests.command import rulesdsl

PLAYER, SENTENCE, QUESTION, RULE, SECTIONS, TOLD, CHANGES, AT = range(8)

VOTE = """\
rules: 1
game: vote
title: Vote
players: 2..3
kinds:
  Card: {rows: [ace, king, queen]}
state:
  shared:
    deck: bag of Card, hidden, starts with 3 ace and 3 king and 3 queen
  each player:
    plan: 0..3, secret
    points: 0..9
    hand: bag of Card, secret, size seen
    pile: pile of Card, hidden, top seen
  each player, each Card:
    stock: 0..9, starts at 1
flow:
  - for round in 1..2:
      - for p in players:
          - deal 2 from deck to p.hand
      - together p in players:
          - p secretly chooses:
              plan(n in 0..3):
                - p.plan = n
                - p.points += 1
      - for p in players:
          - p secretly chooses:
              lay(c in kinds of p.hand): move c from p.hand onto p.pile
      - for p in players:
          - p chooses:
              stock(c in Card): p.stock[c] += 1
result:
  for p in players:
    highest: p.points
"""


def vote() -> Game:
    return Game(compile_rules(Source("vote.yaml", VOTE), 2))


def played(game: Game, pages: Pages, most: int = 10_000) -> list[list[dict[str, Any]]]:
    """Random players; what the referee and each seat see after each decision, the setup first."""
    state = game.start(5, pages.films)
    agent = RandomAgent(5)
    seen: list[list[dict[str, Any]]] = []
    while True:
        views: list[Any] = [state.view(seat)["state"] for seat in range(game.players)]
        seen.append([state.rules.views.seen(None, state.rules.views.cells(list(state.record)))])
        seen[-1] += views
        if state.is_over or len(seen) > most:
            return seen
        state.apply(agent.choose(state, state.to_act[0]))


def states(data: dict[str, Any], tab: dict[str, Any]) -> list[dict[str, Any]]:
    """The states of a tab, put together from what changes."""
    now: dict[str, Any] = {}
    found = []
    for step in tab["steps"]:
        now = dict(now)
        for number in step[CHANGES]:
            match data["pool"][number]:
                case [path, value]:
                    now[data["paths"][path]] = value
                case [path, dict(counts), 1]:
                    merged = {**now[data["paths"][path]], **counts}
                    now[data["paths"][path]] = {name: n for name, n in merged.items() if n}
                case [path, int(kept), list(more)]:
                    now[data["paths"][path]] = [*now[data["paths"][path]][:kept], *more]
                case other:
                    raise AssertionError(other)
        found.append(now)
    return found


def read_back(text: str) -> dict[str, Any]:
    """The data of a page."""
    found = re.search(r'<script id="game" type="application/json">(.*?)</script>', text, re.S)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


# ------------------------------------------------------------------ steps and states


@pytest.mark.parametrize(
    ("name", "players", "most"),
    [
        ("vote", 2, 99),
        ("nim", 2, 99),
        ("kuhn-poker", 2, 99),
        ("tic-tac-toe", 2, 99),
        ("ostia", 3, 45),
        ("oltremare", 2, 30),
        ("portus", 2, 25),
        ("patronus", 2, 25),
    ],
)
def test_each_tab_shows_the_states_that_it_may_see(name: str, players: int, most: int) -> None:
    game = vote() if name == "vote" else load(name, players)
    pages = Pages(game)
    seen = played(game, pages, most)
    data = read_back(pages.page())
    assert [tab["seat"] for tab in data["tabs"]] == [None, *range(players)]
    assert [step[AT] for step in data["tabs"][0]["steps"]] == list(range(len(seen)))
    for who, tab in enumerate(data["tabs"]):
        ats = [step[AT] for step in tab["steps"]]
        for state, after in zip(states(data, tab), [*ats[1:], len(seen)], strict=True):
            assert state == seen[after - 1][who]
        # alone, the page of a seat holds the same
        if who == 1:
            alone = Pages(game, who - 1)
            played(game, alone, most)
            own = read_back(alone.page())
            assert states(own, own["tabs"][0]) == states(data, tab)


def test_each_step_has_its_sentence_rule_and_section() -> None:
    game = load("ostia", 3)
    pages = Pages(game)
    played(game, pages, 40)
    data = pages.data()
    pool: Any = data["pool"]
    tabs: Any = data["tabs"]
    bids = [step for step in tabs[0]["steps"] if pool[step[RULE]][0] == ["sell lot", "bid"]]
    assert bids
    for step in bids:
        assert re.fullmatch(r"[ABC] \d+", pool[step[SENTENCE]])
        assert "may bid for" in pool[step[QUESTION]]
        cites = dict(pool[step[RULE]][1])
        assert cites.keys() == {"book D.1.c", "ruling bid-order"}
        assert cites["ruling bid-order"]
        assert [pool[title] for title in pool[step[SECTIONS]]] == ["Round 1 of 5", "Harbor"]


def test_the_end_says_who_won() -> None:
    game = load("nim")
    pages = Pages(game)
    played(game, pages)
    for tab in read_back(pages.page())["tabs"]:
        assert re.fullmatch(r"(black|white) wins\.", tab["ending"]["verdict"][0])


def test_the_board_has_every_piece_of_state() -> None:
    game = vote()
    pages = Pages(game)
    seen = played(game, pages)
    data = read_back(pages.page())
    roles = [block["role"] for block in data["board"]]
    assert roles == ["shared", "players", "matrix"]
    spots = [spot for block in data["board"] for row in block["spots"] for spot in row]
    assert {data["paths"][path] for spot in spots for path in spot} == seen[0][0].keys()


def test_a_grid_stands_as_a_board() -> None:
    game = load("connect-four")
    pages = Pages(game)
    played(game, pages, 3)
    data = read_back(pages.page())
    (block,) = data["board"]
    assert (block["role"], block["title"]) == ("grid", "Board")
    assert [title for title, _ in block["rows"]] == ["6", "5", "4", "3", "2", "1"]
    assert [title for title, _ in block["columns"]] == list("abcdefg")
    paths = [data["paths"][spot[0]] for spot in block["spots"][-1]]
    assert paths == [f"disc[{column}1]" for column in "abcdefg"]


# ------------------------------------------------------------------ secrets


def page_of(game: Game, seat: int, moves: list[str]) -> str:
    """What a seat's page is after these moves, `A: move`, and outcomes of chance, `= ace`."""
    pages = Pages(game, seat)
    state = game.start(watchers=pages.films)
    for text in moves:
        who, _, move = text.partition(" ")
        if who == "=":
            labels = {label: number for label, _, number in state.chance_outcomes()}
            state.apply_chance(labels[move])
        else:
            state.apply(move, game.seat_names.index(who.rstrip(":")))
    return pages.page()


def test_a_seats_page_tells_nothing_of_what_others_do_in_secret() -> None:
    """Other cards, other choices and another order of those who are busy at the same time."""
    one = ["= ace", "= king", "= king", "= queen", "A: plan 2", "B: plan 3", "A: lay ace"]
    one += ["B: lay queen", "A: stock ace", "B: stock king"]
    other = ["= ace", "= king", "= ace", "= queen", "B: plan 0", "A: plan 2", "A: lay ace"]
    other += ["B: lay queen", "A: stock ace", "B: stock king"]
    game = vote()
    assert page_of(game, 0, one) == page_of(game, 0, other)
    assert page_of(game, 1, one) != page_of(game, 1, other)
    # the top of the pile is seen, so this is another game for all
    third = [*other[:7], "B: lay ace", *other[8:]]
    assert page_of(game, 0, other) != page_of(game, 0, third)


def test_the_cards_of_a_poker_player_who_was_not_called() -> None:
    game = load("kuhn-poker")
    labels = [label for label, _, _ in game.start().chance_outcomes()]
    mine, first, second = labels
    ways = [[f"= {mine}", f"= {his}", "A: bet", "B: pass"] for his in (first, second)]
    assert page_of(game, 0, ways[0]) == page_of(game, 0, ways[1])


def test_a_seats_page_counts_no_decisions_and_has_no_seed() -> None:
    game = load("ostia", 3)
    pages = Pages(game, 1)
    played(game, pages, 60)
    data = read_back(pages.page())
    assert [tab["seat"] for tab in data["tabs"]] == [1]
    assert {len(step) for step in data["tabs"][0]["steps"]} == {AT}
    assert not {"seed", "hash", "rules"} & data.keys()
    written = {data["paths"][one[0]] for one in map(data["pool"].__getitem__, _changes(data))}
    assert "B.money" in written
    assert not {"A.money", "C.money"} & written


def _changes(data: dict[str, Any]) -> set[int]:
    return {number for step in data["tabs"][0]["steps"] for number in step[CHANGES]}


# ------------------------------------------------------------------ size and hostile files


def test_a_page_stays_small() -> None:
    """So that 1,500 decisions at a full table take less than 3 MB."""
    game = load("oltremare", 5)
    pages = Pages(game)
    played(game, pages, 20)
    few = len(pages.page())
    pages = Pages(game)
    played(game, pages, 60)
    assert (len(pages.page()) - few) / 40 * 1_500 + few < 3_000_000


HOSTILE = """\
rules: 1
game: hostile
title: "</title></script><script>document.hacked = 1</script><img src=x onerror=alert(1)> \\u2028"
players: 1
kinds:
  Card: {rows: [ace, constructor, valueOf]}
state:
  shared:
    heap: bag of Card, starts with 1 ace and 1 constructor and 1 valueOf
    row: bag of Card
flow:
  - repeat 3:
      - seat 1 chooses:
          lay(c in kinds of heap): move c from heap to row
result:
  for p in players:
    highest: size of row
texts:
  names:
    ace: "<script>document.hacked = 2</script>"
  prompts:
    lay: "<b>{seat 1}</b> lays <img src=x onerror='document.hacked = 3'> --> %%data%%"
  moves:
    lay: "</script><script>document.hacked = 4</script> {c}"
"""


def hostile_page() -> str:
    game = Game(compile_rules(Source("hostile.yaml", HOSTILE), 1))
    pages = Pages(game)
    played(game, pages)
    return pages.page()


def test_no_text_of_a_rule_file_gets_out_of_its_place() -> None:
    text = hostile_page()
    assert text.count("<script") == 2
    assert text.count("</script") == 2
    assert "<img" not in text
    assert "\u2028" not in text
    assert read_back(text)["title"].startswith("</title></script><script>")


def test_nothing_is_fetched_and_no_other_script_runs() -> None:
    game = load("nim")
    pages = Pages(game)
    played(game, pages)
    text = pages.page()
    assert "default-src 'none'; script-src 'sha256-" in text
    assert not re.search(r"""(src|href)=|url\(|@import|https?:|fetch\(|XMLHttp|import\(""", text)


# ------------------------------------------------------------------ the command


@pytest.fixture
def log(tmp_path: Path) -> Path:
    file = tmp_path / "game.jsonl"
    game = load("kuhn-poker")
    with file.open("w", encoding="utf-8") as out:
        state = game.start(3, [PlaylogWriter(game, out, 3)])
        agent = RandomAgent(3)
        while not state.is_over:
            state.apply(agent.choose(state, state.to_act[0]))
    return file


def test_replay_writes_a_page(log: Path, tmp_path: Path) -> None:
    page = tmp_path / "game.html"
    for more, said in (
        ((), "a tab for the referee and for each seat"),
        (("--as", "a"), "only what A"),
    ):
        code, out, _ = rulesdsl("replay", str(log), "--html", str(page), *more)
        assert code == 0
        assert said in out
        assert MARK in page.read_text(encoding="utf-8")
    assert len(read_back(page.read_text(encoding="utf-8"))["tabs"]) == 1


def test_replay_leaves_other_files_alone(log: Path, tmp_path: Path) -> None:
    page = tmp_path / "mine.html"
    page.write_text("<p>my own page</p>", encoding="utf-8")
    code, _, err = rulesdsl("replay", str(log), "--html", str(page))
    assert code == 2
    assert "is there already" in err
    assert page.read_text(encoding="utf-8") == "<p>my own page</p>"


# ------------------------------------------------------------------ a player's own playlog


def both(name: str, seat: int, players: int, most: int = 10_000) -> tuple[Game, list[str], str]:
    """A game, the playlog of a seat, and the page for it from the referee's."""
    game, agent = load(name, players), RandomAgent(5)
    file, pages = StringIO(), Pages(game, seat)
    state = game.start(5, [PlaylogWriter(game, file, None, seat), *pages.films])
    while not state.is_over and state.moves_made < most:
        state.apply(agent.choose(state, state.to_act[0]))
    return game, file.getvalue().splitlines(), pages.page()


def told_page(game: Game, seat: int, playlog: Playlog) -> str:
    pages = Pages(game, seat)
    replay(game, playlog, watchers=pages.films)
    return pages.page()


@pytest.mark.parametrize(
    ("name", "seat", "players", "most"),
    [("kuhn-poker", 1, 2, 99), ("ostia", 2, 3, 9_999), ("portus", 0, 2, 150), ("ostia", 0, 4, 70)],
)
def test_what_a_player_saw_is_told_again(name: str, seat: int, players: int, most: int) -> None:
    """From a seat's playlog comes the very page that comes from the referee's."""
    game, lines, page = both(name, seat, players, most)
    assert told_page(game, seat, retold(game, read_playlog(lines))) == page


def test_a_players_playlog_can_be_broken_off() -> None:
    """Wherever it is cut, the page begins as the whole one does."""
    game, lines, whole = both("ostia", 1, 3, 60)
    steps, before = read_back(whole)["tabs"][0]["steps"], 0
    sentences = [read_back(whole)["pool"][step[SENTENCE]] for step in steps]
    for cut in range(2, len(lines), 9):
        data = read_back(told_page(game, 1, retold(game, read_playlog(lines), cut)))
        found = [data["pool"][step[SENTENCE]] for step in data["tabs"][0]["steps"]]
        assert found == sentences[: len(found)]
        assert len(found) >= before
        before = len(found)
    assert before > 10


def test_replay_of_a_players_own_playlog(tmp_path: Path) -> None:
    log, page = tmp_path / "a.jsonl", tmp_path / "a.html"
    log.write_text("\n".join(both("kuhn-poker", 0, 2)[1]), encoding="utf-8")
    for more in ((), ("--as", "A")):
        code, out, _ = rulesdsl("replay", str(log), "--html", str(page), *more)
        assert code == 0
        assert "only what A saw" in out
    code, out, _ = rulesdsl("replay", str(log))
    assert code == 0
    assert "Kuhn Poker" in out
    for refused in (["--as", "B"], ["--verify"]):
        code, _, err = rulesdsl("replay", str(log), *refused)
        assert code == 2
        assert "only A saw what this playlog tells" in err


def test_a_players_playlog_that_no_game_tells() -> None:
    game, lines, _ = both("kuhn-poker", 0, 2)
    other = [line.replace('"move": "pass"', '"move": "fold"') for line in lines]
    assert other != lines
    with pytest.raises(PlaylogError, match="no game was found in which A sees"):
        retold(game, read_playlog(other))
