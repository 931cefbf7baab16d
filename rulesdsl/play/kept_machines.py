"""Machines made before: kept with the digests of all files that they are made from."""

from __future__ import annotations

import os
import pickle
import sys
from hashlib import blake2b
from pathlib import Path

from rulesdsl.machine.packing import pack, unpack
from rulesdsl.machine.program import Machine
from rulesdsl.text.files import files_read, read_source
from rulesdsl.text.kept import Kept
from rulesdsl.version import __version__

MACHINES = Kept("machine")
_PACKAGE = Path(__file__).parent.parent
_STAGES = ("text", "syntax", "check", "machine")
"""The folders, and those below them, that make machines."""


def kept_machine(path: Path, players: int | None, options: dict[str, object]) -> Machine:
    """The machine of a rule file, as compile_rules makes it, or the one made before."""
    made_from = repr((str(path), players, sorted(options.items()), _package()))
    content = MACHINES.read(made_from)
    if content is not None:
        files, packed = pickle.loads(content)
        if all(_digest_of(Path(name)) == digest for name, digest in files):
            return unpack(packed)
    # what compiles takes longer to import than a kept machine to read
    from rulesdsl.compile import compile_rules

    with files_read() as read:
        machine = compile_rules(read_source(path), players, options)
    files = [(str(file), _digest(octets)) for file, octets in read]
    MACHINES.write(made_from, pickle.dumps((files, pack(machine))))
    return machine


def _package() -> tuple[object, ...]:
    """What machines depend on besides the rules: Python, and each module of the package."""
    folders, modules = [_PACKAGE, *(_PACKAGE / stage for stage in _STAGES)], []
    for folder in folders:
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            if entry.is_file():
                modules.append((entry.path, entry.stat().st_mtime_ns, entry.stat().st_size))
            elif folder != _PACKAGE and entry.name != "__pycache__":
                folders.append(Path(entry.path))
    return __version__, sys.version, modules


def _digest_of(file: Path) -> bytes:
    try:
        return _digest(file.read_bytes())
    except OSError:
        return b""


def _digest(octets: bytes) -> bytes:
    return blake2b(octets, digest_size=16).digest()
