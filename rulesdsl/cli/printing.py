"""What stands around a printed game: its head, how it stands, and what to type next."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from rulesdsl.play.game import Game
from rulesdsl.play.moves import say
from rulesdsl.play.narrate import Narrator
from rulesdsl.play.page import WIDTH
from rulesdsl.play.standing import whole
from rulesdsl.play.state import State

MOVES_SHOWN = 12


def head(game: Game, narrator: Narrator, file: str, bots: list[str], deal: str) -> Iterator[str]:
    """Which rules are played, with what options, by whom, seen by whom."""
    changed = [f"{name} {say(value)}" for name, value in game.changed_options.items()]
    options = ", ".join(changed) or "no option changed"
    names = [narrator.wording.name(name) for name in game.seat_names]
    who = f"all {bots[0]}" if len(set(bots)) == 1 else ", ".join(bots)
    first, viewer = names[0], narrator.viewer
    seen = f"all is shown; one player's view: --as {first}"
    if viewer is not None:
        seen = f"as {names[viewer]} sees it"
    yield _spread(game.title, f"rules {game.rules_hash} ({file}), {options}")
    yield _spread(f"{game.players} players {' '.join(names)}, {who}, {deal}", seen)
    text = game.model.texts.head
    if text is not None:
        yield from narrator.remark(text).splitlines()


def _spread(left: str, right: str) -> str:
    """Two texts in a line, the second at its end; in two lines where one is not enough."""
    gap = WIDTH - len(left) - len(right)
    return f"{left}{' ' * gap}{right}" if gap > 1 else f"{left}\n{fill(right, WIDTH)}"


def stands(state: State, narrator: Narrator) -> Iterator[str]:
    """All that the viewer sees of the state, and who may do what."""
    viewer, seats = narrator.viewer, state.rules.words.seats
    view = state.named() if viewer is None else state.view(viewer)
    found = view["state"]
    assert isinstance(found, dict)
    yield ""
    yield "Here it stands"
    for line in whole(narrator.wording, found):
        narrator.page.line(line)
    for seat, asked in state.asking().items():
        if viewer in (None, seat):
            moves = [one.text for one in state.legal_ranges(seat)]
            more = [f"{len(moves) - MOVES_SHOWN} more"] if len(moves) > MOVES_SHOWN else []
            said = "; ".join([*moves[:MOVES_SHOWN], *more])
            narrator.page.line(f"{narrator.prompt(asked.stop, seat)}: {said}")
        else:
            narrator.page.line(f"{narrator.wording.name(seats[seat])} has to choose")
    narrator.page.flush()
