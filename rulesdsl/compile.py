"""The whole way from the text of a rule file to a machine, in one short function."""

from __future__ import annotations

from rulesdsl.check.checker import check_rules
from rulesdsl.check.model import Model
from rulesdsl.check.visibility import check_visibility
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.program import Machine
from rulesdsl.machine.settings import settle_options
from rulesdsl.machine.verify import verify
from rulesdsl.syntax.from_yaml import read_rules
from rulesdsl.text.problems import Problems
from rulesdsl.text.source import Source


def check_source(source: Source) -> Model:
    """Read and check a rule file. Raises RulesError with every problem found."""
    problems = Problems()
    tree = read_rules(source, problems)
    model = None if tree is None else check_rules(tree, problems)
    if model is not None and not len(problems):
        check_visibility(model, problems)
    problems.check()
    assert model is not None
    return model


def compile_rules(
    source: Source, players: int | None = None, options: dict[str, object] | None = None
) -> Machine:
    """Text -> tree -> model -> machine, for a number of players and a choice of options.

    `players` None is the least number; `options` not named have their defaults. Raises
    RulesError (the file has problems) or UsageError (no such option, value or number).
    """
    model = check_source(source)
    return verify(make_machine(model, *settle_options(model, players, options or {})))
