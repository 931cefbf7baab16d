"""Which pieces of the rules play has reached: phases, procedures, options, branches, triggers."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field, frozen

from rulesdsl.check import model as m
from rulesdsl.check.walk import all_bodies, nodes
from rulesdsl.machine.program import Machine, Note, Rule
from rulesdsl.play.course import Watcher
from rulesdsl.play.game import Game
from rulesdsl.play.history import Run
from rulesdsl.play.state import State
from rulesdsl.text.source import Span


@frozen
class Piece:
    """A piece of the rules that play can reach: what it is, its name or line, its place."""

    what: str
    name: str
    span: Span

    def __str__(self) -> str:
        return f"{self.what} {self.name}"


def pieces_of(model: m.Model) -> list[Piece]:
    """Everything that can be reached, in file order."""
    setup = [] if model.setup is None else [model.setup]
    found = [Piece("phase", one.name, one.span) for one in (*setup, *model.phases.values())]
    found += [Piece("procedure", one.name, one.span) for one in model.procedures.values()]
    found += [Piece("trigger", _line(one.span), one.span) for one in model.triggers]
    for body in all_bodies(model):
        for node in nodes(body.steps):
            found += _branches(node)
    return sorted(dict.fromkeys(found), key=lambda piece: piece.span.start)


def _branches(node: object) -> Iterator[Piece]:
    match node:
        case m.ChoiceOption():
            yield Piece("option", node.name, node.span)
        case m.Branch():
            yield Piece("branch", _line(node.span), node.span)
        case m.Case():
            yield Piece("case", _line(node.span), node.span)
        case _:
            pass


def _line(span: Span) -> str:
    """The line a piece begins on, without what YAML needs around it."""
    return span.text.splitlines()[0].removeprefix("- ").rstrip(": ")


@define
class Coverage:
    """What has been reached of a game's rules, in games of any seats and options."""

    pieces: list[Piece]
    reached: set[tuple[int, int]] = field(factory=set)
    possible: set[tuple[int, int]] = field(factory=set)
    """Options that were legal once, chosen or not."""

    @classmethod
    def of(cls, model: m.Model) -> Coverage:
        return cls(pieces_of(model))

    def watcher(self, game: Game) -> Watcher:
        """Watches a game from its start: what each run of the machine carries out."""
        return _Follow(game.machine, game, self, list(game.machine.start))

    def look(self, state: State) -> None:
        """Note the options that are legal where somebody has to act."""
        for player in state.to_act:
            asked = state.asked(player)
            for bundle in asked.bundles() if asked is not None else ():
                self.possible.add(_place(bundle.option.span))

    def never_reached(self) -> list[Piece]:
        """Pieces not reached; an option that was possible and not chosen counts as reached."""
        met = self.reached | self.possible
        return [piece for piece in self.pieces if _place(piece.span) not in met]


@define(eq=False)
class _Follow:
    """Runs everything once more with its notes."""

    machine: Machine
    game: Game
    coverage: Coverage
    before: list[int]

    def __call__(self, run: Run, record: list[int]) -> None:
        run.follow(self.game.rules.engine, self.before, self._note)
        self.before = list(record)

    def _note(self, note: Note, _: tuple[int, ...]) -> None:
        if isinstance(note.subject, Rule):
            self.coverage.reached.add(_place(note.subject.span))


def _place(span: Span) -> tuple[int, int]:
    return span.start, span.end
