"""All measurements, one after the other; what they found goes to RESULTS.md beside this file."""

from __future__ import annotations

import os
import platform
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks import against_open_spiel, classics, costs, engines, growth, inside, ostia, startup
from benchmarks.harness import Section, aims_table

RESULTS = Path(__file__).with_name("RESULTS.md")
PARTS = (against_open_spiel, ostia, engines, classics, inside, growth, costs, startup)
LIBRARIES = ("wasmtime", "open_spiel", "rlcard", "pettingzoo", "numpy", "attrs", "lark", "pyyaml")
HEAD = """
# What was measured

Made by `python -m benchmarks` ({made}, {minutes:.1f} minutes). All rows of a table were timed in
turn in one process, by the time of the processor. A figure is the median of the rounds, with the
least and the greatest behind it; a ratio is the median of the ratios of the rounds. Ratios are what
can be compared between machines.
"""
WHY = """
Why some are not reached, and what would be next:
[docs/engines.md](../docs/engines.md#what-limits).
"""


def machine() -> str:
    """What this was measured on."""
    cores = os.cpu_count()
    busy = f", load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    lines = [
        f"- machine: {_processor()}, {cores} cores{busy}",
        f"- system: {platform.system()} {platform.release()}, {platform.machine()}",
        f"- Python: {python}",
        f"- libraries: {', '.join(map(_version, LIBRARIES))}",
    ]
    return "\n".join(lines)


def _processor() -> str:
    """The name of the processor, as far as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or "unknown")


def _version(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} not installed"


def main() -> None:
    start, where = time.monotonic(), machine()
    sections: list[Section] = []
    for part in PARTS:
        found = part.sections()
        print(*found, sep="\n\n", end="\n\n", flush=True)
        sections += found
    minutes = (time.monotonic() - start) / 60
    head = HEAD.format(made=time.strftime("%Y-%m-%d"), minutes=minutes).strip()
    parts = [head, where, str(aims_table(sections)), WHY.strip(), *map(str, sections)]
    RESULTS.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    print(f"written to {RESULTS}", file=sys.stderr)


if __name__ == "__main__":
    main()
