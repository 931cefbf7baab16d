"""What a file extends: a bundled game by its name, or a file in its folder or below."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from rulesdsl.resources import bundled_games
from rulesdsl.syntax.parser import replaced_line
from rulesdsl.syntax.yaml_nodes import Text
from rulesdsl.text.files import NoDataFile, find_data, read_source
from rulesdsl.text.problems import Problems, RulesError, Second
from rulesdsl.text.source import Source
from rulesdsl.text.spelling import nearest

_ENDINGS = (".yaml", ".yml")


def read_base(name: Text, problems: Problems) -> Source | None:
    """The source of what a file extends; what hinders is told where it is named."""
    path = _path_of(name, problems)
    if path is None:
        return None
    try:
        return read_source(path)
    except RulesError as error:
        first = error.problems[0]
        second = Second(first.span, first.note)
        problems.add(first.code, name.span, "this file is no UTF-8 text", second=second)
    except OSError as error:
        note = f"this file cannot be read: {error.strerror}"
        problems.add("unknown-base", name.span, note, help="see who may read the file")
    return None


def _path_of(name: Text, problems: Problems) -> Path | None:
    if name.text.endswith(_ENDINGS) or "/" in name.text or "\\" in name.text:
        return _beside(name, problems)
    bundled = bundled_games()
    if name.text in bundled:
        return _from_here(bundled[name.text])
    folder = name.span.source.folder
    note, help = f"no game that comes with rulesdsl is called {name.text}", ""
    near = nearest(name.text, bundled)
    if folder is not None and (folder / f"{name.text}.yaml").is_file():
        note += "; a file is named with its ending"
        help = replaced_line(name.span, f"{name.text}.yaml")
    elif near:
        note += f"; did you mean {near}?"
        help = replaced_line(name.span, near)
    about = "`rulesdsl games` lists the games; a file of your own is named with its ending, .yaml."
    problems.add("unknown-base", name.span, note, about=about, help=help)
    return None


def _from_here(path: Path) -> Path:
    """As it is told: from the current folder if it lies there."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _beside(name: Text, problems: Problems) -> Path | None:
    folder = name.span.source.folder
    if folder is None:
        note = "these rules are a text without a folder, so no file stands beside them"
        help = "extend a game that comes with rulesdsl, or read the rules from a file"
        problems.add("unknown-base", name.span, note, help=help)
        return None
    try:
        return find_data(folder, name.text)
    except NoDataFile as error:
        code = "unknown-base" if error.code == "no-data-file" else error.code
        note, help = error.note, error.help
        stem = PurePosixPath(name.text.replace("\\", "/")).stem
        if stem in bundled_games():
            note += f"; the game that comes with rulesdsl is called {stem}"
            help = replaced_line(name.span, stem)
        elif error.near:
            help = replaced_line(name.span, error.near)
        problems.add(code, name.span, note, help=help)
        return None
