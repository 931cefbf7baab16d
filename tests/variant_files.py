"""Rule files in a folder, for tests of files that stand on others."""

from __future__ import annotations

import shutil
from pathlib import Path

from rulesdsl.compile import check_source
from rulesdsl.lab.reading import problems_of, read_game
from rulesdsl.play.rules_hash import rules_hash
from rulesdsl.syntax.from_yaml import resolved
from rulesdsl.syntax.variants.layers import Whole
from rulesdsl.syntax.variants.printing import printed
from rulesdsl.text.files import read_source
from rulesdsl.text.source import Source

FOLDER = Path(__file__).parent / "variants"
HEAD = "rules: 1\ngame: mine\nextends: base.yaml\n"


def write(folder: Path, **files: str) -> Path:
    """The base and other files in a folder, by their names; the last one is given."""
    shutil.copy(FOLDER / "base.yaml", folder)
    path = folder / "base.yaml"
    for name, text in files.items():
        path = folder / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
    return path


def told(path: Path) -> list[str]:
    """What is told of a file: `line: code: note`."""
    return [
        f"{Path(p.span.source.name).name}:{p.span.line}: {p.code}: {p.note}"
        for p in problems_of(path)
    ]


def whole_of(path: Path) -> Whole:
    return resolved(read_source(path))


def hash_of(path: Path) -> str:
    return rules_hash(read_game(path).model)


def text_of(path: Path) -> str:
    """A file and what it extends, as one text."""
    return printed(whole_of(path))


def hash_of_text(text: str) -> str:
    return rules_hash(check_source(Source("whole.yaml", text)))


def changed(folder: Path, changes: str, rest: str = "") -> str:
    """The base with changes, as one text; it is well formed."""
    path = write(folder, mine=f"{HEAD}changes:\n{changes}{rest}")
    problems = told(path)
    assert problems == [], "\n".join(problems)
    text = text_of(path)
    assert hash_of_text(text) == hash_of(path), text
    return text
