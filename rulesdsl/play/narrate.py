"""A game told as it goes, by the names of its rule file."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import wrap

from attrs import define, field

from rulesdsl.check import model as m
from rulesdsl.machine.program import ME, Note
from rulesdsl.play.game import Game
from rulesdsl.play.history import Run
from rulesdsl.play.moves import Move
from rulesdsl.play.outcome import Outcome, outcome
from rulesdsl.play.state import State
from rulesdsl.play.texts import display

WIDTH = 90


@define
class _Frame:
    """A procedure, phase, step or round that has begun; what its players did so far."""

    name: str
    said: list[str] = field(factory=list)


@define(slots=False)
class Narrator:
    """A watcher of a game that writes what happens, for the referee or for one seat."""

    game: Game
    viewer: int | None
    write: Callable[[str], None]
    record: list[int] = field(init=False)
    frames: list[_Frame] = field(factory=list)
    own: dict[int, list[_Frame]] = field(factory=dict)
    region: bool = False

    def __attrs_post_init__(self) -> None:
        self.record = list(self.game.machine.start)

    @property
    def model(self) -> m.Model:
        return self.game.machine.model

    # ---------------------------------------------------------------- head and end

    def head(self, where: str, bots: list[str], seed: int) -> None:
        """Which rules are played, by whom."""
        self.write(f"{self.model.title}    rules {self.game.rules_hash} ({where})")
        changed = [
            f"{name} {value}" for name, value in self.game.options.items() if self._changed(name)
        ]
        self.write("options: " + ", ".join(changed) if changed else "no option changed")
        names = " ".join(self.game.seat_names)
        who = f"all {bots[0]}" if len(set(bots)) == 1 else ", ".join(bots)
        whole = "everything is shown; one player's view: --as " + self.game.seat_names[0]
        seen = whole if self.viewer is None else f"as {self.game.seat_names[self.viewer]} sees it"
        self.write(f"{self.game.players} players {names}, {who}, seed {seed}; {seen}")

    def _changed(self, name: str) -> bool:
        from rulesdsl.machine.settings import default_of

        machine = self.game.machine
        option = self.model.options[name]
        default = default_of(self.model, option, machine.seats, dict(machine.options))
        return default != machine.options[name]

    def result(self, state: State) -> None:
        """The table of the end: places, what was compared, who won."""
        found = outcome(self.game.machine, self.game.rules.engine, list(state.record))
        self.write("\nEnd of the game")
        self._ranking(found)
        winners = [self.game.seat_names[seat] for seat in found.winners]
        if not winners:
            self.write("  Nobody wins.")
        elif len(winners) == 1:
            self.write(f"  {winners[0]} wins{self._decided(found)}.")
        else:
            self.write(
                f"  {' and '.join(winners)} share the victory: they are equal in everything."
            )

    def _titles(self, found: Outcome) -> list[str]:
        result = self.model.result
        if result is None:
            return []
        titles = [display(self.model, name) for name in found.scores]
        for i, key in enumerate(result.highest, start=1):
            text = key.span.text.replace(f"{result.binder.name}.", "")
            titles.append(self.model.texts.names.get(f"highest {i}", text))
        return titles

    def _ranking(self, found: Outcome) -> None:
        columns = [*found.scores.values()]
        keys = list(zip(*found.keys, strict=True)) if found.keys and found.keys[0] else []
        skip = 1 if found.scores else 0
        columns += [tuple(column) for column in keys[skip:]] if keys else []
        titles = self._titles(found)[: len(columns)]
        if found.payoffs is not None:
            titles, columns = ["payoff"], [found.payoffs]
        widths = [max(len(title), 5) for title in titles]
        head = "  ".join(f"{t:>{w}}" for t, w in zip(titles, widths, strict=True))
        self.write(f"  place  player   {head}".rstrip())
        place = 1
        for group in found.ranking:
            for seat in group:
                cells = "  ".join(
                    f"{column[seat]:>{width}}"
                    for column, width in zip(columns, widths, strict=True)
                )
                out = "   out" if seat in found.out else ""
                self.write(f"  {place:>5}  {self.game.seat_names[seat]:<6}   {cells}{out}".rstrip())
            place += len(group)

    def _decided(self, found: Outcome) -> str:
        """By what the winner is ahead of the next, when the first comparison is equal."""
        if len(found.ranking) < 2 or not found.keys:
            return ""
        first, second = found.ranking[0][0], found.ranking[1][0]
        if second in found.out:
            return ""
        pairs = list(zip(found.keys[first], found.keys[second], strict=True))
        place = next((i for i, (a, b) in enumerate(pairs) if a != b), 0)
        titles = self._titles(found)
        return f" by {titles[place]}, after a tie" if 0 < place < len(titles) else ""

    def table(self, state: State) -> None:
        """What the viewer sees, by names (where a replay stops)."""
        view = state.view(self.viewer) if self.viewer is not None else state.named()
        found = view["state"]
        assert isinstance(found, dict)
        self.write("")
        for path, value in found.items():
            if value not in (0, {}, None, [], False):
                self.write(f"  {path}: {value}")
        names = " and ".join(self.game.seat_names[seat] for seat in state.to_act)
        if names:
            self.write(f"  {names} to choose")

    # ---------------------------------------------------------------- watching

    def __call__(self, run: Run, record: list[int]) -> None:
        """One run of the machine: what was chosen, then what began and ended."""
        if isinstance(run.cause, Move):
            self._chosen(run.cause, run.secret)
        before = self.record
        if run.block is not None:
            again = before.copy()
            engine = self.game.rules.engine
            registers = engine.registers()
            run.prepare(again, registers)
            engine.run(
                again, run.block, registers, lambda note, values: self._noted(note, values, again)
            )
        self.record = record.copy()

    def _stack(self, seat: int | None) -> list[_Frame]:
        """The frames of a seat in a region lie over those outside."""
        return self.frames if seat is None else self.own.setdefault(seat, [])

    def _chosen(self, move: Move, secret: bool) -> None:
        if secret and self.viewer not in (None, move.player):
            return
        seat = move.player if self.region else None
        stack = self._stack(seat)
        text = f"{self.game.seat_names[move.player]} {display(self.model, move.text)}"
        if stack:
            stack[-1].said.append(text)
        elif self.frames:
            self.frames[-1].said.append(text)
        else:
            self._line(text)

    # ---------------------------------------------------------------- notes

    def _noted(self, note: Note, values: tuple[int, ...], record: list[int]) -> None:
        """Something begins or ends while the machine runs."""
        if note.kind == "region":
            self.region = bool(values[0])
            if not self.region:
                self.own.clear()
            return
        seat = record[ME] if self.region else None
        if note.kind == "begin":
            self._begins(str(note.subject), values, self._stack(seat))
        elif note.kind == "end":
            self._ends(str(note.subject), self._stack(seat))

    def _begins(self, name: str, values: tuple[int, ...], stack: list[_Frame]) -> None:
        stack.append(_Frame(name))
        if name in self.model.phases or (values and name not in self.model.procedures):
            title = display(self.model, name)
            number = f" {values[0]}" if name not in self.model.phases and values else ""
            gap = "\n" if number else ""
            self.write(f"{gap}{'' if number else '  '}{title[:1].upper()}{title[1:]}{number}")

    def _ends(self, name: str, stack: list[_Frame]) -> None:
        if not any(frame.name == name for frame in stack):
            return
        while stack[-1].name != name:
            self._close(stack)
        self._close(stack)

    def _close(self, stack: list[_Frame]) -> None:
        frame = stack.pop()
        parent = stack[-1] if stack else (self.frames[-1] if self.frames else None)
        if parent is not None and parent.name in self.model.procedures:
            parent.said += frame.said
        elif frame.said:
            self._line("; ".join(frame.said))

    def _line(self, text: str) -> None:
        for line in wrap(text, WIDTH, initial_indent="    ", subsequent_indent="      "):
            self.write(line)
