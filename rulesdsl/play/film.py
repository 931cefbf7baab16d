"""A game step by step as the referee or one seat sees it: what is said, the rule, the state."""

from __future__ import annotations

from typing import TypeAlias

from attrs import define, field

from rulesdsl.machine.program import AT, OVER, Choose, Option, Region
from rulesdsl.play.ending import Ending
from rulesdsl.play.history import Run
from rulesdsl.play.moves import Move
from rulesdsl.play.narrate import Narrator
from rulesdsl.play.page import plain
from rulesdsl.play.rules import Rules
from rulesdsl.play.sheet import Heading, Line, Sheet
from rulesdsl.syntax.cites import Cite

Seen: TypeAlias = "dict[str, object]"
"""The state by its paths."""


@define
class Step:
    """One decision with all that came of it until the next; the first is the setup.

    `at` counts the decisions of the whole game, `sections` are the headings it stands under.
    """

    at: int
    player: int | None = None
    question: str = ""
    sentence: str = ""
    rule: tuple[str, ...] = ()
    cites: tuple[Cite, ...] = ()
    sections: tuple[str, ...] = ()
    told: list[Heading | Line] = field(factory=list)
    seen: Seen = field(factory=dict)


@define(eq=False)
class Film:
    """A watcher that takes a game down. `viewer` None is the referee.

    A move that the viewer is not told of is no step: what can be seen of it belongs to the step
    before, so that neither how many there were nor who was last can be read.
    """

    rules: Rules
    viewer: int | None = None
    steps: list[Step] = field(init=False)
    narrator: Narrator = field(init=False)
    _sheet: Sheet = field(init=False)
    _record: list[int] = field(factory=list, init=False)
    _decisions: int = field(default=0, init=False)
    _choices: dict[int, Choose] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._sheet = Sheet(print)
        self.narrator = Narrator(self.rules, self.viewer, page=self._sheet)
        self.steps = [Step(0)]
        self._choices = {
            id(option): stop
            for stop in self.rules.machine.stops
            if isinstance(stop, Choose)
            for option in stop.options
        }

    def __call__(self, run: Run, record: list[int]) -> None:
        """Take one run of the machine down."""
        if isinstance(run.cause, Move):
            self._decisions += 1
            if self.viewer in (None, run.cause.player) or not run.secret:
                self._close()
                self.steps.append(self._step(run.cause, run.seat))
        self.narrator(run, record)
        self._record = record

    def finish(self) -> Ending | None:
        """The game is told no further; how it has ended, if it is over."""
        over = self._record[AT] == OVER
        if over:
            self.narrator.finish()
        self._close()
        return Ending.of(self.narrator, self._record) if over else None

    # ---------------------------------------------------------------- steps

    def _close(self) -> None:
        """What has come to be known by now belongs to the last step."""
        step = self.steps[-1]
        said = Line((step.sentence,))
        step.told = [one for one in self._sheet.take() if one != said]
        step.seen = self._seen()

    def _step(self, move: Move, seat: int | None) -> Step:
        step = Step(self._decisions, move.player, sections=tuple(self._sheet.titles))
        if move.choice is None:
            step.sentence = plain(self.narrator.sentence(move, seat))
            return step
        option = move.choice[0]
        step.sentence = plain(self.narrator.sentence(move, seat)) or plain(self.narrator.bare(move))
        choose = self._choices.get(id(option))
        if choose is not None:
            step.question = self._question(choose, move.player)
        step.rule, step.cites = self._rule(choose, option), option.cites
        return step

    def _question(self, choose: Choose, player: int) -> str:
        """What the player was asked; nothing where the viewer does not see what it is about."""
        if choose.span not in self.rules.machine.model.texts.prompts:
            return ""
        question = self.narrator.prompt(choose, player)
        return "" if "?" in question and self.viewer not in (None, player) else question

    def _rule(self, choose: Choose | None, option: Option) -> tuple[str, ...]:
        where = "" if choose is None else choose.where
        parts = (option.name,) if where in ("", option.name) else (where, option.name)
        return tuple(map(self.narrator.wording.name, parts))

    # ---------------------------------------------------------------- the state

    def _seen(self) -> Seen:
        views, record = self.rules.views, self._record
        find = views.cells(record)
        if self.viewer is not None and isinstance(self.rules.stop(record), Region):
            find = views.shown_cells(record, self.viewer)
        return {**views.seen(self.viewer, find)}
