"""The command that shows a game: on one page, or as one of the stages it goes through."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulesdsl.resources import find_game

if TYPE_CHECKING:
    from rulesdsl.check.model import Local


STAGES = ["page", "tree", "model", "machine", "python", "graph", "resolved", "rulings"]
SETTLED = ("machine", "python")
"""What is made for a number of players and a choice of options."""


@click.command("show")
@click.argument("game")
@click.option(
    "--as",
    "stage",
    type=click.Choice(STAGES),
    default="page",
    help="the page (default), a stage of the rules, the graph of who calls whom, a variant and "
    "what it extends as one rule file, or what rests on each ruling",
)
@click.option(
    "--format", "form", type=click.Choice(["mermaid", "dot"]), help="for --as graph: mermaid or dot"
)
@click.option("--players", type=click.IntRange(1), help="for --as machine, python")
@click.option("--with", "options", multiple=True, help="for --as machine, python: an option")
@click.option("--disclosures", is_flag=True, help="where the rules tell a secret, with sections")
def show_command(
    game: str,
    stage: str,
    form: str | None,
    players: int | None,
    options: tuple[str, ...],
    disclosures: bool,
) -> None:
    """Show a game: players, components, options, course, scoring, rulings."""
    from rulesdsl.lab.page import graph, outline, page
    from rulesdsl.lab.reading import read_game

    _goes_with("--with", bool(options), stage, disclosures, SETTLED)
    _goes_with("--players", players is not None, stage, disclosures, SETTLED)
    _goes_with("--format", form is not None, stage, disclosures, ("graph",))
    path = find_game(game)
    read = read_game(path)
    if stage == "resolved":
        _resolved(path)
        return
    if disclosures:
        _disclosures(read.model)
    elif stage == "rulings":
        from rulesdsl.lab.rulings import rulings_page

        click.echo("\n".join(rulings_page(read.tree)))
    elif stage == "page":
        click.echo(page(read.tree, read.model), nl=False)
        click.echo(f"\n{path}")
    elif stage == "tree":
        click.echo("\n".join(outline(read.tree)))
    elif stage == "model":
        _model(read.model)
    elif stage in ("machine", "python"):
        from rulesdsl.cli.playing import given_options
        from rulesdsl.engines.python.engine import GeneratedEngine
        from rulesdsl.machine.from_model import make_machine
        from rulesdsl.machine.listing import listing
        from rulesdsl.machine.settings import settle_options

        settled = settle_options(read.model, players, given_options(options))
        machine = make_machine(read.model, *settled)
        of_python = stage == "python"
        text = GeneratedEngine(machine).sources.listing() if of_python else listing(machine)
        click.echo(text, nl=False)
    else:
        click.echo(graph(read.tree, form or "mermaid"), nl=False)


def _goes_with(
    option: str, given: bool, stage: str, disclosures: bool, stages: tuple[str, ...]
) -> None:
    """Raises UsageError for an option that would change nothing."""
    if given and (disclosures or stage not in stages):
        shown = "--disclosures" if disclosures else f"--as {stage}"
        goes = " or ".join(f"--as {one}" for one in stages)
        raise click.UsageError(f"{option} changes nothing in {shown}; it goes with {goes}")


def _resolved(path: Path) -> None:
    """The rule file and what it extends as one, which stands alone."""
    from rulesdsl.syntax.from_yaml import resolved
    from rulesdsl.syntax.variants.printing import printed
    from rulesdsl.text.files import read_source

    click.echo(printed(resolved(read_source(path))), nl=False)


def _disclosures(model: object) -> None:
    from rulesdsl.check.model import Model
    from rulesdsl.check.visibility import check_visibility
    from rulesdsl.text.problems import Problems

    assert isinstance(model, Model)
    for told in check_visibility(model, Problems()):
        cites = ", ".join(f"{cite.source} {cite.section}" for cite in told.cites)
        click.echo(f"{told.span}   {told.what}   {cites}".rstrip())


def _model(model: object) -> None:
    """Every name with its type and who sees it."""
    from rulesdsl.check.model import Model

    assert isinstance(model, Model)
    for (section, name), scalar in model.scalars.items():
        sight = "" if scalar.sight.value == "all" else f", {scalar.sight.value}"
        spoken = ", spoken" if scalar.spoken else ""
        click.echo(f"{section}.{name}: {scalar.type}{sight}{spoken}")
    for (section, name), zone in model.zones.items():
        kinds = " or ".join(kind.name for kind in zone.kinds)
        sight = "" if zone.sight.value == "all" else f", {zone.sight.value}"
        sight += "".join(f", {column.name} seen" for column in zone.columns_seen)
        click.echo(f"{section}.{name}: {zone.shape.value} of {kinds}{sight}, up to {zone.capacity}")
        for note in zone.notes:
            click.echo(f"{section}.{name}.{note.name}: {note.type}, spoken")
    for define in model.defines.values():
        click.echo(f"{define.name}{_formals(define.formals)}: {define.type}")
    for phase in model.phases.values():
        click.echo(f"phase {phase.name}{_formals(phase.formals)}")
    for procedure in model.procedures.values():
        click.echo(f"{procedure.name}{_formals(procedure.formals) or '()'}")


def _formals(formals: tuple[Local, ...]) -> str:
    """The names of a definition, procedure or phase in parentheses, each with its type."""
    listed = ", ".join(f"{local.name} in {local.type}" for local in formals)
    return f"({listed})" if listed else ""
