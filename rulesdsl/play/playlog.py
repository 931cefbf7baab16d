"""Playlogs: a game as JSON lines, written as it goes, replayed without the random stream.

The referee's playlog has the seed, every move and outcome of chance, and after each a hash of
everything by its names. A player's has what that player saw, and neither seed nor hashes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

from attrs import define, field, frozen

from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.program import AT, OVER
from rulesdsl.play.course import Watcher
from rulesdsl.play.faults import MoveError
from rulesdsl.play.game import Game
from rulesdsl.play.history import Drawn, Run
from rulesdsl.play.logs import tell
from rulesdsl.play.moves import Move
from rulesdsl.play.outcome import outcome
from rulesdsl.play.state import State
from rulesdsl.version import __version__

FORMAT = 1
REFEREE = "referee"


class PlaylogError(Exception):
    """A playlog cannot be read, or it and the rules disagree; `line` is where (from 1)."""

    def __init__(self, line: int, message: str) -> None:
        self.line = line
        self.message = message
        super().__init__(f"line {line}: {message}")


@define(eq=False)
class PlaylogWriter:
    """Writes a game to a file, line by line; give it to `Game.start` as a watcher.

    Without a player it is the referee's playlog. `bots` tells who plays each seat, `number`
    which of the games under the seed it is.
    """

    game: Game
    file: TextIO
    seed: int | None = None
    player: int | None = None
    bots: tuple[str, ...] = ()
    number: int = 0

    def __attrs_post_init__(self) -> None:
        header: dict[str, object] = {
            "playlog": FORMAT,
            "of": REFEREE if self.player is None else self.game.seat_names[self.player],
            "game": self.game.name,
            "rules": self.game.rules_hash,
            "options": self.game.options,
            "seats": list(self.game.seat_names),
            "package": __version__,
        }
        if self.player is None:
            header["seed"] = self.seed
            if self.number:
                header["number"] = self.number
            if self.bots:
                header["bots"] = list(self.bots)
        self._write(header)

    def __call__(self, run: Run, record: list[int]) -> None:
        rules = self.game.rules
        if self.player is None:
            if run.cause is not None:
                self._write({**to_record(self.game, run.cause), "hash": rules.named_hash(record)})
        else:
            for event in tell(run, rules.engine, rules.views).events[self.player]:
                self._write(event.to_json())
        if record[AT] == OVER:
            self._write({"outcome": outcome(rules.machine, rules.engine, record).to_json()})

    def _write(self, line: Mapping[str, object]) -> None:
        self.file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self.file.flush()


def to_record(game: Game, cause: Move | Drawn) -> dict[str, object]:
    """What began a run, as a line of the referee's playlog but for its hash."""
    if isinstance(cause, Move):
        return {"move": cause.text, "by": game.seat_names[cause.player]}
    return {"chance": cause.label, "of": cause.draw.subject.name}


# ------------------------------------------------------------------ reading


@frozen
class Playlog:
    """A playlog as read: its header and its other lines. `torn`: the last line was cut off."""

    header: dict[str, Any]
    records: list[dict[str, Any]] = field(repr=False)
    torn: bool

    @property
    def player(self) -> str | None:
        """The player who saw it; None is the referee."""
        of = self.header.get("of")
        return None if of == REFEREE else str(of)


def read_playlog(lines: Iterable[str]) -> Playlog:
    """Read the lines of a playlog. A last line that was cut off is left out."""
    texts = [line.strip() for line in lines]
    while texts and not texts[-1]:
        texts.pop()
    found: list[dict[str, Any]] = []
    torn = False
    for number, text in enumerate(texts, start=1):
        try:
            line = json.loads(text)
        except ValueError:
            if number == len(texts) > 1:
                torn = True
                break
            raise PlaylogError(number, "this is no line of a playlog") from None
        if not isinstance(line, dict):
            raise PlaylogError(number, "this is no line of a playlog")
        found.append(line)
    if not found or "playlog" not in found[0]:
        raise PlaylogError(1, "this is no playlog: its header is missing")
    if found[0]["playlog"] != FORMAT:
        raise PlaylogError(1, f"its format is {found[0]['playlog']}; this version reads {FORMAT}")
    return Playlog(found[0], found[1:], torn)


# ------------------------------------------------------------------ replaying


def replay(
    game: Game, playlog: Playlog, records: int | None = None, watchers: Sequence[Watcher] = ()
) -> State:
    """Play a referee's playlog again (or its first records), without the random stream."""
    return _Replay(game, playlog).run(records, check=False, watchers=watchers)


def verify(game: Game, playlog: Playlog) -> State:
    """Play a referee's playlog again; the first difference is told by a PlaylogError."""
    state = _Replay(game, playlog).run(None, check=True)
    if playlog.header.get("rules") != game.rules_hash:
        was = playlog.header.get("rules")
        message = f"it was played under rules {was}, these are {game.rules_hash}"
        raise PlaylogError(1, f"{message}; this game would still go the same way")
    return state


def check_header(game: Game, playlog: Playlog) -> None:
    """The playlog is of this game, with these seats and options. Raises PlaylogError."""
    mine = {"game": game.name, "seats": list(game.seat_names), "options": game.options}
    for key, value in mine.items():
        if playlog.header.get(key) != value:
            raise PlaylogError(1, f"its {key} is {playlog.header.get(key)}, here it is {value}")


@define(eq=False)
class _Replay:
    game: Game
    playlog: Playlog
    _hash: str = field(default="", init=False)

    def run(self, records: int | None, check: bool, watchers: Sequence[Watcher] = ()) -> State:
        if self.playlog.player is not None:
            raise PlaylogError(1, f"only {self.playlog.player} saw this; it cannot be replayed")
        check_header(self.game, self.playlog)
        state = self.game.start(watchers=[self._watch, *watchers] if check else watchers)
        lines = self.playlog.records if records is None else self.playlog.records[:records]
        for line, record in enumerate(lines, start=2):
            if "outcome" in record:
                self._outcome(state, record, line)
                continue
            try:
                self._step(state, record, line)
            except MoveError as error:
                raise PlaylogError(line, f"{record.get('by')}: {error.message}") from error
            except RuleFault as fault:
                raise PlaylogError(line, f"the rules fail: {fault}") from fault
            if check and record.get("hash") != self._hash:
                done = record.get("move") or record.get("chance")
                raise PlaylogError(line, f"after {done} the game is not as it was then")
        return state

    def _watch(self, run: Run, record: list[int]) -> None:
        if run.cause is not None:
            self._hash = self.game.rules.named_hash(record)

    def _step(self, state: State, record: dict[str, Any], line: int) -> None:
        if "move" in record:
            seats = self.game.seat_names
            if record.get("by") not in seats:
                raise PlaylogError(line, f"there is no player {record.get('by')}")
            state.apply(str(record["move"]), seats.index(record["by"]))
        elif "chance" in record:
            self._chance(state, str(record["chance"]), line)
        else:
            raise PlaylogError(line, "this is neither a move nor an outcome of chance")

    def _chance(self, state: State, wanted: str, line: int) -> None:
        if not state.is_chance:
            raise PlaylogError(line, f"chance brought {wanted} then; here it is not asked")
        for label, _, number in state.chance_outcomes():
            if label == wanted:
                return state.apply_chance(number)
        raise PlaylogError(line, f"chance brought {wanted} then; here it cannot")

    def _outcome(self, state: State, record: dict[str, Any], line: int) -> None:
        ended = state.outcome
        if ended is None:
            raise PlaylogError(line, "the game was over then; here it goes on")
        if ended.to_json() != record["outcome"]:
            raise PlaylogError(line, f"it ended differently then; here: {ended}")
