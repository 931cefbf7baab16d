"""Runs kept by name, so that they can be repeated: a small file for each in a folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

from attrs import frozen

from rulesdsl.agents.bot_files import read_bots
from rulesdsl.agents.roster import Roster
from rulesdsl.lab.compare.plan import Plan, Side, Wish
from rulesdsl.lab.series.work import Bench
from rulesdsl.machine.settings import UsageError
from rulesdsl.version import __version__

FORMAT = 1
SHORT = 8
"""Hexadecimal digits of a name."""


def described(wish: Wish, made: Plan, bench: Bench) -> dict[str, object]:
    """All it takes to play the same again: rules and bots by their hashes too."""
    rosters = [Roster.of(bench.book(side.file).model) for side in wish.sides]
    return {
        "format": FORMAT,
        "package": __version__,
        "sides": [
            {
                "game": side.game,
                "file": side.file,
                "rules": bench.ready(series).game.rules_hash,
                "options": dict(sorted(side.options.items())),
            }
            for side, series in zip(wish.sides, (made.duels[0].a, made.duels[0].b), strict=True)
        ],
        "players": made.players,
        "bots": {duel.bot: bot_hash(duel.bot, rosters) for duel in made.duels},
        "seed": wish.seed,
        "games": wish.games,
    }


def bot_hash(name: str, rosters: Sequence[Roster]) -> str:
    """Equal for bot files with the same text; empty for players that are no file."""
    texts: list[str] = []
    for roster in rosters:
        if name in roster.files or name.endswith((".yaml", ".yml")):
            texts += [file.span.source.whole.text for file in read_bots(roster.path(name))]
    return _digest("\0".join(texts)) if texts else ""


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=SHORT // 2).hexdigest()


def keep(run: dict[str, object], folder: Path) -> str:
    """Write a run to the folder; its name. A folder that cannot be written to keeps nothing."""
    text = json.dumps(run, ensure_ascii=False, indent=2) + "\n"
    name = _digest(text)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
    except OSError:
        pass
    return name


@frozen
class Kept:
    """A run as it was kept."""

    wish: Wish
    run: dict[str, object]

    def changes_since(self, now: dict[str, object]) -> list[str]:
        """What is not as it was, in words."""
        told = []
        if self.run.get("package") != now["package"]:
            told.append(f"rulesdsl {self.run.get('package')} played it, this is {now['package']}")
        for before, after in zip(_sides(self.run), _sides(now), strict=True):
            if before["rules"] != after["rules"]:
                hashes = f"(rules {before['rules']}, now {after['rules']})"
                told.append(f"{before['game']} has changed since then {hashes}")
        bots, mine = now["bots"], self.run["bots"]
        assert isinstance(bots, dict)
        assert isinstance(mine, dict)
        told += [
            f"the bot {name} has changed since then" for name in mine if bots[name] != mine[name]
        ]
        return told


def find(name: str, folder: Path) -> Kept:
    """A run by the beginning of its name, or by its file. Raises UsageError."""
    files = sorted(folder.glob("*.json"))
    found = [file for file in files if file.stem.startswith(name)] if name else []
    if Path(name).is_file():
        found = [Path(name)]
    if not found:
        known = ", ".join(file.stem for file in files[-3:]) or "none yet"
        raise UsageError(f"no comparison of the name {name} is kept in {folder} (known: {known})")
    if len(found) > 1:
        raise UsageError(f"{len(found)} comparisons have names that begin with {name}; say more")
    try:
        run = json.loads(found[0].read_text(encoding="utf-8"))
        return Kept(_wish(run), run)
    except (ValueError, LookupError, TypeError, AssertionError) as error:
        raise UsageError(f"{found[0]} describes no comparison") from error


def _wish(run: object) -> Wish:
    """Raises one of several errors where something is missing or cannot be."""
    if not isinstance(run, dict) or run.get("format") != FORMAT:
        raise ValueError(run)
    if not all(isinstance(side["rules"], str) for side in _sides(run)):
        raise ValueError(run)
    a, b = (
        Side(str(side["game"]), str(side["file"]), _options(side["options"]))
        for side in _sides(run)
    )
    numbers = [run["games"], run["players"], run["seed"]]
    games, players, seed = (number for number in numbers if isinstance(number, int))
    bots = run["bots"]
    assert isinstance(bots, dict)
    if games < 1 or players < 1 or not 0 <= seed < 2**64 or not bots:
        raise ValueError(run)
    return Wish(a, b, games, players, tuple(bots), seed)


def _sides(run: dict[str, object]) -> list[dict[str, object]]:
    sides = run["sides"]
    assert isinstance(sides, list)
    assert len(sides) == 2
    return sides


def _options(options: object) -> dict[str, str]:
    assert isinstance(options, dict)
    return {str(name): str(value) for name, value in options.items()}
