"""Libraries that not everybody has installed."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from rulesdsl.machine.settings import UsageError


def extra(module: str, name: str, wanted: str) -> ModuleType:
    """The module of an extra of this package; raises UsageError that says what to install."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise
        needs = f"{wanted} needs {module.partition('.')[0]}, which is not installed"
        raise UsageError(f"{needs}: pip install 'rulesdsl[{name}]'") from None
