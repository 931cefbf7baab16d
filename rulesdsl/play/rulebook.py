"""A rule file, read and checked, and games of it: what was made of it before is kept."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Mapping
from pathlib import Path

from attrs import define

from rulesdsl.check.model import Model
from rulesdsl.machine.packing import pack, unpack
from rulesdsl.machine.program import Machine
from rulesdsl.play.game import Game
from rulesdsl.text.files import Digests, are_unchanged, digests_of, files_read, read_source
from rulesdsl.text.kept import Kept
from rulesdsl.version import __version__

MODELS = Kept("model")
MACHINES = Kept("machine")
_PACKAGE = Path(__file__).parent.parent
_STAGES = ("text", "syntax", "check", "machine")
"""The folders, and those below them, that make models, machines and policies."""


@define(eq=False)
class Rulebook:
    """A rule file without problems, and the games that are made of it.

    `made_from` tells all that it is made from: its file and those that it names, by their
    digests, and the package.
    """

    made_from: str
    _packed: bytes
    _model: Model | None = None

    @classmethod
    def of(cls, path: Path) -> Rulebook:
        """Raises RulesError with every problem found."""
        name = repr((str(path), _package()))
        content = MODELS.read(name)
        if content is not None:
            files, packed = pickle.loads(content)
            if are_unchanged(files):
                return cls(_named(name, files), packed)
        # what compiles takes longer to import than what is kept to read
        from rulesdsl.compile import check_source

        with files_read() as read:
            model = check_source(read_source(path))
        files, packed = digests_of(read), pack(model)
        MODELS.write(name, pickle.dumps((files, packed)))
        return cls(_named(name, files), packed, model)

    @property
    def model(self) -> Model:
        if self._model is None:
            self._model = unpack(self._packed, Model)
        return self._model

    def game(self, players: int | None = None, options: Mapping[str, object] | None = None) -> Game:
        """The game for a number of players (None: the least) and a choice of options.

        Raises UsageError (no such option, value or number).
        """
        given = dict(options or {})
        name = repr((self.made_from, players, sorted(given.items())))
        packed = MACHINES.read(name)
        if packed is not None:
            return Game(unpack(packed, Machine), name)
        from rulesdsl.compile import machine_of

        machine = machine_of(self.model, players, given)
        MACHINES.write(name, pack(machine))
        return Game(machine, name)


def _named(name: str, files: Digests) -> str:
    return repr((name, files))


def _package() -> tuple[object, ...]:
    """What is made depends on besides the rules: Python, and each module that makes it."""
    folders, modules = [_PACKAGE, *(_PACKAGE / stage for stage in _STAGES)], []
    for folder in folders:
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            if entry.is_file():
                modules.append((entry.path, entry.stat().st_mtime_ns, entry.stat().st_size))
            elif folder != _PACKAGE and entry.name != "__pycache__":
                folders.append(Path(entry.path))
    return __version__, sys.version, modules
