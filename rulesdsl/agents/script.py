"""A bot made ready for a machine: its expressions as functions, asked of records."""

from __future__ import annotations

from attrs import define, evolve, field, frozen

from rulesdsl.check import model as m
from rulesdsl.check.bots import Bot, Line, Lines
from rulesdsl.check.datatypes import SubbagType
from rulesdsl.check.walk import nodes
from rulesdsl.engines.choices import Bundle
from rulesdsl.engines.values import Fn, value
from rulesdsl.machine.places import Registers
from rulesdsl.machine.program import Choose, Option, R
from rulesdsl.machine.values import Values
from rulesdsl.play.asking import Asked
from rulesdsl.play.rules import Rules
from rulesdsl.play.state import State
from rulesdsl.text.limits import STEPS_PER_MOVE
from rulesdsl.text.problems import Problem, RulesError


@frozen
class _Given:
    """An argument with the value that it should have, and how far it may lie from it."""

    register: int
    value: Fn
    within: Fn | None


@frozen
class ReadyLine:
    """A line as functions."""

    option: Option
    given: tuple[_Given, ...]
    where: Fn | None
    by: tuple[Fn, ...]
    only_if: Fn | None


@define(eq=False)
class Script:
    """What a bot prefers in a game for one number of players and one choice of options."""

    bot: Bot
    rules: Rules
    _values: Values = field(init=False)
    _me: int = field(init=False)
    _lines: dict[int, tuple[ReadyLine, ...]] = field(factory=dict, init=False)
    _worth: Fn | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        machine, model = self.rules.machine, self.bot.model
        registers = Registers(machine.registers)
        self._values = Values(model, machine.seats, machine.options, machine.layout, registers)
        self._me = registers.new()
        self._values.bind(self.bot.me, R(self._me))
        if self.bot.worth is not None:
            self._worth = value(self._values.value(self.bot.worth))

    def check(self) -> None:
        """Make all lines ready. Raises RulesError where one names what is not known there."""
        for stop in self.rules.machine.stops:
            if isinstance(stop, Choose):
                self.lines(stop)

    @classmethod
    def fitting(cls, bot: Bot, rules: Rules) -> Script | None:
        """The bot made ready; None if a line names what is not known where it is asked."""
        script = cls(bot, rules)
        try:
            script.check()
        except RulesError:
            return None
        return script

    # ---------------------------------------------------------------- asking

    @property
    def has_worth(self) -> bool:
        return self._worth is not None

    def worth(self, state: State, player: int) -> int:
        """What a position is worth to a player, as the bot sees it."""
        if self._worth is None:
            raise ValueError(f"the bot {self.bot.name} does not say what a position is worth")
        asked = state.asked(player)
        scene = list(state.record) if asked is None else asked.scene
        return self._worth(scene, self._registers(player))

    def preferred(self, asked: Asked, bundles: list[Bundle]) -> list[Bundle]:
        """The moves of the first line that leads to any, one as good as the other."""
        for line in self.lines(asked.stop):
            found = self._moves_of(line, asked, bundles)
            if found:
                return found
        return []

    def _registers(self, player: int) -> list[int]:
        registers = [0] * (self._values.registers.used + 1)
        registers[self._me] = player
        registers[-1] = STEPS_PER_MOVE
        return registers

    def _moves_of(self, line: ReadyLine, asked: Asked, bundles: list[Bundle]) -> list[Bundle]:
        scene, registers = asked.scene, self._registers(asked.player)
        here = [bundle for bundle in bundles if bundle.option is line.option]
        if not here or (line.only_if is not None and not line.only_if(scene, registers)):
            return []
        bounds: dict[int, tuple[int, int]] = {}
        for given in line.given:
            wanted = given.value(scene, registers)
            within = 0 if given.within is None else given.within(scene, registers)
            bounds[given.register] = wanted - within, wanted + within
        fitting = [one for bundle in here for one in _cut(bundle, bounds)]
        if line.where is None and not line.by:
            return fitting
        return self._best(line, fitting, scene, registers)

    def _best(
        self, line: ReadyLine, fitting: list[Bundle], scene: list[int], registers: list[int]
    ) -> list[Bundle]:
        """The moves for which `where` holds with the greatest `by`."""
        best: tuple[int, ...] | None = None
        found: list[Bundle] = []
        for bundle in fitting:
            for last in range(bundle.low, bundle.high + 1):
                registers[-1] = STEPS_PER_MOVE
                for parameter, x in zip(line.option.parameters, bundle.values(last), strict=True):
                    registers[parameter.register] = x
                if line.where is not None and not line.where(scene, registers):
                    continue
                keys = tuple(key(scene, registers) for key in line.by)
                if best is None or keys > best:
                    best, found = keys, []
                if keys == best:
                    found.append(evolve(bundle, low=last, high=last))
        return found

    # ---------------------------------------------------------------- making ready

    def lines(self, stop: Choose) -> tuple[ReadyLine, ...]:
        """The lines for a stop of the machine."""
        found = self._lines.get(stop.number)
        if found is None:
            said = self.bot.decisions.get(stop.span)
            found = () if said is None else self._ready(said, stop)
            self._lines[stop.number] = found
        return found

    def _ready(self, said: Lines, stop: Choose) -> tuple[ReadyLine, ...]:
        for name, known in stop.known:
            self._values.bind(name, known)
        known_here = {id(name) for name, _ in stop.known}
        ready: list[ReadyLine] = []
        for line in said.lines:
            option = next((o for o in stop.options if o.name == line.option.name), None)
            # an option that the choice of options has taken away
            if option is not None:
                self._check_names(line, known_here)
                ready.append(self._ready_line(line, option))
        return tuple(ready)

    def _ready_line(self, line: Line, option: Option) -> ReadyLine:
        values, registers = self._values, {}
        only_if = None if line.only_if is None else value(values.value(line.only_if))
        given = [
            (
                one,
                value(values.value(one.value)),
                None if one.within is None else value(values.value(one.within)),
            )
            for one in line.chosen
        ]
        for parameter, argument in zip(line.option.parameters, option.arguments, strict=True):
            registers[id(parameter.local)] = argument.registers[0]
            if isinstance(parameter.local.type, SubbagType):
                values.bags[id(parameter.local)] = tuple(map(R, argument.registers))
            else:
                values.bind(parameter.local, R(argument.registers[0]))
        return ReadyLine(
            option,
            tuple(
                _Given(registers[id(one.parameter)], want, within) for one, want, within in given
            ),
            None if line.where is None else value(values.value(line.where)),
            tuple(value(values.value(key)) for key in line.by),
            only_if,
        )

    def _check_names(self, line: Line, known: set[int]) -> None:
        """Whether the rules still know the names that a line uses."""
        bound = {id(parameter.local) for parameter in line.option.parameters}
        bound |= {id(self.bot.me), *known}
        for expr in line.exprs():
            inside = {id(n.binder) for n in nodes(expr) if isinstance(n, (m.Fold, m.Pick))}
            for node in nodes(expr):
                name: m.Local | m.Counter
                match node:
                    case m.LocalRead() | m.SubbagSize() | m.SubbagCount():
                        name = node.local
                    case m.CounterRead():
                        name = node.counter
                    case _:
                        continue
                if id(name) not in bound | inside:
                    note = f"the rules do not use {name.name} from here on, and forget it"
                    raise RulesError([Problem("unknown-name", node.span, note)])


def _cut(bundle: Bundle, bounds: dict[int, tuple[int, int]]) -> list[Bundle]:
    """Those moves of a bundle whose arguments lie within bounds."""
    if not bounds:
        return [bundle]
    *before, last = bundle.option.parameters
    for parameter, x in zip(before, bundle.prefix, strict=True):
        low, high = bounds.get(parameter.register, (x, x))
        if not low <= x <= high:
            return []
    low, high = bounds.get(last.register, (bundle.low, bundle.high))
    low, high = max(low, bundle.low), min(high, bundle.high)
    return [evolve(bundle, low=low, high=high)] if low <= high else []
