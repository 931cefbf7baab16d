"""Reading a rule file whole: its tree and its model, or its problems."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from attrs import frozen

from rulesdsl.check.at_changes import told_at_changes
from rulesdsl.check.model import Model
from rulesdsl.compile import understand, understood_with
from rulesdsl.lab.planning import check_examples
from rulesdsl.syntax.bots import is_bot
from rulesdsl.syntax.tree import RuleFile
from rulesdsl.text.files import read_source
from rulesdsl.text.problems import Problem, Problems, RulesError
from rulesdsl.text.source import Source


@frozen
class Read:
    """A rule file without problems: as written, and as understood."""

    tree: RuleFile
    model: Model


def read_game(path: Path) -> Read:
    """Read and check a file. Raises RulesError with every problem found."""
    source = read_source(path)
    tree, model = understand(source)
    problems = Problems()
    check_examples(model, tree, problems)
    if len(problems):
        raise RulesError(told_at_changes(source, problems, partial(_problems_with, source)))
    return Read(tree, model)


def _problems_with(source: Source, changes: int) -> Problems:
    """The problems there are with so many of the changes of a file, its examples with them."""
    problems = Problems()
    understood = understood_with(source, problems, changes)
    if understood is not None:
        check_examples(understood[1], understood[0], problems)
    return problems


def problems_of(path: Path) -> list[Problem]:
    """What is wrong with a file, of rules or a bot; nothing for a good one."""
    try:
        if is_bot(read_source(path)):
            # games are read much more often, and need nothing that plays
            from rulesdsl.agents.bot_files import bot_problems

            return bot_problems(path)
        read_game(path)
    except RulesError as error:
        return error.problems
    return []
