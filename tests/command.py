"""The command line, run in this process: what it prints, and its exit code.

That it is the same as a process of its own is asked in test_cli, where it can differ.
"""

from __future__ import annotations

import gc
import io
import sys
from contextlib import chdir
from pathlib import Path

import pytest

from rulesdsl.cli.main import main

ROOT = Path(__file__).resolve().parent.parent


def rulesdsl(*arguments: str, cwd: Path = ROOT, cache: Path | None = None) -> tuple[int, str, str]:
    """Run a command in a folder: exit code, output, error output.

    `cache` is where it keeps what is for the user, the last playlog for example.
    """
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
    usual = gc.get_threshold()
    with pytest.MonkeyPatch.context() as patch, chdir(cwd):
        patch.setattr(sys, "argv", ["rulesdsl", *arguments])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        patch.setattr(sys, "stdout", streams[0])
        patch.setattr(sys, "stderr", streams[1])
        if cache is not None:
            patch.setenv("XDG_CACHE_HOME", str(cache))
        try:
            with pytest.raises(SystemExit) as ended:
                main()
        finally:
            # the command leaves nothing to collect, since its process ends with it
            gc.unfreeze()
            gc.set_threshold(*usual)
    code = ended.value.code
    assert isinstance(code, int)
    out, err = map(_text, streams)
    return code, out, err


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    octets = stream.buffer
    assert isinstance(octets, io.BytesIO)
    return octets.getvalue().decode("utf-8").replace("\r\n", "\n")
