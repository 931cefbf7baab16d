"""Help with variants: what a new one holds, and how an edited copy becomes one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulesdsl.lab.differences import Difference, by_title, differences
from rulesdsl.lab.results import Results
from rulesdsl.resources import bundled_games
from rulesdsl.syntax import tree as t
from rulesdsl.syntax.from_yaml import resolved
from rulesdsl.syntax.variants.nodes import one_line, value_of
from rulesdsl.syntax.yaml_nodes import Text
from rulesdsl.text.files import read_source
from rulesdsl.text.problems import Problem, RulesError
from rulesdsl.text.source import Span

_SHOWN = 3


class NoVariant(Exception):
    """A file that cannot extend another one, and where it could."""


def variant_text(file: Path, base: Path) -> str:
    """A variant that changes nothing yet. Raises NoVariant."""
    name = re.sub(r"\W+", "_", file.stem).strip("_")
    name = name if re.match(r"[^\W\d_]", name) else f"my_{name}".rstrip("_")
    return f"rules: 1\ngame: {name}\nextends: {_as_base(file, base)}\n"


def _as_base(file: Path, base: Path) -> str:
    """How a file names what it extends: a bundled game by its name, another by its way."""
    for name, path in bundled_games().items():
        if path == base:
            return name
    folder, target = file.resolve().parent, base.resolve()
    if target.is_relative_to(folder):
        return target.relative_to(folder).as_posix()
    raise NoVariant(
        f"a file extends one in its folder or below it, and {base} is not: "
        f"write the variant to {base.parent / file.name}"
    )


def advice(path: Path, file: t.RuleFile, results: Results) -> Iterator[str]:
    """What to do about examples that do not hold: those of a base, or of a game that was copied."""
    failed = {failure.title: failure for failure in results.failures}
    inherited = [one for one in failed.values() if file.changes and _is_elsewhere(one.title, file)]
    if inherited:
        yield "If that is meant, list them under `changes` of the variant:"
        yield from (f"    - fails: example {one.example}" for one in inherited)
        yield ""
    elif failed and not file.changes:
        yield from _of_copy(path, file.game.text, {one.example for one in failed.values()})


def advice_on_problems(path: Path, problems: Sequence[Problem]) -> Iterator[str]:
    """What to do about examples that cannot be said any more in a game that was copied."""
    try:
        whole = resolved(read_source(path))
    except RulesError:
        return
    game = value_of(whole.root, "game")
    failed = {
        title
        for title, example in by_title(whole.root).items()
        if any(_is_in(problem.span, example.span) for problem in problems)
    }
    if failed and isinstance(game, Text) and len(whole.layers) == 1:
        yield ""
        yield from _of_copy(path, game.text, failed)


def _is_in(one: Span, other: Span) -> bool:
    return one.source.name == other.source.name and other.start <= one.start < other.end


def _is_elsewhere(title: Span, file: t.RuleFile) -> bool:
    return title.source.whole is not file.game.span.source


def _of_copy(path: Path, game: str, failed: set[str]) -> Iterator[str]:
    """An edited copy of a bundled game, whose printed examples fail: it may be a variant."""
    original = bundled_games().get(game)
    if original is None or original.resolve() == path.resolve():
        return
    printed = resolved(read_source(original))
    found = [
        one
        for one in differences(printed, resolved(read_source(path)))
        if "example" not in one.words
    ]
    if not found or not failed & set(by_title(printed.root)):
        return
    for one in found[:_SHOWN]:
        place = "" if one.to is None else f"   ({one.to.span})"
        yield f"Otherwise than in {game}: {one}{place}"
    if len(found) > _SHOWN:
        yield f"and {len(found) - _SHOWN} more:  rulesdsl diff {game} {path}"
    yield "If that is meant, make it a variant, and keep the printed game:"
    yield f"    rulesdsl new my_{game}.yaml --from {game}"
    yield from _as_changes(found[:_SHOWN])
    yield ""


def _as_changes(found: list[Difference]) -> Iterator[str]:
    simple = [one for one in found if one.was is not None and one.to is not None and not one.lines]
    if simple:
        yield "    changes:"
    for one in simple:
        assert one.was is not None
        assert one.to is not None
        yield f"      - set: {one.words}"
        yield f"        was: {one_line(one.was)}"
        yield f"        to: {one_line(one.to)}"
