"""Reading a rule file whole: its tree and its model, or its problems."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from rulesdsl.check.checker import check_rules
from rulesdsl.check.model import Model
from rulesdsl.check.visibility import check_visibility
from rulesdsl.lab.planning import check_examples
from rulesdsl.syntax.from_yaml import read_rules
from rulesdsl.syntax.tree import RuleFile
from rulesdsl.text.files import read_source
from rulesdsl.text.problems import Problem, Problems, RulesError


@frozen
class Read:
    """A rule file without problems: as written, and as understood."""

    tree: RuleFile
    model: Model


def read_game(path: Path) -> Read:
    """Read and check a file. Raises RulesError with every problem found."""
    source = read_source(path)
    problems = Problems()
    tree = read_rules(source, problems)
    model = None if tree is None else check_rules(tree, problems)
    if model is not None and not len(problems):
        check_visibility(model, problems)
    if model is not None and tree is not None and not len(problems):
        check_examples(model, tree, problems)
    problems.check()
    assert tree is not None
    assert model is not None
    return Read(tree, model)


def problems_of(path: Path) -> list[Problem]:
    """What is wrong with a file; nothing for a good one."""
    try:
        read_game(path)
    except RulesError as error:
        return error.problems
    return []
