"""A table at which people and bots sit: whose turn it is, what each has been told, taking back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TextIO

from attrs import define, field

from rulesdsl.agents.random import Agent
from rulesdsl.check.visibility import check_visibility
from rulesdsl.play.game import Game
from rulesdsl.play.narrate import Narrator
from rulesdsl.play.playlog import PlaylogWriter
from rulesdsl.play.revealed import has_learned
from rulesdsl.play.state import State
from rulesdsl.text.problems import Problems
from rulesdsl.text.source import Span


@define(eq=False)
class _Teller:
    """What a person is told, of how many runs of the game, and how many lines of it he has read."""

    lines: list[str]
    narrator: Narrator
    told: int = 0
    read: int = 0


@define(eq=False)
class _Point:
    """Where a person had to decide: the game as it was, and how long its playlog."""

    state: State
    seat: int
    length: int


@define(eq=False)
class Table:
    """A game in which `agents` play their seats, and people all others."""

    game: Game
    agents: Mapping[int, Agent]
    file: TextIO
    seed: int
    names: tuple[str, ...]
    """Who plays each seat, for the playlog."""
    state: State = field(init=False)
    _writer: PlaylogWriter = field(init=False)
    _tellers: dict[int, _Teller] = field(factory=dict, init=False)
    _points: list[_Point] = field(factory=list, init=False)
    _disclosed: tuple[Span, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._writer = PlaylogWriter(self.game, self.file, self.seed, bots=self.names)
        self.state = self.game.start(self.seed, [self._writer])
        found = check_visibility(self.game.model, Problems())
        self._disclosed = tuple(disclosure.span for disclosure in found)

    @property
    def people(self) -> list[int]:
        return [seat for seat in range(self.game.players) if seat not in self.agents]

    # ---------------------------------------------------------------- going on

    def turn(self) -> int | None:
        """Let bots move until a person has to; who that is, None when the game is over."""
        while not self.state.is_over:
            actors = self.state.to_act
            waiting = next((seat for seat in actors if seat in self.agents), None)
            if waiting is None:
                return actors[0]
            self.state.apply(self.agents[waiting].choose(self.state, waiting), waiting)
        return None

    def move(self, seat: int, text: str) -> None:
        """A person's move; a MoveError says why it is none."""
        move = self.state.move(text, seat)
        point = _Point(self.state.clone(), seat, self.file.tell())
        self.state.apply(move)
        self._points.append(point)

    def again(self, seat: int, text: str) -> None:
        """A move from a playlog, of whoever made it: it cannot be taken back."""
        self.state.apply(text, seat)

    def undo(self, seat: int) -> str:
        """Take a person's last move back; why not, in words, if that cannot be."""
        if not self._points:
            return "There is nothing to take back."
        point = self._points[-1]
        if point.seat != seat:
            return "The last move was somebody else's."
        since = self.state.last_run.path()[point.state.moves_made + 1 :]
        if any(has_learned(run, seat, self.game.rules, self._disclosed) for run in since):
            return "Since then something was drawn, shown or done by others: that stays."
        self._points.pop()
        self.file.seek(point.length)
        self.file.truncate()
        self.state = point.state.clone([self._writer])
        read = {seat: teller.read for seat, teller in self._tellers.items()}
        self._tellers.clear()
        for other in read:
            teller = self._told(other)
            teller.read = len(teller.lines) if other == seat else read[other]
        return ""

    # ---------------------------------------------------------------- what people are told

    def news(self, seat: int) -> list[str]:
        """What has been told to a person since he looked last."""
        teller = self._told(seat)
        found = teller.lines[teller.read :]
        teller.read = len(teller.lines)
        return found

    def narrator(self, seat: int) -> Narrator:
        """The narrator of a person, who has been told everything up to now."""
        return self._told(seat).narrator

    def _told(self, seat: int) -> _Teller:
        teller = self._tellers.get(seat)
        if teller is None:
            lines: list[str] = []
            teller = _Teller(lines, Narrator(self.game.rules, seat, lines.append))
            self._tellers[seat] = teller
        path = self.state.last_run.path()
        for run in path[teller.told :]:
            teller.narrator(run, [])
        teller.told = len(path)
        if self.state.is_over:
            teller.narrator.finish()
        else:
            teller.narrator.page.flush()
        return teller
