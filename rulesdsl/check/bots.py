"""Bots: what is preferred at the choices of a game, understood and checked against its model."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import Factory, define, evolve, frozen

from rulesdsl.check import model as m
from rulesdsl.check.checker import Checker
from rulesdsl.check.choice_places import ChoiceOption, ChoicePlace, choices_of
from rulesdsl.check.context import PLAYER, Context
from rulesdsl.check.datatypes import IntType, SubbagType
from rulesdsl.check.declarations import Declarations
from rulesdsl.check.measures import check_measures
from rulesdsl.check.narrowing import narrow
from rulesdsl.check.scopes import Scope
from rulesdsl.syntax import bot_tree as w
from rulesdsl.syntax import tree as t
from rulesdsl.text.problems import Problems, Second
from rulesdsl.text.source import Span

ME = "me"


@frozen
class Chosen:
    """An argument of a move and the value it should have, perhaps give or take a number."""

    parameter: m.Local
    value: m.Expr
    within: m.Expr | None


@frozen
class Line:
    """Among the moves of an option, those with these arguments for which `where` holds; of them
    those with the greatest `by`. Nothing where `only_if` does not hold."""

    span: Span
    option: ChoiceOption
    chosen: tuple[Chosen, ...]
    where: m.Expr | None
    by: tuple[m.Expr, ...]
    only_if: m.Expr | None

    def exprs(self) -> Iterable[m.Expr]:
        """All that is worked out for it."""
        for one in self.chosen:
            yield one.value
            if one.within is not None:
                yield one.within
        yield from self.by
        yield from (expr for expr in (self.where, self.only_if) if expr is not None)


@frozen
class Lines:
    """What is preferred at one choice, the best first."""

    place: ChoicePlace
    lines: tuple[Line, ...]


@define(eq=False)
class Bot:
    """A checked bot. `model` is that of the game, with the definitions of the bot."""

    name: str
    game: str
    about: str
    model: m.Model
    me: m.Local
    decisions: dict[Span, Lines] = Factory(dict)
    """By the place where the choice stands in the rules."""
    worth: m.Expr | None = None
    measures: dict[str, m.Measure] = Factory(dict)


def understand_bot(files: tuple[w.BotFile, ...], model: m.Model, problems: Problems) -> Bot:
    """A bot and those it extends, the nearest first, for the model of a game."""
    checker = Checker.for_model(evolve(model, defines=dict(model.defines)), problems)
    me = m.Local(ME, PLAYER, files[0].span)
    bot = Bot(files[0].name.text, model.name, files[0].about, checker.c.model, me)
    checker.c.outer = Scope(names={ME: me})
    reading = _Reading(checker, bot, checker.c.outer)
    _declared(checker.c, model)
    reading.defines(files)
    places = choices_of(model)
    for file in files:
        for decision in file.decisions:
            reading.decision(decision, places)
    worth = next((file.worth for file in files if file.worth is not None), None)
    if worth is not None:
        checker.c.within("bot", f"{bot.name}, worth", ())
        bot.worth = checker.e.number(worth, reading.scope)
    measured = [check_measures(checker.e, checker.types, file.measures, me) for file in files]
    bot.measures = {name: one for group in reversed(measured) for name, one in group.items()}
    return bot


def _names(file: w.BotFile) -> set[str]:
    return {define_.signature.name.text for define_ in file.defines}


def _declared(c: Context, model: m.Model) -> None:
    """What has a name in the game, and where: no name of a bot hides it."""
    for group in (model.options, model.kinds, model.tables, model.defines):
        c.spans.update({name: thing.span for name, thing in group.items()})
    for state in (model.scalars, model.zones):
        shared = {n: thing.span for (owner, n), thing in state.items() if owner == "shared"}
        c.spans.update(shared)
    for kind in model.kinds.values():
        c.fields.update(dict.fromkeys((*kind.members, *kind.columns), kind.span))
    letters = tuple(chr(ord("A") + seat) for seat in range(len(model.seat_names)))
    if model.seat_names != letters:
        c.seats = {name: seat for seat, name in enumerate(model.seat_names)}


@define
class _Reading:
    """Reads what a bot says into its model."""

    checker: Checker
    bot: Bot
    scope: Scope

    @property
    def c(self) -> Context:
        return self.checker.c

    def defines(self, files: tuple[w.BotFile, ...]) -> None:
        """The definitions of a bot; those of a bot it extends count where it has none."""
        model, declarations = self.c.model, Declarations(self.c, self.checker.types)
        own: set[str] = set()
        declared: list[t.Word] = []
        for file in files:
            for decl in file.defines:
                word = decl.signature.name
                if word.text in own:
                    continue
                if not declarations.new_word(word, "definition"):
                    self.c.broken.add(word.text)
                    continue
                formals = self.checker.formals(decl.signature)
                self.c.defines_to_check[word.text] = decl
                model.defines[word.text] = m.Define(word.text, formals, word.span, about=decl.about)
                declared.append(word)
            own |= _names(file)
        for word in declared:
            self.checker.e.define_type(t.Word(word.span, word.text))

    # ---------------------------------------------------------------- decisions

    def decision(self, decision: w.Decision, places: list[ChoicePlace]) -> None:
        """What one entry says, for each choice that it is about."""
        self.c.within("bot", self.bot.name, ())
        found = self._places(decision.path, places)
        options = {option.name for place in found for option in place.options}
        for preference in decision.preferences:
            name = preference.option
            if found and name.text not in options:
                note = f"there is no option {name.text} at this choice"
                self.c.missing(name.span, name.text, sorted(options), note)
        for place in found:
            lines = [self._line(one, place) for one in decision.preferences]
            known = self.bot.decisions.get(place.span)
            before = () if known is None else known.lines
            here = tuple(line for line in lines if line is not None)
            self.bot.decisions[place.span] = Lines(place, (*before, *here))

    def _places(self, path: tuple[t.Word, ...], places: list[ChoicePlace]) -> list[ChoicePlace]:
        """The choices that an address means: `bid`, or `sell_lot / bid`."""
        *owners, option = path
        if owners:
            owner = owners[-1]
            inside = [place for place in places if place.owner == owner.text]
            if not inside:
                note = f"nobody chooses anything in {owner.text}"
                self.c.missing(owner.span, owner.text, [p.owner for p in places], note)
                return []
            places = inside
        found = [place for place in places if place.option(option.text) is not None]
        if not found:
            where = f" in {owners[-1].text}" if owners else ""
            note = f"there is no choice with an option {option.text}{where}"
            known = [one.name for place in places for one in place.options]
            self.c.missing(option.span, option.text, known, note)
        return found

    def _line(self, node: w.Preference, place: ChoicePlace) -> Line | None:
        option = place.option(node.option.text)
        if option is None:
            return None
        self.c.within("bot", f"{self.bot.name}, {place.owner} / {option.name}", ())
        e, known = self.checker.e, len(self.c.problems)
        scope = self.scope.child()
        scope.names.update(place.names)
        only_if = None if node.only_if is None else e.condition(node.only_if, scope)
        if only_if is not None:
            scope = narrow(only_if, scope)
        chosen = [self._chosen(one, node, option, scope) for one in node.chosen]
        moves = scope.child()
        moves.names.update({one.local.name: one.local for one in option.parameters})
        where = None if node.where is None else e.condition(node.where, moves)
        if where is not None:
            moves = narrow(where, moves)
        by = tuple(key for key in (e.number(key, moves) for key in node.by) if key is not None)
        if len(self.c.problems) > known:
            return None
        values = tuple(one for one in chosen if one is not None)
        return Line(node.span, option, values, where, by, only_if)

    def _chosen(
        self, node: w.Chosen, line: w.Preference, option: ChoiceOption, scope: Scope
    ) -> Chosen | None:
        local = self._argument(node, line, option)
        if local is None:
            return None
        if isinstance(local.type, SubbagType):
            note = f"{local.name} are several components, which are told by `where` and `by`"
            help = f"{option.name} by size of {local.name}"
            self.c.add("wrong-type", node.value.span, note, help=help)
            return None
        value = self.checker.e.value(node.value, scope, local.type)
        within = None
        if node.within is not None:
            within = self.checker.e.number(node.within, scope)
            if not isinstance(local.type, IntType):
                note = f"{local.name} is no number: nothing is given or taken"
                self.c.add("wrong-type", node.within.span, note)
        return None if value is None else Chosen(local, value[0], within)

    def _argument(self, node: w.Chosen, line: w.Preference, option: ChoiceOption) -> m.Local | None:
        """The argument that a value is for: the first, or the one named."""
        locals_ = [parameter.local for parameter in option.parameters]
        if not locals_:
            note = f"{option.name} has no arguments"
            self.c.add("wrong-number", node.span, note, second=Second(option.span, "this move"))
            return None
        if node.name is None:
            return locals_[0]
        found = next((one for one in locals_ if one.name == node.name.text), None)
        if found is None:
            note = f"{option.name} has no argument {node.name.text}"
            self.c.missing(node.name.span, node.name.text, [one.name for one in locals_], note)
        elif any(found.name == other for other in _named_before(node, line, locals_)):
            note = f"{found.name} has its value already"
            self.c.add("duplicate-name", node.span, note)
        return found


def _named_before(node: w.Chosen, line: w.Preference, locals_: list[m.Local]) -> Iterable[str]:
    for other in line.chosen:
        if other is node:
            return
        yield locals_[0].name if other.name is None else other.name.text
