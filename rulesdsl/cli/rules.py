"""Commands about rule files: games, new, validate, test, help."""

from __future__ import annotations

from pathlib import Path

import click

from rulesdsl.resources import bundled_games, find_game, problem_page


@click.command("games")
def games_command() -> None:
    """The games that come with rulesdsl."""
    from rulesdsl.lab.reading import read_game

    for name, path in bundled_games().items():
        model = read_game(path).model
        least, most = model.players
        players = str(least) if least == most else f"{least}-{most}"
        click.echo(f"{name:<14} {players:>4} players   {model.title}")


@click.command("new")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--copy", "game", required=True, help="the game to copy")
def new_command(file: Path, game: str) -> None:
    """Write a rule file of your own: a copy of a game, to be changed."""
    if file.exists():
        raise click.UsageError(f"{file} is there already; nothing was written")
    source = find_game(game)
    file.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    click.echo(f"{file} is a copy of {source.name}. Change a line, then:  rulesdsl test {file}")


@click.command("validate")
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif"]),
    default="text",
    help="text for people, json or sarif for programs",
)
def validate_command(files: tuple[str, ...], form: str) -> None:
    """Say what is wrong with rule files: everything at once, without playing."""
    from rulesdsl.lab.reading import problems_of
    from rulesdsl.text.render import to_json, to_sarif, to_text
    from rulesdsl.version import __version__

    found = []
    for name in files:
        path = find_game(name)
        problems = problems_of(path)
        found += problems
        if form == "text" and problems:
            click.echo(to_text(str(path), problems, "nothing else was looked at"), nl=False)
        elif form == "text":
            click.echo(f"{path} is well formed.")
    if form == "json":
        click.echo(to_json(found), nl=False)
    elif form == "sarif":
        click.echo(to_sarif(found, __version__), nl=False)
    if found:
        raise SystemExit(1)


@click.command("test")
@click.argument("files", nargs=-1, required=True)
@click.option("--games", type=click.IntRange(0), default=40, help="how many games to play")
def test_command(files: tuple[str, ...], games: int) -> None:
    """Validate rule files, run their examples, then play at random with the invariants."""
    failed = False
    for name in files:
        failed = _test(find_game(name), games) or failed
    if failed:
        raise SystemExit(1)


def _test(path: Path, games: int) -> bool:
    """Test one file; whether something is wrong."""
    from rulesdsl.lab.examples import run_examples
    from rulesdsl.lab.reading import read_game
    from rulesdsl.lab.trial import play_at_random
    from rulesdsl.text.problems import Problems, RulesError

    read = read_game(path)
    click.echo(f"{path} is well formed.")
    problems = Problems()
    results = run_examples(read.model, read.tree, problems)
    if len(problems):
        raise RulesError(list(problems))
    held = results.examples - results.failed
    click.echo(f"examples   {held} of {results.examples} hold, {results.checks} checks made")
    for failure in results.failures:
        click.echo(f'\n  does not hold   "{failure.example}"   {failure.span}')
        click.echo(f"      {failure.note}")
    trial = play_at_random(read.model, games)
    click.echo(
        f"play       {trial.games} random games, {trial.decisions:,} decisions, "
        f"{trial.choices} choices of players and options, {trial.checks:,} checks"
    )
    for fault in trial.faults:
        click.echo(f"\n  {fault}")
    if trial.never:
        click.echo(
            f"not reached in these games: {len(trial.never)} of {trial.pieces} pieces of the rules"
            " (others may reach them)"
        )
        for what in trial.never:
            click.echo(f"  {what}   {what.span}")
    return bool(results.failures or trial.faults)


@click.command("help")
@click.argument("name", required=False)
def help_command(name: str | None) -> None:
    """What a problem (secret-in-guard) or a word of the language (deal) means."""
    from rulesdsl.check.vocabulary import WORDS
    from rulesdsl.text.codes import CODES
    from rulesdsl.text.spelling import nearest

    if name is None:
        click.echo("rulesdsl help NAME, where NAME is a problem or a word of the language\n")
        for code, meaning in CODES.items():
            click.echo(f"  {code:<24} {meaning}")
        return
    page = problem_page(name)
    words = [entry for entry in WORDS if entry.name == name]
    if page is not None:
        click.echo(page, nl=False)
    elif name in CODES:
        click.echo(f"{name}: {CODES[name]}")
    for entry in words:
        click.echo(f"{entry.signature}\n    {entry.meaning}\n    for example: {entry.example}")
    if page is None and name not in CODES and not words:
        near = nearest(name, [*CODES, *(entry.name for entry in WORDS)])
        hint = f"; did you mean {near}?" if near else ""
        raise click.UsageError(f"there is no problem and no word {name}{hint}")
