"""A player that is another program: it is asked and answers in lines of JSON."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread
from typing import IO

from attrs import define, field

from rulesdsl.play.faults import MoveError
from rulesdsl.play.moves import Move
from rulesdsl.play.state import State

PROTOCOL = 1
LIMIT = 10.0
"""Seconds that a program may think about one answer."""
LINE = 100_000
"""Characters of an answer that are read."""


class ExternalFault(Exception):
    """A program did not answer, or not with a legal move."""

    def __init__(self, command: str, message: str) -> None:
        self.command = command
        super().__init__(f"the player `{command}` {message}")


@define(eq=False)
class ExternalPlayer:
    """Starts the program at its first decision; it lives until `close`.

    It reads a line for each decision, {"player", "view", "log", "legal"}, with what its seat sees,
    what it has learned since the line before, and its legal moves ({"move"}, and of those that
    differ in a number "number", which one, "from" and "to"). It answers {"move": TEXT} within
    `limit` seconds. The first line it reads tells the game, the last one its outcome.
    """

    command: str
    limit: float = LIMIT
    _process: subprocess.Popen[str] | None = field(default=None, init=False)
    _reader: Thread | None = field(default=None, init=False)
    _answers: Queue[str] = field(factory=Queue, init=False)
    _known: int = field(default=0, init=False)

    def choose(self, state: State, player: int) -> Move:
        """The move that the program answers; raises ExternalFault."""
        if self._process is None:
            self._start(state, player)
        events = state.log(player)
        self._send(
            {
                "player": state.rules.words.seats[player],
                "view": state.view(player),
                "log": [event.to_json() for event in events[self._known :]],
                "legal": list(_legal(state, player)),
            }
        )
        self._known = len(events)
        text = self._answer()
        try:
            return state.move(text, player)
        except MoveError as error:
            raise self._fault(f"answered with no legal move: {error.message}") from error

    def close(self, state: State | None = None) -> None:
        """Tell the program how the game has ended, and let it go."""
        if self._process is None:
            return
        assert self._process.stdin is not None
        try:
            if state is not None and state.outcome is not None:
                over = {"over": state.outcome.to_json()}
                self._process.stdin.write(json.dumps(over) + "\n")
            self._process.stdin.close()
            self._process.wait(timeout=1)
        except (OSError, subprocess.TimeoutExpired):
            pass
        self._stop()

    # ---------------------------------------------------------------- the program

    def _start(self, state: State, player: int) -> None:
        arguments = shlex.split(self.command)
        if not arguments:
            raise self._fault("names no program")
        try:
            self._process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:
            raise self._fault(f"cannot be started: {error.strerror}") from error
        assert self._process.stdout is not None
        self._reader = Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()
        rules = state.rules
        hello = {
            "rulesdsl": PROTOCOL,
            "game": rules.machine.model.name,
            "rules": rules.hash,
            "options": rules.options,
            "seats": list(rules.words.seats),
            "player": rules.words.seats[player],
        }
        self._send(hello)

    def _read(self, stream: IO[str]) -> None:
        """Pass lines on from a thread of its own, since a pipe cannot be waited for everywhere."""
        with suppress(OSError, ValueError):
            while line := stream.readline(LINE):
                self._answers.put(line)
        self._answers.put("")

    def _send(self, message: dict[str, object]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message, ensure_ascii=False) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self._gone() from error

    def _answer(self) -> str:
        try:
            line = self._answers.get(timeout=self.limit)
        except Empty:
            raise self._fault(f"did not answer within {self.limit:g} seconds") from None
        if not line:
            raise self._gone()
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        move = answer.get("move") if isinstance(answer, dict) else None
        if not isinstance(move, str):
            raise self._fault(f'answered {line.strip()[:80]!r}; expected {{"move": "..."}}')
        return move

    def _gone(self) -> ExternalFault:
        assert self._process is not None
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return self._fault("says no more")
        return self._fault(f"has ended (exit code {code})")

    def _fault(self, message: str) -> ExternalFault:
        self._stop()
        return ExternalFault(self.command, message)

    def _stop(self) -> None:
        """End the program and what listens to it."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        if self._reader is not None:
            self._reader.join()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()


def _legal(state: State, player: int) -> Iterator[dict[str, object]]:
    """The legal moves; those that differ in a last number only as one."""
    for one in state.legal_ranges(player):
        if one.parameter is None:
            yield {"move": one.text}
        else:
            yield {"move": one.text, "number": one.parameter, "from": one.low, "to": one.high}
