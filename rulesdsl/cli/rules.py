"""Commands about rule files: games, new, validate, test, help."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulesdsl.resources import bundled_games, find_game, problem_page
from rulesdsl.text.kept import user_folder

if TYPE_CHECKING:
    from rulesdsl.lab.results import Results
    from rulesdsl.lab.trial import Trial


@click.command("games")
def games_command() -> None:
    """The games that come with rulesdsl."""
    from rulesdsl.syntax.from_yaml import read_head
    from rulesdsl.text.files import read_source

    for name, path in bundled_games().items():
        title, least, most = read_head(read_source(path))
        players = str(least) if least == most else f"{least}-{most}"
        click.echo(f"{name:<18} {players:>4} players   {title}")


@click.command("new")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--from", "base", help="the game to write a variant of: it stays as it is")
@click.option("--copy", "game", help="the game to copy whole, to rework all of it")
def new_command(file: Path, base: str | None, game: str | None) -> None:
    """Write a rule file of your own: a variant of a game, or a copy of it."""
    if (base is None) == (game is None):
        raise click.UsageError(
            "`--from GAME` writes a variant of it, `--copy GAME` a copy: say one"
        )
    if base is not None:
        _new_variant(file, base)
    elif game is not None:
        _new_copy(file, game)


def _new_variant(file: Path, base: str) -> None:
    from rulesdsl.lab.variants import NoVariant, variant_text

    try:
        text = variant_text(file, find_game(base))
    except NoVariant as error:
        raise click.UsageError(str(error)) from None
    if file.exists():
        raise click.UsageError(f"{file} is there already; nothing was written")
    file.write_text(text, encoding="utf-8")
    click.echo(
        f"{file} is a variant of {base}. Write what is to be otherwise under `changes`, "
        f"then:  rulesdsl test {file}"
    )


def _new_copy(file: Path, game: str) -> None:
    source = find_game(game)
    copies = {file: source.read_bytes(), **_data_copies(file.parent, source)}
    for copy, content in copies.items():
        if copy.exists() and (copy == file or copy.read_bytes() != content):
            raise click.UsageError(f"{copy} is there already; nothing was written")
    for copy, content in copies.items():
        if copy != file:
            copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(content)
    more = f", and so are the files it names: {', '.join(map(str, [*copies][1:]))}"
    click.echo(
        f"{file} is a copy of {source}{more if len(copies) > 1 else ''}. "
        f"Change a line, then:  rulesdsl test {file}"
    )


def _data_copies(folder: Path, source: Path) -> dict[Path, bytes]:
    """The data files of a game and their content, by where their copies are to stand."""
    from rulesdsl.syntax.data_files import files_named_in
    from rulesdsl.text.files import NoDataFile, find_data, read_source

    found: dict[Path, bytes] = {}
    for name in files_named_in(read_source(source)):
        # one that is missing is told when the copy is looked at
        with suppress(NoDataFile):
            found[folder / name] = find_data(source.parent, name).read_bytes()
    return found


@click.command("diff")
@click.argument("game")
@click.argument("other")
def diff_command(game: str, other: str) -> None:
    """Tell what a game has otherwise than another, by what it means and not by lines."""
    from rulesdsl.lab.differences import differences
    from rulesdsl.syntax.from_yaml import resolved
    from rulesdsl.text.files import read_source

    first, second = (resolved(read_source(find_game(name))) for name in (game, other))
    found = differences(first, second)
    if not found:
        click.echo(f"{game} and {other} have the same rules and examples.")
    for difference in found:
        click.echo(str(difference))


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
    for path in [find_game(name) for name in files]:
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
    from rulesdsl.lab.variants import advice_on_problems
    from rulesdsl.syntax.bots import is_bot
    from rulesdsl.text.files import read_source
    from rulesdsl.text.problems import RulesError
    from rulesdsl.text.render import to_text

    failed = False
    for path in [find_game(name) for name in files]:
        try:
            if is_bot(read_source(path)):
                other = f"`rulesdsl validate {path}`, or `rulesdsl run GAME --bot {path}`"
                raise click.UsageError(f"{path} is a bot: {other}")
            failed = _test(path, games) or failed
        except RulesError as error:
            click.echo(to_text(str(path), error.problems), nl=False)
            for line in advice_on_problems(path, error.problems):
                click.echo(line)
            failed = True
    if failed:
        raise SystemExit(1)


def _test(path: Path, games: int) -> bool:
    """Test one file; whether something is wrong."""
    from rulesdsl.agents.roster import Roster
    from rulesdsl.lab.examples import run_examples
    from rulesdsl.lab.promises import promises_kept
    from rulesdsl.lab.reading import read_game
    from rulesdsl.lab.trial import play_at_random
    from rulesdsl.lab.variants import advice
    from rulesdsl.text.problems import Problems, RulesError

    read = read_game(path)
    click.echo(f"{path} is well formed.")
    problems = Problems()
    results = run_examples(read.model, read.tree, problems)
    if len(problems):
        raise RulesError(list(problems))
    held = f"{results.examples - results.failed} of {results.examples} hold"
    checks = f", {results.checks:,} checks made"
    more = f"; {results.on_purpose} fail and are said to" if results.on_purpose else ""
    click.echo(f"examples   {held + checks + more if results.examples else 'none'}")
    results.failures += promises_kept(read.tree, games)
    _tell_failures(results)
    for line in advice(path, read.tree, results):
        click.echo(line)
    beginner = Roster.of(read.model).beginner(read.model)
    trial = play_at_random(read.model, games, beginner=beginner)
    who = "random games" if beginner is None else "games of random players and beginners"
    click.echo(
        f"play       {trial.games} {who}, {trial.decisions:,} decisions, "
        f"{trial.choices} choices of players and options, {trial.checks:,} checks"
    )
    _tell_faults(trial, path)
    return bool(results.failures or trial.faults)


def _tell_failures(results: Results) -> None:
    """The examples that do not hold, each with all that is not as it says."""
    before = None
    for failure in results.failures:
        if failure.title != before:
            cites = ", ".join(f"{cite.source} {cite.section}" for cite in failure.cites)
            name = f'"{failure.example}"   {cites}'.rstrip()
            click.echo(f"\n  does not hold   {name}   {failure.title}")
        before = failure.title
        click.echo(f"      {failure.note}   ({failure.span})")
    if results.failures:
        click.echo()


def _tell_faults(trial: Trial, path: Path) -> None:
    """Where the rules fail in play, a playlog that leads there, and what was never reached."""
    for number, fault in enumerate(trial.faults, start=1):
        click.echo(f"\n  the rules fail   {fault}")
        log = user_folder() / f"fault-{number}.jsonl"
        with suppress(OSError):
            log.parent.mkdir(parents=True, exist_ok=True)
            log.write_text(fault.playlog, encoding="utf-8")
            click.echo(f"      how it came to this: rulesdsl replay {log} --game {path}")
    if trial.never:
        click.echo(
            f"           not reached: {len(trial.never)} of {trial.pieces} pieces of the rules "
            "(other games may reach them)"
        )
        for piece in trial.never:
            click.echo(f"             {piece}   {piece.span}")


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
