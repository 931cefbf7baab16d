"""People at a table: what they are told and asked, and what they may type."""

from __future__ import annotations

import re
import shlex
import shutil
from contextlib import suppress
from pathlib import Path

import click
from attrs import define, field

from rulesdsl.agents.external import ExternalFault
from rulesdsl.cli.table import Table
from rulesdsl.play.drawn import boards, on_boards
from rulesdsl.play.ending import ending
from rulesdsl.play.faults import IllegalMove, MoveError
from rulesdsl.play.page import Page
from rulesdsl.play.playlog import Playlog, PlaylogError
from rulesdsl.play.reading import split_name
from rulesdsl.play.standing import whole
from rulesdsl.play.why import why

HELP = """\
  a move        as it is listed; what is clear may be left out
  ?             your moves; 3 takes the third of them, 3 20 with the number 20
  look          all that you see
  why [MOVE]    what you may do, by which rule, with the numbers in it
  undo          take your last move back, unless something was drawn, shown or done since
  save FILE     a copy of the playlog, to go on with later
  quit          stop; the game is kept"""
SHORT = 8
"""So many moves are named without being asked for."""
LISTED = 60
"""So many moves are listed at once."""
COMMANDS = ("?", "help", "look", "why", "undo", "save", "quit")


class _Quit(Exception):
    """Somebody leaves the table."""


@define(eq=False)
class Sitting:
    """A game from the first question to the last, with its playlog."""

    table: Table
    file: Path
    _listed: list[str] = field(factory=list, init=False)
    _at_screen: int | None = field(default=None, init=False)

    def resume(self, before: Playlog) -> None:
        """Play the moves of a playlog again; chance comes out as it did."""
        seats = self.table.game.seat_names
        for line, record in enumerate(before.records, start=2):
            if "move" not in record:
                continue
            try:
                self.table.again(seats.index(record["by"]), str(record["move"]))
            except (MoveError, ValueError, KeyError) as error:
                raise PlaylogError(line, f"the game cannot go on here: {error}") from error

    def play(self) -> None:
        """Ask until the game is over or somebody leaves; nothing that was done is lost."""
        with suppress(ImportError):
            # with it arrow keys edit what is typed; not everywhere is there one
            import readline  # noqa: F401
        try:
            while (seat := self.table.turn()) is not None:
                self._sit(seat)
            self._end()
        except (_Quit, EOFError, KeyboardInterrupt):
            click.echo(f"\nThe game is kept. To go on:\n  {self._back}")
        except ExternalFault:
            click.echo(f"The game is kept. To go on:\n  {self._back}", err=True)
            raise

    @property
    def _back(self) -> str:
        """The command to go on with the game."""
        return shlex.join(["rulesdsl", "play", "--resume", str(self.file)])

    # ---------------------------------------------------------------- a turn

    def _sit(self, seat: int) -> None:
        """One decision of a person."""
        name = self.table.narrator(seat).wording.name(self.table.game.seat_names[seat])
        if self._at_screen not in (None, seat) and len(self.table.people) > 1:
            click.clear()
            input(f"{name} has to decide. Only {name} should look: press Enter. ")
        self._at_screen = seat
        for line in self.table.news(seat):
            click.echo(line)
        self._question(seat)
        before = self.table.state.moves_made
        while self.table.state.moves_made == before:
            typed = " ".join(input(f"{name}> ").split())
            if typed:
                self._typed(seat, typed)

    def _question(self, seat: int) -> None:
        """What is asked, and the moves if they are few."""
        choice = self.table.state.choice(seat)
        assert choice is not None
        self._listed = []
        moves = [one.text for one in self.table.state.legal_ranges(seat)]
        self._draw(seat)
        click.echo("\n" + self.table.narrator(seat).prompt(choice, seat) + ":")
        if len(moves) <= SHORT:
            self._list(moves)
        else:
            click.echo(f"  {len(moves)} moves, such as {moves[0]}; ? lists them")

    def _list(self, moves: list[str]) -> None:
        self._listed = moves[:LISTED]
        width = len(str(len(self._listed)))
        for number, move in enumerate(self._listed, start=1):
            click.echo(f"  {number:>{width}}  {move}")
        if len(moves) > LISTED:
            click.echo(f"  and {len(moves) - LISTED} more")

    # ---------------------------------------------------------------- what is typed

    def _typed(self, seat: int, typed: str) -> None:
        """A command, or else a move; an option with the name of a command comes first."""
        choice = self.table.state.choice(seat)
        assert choice is not None
        word, _, rest = typed.partition(" ")
        options = [option.name for option in choice.options]
        own = any(split_name(typed.casefold(), name) is not None for name in options)
        if word.casefold() in COMMANDS and not own:
            self._command(seat, word.casefold(), rest.strip())
            return
        picked = re.fullmatch(r"(\d+)(?: (-?\d+))?", typed)
        if picked is not None and not own:
            typed = self._picked(int(picked[1]), picked[2])
        if typed:
            self._move(seat, typed)

    def _picked(self, place: int, number: str | None) -> str:
        """The move at a place of the list, for a range with a number; else what to write."""
        if not 0 < place <= len(self._listed):
            click.echo("  Numbers take a move of the list: ? shows it.")
            return ""
        move = self._listed[place - 1]
        span = re.search(r"(-?\d+)\.\.(-?\d+)$", move)
        if (span is None) == (number is None):
            return move if span is None else f"{move[: span.start()]}{number}"
        if span is None:
            click.echo(f"  {move} takes no number.")
        else:
            least, most = span.groups()
            click.echo(f"  Which number from {least} to {most}? For instance: {place} {least}")
        return ""

    def _move(self, seat: int, typed: str) -> None:
        try:
            self.table.move(seat, typed)
        except IllegalMove as error:
            cites = "".join(f"   {cite.source} {cite.section}" for cite in error.cites[:2])
            place = f"({Path(error.span.source.name).name}:{error.span.line})"
            click.echo(f"  {error.message}.{cites}   {place}")
        except MoveError as error:
            click.echo(f"  {error.message}.")

    def _command(self, seat: int, word: str, rest: str) -> None:
        state, narrator = self.table.state, self.table.narrator(seat)
        match word:
            case "?":
                self._list([one.text for one in state.legal_ranges(seat)])
            case "help":
                click.echo(HELP)
            case "look":
                self._look(seat)
            case "why":
                choice = state.choice(seat)
                assert choice is not None
                for line in why(narrator, choice, seat, rest):
                    click.echo(f"  {line}")
            case "undo":
                hindered = self.table.undo(seat)
                click.echo(f"  {hindered or 'Taken back.'}")
                if not hindered:
                    self._question(seat)
            case "save":
                self._save(rest)
            case _:
                raise _Quit

    def _draw(self, seat: int) -> dict[str, object]:
        """The boards, as a person sees them; what of the state stands on none."""
        wording = self.table.narrator(seat).wording
        found = self.table.state.view(seat)["state"]
        assert isinstance(found, dict)
        for lines in boards(wording, found):
            click.echo("\n" + "\n".join(f"  {line}" for line in lines))
        names = tuple(f"{one.name}[" for one, _ in on_boards(wording.rules))
        return {path: value for path, value in found.items() if not path.startswith(names)}

    def _look(self, seat: int) -> None:
        narrator = self.table.narrator(seat)
        page = Page(click.echo)
        for line in whole(narrator.wording, self._draw(seat)):
            page.line(line, "look")
        page.flush()

    def _save(self, name: str) -> None:
        if not name:
            click.echo(f"  The game is kept in {self.file}; save FILE writes a copy.")
            return
        target = Path(name)
        if target.exists():
            click.echo(f"  {name} is there already; give another name.")
            return
        try:
            shutil.copyfile(self.file, target)
        except OSError as error:
            click.echo(f"  {name} cannot be written: {error.strerror}.")
            return
        click.echo(f"  Saved. To go on: rulesdsl play --resume {shlex.quote(name)}")

    # ---------------------------------------------------------------- the end

    def _end(self) -> None:
        seat = self.table.people[0] if self._at_screen is None else self._at_screen
        for line in self.table.news(seat):
            click.echo(line)
        click.echo()
        for line in ending(self.table.narrator(seat), list(self.table.state.record)):
            click.echo(line)
