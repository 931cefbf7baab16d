"""What stands around a printed game: its head, the table of its end, what a seat sees."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from rulesdsl.machine.settings import default_of
from rulesdsl.play.game import Game
from rulesdsl.play.outcome import Outcome
from rulesdsl.play.state import State
from rulesdsl.play.texts import Wording


def head(game: Game, viewer: int | None, where: str, bots: list[str], seed: int) -> Iterator[str]:
    """Which rules are played, with what options, by whom, seen by whom."""
    yield f"{game.title}    rules {game.rules_hash} ({where})"
    changed = [f"{name} {value}" for name, value in game.options.items() if _is_changed(game, name)]
    yield f"options: {', '.join(changed)}" if changed else "no option changed"
    names = " ".join(game.seat_names)
    who = f"all {bots[0]}" if len(set(bots)) == 1 else ", ".join(bots)
    seen = f"as {game.seat_names[viewer]} sees it" if viewer is not None else "everything is shown"
    yield f"{game.players} players {names}, {who}, seed {seed}; {seen}"


def _is_changed(game: Game, name: str) -> bool:
    machine = game.machine
    option = machine.model.options[name]
    default = default_of(machine.model, option, machine.seats, dict(machine.options))
    return default != machine.options[name]


def ending(game: Game, state: State, viewer: int | None) -> Iterator[str]:
    """The table of the end: places, what was compared, who has won and by what."""
    found = state.outcome
    assert found is not None
    yield ""
    yield "End of the game"
    titles = _titles(game, found, viewer)
    columns = _columns(found)
    rows = [["place", "player", *titles]]
    place = 1
    for group in found.ranking:
        for seat in group:
            cells = [str(column[seat]) for column in columns]
            out = ["out"] if seat in found.out else []
            rows.append([str(place), game.seat_names[seat], *cells, *out])
        place += len(group)
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=False)]
        yield "  " + "   ".join(cells)
    yield f"  {_verdict(game, found, titles)}"


def _titles(game: Game, found: Outcome, viewer: int | None) -> list[str]:
    wording = Wording(game.rules, viewer)
    result = game.machine.model.result
    if result is None:
        return []
    if found.payoffs is not None:
        return ["payoff"]
    keys = [key.span.text.replace(f"{result.binder.name}.", "") for key in result.highest]
    return [wording.name(name) for name in (*found.scores, *keys)]


def _columns(found: Outcome) -> list[tuple[int, ...]]:
    """What stands in the table: the terms of the score, then what was compared besides."""
    if found.payoffs is not None:
        return [found.payoffs]
    return [*found.scores.values(), *found.keys[1 if found.scores else 0 :]]


def _verdict(game: Game, found: Outcome, titles: list[str]) -> str:
    winners = [game.seat_names[seat] for seat in found.winners]
    if not winners:
        return "Nobody wins."
    if len(winners) > 1:
        return f"{' and '.join(winners)} share the victory."
    return f"{winners[0]} wins{_tie_break(found, titles)}."


def _tie_break(found: Outcome, titles: list[str]) -> str:
    """By what the first is ahead of the second, where that is not what is compared first."""
    if len(found.ranking) < 2 or found.ranking[1][0] in found.out:
        return ""
    first, second = found.ranking[0][0], found.ranking[1][0]
    for i, key in enumerate(found.keys):
        if key[first] != key[second]:
            place = len(titles) - len(found.keys) + i
            return f" by {titles[place]}, after a tie" if i and 0 <= place < len(titles) else ""
    return ""


def table(game: Game, state: State, viewer: int | None) -> Iterator[str]:
    """The state by names, as far as the viewer sees it, where something is."""
    seen = state.named()["state"] if viewer is None else state.view(viewer)["state"]
    assert isinstance(seen, dict)
    yield ""
    for path, value in seen.items():
        if value not in (0, {}, None, [], False):
            yield f"  {path}: {value}"
    names = " and ".join(game.seat_names[seat] for seat in state.to_act)
    if names:
        yield f"  {names} to choose"
