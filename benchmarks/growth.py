"""What more of a game costs: more players, more cards, more options. Ostia, random players.

python -m benchmarks.growth
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

from benchmarks import ours
from benchmarks.harness import Row, Section, Spread, Table, Timed, measure, short
from benchmarks.ostia import PLAIN, PLAYERS, by_hand
from benchmarks.plain_ostia import COPIES, Good
from rulesdsl.play.game import Game
from rulesdsl.play.loading import load

DECKS = (1, 4, 16)
OPTIONS: Mapping[str, object] = {
    "selective_offers": True,
    "full_price": True,
    "choose_starter": True,
    "three_types": "punished",
    "bluffing": True,
    "first_game": True,
}
"""All options of the rules, each otherwise than it is by default."""
ROUNDS, SECONDS = 3, 0.25
NOTES = f"""
{PLAYERS} players, one deck and no option where nothing else is said. More decks are a variant file:
so many times the copies of each card. Options are turned on one after the other:
{", ".join(f"`{name}`" for name in OPTIONS)}.
Some add decisions, so games get longer. Plain Python knows only the base rules.
"""


@frozen
class Case:
    """A line: a game, and the same by hand if that is to be had."""

    name: str
    game: Game
    plain: Row | None = None

    def loaded(self) -> Game:
        return self.game

    def rows(self) -> list[Row]:
        mine = [row for row in ours.rows(self.loaded) if row.name != ours.REFERENCE]
        return [*([self.plain] if self.plain else []), *mine]


def variant(decks: int) -> str:
    """Ostia with so many times its cards, as a rule file."""
    most = max(COPIES)
    cards = sum(COPIES)
    changes = [("kind Good.copies", f"{min(COPIES)}..{most}", f"{min(COPIES)}..{decks * most}")]
    for good in Good:
        name, copies = f"kind Good[{good.name.lower()}].copies", COPIES[good]
        changes.append((name, str(copies), str(decks * copies)))
    prices = "table forum_price / maps"
    changes.append((prices, f"1..{cards} -> 1..15", f"1..{decks * cards} -> 1..15"))
    lines = ["rules: 1", "game: ostia_decks", f"title: Ostia with {decks} decks", "extends: ostia"]
    lines.append("changes:")
    lines += [f"  - {{set: '{what}', was: {was}, to: {to}}}" for what, was, to in changes]
    return "\n".join(lines) + "\n"


def with_decks(decks: int) -> Game:
    if decks == 1:
        return load("ostia", players=PLAYERS)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "decks.yaml"
        file.write_text(variant(decks), encoding="utf-8")
        return load(str(file), players=PLAYERS)


def by_players() -> list[Case]:
    return [
        Case(f"{players} players", load("ostia", players=players), plain(players))
        for players in (3, 4, 5)
    ]


def by_decks() -> list[Case]:
    return [Case(f"deck x{n}", with_decks(n), plain(PLAYERS, n)) for n in DECKS]


def by_options() -> list[Case]:
    names = list(OPTIONS)
    return [
        Case(
            f"{number} options",
            load("ostia", PLAYERS, {name: OPTIONS[name] for name in names[:number]}),
        )
        for number in range(0, len(names) + 1, 2)
    ]


def plain(players: int, decks: int = 1) -> Row:
    return Row(PLAIN, "", partial(by_hand, players, decks))


def table(title: str, cases: list[Case]) -> Table:
    """How fast everybody plays each case; all cases are timed in turn."""
    rows = [(case, row) for case in cases for row in case.rows()]
    names = list(dict.fromkeys(row.name for _, row in rows))
    timed = measure([row for _, row in rows], ROUNDS, SECONDS)
    lines = []
    for case in cases:
        mine = {one.row.name: one for one, (of, _) in zip(timed, rows, strict=True) if of is case}
        cells = str(len(case.game.machine.start))
        decisions = short(mine[ours.STATES].a_game())
        figures = [_rate(mine.get(name)) for name in names]
        lines.append((case.name, cells, decisions, *figures))
    head = ("what", "numbers in a state", "decisions a game", *(f"{n}, /s" for n in names))
    return Table(title, head, tuple(lines))


def _rate(timed: Timed | None) -> str:
    """Playouts a second of a row, if it is there."""
    if timed is None:
        return "-"
    return timed.absent or str(Spread(tuple(timed.rates)))


def sections() -> list[Section]:
    tables = (
        table("More players: playouts / s", by_players()),
        table("More cards: playouts / s", by_decks()),
        table("More options: playouts / s", by_options()),
    )
    return [Section("As a game grows", NOTES, tables)]


if __name__ == "__main__":
    print(*sections(), sep="\n\n")
