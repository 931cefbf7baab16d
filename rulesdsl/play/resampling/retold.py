"""A player's playlog as a whole one: a game in which the player saw what it tells."""

from __future__ import annotations

from typing import Any

from rulesdsl.engines.chance import Stream
from rulesdsl.play.events import Event
from rulesdsl.play.game import Game
from rulesdsl.play.playlog import REFEREE, Playlog, PlaylogError, check_header, to_record
from rulesdsl.play.resampling.resample import NoFit, Resampler
from rulesdsl.play.state import State

GAMES = 20
"""How many games that fit are tried until one ends as it did."""


def retold(game: Game, playlog: Playlog, most: int | None = None) -> Playlog:
    """A referee's playlog, without hashes, for what a player saw (or its first events).

    What others did unseen is one way in which it may have been; to the eyes of the player it is
    the same game. One that is broken off ends before the last decision that was told. Raises
    PlaylogError.
    """
    check_header(game, playlog)
    told = playlog.records if most is None else playlog.records[:most]
    events = [_event(record) for record in told if "event" in record]
    outcome = next((record["outcome"] for record in told if "outcome" in record), None)
    if len(told) < len(playlog.records) or playlog.torn:
        # what one run of the machine told may be cut off in its middle
        chosen = [index for index, event in enumerate(events) if event.kind == "chose"]
        events = events[: chosen[-1]] if chosen else []
    runs = _fitting(game, playlog, tuple(events), outcome).last_run.path() if events else []
    records = [to_record(game, run.cause) for run in runs if run.cause is not None]
    return Playlog({**playlog.header, "of": REFEREE}, records, playlog.torn)


def _event(record: dict[str, Any]) -> Event:
    data = {name: said for name, said in record.items() if name != "event"}
    return Event.of(str(record["event"]), data)


def _fitting(
    game: Game, playlog: Playlog, log: tuple[Event, ...], outcome: dict[str, object] | None
) -> State:
    """A state with this log that has ended so, or is anywhere if there was no end."""
    assert playlog.player is not None
    resampler, stream = Resampler(game.rules, game.seat_names.index(playlog.player)), Stream.of(0)
    for _ in range(GAMES):
        try:
            state = resampler.sample(log, stream, broken_off=outcome is None).state
        except NoFit:
            break
        ended = state.outcome
        if outcome is None or (ended is not None and ended.to_json() == outcome):
            return state
    raise PlaylogError(1, f"no game was found in which {playlog.player} sees what it tells")
