"""What a seat learns from a run besides what it could foresee: an undo cannot take that back."""

from __future__ import annotations

from collections.abc import Collection

from rulesdsl.check.model import Kind, Zone
from rulesdsl.check.sights import sees
from rulesdsl.machine.program import Note
from rulesdsl.play.history import Drawn, Run
from rulesdsl.play.logs import tell
from rulesdsl.play.moves import Move
from rulesdsl.play.rules import Rules
from rulesdsl.text.source import Span

_NEWS = frozenset(("shown", "looked", "seen", "top", "changed"))
"""Events that tell what a seat did not see."""


def has_learned(run: Run, seat: int, rules: Rules, disclosed: Collection[Span]) -> bool:
    """Whether chance, another player or an unseen place has told a seat anything in a run.

    `disclosed` are the lines on which the rules tell a secret.
    """
    match run.cause:
        case Drawn():
            return True
        case Move(player=player) if player != seat:
            return True
        case _:
            pass
    told = tell(run, rules.engine, rules.views)
    if any(event.kind in _NEWS for event in told.events[seat]):
        return True
    return any(_is_news(note, values, seat, disclosed) for note, values in _notes(run, rules))


def _notes(run: Run, rules: Rules) -> list[tuple[Note, tuple[int, ...]]]:
    """What the machine notes while it carries a run out once more."""
    found: list[tuple[Note, tuple[int, ...]]] = []
    assert run.before is not None
    assert run.before.told is not None
    record = run.before.told.record.copy()
    run.follow(rules.engine, record, lambda *note: found.append(note))
    return found


def _is_news(note: Note, values: tuple[int, ...], seat: int, disclosed: Collection[Span]) -> bool:
    if any(span.start <= note.span.start and note.span.end <= span.end for span in disclosed):
        return True
    if note.kind != "move":
        return False
    assert isinstance(note.subject, tuple)
    kind, origin, target = note.subject
    assert isinstance(kind, Kind)
    assert isinstance(origin, Zone)
    assert isinstance(target, Zone)
    _, count, origin_key, target_key = values
    return bool(count) and not sees(origin, origin_key, seat) and sees(target, target_key, seat)
