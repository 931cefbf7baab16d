"""Many games: what is played, what is read of it, and what that tells."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import pytest
from attrs import evolve

from rulesdsl.agents.cast import agents_of
from rulesdsl.agents.roster import Roster
from rulesdsl.agents.scripted import ScriptedAgent, address
from rulesdsl.check.model import Model
from rulesdsl.cli.simulate import simulate_command
from rulesdsl.lab.series.batches import Batches
from rulesdsl.lab.series.counts import blind_shares, decisions, rules_fired
from rulesdsl.lab.series.intervals import mean, share, t_of, z_of
from rulesdsl.lab.series.plan import Wish, plan, varied
from rulesdsl.lab.series.play import TOLD
from rulesdsl.lab.series.report import report
from rulesdsl.lab.series.run import Played, run
from rulesdsl.lab.series.series import Series
from rulesdsl.lab.series.simulation import Row, simulate
from rulesdsl.lab.series.summary import ahead, figures, wins_of
from rulesdsl.lab.series.table import OUTRIGHT, SHARED, Table, deciding_key
from rulesdsl.lab.series.trust import Verdict, verdict
from rulesdsl.lab.series.work import Bench, Work
from rulesdsl.machine.settings import UsageError
from rulesdsl.play.loading import load
from rulesdsl.play.outcome import Outcome
from rulesdsl.play.state import State
from rulesdsl.resources import find_game

TESTS = Path(__file__).parent
CARAVAN = str(TESTS / "games" / "caravan.yaml")
DEALER = str(TESTS / "series" / "dealer.yaml")
COLLECTOR = str(TESTS / "series" / "collector.yaml")
CRACKS = TESTS / "series" / "cracks.yaml"
NIM = str(find_game("nim"))


def caravan(games: int, *cast: str, rotate: bool = True, first: int = 0) -> Series:
    return Series(CARAVAN, len(cast), (), cast, rotate, 7, first, games)


def played(*series: Series) -> list[Played]:
    return list(run(series, Bench()).played)


# ------------------------------------------------------------------ recomputed by hand


def by_hand(series: Series) -> list[tuple[State, list[Counter[str]], list[Counter[str]]]]:
    """The games of a series through states alone; decisions and blind ones of each seat."""
    game = load(series.file, series.players)
    roster = Roster.of(game.model)
    found = []
    for number in range(series.first, series.first + series.games):
        # written out here: seat s of game n is played by bot (s + n) mod seats
        moved = [(seat + number) % series.players for seat in range(series.players)]
        names = [series.cast[at] for at in (moved if series.rotate else range(series.players))]
        agents = agents_of(names, roster, game, series.seed, number)
        state = game.start(series.seed, number=number)
        while not state.is_over:
            player = min(state.to_act)
            state.apply(agents[player].choose(state, player))
        bots = [agent for agent in agents if isinstance(agent, ScriptedAgent)]
        found.append((state, [bot.decisions for bot in bots], [bot.blind for bot in bots]))
    return found


@pytest.fixture(scope="module")
def series() -> Series:
    return caravan(20, DEALER, COLLECTOR, COLLECTOR)


@pytest.fixture(scope="module")
def table(series: Series) -> Table:
    return played(series)[0].table


def outcomes(series: Series) -> list[Outcome]:
    ends = [state.outcome for state, _, _ in by_hand(series)]
    return [one for one in ends if one is not None]


def test_a_table_holds_what_the_games_were(series: Series, table: Table) -> None:
    ends, seats = outcomes(series), range(3)
    assert list(table.number) == list(range(20))
    assert len(ends) == 20
    assert list(table.winners) == [len(one.winners) for one in ends]
    assert list(table.won) == [int(seat in one.winners) for one in ends for seat in seats]
    assert list(table.keys) == ["total", "camels[silk]"]
    for index, column in enumerate(table.keys.values()):
        assert list(column) == [n for one in ends for n in one.keys[index]]
    for name, column in table.terms.items():
        assert list(column) == [n for one in ends for n in one.scores[name]]
    assert set(table.terms) == {"wares", "variety", "favourites"}
    for row, one in enumerate(ends):
        places = table.place[3 * row : 3 * row + 3]
        for place, group in zip((1, 1 + len(one.ranking[0])), one.ranking, strict=False):
            assert {places[seat] for seat in group} == {place}
    assert list(table.runs) == [state.moves_made for state, _, _ in by_hand(series)]


def test_decisions_and_blind_ones_are_those_of_the_bots(series: Series, table: Table) -> None:
    games = by_hand(series)
    assert list(table.decisions) == [bot.total() for _, bots, _ in games for bot in bots]
    assert list(table.guesses) == [bot.total() for _, _, bots in games for bot in bots]
    game = load(CARAVAN, 3)
    asked: Counter[tuple[str, str]] = Counter()
    for number, (_, bots, _) in enumerate(games):
        for seat, bot in enumerate(bots):
            for where, times in bot.items():
                asked[series.cast[(seat + number) % 3], where] += times
    found: Counter[tuple[str, str]] = Counter()
    for (bot_number, stop), times in table.asked.items():
        choice = game.machine.stops[stop]
        found[series.cast[bot_number], address(choice)] += times  # type: ignore[arg-type]
    assert found == asked
    # the collector has no line for favourites, the dealer one for everything
    blind = blind_shares([Played(series, table)])
    assert blind[DEALER] == 0
    assert 0 < blind[COLLECTOR] < 1


def test_every_move_and_every_rule_is_counted(series: Series, table: Table) -> None:
    game = load(CARAVAN, 3)
    found = decisions(game, [Played(series, table)])
    # each of three players names a favourite and takes three wares
    assert [(one.where, Path(one.bot).stem) for one in found] == [
        ("flow / favour", "dealer"),
        ("flow / favour", "collector"),
        ("flow / take", "dealer"),
        ("flow / take", "collector"),
    ]
    assert [one.asked for one in found[:2]] == [1, 2]
    assert sum(table.taken.values()) == 20 * 3 * (1 + 3)
    # the last ware is no decision
    assert sum(table.asked.values()) == sum(table.decisions) < 20 * 3 * 4
    fired = {rule.name: times for rule, times in rules_fired(game, [Played(series, table)])}
    assert fired == {"favour": 60, "take": 180}


def test_the_figures_are_those_of_the_games(series: Series, table: Table) -> None:
    ends, game = outcomes(series), load(CARAVAN, 3)
    found = figures(game, [Played(series, table)])
    for seat, line in enumerate(found.seats):
        wins = [1 / len(one.winners) if seat in one.winners else 0 for one in ends]
        assert line.wins == share(sum(wins), 20)
        assert line.points == mean([one.scores["total"][seat] for one in ends])
    dealer, collector = found.bots
    mine = [one.scores["total"][-number % 3] for number, one in enumerate(ends)]
    assert dealer.points == mean(mine)
    others = [(sum(one.scores["total"]) - n) / 2 for one, n in zip(ends, mine, strict=True)]
    assert collector.points == mean(others)
    assert dealer.wins.value + 2 * collector.wins.value == pytest.approx(1)
    assert dealer.wins.value * 20 == pytest.approx(wins_of(Played(series, table), DEALER))
    leads = [
        sorted(one.scores["total"])[-1] - sorted(one.scores["total"])[-2]
        for one in ends
        if len(one.winners) == 1
    ]
    assert found.lead == mean(leads)
    assert found.no_winner.value == 0
    assert found.shared.value * 20 == sum(len(one.winners) > 1 for one in ends)
    assert found.winners_terms["wares"].value > found.terms["wares"].value


def test_seats_rotate_or_do_not() -> None:
    turning = caravan(4, "a", "b", "c")
    assert [turning.names(n) for n in range(4)] == [
        ("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b"), ("a", "b", "c"),
    ]  # fmt: skip
    assert caravan(4, "a", "b", "c", rotate=False).names(2) == ("a", "b", "c")


def test_a_game_does_not_depend_on_those_before_it(series: Series, table: Table) -> None:
    late = played(series.part(13, 7))[0].table
    early = played(series.part(0, 13))[0].table
    early.add(late)
    assert early == table


def test_random_players_guess_nothing_and_bots_alone_are_no_mixture() -> None:
    one = played(caravan(6, *["random"] * 3))[0]
    assert sum(one.table.guesses) == 0
    assert sum(one.table.decisions) > 0
    assert not figures(load(CARAVAN, 3), [one]).bots


# ------------------------------------------------------------------ how games are decided


@pytest.mark.parametrize(
    ("winners", "keys", "out", "expected"),
    [
        ((0,), ((9, 8), (0, 1)), (), 0),
        ((1,), ((9, 9), (0, 1)), (), 1),
        ((0, 1), ((9, 9), (1, 1)), (), SHARED),
        # who is out is no rival
        ((0,), ((9, 9), (1, 1)), (1,), 0),
        ((), ((9, 9), (1, 1)), (0, 1), OUTRIGHT),
    ],
)
def test_by_which_key_a_game_is_decided(
    winners: tuple[int, ...],
    keys: tuple[tuple[int, ...], ...],
    out: tuple[int, ...],
    expected: int,
) -> None:
    ranking = ((0,), (1,))
    assert deciding_key(Outcome(("A", "B"), ranking, winners, {}, keys, out, None), 0) == expected


def test_games_won_outright_compare_nothing() -> None:
    one = played(Series(NIM, 2, (), ("random", "random"), False, 1, 0, 30))[0]
    assert set(one.table.decided_by) == {OUTRIGHT}
    assert not one.table.keys
    found = figures(load("nim"), [one])
    assert found.seats[0].points is None
    assert found.lead is None
    assert found.seats[0].wins.value + found.seats[1].wins.value == pytest.approx(1)


def test_games_in_which_the_rules_fail_stay_apart() -> None:
    bench = Bench()
    wish = Wish("cracks.yaml", str(CRACKS), 60, 2, 3, (), {})
    found = simulate(wish, plan(wish, bench), bench)
    table = found.played[0].table
    # neither adds 4: two thirds of two thirds
    assert 10 < len(table) < 45
    assert len(table) + len(table.broken) == table.played == 60
    assert {one.kind for one in table.broken} == {"range"}
    text = "\n".join(report(found))
    assert "every game that came to its end had a winner" in " ".join(text.split())
    number = table.broken[0].number
    assert f"The rules failed in {len(table.broken)} games, which are not in the figures" in text
    assert f"rulesdsl run cracks.yaml --players 2 --bot random --seed 3 --game {number}" in text
    broken = {one.number for one in table.broken}
    assert broken | set(table.number) == set(range(60))
    assert not broken & set(table.number)


def test_of_games_in_which_the_rules_fail_it_is_told_which_rules_were_at_work(
    tmp_path: Path,
) -> None:
    text = CRACKS.read_text(encoding="utf-8").replace("p.points += 2 * number", "earn(p, number)")
    text = text.replace(
        "flow:", "procedures:\n  earn(p in players, n in 0..2): p.points += 2 * n\nflow:"
    )
    file = tmp_path / "cracks.yaml"
    file.write_text(text, encoding="utf-8")
    wish = Wish("cracks.yaml", str(file), 60, 2, 3, (), {})
    bench = Bench()
    faults = [bad.fault for bad in simulate(wish, plan(wish, bench), bench).played[0].table.broken]
    assert len(faults) > TOLD
    assert all(fault.endswith("outside 0..3 (in add > earn)") for fault in faults[:TOLD])


# ------------------------------------------------------------------ intervals


def test_intervals_against_known_values() -> None:
    assert z_of() == pytest.approx(1.959964, abs=1e-6)
    # Wilson (1927), as given by Agresti and Coull (1998) and Newcombe (1998)
    found = share(81, 263)
    assert (found.value, found.low, found.high) == pytest.approx((0.3080, 0.2553, 0.3662), abs=1e-4)
    assert share(0, 20).low == 0
    assert share(0, 20).high == pytest.approx(0.1611, abs=1e-4)
    assert share(29, 29).high == 1
    assert share(29, 29).low == pytest.approx(0.8830, abs=1e-4)
    # quantiles of Student's distribution, from its tables
    for freedom, quantile in ((5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)):
        assert t_of(z_of(), freedom) == pytest.approx(quantile, abs=0.004)
    found = mean([1, 2, 3, 4, 5])
    assert found.value == 3
    assert found.half == pytest.approx(2.776 * (2.5 / 5) ** 0.5, abs=0.01)
    assert mean([4]).half == float("inf")
    # of six pairs all intervals hold at once
    assert z_of(looks=6) == pytest.approx(2.638257, abs=1e-6)


def test_intervals_hold_what_they_promise() -> None:
    """Of many short series about 95 in 100 hold the true share."""
    random, hits = Random(5), 0
    for _ in range(400):
        wins = sum(random.random() < 0.25 for _ in range(60))
        hits += share(wins, 60).low <= 0.25 <= share(wins, 60).high
    assert 0.92 * 400 < hits < 0.98 * 400


# ------------------------------------------------------------------ parts and plans


def test_batches_play_every_game_once_and_all_series_alike() -> None:
    series = [caravan(100, "a", "b"), caravan(50, "a", "b", first=1000)]
    batches, numbers = Batches(series, workers=2), Counter[int]()
    most_apart = 0.0
    handed = [0, 0]
    while found := batches.next():
        index, part = found
        numbers.update(part.numbers)
        handed[index] += part.games
        batches.took(index, part.games, part.games / 20)
        most_apart = max(most_apart, abs(handed[0] / 100 - handed[1] / 50))
    assert numbers == Counter([*range(100), *range(1000, 1050)])
    assert most_apart <= 0.2
    assert batches.left == 0


@cache
def ostia() -> Model:
    return load("ostia").model


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("starting_money=40..60 step 10", ["40", "50", "60"]),
        ("starting_money = 40..42", ["40", "41", "42"]),
        ("starting_money=40, 55,70", ["40", "55", "70"]),
        ("full_price=false,true", ["false", "true"]),
        ("three_types=forbidden,punished", ["forbidden", "punished"]),
    ],
)
def test_what_is_varied(said: str, values: list[str]) -> None:
    assert varied(said, ostia()) == (said.partition("=")[0].strip(), values)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("starting_money", "does not say what to vary"),
        ("=5", "does not say what to vary"),
        ("starting_money=", "does not say what to vary"),
        ("starting_money=80..40", "has no values"),
        ("starting_money=40..80 step 0", "has no values"),
        ("starting_money=0..200", "more than 100 values"),
        ("starting_money=40..80 by 5", "cannot be read"),
        ("starting_money=50,50", "the value 50 twice"),
        ("starting_money=50,201", "is 0..200, not 201"),
        ("full_price=maybe", "is true or false, not maybe"),
    ],
)
def test_what_cannot_be_varied(said: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        varied(said, ostia())


def test_two_kinds_of_bot_play_half_of_the_games_each() -> None:
    made = plan(Wish("ostia", str(find_game("ostia")), 11, 3, 1, (), {}), Bench())
    (setting,) = made.settings
    assert [(one.cast, one.rotate, one.numbers) for one in setting.series] == [
        (("beginner",) * 3, False, range(6)),
        (("careful",) * 3, False, range(6, 11)),
    ]
    # each seat equally often, and numbers that nobody else has
    assert {bot: one.cast for bot, one in made.skill.items()} == {
        "beginner": ("beginner", "random", "random"),
        "careful": ("careful", "random", "random"),
    }
    assert {one.numbers for one in made.skill.values()} == {range(11, 14)}


def test_casts_as_they_are_said() -> None:
    def cast(*said: str) -> tuple[tuple[str, ...], bool]:
        (setting,) = plan(Wish("", CARAVAN, 8, 3, 1, said, {}), Bench()).settings
        return setting.series[0].cast, setting.series[0].rotate

    assert cast() == (("random",) * 3, False)
    assert cast(DEALER) == ((DEALER,) * 3, False)
    assert cast(DEALER, "random") == ((DEALER, "random", DEALER), True)
    assert cast("B=random", DEALER) == ((DEALER, "random", DEALER), False)
    for said, message in (
        ((DEALER,) * 4, "4 bots cannot sit at a table of 3"),
        (("A=random", DEALER, COLLECTOR), "all others have one bot"),
        (("X=random",), "nobody of the name X plays"),
        (("daeler",), "there is no bot daeler"),
    ):
        with pytest.raises(UsageError, match=re.escape(message)):
            cast(*said)


# ------------------------------------------------------------------ agreement


def halves(first_wins: float, second_wins: float) -> list[Played]:
    """Two hundred games of each of two bots, with the share that the first seat wins."""
    found = []
    for wins, bot in ((first_wins, "x"), (second_wins, "y")):
        table = Table(2)
        for number in range(200):
            first = int(number < 200 * wins)
            table.number.append(number)
            table.winners.append(1)
            table.decided_by.append(OUTRIGHT)
            table.runs.append(1)
            table.won.extend([first, 1 - first])
            table.place.extend([2 - first, 1 + first])
            for column in (table.out, table.decisions, table.guesses):
                column.extend([0, 0])
        found.append(Played(Series(NIM, 2, (), (bot, bot), False, 1, 0, 200), table))
    return found


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (0.7, 0.8, Verdict.SAME),
        (0.7, 0.3, Verdict.OPPOSITE),
        (0.7, 0.5, Verdict.UNCLEAR),
        (0.5, 0.52, Verdict.UNCLEAR),
    ],
)
def test_whether_two_kinds_of_bot_agree(first: float, second: float, expected: Verdict) -> None:
    both, game = halves(first, second), load("nim")
    row = Row("", game, tuple(both))
    assert verdict(row, figures(game, both))[0] is expected
    assert ahead(both, "x", 0, 1).value == pytest.approx(2 * first - 1)


def test_few_games_are_sure_of_nothing() -> None:
    one = halves(1, 1)[0]
    table = Table(2)
    for column in ("number", "winners", "decided_by", "runs"):
        getattr(table, column).extend(getattr(one.table, column)[:3])
    table.won.extend(one.table.won[:6])
    assert not ahead([Played(one.series, table)], "x", 0, 1).above
    assert ahead([one], "x", 0, 1).above


# ------------------------------------------------------------------ others play


class Helpers:
    """Workers who play in this process, and give back what was handed out last first."""

    def __init__(self, bench: Bench, fail_at: int = -1) -> None:
        self.count, self.bench, self.fail_at = 2, bench, fail_at
        self.open: list[Series] = []
        self.closed = False

    def submit(self, part: Series) -> None:
        self.open.append(part)

    def finished(self, seconds: float) -> list[Work]:
        part = self.open.pop()
        if part.first <= self.fail_at < part.first + part.games:
            return [Work(part, None, 0.0, "it has died")]
        return [self.bench.play(part)]

    def close(self) -> None:
        self.closed = True


def test_others_play_the_same_in_any_order(series: Series, table: Table) -> None:
    bench, told = Bench(), list[int]()
    helpers = Helpers(bench)
    found = run([series, series.part(20, 5)], bench, told.append, lambda: helpers, at_once=True)
    assert found.played[0].table == table
    assert sum(told) == found.games == 25
    assert helpers.closed
    assert not found.failed
    assert not found.stopped


def test_what_was_played_before_something_failed_is_kept(series: Series) -> None:
    bench = Bench()
    helpers = Helpers(bench, fail_at=17)
    found = run([series], bench, others=lambda: helpers, at_once=True)
    assert found.failed == "it has died"
    assert 0 < found.games < 20
    whole = played(series)[0].table
    kept = found.played[0].table
    assert list(kept.number) == sorted(kept.number)
    rows = [list(whole.number).index(number) for number in kept.number]
    assert [kept.runs[i] for i in range(len(kept))] == [whole.runs[i] for i in rows]


def test_a_worker_with_other_rules_is_noticed(series: Series) -> None:
    work = Bench({series.file: "0123456789ab"}).play(series.part(0, 1))
    assert work.table is None
    assert "was changed while it was played" in work.failed
    gone = Bench().play(evolve(series, file="nowhere.yaml"))
    assert gone.table is None
    assert "nowhere.yaml cannot be played there" in gone.failed


# ------------------------------------------------------------------ the page about it

PAGE = (TESTS.parent / "docs" / "simulate.md").read_text(encoding="utf-8")


def test_the_python_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    exec(compile(block, "simulate.md", "exec"), {})
    assert 0.3 < float(capsys.readouterr().out) < 0.7


def test_the_page_names_every_option() -> None:
    named = set(re.findall(r"(?<![\w-])--?[a-z]+", PAGE))
    for parameter in simulate_command.params:
        assert named & set(parameter.opts) or parameter.name == "game", parameter.name
