"""Bots as data: what is wrong with them is told, and what they say is done, seen things only."""

from __future__ import annotations

from functools import cache
from io import StringIO
from pathlib import Path

import pytest

from rulesdsl.agents.bot_files import bot_problems
from rulesdsl.agents.cast import Cast, agents_of
from rulesdsl.agents.random import Agent, RandomAgent
from rulesdsl.agents.roster import Roster
from rulesdsl.agents.script import Script
from rulesdsl.agents.scripted import ScriptedAgent, blind_choices
from rulesdsl.check.model import Model
from rulesdsl.compile import check_bot, check_source, compile_rules
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.settings import UsageError, settle_options
from rulesdsl.play.game import Game
from rulesdsl.play.playlog import PlaylogWriter, read_playlog
from rulesdsl.play.state import State
from rulesdsl.resources import bundled_bots, bundled_games, find_game
from rulesdsl.syntax.bot_tree import BotFile
from rulesdsl.syntax.bots import is_bot, read_bot
from rulesdsl.text.files import read_source
from rulesdsl.text.problems import Problems, RulesError
from rulesdsl.text.source import Source
from tests.bundled import read

HEAD = "bots: 1\nfor: ostia\nbot: someone\n"

BIDS = "decisions:\n  sell_lot / bid:\n"

STALLS = """
rules: 1
game: stalls
players: 2..3
kinds:
  Coins: 0..20
  Fruit: {columns: {price: 1..5}, rows: {apple: [1], pear: [3], melon: [5]}}
state:
  shared: {stall: bag of Fruit}
  each player:
    coins: Coins, secret, starts at 9
    points: 0..99
    fruits: bag of Fruit, starts with 3 pear
flow:
  - for round in 1..3:
      - for p in players:
          - let most = max(q.points for q in players)
          - if most > 90: p wins
          - p chooses:
              eat(f in kinds of p.fruits, number in 1..p.fruits[f]):
                - p.points += number * f.price
                - move number f from p.fruits to stall
              boast(n in 0..p.coins): p.points += 0
              rest: nothing
result:
  for p in players:
    highest: p.points
"""


@cache
def model_of(name: str) -> Model:
    return read(find_game(name)).model


def tree(text: str) -> BotFile:
    problems = Problems()
    bot = read_bot(Source("bot.yaml", text), problems)
    problems.check()
    assert bot is not None
    return bot


def problems_of(text: str) -> list[tuple[str, str, str]]:
    """Code, underlined text and note of each problem of a bot for Ostia."""
    try:
        check_bot((tree(HEAD + text),), model_of("ostia"))
    except RulesError as error:
        return [(one.code, one.span.text, one.note) for one in error.problems]
    return []


def game(name: str, players: int) -> Game:
    model = model_of(name)
    return Game(make_machine(model, *settle_options(model, players, {})))


def stalls(players: int = 2) -> Game:
    return Game(compile_rules(Source("stalls.yaml", STALLS), players))


def stall_script(game: Game, lines: str) -> Script:
    bot = tree(f"bots: 1\nfor: stalls\nbot: someone\n{lines}")
    return Script.of(check_bot((bot,), game.model), game.rules)


def play(game: Game, agents: list[Agent], seed: int) -> State:
    state = game.start(seed)
    while not state.is_over:
        seat = state.to_act[0]
        state.apply(agents[seat].choose(state, seat))
    return state


# ------------------------------------------------------------------ what is wrong with a bot

WRONG = [
    (
        BIDS + "    - pas if me.money < 7\n",
        ("unknown-name", "pas", "there is no option pas at this choice"),
    ),
    (
        "decisions:\n  sel_lot / bid:\n    - pass\n",
        ("unknown-name", "sel_lot", "nobody chooses anything in sel_lot"),
    ),
    (
        "decisions:\n  sell_lot / bidd:\n    - pass\n",
        ("unknown-name", "bidd", "there is no choice with an option bidd in sell_lot"),
    ),
    (
        BIDS + "    - bid minimum_price, sum = 3\n",
        ("unknown-name", "sum", "bid has no argument sum"),
    ),
    (
        BIDS + "    - bid me\n",
        ("wrong-type", "me", "this is a player; a number is wanted here"),
    ),
    (
        BIDS + "    - pass 3\n",
        ("wrong-number", "3", "pass has no arguments"),
    ),
    (
        BIDS + "    - bid 3 where amont > 3\n",
        ("unknown-name", "amont", "there is nothing of the name amont"),
    ),
    (
        BIDS + "    - bid 3, amount = 4\n",
        ("duplicate-name", "amount = 4", "amount has its value already"),
    ),
    (
        BIDS + "    - bid 3 if amount > 3\n",
        ("unknown-name", "amount", "there is nothing of the name amount"),
    ),
    (
        BIDS + "    - pass if me.money\n",
        ("wrong-type", "me.money", "this is a number; true or false is wanted here"),
    ),
    (
        BIDS + "    - pass if\n",
        ("incomplete", "if", "a preference is not complete here"),
    ),
    (
        "decisions:\n  offer:\n    - offer 3\n",
        (
            "wrong-type",
            "3",
            "cards are several components, which are told by `where` and `by`",
        ),
    ),
    (
        "decisions:\n  accept:\n    - accept me give or take 1\n",
        ("wrong-type", "1", "buyer is no number: nothing is given or taken"),
    ),
    (
        "define: {worth: 3}\n" + BIDS + "    - pass\n",
        ("duplicate-name", "worth", "worth is declared twice"),
    ),
    (
        "define: {rich: me.mony}\n" + BIDS + "    - pass if rich > 3\n",
        ("unknown-name", "mony", "a player has no mony"),
    ),
    (
        BIDS + "    - pass\nworth: money\n",
        ("field-without-owner", "money", "each player has a money: say whose"),
    ),
    (
        BIDS + "    - pass\nworht: 3\n",
        ("unknown-key", "worht", "a bot file has no such key; did you mean `worth`?"),
    ),
    (
        "about: nothing is preferred\n",
        ("missing-key", "bots: 1", "the key `decisions` is missing"),
    ),
]

SECRET = [
    (
        BIDS + "    - bid 9 if seller.money > 4\n",
        ("seller.money", "the bidder does not see the seller's money"),
    ),
    (
        BIDS + "    - bid 9 where amount > max(q.money for q in players)\n",
        ("max(q.money for q in players)", "the bidder does not see the money of the players"),
    ),
    (
        "define:\n  drawn: deck[wine]\n" + BIDS + "    - pass if drawn > 3\n",
        ("drawn", "the bidder does not see what lies in deck"),
    ),
    (
        "decisions:\n  accept:\n    - accept by buyer.money\n",
        ("buyer.money", "the seller does not see the buyer's money"),
    ),
    (
        BIDS + "    - pass\nworth: (left of me).money\n",
        ("(left of me).money", "me does not see the neighbour's money"),
    ),
]


@pytest.mark.parametrize(("text", "expected"), WRONG)
def test_what_is_wrong_is_told_at_its_place(text: str, expected: tuple[str, str, str]) -> None:
    assert problems_of(text) == [expected]


@pytest.mark.parametrize(("text", "expected"), SECRET)
def test_a_bot_reads_no_secret(text: str, expected: tuple[str, str]) -> None:
    assert problems_of(text) == [("secret-in-guard", *expected)]


def test_what_others_do_at_the_same_time_is_not_read() -> None:
    text = "decisions:\n  lay:\n    - lay g if size of (left of me).kept > 3\n"
    assert [code for code, _, _ in problems_of(text)] == ["together-reads-others"]


def test_own_secrets_and_open_things_are_read() -> None:
    text = BIDS + "    - bid me.money if bidder.kept[wine] > 1 and size of seller.kept > 2\n"
    assert problems_of(f"{text}worth: me.money + me.points\n") == []


def test_a_name_that_the_rules_have_forgotten_is_told() -> None:
    game = stalls()
    with pytest.raises(RulesError, match="the rules do not use most from here on"):
        stall_script(game, "decisions: {eat: [rest if most > 3]}\n")


def test_files_are_told_apart_and_problems_found(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(f"{HEAD}{BIDS}    - bd 3\n", encoding="utf-8")
    assert is_bot(read_source(file))
    assert [one.code for one in bot_problems(file)] == ["unknown-name"]
    file.write_text(f"{HEAD}{BIDS}    - bid 9\n", encoding="utf-8")
    assert bot_problems(file) == []
    file.write_text(f"bots: 1\nfor: osita\nbot: someone\n{BIDS}    - bid 9\n", encoding="utf-8")
    (problem,) = bot_problems(file)
    assert (problem.code, problem.help) == ("unknown-base", "for: ostia")


# ------------------------------------------------------------------ what a line means


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("eat by number * f.price", ["eat pear, number 3"]),
        ("eat pear, number = 2", ["eat pear, number 2"]),
        ("eat number = 1", ["eat pear, number 1"]),
        ("eat apple", ["rest"]),
        ("eat pear if me.points > 0", ["rest"]),
        ("eat where number * f.price == 6", ["eat pear, number 2"]),
        ("boast 7", ["boast 7"]),
        ("boast 12 - me.coins", ["boast 3"]),
        ("boast 4 give or take 1", ["boast 3", "boast 4", "boast 5"]),
        ("boast 0 give or take 1", ["boast 0", "boast 1"]),
        ("boast 5 give or take 2 where n != 5 by -max(n, 5)", ["boast 3", "boast 4"]),
        ("boast where n > 7 by 1", ["boast 8", "boast 9"]),
        ("boast by min(n, 8) then -n", ["boast 8"]),
    ],
)
def test_what_a_line_leads_to(lines: str, expected: list[str]) -> None:
    game = stalls()
    script = stall_script(game, f"decisions:\n  eat:\n    - {lines}\n    - rest\n")
    found = set()
    for seed in range(40):
        state = game.start(seed)
        found.add(ScriptedAgent(script, seed).choose(state, 0).text)
    assert sorted(found) == expected


def test_entries_about_one_choice_follow_each_other() -> None:
    game = stalls()
    script = stall_script(game, "decisions: {boast: [eat apple], eat: [boast 3]}\n")
    assert ScriptedAgent(script).choose(game.start(1), 0).text == "boast 3"


def test_one_bot_extends_another() -> None:
    game = stalls()
    near = tree(
        "bots: 1\nfor: stalls\nbot: near\nextends: stalls/far\n"
        "define: {wanted: 3}\ndecisions: {eat: [rest if me.points > 3]}\n"
    )
    far = tree(
        "bots: 1\nfor: stalls\nbot: far\ndefine: {wanted: 8}\n"
        "decisions: {eat: [boast wanted]}\nworth: me.points - wanted\n"
    )
    script = Script.of(check_bot((near, far), game.model), game.rules)
    state = game.start(1)
    assert ScriptedAgent(script).choose(state, 0).text == "boast 3"
    assert script.worth(state, 0) == -3
    state.apply("eat pear, number 2")
    assert script.worth(state, 0) == 3


def test_blind_choices_are_counted() -> None:
    game = stalls()
    agents = [ScriptedAgent(stall_script(game, "decisions: {eat: [eat pear]}\n")) for _ in "ab"]
    play(game, list(agents), 5)
    assert sum(agent.decisions.total() for agent in agents) == 6
    assert blind_choices(agents) == "1 of 6 choices blind: flow / eat 1 of 6"


def test_the_same_seed_plays_the_same() -> None:
    ostia = game("ostia", 4)
    roster = Roster.of(ostia.model)
    records = []
    for _ in range(2):
        agents = agents_of(["beginner"] * 4, roster, ostia, 11)
        records.append(play(ostia, list(agents), 11).record)
    other = play(ostia, list(agents_of(["beginner"] * 4, roster, ostia, 12)), 11).record
    assert records[0] == records[1] != other


# ------------------------------------------------------------------ who plays


def test_bots_are_named_for_all_or_for_a_seat() -> None:
    ostia = game("ostia", 3)
    assert Cast.of(ostia, [], 1).names == ("beginner",) * 3
    assert Cast.of(ostia, ["random"], 1).names == ("random",) * 3
    assert Cast.of(ostia, ["b=random"], 1).names == ("beginner", "random", "beginner")
    with pytest.raises(UsageError, match="there is no bot begginer; did you mean beginner"):
        Cast.of(ostia, ["begginer"], 1)
    with pytest.raises(UsageError, match="nobody of the name Z plays"):
        Cast.of(ostia, ["Z=random"], 1)


def test_a_game_without_bots_is_played_at_random() -> None:
    assert Cast.of(game("nim", 2), [], 1).names == ("random", "random")


def test_a_playlog_tells_who_played() -> None:
    file, ostia = StringIO(), game("ostia", 3)
    cast = Cast.of(ostia, ["b=random"], 3)
    ostia.start(3, [PlaylogWriter(ostia, file, 3, bots=cast.names)])
    assert read_playlog(StringIO(file.getvalue())).header["bots"] == list(cast.names)


def test_a_variant_has_the_bots_of_its_base() -> None:
    model = check_source(read_source(find_game("ostia_salt")))
    salted = Game(make_machine(model, *settle_options(model, 4, {})))
    cast = Cast.of(salted, [], 1)
    assert cast.names == ("beginner",) * 4
    play(salted, list(cast.agents), 1)


def test_where_the_beginner_does_not_fit_chance_plays() -> None:
    text = (
        "rules: 1\ngame: boasts\nextends: ostia\nchanges:\n  - in: procedure lay_last_piles\n"
        "    replace: bluff(forum in 0..2)\n    with: boast(forum in 0..2)\n"
    )
    source = Source("boasts.yaml", text, Path())
    model = check_source(source)
    with pytest.raises(
        RulesError, match="there is no choice with an option bluff in lay_last_piles"
    ):
        Roster.of(model).bot("beginner", model)
    other = Game(make_machine(model, *settle_options(model, 3, {})))
    assert Cast.of(other, [], 1).names == ("random",) * 3


def test_a_bot_plays_its_own_game_only(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("bots: 1\nfor: nim\nbot: mine\ndecisions: {take: [take]}\n", encoding="utf-8")
    with pytest.raises(UsageError, match="plays nim, not ostia"):
        Cast.of(game("ostia", 3), [str(file)], 1)


BOTS = [(one, name) for one in bundled_games() for name in bundled_bots(one)]


@pytest.mark.parametrize(("name", "bot"), BOTS)
def test_bundled_bots_are_well_formed(name: str, bot: str) -> None:
    assert bot_problems(bundled_bots(name)[bot]) == []


def test_random_players_are_as_they_were() -> None:
    ostia = game("ostia", 3)
    roster = Roster.of(ostia.model)
    agents = agents_of(["random"] * 3, roster, ostia, 4)
    one = RandomAgent(4)
    assert play(ostia, list(agents), 4).record == play(ostia, [one] * 3, 4).record


def test_rules_are_no_bot(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("rules: 1\ngame: mine\nplayers: 2\nflow: nobody wins\n", encoding="utf-8")
    assert [one.code for one in bot_problems(file)] == ["no-rule-file"]
