"""The package works where it is installed: from a wheel, editable, and from a bare checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
GAMES = {
    file.stem
    for folder in ("games", "games/variants", "games/classics")
    for file in (REPOSITORY / folder).glob("*.yaml")
}
PROBLEMS = {file.stem for file in (REPOSITORY / "docs" / "problems").glob("*.md")}
LOOK = """
import pathlib, rulesdsl.resources as resources
print(pathlib.Path(resources.__file__).parent.parent)
print(*resources.bundled_games())
print(resources.schema_text("game"))
assert all(resources.page_part(f"replay.{kind}") for kind in ("html", "css", "js"))
"""

pytestmark = pytest.mark.xdist_group("install")


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """What a command prints, in an environment that knows nothing of the checkout."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        command, cwd=cwd, env=kept | environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


class Environment:
    """A virtual environment of its own, and an empty folder to work in."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder / "env", symlinks=os.name != "nt")
        self.bin = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        self.here = folder / "here"
        self.here.mkdir()

    def install(self, *what: str | Path) -> None:
        python = self.bin / "python"
        pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
        run(*pip, "install", *what, cwd=self.here)

    def run(self, command: str, *arguments: str, **environment: str) -> str:
        return run(self.bin / command, *arguments, cwd=self.here, **environment)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The wheel, built from the source archive and installed with its dependencies."""
    dist = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", dist, cwd=REPOSITORY)
    environment = Environment(tmp_path_factory.mktemp("installed"))
    environment.install(*dist.glob("*.whl"))
    return environment


def check_look(environment: Environment, where: Path | None, **variables: str) -> None:
    place, games, schema = environment.run("python", "-c", LOOK, **variables).split("\n", 2)
    assert set(games.split()) == GAMES
    expected = (REPOSITORY / "schemas" / "game.schema.json").read_text(encoding="utf-8")
    assert schema.strip() == expected.strip()
    assert (Path(place) == where) if where else (Path(place).name == "site-packages")


def test_a_wheel_holds_games_and_schemas(installed: Environment) -> None:
    check_look(installed, where=None)


def test_a_wheel_holds_the_pages_about_problems(installed: Environment) -> None:
    program = "import sys; from rulesdsl.resources import problem_page as page\n"
    program += "print([code for code in sys.argv[1:] if page(code) is None])"
    assert installed.run("python", "-c", program, *sorted(PROBLEMS)).strip() == "[]"


def test_an_editable_install_reads_the_checkout(tmp_path: Path) -> None:
    environment = Environment(tmp_path)
    environment.install("--no-deps", "--editable", REPOSITORY)
    check_look(environment, where=REPOSITORY)
    copies = [file for file in tmp_path.rglob("*.yaml") if "site-packages" in file.parts]
    assert copies == []


def test_a_bare_checkout_needs_no_install(tmp_path: Path) -> None:
    check_look(Environment(tmp_path), where=REPOSITORY, PYTHONPATH=str(REPOSITORY))


def test_an_installed_package_lists_its_games(installed: Environment) -> None:
    listed = installed.run("rulesdsl", "games")
    assert [game for game in sorted(GAMES) if game not in listed] == []


def test_an_installed_package_plays_a_game(installed: Environment) -> None:
    played = installed.run("rulesdsl", "run", "ostia", "--players", "4", "--seed", "7")
    assert "Ostia" in played
    assert "all beginner" in played
    assert "Round 5" in played


def test_a_wheel_holds_the_data_files_of_its_games(installed: Environment, tmp_path: Path) -> None:
    """With a game of the tests, in a copy of the repository."""
    copy, dist, site = tmp_path / "copy", tmp_path / "dist", tmp_path / "site"
    left_out = shutil.ignore_patterns(".*", "tests", "build", "dist", "*cache*", "benchmarks")
    shutil.copytree(REPOSITORY, copy, ignore=left_out)
    games = REPOSITORY / "tests" / "games"
    shutil.copy(games / "orchard.yaml", copy / "games")
    shutil.copytree(games / "orchard", copy / "games" / "orchard")
    build = (sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", dist)
    run(*build, cwd=copy)
    (wheel,) = dist.glob("*.whl")
    shutil.unpack_archive(wheel, site, "zip")
    told = installed.run("python", "-m", "rulesdsl", "test", "orchard", PYTHONPATH=str(site))
    assert str(site / "rulesdsl" / "games" / "orchard.yaml") in told
    assert "3 of 3 hold" in told


def test_the_package_runs_as_a_module(installed: Environment) -> None:
    assert installed.run("python", "-m", "rulesdsl", "games") == installed.run("rulesdsl", "games")
