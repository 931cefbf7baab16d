"""The JSON Schema of rule files: current, closed, described, and at one with the reader."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry

from rulesdsl.resources import bundled_bots, bundled_games, schema_text
from rulesdsl.syntax import shape
from rulesdsl.syntax.from_yaml import read_rules
from rulesdsl.syntax.yaml_nodes import Empty, List, Map, Node, Text
from rulesdsl.syntax.yaml_reader import read_yaml
from rulesdsl.text.files import read_source
from rulesdsl.text.problems import Problems
from rulesdsl.text.source import Source
from tests.test_from_yaml import HEAD, WHOLE

SCHEMA: dict[str, Any] = json.loads(schema_text("game"))
VALIDATOR = Draft202012Validator(SCHEMA, registry=Registry())


def plain(node: Node) -> Any:
    """What an editor's YAML 1.2 makes of a node: numbers, booleans, texts, lists, mappings."""
    match node:
        case Map(entries=entries):
            return {entry.key.text: plain(entry.value) for entry in entries}
        case List(items=items):
            return [plain(item) for item in items]
        case Empty():
            return None
        case Text(quoted=False, text="true" | "false" as text):
            return text == "true"
        case Text(quoted=False, text=text) if re.fullmatch(r"[-+]?\d+", text):
            return int(text)
        case Text(text=text):
            return text


def keys_of(node: Node) -> list[str]:
    """Every key in a file."""
    match node:
        case Map(entries=entries):
            inner = [key for entry in entries for key in keys_of(entry.value)]
            return inner + [entry.key.text for entry in entries]
        case List(items=items):
            return [key for item in items for key in keys_of(item)]
        case _:
            return []


def refused(text: str) -> str | None:
    """The message of the schema about a rule file, if it refuses it."""
    problems = Problems()
    node = read_yaml(Source("test.yaml", text), problems)
    problems.check()
    assert node is not None
    error = best_match(VALIDATOR.iter_errors(plain(node)))
    return None if error is None else f"{error.json_path}: {error.message}"


def objects(schema: Any) -> list[dict[str, Any]]:
    """Every schema of a mapping in a schema."""
    if isinstance(schema, list):
        return [found for item in schema for found in objects(item)]
    if not isinstance(schema, dict):
        return []
    own = [schema] if schema.get("type") == "object" else []
    return own + [found for value in schema.values() for found in objects(value)]


@pytest.mark.parametrize("name", shape.SCHEMAS)
def test_the_schema_files_are_current(name: str) -> None:
    told = f"python -m rulesdsl.syntax.shape {name} > schemas/{name}.schema.json"
    assert schema_text(name) == shape.schema_text(name), told


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


BOTS = [file for game in bundled_games() for file in bundled_bots(game).values()]


@pytest.mark.parametrize("file", BOTS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_bundled_bots_fit(file: Path) -> None:
    schema = json.loads(schema_text("bot"))
    Draft202012Validator.check_schema(schema)
    node = read_yaml(read_source(file), Problems())
    assert node is not None
    validator = Draft202012Validator(schema, registry=Registry())
    assert [error.message for error in validator.iter_errors(plain(node))] == []
    wrong = {**plain(node), "decison": {}}
    assert best_match(validator.iter_errors(wrong)) is not None


def test_every_mapping_is_closed_or_of_names() -> None:
    for schema in objects(SCHEMA):
        assert "additionalProperties" in schema, schema


def test_every_key_is_described() -> None:
    for section in (shape.RULE_FILE, shape.BOT_FILE, *shape.SECTIONS):
        for key in (*section.keys, *section.patterns):
            assert re.fullmatch(r"\S.*[.`]", key.about), (section.name, key.name)
    for schema in objects(SCHEMA):
        for name, value in schema.get("properties", {}).items():
            assert value.get("description"), name


@pytest.mark.parametrize("name", sorted(bundled_games()))
def test_bundled_games_fit(name: str) -> None:
    assert refused(bundled_games()[name].read_text(encoding="utf-8")) is None


def test_a_file_with_every_section_fits() -> None:
    assert refused(WHOLE) is None


def test_every_key_is_read() -> None:
    """The whole file of the tests uses every key, so none is in the table that is not read."""
    node = read_yaml(Source("test.yaml", WHOLE), Problems())
    assert node is not None
    used = {*keys_of(node), "payoff", "from", "extends", "changes", *shape.CHANGE.names}
    for section in (shape.RULE_FILE, *shape.SECTIONS):
        assert set(section.names) <= used, section.name


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}flow: a\nphasess: {{}}\n",
        f"{HEAD}flow: a\nphases: [a]\n",
        f"{HEAD}flow: a\noptions:\n  a: {{type: bool, defualt: true}}\n",
        f"{HEAD}flow: a\nstate:\n  all: {{a: 0..1}}\n",
        f"{HEAD}flow: a\nresult: {{highest: a}}\n",
        f"{HEAD}flow: a\nkinds:\n  A: {{colums: {{a: 0..1}}, rows: [a]}}\n",
        f"{HEAD}flow:\n  - for p in players: a\n    fro q in players: b\n",
        f"{HEAD}flow:\n  - p chooses: pass\n",
        f"{HEAD}flow:\n  - award a to p in players: {{by: 1, prizes: [1]}}\n",
        f"{HEAD}flow: a\nexamples:\n  - example: x\n    players: [A]\n    expct: {{a: 1}}\n",
        f"{HEAD}flow: a\ntexts:\n  lines: {{a: {{befor: x}}}}\n",
        "rules: 2\ngame: g\nplayers: 2\nflow: a\n",
        "rules: 1\ngame: g\nflow: a\n",
        "rules: 1\ngame: my-game\nplayers: 2\nflow: a\n",
        "rules: 1\nextends: nim\n",
        "rules: 1\ngame: g\nextends: nim\nchanges: {remove: flow}\n",
        "rules: 1\ngame: g\nextends: nim\nchanges:\n  - {remove: flow, set: flow}\n",
        "rules: 1\ngame: g\nextends: nim\nchanges:\n  - {remove: flow, wiht: flow}\n",
    ],
)
def test_what_the_schema_refuses_the_reader_refuses(text: str) -> None:
    assert refused(text) is not None
    problems = Problems()
    read_rules(Source("test.yaml", text), problems)
    assert len(problems) > 0
