"""How long commands take to start, as a multiple of importing the libraries they need.

python -m benchmarks.startup
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

from benchmarks.harness import Aim, Section, Table

ROOT = Path(__file__).resolve().parent.parent
RUNS = 9
NOTES = """
Every figure is the least of several runs of a whole process, in turn with its yardstick, so that a
machine that is busy for a while does not move the ratio. Where the system tells it, it is the time
of the processor. The first run is not counted: it leaves compiled modules behind, as an
installation does.
"""
PAIRS = [
    ("rulesdsl --help", ["-m", "rulesdsl", "--help"], "import click", 2.5),
    (
        "rulesdsl validate games/ostia.yaml",
        ["-m", "rulesdsl", "validate", str(ROOT / "games" / "ostia.yaml")],
        "import click, yaml, lark, attr, jsonschema",
        4.0,
    ),
]


def seconds(arguments: list[str]) -> float:
    """The time of one run of Python as a whole process."""
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = clock()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, cwd=ROOT, env=env)
    return clock() - before


def clock() -> float:
    """The time that processes started from here have used; else that on the wall."""
    if resource is None:
        return time.perf_counter()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def sections() -> list[Section]:
    """Each command beside its yardstick."""
    lines, aims = [], []
    for name, command, yardstick, limit in PAIRS:
        seconds(command)
        pairs = [(seconds(command), seconds(["-c", yardstick])) for _ in range(RUNS)]
        ours, theirs = (min(column) for column in zip(*pairs, strict=True))
        found = ours / theirs
        lines.append((f"`{name}`", f"`{yardstick}`", f"{ours * 1000:.0f}", f"{found:.2f}"))
        aims.append(Aim(f"`{name}`, beside importing its libraries", limit, found, False))
    head = ("command", "yardstick", "ms", "x yardstick")
    table = Table("The least of several runs", head, tuple(lines), texts=2)
    return [Section("Start-up of commands", NOTES, (table,), tuple(aims))]


if __name__ == "__main__":
    print(*sections(), sep="\n\n")
