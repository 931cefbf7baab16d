"""How often each decision came up, each option was taken, and each rule was at work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from attrs import Factory, define, frozen

from rulesdsl.agents.scripted import address
from rulesdsl.lab.series.run import Played
from rulesdsl.machine.program import Choose, Rule
from rulesdsl.play.game import Game


@frozen
class Decision:
    """A choice of the rules: how often a bot was asked there, in a game, and what he took.

    `options` are shares of all moves made there, also of those that were the only ones.
    """

    bot: str
    where: str
    asked: float
    blind: float
    """The share of the decisions for which the bot had no line."""
    options: dict[str, float]


@define
class _Count:
    asked: int = 0
    blind: int = 0
    taken: Counter[str] = Factory(Counter)


def decisions(game: Game, played: Sequence[Played]) -> list[Decision]:
    """What was asked and taken, by choice and bot, in the order of the rules."""
    stops = {stop.number: stop for stop in game.machine.stops if isinstance(stop, Choose)}
    games: Counter[str] = Counter()
    counts: dict[tuple[str, str], _Count] = {}
    for one in played:
        cast, table = one.series.cast, one.table
        games.update(dict.fromkeys(cast, table.played))
        for (place, stop, option), moves in table.taken.items():
            count = counts.setdefault((address(stops[stop]), cast[place]), _Count())
            count.taken[stops[stop].options[option].name] += moves
        for (place, stop), times in table.asked.items():
            counts[address(stops[stop]), cast[place]].asked += times
        for (place, stop), times in table.guessed.items():
            counts[address(stops[stop]), cast[place]].blind += times
    order = {address(stop): stop.span.start for stop in stops.values()}
    bots = list(games)
    return [
        Decision(
            bot,
            where,
            count.asked / games[bot],
            count.blind / max(1, count.asked),
            {name: n / count.taken.total() for name, n in count.taken.most_common()},
        )
        for (where, bot), count in sorted(
            counts.items(), key=lambda one: (order[one[0][0]], bots.index(one[0][1]))
        )
    ]


def blind_shares(played: Iterable[Played]) -> dict[str, float]:
    """For each bot the share of its decisions that were blind."""
    asked: Counter[str] = Counter()
    blind: Counter[str] = Counter()
    for one in played:
        for (place, _), times in one.table.asked.items():
            asked[one.series.cast[place]] += times
        for (place, _), times in one.table.guessed.items():
            blind[one.series.cast[place]] += times
    return {bot: blind[bot] / asked[bot] for bot in asked}


def rules_fired(game: Game, played: Iterable[Played]) -> list[tuple[Rule, int]]:
    """Every rule of the game and how often it was at work, in the order of the file."""
    fired: Counter[int] = Counter()
    for one in played:
        fired.update(one.table.fired)
    rules = [(rule, fired[number]) for number, rule in enumerate(game.machine.rules)]
    return sorted(rules, key=lambda pair: pair[0].span.start)


def rule_name(rule: Rule) -> str:
    """A rule by its name, a branch by its condition."""
    if rule.name in ("if", "else"):
        return rule.span.text.splitlines()[0].removeprefix("- ").rstrip(": ")
    return rule.name
