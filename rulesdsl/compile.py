"""The whole way from the text of a rule file to a machine, in short functions."""

from __future__ import annotations

from functools import partial

from rulesdsl.check.at_changes import told_at_changes
from rulesdsl.check.bot_secrets import check_bot_secrets
from rulesdsl.check.bots import Bot, understand_bot
from rulesdsl.check.checker import check_rules
from rulesdsl.check.model import Model
from rulesdsl.check.visibility import check_visibility
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.program import Machine
from rulesdsl.machine.settings import settle_options
from rulesdsl.machine.verify import verify
from rulesdsl.syntax.bot_tree import BotFile
from rulesdsl.syntax.from_yaml import read_rules
from rulesdsl.syntax.tree import RuleFile
from rulesdsl.text.collecting import no_collecting
from rulesdsl.text.problems import Problems, RulesError
from rulesdsl.text.source import Source


def check_source(source: Source) -> Model:
    """Read and check a rule file. Raises RulesError with every problem found."""
    return understand(source)[1]


@no_collecting()
def understand(source: Source) -> tuple[RuleFile, Model]:
    """A rule file as written and as understood. Raises RulesError with every problem found."""
    problems = Problems()
    understood = understood_with(source, problems, None)
    if understood is None:
        raise RulesError(told_at_changes(source, problems, partial(_problems_with, source)))
    return understood


def check_bot(files: tuple[BotFile, ...], model: Model) -> Bot:
    """A bot with those that it extends, for a game. Raises RulesError with every problem found."""
    problems = Problems()
    bot = understand_bot(files, model, problems)
    if not len(problems):
        check_bot_secrets(bot, problems)
    problems.check()
    return bot


def _problems_with(source: Source, changes: int) -> Problems:
    problems = Problems()
    understood_with(source, problems, changes)
    return problems


def understood_with(
    source: Source, problems: Problems, changes: int | None
) -> tuple[RuleFile, Model] | None:
    """A rule file with so many of its changes (None: all); None if there are problems."""
    tree = read_rules(source, problems, changes)
    model = None if tree is None else check_rules(tree, problems)
    if model is not None and not len(problems):
        check_visibility(model, problems)
    return None if tree is None or model is None or len(problems) else (tree, model)


@no_collecting()
def compile_rules(
    source: Source, players: int | None = None, options: dict[str, object] | None = None
) -> Machine:
    """Text -> tree -> model -> machine, for a number of players and a choice of options.

    `players` None is the least number; `options` not named have their defaults. Raises
    RulesError (the file has problems) or UsageError (no such option, value or number).
    """
    return machine_of(check_source(source), players, options or {})


@no_collecting()
def machine_of(model: Model, players: int | None, options: dict[str, object]) -> Machine:
    """The machine of a model; players and options as for rules. Raises UsageError."""
    return verify(make_machine(model, *settle_options(model, players, options)))
