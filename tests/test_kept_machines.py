"""Machines kept between runs: the same as made anew, and never those of other files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from rulesdsl import load
from rulesdsl.compile import compile_rules
from rulesdsl.engines.many import play_many
from rulesdsl.engines.python.engine import GeneratedEngine
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.listing import listing
from rulesdsl.machine.packing import pack, unpack
from rulesdsl.machine.program import Machine
from rulesdsl.play.game import Game
from rulesdsl.text.source import Source
from tests.test_meaning import FILES, ROOT, choices
from tests.test_meaning import load as model_of


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_unpacked_machine_is_the_same(path: Path) -> None:
    model = model_of(path)
    machine = make_machine(model, *choices(model, Random(4), 1)[-1])
    again = unpack(pack(machine))
    assert listing(again) == listing(machine)
    assert Game(again).rules_hash == Game(machine).rules_hash
    mine, theirs = (
        play_many(GeneratedEngine(one), [None] * one.seats, 1, range(1), True)
        for one in (machine, again)
    )
    assert (mine.cells, mine.taken, mine.fired) == (theirs.cells, theirs.taken, theirs.fired)
    state, other = Game(machine).start(seed=1), Game(again).start(seed=1)
    assert [state.view(seat) for seat in range(machine.seats)] == [
        other.view(seat) for seat in range(machine.seats)
    ]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULESDSL_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept" / "machine"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Grows by each machine that is made from its rules."""
    found: list[str] = []

    def made(source: Source, players: int | None, options: dict[str, object]) -> Machine:
        found.append(source.name)
        return compile_rules(source, players, options)

    monkeypatch.setattr("rulesdsl.compile.compile_rules", made)
    return found


def test_the_second_time_nothing_is_made(kept: Path, compiled: list[str]) -> None:
    first, second = load("kuhn-poker"), load("kuhn-poker")
    assert len(compiled) == 1
    assert first.rules_hash == second.rules_hash
    load("nim")
    assert len(compiled) == 2
    assert len(list(kept.iterdir())) == 2


def test_a_kept_machine_needs_nothing_that_compiles(kept: Path) -> None:
    program = (
        "import sys; from rulesdsl.play.loading import load; load('nim')\n"
        "print(*sorted({'lark', 'yaml', 'rulesdsl.compile'} & set(sys.modules)))"
    )
    first, second = (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        for _ in range(2)
    )
    assert first.stdout.split() == ["rulesdsl.compile", "yaml"]
    assert second.stdout.split() == []


def test_what_a_rule_file_names_counts_too(kept: Path, compiled: list[str], tmp_path: Path) -> None:
    shutil.copy(ROOT / "games" / "oltremare.yaml", tmp_path)
    shutil.copytree(ROOT / "games" / "oltremare", tmp_path / "oltremare")
    game = str(tmp_path / "oltremare.yaml")
    load(game)
    load(game)
    assert len(compiled) == 1
    routes = tmp_path / "oltremare" / "routes.yaml"
    routes.write_text(routes.read_text(encoding="utf-8") + "\n# more\n", encoding="utf-8")
    load(game)
    assert len(compiled) == 2


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="nothing is kept where files have no owner")
@pytest.mark.parametrize("harm", ["damaged", "open to others", "a link", "a folder open to others"])
def test_what_cannot_be_trusted_is_not_read(kept: Path, compiled: list[str], harm: str) -> None:
    load("nim")
    (file,) = kept.iterdir()
    match harm:
        case "damaged":
            octets = bytearray(file.read_bytes())
            octets[-9] ^= 1
            file.write_bytes(octets)
        case "open to others":
            file.chmod(0o666)
        case "a link":
            shutil.move(file, kept / "other")
            file.symlink_to(kept / "other")
        case _:
            kept.chmod(0o777)
    load("nim")
    assert len(compiled) == 2


def test_a_folder_that_cannot_be_made_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("RULESDSL_CACHE", str(tmp_path / "file"))
    assert load("nim").players == 2
