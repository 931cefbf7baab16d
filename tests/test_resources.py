"""Bundled files are found by name, files of the user win, and no name leads elsewhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rulesdsl import resources
from rulesdsl.resources import (
    GameNotFound,
    bundled_games,
    find_game,
    problem_page,
    schema_text,
)

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with folders of its own, and a current folder with nothing in it."""
    package = tmp_path / "site" / "rulesdsl"
    for name, text in {
        "games/ostia.yaml": "bundled",
        "games/classics/nim.yaml": "bundled",
        "schemas/game.schema.json": "{}",
        "docs/problems/unknown-name.md": "# unknown-name",
        "docs/language.md": "not a page about a problem",
    }.items():
        file = package / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setattr(resources, "_PACKAGE", package)
    return package


def test_the_bundled_games_are_those_of_the_repository() -> None:
    games = REPOSITORY / "games"
    folders = (games, games / "variants", games / "classics")
    files = {file for folder in folders for file in folder.glob("*.yaml")}
    assert set(bundled_games().values()) == files
    assert len(bundled_games()) == len(files), "two bundled games have one name"


def test_games_stand_before_classics(package: Path) -> None:
    assert list(bundled_games()) == ["ostia", "nim"]
    assert bundled_games()["nim"] == package / "games" / "classics" / "nim.yaml"


def test_what_is_inside_the_package_wins_over_what_is_beside_it(package: Path) -> None:
    beside = package.parent / "games"
    beside.mkdir()
    (beside / "stray.yaml").touch()
    assert "stray" not in bundled_games()


def test_what_is_not_inside_the_package_is_beside_it(package: Path) -> None:
    (package / "games").rename(package.parent / "games")
    assert find_game("ostia") == package.parent / "games" / "ostia.yaml"


def test_a_bundled_game_is_found_by_its_name(package: Path) -> None:
    assert find_game("ostia").read_text(encoding="utf-8") == "bundled"
    assert find_game("nim").read_text(encoding="utf-8") == "bundled"


@pytest.mark.parametrize("file_name", ["ostia", "ostia.yaml"])
def test_a_file_in_the_current_folder_wins(package: Path, file_name: str) -> None:
    Path(file_name).touch()
    assert find_game("ostia") == Path(file_name)


def test_a_folder_of_that_name_is_no_rules_file(package: Path) -> None:
    Path("ostia").mkdir()
    assert find_game("ostia") == package / "games" / "ostia.yaml"


def test_a_path_is_taken_as_written(package: Path) -> None:
    Path("mine").mkdir()
    Path("mine/ostia.yaml").touch()
    assert find_game("mine/ostia.yaml") == Path("mine/ostia.yaml")
    assert find_game("mine/ostia") == Path("mine/ostia.yaml")


def test_a_slip_names_the_nearest_bundled_game(package: Path) -> None:
    with pytest.raises(GameNotFound) as caught:
        find_game("osta")
    assert (caught.value.name, caught.value.nearest) == ("osta", ["ostia"])
    assert str(caught.value) == (
        "no rules file and no bundled game is called 'osta'; did you mean ostia?"
    )


def test_a_slip_names_the_nearest_file(package: Path) -> None:
    Path("mine").mkdir()
    Path("mine/harbor.yaml").touch()
    with pytest.raises(GameNotFound) as caught:
        find_game("mine/habor.yaml")
    assert caught.value.nearest == [str(Path("mine/harbor.yaml"))]


def test_a_missing_file_is_not_replaced_by_a_bundled_game(package: Path) -> None:
    with pytest.raises(GameNotFound) as caught:
        find_game("ostia.yaml")
    assert caught.value.nearest == ["ostia"]


@pytest.mark.parametrize("name", ["", ".", "/", "..", "qqqq", "a\0/b", "LONG", "LONG/b", "a/b/c"])
def test_any_other_name_is_unknown(package: Path, name: str) -> None:
    with pytest.raises(GameNotFound) as caught:
        find_game(name.replace("LONG", "x" * 5_000))
    assert caught.value.nearest == []
    assert str(caught.value).startswith("no rules file and no bundled game is called ")


def test_schemas_and_pages_are_found_by_name(package: Path) -> None:
    assert schema_text("game") == "{}"
    assert problem_page("unknown-name") == "# unknown-name"
    assert problem_page("unknown") is None


@pytest.mark.parametrize("name", ["../language", "/etc/passwd", "", "*", "unknown-nam?", "a\0b"])
def test_no_name_leads_out_of_a_folder(package: Path, name: str) -> None:
    assert problem_page(name) is None
    with pytest.raises(LookupError, match="no schema is called"):
        schema_text(name)


def test_finding_files_loads_no_library() -> None:
    program = (
        "import sys, rulesdsl.resources; "
        "print(*{'attr', 'click', 'difflib', 'jsonschema', 'lark', 'yaml'} & set(sys.modules))"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == ""
