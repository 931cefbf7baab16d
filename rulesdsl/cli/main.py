"""The command `rulesdsl`: its groups are loaded only when one of their commands is used."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module

import click

from rulesdsl.version import __version__

COMMANDS = {
    "games": ("rulesdsl.cli.rules", "the games that are here"),
    "show": ("rulesdsl.cli.showing", "a game on one page, or as tree, model, machine, graph"),
    "new": ("rulesdsl.cli.rules", "a rule file of your own: a variant or a copy of a game"),
    "validate": ("rulesdsl.cli.rules", "what is wrong with a rule file"),
    "test": ("rulesdsl.cli.rules", "validate, run the examples, then play many games"),
    "diff": ("rulesdsl.cli.rules", "what makes two games different, by what it means"),
    "run": ("rulesdsl.cli.playing", "watch one game"),
    "simulate": ("rulesdsl.cli.simulate", "what comes of many games: who wins, by what, how long"),
    "compare": ("rulesdsl.cli.compare", "what a change of rules does, on the same deals"),
    "play": ("rulesdsl.cli.seat", "take a seat, against bots or others at this screen"),
    "bots": ("rulesdsl.cli.playing", "who can play a game"),
    "replay": ("rulesdsl.cli.playing", "a game from its playlog"),
    "help": ("rulesdsl.cli.rules", "what a problem or a word of the language means"),
}
MEANT = {
    "check": "`rulesdsl validate` says what is wrong with a file, `rulesdsl test` plays it too",
    "lint": "`rulesdsl validate` says what is wrong with a file",
    "verify": "`rulesdsl replay LOG --verify` compares rules and playlog",
    "sim": "`rulesdsl simulate GAME` plays many games",
    "list": "`rulesdsl games` lists the games that are here",
    "copy": "`rulesdsl new mine.yaml --copy GAME` writes a rule file of your own",
    "variant": "`rulesdsl new mine.yaml --from GAME` writes a variant of a game",
    "explain": "`rulesdsl help NAME` explains a problem or a word of the language",
}
"""What people type who mean another command."""

WELCOME = f"""rulesdsl {__version__}: board and card games written as rules

Watch        rulesdsl run ostia                     four bots play one game
Play         rulesdsl play ostia                    take a seat
Change       rulesdsl new mine.yaml --from ostia    a variant: what is to be otherwise, nothing else
             rulesdsl new mine.yaml --copy ostia    a rule file of your own
             rulesdsl test mine.yaml                is it well formed, do its examples hold
Study        rulesdsl simulate ostia -n 1000        who wins how often, by what, how long it takes
             rulesdsl compare ostia mine.yaml       what a change does to the same deals
Understand   rulesdsl show ostia                    the game on one page, with its options
             rulesdsl help secret-in-guard          a problem, or a word of the language
More         games  bots  validate  diff  replay    rulesdsl COMMAND --help tells all of a command
"""


class ReaderGone(Exception):
    """Nobody reads on: the output went to a program like `head`."""


class Commands(click.Group):
    """Commands by name, each imported when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(
            import_module(COMMANDS[cmd_name][0]), f"{cmd_name}_command"
        )
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name in COMMANDS:
            return super().resolve_command(ctx, args)
        if name in MEANT:
            raise click.UsageError(f"there is no command {name}: {MEANT[name]}")
        # imported here since only a slip needs it
        from rulesdsl.text.spelling import nearest

        near = nearest(name, COMMANDS)
        hint = f"; did you mean `rulesdsl {near}`?" if near else " (rulesdsl --help lists them)"
        raise click.UsageError(f"there is no command {name}{hint}")

    def invoke(self, ctx: click.Context) -> object:
        try:
            found = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError as error:
            raise ReaderGone from error
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.command(cls=Commands, invoke_without_command=True)
@click.version_option(__version__, message="rulesdsl %(version)s")
@click.pass_context
def group(ctx: click.Context) -> None:
    """Board and card games written as rules: check them, test them, watch them played."""
    if ctx.invoked_subcommand is None:
        click.echo(WELCOME, nl=False)


def main() -> None:
    """Run the command line. Exit 0 fine, 1 problems in rules, 2 usage, 3 our own fault."""
    # a command makes many objects and drops few: looking for those in circles takes a quarter of it
    gc.set_threshold(200_000, 20, 20)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
    try:
        code = group.main(standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("stopped", err=True)
        code = 130
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except ReaderGone:
        # the reader has gone; Python would complain again when it closes the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception as error:
        code = _failed(error)
    # what is left goes with the process, and need not be looked through
    gc.freeze()
    sys.exit(code if isinstance(code, int) else 0)


def _failed(error: Exception) -> int:
    """Tell of an error in words: the author's and the user's are 1 and 2, ours is 3."""
    from rulesdsl.cli.failing import tell

    return tell(error)
