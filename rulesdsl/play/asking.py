"""What a player is asked, which of the moves he means, and why a move is not possible."""

from __future__ import annotations

from operator import attrgetter

from attrs import define, field

from rulesdsl.check.datatypes import IntType, SubbagType
from rulesdsl.engines.choices import Bundle, Choices, Obstacle
from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.program import Choose, Option
from rulesdsl.play.faults import AmbiguousMove, IllegalMove, UnreadableMove
from rulesdsl.play.moves import Move, MoveRange, say
from rulesdsl.play.reading import Reading, normal, readings, split_name
from rulesdsl.play.rules import Rules
from rulesdsl.text.limits import STEPS_PER_MOVE

SHOWN = 6
"""How many possible moves a message names."""


@define(eq=False)
class Asked:
    """A player at a choice, with a record in which the conditions of it are asked."""

    rules: Rules
    player: int
    choices: Choices
    scene: list[int]
    offer: object
    """Stands for what is asked; moves that carry it are known to be legal."""
    _bundles: list[Bundle] | None = field(default=None, init=False)
    _firsts: list[tuple[int, Bundle]] | None = field(default=None, init=False)

    @property
    def stop(self) -> Choose:
        """The choice at which the player is asked."""
        return self.choices.stop

    # ---------------------------------------------------------------- legal moves

    def bundles(self) -> list[Bundle]:
        """The legal moves as the machine has them, by number of their option; only to be read."""
        if self._bundles is None:
            self._bundles = self.choices.bundles(self.scene, {-1: STEPS_PER_MOVE})
        return self._bundles

    def has_option(self) -> bool:
        """Whether there is a legal move; where a fault lies among them, one before it counts."""
        if self._bundles is None:
            try:
                self._bundles = self.choices.bundles(self.scene, {-1: STEPS_PER_MOVE})
            except RuleFault:
                return self.choices.any(self.scene, {-1: STEPS_PER_MOVE})
        return bool(self._bundles)

    def moves(self) -> list[Move]:
        """The legal moves by number."""
        found = [move for bundle in self.bundles() for move in self._moves_in(bundle)]
        found.sort(key=_number)
        return found

    def numbers(self) -> list[int]:
        """The numbers of the legal moves, ascending."""
        found: list[int] = []
        for first, bundle in self._numbered():
            lasts = bundle.lasts
            if isinstance(lasts, range):
                found += range(first + lasts.start, first + lasts.stop)
            else:
                found += [first + last for last in lasts]
        found.sort()
        return found

    def _numbered(self) -> list[tuple[int, Bundle]]:
        """The legal moves, with the numbers that those would have whose last parameters were 0."""
        if self._firsts is None:
            form = self.rules.form
            self._firsts = [(form(one.option).first(one.prefix), one) for one in self.bundles()]
        return self._firsts

    def ranges(self) -> list[MoveRange]:
        """The legal moves by number, a number as last argument as a range."""
        found = [one for bundle in self.bundles() for one in self._ranges_in(bundle)]
        found.sort(key=_number)
        return found

    def _moves_in(self, bundle: Bundle) -> list[Move]:
        form, player, offer = self.rules.form(bundle.option), self.player, self.offer
        prefix, first = bundle.prefix, form.first(bundle.prefix)
        if not bundle.option.parameters:
            return [Move.of(player, form, (), offer, first)]
        return [Move.of(player, form, (*prefix, x), offer, first + x) for x in bundle.lasts]

    def nth(self, bundle: Bundle, index: int) -> Move:
        """One of the moves of a bundle."""
        return self._move(bundle, bundle.lasts[index], None)

    def _move(self, bundle: Bundle, last: int, number: int | None) -> Move:
        option = bundle.option
        values = (*bundle.prefix, last) if option.parameters else ()
        return Move.of(self.player, self.rules.form(option), values, self.offer, number)

    def _ranges_in(self, bundle: Bundle) -> list[MoveRange]:
        last, moves = bundle.option.arguments[-1:], bundle.lasts
        if isinstance(moves, range) and len(moves) > 1 and isinstance(last[0].type, IntType):
            first = self.nth(bundle, 0)
            before = {n: v for n, v in first.arguments.items() if n != last[0].name}
            span = (last[0].name, moves[0], moves[-1])
            return [MoveRange(self.player, first.name, before, *span, first.number)]
        return [
            MoveRange(self.player, move.name, move.arguments, None, 0, 0, move.number)
            for move in self._moves_in(bundle)
        ]

    # ---------------------------------------------------------------- the move meant

    def by_number(self, number: int) -> Move:
        """The legal move of a number; raises a MoveError if there is none."""
        for first, bundle in self._numbered():
            if number - first in bundle.lasts:
                return self._move(bundle, number - first, number)
        count = self.rules.move_count
        if number not in range(count):
            message = f"there is no move {number}; moves are numbered from 0 to {count - 1}"
            raise UnreadableMove(str(number), message)
        legal = self.moves()
        shown = [f"{move.number} ({move.text})" for move in legal[:SHOWN]]
        more = [f"{len(legal) - SHOWN} more"] if len(legal) > SHOWN else []
        message = f"move {number} is not possible now; possible are {', '.join([*shown, *more])}"
        raise IllegalMove(str(number), message, self.stop.span)

    def resolve(self, move: Move | int | str) -> Move:
        """The legal move meant; raises a MoveError that says what is wrong."""
        if isinstance(move, int):
            return self.by_number(move)
        if isinstance(move, Move):
            if move.offer is self.offer and move.player == self.player:
                return move
            choice = move.choice
            if choice is not None and any(choice[0] is option for option in self.stop.options):
                option, values = choice
                numbers = (p.register for p in option.parameters)
                obstacle = self._obstacle(option, dict(zip(numbers, values, strict=True)))
                if obstacle is None:
                    return move
                raise self._illegal(move.text, obstacle)
            move = move.text
        found = self._readings(move)
        legal = [one for reading in found for one in self._fitting(reading)]
        if len(legal) == 1:
            return legal[0]
        if legal:
            raise self._ambiguous(move, legal)
        obstacle = self._obstacle(found[0].option, found[0].registers)
        assert obstacle is not None
        raise self._illegal(move, obstacle)

    def _readings(self, text: str) -> list[Reading]:
        found = readings(self.stop.options, text, self.rules.words)
        if found:
            return found
        here = [option for option in self.stop.options if _begins(text, option.name)]
        if here:
            forms = " or ".join(dict.fromkeys(self._pattern(option) for option in here))
            raise UnreadableMove(text, f"{text!r} cannot be read; it is written {forms}")
        names = ", ".join(dict.fromkeys(option.name for option in self.stop.options))
        if any(_begins(text, family.name) for family in self.rules.machine.families):
            message = f"{text!r} is not possible now; the choice is between: {names}"
            raise IllegalMove(text, message, self.stop.span)
        raise UnreadableMove(text, f"{text!r} is no move of this game; possible now: {names}")

    def _fitting(self, reading: Reading) -> list[Move]:
        """The legal moves that agree with what was said."""
        option, said = reading.option, reading.registers
        numbers = [p.register for p in option.parameters]
        if all(number in said for number in numbers):
            values = tuple(said[number] for number in numbers)
            if self._obstacle(option, said) is not None:
                return []
            form = self.rules.form(option)
            return [Move.of(self.player, form, values, self.offer)]
        return [
            move
            for bundle in self.bundles()
            if bundle.option is option
            for move in self._moves_in(bundle)
            if move.choice is not None and _agrees(said, numbers, move.choice[1])
        ]

    # ---------------------------------------------------------------- what is wrong

    def _obstacle(self, option: Option, given: dict[int, int]) -> Obstacle | None:
        return self.choices.obstacle(option, given, self.scene, {-1: STEPS_PER_MOVE})

    def _illegal(self, text: str, obstacle: Obstacle) -> IllegalMove:
        option, reason, ahead = obstacle.option, obstacle.reason, self.stop.ahead
        if obstacle.most:
            assert ahead is not None
            fewer, most = obstacle.rounds, obstacle.most
            why = f"it leads to {fewer} of the {most} rounds that are possible"
            line = ahead.span.text.splitlines()[0].rstrip(":")
            message = f"{text!r} is not possible: {why} ({line})"
            return IllegalMove(text, message, ahead.span, ahead.cites)
        if reason is None:
            message = f"{text!r} is not possible: {self._range_words(obstacle)}"
            return IllegalMove(text, message, option.span, option.cites)
        if reason.span != option.span:
            why = f"{reason.span.text.splitlines()[0]} does not hold"
        elif obstacle.parameter is None:
            why = f"{option.name} has been chosen already"
        else:
            what, value = self._parameter_words(obstacle, obstacle.found)
            why = f"{what} cannot be {value} here"
        return IllegalMove(text, f"{text!r} is not possible: {why}", reason.span, reason.cites)

    def _range_words(self, obstacle: Obstacle) -> str:
        """`amount is from 17 to 90`."""
        if obstacle.low > obstacle.high:
            return "nothing can be chosen for it"
        what, low = self._parameter_words(obstacle, obstacle.low)
        _, high = self._parameter_words(obstacle, obstacle.high)
        return f"{what} is {low}" if low == high else f"{what} is from {low} to {high}"

    def _parameter_words(self, obstacle: Obstacle, value: int) -> tuple[str, str]:
        """A parameter and one of its values: `amount` and `17`, `wine among cards` and `2`."""
        words = self.rules.words
        assert obstacle.parameter is not None
        register = obstacle.parameter.register
        argument = next(a for a in obstacle.option.arguments if register in a.registers)
        if isinstance(argument.type, SubbagType):
            member = words.members(argument.type.kinds)[argument.registers.index(register)]
            return f"{member} among {argument.name}", str(value)
        return argument.name, say(words.value(argument.type, value))

    def _ambiguous(self, text: str, legal: list[Move]) -> AmbiguousMove:
        texts = tuple(move.text for move in legal)
        shown = [*texts[:SHOWN], *([f"{len(texts) - SHOWN} more"] if len(texts) > SHOWN else [])]
        return AmbiguousMove(text, f"{text!r} can mean {', or '.join(shown)}", texts)

    def _pattern(self, option: Option) -> str:
        """`lay g, sold .., donated ..`."""
        parts = [
            f"({argument.name})" if index == 0 else f"{argument.name} ({argument.name})"
            for index, argument in enumerate(option.arguments)
        ]
        return f"{option.name} {', '.join(parts)}" if parts else option.name


_number = attrgetter("number")


def _begins(text: str, name: str) -> bool:
    return split_name(normal(text), name) is not None


def _agrees(said: dict[int, int], registers: list[int], values: tuple[int, ...]) -> bool:
    pairs = zip(registers, values, strict=True)
    return all(said.get(register, value) == value for register, value in pairs)
