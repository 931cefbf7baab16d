"""What is kept between runs of rules: the same as made anew, and never that of other files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from rulesdsl import load
from rulesdsl.agents.cast import Company
from rulesdsl.agents.roster import Roster
from rulesdsl.check.bots import Bot
from rulesdsl.check.model import Model
from rulesdsl.compile import check_bot, check_source
from rulesdsl.engines.many import play_many
from rulesdsl.engines.python.engine import GeneratedEngine
from rulesdsl.machine.from_model import make_machine
from rulesdsl.machine.listing import listing
from rulesdsl.machine.packing import pack, unpack
from rulesdsl.machine.program import Machine
from rulesdsl.machine.settings import UsageError
from rulesdsl.play.game import Game
from rulesdsl.syntax.bot_tree import BotFile
from rulesdsl.text.problems import RulesError
from rulesdsl.text.source import Source
from tests.command import rulesdsl
from tests.test_meaning import FILES, ROOT, choices
from tests.test_meaning import load as model_of


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_unpacked_machine_is_the_same(path: Path) -> None:
    model = model_of(path)
    choice = choices(model, Random(4), 1)[-1]
    machine = make_machine(model, *choice)
    again = unpack(pack(machine), Machine)
    of_unpacked = make_machine(unpack(pack(model), Model), *choice)
    assert listing(of_unpacked) == listing(machine)
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
    return tmp_path / "kept"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Grows by each rule file and each bot that is read and checked."""
    found: list[str] = []

    def checked(source: Source) -> Model:
        found.append(Path(source.name).stem)
        return check_source(source)

    def bot_checked(files: tuple[BotFile, ...], model: Model) -> Bot:
        found.append(files[0].name.text)
        return check_bot(files, model)

    monkeypatch.setattr("rulesdsl.compile.check_source", checked)
    monkeypatch.setattr("rulesdsl.compile.check_bot", bot_checked)
    return found


def test_the_second_time_nothing_is_made(kept: Path, compiled: list[str]) -> None:
    first, second = load("kuhn-poker"), load("kuhn-poker")
    assert compiled == ["kuhn-poker"]
    assert first.rules_hash == second.rules_hash
    load("nim")
    assert compiled == ["kuhn-poker", "nim"]
    assert len(list((kept / "machine").iterdir())) == 2


def test_other_players_and_options_need_no_new_reading(kept: Path, compiled: list[str]) -> None:
    for _ in range(2):
        assert [load("ostia", players).players for players in (3, 4, None)] == [3, 4, 3]
        assert load("ostia", 3, {"starting_money": 70}).options["starting_money"] == 70
        assert load("ostia", 3).options["starting_money"] == 55
        with pytest.raises(UsageError, match="no option money"):
            load("ostia", 3, {"money": 70})
    assert compiled == ["ostia"]
    assert len(list((kept / "machine").iterdir())) == 4


def test_a_kept_machine_needs_nothing_that_compiles(kept: Path) -> None:
    assert [compiling("from rulesdsl.play.loading import load; load('nim')") for _ in "12"] == [
        ["rulesdsl.check.checker", "rulesdsl.compile", "yaml"],
        [],
    ]


@pytest.mark.parametrize(
    "command", ["run leduc-poker", "run leduc-poker --json", "replay last", "simulate leduc-poker"]
)
def test_a_command_that_only_plays_compiles_nothing_again(
    command: str, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert rulesdsl("run", "leduc-poker", "--seed", "1")[0] == 0
    rulesdsl(*command.split())
    arguments = ["rulesdsl", *command.split(), *(["--jobs", "1"] if "simulate" in command else [])]
    assert compiling(f"import sys; sys.argv = {arguments}; main()") == []


def test_people_play_without_compiling_again(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    program = "import sys; sys.argv = ['rulesdsl', 'play', 'leduc-poker', '--seed', '1']; main()"
    compiling(program)
    assert compiling(program) == []


def compiling(program: str) -> list[str]:
    """Which modules that read or compile a program has imported when it ends."""
    begin = (
        "import atexit, sys\n"
        "from rulesdsl.cli.main import main\n"
        "look = {'lark', 'yaml', 'rulesdsl.compile', 'rulesdsl.check.checker'}\n"
        "atexit.register(lambda: print('\\n', *sorted(look & set(sys.modules))))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", begin + program], capture_output=True, text=True, input="quit\n"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1].split()


# ------------------------------------------------------------------ bots


def company(name: str) -> Company:
    game = load(name)
    return Company(game, Roster.of(game.model))


@pytest.mark.parametrize(("name", "bot"), [("leduc-poker", "beginner"), ("patronus", "seafarer")])
def test_a_kept_bot_plays_the_same(name: str, bot: str, kept: Path, compiled: list[str]) -> None:
    companies = company(name), company(name)
    played = []
    for one in companies:
        policy, machine = one.script(bot).policy, one.game.machine
        done = play_many(one.game.rules.engine, [policy] * machine.seats, 1, range(3), True)
        played.append((done.cells, done.taken, done.fired))
    assert played[0] == played[1]
    assert compiled == [name, bot]


def test_a_bot_that_was_changed_is_read_again(
    kept: Path, compiled: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "mine.yaml"
    text = "bots: 1\nfor: nim\nbot: mine\nextends: other.yaml\ndecisions: {take: [take]}\n"
    file.write_text(text, encoding="utf-8")
    other, found = tmp_path / "other.yaml", []
    base = "bots: 1\nfor: nim\nbot: other\ndecisions: {take: [take]}\n"
    for worth in ("1", "1", "2"):
        other.write_text(f"{base}worth: {worth}\n", encoding="utf-8")
        one = company("nim")
        found.append(one.script(str(file)).worth(one.game.start(1), 0))
    assert found == [1, 1, 2]
    assert compiled == ["nim", "mine", "mine"]
    company("kuhn-poker")
    with pytest.raises(UsageError, match="plays nim, not kuhn_poker"):
        company("kuhn-poker").script(str(file))


def test_a_bot_with_a_mistake_is_told_each_time(kept: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("bots: 1\nfor: nim\nbot: mine\nworth: 1 +\n", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(RulesError):
            company("nim").script(str(file))


def test_a_variant_keeps_the_bots_of_its_base(kept: Path) -> None:
    for _ in range(2):
        assert company("ostia_salt").roster.games == ("ostia_salt", "ostia")
        assert "beginner" in company("ostia_salt").roster.files


# ------------------------------------------------------------------ what does not count


def test_what_a_rule_file_names_counts_too(kept: Path, compiled: list[str], tmp_path: Path) -> None:
    shutil.copy(ROOT / "games" / "oltremare.yaml", tmp_path)
    shutil.copytree(ROOT / "games" / "oltremare", tmp_path / "oltremare")
    game = str(tmp_path / "oltremare.yaml")
    load(game)
    load(game)
    assert compiled == ["oltremare"]
    routes = tmp_path / "oltremare" / "routes.yaml"
    routes.write_text(routes.read_text(encoding="utf-8") + "\n# more\n", encoding="utf-8")
    load(game)
    assert len(compiled) == 2


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="nothing is kept where files have no owner")
@pytest.mark.parametrize("harm", ["damaged", "open to others", "a link", "a folder open to others"])
def test_what_cannot_be_trusted_is_not_read(kept: Path, compiled: list[str], harm: str) -> None:
    load("nim")
    folder = kept / "model"
    (file,) = folder.iterdir()
    match harm:
        case "damaged":
            octets = bytearray(file.read_bytes())
            octets[-9] ^= 1
            file.write_bytes(octets)
        case "open to others":
            file.chmod(0o666)
        case "a link":
            shutil.move(file, folder / "other")
            file.symlink_to(folder / "other")
        case _:
            folder.chmod(0o777)
    load("nim")
    assert len(compiled) == 2


def test_a_folder_that_cannot_be_made_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("RULESDSL_CACHE", str(tmp_path / "file"))
    assert load("nim").players == 2
