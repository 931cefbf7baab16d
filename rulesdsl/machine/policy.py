"""A bot as part of a machine: what it prefers at each choice, in values of the record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, frozen

from rulesdsl.check import model as m
from rulesdsl.check.datatypes import SubbagType
from rulesdsl.check.walk import nodes
from rulesdsl.machine.places import Registers
from rulesdsl.machine.program import Choose, Machine, Option, R, Value
from rulesdsl.machine.values import Values
from rulesdsl.text.problems import Problem, RulesError

if TYPE_CHECKING:
    # checking takes long to import, and a policy that is kept needs nothing of it
    from rulesdsl.check.bots import Bot, Line, Lines


@frozen
class Wanted:
    """The number that a parameter should have, and how far it may lie from it (None: not)."""

    register: int
    value: Value
    within: Value | None


@frozen
class Preference:
    """Of the moves of an option those with the wanted numbers for which `where` holds; of them
    those with the greatest `by`. None at all where `only_if` does not hold.

    `only_if` and what is wanted are asked before a move is looked at; `where` and `by` with the
    parameters of a move in their registers.
    """

    option: Option
    wanted: tuple[Wanted, ...]
    where: Value | None
    by: tuple[Value, ...]
    only_if: Value | None


@frozen
class Policy:
    """What a bot prefers: at the stop of a number the first preference that leaves any move.

    `me` is the register of the player whom the bot plays. `worth` is what a position is worth to
    the player; `measures` are asked for when a game is over, by name.
    """

    name: str
    me: int
    preferences: dict[int, tuple[Preference, ...]]
    worth: Value | None
    measures: dict[str, Value]


def lower_bot(bot: Bot, machine: Machine) -> Policy:
    """The policy of a bot for a machine of its game. Raises RulesError where a line names what
    the rules do not know any more at its choice."""
    registers = Registers(machine.registers)
    values = Values(bot.model, machine.seats, machine.options, machine.layout, registers)
    me = registers.new()
    values.bind(bot.me, R(me))
    lowering = _Lowering(bot, values)
    preferences = {
        stop.number: lowering.at(bot.decisions[stop.span], stop)
        for stop in machine.stops
        if isinstance(stop, Choose) and stop.span in bot.decisions
    }
    worth = None if bot.worth is None else values.value(bot.worth)
    measures = {name: values.value(one.value) for name, one in bot.measures.items()}
    return Policy(bot.name, me, preferences, worth, measures)


@define
class _Lowering:
    bot: Bot
    values: Values

    def at(self, said: Lines, stop: Choose) -> tuple[Preference, ...]:
        """What is preferred at a stop."""
        for name, known in stop.known:
            self.values.bind(name, known)
        known_here = {id(name) for name, _ in stop.known}
        found: list[Preference] = []
        for line in said.lines:
            option = next((o for o in stop.options if o.name == line.option.name), None)
            # an option that the choice of options has taken away
            if option is not None:
                self._check_names(line, known_here)
                found.append(self._preference(line, option))
        return tuple(found)

    def _preference(self, line: Line, option: Option) -> Preference:
        values, registers = self.values, {}
        only_if = self._maybe(line.only_if)
        wanted = [
            (one.parameter, values.value(one.value), self._maybe(one.within)) for one in line.chosen
        ]
        for parameter, argument in zip(line.option.parameters, option.arguments, strict=True):
            registers[id(parameter.local)] = argument.registers[0]
            if isinstance(parameter.local.type, SubbagType):
                values.bags[id(parameter.local)] = tuple(map(R, argument.registers))
            else:
                values.bind(parameter.local, R(argument.registers[0]))
        return Preference(
            option,
            tuple(Wanted(registers[id(local)], value, within) for local, value, within in wanted),
            self._maybe(line.where),
            tuple(map(values.value, line.by)),
            only_if,
        )

    def _maybe(self, expr: m.Expr | None) -> Value | None:
        return None if expr is None else self.values.value(expr)

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
