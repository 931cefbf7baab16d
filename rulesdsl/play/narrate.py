"""A game told as it goes: by the texts of its rule file, and where it has none by its names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from attrs import define, field

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import SubbagType
from rulesdsl.check.sights import sees
from rulesdsl.machine.program import ME, Choose, Note
from rulesdsl.play.drawn import boards
from rulesdsl.play.frames import Frame, Frames
from rulesdsl.play.history import Drawn, Run
from rulesdsl.play.moves import Move, text_of
from rulesdsl.play.page import Page
from rulesdsl.play.rules import Rules
from rulesdsl.play.spoken import Spoken
from rulesdsl.play.standing import standing
from rulesdsl.play.texts import Bound, Moment, Scene, Wording
from rulesdsl.text.source import Span

_MOVES = "moves"
"""The group of sentences that no text of the file shapes: they stand in a paragraph."""


@define(eq=False)
class Narrator:
    """A watcher of a game that tells it to the referee, who sees all, or to one seat."""

    rules: Rules
    viewer: int | None = None
    write: Callable[[str], None] = print
    wording: Wording = field(init=False)
    page: Page = field(kw_only=True)
    sources: dict[tuple[m.Scalar, int, str], int] = field(factory=dict, init=False)
    """By how much each copy of a number was changed in each part of the rules."""
    _record: list[int] = field(init=False)
    _spoken: Spoken = field(init=False)
    _frames: Frames = field(factory=Frames, init=False)
    _kept: dict[int, list[tuple[str, object]]] | None = field(default=None, init=False)
    """In a region: what was said in each seat's part, until all are done."""
    _still: dict[int | None, Moment] | None = field(factory=dict, init=False)
    """The moment for each seat between two runs, while nothing changes."""

    @page.default
    def _printed(self) -> Page:
        return Page(self.write)

    def __attrs_post_init__(self) -> None:
        self.wording = Wording(self.rules, self.viewer)
        self._spoken = Spoken(self._model)
        self._record = list(self.rules.machine.start)

    @property
    def _model(self) -> m.Model:
        return self.rules.machine.model

    # ---------------------------------------------------------------- watching

    def __call__(self, run: Run, record: list[int]) -> None:
        """Go through one run of the machine once more, and tell what its notes say."""
        first = run if run.before is None else run.before
        if first.before is None and first.told is not None:
            self._record, self._still = first.told.record.copy(), {}
        match run.cause:
            case Move():
                self._chosen(run.cause, run)
            case Drawn():
                self._drawn(run.cause)
            case None:
                pass
        if run.block is not None:
            self._still = None
            run.follow(self.rules.engine, self._record, self._note)
            self._still = {}

    def __enter__(self) -> Narrator:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """When the game breaks off, what waits to be written is written."""
        if kind is not None:
            self.page.flush()

    def finish(self) -> None:
        """The game is over: what has not ended ends."""
        outer = self._frames.of(None)
        while outer:
            self._close(outer, None)
        for lines in boards(self.wording, self.seen()):
            self.page.figure(lines)
        self.page.flush()

    def leave(self) -> None:
        """The game is told no further."""
        self.page.end()

    def seen(self) -> dict[str, object]:
        """The state by its paths, as the viewer sees it."""
        views = self.rules.views
        return {**views.seen(self.viewer, views.cells(self._record))}

    def remark(self, text: m.Text) -> str:
        """A text about nothing but the state."""
        return self.wording.say(text, self._scene(None))

    def prompt(self, choice: Choose, player: int) -> str:
        """The question at a choice of a player."""
        text = self._model.texts.prompts.get(choice.span)
        if text is None:
            return f"{self.wording.name(self.rules.words.seats[player])} has to choose"
        seat = None if choice.region is None else player
        return self.wording.say(text, self._scene(seat)).strip()

    def value(
        self, expr: m.Expr, seat: int | None, names: Mapping[m.Local, Bound] | None = None
    ) -> int:
        """A value now, with the names of what is going on and some more.

        Raises Unseen where a name has no value here or the viewer does not see it.
        """
        scene = self._scene(seat)
        return self.wording.value(
            expr, Scene({**scene.names, **(names or {})}, scene.now, scene.now)
        )

    # ---------------------------------------------------------------- moves and chance

    def sentence(self, move: Move, seat: int | None) -> str:
        """A move in the words of the texts; `seat` where several act at the same time."""
        if move.choice is None:
            player = self.wording.name(self.rules.words.seats[move.player])
            return f"{player} {self.wording.name(move.text)};"
        option, values = move.choice
        names = self._spoken.arguments(option, values)
        text = self._model.texts.moves.get((option.span, option.name))
        if text is not None:
            scene = self._scene(seat)
            return self.wording.say(text, Scene({**scene.names, **names}, scene.now, scene.now))
        return self.bare(move)

    def bare(self, move: Move) -> str:
        """A move without a text of its own: by the names of the rules."""
        assert move.choice is not None
        option, values = move.choice
        said: dict[str, str] = {}
        bounds = self._spoken.arguments(option, values).values()
        for argument, bound in zip(option.arguments, bounds, strict=True):
            if isinstance(bound, tuple):
                assert isinstance(argument.type, SubbagType)
                words = self.wording.components(argument.type.kinds, bound)[0]
            else:
                words = self.wording.number(argument.type, bound)[0]
            said[self.wording.name(argument.name)] = words
        player = self.wording.name(self.rules.words.seats[move.player])
        return f"{player} {text_of(self.wording.name(move.name), said)};"

    def _chosen(self, move: Move, run: Run) -> None:
        if not run.secret or self._hears(move.player):
            self._say(self.sentence(move, run.seat), run.seat, _MOVES)
        frames = self._frames.of(run.seat)
        if move.choice is not None and frames:
            frames[-1].names |= self._spoken.arguments(*move.choice)

    def _drawn(self, drawn: Drawn) -> None:
        """A roll is told; what is dealt is seen where it comes to lie."""
        scalar = drawn.draw.subject
        # where something comes to lie in a deck is drawn too, and nobody's to know
        if not isinstance(scalar, m.Scalar) or scalar not in self._model.scalars.values():
            return
        key = max(0, self.rules.engine.evaluate(drawn.draw.keys[0], self._record))
        if self.viewer is None or sees(scalar, key, self.viewer):
            path = self.wording.name(self.rules.words.path(scalar, key))
            self._say(f"{path}: {self.wording.name(drawn.label)};", None, _MOVES)

    # ---------------------------------------------------------------- saying

    def _hears(self, seat: int | None) -> bool:
        """Whether the viewer is told what is said in a seat's part of a region."""
        return seat is None or self.viewer in (None, seat)

    def _say(self, text: str, seat: int | None, group: object) -> None:
        """A sentence goes to what collects it, or on the page."""
        if not text.strip() or not self._hears(seat):
            return
        for frame in self._frames.of(seat)[::-1]:
            if frame.said is not None:
                frame.said.append(text.strip().removesuffix(";"))
                return
        if seat is not None and self._kept is not None:
            self._kept.setdefault(seat, []).append((text, group))
        else:
            self.page.line(text, group)

    def _scene(self, seat: int | None) -> Scene:
        here = Moment(self._record, seat)
        if self._still is not None:
            here = self._still.setdefault(seat, here)
        return Scene(self._frames.names(seat), here, here)

    # ---------------------------------------------------------------- notes

    def _note(self, note: Note, values: tuple[int, ...]) -> None:
        seat = None if self._kept is None else self._record[ME]
        what = note.subject
        match note.kind:
            case "begin":
                assert isinstance(what, str)
                self._begin(what, note.span, values, seat)
            case "round":
                assert isinstance(what, m.Local)
                self._leave(what, seat)
                self._open(Frame(what, {what: values[0]}, self._begun(seat)), what.span, seat)
            case "end" | "leave":
                assert isinstance(what, (str, m.Local))
                self._leave(what, seat)
            case "region":
                self._region(opens=bool(values[0]))
            case "set":
                assert isinstance(what, m.Scalar)
                key, old, new = values
                source = what, max(key, 0), self._frames.part(seat)
                self.sources[source] = self.sources.get(source, 0) + new - old
            case _:
                pass

    def _begin(self, name: str, span: Span, values: tuple[int, ...], seat: int | None) -> None:
        called = self._model.procedures.get(name) or self._model.phases.get(name)
        formals = called.formals if called is not None and called.span == span else ()
        names = dict(zip(formals, values, strict=True))
        self._open(Frame(name, {**names}, self._begun(seat)), span, seat)

    def _begun(self, seat: int | None) -> Moment:
        return Moment(self._record, seat)

    def _title(self, what: str | m.Local, number: int) -> str | None:
        """The heading of a phase or a round; nothing else has one."""
        if isinstance(what, str):
            return self.wording.title(what) if what in self._model.phases else None
        last = self._spoken.rounds.get(what)
        speaks = what in self._spoken.loops and self._model.texts.speaks_of(what.span)
        if last is None and not speaks:
            return None
        title = f"{self.wording.title(what.name)} {self.wording.number(what.type, number)[0]}"
        if last is None:
            return title
        return f"{title} of {self.wording.value(last, self._scene(None))}"

    def _open(self, frame: Frame, span: Span, seat: int | None) -> None:
        """Something begins: its heading and what is said before it."""
        texts, what = self._model.texts, frame.what
        number = next(iter(frame.names.values()), 0)
        title = self._title(what, number) if isinstance(number, int) and seat is None else None
        before, frame.text = texts.before.get(span), texts.after.get(span)
        frame.section = title is not None
        if frame.text is not None:
            frame.begun = Moment(self._record.copy(), seat)
        self._frames.of(seat).append(frame)
        if title is not None:
            phase = self._model.phases.get(what) if isinstance(what, str) else None
            self.page.open(title, () if phase is None else phase.cites)
        if before is not None and self._hears(seat):
            said = self.wording.say(before, self._scene(seat))
            if title is None:
                self._say(said, seat, span)
            elif isinstance(what, m.Local):
                self.page.begin(said)
            else:
                self.page.remark(said)
        if frame.text is not None and (title is None or _says_moves(frame.text.pieces)):
            frame.said = []

    def _leave(self, what: str | m.Local, seat: int | None) -> None:
        """Something ends, with all that has begun inside it and did not end by itself."""
        while self._frames.has(what, seat):
            self._close(self._frames.of(seat), seat)

    def _close(self, frames: list[Frame], seat: int | None) -> None:
        """The innermost frame ends: what is said after it."""
        frame, text = frames[-1], ""
        if frame.text is not None and self._hears(seat):
            now, moves = Moment(self._record, seat), tuple(frame.said or ())
            scene = Scene(self._frames.names(seat), now, frame.begun, moves)
            text = self.wording.say(frame.text, scene)
        frames.pop()
        if not frame.section:
            self._say(text, seat, frame.what)
            return
        if text.strip():
            self.page.remark(text)
        elif frame.text is None and frame.what in self._spoken.rounds:
            for line in standing(self.wording, self._record):
                self.page.line(line, standing)
        self.page.close()

    def _region(self, opens: bool) -> None:
        if opens:
            self._kept = {}
            return
        for seat in self._frames.seats():
            while self._frames.of(seat):
                self._close(self._frames.of(seat), seat)
        kept, self._kept = self._kept or {}, None
        for seat in sorted(kept):
            for text, group in kept[seat]:
                self._say(text, None, group)


def _says_moves(pieces: Iterable[m.TextPiece]) -> bool:
    """Whether a text tells what was said inside."""
    for piece in pieces:
        match piece:
            case m.TextMoves():
                return True
            case m.TextPart() | m.TextIf() | m.TextElse() | m.TextEach():
                if _says_moves(piece.pieces):
                    return True
            case _:
                pass
    return False
