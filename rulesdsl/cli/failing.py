"""Errors in words, and the exit code of each."""

from __future__ import annotations

import traceback

import click

from rulesdsl.agents.external import ExternalFault
from rulesdsl.engines.faults import RuleFault
from rulesdsl.machine.settings import UsageError
from rulesdsl.play.playlog import PlaylogError
from rulesdsl.resources import GameNotFound
from rulesdsl.text.problems import RulesError
from rulesdsl.text.render import to_text
from rulesdsl.version import __version__


def tell(error: Exception) -> int:
    """Say what went wrong on the error output; the exit code for it."""
    match error:
        case RulesError():
            name = error.problems[0].span.source.whole.name
            click.echo(to_text(name, error.problems), err=True, nl=False)
            return 1
        case RuleFault():
            click.echo(f"The rules fail while they are played:\n  {error}", err=True)
            return 1
        case ExternalFault():
            click.echo(_sentence(str(error)), err=True)
            return 1
        case PlaylogError():
            click.echo(f"The playlog cannot be played: {error}", err=True)
            return 1
        case UsageError() | GameNotFound():
            click.echo(_sentence(str(error)), err=True)
            return 2
        case OSError():
            where = f"{error.filename}: " if error.filename else ""
            click.echo(f"{where}{_sentence(str(error.strerror))}", err=True)
            return 2
        case _:
            last = traceback.extract_tb(error.__traceback__)[-1]
            click.echo(
                f"This is a fault of rulesdsl {__version__}, not yours. Please report it with the "
                f"rule file and this line:\n  {type(error).__name__}: {error} "
                f"({last.name}, line {last.lineno})",
                err=True,
            )
            return 3


def _sentence(text: str) -> str:
    # names of files and bots stay as they are written
    if text.partition(" ")[0].rstrip(",:").isalpha():
        text = text[:1].upper() + text[1:]
    return text.rstrip(".?") + ("?" if text.endswith("?") else ".")
