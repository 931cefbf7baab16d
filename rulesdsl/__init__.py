"""Rules of board and card games as data: validated, compiled, played."""

from __future__ import annotations

TYPE_CHECKING = False
"""What type checkers take for true; that of `typing` takes longer to import than all else here,
and the command could not be stopped quietly meanwhile."""

if TYPE_CHECKING:
    from rulesdsl.agents.random import Agent, RandomAgent
    from rulesdsl.compile import compile_rules
    from rulesdsl.engines.faults import RuleFault
    from rulesdsl.machine.settings import UsageError
    from rulesdsl.play.faults import (
        AmbiguousMove,
        IllegalMove,
        MoveError,
        NotYourTurn,
        UnreadableMove,
    )
    from rulesdsl.play.game import Game, SaveError
    from rulesdsl.play.loading import load
    from rulesdsl.play.moves import Move
    from rulesdsl.play.outcome import Outcome
    from rulesdsl.play.state import State, check_invariants
    from rulesdsl.resources import GameNotFound
    from rulesdsl.text.problems import InternalError, RulesError
    from rulesdsl.text.source import Source
    from rulesdsl.version import __version__

__all__ = [
    "Agent",
    "AmbiguousMove",
    "Game",
    "GameNotFound",
    "IllegalMove",
    "InternalError",
    "Move",
    "MoveError",
    "NotYourTurn",
    "Outcome",
    "RandomAgent",
    "RuleFault",
    "RulesError",
    "SaveError",
    "Source",
    "State",
    "UnreadableMove",
    "UsageError",
    "__version__",
    "check_invariants",
    "compile_rules",
    "load",
]

_MODULES = {
    "agents.random": ("Agent", "RandomAgent"),
    "compile": ("compile_rules",),
    "engines.faults": ("RuleFault",),
    "machine.settings": ("UsageError",),
    "play.faults": ("AmbiguousMove", "IllegalMove", "MoveError", "NotYourTurn", "UnreadableMove"),
    "play.game": ("Game", "SaveError"),
    "play.loading": ("load",),
    "play.moves": ("Move",),
    "play.outcome": ("Outcome",),
    "play.state": ("State", "check_invariants"),
    "resources": ("GameNotFound",),
    "text.problems": ("InternalError", "RulesError"),
    "text.source": ("Source",),
    "version": ("__version__",),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import what is asked for only now, so that `import rulesdsl` stays quick."""
    from importlib import import_module

    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
