"""The house: imports only go down, and files and functions stay small."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "rulesdsl"
STAGES = [
    "version",
    "resources",
    "text",
    "syntax",
    "check",
    "machine",
    "compile",
    "engines",
    "play",
    "agents",
    "lab",
    "cli",
    "__main__",
]
LONG_MODULE, LONGEST_MODULE, LONGEST_FUNCTION = 400, 450, 60
TABLES = {
    "rulesdsl.syntax.tree",
    "rulesdsl.syntax.shape",
    "rulesdsl.check.vocabulary",
    "rulesdsl.check.model",
    "rulesdsl.machine.program",
}
"""Closed lists of classes or words, which are read as a table and not split."""


def module_name(file: Path) -> str:
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_name(file): file for file in sorted(PACKAGE.rglob("*.py"))}
INNER = [name for name in FILES if name != "rulesdsl"]


def stage(module: str) -> int:
    """The place of a module's stage; a new folder has to be given one."""
    return STAGES.index(module.split(".")[1])


def imports(module: str, tree: ast.Module, is_folder: bool) -> Iterator[tuple[int, str]]:
    """Line and full name of what a module imports from the package, wherever it does so."""
    parts = module.split(".")
    folder = parts if is_folder else parts[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
            names += [alias.name.split(".")[0] for alias in node.names if not alias.asname]
        elif isinstance(node, ast.ImportFrom):
            base = folder[: len(folder) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            names = [source, *(f"{source}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            names = [str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)]
        else:
            continue
        for name in dict.fromkeys(names):
            if name in FILES and name != module:
                yield node.lineno, name


@cache
def imports_of(module: str) -> list[tuple[int, str]]:
    file = FILES[module]
    tree = ast.parse(file.read_text(encoding="utf-8"), str(file))
    return list(imports(module, tree, file.name == "__init__.py"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import rulesdsl", {"rulesdsl"}),
        ("import rulesdsl.text.source", {"rulesdsl", "rulesdsl.text.source"}),
        ("import rulesdsl.text.source as s", {"rulesdsl.text.source"}),
        ("from rulesdsl import resources", {"rulesdsl", "rulesdsl.resources"}),
        ("from rulesdsl.text import source", {"rulesdsl.text", "rulesdsl.text.source"}),
        ("from ..text.source import Span", {"rulesdsl.text.source"}),
        ("from .. import resources", {"rulesdsl", "rulesdsl.resources"}),
        ("def f():\n    from rulesdsl.text.source import Span", {"rulesdsl.text.source"}),
        ("if TYPE_CHECKING:\n    from rulesdsl.text.source import Span", {"rulesdsl.text.source"}),
        ("importlib.import_module('rulesdsl.text.source')", {"rulesdsl.text.source"}),
        ("import os, yaml", set()),
    ],
)
def test_every_way_to_import_is_seen(text: str, expected: set[str]) -> None:
    assert {name for _, name in imports("rulesdsl.check.model", ast.parse(text), False)} == expected


def test_every_stage_has_a_place() -> None:
    unplaced = {module.split(".")[1] for module in INNER} - set(STAGES)
    assert not unplaced, f"add to STAGES, where they belong: {unplaced}"


@pytest.mark.parametrize("module", INNER)
def test_imports_only_go_down(module: str) -> None:
    above = [
        f"{FILES[module]}:{line} imports {name}"
        for line, name in imports_of(module)
        if name != "rulesdsl" and stage(name) > stage(module)
    ]
    assert not above, "\n".join(above)


@pytest.mark.parametrize("module", INNER)
def test_nothing_inside_imports_the_package_root(module: str) -> None:
    lines = [line for line, name in imports_of(module) if name == "rulesdsl"]
    assert not lines, f"{FILES[module]}, lines {lines}"


def test_no_modules_import_each_other() -> None:
    graph = {module: {name for _, name in imports_of(module)} for module in INNER}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def test_modules_stay_short() -> None:
    lengths = {name: len(f.read_text("utf-8").splitlines()) for name, f in FILES.items()}
    long = {name: length for name, length in lengths.items() if length > LONG_MODULE}
    print(f"modules of more than {LONG_MODULE} lines: {long or 'none'}")
    too_long = {
        name: length
        for name, length in long.items()
        if length > LONGEST_MODULE and name not in TABLES
    }
    assert not too_long


def test_functions_stay_short() -> None:
    too_long = [
        f"{file}:{node.lineno} {node.name}"
        for file in FILES.values()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > LONGEST_FUNCTION
    ]
    assert not too_long, "\n".join(too_long)
