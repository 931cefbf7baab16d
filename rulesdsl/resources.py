"""What comes with the package: games, bots, schemas, and the pages about problems.

A wheel holds these folders inside the package, a checkout (also an editable install) beside
it. Names are looked up in the listing of their folder, so no name leads outside of it.
"""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


class GameNotFound(Exception):
    """No file and no bundled game has this name; `nearest` holds what it may have meant."""

    def __init__(self, name: str, nearest: list[str]) -> None:
        self.name = name
        self.nearest = nearest
        hint = f"; did you mean {' or '.join(nearest)}?" if nearest else ""
        super().__init__(f"no rules file and no bundled game is called {name!r}{hint}")


def bundled_games() -> dict[str, Path]:
    """The files of the bundled games by name: the big ones, variants, classics."""
    games = _folder("games")
    folders = (games, games / "variants", games / "classics")
    files = [file for folder in folders for file in sorted(folder.glob("*.yaml"))]
    return {file.stem: file for file in files}


def find_game(name_or_path: str) -> Path:
    """The file meant: a path, else `NAME.yaml` in the current folder, else the bundled game."""
    for path in (name_or_path, f"{name_or_path}.yaml"):
        if os.path.isfile(path):
            return Path(path)
    bundled = bundled_games()
    if name_or_path in bundled:
        return bundled[name_or_path]
    raise GameNotFound(name_or_path, _nearest(name_or_path, bundled))


def told_file(path: Path) -> str:
    """`bundled`, or the path of a rule file, from the current folder where it lies in it."""
    whole, here = path.resolve(), Path.cwd()
    if whole in bundled_games().values():
        return "bundled"
    return str(whole.relative_to(here)) if whole.is_relative_to(here) else str(path)


def bundled_bots(game: str) -> dict[str, Path]:
    """The files of the bundled bots for a game by name, the beginner first."""
    files = sorted((_folder("bots") / game.replace("-", "_")).glob("*.yaml"))
    found = {file.stem: file for file in files}
    return {name: found[name] for name in sorted(found, key=lambda name: name != "beginner")}


def schema_text(name: str) -> str:
    """The JSON Schema called `name`: `game` is `schemas/game.schema.json`."""
    text = _listed("schemas", f"{name}.schema.json")
    if text is None:
        raise LookupError(f"no schema is called {name!r}")
    return text


def problem_page(code: str) -> str | None:
    """The page about a problem, in Markdown; None if no problem has this code."""
    return _listed("docs/problems", f"{code}.md")


def page_part(name: str) -> str:
    """A part of the page that `replay --html` writes."""
    return (_PACKAGE / "pages" / name).read_text(encoding="utf-8")


def _folder(name: str) -> Path:
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def _listed(folder: str, file_name: str) -> str | None:
    for file in _folder(folder).glob("*"):
        if file.name == file_name:
            return file.read_text(encoding="utf-8")
    return None


def _nearest(name_or_path: str, bundled: dict[str, Path]) -> list[str]:
    # Imported here since only a slip needs it.
    from difflib import get_close_matches

    asked = Path(name_or_path)
    here = asked.parent.glob("*.yaml") if os.path.isdir(asked.parent) else ()
    shown = {name: name for name in bundled} | {file.stem: str(file) for file in here}
    return [shown[stem] for stem in get_close_matches(asked.stem, sorted(shown), n=3)]
